#include "core/ops/op_memo.h"

#include <algorithm>

#include "core/ops/op_class.h"

namespace tessera {

namespace {

constexpr size_t kMostKeyWords = size_t{1} << 20;
constexpr size_t kMostLayouts = size_t{1} << 16;

}  // namespace

void appendAttrs(Key& key, const OpConfig& config) {
  key.push_back(static_cast<uint32_t>(config.attrs.index()));
  if (const auto* conv = std::get_if<Conv2dAttrs>(&config.attrs)) {
    auto flag = [](const std::optional<bool>& f) { return f ? 1u + *f : 0u; };
    key.push_back((conv->actBlockHOverride ? 1u : 0u) | flag(conv->deallocateActivation) << 1 | flag(conv->reshardIfNotOptimal) << 3);
    addWords(key, static_cast<uint64_t>(conv->actBlockHOverride.value_or(0)));
  } else if (const auto* m = std::get_if<MatmulAttrs>(&config.attrs)) {
    key.push_back(static_cast<uint32_t>(m->program));
    for (int64_t size : {m->perCoreM, m->perCoreN, m->in0BlockW, m->outSubblockH, m->outSubblockW, m->outBlockH, m->outBlockW}) addWords(key, static_cast<uint64_t>(size));
  }
}

size_t OpMemo::classOf(OpId op) {
  int32_t& known = classOf_[op];
  if (known < 0) {
    known = static_cast<int32_t>(classes_.numberOf(opClassKey(graph_, op)));
    if (static_cast<size_t>(known) == facts_.size()) facts_.push_back(factsOf(graph_, op));
  }
  return static_cast<size_t>(known);
}

void OpMemo::writeKey(const OpQuery& query) {
  key_.clear();
  key_.push_back(static_cast<uint32_t>(classOf(query.op)));
  key_.push_back(static_cast<uint32_t>(layouts_.intern(query.config.output)));
  for (const auto& input : query.inputs) key_.push_back(static_cast<uint32_t>(input ? layouts_.intern(*input) : kNoLayout));
  appendAttrs(key_, query.config);
  const ComputeConfig& compute = query.compute;
  key_.push_back((compute.fidelity ? static_cast<uint32_t>(*compute.fidelity) : 0u) | (compute.fp32DestAcc ? 1u + *compute.fp32DestAcc : 0u) << 3);
}

bool OpMemo::matches(const Entry& entry) const {
  return entry.keyWords == key_.size() && std::equal(key_.begin(), key_.end(), keys_.begin() + entry.keyAt);
}

// Where the key at hand is in the table, or the free place for it.
size_t OpMemo::placeOf(uint64_t hash) const {
  size_t mask = table_.size() - 1, at = hash & mask;
  for (; table_[at] >= 0; at = (at + 1) & mask) {
    const Entry& entry = entries_[static_cast<size_t>(table_[at])];
    if (entry.hash == hash && matches(entry)) break;
  }
  return at;
}

OpAnswer& OpMemo::find(const OpQuery& query) {
  if (2 * (entries_.size() + 1) > table_.size()) grow();
  writeKey(query);
  uint64_t hash = hashOf(key_);
  size_t at = placeOf(hash);
  if (table_[at] >= 0) return entries_[static_cast<size_t>(table_[at])].answer;
  if (entries_.size() >= kMostEntries || keys_.size() >= kMostKeyWords || layouts_.size() >= kMostLayouts) {
    forget();
    writeKey(query);  // layouts have new numbers
    hash = hashOf(key_);
    at = placeOf(hash);
  }
  table_[at] = static_cast<int32_t>(entries_.size());
  entries_.push_back({hash, static_cast<uint32_t>(keys_.size()), static_cast<uint32_t>(key_.size()), {}});
  keys_.insert(keys_.end(), key_.begin(), key_.end());
  return entries_.back().answer;
}

void OpMemo::grow() {
  size_t size = table_.empty() ? 256 : table_.size() * 2;
  table_.assign(size, -1);
  for (size_t i = 0; i < entries_.size(); ++i) {
    size_t at = entries_[i].hash & (size - 1);
    while (table_[at] >= 0) at = (at + 1) & (size - 1);
    table_[at] = static_cast<int32_t>(i);
  }
}

void OpMemo::forget() {
  layouts_ = LayoutPool();
  keys_.clear();
  entries_.clear();
  table_.assign(table_.size(), -1);
}

}  // namespace tessera
