// Workarounds of attention and of what stands around it.

#include <algorithm>

#include "core/ir/tensor_layout.h"
#include "core/lowering/prepare/view_map.h"
#include "core/lowering/ttnn_attrs.h"
#include "core/lowering/workaround_rules.h"
#include "core/support/units.h"

namespace tessera {

namespace {

// All operands, with some of them replaced by role.
std::vector<ValueId> operandsWith(TtnnOps& t, std::initializer_list<std::pair<size_t, ValueId>> changed) {
  std::vector<int64_t> sizes = t.segments();
  std::vector<ValueId> out;
  for (size_t role = 0; role < (sizes.empty() ? t.inputs() : sizes.size()); ++role) {
    ValueId value = t.role(role);
    for (const auto& [at, now] : changed) value = at == role ? now : value;
    if (value.valid()) out.push_back(value);
  }
  return out;
}

}  // namespace

// Heads whose size is no multiple of a tile are padded with zeros, which changes no product.
bool attentionOfWholeTiles(TtnnOps& t) {
  ValueId q = t.role(0), k = t.role(1), v = t.role(2);
  if (!q.valid() || !k.valid() || !v.valid() || t.shape(q).empty()) return false;
  int64_t size = t.shape(q).back(), padded = alignUp(size, kTileSide);
  if (size == padded || t.shape(k).back() != size || t.shape(v).back() != size) return false;
  auto wide = [&](ValueId value) {
    Shape shape = t.shape(value);
    shape.back() = padded;
    return t.padTo(value, shape);
  };
  q = wide(q);
  k = wide(k);
  v = wide(v);
  ValueId made = t.again(operandsWith(t, {{0, q}, {1, k}, {2, v}}), t.like(t.resultType(), t.shape(q)));
  t.becomes(t.sliceDim(made, t.shape(q).size() - 1, 0, size));
  return true;
}

// One mask for all heads is one for each.
bool decodeMaskForEachHead(TtnnOps& t) {
  ValueId q = t.role(0), mask = t.role(3);
  if (t.segments().size() < 6 || !q.valid() || !mask.valid() || t.shape(mask).size() != 4 || t.shape(q).size() != 4)
    return false;
  int64_t heads = t.shape(q)[2];
  if (t.shape(mask)[2] != 1 || heads == 1) return false;
  Shape shape = t.shape(mask);
  shape[2] = heads;
  t.becomes(t.again(operandsWith(t, {{3, t.repeatTo(mask, shape)}}), t.resultType()));
  return true;
}

// A number per head fills a tile's row.
bool decodeSinkOfWholeTiles(TtnnOps& t) {
  ValueId sink = t.role(5);
  if (t.segments().size() < 6 || !sink.valid() || t.shape(sink).size() != 4) return false;
  const Shape shape = t.shape(sink);
  if (shape[2] != 1 || shape[3] != 1) return false;
  if (shape[0] != 1) sink = t.slice(sink, {0, 0, 0, 0}, {1, shape[1], 1, 1});
  sink = t.padTo(t.reshape(sink, {shape[1], 1}), {shape[1], kTileSide});
  t.becomes(t.again(operandsWith(t, {{5, sink}}), t.resultType()));
  return true;
}

// On Blackhole the approximation of the exponential is off; where nothing else is said the library's defaults are.
bool decodeWithoutApproximation(TtnnOps& t) {
  constexpr std::string_view kApproximate = "exp_approx_mode = ";
  const AttrValue* config = findAttr(t.op(), "program_config");
  AttrList attrs = t.op().attrs;
  if (config != nullptr) {
    std::string text = config->text;
    size_t at = text.find(kApproximate);
    if (at == std::string::npos) return false;
    at += kApproximate.size();
    if (text.compare(at, 4, "true") != 0) return false;
    text.replace(at, 4, "false");
    setAttribute(attrs, "program_config", rawAttr(std::move(text)));
  } else {
    const GridShape& grid = t.context().device.grid;
    attrs.push_back(
        {"program_config", rawAttr("#ttnn.sdpa_program_config<compute_with_storage_grid_size = #ttnn.core_coord<" +
                                   std::to_string(grid.cols) + ", " + std::to_string(grid.rows) +
                                   ">, q_chunk_size = 32, k_chunk_size = 32, exp_approx_mode = false, "
                                   "max_cores_per_head_batch = 1>")});
  }
  std::vector<ValueId> operands;
  for (size_t i = 0; i < t.inputs(); ++i) operands.push_back(t.raw(i));
  t.becomes(t.again(std::move(operands), std::move(attrs), {t.resultType()})[0]);
  return true;
}

// The kernels take heads of whole tiles apart, others are taken apart by views.
bool splitHeadsByViews(TtnnOps& t) {
  if (t.op().results.size() != 3 || t.resultShape(0).size() != 4 || t.resultShape(0)[3] % kTileSide == 0) return false;
  if (t.resultShape(1).size() != 4 || t.resultShape(2).size() != 4) return false;
  ValueId input = t.in(0), other = t.inputs() > 1 ? t.in(1) : ValueId{};
  if (!input.valid() || t.shape(input).size() != 3) return false;
  const Shape in = t.shape(input);
  int64_t size = t.resultShape(0)[3], heads = t.resultShape(0)[1], kvHeads = t.resultShape(2)[1];
  const bool transposed = t.resultShape(1)[2] == size && t.flag("transpose_key");
  ValueId parts[3];
  const auto inHeads = [&](size_t i) {
    parts[i] = t.reshape(parts[i], {in[0], in[1], i == 0 ? heads : kvHeads, size});
  };
  const auto headsFirst = [&](size_t i) {
    const bool turned = i == 1 && transposed;
    t.becomes(t.permute(parts[i], turned ? std::vector<int64_t>{0, 2, 3, 1} : std::vector<int64_t>{0, 2, 1, 3}), i);
  };
  // Queries, keys and values stand side by side in one tensor, or keys and values in a second one.
  int64_t hidden = heads * size, kvHidden = kvHeads * size;
  const bool fits = other.valid() ? in[2] == hidden && t.shape(other) == Shape{in[0], in[1], 2 * kvHidden}
                                  : in[2] == hidden + 2 * kvHidden;
  if (!fits) return false;
  if (other.valid()) {
    parts[0] = input;
    inHeads(0);
    headsFirst(0);
    parts[1] = t.sliceDim(other, 2, 0, kvHidden);
    parts[2] = t.sliceDim(other, 2, kvHidden, 2 * kvHidden);
    for (size_t i = 1; i < 3; ++i) {
      inHeads(i);
      if (!transposed) headsFirst(i);
    }
    for (size_t i = 1; i < 3 && transposed; ++i) headsFirst(i);
    return true;
  }
  parts[0] = t.sliceDim(input, 2, 0, hidden);
  parts[1] = t.sliceDim(input, 2, hidden, hidden + kvHidden);
  parts[2] = t.sliceDim(input, 2, hidden + kvHidden, hidden + 2 * kvHidden);
  for (size_t i = 0; i < 3; ++i) inHeads(i);
  for (size_t i = 0; i < 3; ++i) headsFirst(i);
  return true;
}

// Heads of whole tiles that fit in a core's buffers are put side by side by the kernel.
bool joinHeadsByViews(TtnnOps& t) {
  ValueId input = t.in(0);
  if (!input.valid() || t.shape(input).size() != 4) return false;
  const Shape& shape = t.shape(input);
  int64_t tiles = shape[1] * shape[3] / kTileSide;
  int64_t buffers = 2 * tiles * kTileSide * kTileSide * scalarBytes(t.dtype(input));
  if (shape[3] % kTileSide == 0 && buffers <= t.context().device.usableL1().count) return false;
  t.becomes(t.reshape(t.permute(input, {0, 2, 1, 3}), t.resultShape()));
  return true;
}

// The kernel turns whole tiles of rows (tt-metal issue 31567).
bool rotaryOfWholeTiles(TtnnOps& t) {
  if (t.resultShape().size() < 2 || t.op().results.size() != 1) return false;
  size_t rows = t.resultShape().size() - 2;
  Shape padded = t.resultShape();
  padded[rows] = alignUp(padded[rows], kTileSide);
  if (padded == t.resultShape()) return false;
  std::vector<ValueId> operands;
  for (size_t i = 0; i < t.inputs(); ++i) operands.push_back(t.raw(i));
  ValueId made = t.again(std::move(operands), t.like(t.resultType(), padded));
  t.becomes(t.sliceDim(made, rows, 0, t.resultShape()[rows]));
  return true;
}

}  // namespace tessera
