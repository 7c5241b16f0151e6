#include "core/ops/model/op_answers.h"

namespace tessera {

namespace {

constexpr size_t kMostKeyWords = size_t{1} << 21;

}  // namespace

void appendAttrs(Key& key, const OpConfig& config) {
  key.push_back(static_cast<uint32_t>(config.attrs.index()));
  if (const auto* conv = std::get_if<Conv2dAttrs>(&config.attrs)) {
    auto flag = [](const std::optional<bool>& f) { return f ? 1u + *f : 0u; };
    key.push_back((conv->actBlockHOverride ? 1u : 0u) | flag(conv->deallocateActivation) << 1 |
                  flag(conv->reshardIfNotOptimal) << 3);
    addWords(key, static_cast<uint64_t>(conv->actBlockHOverride.value_or(0)));
  } else if (const auto* m = std::get_if<MatmulAttrs>(&config.attrs)) {
    key.push_back(static_cast<uint32_t>(m->program));
    for (int64_t size :
         {m->perCoreM, m->perCoreN, m->in0BlockW, m->outSubblockH, m->outSubblockW, m->outBlockH, m->outBlockW})
      addWords(key, static_cast<uint64_t>(size));
  }
}

std::shared_ptr<const OpClasses> OpAnswers::classify(const Graph& graph) {
  auto classes = std::make_shared<OpClasses>(OpClasses{graph, generation_});
  classes->of = IdVec<OpId, uint32_t>(graph.ops.size(), OpClasses::kNone);
  if (!graph.forward.valid()) return classes;
  for (OpId op : graph.funcs[graph.forward].ops) classes->of[op] = interner_.classOf(graph, op);
  return classes;
}

InternedInputs OpAnswers::intern(std::span<const std::optional<TensorLayout>> inputs, std::vector<LayoutId>& ids) {
  ids.clear();
  for (const auto& input : inputs) ids.push_back(input ? interner_.layouts.intern(*input) : kNoLayout);
  return {&interner_.layouts, ids};
}

const OpFacts& OpAnswers::facts(uint32_t opClass, const Graph& graph, OpId op) {
  if (opClass >= facts_.size()) facts_.resize(opClass + 1);
  std::optional<OpFacts>& known = facts_[opClass];
  if (!known) known = factsOf(graph, op);
  return *known;
}

OpAnswer& OpAnswers::find(uint32_t opClass, const OpQuery& query) {
  const ComputeConfig& compute = query.compute;
  key_.clear();
  key_.push_back(opClass);
  key_.push_back(static_cast<uint32_t>(interner_.layouts.intern(query.config.output)));
  const InternedInputs known =
      query.interned.pool == &interner_.layouts ? query.interned : intern(query.inputs, inputs_);
  key_.insert(key_.end(), known.ids.begin(), known.ids.end());
  appendAttrs(key_, query.config);
  key_.push_back((compute.fidelity ? static_cast<uint32_t>(*compute.fidelity) : 0u) |
                 (compute.fp32DestAcc ? 1u + *compute.fp32DestAcc : 0u) << 3);
  size_t number = keys_.numberOf(key_);
  const bool isNew = number == answers_.size();
  if (isNew && (number >= kMostEntries || keys_.words() > kMostKeyWords)) {
    keys_ = KeyIndex();
    answers_.clear();
    number = keys_.numberOf(key_);
  }
  return numbered(answers_, number);
}

void OpAnswers::clear() {
  facts_.clear();
  keys_ = KeyIndex();
  answers_.clear();
  ++generation_;
}

}  // namespace tessera
