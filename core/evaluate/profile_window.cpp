#include "core/evaluate/profile_window.h"

#include <algorithm>
#include <cmath>

#include "core/ir/tensor_layout.h"
#include "core/ops/rules/window_plan.h"
#include "core/ops/rules/window_programs.h"
#include "core/profile/profile_text.h"
#include "core/support/units.h"

namespace tessera {

namespace {

// Rows (all dims but the last) and columns of "1x1x1920x256".
struct Matrix {
  int64_t rows = 0, cols = 0;
};
std::optional<Matrix> matrixOf(std::string_view text) {
  std::vector<int64_t> dims = numbersAfter(text, "");
  if (dims.size() < 2) return {};
  Matrix m{1, dims.back()};
  for (size_t i = 0; i + 1 < dims.size(); ++i) m.rows = mulSaturated(m.rows, dims[i]);
  if (m.rows < 1 || m.cols < 1 || m.rows > (int64_t{1} << 40)) return {};
  return m;
}

int64_t bytesOf(std::string_view layoutAndType) {
  return contains(layoutAndType, "FLOAT32") || contains(layoutAndType, "INT32") ? 4 : 2;
}

int64_t nanoseconds(double cycles, const DeviceSpec& device) {
  return static_cast<int64_t>(std::ceil(std::min(cycles, 1e15) * 1000 / static_cast<double>(device.clockMhz)));
}

// What a core holds of the input: the shard in the attributes, or an even cut over the cores that worked.
Matrix shardOf(const CsvTable& t, size_t row, const Matrix& input) {
  std::vector<int64_t> shard = numbersAfter(textAfter(t.text(row, "attributes"), "shard_spec=ShardSpec("), "shape={");
  if (shard.size() == 2 && shard[0] > 0 && shard[1] > 0) return {shard[0], shard[1]};
  int64_t cores = std::max<int64_t>(t.count(row, "cores"), 1);
  std::string_view memory = t.text(row, "in0_mem");
  if (contains(memory, "WIDTH")) return {input.rows, ceilDiv(input.cols, cores)};
  if (!contains(memory, "BLOCK")) return {ceilDiv(input.rows, cores), input.cols};
  int64_t across = 1;
  while ((across + 1) * (across + 1) <= cores) ++across;
  return {ceilDiv(input.rows, ceilDiv(cores, across)), ceilDiv(input.cols, across)};
}

// Rows that the busiest core sends or fills with padding, by the window that the attributes name; without one, what a
// result has beyond a shard.
int64_t movedOf(std::string_view attributes, int64_t shardRows, int64_t rowsOut) {
  const int64_t unknown = std::max<int64_t>(rowsOut - shardRows, 0);
  const auto pair = [&](const char* name) { return numbersAfter(attributes, name); };
  const std::vector<int64_t> image = pair("input_hw=("), kernel = pair("window_hw=("), stride = pair("stride_hw=("),
                             dilation = pair("dilation_hw=("), top = pair("padding=(("),
                             left = numbersAfter(textAfter(attributes, "padding=(("), "; (");
  const std::optional<int64_t> cores = numberAfter(attributes, "num_cores_nhw=");
  constexpr int64_t kMost = 1 << 14;
  for (const auto* sizes : {&image, &kernel, &stride, &dilation, &top, &left}) {
    if (sizes->size() != 2) return unknown;
    for (int64_t size : *sizes) {
      if (size < 0 || size > kMost) return unknown;
    }
  }
  Window2d w;
  w.batch = std::clamp<int64_t>(numberAfter(attributes, "batch_size=").value_or(1), 1, kMost);
  w.inH = image[0], w.inW = image[1];
  w.kernelH = kernel[0], w.kernelW = kernel[1];
  w.strideH = stride[0], w.strideW = stride[1];
  w.dilationH = dilation[0], w.dilationW = dilation[1];
  w.padTop = top[0], w.padBottom = top[1], w.padLeft = left[0], w.padRight = left[1];
  if (w.strideH < 1 || w.strideW < 1 || w.inH < 1 || w.inW < 1 || !cores || *cores < 1 || *cores > kMost)
    return unknown;
  w.outH = (w.inH + w.padTop + w.padBottom - w.dilationH * (w.kernelH - 1) - 1) / w.strideH + 1;
  w.outW = (w.inW + w.padLeft + w.padRight - w.dilationW * (w.kernelW - 1) - 1) / w.strideW + 1;
  if (w.outH < 1 || w.outW < 1 || w.batch * w.inH * w.inW > kMost * shardRows) return unknown;
  const int64_t tiles = ceilDiv(ceilDiv(w.batch * w.outH * w.outW, *cores), kTileSide);
  const HaloRows rows = haloRows(w, *cores, shardRows, tiles * kTileSide);
  return rows.sent + std::max<int64_t>(rowsOut - rows.covered, 0);
}

double startCycles() {
  constexpr double kStart = 500;
  return kStart;
}

}  // namespace

std::optional<int64_t> profiledHalo(const CsvTable& t, size_t row, const DeviceSpec& device) {
  std::optional<Matrix> in = matrixOf(t.text(row, "in0_padded")), out = matrixOf(t.text(row, "out0_padded"));
  if (!in || !out) return {};
  Matrix shard = shardOf(t, row, *in);
  HaloProgram halo;
  halo.blackhole = device.arch == Arch::Blackhole;
  halo.cores = ceilDiv(in->rows, shard.rows);
  halo.rowsOut =
      numberAfter(t.text(row, "attributes"), "'max_out_nsticks_per_core': '").value_or(ceilDiv(out->rows, halo.cores));
  halo.rowsMoved = movedOf(t.text(row, "attributes"), shard.rows, halo.rowsOut);
  halo.rowBytes = shard.cols * bytesOf(t.text(row, "out0_layout_dtype"));
  halo.tileCols = ceilDiv(shard.cols, kTileSide);
  if (contains(t.text(row, "in0_layout_dtype"), "TILE"))
    halo.tiles = mulSaturated(ceilDiv(shard.rows, kTileSide), halo.tileCols);
  return nanoseconds(haloCycles(halo), device);
}

std::optional<int64_t> profiledConv(const CsvTable& t, size_t row, const DeviceSpec& device) {
  std::string_view attributes = t.text(row, "attributes");
  std::optional<Matrix> weights = matrixOf(t.text(row, "in1_padded"));
  std::optional<int64_t> rows = numberAfter(attributes, "per_core_out_matrix_height_ntile="),
                         cols = numberAfter(attributes, "per_core_out_matrix_width_ntile=");
  std::optional<int64_t> blockRows = numberAfter(attributes, "act_block_h_ntiles="),
                         blockDepth = numberAfter(attributes, "act_block_w_ntiles=");
  std::vector<int64_t> window = numbersAfter(attributes, "window_hw=(");
  if (!weights || !rows || !cols || !blockRows || !blockDepth || window.size() != 2) return {};
  ConvProgram conv;
  conv.blackhole = device.arch == Arch::Blackhole;
  conv.rows = *rows;
  conv.cols = *cols;
  conv.depth = ceilDiv(weights->rows, kTileSide);
  conv.blockRows = *blockRows;
  conv.blockDepth = *blockDepth;
  conv.windowRows = std::max<int64_t>(window[0], 1);
  std::string fidelity = lowerCase(t.text(row, "fidelity"));
  conv.passes = fidelity.size() == 5 && fidelity[4] >= '2' && fidelity[4] <= '4' ? fidelity[4] - '0' : 1;
  auto tile = [&](const char* column) {
    return contains(t.text(row, column), "BFLOAT8_B")   ? 1088.0
           : contains(t.text(row, column), "BFLOAT4_B") ? 576.0
                                                        : 2048.0;
  };
  conv.weightTile = tile("in1_layout_dtype");
  conv.activationTile = tile("out0_layout_dtype");
  conv.bias = contains(attributes, "'has_bias': 'true'");
  conv.shared = !contains(t.text(row, "in0_mem"), "HEIGHT");
  conv.ownWeights = contains(t.text(row, "in0_mem"), "WIDTH");
  return nanoseconds(startCycles() + convProgramCycles(conv), device);
}

// The window is not in the table: everything when one position is left, else the usual three by three.
std::optional<int64_t> profiledPool(const CsvTable& t, size_t row, const DeviceSpec& device) {
  std::optional<Matrix> in = matrixOf(t.text(row, "in0_padded")), out = matrixOf(t.text(row, "out0_padded"));
  if (!in || !out) return {};
  constexpr int64_t kUsual = 9;
  std::vector<int64_t> window = numbersAfter(t.text(row, "attributes"), "window_hw=(");
  int64_t area = window.size() == 2 ? mulSaturated(window[0], window[1]) : out->rows == 1 ? in->rows : kUsual;
  Matrix shard = shardOf(t, row, *out);
  int64_t cols = contains(t.text(row, "in0_mem"), "WIDTH")
                     ? ceilDiv(in->cols, std::max<int64_t>(t.count(row, "cores"), 1))
                     : shard.cols;
  int64_t rows = contains(t.text(row, "in0_mem"), "WIDTH") ? out->rows : shard.rows;
  double cycles = poolProgramCycles(rows, area, static_cast<double>(cols * bytesOf(t.text(row, "in0_layout_dtype"))));
  return nanoseconds(startCycles() + cycles, device);
}

}  // namespace tessera
