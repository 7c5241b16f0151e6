#include "core/ops/rules/window_plan.h"

#include <algorithm>

namespace tessera {

namespace {

struct Cut {
  int64_t rowParts = 1, channelParts = 1;
};

// Over the cores of a sharded input or result, else over all of them.
Cut cutOver(TensorMemoryLayout scheme, const TensorLayout* sharded, GridShape grid) {
  int64_t all = grid.volume();
  if (scheme == TensorMemoryLayout::HeightSharded) return {sharded ? sharded->grid.volume() : all, 1};
  if (scheme == TensorMemoryLayout::WidthSharded) return {1, sharded ? sharded->grid.volume() : all};
  GridShape shape = sharded ? sharded->grid : grid;
  return {shape.rows, shape.cols};
}

// Far beyond any L1, so that products of sizes from a file stay within 63 bits.
constexpr int64_t kManyPositions = int64_t{1} << 28;

// Positions of the padded input that `count` consecutive outputs of one core cover, at most.
int64_t haloPositions(const Window2d& w, int64_t count) {
  auto times = [](int64_t a, int64_t b) {
    return a > kManyPositions / std::max<int64_t>(b, 1) ? kManyPositions : a * b;
  };
  int64_t rows = ceilDiv(count, std::max<int64_t>(w.outW, 1));
  if (w.transposed) {  // the input is spread out and padded to the size of the output
    return times(rows + w.kernelH - 1, w.outW + w.kernelW - 1);
  }
  int64_t lastCol = count >= w.outW ? w.outW - 1 : count - 1;
  int64_t lastRow = times(rows - 1, w.strideH) + w.dilationH * (w.kernelH - 1);
  int64_t before = times(lastRow, w.inW + w.padLeft + w.padRight);
  return std::min(before + times(lastCol, w.strideW) + w.dilationW * (w.kernelW - 1) + 1, kManyPositions);
}

struct CoveredSpan {
  int64_t from = 0, to = 0;  // positions of the input, without padding; `to` is behind the last
};

// What the windows of the outputs from `first` up to `last` reach over, in the order of the input.
CoveredSpan coveredBy(const Window2d& w, int64_t first, int64_t last) {
  const int64_t image = w.outH * w.outW;
  auto at = [&](int64_t output, int64_t row, int64_t col) {  // of the window; rows beyond the image are its ends
    const int64_t y = output % image / w.outW * w.strideH - w.padTop + row * w.dilationH;
    const int64_t x = output % w.outW * w.strideW - w.padLeft + col * w.dilationW;
    const int64_t batch = output / image * w.inH;
    if (y < 0) return batch * w.inW;
    if (y >= w.inH) return (batch + w.inH) * w.inW - 1;
    return (batch + y) * w.inW + std::clamp<int64_t>(x, 0, w.inW - 1);
  };
  return {at(first, 0, 0), at(last, w.kernelH - 1, w.kernelW - 1) + 1};
}

}  // namespace

HaloRows haloRows(const Window2d& w, int64_t cores, int64_t inRows, int64_t outRows) {
  const int64_t outputs = w.batch * w.outH * w.outW, inputs = w.batch * w.inH * w.inW;
  HaloRows rows;
  std::vector<int64_t> sent(static_cast<size_t>(ceilDiv(inputs, inRows)));
  for (int64_t core = 0; core < cores && core * outRows < outputs; ++core) {
    const CoveredSpan span = coveredBy(w, core * outRows, std::min((core + 1) * outRows, outputs) - 1);
    rows.covered = std::max(rows.covered, span.to - span.from);
    for (int64_t owner = span.from / inRows; owner * inRows < span.to; ++owner) {
      if (owner == core) continue;
      int64_t& most = sent[static_cast<size_t>(owner)];
      most += std::min(span.to, (owner + 1) * inRows) - std::max(span.from, owner * inRows);
      rows.sent = std::max(rows.sent, most);
    }
  }
  return rows;
}

const TensorLayout* shardedEnd(const OpView& view) {
  if (view.hasInput(0) && shardedInL1(view.input(0))) return &view.input(0);
  return view.hasResult() && shardedInL1(view.output()) ? &view.output() : nullptr;
}

WindowPlan windowPlan(const OpView& view, const Window2d& window, TensorMemoryLayout scheme,
                      const TensorLayout* sharded) {
  // Sticks are padded to 8 channels where a core has them all, else to a tile.
  int64_t alignment = scheme == TensorMemoryLayout::HeightSharded ? 8 : kTileSide;
  WindowPlan plan;
  plan.window = window;
  plan.scheme = scheme;
  Cut cut = cutOver(scheme, sharded, view.device.grid);
  int64_t positions = std::max<int64_t>(window.batch * window.outH * window.outW, 1);
  int64_t rows = ceilDiv(positions, kTileSide), cols = ceilDiv(std::max<int64_t>(window.outC, 1), kTileSide);
  plan.outRows = ceilDiv(rows, cut.rowParts);
  plan.outCols = ceilDiv(cols, cut.channelParts);
  plan.cores = ceilDiv(rows, plan.outRows) * ceilDiv(cols, plan.outCols);
  plan.inChannels = alignUp(ceilDiv(std::max<int64_t>(window.inC, 1), cut.channelParts), alignment);
  plan.scalar = isBlockFloat(view.input(0).dtype) ? 2 : std::max<int64_t>(scalarBytes(view.input(0).dtype), 1);
  int64_t covered = haloPositions(window, std::min(plan.outRows * kTileSide, positions));
  plan.haloBytes = alignUp(covered * plan.inChannels * plan.scalar, view.device.dramAlignment);
  return plan;
}

int64_t windowIntermediates(const OpView& view, const std::optional<WindowPlan>& plan) {
  if (!view.hasInput(0) || !view.hasResult()) return 0;
  auto results = static_cast<int64_t>(view.op.results.size());
  int64_t asked = mulSaturated(results, l1BytesPerCore(view.output()).count);
  int64_t copy = interleavedL1Bytes(view, view.inputShape(0), view.input(0).dtype), halo = copy;
  int64_t made = mulSaturated(results, interleavedL1Bytes(view, view.resultShape(), view.output().dtype));
  if (plan) {
    const Window2d& w = plan->window;
    int64_t parts = plan->scheme == TensorMemoryLayout::WidthSharded ? 1 : std::max<int64_t>(plan->cores, 1);
    copy = ceilDiv(w.batch * w.inH * w.inW, parts) * plan->inChannels * plan->scalar;
    halo = plan->haloBytes;
    made = results * plan->outRows * plan->outCols * view.outputTile();
  }
  if (shardedInL1(view.input(0))) copy = 0;
  if (shardedInL1(view.output())) made = asked;
  int64_t moved = shardedInL1(view.output()) ? asked : made + asked;
  return std::max({copy + halo, halo + made, moved}) - asked;
}

WeightMatrix weightMatrix(const OpView& view) {
  if (!view.hasInput(1)) return {};
  const Shape& weight = view.inputShape(1);
  auto dim = [&](size_t i) { return std::max<int64_t>(weight[i], 1); };
  const std::vector<int64_t>* kernel = attrInts(view, "kernel_size");
  bool unit = weight.size() == 4 && weight[0] == 1 && weight[1] == 1;
  bool prepared = unit && kernel && kernel->size() == 2 && ((*kernel)[0] != weight[2] || (*kernel)[1] != weight[3]);
  if (prepared) return {dim(2), dim(3)};
  WeightMatrix matrix;
  if (view.info.kind == OpKind::TtnnConvTranspose2d && weight.size() == 4) {  // inputs first
    matrix.channels = dim(1);
    matrix.depth = mulSaturated(dim(0), mulSaturated(dim(2), dim(3)));
    return matrix;
  }
  if (!weight.empty()) matrix.channels = dim(0);
  for (size_t i = 1; i < weight.size(); ++i) matrix.depth *= dim(i);
  return matrix;
}

}  // namespace tessera
