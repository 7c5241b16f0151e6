// Convolutions. Sources: tt-metal conv/conv2d; tt-mlir Analysis/OpRules, TTNNOpsAttrs.td.

#include <algorithm>

#include "core/ops/rules/matmul_program.h"
#include "core/ops/rules/window_plan.h"

namespace tessera {

namespace {

// The input comes in rows or tiles. Weights and bias may still be on the host: the library prepares them once.
Refused convLegality(const OpView& view) {
  if (!view.hasInput(0) || !view.hasResult()) return {};
  if (view.input(0).buffer == BufferType::SystemMemory) return {Refusal::InputOnHost, 0};
  const ConvFacts& asked = view.facts.conv;
  if (view.output().page != PageLayout::Tile && !asked.rowMajorResult) return {Refusal::OutputMustBeTile};
  // What the config fixes of the shards holds for the result, too.
  const bool otherShards = asked.shardLayout && *asked.shardLayout != view.output().memory;
  const bool otherGrid = asked.coreGrid && !(*asked.coreGrid == view.output().grid);
  if (view.output().sharded() && (otherShards || otherGrid)) return {Refusal::OutputSharding};
  for (int i = 1; i < view.operandCount(); ++i) {
    if (view.hasInput(i) && view.input(i).sharded()) return {Refusal::InputMustBeInterleaved, i};
  }
  if (asked.slices && !view.input(0).isDram()) return {Refusal::InputMustBeDramInterleaved, 0};
  if (asked.slices && !view.output().isDram()) return {Refusal::OutputMustBeDramInterleaved};
  bool bothSharded = view.input(0).sharded() && view.output().sharded();
  if (bothSharded && view.input(0).memory != view.output().memory) return {Refusal::ShardingMismatch, 0};
  return {};
}

// Activations of one block, as read (two readers share the work where there are two rows; the second writes into the
// first's buffer) and as tiles; the weights of all steps through the kernel; a scratch line. The result's shard takes
// the sums.
void planBuffers(const OpView& view, const WindowPlan& plan, BufferList& buffers) {
  // Sizes in tiles from a file are cut far beyond any L1, so that products of three stay within 63 bits.
  auto cut = [](int64_t tiles) { return std::min<int64_t>(tiles, 1 << 16); };
  constexpr int64_t kScratch = 64;
  const Window2d& w = plan.window;
  DType out = view.output().dtype, in = isBlockFloat(view.input(0).dtype) ? DType::BF16 : view.input(0).dtype;
  bool height = plan.scheme == TensorMemoryLayout::HeightSharded,
       width = plan.scheme == TensorMemoryLayout::WidthSharded;
  int64_t steps = width ? 1 : cut(w.kernelH);  // one row of the kernel at a time; width sharded: all of it
  int64_t kernel = cut(w.kernelW) * (width ? cut(w.kernelH) : 1), outCols = cut(plan.outCols);
  int64_t blockCols = cut(ceilDiv(std::min(plan.inChannels, int64_t{1} << 30) * kernel, kTileSide));
  const ConvFacts& asked = view.facts.conv;
  if (width) blockCols = ceilDiv(blockCols, asked.actBlockWDiv);
  const int64_t activationBlocks = asked.doubleActivations ? 2 : 1, weightBlocks = asked.doubleWeights ? 2 : 1;
  // Prepared weights keep their element type (tt-metal conv/conv2d: 229,440 bytes for the f32 stem of ResNet).
  DType weight = asked.weights.value_or(view.input(1).dtype);
  int bias = operandOf(view, "bias");
  auto list = [&](int64_t rows, int64_t held) {
    bool twoReaders = rows > 1 && tileBytes(in) == 2048 && !width;
    BufferList made;
    made.tiles("weights", outCols * blockCols * held * weightBlocks, weight);
    if (view.hasInput(bias)) made.tiles("bias", outCols, out);
    made.tiles("activations", (twoReaders ? ceilDiv(rows, 2) : rows) * blockCols * activationBlocks, in);
    made.tiles("tilized activations", rows * blockCols, height ? in : out);
    if (!height) made.tiles("row-major activations", rows * blockCols, in);  // before they are sent to the other cores
    made.pages("scratch", 1, kScratch, DType::BF16);
    if (sumsInFp32(view) && out != DType::F32)
      made.tiles("partials", cut(plan.outRows) * outCols, DType::F32);  // in no format of the result's
    if (shardedInL1(view.output())) made.inResult("out", shardTiles(view.output()), view);
    return made;
  };
  buffers = list(cut(activationBlockRows(view, plan.outRows)), height ? steps : 1);
  // What does not fit is cut: one row of tiles, and the weights of one step, at a time.
  if (buffers.ownBytes() > view.device.usableL1().count) buffers = list(1, 1);
}

// Over all cores: height sharded, unless block or width sharding takes less L1 in all (tt-metal conv/conv2d).
std::optional<WindowPlan> planOverAll(const OpView& view, const Window2d& window) {
  std::optional<WindowPlan> best;
  int64_t least = 0;
  for (TensorMemoryLayout scheme :
       {TensorMemoryLayout::HeightSharded, TensorMemoryLayout::BlockSharded, TensorMemoryLayout::WidthSharded}) {
    if (view.facts.conv.shardLayout && scheme != *view.facts.conv.shardLayout) continue;
    WindowPlan plan = windowPlan(view, window, scheme, nullptr);
    BufferList buffers;
    planBuffers(view, plan, buffers);
    int64_t total = buffers.ownBytes() + plan.haloBytes + plan.outRows * plan.outCols * view.outputTile();
    bool fewCores = scheme == TensorMemoryLayout::BlockSharded && plan.cores < view.device.grid.cols;
    if (best && (total >= least || fewCores)) continue;
    best = plan;
    least = total;
  }
  return best;
}

// The window of so many output rows or columns; an edge's padding counts for all.
Window2d sliceOf(Window2d window, bool ofRows, int64_t outputs) {
  int64_t &in = ofRows ? window.inH : window.inW, &out = ofRows ? window.outH : window.outW;
  const int64_t stride = std::max<int64_t>(ofRows ? window.strideH : window.strideW, 1),
                kernel = ofRows ? window.kernelH : window.kernelW,
                dilation = ofRows ? window.dilationH : window.dilationW;
  out = outputs;
  const int64_t covered =
      window.transposed ? ceilDiv(outputs + kernel - 1, stride) : (outputs - 1) * stride + dilation * (kernel - 1) + 1;
  in = std::min(in, covered);
  return window;
}

// In as many slices as the op asks for; when it names no number, in as few as fit 95 % of L1, the part that the
// compiler's plans fill by default (tt-mlir, tensor-l1-usage-cap since 2025-10).
std::optional<WindowPlan> slicedPlan(const OpView& view, const Window2d& window, ConvSlices slices) {
  const int64_t extent = std::max<int64_t>(slices.ofRows ? window.outH : window.outW, 1);
  auto planOf = [&](int64_t count) {
    std::optional<WindowPlan> plan = planOverAll(view, sliceOf(window, slices.ofRows, ceilDiv(extent, count)));
    if (plan) plan->slices = count;
    return plan;
  };
  auto fits = [&](const std::optional<WindowPlan>& plan) {
    if (!plan) return true;
    BufferList buffers;
    planBuffers(view, *plan, buffers);
    return buffers.ownBytes() + windowIntermediates(view, plan) <= view.device.usableL1().count / 20 * 19;
  };
  if (slices.count > 0) return planOf(std::min(slices.count, extent));
  // Not monotone: another number of slices may be sharded in another way. Beyond 128 by eighths, so that the search is
  // short for any image.
  int64_t count = 1;
  while (count < extent && !fits(planOf(count))) count = std::min(extent, count + (count < 128 ? 1 : count / 8));
  return planOf(count);
}

}  // namespace

std::optional<WindowPlan> convPlan(const OpView& view) {
  if (!view.hasInput(0) || !view.hasInput(1) || !view.hasResult()) return {};
  const std::optional<Window2d>& window = view.facts.window;
  if (!window) return {};
  if (const TensorLayout* sharded = shardedEnd(view)) return windowPlan(view, *window, sharded->memory, sharded);
  const std::optional<ConvSlices>& slices = view.facts.conv.slices;
  return slices ? slicedPlan(view, *window, *slices) : planOverAll(view, *window);
}

namespace {

void convBuffers(const OpView& view, BufferList& buffers) {
  if (!view.hasInput(0) || !view.hasInput(1) || !view.hasResult()) return;
  if (std::optional<WindowPlan> plan = convPlan(view)) return planBuffers(view, *plan, buffers);
  // 1-D and 3-D: blocks of one row of tiles.
  int64_t depth = std::min<int64_t>(ceilDiv(weightMatrix(view).depth, kTileSide), 64);
  buffers.tiles("weights", depth, view.output().dtype);
  buffers.tiles("activations", depth, view.input(0).dtype);
  buffers.tiles("tilized activations", depth, view.output().dtype);
  buffers.tiles("out", 1, view.output().dtype);
}

OpRule convRule(const OpView& view) {
  std::optional<WindowPlan> plan = convPlan(view);
  if (!plan) return {"Convolution: blocks of one row of tiles", "tt-metal conv/conv2d"};
  switch (plan->scheme) {
    case TensorMemoryLayout::BlockSharded: return {"Convolution: block sharded", "tt-metal conv/conv2d"};
    case TensorMemoryLayout::WidthSharded: return {"Convolution: width sharded", "tt-metal conv/conv2d"};
    default: return {"Convolution: height sharded", "tt-metal conv/conv2d"};
  }
}

int64_t convIntermediates(const OpView& view) { return windowIntermediates(view, convPlan(view)); }

}  // namespace

const FamilyRules kConvRules = {
    {"Convolution", "tt-metal conv/conv2d"}, convLegality, convBuffers, convIntermediates, nullptr, convRule};

}  // namespace tessera
