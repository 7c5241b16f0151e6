#include "core/ops/rules/eltwise_programs.h"

#include <string_view>

namespace tessera {

namespace {

bool isFloat(DType dtype) { return dtype == DType::F32 || dtype == DType::BF16 || isBlockFloat(dtype); }

bool isBitwise(const OpView& view) { return view.base.substr(0, 8) == "bitwise_"; }

// The kernels of sums, differences and products take block floats as they are; all others in 16 bits, but for an older
// kernel that works on shards.
bool widensBlocks(const OpView& view) {
  const Family family = view.info.family;
  if (family != Family::EltwiseBinary || view.is("add") || view.is("subtract") || view.is("multiply")) return false;
  bool blocks = false;
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    if (view.input(i).sharded()) return false;
    blocks |= isBlockFloat(view.input(i).dtype);
  }
  return blocks;
}

std::optional<DType> typeWorkedIn(const OpView& view) {
  bool floats = false, narrow = false;
  for (int i = 0; i < view.operandCount(); ++i) {
    if (!view.hasInput(i)) continue;
    floats |= isFloat(view.input(i).dtype);
    narrow |= view.input(i).dtype != DType::F32;
  }
  if (view.is("remainder")) return narrow ? std::optional(DType::F32) : std::nullopt;
  if (isBitwise(view)) return floats ? std::optional(DType::I32) : std::nullopt;
  return widensBlocks(view) ? std::optional(DType::BF16) : std::nullopt;
}

// A tensor stored like `layout`, in another element type.
int64_t l1BytesIn(const OpView& view, const TensorLayout& layout, const Shape& shape, DType dtype) {
  if (!layout.isL1()) return 0;
  return layout.sharded() ? mulSaturated(shardTiles(layout), tileBytes(dtype)) : interleavedL1Bytes(view, shape, dtype);
}

}  // namespace

EltwisePrograms eltwisePrograms(const OpView& view) {
  EltwisePrograms programs;
  if (!view.hasInput(0) || !view.hasResult()) return programs;
  programs.worksIn = typeWorkedIn(view);
  if (view.is("remainder")) {
    // Quotient, floor, product, difference; then twice: a comparison, a sum or difference, a choice.
    programs = {10, programs.worksIn, 3, true};
  } else if (view.is("atan2")) {
    // Reciprocal, product, arc tangent; six comparisons with zero and five conjunctions of them, all kept; two sums and
    // five choices between them.
    programs = {21, programs.worksIn, 11, true};
  }
  if (!programs.worksIn) return programs;
  programs.kept += 1;  // the result before it is converted
  for (int i = 0; i < view.operandCount(); ++i)
    programs.kernels += view.hasInput(i) && view.input(i).dtype != *programs.worksIn;
  programs.kernels += view.output().dtype != *programs.worksIn;
  return programs;
}

int64_t eltwiseIntermediates(const OpView& view) {
  const EltwisePrograms programs = eltwisePrograms(view);
  if (!view.hasResult() || (!programs.worksIn && programs.kept == 0)) return 0;
  int64_t bytes = 0;
  for (int i = 0; programs.worksIn && i < view.operandCount(); ++i) {
    if (view.hasInput(i) && view.input(i).dtype != *programs.worksIn)
      bytes = addSaturated(bytes, l1BytesIn(view, view.input(i), view.inputShape(i), *programs.worksIn));
  }
  const DType dtype = programs.worksIn.value_or(view.output().dtype);
  return addSaturated(bytes, mulSaturated(programs.kept, l1BytesIn(view, view.output(), view.resultShape(), dtype)));
}

}  // namespace tessera
