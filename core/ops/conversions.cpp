#include "core/ops/conversions.h"

namespace tessera {

namespace {

constexpr size_t kMostKnown = size_t{1} << 18;
constexpr int kNumberBits = 21;  // of a type or a layout: each answer brings one type and two layouts at most

}  // namespace

Conversions::Conversions() {
  Op op;
  op.kind = opKindFromName("ttnn.to_layout");
  op.name = "ttnn.to_layout";
  op.operands = {scratch_.values.push(Value())};
  op.results = {scratch_.values.push(Value())};
  op_ = scratch_.ops.push(std::move(op));
}

const Conversion& Conversions::of(const OpModel& model, const ValueType& type, const TensorLayout& from, const TensorLayout& to) {
  if (known_.size() >= kMostKnown) {
    known_.clear();
    types_ = KeyIndex();
    layouts_ = LayoutPool();
  }
  key_.assign(1, static_cast<uint32_t>(type.tensor->dtype));
  for (int64_t dim : type.tensor->shape) addWords(key_, static_cast<uint64_t>(dim));
  const auto place = static_cast<uint64_t>(types_.numberOf(key_)) << 2 * kNumberBits | static_cast<uint64_t>(layouts_.intern(from)) << kNumberBits |
                     static_cast<uint64_t>(layouts_.intern(to));
  auto [at, isNew] = known_.try_emplace(place);
  Conversion& conversion = at->second;
  if (!isNew) return conversion;
  const Op& op = scratch_.ops[op_];
  for (ValueId end : {op.operands[0], op.results[0]}) scratch_.values[end].type = type;
  const std::optional<TensorLayout> inputs[] = {from};
  const OpConfig config{to, {}};
  const OpFigures figures = model.figuresOf({scratch_, op_, inputs, config, Bytes(0)});
  conversion.legal = figures.status == OpStatus::Success;
  conversion.needed = figures.constraints.peakL1MemorySize;
  conversion.circularBuffers = figures.constraints.cbRegionSize;
  conversion.time = figures.time;
  return conversion;
}

}  // namespace tessera
