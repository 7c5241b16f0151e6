// General convolutions and poolings, with numbered dims as StableHLO has them, in terms of those of two dims.

#include <algorithm>

#include "core/lowering/prepare/decompose.h"
#include "core/lowering/prepare/view_map.h"
#include "core/lowering/prepare/views.h"

namespace tessera {

namespace {

// `key = 2x3` in the text of an attribute.
std::vector<int64_t> numbersOf(std::string_view text, std::string_view key) {
  std::vector<int64_t> out;
  size_t at = text.find(key);
  while (at != std::string_view::npos && at > 0 && text[at - 1] != ' ') at = text.find(key, at + 1);
  if (at == std::string_view::npos) return out;
  at += key.size();
  while (at < text.size() && (text[at] == ' ' || text[at] == '=')) ++at;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') {
    int64_t number = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
      number = std::min<int64_t>(number * 10 + (text[at] - '0'), 1000);
    out.push_back(number);
    if (at < text.size() && text[at] == 'x') ++at;
  }
  return out;
}

// Batch, feature and two spatial dims, each once.
bool readOrder(std::string_view text, std::string_view a, std::string_view b, std::string_view spatial,
               std::vector<int64_t>& order) {
  order = numbersOf(text, a);
  for (std::string_view key : {b, spatial}) {
    for (int64_t dim : numbersOf(text, key)) order.push_back(dim);
  }
  std::vector<int64_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  return sorted == std::vector<int64_t>{0, 1, 2, 3};
}

bool allAre(const std::vector<int64_t>& values, int64_t wanted) {
  return std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == wanted; });
}

}  // namespace

bool convolutionToConv2d(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirConvolution || p.inputs(root) < 2) return false;
  const Op& op = p.old(root);
  const AttrValue* layout = findAttr(op, "convolution_layout");
  std::vector<int64_t> in, out, kernel;
  bool read =
      layout != nullptr && readOrder(layout->text, "input_batch", "input_feature", "input_spatial_dimensions", in) &&
      readOrder(layout->text, "output_batch", "output_feature", "output_spatial_dimensions", out) &&
      readOrder(layout->text, "kernel_output_feature", "kernel_input_feature", "kernel_spatial_dimensions", kernel);
  std::vector<int64_t> strides = p.ints(op, "window_strides"), pads = p.ints(op, "padding"),
                       dilation = p.ints(op, "weight_dilation");
  if (strides.empty()) strides = {1, 1};
  if (dilation.empty()) dilation = {1, 1};
  if (pads.empty()) pads = {0, 0, 0, 0};
  const AttrValue* reversal = findAttr(op, "window_reversal");
  bool plain = read && allAre(p.ints(op, "input_dilation"), 1) && p.integer(op, "batch_group_count", 1) == 1 &&
               strides.size() == 2 && pads.size() == 4 && dilation.size() == 2 &&
               (reversal == nullptr || reversal->text.find("true") == std::string::npos) && p.isTensor(p.in(root, 0)) &&
               p.isTensor(p.in(root, 1)) && p.shape(p.in(root, 0)).size() == 4 && p.shape(p.in(root, 1)).size() == 4 &&
               p.resultShape(root).size() == 4;
  if (!plain) {
    p.nearMiss(root, "a convolution of other than two dims, or a transposed one");
    return false;
  }
  ValueId weight = p.emitPermute(root, p.in(root, 1), kernel);
  Shape shape(4, 1);  // of the result, in the input's order
  for (size_t i = 0; i < 4; ++i) shape[static_cast<size_t>(in[i])] = p.resultShape(root)[static_cast<size_t>(out[i])];
  OpSpec spec = makeOp(OpKind::TtirConv2d, {p.in(root, 0), weight}, {p.typeWith(p.type(root), shape)});
  for (size_t i = 2; i < p.inputs(root); ++i) spec.operands.push_back(p.in(root, i));
  spec.attrs = {{"stride", intArrayAttr(strides, "i32")},
                {"padding", intArrayAttr({pads[0], pads[2], pads[1], pads[3]}, "i32")},
                {"dilation", intArrayAttr(dilation, "i32")},
                {"groups", intAttr(p.integer(op, "feature_group_count", 1), "i32")},
                {"batch_dim", intAttr(in[0])},
                {"channel_dim", intAttr(in[1])},
                {"height_dim", intAttr(in[2])},
                {"width_dim", intAttr(in[3])}};
  ValueId made = p.replace(root, std::move(spec));
  std::vector<int64_t> back(4);
  for (size_t i = 0; i < 4; ++i) back[static_cast<size_t>(out[i])] = in[i];
  return p.seenAs(root, p.emitPermute(root, made, back));
}

namespace {

// The two dims that a window over four slides along; batch and channels are the others.
bool slidingDims(const std::vector<int64_t>& window, const std::vector<int64_t>& strides,
                 const std::vector<int64_t>& pads, size_t& h, size_t& w) {
  auto slides = [&](size_t d) { return window[d] != 1 || strides[d] != 1 || pads[2 * d] != 0 || pads[2 * d + 1] != 0; };
  if (slides(0)) return false;
  bool last = !slides(3) && slides(1);  // NHWC
  h = last ? 1 : 2;
  w = last ? 2 : 3;
  for (size_t d = 1; d < 4; ++d) {
    if (d != h && d != w && slides(d)) return false;
  }
  return true;
}

}  // namespace

bool poolingToPool2d(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirPooling || p.old(root).results.size() != 1 || p.inputs(root) != 1) return false;
  const Op& op = p.old(root);
  ValueId x = p.in(root, 0);
  std::vector<int64_t> window = p.ints(op, "window_dimensions"), strides = p.ints(op, "window_strides"),
                       pads = p.ints(op, "padding"), dilation = p.ints(op, "window_dilations");
  if (strides.empty()) strides.assign(4, 1);
  if (dilation.empty()) dilation.assign(4, 1);
  if (pads.empty()) pads.assign(8, 0);
  const AttrValue* method = findAttr(op, "pooling_method");
  size_t h = 0, w = 0;
  bool plain = method != nullptr && p.isTensor(x) && p.shape(x).size() == 4 && window.size() == 4 &&
               strides.size() == 4 && pads.size() == 8 && dilation.size() == 4 &&
               allAre(p.ints(op, "base_dilations"), 1) && slidingDims(window, strides, pads, h, w);
  if (!plain) {
    p.nearMiss(root, "a pooling over other than two dims");
    return false;
  }
  bool max = method->text.find("Max") != std::string::npos || method->text.find("max") != std::string::npos;
  bool sum = method->text.find("Sum") != std::string::npos || method->text.find("sum") != std::string::npos;
  std::vector<int64_t> order = h == 1 ? std::vector<int64_t>{0, 1, 2, 3} : std::vector<int64_t>{0, 2, 3, 1};
  Shape shape;
  for (int64_t d : order) shape.push_back(p.resultShape(root)[static_cast<size_t>(d)]);
  OpSpec spec = makeOp(max ? OpKind::TtirMaxPool2d : OpKind::TtirAvgPool2d, {p.emitPermute(root, x, order)},
                       {p.typeWith(p.type(root), shape)});
  spec.attrs = {{"kernel", intArrayAttr({window[h], window[w]}, "i32")},
                {"stride", intArrayAttr({strides[h], strides[w]}, "i32")},
                {"dilation", intArrayAttr({dilation[h], dilation[w]}, "i32")},
                {"padding", intArrayAttr({pads[2 * h], pads[2 * w], pads[2 * h + 1], pads[2 * w + 1]}, "i32")},
                {"ceil_mode", boolAttr(false)}};
  if (!max) spec.attrs.push_back({"count_include_pad", boolAttr(true)});
  ValueId made = p.replace(root, std::move(spec));
  if (sum) {
    OpSpec full = makeOp(OpKind::TtirFull, {}, {p.typeWith(p.type(root), Shape{1, 1, 1, 1})});
    full.attrs = {{"fill_value", f32Attr(static_cast<double>(window[h] * window[w]))},
                  {"shape", intArrayAttr({1, 1, 1, 1}, "i32")}};
    ValueId count = p.emit(root, std::move(full));
    made = p.emit(root, makeOp(OpKind::TtirMultiply, {made, count}, {p.typeOf(made)}));
  }
  return p.seenAs(root, p.emitPermute(root, made, inverseOf(order)));
}

}  // namespace tessera
