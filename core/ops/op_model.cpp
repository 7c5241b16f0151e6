#include "core/ops/op_model.h"

#include <algorithm>

#include "core/ops/family_rules.h"

namespace tessera {

namespace {

struct RefusalInfo {
  std::string_view name;
  std::string_view text;
};

constexpr RefusalInfo kRefusals[] = {
#define TESSERA_REFUSAL(name, text) {#name, text},
#include "core/ops/refusals.def"
#undef TESSERA_REFUSAL
};

// Results of one op share one layout; each result takes its own part of L1.
Bytes resultL1(const OpView& view, const TensorLayout& layout) {
  Bytes sum;
  for (ValueId result : view.op.results) {
    const ValueType& type = view.query.graph.values[result].type;
    if (type.isTensor()) sum += l1BytesPerCore(layout);
  }
  return sum;
}

TensorLayout producedLayout(const OpView& view, const FamilyRules& rules) { return rules.produced ? rules.produced(view) : view.output(); }

// cycles at `clockMhz` to nanoseconds, rounded up.
// No op takes longer (a quarter of an hour) or moves more (a terabyte): a million ops still add up within 63 bits.
constexpr int64_t kLongest = 1'000'000'000'000;
constexpr int64_t kMostBytes = 1'000'000'000'000;

Nanoseconds cyclesToTime(int64_t cycles, int64_t clockMhz) {
  return Nanoseconds(std::min(ceilDiv(mulSaturated(cycles, 1000), clockMhz), kLongest));
}

struct Traffic {
  int64_t dramRead = 0;
  int64_t dramWrite = 0;
  int64_t noc = 0;
};

// A sharded operand that is computed where it lies costs nothing; everything else crosses the NoC.
Traffic trafficOf(const OpView& view, const FamilyRules& rules) {
  Traffic traffic;
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    int64_t bytes = rules.readBytes(view, i);
    const TensorLayout& layout = view.input(i);
    bool inDram = layout.isDram() || layout.buffer == BufferType::SystemMemory;  // host weights are read as prepared in DRAM
    if (inDram) traffic.dramRead = addSaturated(traffic.dramRead, bytes);
    bool local = shardedInL1(layout) && (!view.hasResult() || shardedLikeOutput(view, i));
    if (layout.isL1() && !local) traffic.noc = addSaturated(traffic.noc, bytes);
  }
  for (ValueId result : view.op.results) {
    const ValueType& type = view.query.graph.values[result].type;
    if (!type.isTensor()) continue;
    int64_t bytes = totalBytes(type.tensor->shape, view.output()).count;
    if (view.output().isDram()) traffic.dramWrite = addSaturated(traffic.dramWrite, bytes);
    else if (view.output().isL1() && !view.output().sharded()) traffic.noc = addSaturated(traffic.noc, bytes);
  }
  return traffic;
}

std::string bytesText(Bytes bytes) { return std::to_string(bytes.count) + " B"; }

}  // namespace

std::string_view refusalName(Refusal refusal) { return kRefusals[static_cast<size_t>(refusal)].name; }
std::string_view refusalText(Refusal refusal) { return kRefusals[static_cast<size_t>(refusal)].text; }

Nanoseconds OpTime::total() const { return fixed + std::max({compute, dram, noc}); }

std::string verdictText(const OpVerdict& verdict) {
  if (verdict.ok()) return "legal";
  if (verdict.reason == Refusal::NoHole) {
    return "needs " + bytesText(verdict.needed) + " of L1 per core in one piece, the largest hole has " + bytesText(verdict.available);
  }
  if (verdict.reason == Refusal::CircularBufferClash) {
    return "its circular buffers need " + bytesText(verdict.needed) + " per core, up to the lowest tensor in L1 there are " + bytesText(verdict.available);
  }
  if (verdict.status == OpStatus::OutOfMemory) {
    return "needs " + bytesText(verdict.needed) + " of L1 per core, " + bytesText(verdict.available) + " are allowed";
  }
  std::string text(refusalText(verdict.reason));
  if (verdict.operand >= 0) text += " (operand " + std::to_string(verdict.operand) + ")";
  return text;
}

OpVerdict OpModel::validateOperation(const OpQuery& query) const {
  OpView view = makeView(query, device_);
  TESSERA_CHECK(query.inputs.size() == view.op.operands.size(), "one input layout per operand");
  OpVerdict verdict;
  verdict.output = query.config.output;
  const FamilyRules& rules = familyRules(view.info.family);
  if (Refused refused = rules.legality(view)) {
    verdict.status = refused.reason == Refusal::UnknownOp ? OpStatus::NotImplemented : OpStatus::MetalBackendError;
    verdict.reason = refused.reason;
    verdict.operand = refused.operand;
    return verdict;
  }
  verdict.output = producedLayout(view, rules);
  verdict.constraints = getOpConstraints(query);
  verdict.needed = verdict.constraints.peakL1MemorySize + query.additionalL1;
  verdict.available = l1Budget_;
  if (verdict.needed > l1Budget_) {
    verdict.status = OpStatus::OutOfMemory;
    verdict.reason = Refusal::OutOfL1;
  }
  return verdict;
}

OpConstraints OpModel::getOpConstraints(const OpQuery& query) const {
  OpView view = makeView(query, device_);
  const FamilyRules& rules = familyRules(view.info.family);
  OpConstraints constraints;
  constraints.cbL1PeakSize = Bytes(rules.circularBuffers(view));
  constraints.outputL1BufferSize = resultL1(view, producedLayout(view, rules));
  constraints.tensorL1PeakSize = constraints.outputL1BufferSize;
  if (rules.intermediates) constraints.tensorL1PeakSize += Bytes(rules.intermediates(view));
  // What is written in place was there before: it is the answer, but nothing new.
  if (view.info.has(kInPlace) && view.op.results.empty() && view.hasInput(0)) constraints.outputL1BufferSize = l1BytesPerCore(view.input(0));
  constraints.peakL1MemorySize = constraints.cbL1PeakSize + constraints.tensorL1PeakSize;
  return constraints;
}

OpTime OpModel::getOpRuntime(const OpQuery& query) const {
  OpView view = makeView(query, device_);
  OpTime time;
  if (view.info.has(kNoCompute) || isViewOf(view)) return time;
  const FamilyRules& rules = familyRules(view.info.family);
  Traffic traffic = trafficOf(view, rules);
  time.cores = computeCores(view);
  time.fixed = device_.dispatch;
  time.compute = cyclesToTime(rules.computeCycles(view), device_.clockMhz);
  int64_t dramCycles = ceilDiv(traffic.dramRead, device_.dramReadBytesPerClock) + ceilDiv(traffic.dramWrite, device_.dramWriteBytesPerClock);
  time.dram = cyclesToTime(dramCycles, device_.clockMhz);
  time.noc = cyclesToTime(ceilDiv(traffic.noc, device_.nocBytesPerClock * std::max<int64_t>(time.cores, 1)), device_.clockMhz);
  time.dramBytes = std::min(addSaturated(traffic.dramRead, traffic.dramWrite), kMostBytes);
  time.nocBytes = std::min(traffic.noc, kMostBytes);
  return time;
}

}  // namespace tessera
