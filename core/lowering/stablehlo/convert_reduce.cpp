// Reductions, arg max, sorting.

#include <algorithm>
#include <unordered_set>

#include "core/ir/functions.h"
#include "core/lowering/stablehlo/convert.h"

namespace tessera::shlo {

namespace {

OpKind reductionKind(std::string_view body, bool bools) {
  if (body == "stablehlo.add") return bools ? OpKind::TtirReduceOr : OpKind::TtirSum;
  if (body == "stablehlo.maximum") return bools ? OpKind::TtirReduceOr : OpKind::TtirMax;
  if (body == "stablehlo.minimum") return bools ? OpKind::TtirReduceAnd : OpKind::TtirMin;
  if (body == "stablehlo.multiply") return bools ? OpKind::TtirReduceAnd : OpKind::TtirProd;
  if (body == "stablehlo.and" && bools) return OpKind::TtirReduceAnd;
  if (body == "stablehlo.or" && bools) return OpKind::TtirReduceOr;
  return OpKind::Opaque;
}

// What the reduction of a part is joined with another by.
OpKind joiningKind(OpKind reduction) {
  switch (reduction) {
    case OpKind::TtirMax: return OpKind::TtirMaximum;
    case OpKind::TtirMin: return OpKind::TtirMinimum;
    case OpKind::TtirProd: return OpKind::TtirMultiply;
    case OpKind::TtirReduceOr: return OpKind::TtirLogicalOr;
    case OpKind::TtirReduceAnd: return OpKind::TtirLogicalAnd;
    default: return OpKind::TtirAdd;
  }
}

// The least number of the type, or what front ends write for it.
bool isLeast(DType dtype, double number) {
  switch (dtype) {
    case DType::I1:
    case DType::U8:
    case DType::U16:
    case DType::U32:
    case DType::U64: return number <= 0;
    case DType::I8: return number <= -128;
    case DType::I16: return number <= -32768;
    case DType::I32: return number <= -2147483648.0;
    case DType::I64: return number <= -9.2e18;
    case DType::F16: return number <= -65504;
    default: return number <= -1e30;  // as reduce_window takes it
  }
}

bool isGreatest(DType dtype, double number) {
  switch (dtype) {
    case DType::I1: return number >= 1;
    case DType::U8: return number >= 255;
    case DType::U16: return number >= 65535;
    case DType::U32: return number >= 4294967295.0;
    case DType::I8: return number >= 127;
    case DType::I16: return number >= 32767;
    case DType::I32: return number >= 2147483647.0;
    case DType::I64:
    case DType::U64: return number >= 9.2e18;
    case DType::F16: return number >= 65504;
    default: return number >= 1e30;
  }
}

bool changesNothing(OpKind reduction, DType dtype, double initial) {
  switch (reduction) {
    case OpKind::TtirMax: return isLeast(dtype, initial);
    case OpKind::TtirMin: return isGreatest(dtype, initial);
    case OpKind::TtirProd: return initial == 1;
    case OpKind::TtirReduceAnd: return initial != 0;
    default: return initial == 0;
  }
}

// The dim of `from` that dim `dim` of its reshaped form `to` is; nothing when it is none.
std::optional<size_t> dimBefore(const Shape& from, const Shape& to, size_t dim) {
  int64_t outer = 1, before = 1;
  for (size_t d = 0; d < dim; ++d) outer *= to[d];
  for (size_t d = 0; d < from.size(); before *= from[d++]) {
    if (before == outer && from[d] == to[dim]) return d;
  }
  return {};
}

// 0, 1, 2 ... along this dim, seen through views.
bool countsUp(PatternRewriter& p, ValueId value, size_t dim) {
  const int64_t count = dim < p.shape(value).size() ? p.shape(value)[dim] : -1;
  for (int depth = 0; depth < 8; ++depth) {
    OpId made = p.def(value);
    if (!made.valid() || dim >= p.shape(value).size() || p.shape(value)[dim] != count) return false;
    const OpKind kind = p.op(made).kind;
    if (kind == OpKind::TtirArange) return integer(p.op(made), "arange_dimension", 0) == static_cast<int64_t>(dim);
    if (kind != OpKind::TtirReshape && kind != OpKind::TtirBroadcast && kind != OpKind::TtirTypecast) return false;
    const ValueId from = p.op(made).operands[0];
    if (kind == OpKind::TtirReshape) {
      const std::optional<size_t> before = dimBefore(p.shape(from), p.shape(value), dim);
      if (!before) return false;
      dim = *before;
    }
    value = from;
  }
  return false;
}

AttrList reductionAttrs(const std::vector<int64_t>& dims) {
  return {{"dim_arg", intListAttr(dims)}, {"keep_dim", boolAttr(false)}};
}

bool dimsReduced(PatternRewriter& p, OpId root, std::vector<int64_t>& dims) {
  dims = ints(p.old(root), "dimensions");
  const Shape& in = shapeOf(p, root, 0);
  if (!dimsFit(dims, in.size())) return refuse(p, root, "its dims do not fit the operand");
  Shape kept;
  for (size_t d = 0; d < in.size(); ++d) {
    if (std::find(dims.begin(), dims.end(), static_cast<int64_t>(d)) == dims.end()) kept.push_back(in[d]);
  }
  return kept == p.resultShape(root) || refuse(p, root, "its dims do not give the result's shape");
}

// Values and their places, of which the largest value and its place are kept.
bool argMax(PatternRewriter& p, OpId root, const std::vector<int64_t>& dims) {
  const Op& op = p.old(root);
  std::string body = bodyOf(p.oldGraph(), op);
  if (op.results.size() != 2 || op.operands.size() < 4)
    return refuse(p, root, "a reduction of several operands that is no arg max");
  if (body != "stablehlo.compare GT" && body != "stablehlo.compare GE")
    return refuse(p, root, "the compiler takes arg max only, and its body is `" + body + "`");
  if (dims.size() != 1) return refuse(p, root, "an arg max over several dims");
  if (!countsUp(p, p.in(root, 1), static_cast<size_t>(dims[0])))
    return refuse(p, root, "an arg max whose places do not count along its dim");
  const std::optional<double> least = p.splat(p.in(root, 2));
  if (!least || !isLeast(p.dtype(p.in(root, 0)), *least) || !p.splatIs(p.in(root, 3), 0.0))
    return refuse(p, root, "an arg max that does not begin with the least number at place 0");
  ValueType places = p.oldGraph().values[op.results[1]].type;
  p.mapResult(root, 1, emit(p, root, OpKind::TtirArgmax, {p.in(root, 0)}, places, reductionAttrs(dims)));
  ValueId largest = emit(p, root, OpKind::TtirMax, {p.in(root, 0)}, p.type(root), reductionAttrs(dims));
  return p.becomes(root, largest);
}

}  // namespace

bool reduce(PatternRewriter& p, OpId root) {
  std::vector<int64_t> dims;
  if (!tensors(p, root, 2) || !dimsReduced(p, root, dims)) return false;
  if (p.old(root).results.size() > 1) return argMax(p, root, dims);
  std::string body = bodyOf(p.oldGraph(), p.old(root));
  OpKind kind = reductionKind(body, p.dtype(p.in(root, 0)) == DType::I1);
  if (kind == OpKind::Opaque)
    return refuse(p, root, "the compiler has no reduction by `" + (body.empty() ? "a body of its own" : body) + "`");
  const std::optional<double> known = p.splat(p.in(root, 1));
  const bool plain = known && changesNothing(kind, p.dtype(p.in(root, 0)), *known);
  if (dims.empty() && plain) return p.becomes(root, p.in(root, 0));
  if (plain) return finish(p, root, kind, {p.in(root, 0)}, reductionAttrs(dims));
  // TTIR's reductions have no initial value; every op that reduces is associative, so it may come last.
  const ValueType type = p.type(root);
  ValueId reduced = p.in(root, 0);
  if (!dims.empty()) reduced = emit(p, root, kind, {reduced}, type, reductionAttrs(dims));
  const ValueId initial =
      known ? fill(p, root, type, *known) : broadcastTo(p, root, p.in(root, 1), {}, p.resultShape(root));
  return finish(p, root, joiningKind(kind), {reduced, initial});
}

namespace {

// How a sort is ordered, by the first comparison of its comparator with a direction.
struct SortOrder {
  std::string direction;  // "LT"; empty when there is no such comparison
  std::string other;      // why it is another order than that of the first operand's numbers; empty when it is that one
};

// What a side of a comparison is made of.
struct ComparedSide {
  std::vector<int32_t> arguments;  // of the comparator
  std::string computed;            // the op that computes it of them; "" when none does
  bool bits = false;               // it reads numbers as bits, which are ordered as the numbers are, after some steps
};

ComparedSide sideOf(const Graph& graph, ValueId value) {
  ComparedSide side;
  std::vector<ValueId> work = {value};
  std::unordered_set<int32_t> seen = {value.index};
  for (size_t i = 0; i < work.size(); ++i) {
    const Value& now = graph.values[work[i]];
    if (!now.producer.valid()) {
      side.arguments.push_back(now.index);
      continue;
    }
    const Op& op = graph.ops[now.producer];
    // Total orders of floats choose between a number and constants that stand for zeros and for what is no number.
    const bool chooses = op.kind == OpKind::ShloSelect && op.operands.size() == 3;
    side.bits = side.bits || op.kind == OpKind::ShloBitcastConvert;
    if (!chooses && op.kind != OpKind::ShloConvert && !op.operands.empty() && side.computed.empty())
      side.computed = op.name;
    for (size_t k = chooses ? 1 : 0; k < op.operands.size(); ++k) {
      if (seen.insert(op.operands[k].index).second) work.push_back(op.operands[k]);
    }
  }
  return side;
}

// Of a comparison between the elements that the comparator is given in pairs, a pair for each operand.
std::string otherOrder(const Graph& graph, const Op& compare) {
  if (compare.operands.size() != 2) return "";
  const ComparedSide left = sideOf(graph, compare.operands[0]), right = sideOf(graph, compare.operands[1]);
  if (left.bits != right.bits) return "";
  for (const ComparedSide* side : {&left, &right}) {
    if (!left.bits && !side->computed.empty()) return "what `" + side->computed + "` makes of its elements";
  }
  if (left.arguments.size() != 1 || right.arguments.size() != 1) return "";
  const int32_t a = left.arguments[0], b = right.arguments[0];
  if (a / 2 != b / 2) return "";
  if (a / 2 > 0) return "operand " + std::to_string(a / 2);
  return a > b ? "the second element with the first" : "";
}

bool rises(std::string_view direction) { return direction == "LT" || direction == "LE"; }
bool falls(std::string_view direction) { return direction == "GT" || direction == "GE"; }

SortOrder orderOfComparator(const Graph& graph, const Function& func) {
  SortOrder order;
  if (func.ops.empty()) return order;
  const Op* compare = nullptr;
  for (OpId id : func.ops) {
    std::string direction = word(graph.ops[id], "comparison_direction");
    if (!order.direction.empty() || (!rises(direction) && !falls(direction))) continue;
    order.direction = std::move(direction);
    compare = &graph.ops[id];
  }
  const std::vector<ValueId>& given = graph.ops[func.ops.back()].operands;
  const OpId last = given.size() == 1 ? graph.values[given[0]].producer : OpId{};
  if (compare == nullptr || !last.valid()) return order;
  const std::string direction = word(graph.ops[last], "comparison_direction");
  if (rises(direction) || falls(direction)) compare = &graph.ops[last];
  order.other = otherOrder(graph, *compare);
  if (order.other.empty() && compare == &graph.ops[last] && rises(direction) != rises(order.direction))
    order.other = "by " + direction + " in the end";
  return order;
}

SortOrder sortOrder(const Graph& graph, const Op& op) {
  const AttrValue* body = findAttr(op, "body");
  if (body == nullptr || body->kind != AttrValueKind::String) return {};
  constexpr std::string_view kCompare = "stablehlo.compare ";
  if (body->string.rfind(kCompare, 0) == 0) return {body->string.substr(kCompare.size()), ""};
  const FuncId func = functionNamed(graph, body->string);
  return func.valid() ? orderOfComparator(graph, graph.funcs[func]) : SortOrder{};
}

// Elements of `value` along its last dim at the places of `order`: rows of a table of single elements.
ValueId reordered(PatternRewriter& p, OpId root, ValueId value, ValueId order, size_t dim) {
  return emit(p, root, OpKind::TtirGather, {value, order}, p.typeOf(value),
              {{"dim", intAttr(static_cast<int64_t>(dim), "i32")}});
}

}  // namespace

bool sort(PatternRewriter& p, OpId root) {
  const Op& op = p.old(root);
  if (!tensors(p, root, 1) || op.results.size() > op.operands.size()) return false;
  const Shape& shape = shapeOf(p, root, 0);
  int64_t dim = integer(op, "dimension", -1);
  if (dim < 0) dim += static_cast<int64_t>(shape.size());
  if (dim < 0 || dim >= static_cast<int64_t>(shape.size())) return refuse(p, root, "its dim is outside of the operand");
  for (size_t i = 0; i < op.results.size(); ++i) {
    if (shapeOf(p, root, i) != shape || p.oldGraph().values[op.results[i]].type.tensor->shape != shape)
      return refuse(p, root, "its operands have different shapes");
  }
  const auto [direction, other] = sortOrder(p.oldGraph(), op);
  if (direction.empty()) return refuse(p, root, "its comparator compares nothing with LT or GT");
  ValueType places = p.typeWith(p.typeOf(p.in(root, 0)), DType::I32);
  bool indexed = op.results.size() == 2 && countsUp(p, p.in(root, 1), static_cast<size_t>(dim));
  if (indexed) places = p.oldGraph().values[op.results[1]].type;
  OpSpec spec = makeOp(OpKind::TtirSort, {p.in(root, 0)}, {p.type(root), places});
  spec.attrs = {{"descending", boolAttr(falls(direction))},
                {"dim", intAttr(dim, "si32")},
                {"stable", boolAttr(integer(op, "is_stable", 0) != 0)}};
  ValueId values = p.emit(root, std::move(spec));
  if (!other.empty())
    p.computesOther(root, "its comparator compares " + other + ", the compiler sorts by the numbers of operand 0");
  ValueId order = p.op(p.def(values)).results[1];
  for (size_t i = 1; i < op.results.size(); ++i)
    p.mapResult(root, i, indexed ? order : reordered(p, root, p.in(root, i), order, static_cast<size_t>(dim)));
  return p.becomes(root, values);
}

bool topK(PatternRewriter& p, OpId root) {
  const Op& op = p.old(root);
  if (!tensors(p, root, 1) || op.results.size() != 2) return refuse(p, root, "it has no two results");
  Shape shape = shapeOf(p, root, 0);
  int64_t k = integer(op, "k", -1);
  if (shape.empty() || k < 1 || k > shape.back()) return refuse(p, root, "its k does not fit the operand");
  shape.back() = k;
  if (shape != p.resultShape(root)) return refuse(p, root, "its k does not give the result's shape");
  OpSpec spec = makeOp(OpKind::TtirTopk, {p.in(root, 0)}, {p.type(root), p.oldGraph().values[op.results[1]].type});
  spec.attrs = {
      {"k", intAttr(k, "i32")}, {"dim", intAttr(-1, "i32")}, {"largest", boolAttr(true)}, {"sorted", boolAttr(true)}};
  p.replace(root, std::move(spec));
  return true;
}

}  // namespace tessera::shlo
