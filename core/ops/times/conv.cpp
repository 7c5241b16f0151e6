// Convolutions and pooling: the halo is gathered, then the windows are worked on. Sources: tt-metal
// sliding_window/halo, conv/conv2d, pool.

#include "core/ops/times/time_model.h"

#include <algorithm>
#include <string>

#include "core/ops/rules/window_plan.h"
#include "core/ops/rules/window_programs.h"

namespace tessera {

namespace {

// Sizes in tiles or positions from a file are cut far beyond any device, so that products stay finite.
int64_t cut(int64_t value) { return std::clamp<int64_t>(value, 1, int64_t{1} << 28); }

// Prepared weights are a matrix of depth x channels, in tiles; a prepared bias is one row of tiles. What still waits on
// the host will be prepared before the program runs.
int64_t convReadBytes(const OpView& view, int operand) {
  const bool bias = operand == 2 && view.hasInput(2) && view.input(2).buffer == BufferType::SystemMemory;
  if (operand != 1 && !bias) return readWhole(view, operand);
  WeightMatrix weight = weightMatrix(view);
  if (bias) return mulSaturated(ceilDiv(weight.channels, kTileSide), view.inputTile(2));
  return mulSaturated(mulSaturated(ceilDiv(weight.depth, kTileSide), ceilDiv(weight.channels, kTileSide)),
                      view.inputTile(1));
}

// Every slice reads all weights, and the lines of the input that its windows share with the slice before.
int64_t slicedReadBytes(const OpView& view, int operand) {
  const int64_t whole = convReadBytes(view, operand);
  if (!view.facts.conv.slices) return whole;
  const std::optional<WindowPlan> plan = convPlan(view);
  if (!plan || plan->slices <= 1) return whole;
  if (operand > 0) return mulSaturated(whole, plan->slices);
  const Window2d &slice = plan->window, &image = *view.facts.window;
  const double part =
      static_cast<double>(slice.inH * slice.inW) / static_cast<double>(std::max<int64_t>(image.inH * image.inW, 1));
  return static_cast<int64_t>(static_cast<double>(whole) * std::max(part * static_cast<double>(plan->slices), 1.0));
}

// A slice is copied to L1, computed and copied back: three programs.
double convStart(const OpView& view) {
  const double start = kernelStart(view);
  if (!view.facts.conv.slices) return start;
  const std::optional<WindowPlan> plan = convPlan(view);
  return plan && plan->slices > 1 ? 3 * static_cast<double>(plan->slices) * start : start;
}

// A window of one position that does not move beyond its own core: nothing is gathered.
bool needsHalo(const Window2d& w) {
  return w.kernelH * w.kernelW > 1 || w.strideH > 1 || w.strideW > 1 ||
         w.padTop + w.padBottom + w.padLeft + w.padRight > 0 || w.transposed;
}

double gatherCycles(const OpView& view, const WindowPlan& plan) {
  if (!needsHalo(plan.window)) return 0;
  HaloProgram halo;
  const Window2d& w = plan.window;
  bool width = plan.scheme == TensorMemoryLayout::WidthSharded;
  int64_t parts = width ? 1 : cut(ceilDiv(ceilDiv(w.batch * w.outH * w.outW, kTileSide), cut(plan.outRows)));
  halo.blackhole = view.device.arch == Arch::Blackhole;
  halo.rowBytes = plan.inChannels * plan.scalar;
  halo.rowsOut = plan.haloBytes / std::max<int64_t>(halo.rowBytes, 1);
  halo.tileCols = ceilDiv(plan.inChannels, kTileSide);
  const bool tiles = view.input(0).page == PageLayout::Tile;
  const int64_t inputs = w.batch * w.inH * w.inW;
  int64_t shard = width ? inputs : alignUp(ceilDiv(inputs, parts), kTileSide);  // as the library cuts what is not cut
  if (!width && shardedInL1(view.input(0))) shard = cut(view.input(0).shardRows * (tiles ? kTileSide : 1));
  halo.cores = ceilDiv(inputs, shard);
  const HaloRows rows = w.transposed ? HaloRows{halo.rowsOut, std::max<int64_t>(halo.rowsOut - shard, 0)}
                                     : haloRows(w, parts, shard, cut(plan.outRows) * kTileSide);
  halo.rowsMoved = rows.sent + std::max<int64_t>(halo.rowsOut - rows.covered, 0);
  if (tiles) halo.tiles = mulSaturated(ceilDiv(shard, kTileSide), halo.tileCols);
  return haloCycles(halo);
}

// Without a config the library computes convolutions at the highest fidelity.
int64_t convPasses(const OpView& view) {
  return static_cast<int64_t>(computeConfig(view).fidelity.value_or(MathFidelity::HiFi4));
}

double convCycles(const OpView& view) {
  if (!view.hasInput(0) || !view.hasInput(1) || !view.hasResult()) return 0;
  ConvProgram program;
  program.blackhole = view.device.arch == Arch::Blackhole;
  program.depth = cut(ceilDiv(weightMatrix(view).depth, kTileSide));
  program.passes = convPasses(view);
  program.activationTile =
      static_cast<double>(isBlockFloat(view.input(0).dtype) ? view.outputTile() : view.inputTile(0));
  program.weightTile = static_cast<double>(tileBytes(view.facts.conv.weights.value_or(view.input(1).dtype)));
  std::optional<WindowPlan> plan = convPlan(view);
  if (!plan) {  // 1-D and 3-D: rows of tiles over all cores
    program.rows = program.blockRows =
        cut(ceilDiv(tileRows(view.resultShape()), std::max<int64_t>(computeCores(view), 1)));
    program.cols = cut(tileCols(view.resultShape()));
    program.blockDepth = program.depth;
    return convProgramCycles(program);
  }
  program.rows = cut(plan->outRows);
  program.cols = cut(plan->outCols);
  program.blockRows = activationBlockRows(view, program.rows);
  program.windowRows = std::clamp<int64_t>(plan->window.kernelH, 1, 1024);
  // Lines of a kernel's row are made into tiles of their own; channels that come in tiles fill whole ones. Weights of
  // groups are spread over all channels.
  int64_t channels =
      std::min(view.input(0).page == PageLayout::Tile ? alignUp(plan->inChannels, kTileSide) : plan->inChannels,
               int64_t{1} << 20);
  program.blockDepth = cut(ceilDiv(channels * std::clamp<int64_t>(plan->window.kernelW, 1, 1024), kTileSide));
  int64_t senders = ceilDiv(std::max<int64_t>(plan->window.inC, 1), std::max<int64_t>(plan->inChannels, 1));
  program.depth = cut(mulSaturated(mulSaturated(program.blockDepth, program.windowRows), senders));
  program.bias = operandOf(view, "bias") >= 0;
  const AttrValue* config = findAttr(view.op, "conv2d_config");
  program.reusesLines = config && config->text.find("enable_activation_reuse = true") != std::string::npos;
  program.shared = plan->scheme != TensorMemoryLayout::HeightSharded;
  program.ownWeights = plan->scheme == TensorMemoryLayout::WidthSharded;
  if (program.ownWeights)
    program.blockDepth = cut(mulSaturated(program.blockDepth, program.windowRows));  // the whole kernel at once
  return static_cast<double>(plan->slices) * (gatherCycles(view, *plan) + convProgramCycles(program));
}

double poolCycles(const OpView& view) {
  if (!view.hasResult() || !view.hasInput(0)) return 0;
  const std::optional<Window2d>& window = view.facts.window;
  if (!window) {  // global: every position of the input is read once
    constexpr int64_t kPerTile = 32 * 37;
    return static_cast<double>(tilesTimesCycles(view, tileCount(view.inputShape(0)), kPerTile));
  }
  const TensorLayout* sharded = shardedEnd(view);
  WindowPlan plan = windowPlan(view, *window, sharded ? sharded->memory : TensorMemoryLayout::HeightSharded, sharded);
  int64_t positions = std::max<int64_t>(window->batch * window->outH * window->outW, 1);
  int64_t outputs = std::min(mulSaturated(plan.outRows, kTileSide), positions);
  int64_t area = std::clamp<int64_t>(window->kernelH, 1, 1024) * std::clamp<int64_t>(window->kernelW, 1, 1024);
  return gatherCycles(view, plan) +
         poolProgramCycles(outputs, area, static_cast<double>(plan.inChannels * plan.scalar));
}

}  // namespace

const FamilyTime kConvTime = {convCycles, slicedReadBytes, convStart};
const FamilyTime kPoolTime = {poolCycles, readWhole, kernelStart};

}  // namespace tessera
