// Erasing inverse views: a permute or reshape moves behind the ops it does not matter to (element-wise ops, reductions, norms over
// the last dim), until it meets its inverse and both go.

#include <algorithm>

#include "core/lowering/prepare/prepare.h"
#include "core/lowering/prepare/views.h"
#include "core/support/units.h"

namespace tessera {

namespace {

bool isElementwise(Family family) {
  return family == Family::EltwiseUnary || family == Family::EltwiseBinary || family == Family::EltwiseTernary || family == Family::Typecast;
}

// Readers that a view can pass or melt into.
bool absorbs(const Op& user) {
  Family family = opInfo(user.kind).family;
  return isElementwise(family) || family == Family::Reshape || family == Family::Permute || family == Family::Reduction || user.kind == OpKind::TtirRmsNorm ||
         user.kind == OpKind::TtirLayerNorm;
}

OpId viewOf(const PatternRewriter& p, ValueId value) {
  OpId made = p.def(value, OpKind::TtirPermute);
  if (!made.valid()) made = p.def(value, OpKind::TtirReshape);
  return made.valid() && p.read(made, 0).valid() ? made : OpId{};
}

bool sameView(const PatternRewriter& p, OpId a, OpId b) {
  if (p.op(a).kind != p.op(b).kind) return false;
  const Shape& fromA = p.shape(p.op(a).operands[0]);
  const Shape& fromB = p.shape(p.op(b).operands[0]);
  return fromA == fromB && p.shape(p.op(a).results[0]) == p.shape(p.op(b).results[0]) &&
         (p.op(a).kind == OpKind::TtirReshape || permutationOf(p.op(a)) == permutationOf(p.op(b)));
}

// Worth moving: nobody needs the view as it is, or only ops that it can pass, too. Weights' views are computed once, so they stay.
bool mayMove(const PatternRewriter& p, ValueId value) {
  return !p.constant(value) && (p.useCount(value) <= 1 || p.allUsers(value, absorbs));
}

Shape withRank(const Shape& shape, size_t rank) {
  Shape out(rank > shape.size() ? rank - shape.size() : 0, 1);
  out.insert(out.end(), shape.begin(), shape.end());
  return out;
}

// What an operand without the view must be when the view moves behind the op: itself when it has one element, a weight seen from
// the other side. None when it cannot.
ValueId otherOperand(PatternRewriter& p, OpId root, ValueId value, OpId view) {
  std::optional<int64_t> count = elementCount(p.shape(value));
  const Shape from = p.shape(p.op(view).operands[0]);
  const Shape to = p.shape(p.op(view).results[0]);
  if (count == 1) return p.emitReshape(root, value, Shape(std::min(from.size(), p.shape(value).size()), 1));
  if (!p.constant(value)) return {};
  if (p.op(view).kind == OpKind::TtirPermute) {
    Shape full = withRank(p.shape(value), to.size());
    if (full.size() != to.size()) return {};
    std::vector<int64_t> inverse = inverseOf(permutationOf(p.op(view)));
    return p.emitPermute(root, p.emitReshape(root, value, full), inverse);
  }
  if (p.shape(value) == to) return p.emitReshape(root, value, from);
  // A row along the last dim, which the reshape keeps.
  bool row = !from.empty() && !to.empty() && from.back() == to.back() && withoutLeadingOnes(p.shape(value)) == Shape{to.back()};
  if (!row) return {};
  Shape shape(from.size(), 1);
  shape.back() = to.back();
  return p.emitReshape(root, value, shape);
}

// view(x) op view(y) = view(x op y)
bool moveBehindElementwise(PatternRewriter& p, OpId root) {
  if (!isElementwise(opInfo(p.kind(root)).family) || p.kind(root) == OpKind::TtirReverse) return false;
  size_t count = p.inputs(root);
  OpId view;
  for (size_t i = 0; i < count && !view.valid(); ++i) {
    ValueId value = p.in(root, i);
    if (!p.isTensor(value)) return false;
    OpId found = viewOf(p, value);
    if (found.valid() && mayMove(p, value) && p.shape(value) == p.resultShape(root)) view = found;
  }
  if (!view.valid()) return false;
  std::vector<ValueId> operands;
  for (size_t i = 0; i < count; ++i) {
    ValueId value = p.in(root, i);
    OpId own = viewOf(p, value);
    bool same = own.valid() && sameView(p, own, view) && mayMove(p, value);
    ValueId moved = same ? p.read(own, 0) : otherOperand(p, root, value, view);
    if (!moved.valid()) return false;
    operands.push_back(moved);
  }
  bool permute = p.op(view).kind == OpKind::TtirPermute;
  std::vector<int64_t> order = permutationOf(p.op(view));
  Shape from = p.shape(p.op(view).operands[0]);
  OpSpec spec = makeOp(p.kind(root), std::move(operands), {p.typeWith(p.type(root), from)});
  spec.attrs = p.old(root).attrs;
  ValueId made = p.replace(root, std::move(spec));
  return p.seenAs(root, permute ? p.emitPermute(root, made, order) : p.emitReshape(root, made, p.resultShape(root)));
}

// A reduction names other dims when the permute stands behind it.
bool moveBehindReduction(PatternRewriter& p, OpId root) {
  OpKind kind = p.kind(root);
  bool known = kind == OpKind::TtirSum || kind == OpKind::TtirMean || kind == OpKind::TtirMax || kind == OpKind::TtirMin || kind == OpKind::TtirProd;
  if (!known || !p.isTensor(p.in(root, 0))) return false;
  OpId permute = p.def(p.in(root, 0), OpKind::TtirPermute);
  ValueId x = p.read(permute, 0);
  if (!x.valid() || !mayMove(p, p.in(root, 0))) return false;
  std::vector<int64_t> order = permutationOf(p.op(permute)), dims = p.ints(p.old(root), "dim_arg");
  size_t rank = order.size();
  if (dims.empty()) return false;
  std::vector<bool> reduced(rank, false);  // dims of x
  for (int64_t d : dims) reduced[static_cast<size_t>(order[static_cast<size_t>(d < 0 ? d + static_cast<int64_t>(rank) : d)])] = true;
  bool keep = p.integer(p.old(root), "keep_dim", 0) != 0;
  Shape shape;
  std::vector<int64_t> newDims, place(rank, 0);  // where a dim of x is in the reduced tensor
  for (size_t d = 0; d < rank; ++d) {
    place[d] = static_cast<int64_t>(shape.size());
    if (reduced[d]) newDims.push_back(static_cast<int64_t>(d));
    if (!reduced[d]) shape.push_back(p.shape(x)[d]);
    else if (keep) shape.push_back(1);
  }
  std::vector<int64_t> behind;
  for (int64_t from : order) {
    if (keep || !reduced[static_cast<size_t>(from)]) behind.push_back(place[static_cast<size_t>(from)]);
  }
  OpSpec spec = makeOp(kind, {x}, {p.typeWith(p.type(root), shape)});
  for (const Attribute& attr : p.old(root).attrs) {
    if (attr.name != "dim_arg") spec.attrs.push_back(attr);
  }
  spec.attrs.push_back({"dim_arg", intArrayAttr(newDims, "i32")});
  AttrValue& dimArg = spec.attrs.back().value;
  dimArg.text = "[";
  for (size_t i = 0; i < newDims.size(); ++i) dimArg.text += (i > 0 ? ", " : "") + std::to_string(newDims[i]) + " : i32";
  dimArg.text += "]";
  if (behind.empty() || isIdentity(behind)) {
    if (shape != p.resultShape(root)) return false;
    p.replace(root, std::move(spec));
    return true;
  }
  ValueId made = p.replace(root, std::move(spec));
  return p.seenAs(root, p.emitPermute(root, made, behind));
}

// A norm over the last dim does not care how the rows are arranged.
bool moveBehindNorm(PatternRewriter& p, OpId root) {
  bool known = p.kind(root) == OpKind::TtirRmsNorm || p.kind(root) == OpKind::TtirLayerNorm;
  if (!known || !p.isTensor(p.in(root, 0)) || p.ints(p.old(root), "normalized_shape").size() != 1) return false;
  OpId view = p.def(p.in(root, 0), OpKind::TtirReshape);
  ValueId x = p.read(view, 0);
  if (!x.valid() || !mayMove(p, p.in(root, 0)) || p.shape(x).empty() || p.shape(x).back() != p.resultShape(root).back()) return false;
  OpSpec spec = makeOp(p.kind(root), {x}, {p.typeWith(p.type(root), p.shape(x))});
  for (size_t i = 1; i < p.inputs(root); ++i) spec.operands.push_back(p.in(root, i));
  spec.attrs = p.old(root).attrs;
  ValueId made = p.replace(root, std::move(spec));
  return p.seenAs(root, p.emitReshape(root, made, p.resultShape(root)));
}

// Bytes that permutes move, and how many views of either kind there are. Only what runs: views of weights are computed once.
struct ViewCost {
  int64_t permuted = 0, views = 0;
};
ViewCost costOf(const Graph& graph) {
  ViewCost cost;
  IdVec<ValueId, bool> constant(graph.values.size(), false);
  for (ValueId id : graph.values.ids()) {
    const Value& value = graph.values[id];
    constant[id] = !value.producer.valid() && (value.role == ArgRole::Parameter || value.role == ArgRole::Constant);
  }
  for (const Function& func : graph.funcs) {
    for (OpId id : func.ops) {
      const Op& op = graph.ops[id];
      bool fixed = !op.results.empty() && std::all_of(op.operands.begin(), op.operands.end(), [&](ValueId v) { return constant[v]; });
      for (ValueId result : op.results) constant[result] = fixed;
      bool permute = op.kind == OpKind::TtirPermute, reshape = op.kind == OpKind::TtirReshape;
      if (fixed || (!permute && !reshape)) continue;
      ++cost.views;
      if (permute) cost.permuted = addSaturated(cost.permuted, elementCount(graph.values[op.results[0]].type.tensor->shape).value_or(0));
    }
  }
  return cost;
}

bool cheaper(const ViewCost& a, const ViewCost& b) { return a.permuted < b.permuted || (a.permuted == b.permuted && a.views < b.views); }

}  // namespace

// Several views one behind the other pass an op one per walk. Moving is kept only where something goes.
PassResult ttirEraseInverseOps(const Graph& graph, const PassContext& context) {
  constexpr int kMostWalks = 4;
  const std::vector<PatternRewriter::Pattern> patterns = {mergePermute, mergePermutesAcrossReshape, mergeReshape, moveBehindReduction, moveBehindNorm, moveBehindElementwise};
  PassResult best{graph};
  ViewCost least = costOf(graph);
  for (int walk = 0; walk < kMostWalks; ++walk) {
    PassResult moved = PatternRewriter(best.graph).run(patterns, context);
    ViewCost cost = costOf(moved.graph);
    if (!cheaper(cost, least)) break;
    best = std::move(moved);
    least = cost;
  }
  return best;
}

}  // namespace tessera
