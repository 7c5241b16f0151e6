#include "core/lowering/ttnn_ops.h"

#include <algorithm>

#include "core/ir/types.h"
#include "core/lowering/prepare/view_map.h"
#include "core/lowering/prepare/views.h"
#include "core/lowering/ttnn_attrs.h"

namespace tessera {

int64_t dimFromEnd(int64_t dim, size_t rank) { return dim < 0 ? dim + static_cast<int64_t>(rank) : dim; }

ValueId TtnnOps::in(size_t operand) const {
  if (operand >= op_.operands.size() || !from_.values[op_.operands[operand]].type.isTensor()) return {};
  return rewriter_.now(op_.operands[operand]);
}

std::vector<int64_t> TtnnOps::segments() const {
  const AttrValue* sizes = findAttr(op_, "operandSegmentSizes");
  return sizes != nullptr ? sizes->ints : std::vector<int64_t>();
}

ValueId TtnnOps::role(size_t role) const {
  std::vector<int64_t> sizes = segments();
  if (sizes.empty()) return in(role);
  if (role >= sizes.size() || sizes[role] < 1) return {};
  int64_t before = 0;
  for (size_t i = 0; i < role; ++i) before += std::max<int64_t>(sizes[i], 0);
  return in(static_cast<size_t>(before));
}

int64_t TtnnOps::integer(std::string_view name, int64_t fallback) const {
  return PatternRewriter::integer(op_, name, fallback);
}

std::vector<int64_t> TtnnOps::ints(std::string_view name) const { return PatternRewriter::ints(op_, name); }

ValueType TtnnOps::like(const ValueType& type, Shape shape) const {
  return typeWithShape(type, std::move(shape), context_.device);
}

ValueType TtnnOps::like(const ValueType& type, DType dtype) const {
  ValueType out = type;
  if (type.tensor->layout) {
    std::optional<TensorLayout> layout = withDType(type.tensor->shape, *type.tensor->layout, dtype, context_.device);
    if (layout) out = typeWithLayout(type, *layout);
  }
  out.tensor->dtype = dtype;
  out.tensor->element.clear();
  return out;
}

ValueId TtnnOps::device() {
  ValueId& found = devices_[op_.func];
  if (!found.valid()) found = rewriter_.result(rewriter_.emitFor(old_, getDeviceSpec(context_.options.meshShape)));
  return found;
}

ValueId TtnnOps::make(OpKind kind, std::vector<ValueId> operands, ValueType type, AttrList attrs) {
  OpSpec spec = makeOp(kind, std::move(operands), {std::move(type)});
  spec.attrs = std::move(attrs);
  if (!op_.results.empty()) spec.resultName = from_.values[op_.results[0]].name;
  return rewriter_.result(rewriter_.emitFor(old_, std::move(spec)));
}

ValueId TtnnOps::reshape(ValueId value, const Shape& to) {
  if (shape(value) == to) return value;
  return make(OpKind::TtnnReshape, {value}, like(type(value), to), {{"shape", intListAttr(to)}});
}

ValueId TtnnOps::permute(ValueId value, const std::vector<int64_t>& order) {
  if (isIdentity(order)) return value;
  Shape moved;
  for (int64_t from : order) moved.push_back(shape(value)[static_cast<size_t>(from)]);
  return make(OpKind::TtnnPermute, {value}, like(type(value), moved), {{"permutation", intArrayAttr(order)}});
}

ValueId TtnnOps::slice(ValueId value, const std::vector<int64_t>& begins, const std::vector<int64_t>& ends) {
  Shape sliced;
  for (size_t i = 0; i < begins.size(); ++i) sliced.push_back(ends[i] - begins[i]);
  return make(OpKind::TtnnSliceStatic, {value}, like(type(value), sliced),
              {{"begins", intListAttr(begins)},
               {"ends", intListAttr(ends)},
               {"step", intListAttr(std::vector<int64_t>(begins.size(), 1))}});
}

ValueId TtnnOps::sliceDim(ValueId value, size_t dim, int64_t begin, int64_t end) {
  std::vector<int64_t> begins(shape(value).size(), 0), ends = shape(value);
  begins[dim] = begin;
  ends[dim] = end;
  return slice(value, begins, ends);
}

ValueId TtnnOps::padTo(ValueId value, const Shape& to, double number) {
  if (shape(value) == to) return value;
  std::vector<int64_t> padding;
  for (size_t i = 0; i < to.size(); ++i) {
    padding.push_back(0);
    padding.push_back(to[i] - shape(value)[i]);
  }
  return make(
      OpKind::TtnnPad, {value}, like(type(value), to),
      {{"padding", intArrayAttr(padding, "i32")}, {"use_multicore", boolAttr(true)}, {"value", f32Attr(number)}});
}

ValueId TtnnOps::repeatTo(ValueId value, const Shape& to) {
  if (shape(value) == to) return value;
  Shape factors;
  for (size_t i = 0; i < to.size(); ++i) factors.push_back(to[i] / std::max<int64_t>(shape(value)[i], 1));
  return make(OpKind::TtnnRepeat, {value}, like(type(value), to), {{"repeat_dims", shapeAttr(factors)}});
}

ValueId TtnnOps::full(const ValueType& type, double number) {
  bool integer = isInteger(type.tensor->dtype);
  AttrList attrs = {{"fill_value", integer ? intAttr(static_cast<int64_t>(number), "i32") : f32Attr(number)},
                    {"shape", shapeAttr(type.tensor->shape)}};
  if (type.tensor->layout) {
    for (Attribute& attr : toLayoutAttrs(*type.tensor->layout)) attrs.push_back(std::move(attr));
  }
  return make(OpKind::TtnnFull, {device()}, type, std::move(attrs));
}

ValueId TtnnOps::binary(OpKind kind, ValueId a, ValueId b, const Shape& to) {
  return make(kind, {a, b}, like(type(a), to));
}

ValueId TtnnOps::unary(OpKind kind, ValueId a) { return make(kind, {a}, type(a)); }

std::vector<ValueId> TtnnOps::again(std::vector<ValueId> operands, AttrList attrs, std::vector<ValueType> types) {
  OpSpec spec{op_.kind, op_.name, std::move(operands), std::move(types), std::move(attrs), {}, {}, {}, {}};
  if (!op_.results.empty()) spec.resultName = from_.values[op_.results[0]].name;
  OpId made = rewriter_.emitFor(old_, std::move(spec));
  return rewriter_.graph().ops[made].results;
}

// The op that computes the first result takes over its name, so that what people say about it stays true. The names of
// the others, %0:1, are those of one op's results alone.
void TtnnOps::becomes(ValueId value, size_t result) {
  Value& made = rewriter_.graph().values.edit(value);
  bool ours = made.producer.valid() && static_cast<size_t>(made.producer.index) >= firstNew_;
  if (ours && result == 0 && made.index == 0 && rewriter_.graph().ops[made.producer].results.size() == 1)
    made.name = from_.values[op_.results[0]].name;
  rewriter_.map(op_.results[result], value);
}

namespace {

PassResult oneWalk(const Graph& graph, const PassContext& context, std::span<const TtnnRule> rules) {
  GraphRewriter rewriter(graph);
  IdVec<FuncId, ValueId> devices(graph.funcs.size());
  std::vector<PassNote> notes;
  for (FuncId func : graph.funcs.ids()) {
    for (OpId op : graph.funcs[func].ops) {
      const TtnnRule* taken = nullptr;
      for (const TtnnRule& rule : rules) {
        bool meant = rule.op == graph.ops[op].kind && (rule.enabled == nullptr || rule.enabled(context));
        if (!meant || !givesTensors(graph, graph.ops[op])) continue;
        TtnnOps ops(graph, context, rewriter, devices, op);
        if (!rule.rewrite(ops)) continue;
        taken = &rule;
        break;
      }
      if (taken == nullptr) {
        OpId made = rewriter.copy(op);
        if (graph.ops[op].kind == OpKind::TtnnGetDevice) devices[func] = rewriter.result(made);
        continue;
      }
      OpId last = rewriter.graph().values[rewriter.now(graph.ops[op].results[0])].producer;
      if (last.valid()) notes.push_back({last, std::string(taken->reason)});
    }
  }
  return {rewriter.finish(), std::move(notes)};
}

}  // namespace

PassResult applyTtnnRules(const Graph& graph, const PassContext& context, std::span<const TtnnRule> rules, int rounds) {
  PassResult result = oneWalk(graph, context, rules);
  for (int round = 1; round < rounds && !result.notes.empty(); ++round) {
    PassResult next = oneWalk(result.graph, context, rules);
    bool same = next.notes.empty();
    carryNotes(result, next);
    result = std::move(next);
    if (same) break;
  }
  return result;
}

}  // namespace tessera
