// Pooling and upsampling. Sources: tt-metal pool.

#include <algorithm>

#include "core/ops/rules/window_plan.h"

namespace tessera {

namespace {

// A window covers at most half of itself with padding, and cores that share the channels have as many of them each
// (tt-metal pool/pool_utils.cpp, pool/generic/device/pool_op.cpp, validation).
Refused windowLegality(const OpView& view, const Window2d& w) {
  if (2 * std::max(w.padTop, w.padBottom) > w.kernelH || 2 * std::max(w.padLeft, w.padRight) > w.kernelW)
    return {Refusal::ShapeMismatch};
  const TensorLayout& in = view.input(0);
  bool byChannels = shardedInL1(in) && in.memory != TensorMemoryLayout::HeightSharded && in.grid.cols > 0;
  return byChannels && w.inC % in.grid.cols != 0 ? Refused{Refusal::InputSharding, 0} : Refused{};
}

// Sharded in and out alike, or not; rows or tiles (the library takes tiles apart first).
Refused poolLegality(const OpView& view) {
  if (!view.hasInput(0) || !view.hasResult()) return {};
  for (int i = 0; i < view.operandCount(); ++i) {
    if (view.hasInput(i) && view.input(i).buffer == BufferType::SystemMemory) return {Refusal::InputOnHost, i};
  }
  if (view.facts.window) {
    if (Refused refused = windowLegality(view, *view.facts.window)) return refused;
  }
  bool indices = view.op.results.size() > 1 || view.is("max_pool2d_with_indices");
  if (indices && view.output().sharded() && !view.input(0).sharded()) return {Refusal::OutputMustBeInterleaved};
  bool alike = view.input(0).memory == view.output().memory;
  return view.input(0).sharded() && view.output().sharded() && !alike ? Refused{Refusal::ShardingMismatch, 0}
                                                                      : Refused{};
}

bool isGlobal(const OpView& view) { return view.base.substr(0, 6) == "global"; }

int64_t kernelArea(const OpView& view) {
  const std::optional<Window2d>& window = view.facts.window;
  if (!window) return 1;
  return std::clamp<int64_t>(window->kernelH, 1, 1024) * std::clamp<int64_t>(window->kernelW, 1, 1024);
}

std::optional<WindowPlan> poolPlan(const OpView& view) {
  const std::optional<Window2d>& window = view.facts.window;
  if (!window || !view.hasInput(0) || !view.hasResult()) return {};
  const TensorLayout* sharded = shardedEnd(view);
  return windowPlan(view, *window, sharded ? sharded->memory : TensorMemoryLayout::HeightSharded, sharded);
}

// Scalars, a clear value, and two readers with two windows each, in sticks of at most as many tiles as a reduction
// takes at once.
void poolBuffers(const OpView& view, BufferList& buffers) {
  if (!view.hasInput(0) || !view.hasResult()) return;
  constexpr DType kWorksIn = DType::BF16;
  if (isGlobal(view)) {  // a reduction (rules_reduce.cpp)
    for (std::string_view name : {"in0", "scaler", "out"}) buffers.tiles(name, 2, view.input(0).dtype);
    return;
  }
  bool indices = view.is("max_pool2d_with_indices"), average = view.is("avg_pool2d");
  int64_t area = kernelArea(view);
  bool large = area > 32;
  int64_t most = indices ? 1 : average && large ? 4 : 8;
  std::optional<WindowPlan> plan = poolPlan(view);
  int64_t cols = plan ? ceilDiv(plan->inChannels, kTileSide) : tileCols(view.resultShape());
  int64_t rows = area <= 16 ? area : kTileSide;
  int64_t page = 2 * alignUp(std::min(cols, most) * kTileSide * rows, 1024);
  buffers.tiles("scalar", average ? 4 : 2, kWorksIn);
  buffers.tiles("clear value", 1, kWorksIn);
  buffers.pages("window reader 0", 2, page, kWorksIn);
  buffers.pages("window reader 1", 2, page, kWorksIn);
  if (indices) buffers.tiles("indices", 8, DType::U16);
  if (view.output().page == PageLayout::Tile) buffers.pages("pre-tilize", kTileSide * cols, 64, kWorksIn);
}

// A global pool is a reduction and needs no windows.
int64_t poolIntermediates(const OpView& view) { return isGlobal(view) ? 0 : windowIntermediates(view, poolPlan(view)); }

// Rows; interleaved, or from shards of whole positions into such of the result.
Refused upsampleLegality(const OpView& view) {
  if (view.hasInput(0) && view.input(0).page == PageLayout::Tile && view.input(0).buffer != BufferType::SystemMemory)
    return {Refusal::InputMustBeRows, 0};
  if (!view.hasInput(0) || !view.hasResult() || !shardedInL1(view.input(0))) return interleavedOnly(view);
  const TensorLayout &in = view.input(0), &out = view.output();
  if (in.memory == TensorMemoryLayout::WidthSharded) return {Refusal::InputMustBeInterleaved, 0};
  bool alike = shardedInL1(out) && out.memory == in.memory && out.grid == in.grid && out.page == in.page;
  return alike ? Refused{} : Refused{Refusal::ShardingMismatch, 0};
}

// Rows of the result are rows.
TensorLayout upsampleProduces(const OpView& view) {
  TensorLayout produced = view.output();
  if (!view.hasResult() || produced.page != PageLayout::Tile) return produced;
  const LayoutRequest rows{produced.dtype, produced.buffer, produced.memory, PageLayout::RowMajor, produced.grid};
  const auto made = makeLayout(view.resultShape(), rows, view.device);
  return made.ok() ? *made : produced;
}

// Rows of one position in, as many times over out: two rows.
void upsampleBuffers(const OpView& view, BufferList& buffers) {
  if (!view.hasInput(0) || !view.hasResult() || shardedInL1(view.input(0))) return;  // shards are their own buffers
  const Shape& in = view.inputShape(0);
  DType dtype = view.input(0).dtype;
  int64_t row = dimFromEnd(in, 0) * std::max<int64_t>(scalarBytes(dtype), 1);
  buffers.pages("rows", 2, alignUp(row, view.device.dramAlignment), dtype);
}

}  // namespace

const FamilyRules kPoolRules = {{"Pooling", "tt-metal pool"}, poolLegality, poolBuffers, poolIntermediates};
const FamilyRules kUpsampleRules = {
    {"Upsampling", "tt-metal pool"}, upsampleLegality, upsampleBuffers, nullptr, upsampleProduces};

}  // namespace tessera
