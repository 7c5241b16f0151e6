// Reductions, softmax, sorting. Sources: tt-metal reduction, normalization/softmax; tt-mlir TestOpModelLib.cpp of
// 2025-11.

#include <algorithm>

#include "core/ops/rules/family_rules.h"

namespace tessera {

namespace {

bool isArgReduction(const OpView& view) { return view.is("argmax") || view.is("argmin"); }

// A reduced dim that the operand does not have.
bool hasBadDim(const OpView& view) {
  const std::vector<int64_t>* dims = attrInts(view, "dim_arg");
  if (!dims || !view.hasInput(0)) return false;
  auto rank = static_cast<int64_t>(view.inputShape(0).size());
  for (int64_t dim : *dims) {
    if (dim >= rank || dim < -rank) return true;
  }
  return false;
}

// The library's argmax reads rows; tiles are taken apart before it.
Refused reductionLegality(const OpView& view) {
  if (isArgReduction(view)) return interleavedOnly(view);
  if (Refused refused = interleavedTiles(view)) return refused;
  return hasBadDim(view) ? Refused{Refusal::ShapeMismatch, 0} : Refused{};
}

// argmax: one row of the operand and one of the result's indices.
void argBuffers(const OpView& view, BufferList& buffers) {
  constexpr int64_t kIndexBytes = 4;
  if (!view.hasResult()) return;
  int64_t row = dimFromEnd(view.inputShape(0), 0) * std::max<int64_t>(scalarBytes(view.input(0).dtype), 1);
  const AttrValue* dim = findAttr(view.op, "dim");
  const Shape& in = view.inputShape(0);
  bool lastDim = dim && (dim->integer == -1 || dim->integer + 1 == static_cast<int64_t>(in.size()));
  // Without its last dim the result is as long as the one before it.
  int64_t indices = !dim ? 1 : dimFromEnd(in, lastDim ? 1 : 0);
  buffers.pages("in0", 1, row, view.input(0).dtype);
  buffers.pages("out", 1, indices * kIndexBytes, DType::U32);
}

// Operand, scaler and result, two tiles each. A running sum keeps four tiles of operand, start, sum and result.
void reductionBuffers(const OpView& view, BufferList& buffers) {
  if (!view.hasInput(0)) return;
  if (isArgReduction(view)) return argBuffers(view, buffers);
  DType dtype = view.input(0).dtype;
  if (view.info.has(kScan)) {
    for (std::string_view name : {"in0", "start", "sum", "out"}) buffers.tiles(name, 4, dtype);
    return;
  }
  buffers.tiles("in0", 2, dtype);
  buffers.tiles("scaler", view.device.library >= LibraryRelease::R2026_04 ? 1 : 2,
                dtype);  // tt-mlir TestOpModelLib.cpp of 2025-11: six tiles in 2025-11, five in 2026-04
  buffers.tiles("out", 2, dtype);
}

OpRule reductionRule(const OpView& view) {
  if (isArgReduction(view)) return {"Index of the extremum", "tt-metal reduction"};
  return {view.info.has(kScan) ? "Running reduction" : "Reduction", "tt-metal reduction"};
}

// --- softmax ---------------------------------------------------------------------------------------------------------

// Whole rows of tiles, interleaved or in shards, whichever way on either side: cores take rows page by page, and only
// the kernel that works within shards, which runs when its program config asks for it, wants both alike (tt-metal
// normalization/softmax/device/softmax_device_operation.cpp, validation). Shards that cut rows are not taken.
Refused softmaxLegality(const OpView& view) {
  if (Refused refused = requireTiles(view)) return refused;
  if (!view.hasInput(0) || !view.hasResult()) return {};
  const auto wholeRows = [](const TensorLayout& layout) {
    return !layout.sharded() || (layout.isL1() && layout.memory == TensorMemoryLayout::HeightSharded);
  };
  if (!wholeRows(view.input(0))) return {Refusal::InputMustBeInterleaved, 0};
  return wholeRows(view.output()) ? Refused{} : Refused{Refusal::OutputMustBeInterleaved};
}

// Along the last dim: blocks in and out, a row of exponentials, three constants. Keeping numbers stable takes the whole
// row in and its maximum; a sharded operand, four tiles more (published row of 32768x32 over 64 cores).
void softmaxBuffers(const OpView& view, BufferList& buffers) {
  if (!view.hasInput(0)) return;
  int64_t row = tileCols(view.inputShape(0));
  constexpr int64_t kLongestRow = 128;  // longer rows are streamed with buffers of fixed length
  row = std::min(row, kLongestRow);
  int64_t block = largestDivisorUpTo(row, sumsInFp32(view) ? 4 : 8);
  DType dtype = view.input(0).dtype;
  buffers.tiles("in0", 2 * block, dtype);
  for (std::string_view name : {"max scaler", "sum scaler", "1 / sum"}) buffers.tiles(name, 1, dtype);
  if (view.input(0).sharded()) buffers.tiles("intermed0", 4, dtype);
  buffers.tiles("exponentials", row, dtype);
  buffers.tiles("out", 2 * block, dtype);
}

// --- sort, topk ------------------------------------------------------------------------------------------------------

// Values and indices, in and out, before and after the transposition within tiles; a table of cores.
void sortBuffers(const OpView& view, BufferList& buffers) {
  if (!view.hasInput(0)) return;
  constexpr int64_t kCoreTable = 1024;
  constexpr int64_t kLongestRow = 64;  // longer rows are sorted by several cores
  int64_t row = std::min(tileCols(view.inputShape(0)), kLongestRow);
  DType dtype = view.input(0).dtype;
  for (std::string_view name : {"in0", "indices in", "transposed values", "transposed indices", "out", "indices out"})
    buffers.tiles(name, 2, dtype);
  buffers.tiles("row of values", row, dtype);
  buffers.tiles("row of indices", row, dtype);
  buffers.pages("cores", 1, kCoreTable, DType::U32);
}

// Along another dim than the last, the operand is transposed where it lies, and the results are transposed back there:
// asked for L1, those of an operand in DRAM are in L1 only in between.
bool sortsBackToDram(const OpView& view) {
  if (!view.hasInput(0) || !view.hasResult() || !view.input(0).isDram() || !view.output().isL1()) return false;
  int64_t dim = attrInteger(view, "dim", -1);
  return dim != -1 && dim + 1 != static_cast<int64_t>(view.inputShape(0).size());
}

TensorLayout sortProduces(const OpView& view) {
  return sortsBackToDram(view) ? interleavedResult(view, BufferType::DRAM) : view.output();
}

int64_t sortIntermediates(const OpView& view) {
  return sortsBackToDram(view) ? static_cast<int64_t>(view.op.results.size()) * l1BytesPerCore(view.output()).count : 0;
}

}  // namespace

const FamilyRules kReductionRules = {
    {"Reduction", "tt-metal reduction"}, reductionLegality, reductionBuffers, nullptr, nullptr, reductionRule};
const FamilyRules kSoftmaxRules = {{"Softmax", "tt-metal normalization/softmax"}, softmaxLegality, softmaxBuffers};
const FamilyRules kSortRules = {{"Sorting", "tt-mlir TestOpModelLib.cpp of 2025-11"},
                                interleavedTiles,
                                sortBuffers,
                                sortIntermediates,
                                sortProduces};

}  // namespace tessera
