#include "core/lowering/window_conversion.h"

#include <algorithm>

#include "core/lowering/prepare/pattern.h"
#include "core/lowering/ttnn_attrs.h"
#include "core/ops/shapes/shape_rules.h"
#include "core/ops/table/op_table.h"
#include "core/support/units.h"

namespace tessera {

namespace {

const Shape& shapeOf(const Graph& graph, ValueId value) { return graph.values[value].type.tensor->shape; }

// Numbers of an op whose input was flattened by an earlier pass.
std::optional<Window2d> flattenedWindow(const Graph& graph, const Op& op) {
  const AttrValue* info = findAttr(op, "flattened_compat_info");
  if (info == nullptr || op.operands.empty()) return {};
  auto batch = numberInText(info->text, "batch_size"), height = numberInText(info->text, "input_height"),
       width = numberInText(info->text, "input_width");
  const Shape& input = shapeOf(graph, op.operands[0]);
  if (!batch || !height || !width || input.empty()) return {};
  Window2d w;
  w.batch = *batch;
  w.inH = *height;
  w.inW = *width;
  w.inC = input.back();
  w.outC = shapeOf(graph, op.results[0]).back();
  w.flattened = true;
  const AttrValue* kernel = findAttr(op, "kernel");
  if (opInfo(op.kind).family == Family::Conv) {
    const Shape& weight = shapeOf(graph, op.operands[1]);
    if (weight.size() != 4) return {};
    w.kernelH = weight[2];
    w.kernelW = weight[3];
  } else if (kernel != nullptr) {
    bool two = kernel->kind == AttrValueKind::IntArray && kernel->ints.size() == 2;
    w.kernelH = two ? kernel->ints[0] : kernel->integer;
    w.kernelW = two ? kernel->ints[1] : kernel->integer;
  }
  return w;
}

// Are the channels the second dim? By the attributes, else by what the result's shape says
// (docs/rules/lowering.md#windows).
bool channelsFirst(const Op& op, const Window2d& w, const Shape& result) {
  const AttrValue* dim = findAttr(op, "channel_dim");
  if (dim != nullptr) return dim->integer == 1 || dim->integer == -3;
  return result != Shape{w.batch, w.outH, w.outW, w.outC};
}

std::vector<int64_t> pairOf(const Op& op, std::string_view name, int64_t otherwise) {
  const AttrValue* value = findAttr(op, name);
  if (value == nullptr) return {otherwise, otherwise};
  if (value->kind != AttrValueKind::IntArray) return {value->integer, value->integer};
  if (value->ints.size() == 1) return {value->ints[0], value->ints[0]};
  return value->ints;
}

// TTIR: top, left, bottom, right. TTNN: top, bottom, left, right, or two numbers when both sides are alike.
std::vector<int64_t> ttnnPadding(const Op& op) {
  std::vector<int64_t> pad = pairOf(op, "padding", 0);
  if (pad.size() != 4) return pad;
  if (pad[0] == pad[2] && pad[1] == pad[3]) return {pad[0], pad[1]};
  return {pad[0], pad[2], pad[1], pad[3]};
}

AttrList windowAttrs(const Op& op, const Window2d& w, const AttrList& given) {
  static constexpr std::string_view kReplaced[] = {
      "batch_dim", "height_dim", "width_dim", "channel_dim", "flattened_compat_info",
      "kernel",    "stride",     "padding",   "dilation",    "groups"};
  AttrList attrs;
  for (const Attribute& attr : given) {
    if (std::find(std::begin(kReplaced), std::end(kReplaced), attr.name) == std::end(kReplaced)) attrs.push_back(attr);
  }
  bool conv = opInfo(op.kind).family == Family::Conv;
  auto number = [](int64_t value) { return intAttr(value, "i32"); };
  attrs.push_back({"batch_size", number(w.batch)});
  attrs.push_back({"input_height", number(w.inH)});
  attrs.push_back({"input_width", number(w.inW)});
  if (conv) {
    attrs.push_back({"in_channels", number(w.inC)});
    attrs.push_back({"out_channels", number(w.outC)});
    attrs.push_back({"groups", number(PatternRewriter::integer(op, "groups", 1))});
  } else {
    attrs.push_back({"channels", number(w.inC)});
  }
  attrs.push_back({"kernel_size", intArrayAttr({w.kernelH, w.kernelW}, "i32")});
  attrs.push_back({"stride", intArrayAttr(pairOf(op, "stride", 1), "i32")});
  attrs.push_back({"padding", intArrayAttr(ttnnPadding(op), "i32")});
  attrs.push_back({"dilation", intArrayAttr(pairOf(op, "dilation", 1), "i32")});
  return attrs;
}

class WindowConverter {
 public:
  WindowConverter(const Graph& graph, OpId old, const DeviceSpec& device, GraphRewriter& rewriter)
      : graph_(graph), old_(old), op_(graph.ops[old]), device_(device), rewriter_(rewriter) {}

  std::string run(OpSpec spec) {
    std::optional<Window2d> w = flattenedWindow(graph_, op_);
    if (!w) w = window2d(graph_, old_);
    if (!w) return "its numbers do not fit its shapes, or its input has an order of dims other than NHWC and NCHW";
    spec.attrs = windowAttrs(op_, *w, spec.attrs);
    if (w->flattened) {
      rewriter_.replace(old_, std::move(spec));
      return {};
    }
    int64_t in = 0, out = 0;
    bool small = mulChecked(w->batch, w->inH, in) && mulChecked(in, w->inW, in) && mulChecked(w->batch, w->outH, out) &&
                 mulChecked(out, w->outW, out);
    if (!small) return "its sizes exceed 63 bits";
    bool nchw = channelsFirst(op_, *w, shapeOf(graph_, op_.results[0]));
    ValueId input = spec.operands[0];
    if (nchw) input = move(input, OpKind::TtnnPermute, {w->batch, w->inH, w->inW, w->inC}, "permutation", {0, 2, 3, 1});
    spec.operands[0] = move(input, OpKind::TtnnReshape, {1, 1, in, w->inC}, "shape", {1, 1, in, w->inC});
    finish(std::move(spec), *w, out, nchw);
    return {};
  }

 private:
  OpSpec moving(ValueId value, OpKind kind, ValueType type, const char* attr,
                const std::vector<int64_t>& numbers) const {
    OpSpec spec = makeOp(kind, {value}, {std::move(type)});
    spec.attrs = {{attr, intArrayAttr(numbers, kind == OpKind::TtnnPermute ? "i64" : "i32")}};
    return spec;
  }

  ValueId move(ValueId value, OpKind kind, const Shape& shape, const char* attr, const std::vector<int64_t>& numbers) {
    ValueType type = typeWithShape(rewriter_.graph().values[value].type, shape, device_);
    return rewriter_.result(rewriter_.emitFor(old_, moving(value, kind, std::move(type), attr, numbers)));
  }

  // Every result gets its own shape back.
  void finish(OpSpec spec, const Window2d& w, int64_t positions, bool nchw) {
    for (ValueType& type : spec.resultTypes) type = typeWithShape(type, {1, 1, positions, w.outC}, device_);
    spec.resultName = graph_.values[op_.results[0]].name;
    OpId made = rewriter_.emitFor(old_, std::move(spec));
    for (size_t i = 0; i < op_.results.size(); ++i) {
      ValueId value = rewriter_.result(made, i);
      Shape image = {w.batch, w.outH, w.outW, w.outC};
      value = move(value, OpKind::TtnnReshape, image, "shape", image);
      if (nchw)
        value = move(value, OpKind::TtnnPermute, {w.batch, w.outC, w.outH, w.outW}, "permutation", {0, 3, 1, 2});
      rewriter_.map(op_.results[i], value);
    }
  }

  const Graph& graph_;
  OpId old_;
  const Op& op_;
  const DeviceSpec& device_;
  GraphRewriter& rewriter_;
};

}  // namespace

std::string convertWindow(const Graph& graph, OpId old, OpSpec spec, const DeviceSpec& device,
                          GraphRewriter& rewriter) {
  return WindowConverter(graph, old, device, rewriter).run(std::move(spec));
}

}  // namespace tessera
