// Passes that bring constants and reductions into other forms, by name only.

#include <algorithm>

#include "core/lowering/prepare/fold.h"
#include "core/lowering/prepare/prepare.h"
#include "core/lowering/prepare/view_map.h"
#include "core/support/units.h"

namespace tessera {

namespace {

// A reduction that drops dims keeps them; a reshape drops them behind it.
bool keepReducedDims(PatternRewriter& p, OpId root) {
  const Op& op = p.old(root);
  bool reduces = opInfo(op.kind).family == Family::Reduction && op.results.size() == 1 &&
                 findAttr(op, "keep_dim") != nullptr && p.integer(op, "keep_dim", 0) == 0;
  if (!reduces || !p.isTensor(p.in(root, 0))) return false;
  Shape kept = p.shape(p.in(root, 0));
  std::vector<int64_t> dims = p.ints(op, findAttr(op, "dim_arg") != nullptr ? "dim_arg" : "dim");
  for (size_t d = 0; d < kept.size() && dims.empty(); ++d) kept[d] = 1;
  for (int64_t d : dims) {
    d += d < 0 ? static_cast<int64_t>(kept.size()) : 0;
    if (d < 0 || d >= static_cast<int64_t>(kept.size())) return false;
    kept[static_cast<size_t>(d)] = 1;
  }
  OpSpec spec = makeOp(op.kind, {p.in(root, 0)}, {p.typeWith(p.type(root), kept)});
  spec.attrs = op.attrs;
  setAttribute(spec.attrs, "keep_dim", boolAttr(true));
  ValueId made = p.replace(root, std::move(spec));
  return p.seenAs(root, p.emitReshape(root, made, p.resultShape(root)));
}

// reshape(x) op constant: the constant is seen from the other side, and the reshape comes behind the op.
bool reshapeTheConstant(PatternRewriter& p, OpId root) {
  if (opInfo(p.kind(root)).family != Family::EltwiseBinary || p.inputs(root) != 2) return false;
  for (size_t side = 0; side < 2; ++side) {
    ValueId viewed = p.in(root, side), constant = p.in(root, 1 - side);
    OpId view = p.def(viewed, OpKind::TtirReshape);
    ValueId x = p.read(view, 0);
    if (!x.valid() || !p.isTensor(constant) || !p.constant(constant) || p.constant(viewed) || p.useCount(viewed) != 1 ||
        p.shape(viewed) != p.resultShape(root))
      continue;
    std::optional<ViewMap> map = reshapeMap(p.shape(viewed), p.shape(x));
    ValueId seen = map ? valueAcross(p, root, constant, *map) : ValueId{};
    if (!seen.valid()) continue;
    p.took(view);
    std::vector<ValueId> operands = side == 0 ? std::vector<ValueId>{x, seen} : std::vector<ValueId>{seen, x};
    OpSpec spec = makeOp(p.kind(root), std::move(operands), {p.typeWith(p.type(root), p.shape(x))});
    spec.attrs = p.old(root).attrs;
    ValueId made = p.replace(root, std::move(spec));
    return p.seenAs(root, p.emitReshape(root, made, p.resultShape(root)));
  }
  return false;
}

}  // namespace

PassResult ttirReductionForceKeepDim(const Graph& graph, const PassContext&) {
  return PatternRewriter(graph).run({keepReducedDims});
}

PassResult ttirFoldConstantReshapeBroadcast(const Graph& graph, const PassContext&) {
  return PatternRewriter(graph).run({foldViewOfConstant});
}

PassResult ttirMoveReshapeToConstant(const Graph& graph, const PassContext&) {
  PassResult moved = PatternRewriter(graph).run({reshapeTheConstant});
  return PatternRewriter(moved.graph).run({foldViewOfNumbers});
}

}  // namespace tessera
