#include "core/ops/op_model.h"

#include <algorithm>

#include "core/ops/time_model.h"

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
  OpVerdict verdict;
  verdict.output = query.config.output;
  if (Refused refused = malformed(query, device_)) {
    verdict.status = OpStatus::MetalBackendError;
    verdict.reason = refused.reason;
    verdict.operand = refused.operand;
    return verdict;
  }
  OpView view = makeView(query, device_);
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
  if (malformed(query, device_)) return {};
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
  if (malformed(query, device_)) return {};
  return opTime(makeView(query, device_));
}

}  // namespace tessera
