#include "core/execute/shrink_graph.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/execute/dim_relations.h"
#include "core/execute/stablehlo_attrs.h"
#include "core/ir/bodies.h"
#include "core/ir/builder.h"
#include "core/ir/constant_value.h"
#include "core/ir/functions.h"
#include "core/ops/shapes/shape_rules.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

std::string tensorText(const Shape& shape, DType dtype) {
  std::string text = "tensor<";
  for (int64_t dim : shape) text += std::to_string(dim) + "x";
  return text + std::string(dtypeName(dtype)) + ">";
}

// Types and attributes of the new sizes.
class Rewriter {
 public:
  Rewriter(const Graph& old, const DimRelations& relations)
      : old_(old), relations_(relations), out_(old), builder_(out_) {}

  Graph run() {
    for (ValueId id : out_.values.ids()) {
      if (out_.values[id].type.isTensor() && out_.values[id].func.valid())
        out_.values.edit(id).type.tensor->shape = relations_.shapeOf(id);
    }
    for (Function& func : out_.funcs) {
      for (OpId op : func.ops) rewrite(op);
      setResultTypes(out_, func);
    }
    for (const ScaledSlice& s : relations_.slices()) {
      scaleBound(s.op, s.beginName, s.dim, s.begin * relations_.valueOf(s.unit) + s.beginOffset);
      scaleBound(s.op, s.endName, s.dim, s.end * relations_.valueOf(s.unit) + s.endOffset);
    }
    rescaleMeans();
    dropExpectations();
    return std::move(out_);
  }

 private:
  const Shape& shape(ValueId value) const { return out_.values[value].type.tensor->shape; }

  void setInts(OpId op, std::string_view name, std::vector<int64_t> values) {
    const AttrValue* a = findAttr(out_.ops[op], name);
    if (a == nullptr || a->ints.size() != values.size()) return;
    AttrValue made = intArrayAttr(std::move(values), a->text.find("i32") != std::string::npos ? "i32" : "i64");
    builder_.setAttr(op, name, std::move(made));
  }
  void scaleBound(OpId op, std::string_view name, size_t dim, int64_t value) {
    const AttrValue* a = findAttr(out_.ops[op], name);
    size_t rank = shape(out_.ops[op].operands[0]).size();
    if (a == nullptr || dim >= rank) return;
    std::vector<int64_t> values = a->kind == AttrValueKind::Integer ? std::vector<int64_t>{a->integer} : a->ints;
    if (values.size() == 1) values.assign(rank, values[0]);  // one number for all dims
    if (dim >= values.size()) return;
    values[dim] = value;
    AttrValue made = intArrayAttr(std::move(values), a->text.find("i32") != std::string::npos ? "i32" : "i64");
    builder_.setAttr(op, name, std::move(made));
  }

  void rewrite(OpId id) {
    const Op& op = out_.ops[id];
    if (op.results.empty() || !out_.values[op.results[0]].type.isTensor()) return;
    Shape result = shape(op.results[0]);
    Family family = opInfo(op.kind).family;
    if (family == Family::Reshape) return setInts(id, "shape", result);
    bool constant = op.kind == OpKind::ShloConstant || op.kind == OpKind::SdyConstant;
    if (family == Family::Creation || constant) return rewriteCreation(id, result);
    if (op.operands.empty() || !out_.values[op.operands[0]].type.isTensor()) return;
    Shape input = shape(op.operands[0]);
    if (family == Family::Repeat) {
      std::vector<int64_t> times;
      for (size_t d = 0; d < result.size() && d < input.size(); ++d)
        times.push_back(input[d] > 0 ? result[d] / input[d] : 1);
      for (std::string_view name : {"broadcast_dimensions", "repeat_dims", "repeat_dimensions"})
        setInts(id, name, times);
    }
    if (family == Family::Norm) {
      const AttrValue* normalized = findAttr(op, "normalized_shape");
      if (normalized != nullptr && normalized->ints.size() <= input.size()) {
        setInts(id, "normalized_shape",
                std::vector<int64_t>(input.end() - static_cast<std::ptrdiff_t>(normalized->ints.size()), input.end()));
      }
    }
    if (family == Family::Conv) rewriteGroups(id);
    if (family == Family::Gather || op.kind == OpKind::ShloGather) rewriteGather(id, input);
    if (op.kind == OpKind::ShloDynamicSlice) setInts(id, "slice_sizes", result);
    if (op.kind == OpKind::ShloWhile) rewriteTurns(id);
    if (op.kind == OpKind::ShloComposite) rewriteNormalized(id, input);
    if (op.kind == OpKind::ShloConvolution) rewriteGroupCounts(id);
    if (op.kind == OpKind::ShloReduceWindow) rewriteWindow(id, op.results[0]);
    if (op.kind == OpKind::ShloSelectAndScatter && op.operands.size() > 1) rewriteWindow(id, op.operands[1]);
  }

  // normalized_shape = dense<2048> names the operand's last dims.
  void rewriteNormalized(OpId id, const Shape& input) {
    const AttrValue* named = findAttr(out_.ops[id], "composite_attributes");
    size_t at = named == nullptr ? std::string::npos : named->text.find("normalized_shape");
    size_t open = at == std::string::npos ? at : named->text.find("dense<", at);
    size_t close = open == std::string::npos ? open : named->text.find('>', open);
    if (close == std::string::npos) return;
    size_t first = open + 6;
    auto count = static_cast<size_t>(std::count(named->text.begin() + static_cast<std::ptrdiff_t>(first),
                                                named->text.begin() + static_cast<std::ptrdiff_t>(close), ',')) +
                 1;
    if (count > input.size()) return;
    std::string sizes;
    for (size_t d = input.size() - count; d < input.size(); ++d)
      sizes += (sizes.empty() ? "" : ", ") + std::to_string(input[d]);
    if (count > 1) sizes = "[" + sizes + "]";
    builder_.setAttr(id, "composite_attributes",
                     rawAttr(named->text.substr(0, first) + sizes + named->text.substr(close)));
  }

  // A loop that runs while `i < n`, n being a constant of its own, makes few turns.
  void rewriteTurns(OpId id) {
    constexpr int64_t kFewTurns = 3;
    const AttrValue* test = findAttr(out_.ops[id], "body");
    for (const Function& func : out_.funcs) {
      if (test == nullptr || func.name != test->string || func.ops.size() < 2) continue;
      const Op& last = out_.ops[func.ops.back()];
      OpId compare = last.operands.size() == 1 ? out_.values[last.operands[0]].producer : OpId{};
      if (!compare.valid() || out_.ops[compare].kind != OpKind::ShloCompare || out_.ops[compare].operands.size() != 2)
        return;
      const AttrValue* direction = findAttr(out_.ops[compare], "comparison_direction");
      OpId bound = out_.values[out_.ops[compare].operands[1]].producer;
      if (direction == nullptr || direction->string != "LT" || !bound.valid() ||
          out_.ops[bound].kind != OpKind::ShloConstant || out_.ops[bound].func != out_.ops[compare].func)
        return;
      const TensorType& type = *out_.values[out_.ops[bound].results[0]].type.tensor;
      const AttrValue* value = findAttr(out_.ops[bound], "value");
      std::optional<ConstantValue> read =
          value == nullptr || elementCount(type.shape) != 1 ? std::nullopt : readConstant(value->text, type.dtype, 1);
      if (!read || read->integers.size() != 1 || read->integers[0] <= kFewTurns) return;
      builder_.setAttr(bound, "value",
                       rawAttr("dense<" + std::to_string(kFewTurns) + "> : " + tensorText(type.shape, type.dtype)));
      return;
    }
  }

  // As many groups as there are features, or elements of the batch, are so afterwards.
  void rewriteGroupCounts(OpId id) {
    ShloConv conv;
    if (!readShloConv(out_.ops[id], conv)) return;
    ValueId input = out_.ops[id].operands[0];
    const Shape &before = old_.values[input].type.tensor->shape, &now = shape(input);
    auto follow = [&](std::string_view name, int64_t dim) {
      const AttrValue* count = findAttr(out_.ops[id], name);
      auto d = static_cast<size_t>(dim);
      if (count == nullptr || count->kind != AttrValueKind::Integer || d >= now.size() || count->integer == 1 ||
          count->integer != before[d])
        return;
      AttrValue made = intAttr(now[d], "i64");
      builder_.setAttr(id, name, std::move(made));
    };
    follow("feature_group_count", conv.input.second);
    follow("batch_group_count", conv.input.first);
  }

  // A window over a whole dim is so afterwards, with its padding where it moves over all of it.
  void rewriteWindow(OpId id, ValueId out) {
    const Op& op = out_.ops[id];
    const AttrValue* sizes = findAttr(op, "window_dimensions");
    const AttrValue* padding = findAttr(op, "padding");
    const Shape &before = old_.values[op.operands[0]].type.tensor->shape, &now = shape(op.operands[0]);
    if (sizes == nullptr || sizes->ints.size() != now.size() || shape(out).size() != now.size()) return;
    std::vector<int64_t> windows = sizes->ints, pads = padding == nullptr ? std::vector<int64_t>() : padding->ints;
    bool padded = pads.size() == 2 * now.size();
    for (size_t d = 0; d < now.size(); ++d) {
      if (windows[d] != before[d] || now[d] == before[d]) continue;
      windows[d] = now[d];
      for (size_t side = 2 * d; padded && side < 2 * d + 2; ++side) {
        if (pads[side] == before[d] - 1) pads[side] = now[d] - 1;
      }
    }
    setInts(id, "window_dimensions", std::move(windows));
    if (padded) setInts(id, "padding", std::move(pads));
  }

  void rewriteGroups(OpId id) {
    const AttrValue* groups = findAttr(out_.ops[id], "groups");
    std::optional<Window2d> w = window2d(old_, id);
    if (groups == nullptr || !w || w->groups == 1 || w->groups != w->inC) return;
    AttrValue made = intAttr(shape(out_.ops[id].operands[1])[0] * w->groups / w->outC, "i32");
    builder_.setAttr(id, "groups", std::move(made));
  }

  void rewriteGather(OpId id, const Shape& input) {
    const AttrValue* sizes = findAttr(out_.ops[id], "slice_sizes");
    if (sizes == nullptr || sizes->ints.size() != input.size()) return;
    std::vector<int64_t> values = sizes->ints;
    const Shape& before = old_.values[old_.ops[id].operands[0]].type.tensor->shape;
    for (size_t d = 0; d < values.size(); ++d) values[d] = values[d] == before[d] ? input[d] : values[d];
    setInts(id, "slice_sizes", std::move(values));
  }

  void rewriteCreation(OpId id, const Shape& result) {
    const Op& op = out_.ops[id];
    for (std::string_view name : {"shape", "size"}) setInts(id, name, result);
    const AttrValue* end = findAttr(op, "end");
    if (end != nullptr && end->kind == AttrValueKind::Integer && !result.empty()) {
      auto numberOf = [&](std::string_view name, int64_t fallback) {
        const AttrValue* a = findAttr(op, name);
        return a != nullptr && a->kind == AttrValueKind::Integer ? a->integer : fallback;
      };
      int64_t dim = numberOf("arange_dimension", static_cast<int64_t>(result.size()) - 1);
      int64_t count = dim >= 0 && static_cast<size_t>(dim) < result.size() ? result[static_cast<size_t>(dim)] : 1;
      builder_.setAttr(id, "end", intAttr(numberOf("start", 0) + count * numberOf("step", 1), "si64"));
    }
    const AttrValue* value = findAttr(out_.ops[id], "value");
    if (value == nullptr) return;
    AttrValue made = *value;
    size_t colon = made.text.rfind(" : ");
    if (colon == std::string::npos) return;
    DType dtype = out_.values[out_.ops[id].results[0]].type.tensor->dtype;
    made.text = made.text.substr(0, colon) + " : " + tensorText(result, dtype);
    if (made.bytes > 0) made.bytes = elementCount(result).value_or(0) * scalarBytes(dtype);
    builder_.setAttr(id, "value", std::move(made));
  }

  // What published test data expects is true of all its numbers only.
  void dropExpectations() {
    IdVec<OpId, bool> gone(out_.ops.size(), false);
    for (const FuncId func : out_.funcs.ids()) {
      for (const OpId id : out_.funcs[func].ops) {
        const AttrValue* target = findAttr(out_.ops[id], "call_target_name");
        gone[id] = target != nullptr && out_.ops[id].results.empty() && target->string.rfind("check.expect_", 0) == 0;
      }
      builder_.removeOps(func, gone);
    }
  }

  // A sum times 1/N, or divided by N, is a mean: N follows the size of the sum.
  void rescaleMeans() {
    for (const Function& func : out_.funcs) {
      for (OpId id : func.ops) {
        const Op& op = out_.ops[id];
        const bool times = op.kind == OpKind::TtirMultiply || op.kind == OpKind::ShloMultiply;
        const bool by = op.kind == OpKind::TtirDiv || op.kind == OpKind::ShloDivide;
        if ((!times && !by) || op.operands.size() < 2) continue;
        for (size_t side = 0; side < (by ? 1 : 2); ++side) rescaleMean(op.operands[side], op.operands[1 - side], by);
      }
    }
  }
  static bool isView(OpKind kind) {
    const Family family = opInfo(kind).family;
    return family == Family::Reshape || family == Family::Typecast || family == Family::Repeat ||
           kind == OpKind::ShloReshape || kind == OpKind::ShloBroadcastInDim || kind == OpKind::ShloConvert;
  }
  OpId behindViews(ValueId value) const {
    OpId id = out_.values[value].producer;
    for (int i = 0; i < 8 && id.valid(); ++i) {
      if (!isView(out_.ops[id].kind)) return id;
      id = out_.values[out_.ops[id].operands[0]].producer;
    }
    return id;
  }
  bool isSum(const Op& op) const {
    if (op.kind != OpKind::ShloReduce) return op.kind == OpKind::TtirSum;
    const AttrValue* body = findAttr(op, "body");
    return op.results.size() == 1 && body != nullptr && body->string == "stablehlo.add";
  }
  void rescaleMean(ValueId sum, ValueId factor, bool divides) {
    OpId sumOp = behindViews(sum), constant = behindViews(factor);
    if (!sumOp.valid() || !constant.valid() || !isSum(out_.ops[sumOp])) return;
    const OpKind kind = out_.ops[constant].kind;
    if (kind != OpKind::TtirConstant && kind != OpKind::ShloConstant) return;
    auto summed = [&](const Graph& graph) {
      const Op& op = graph.ops[sumOp];
      double in = static_cast<double>(elementCount(graph.values[op.operands[0]].type.tensor->shape).value_or(0));
      double out = static_cast<double>(elementCount(graph.values[op.results[0]].type.tensor->shape).value_or(0));
      return out > 0 ? in / out : 0.0;
    };
    const AttrValue* value = findAttr(out_.ops[constant], "value");
    const TensorType& type = *out_.values[out_.ops[constant].results[0]].type.tensor;
    std::optional<ConstantValue> read =
        value != nullptr ? readConstant(value->text, type.dtype, elementCount(type.shape).value_or(0)) : std::nullopt;
    const double before = summed(old_), after = summed(out_);
    if (!read || !read->splat || read->numbers.size() != 1 || before <= 0 || after <= 0) return;
    const double given = read->numbers[0];
    if (std::fabs((divides ? given / before : given * before) - 1.0) > 0.01) return;
    char number[40];
    std::snprintf(number, sizeof number, "%.9e", divides ? given * after / before : given * before / after);
    AttrValue made = *value;
    made.text = "dense<" + std::string(number) + "> : " + tensorText(type.shape, type.dtype);
    builder_.setAttr(constant, "value", std::move(made));
  }

  const Graph& old_;
  const DimRelations& relations_;
  Graph out_;
  GraphBuilder builder_;
};

}  // namespace

ShrunkGraph shrinkGraph(const Graph& graph, int64_t side) {
  if (graph.bodies) {
    ShrunkGraph whole = shrinkGraph(withBodiesInside(graph), side);
    if (!whole.shrunk) return {graph, false, whole.problem};
    IdVec<FuncId, char> bodies(whole.graph.funcs.size(), 1);
    for (FuncId id : graph.funcs.ids()) bodies[id] = 0;
    whole.graph = withBodiesBeside(std::move(whole.graph), bodies);
    return whole;
  }
  DimRelations relations(graph, side);
  if (!relations.solve()) return {graph, false, relations.problem()};
  return {Rewriter(graph, relations).run(), true, {}};
}

}  // namespace tessera
