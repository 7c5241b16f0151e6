// Canonical forms of views and conversions.

#include <algorithm>

#include "core/ir/builder.h"
#include "core/ir/constant_value.h"
#include "core/lowering/prepare/fold.h"
#include "core/lowering/prepare/fuse.h"
#include "core/lowering/prepare/prepare.h"
#include "core/lowering/prepare/views.h"
#include "core/support/units.h"

namespace tessera {

std::vector<int64_t> permutationOf(const Op& op) { return PatternRewriter::ints(op, "permutation"); }

std::vector<int64_t> inverseOf(const std::vector<int64_t>& order) {
  std::vector<int64_t> inverse(order.size());
  for (size_t i = 0; i < order.size(); ++i) inverse[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  return inverse;
}

bool isIdentity(const std::vector<int64_t>& order) {
  for (size_t i = 0; i < order.size(); ++i) {
    if (order[i] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

std::vector<int64_t> swapLastTwo(size_t rank) {
  std::vector<int64_t> order;
  for (size_t i = 0; i < rank; ++i) order.push_back(static_cast<int64_t>(i));
  std::swap(order[rank - 1], order[rank - 2]);
  return order;
}

Shape withoutLeadingOnes(const Shape& shape) {
  return Shape(std::find_if(shape.begin(), shape.end(), [](int64_t dim) { return dim != 1; }), shape.end());
}

bool mergeReshape(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirReshape || !p.isTensor(p.in(root, 0))) return false;
  ValueId value = p.in(root, 0);
  const Shape& to = p.resultShape(root);
  OpId inner = p.def(value, OpKind::TtirReshape);
  ValueId source = p.read(inner, 0);
  if (source.valid()) {
    p.took(inner);
    value = source;
  }
  if (p.shape(value) == to) return p.becomes(root, value);
  if (!source.valid()) return false;
  p.replace(root, p.reshapeSpec(value, to));
  return true;
}

bool movesOnlyOnes(const std::vector<int64_t>& order, const Shape& shape) {
  int64_t last = -1;
  for (int64_t from : order) {
    if (shape[static_cast<size_t>(from)] == 1) continue;
    if (from < last) return false;
    last = from;
  }
  return true;
}

bool mergePermute(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirPermute || !p.isTensor(p.in(root, 0))) return false;
  ValueId value = p.in(root, 0);
  std::vector<int64_t> order = permutationOf(p.old(root));
  OpId inner = p.def(value, OpKind::TtirPermute);
  ValueId source = p.read(inner, 0);
  if (source.valid()) {
    std::vector<int64_t> first = permutationOf(p.op(inner));
    for (int64_t& from : order) from = first[static_cast<size_t>(from)];
    p.took(inner);
    value = source;
  }
  if (isIdentity(order)) return p.becomes(root, value);
  if (movesOnlyOnes(order, p.shape(value))) {
    const Shape& to = p.resultShape(root);
    OpId reshape = p.def(value, OpKind::TtirReshape);
    ValueId below = p.read(reshape, 0);
    if (below.valid()) {
      p.took(reshape);
      value = below;
    }
    if (p.shape(value) == to) return p.becomes(root, value);
    p.replace(root, p.reshapeSpec(value, to));
    return true;
  }
  if (!source.valid()) return false;
  p.replace(root, p.permuteSpec(value, order));
  return true;
}

namespace {

// The dims of two shapes of the same elements in their finest common parts.
struct Atoms {
  Shape sizes;
  std::vector<std::vector<size_t>> ofFirst, ofSecond;  // per dim: its atoms
};

// Nothing when several dims of one shape share several of the other. Dims of 1 behind the last that the other shape has
// belong to that one.
std::optional<Atoms> commonAtoms(const Shape& a, const Shape& b) {
  if (a.empty() || b.empty()) return {};
  Atoms atoms;
  size_t i = 0, j = 0;
  auto skipOnes = [](const Shape& shape, size_t& at) {
    while (at < shape.size() && shape[at] == 1) ++at;
  };
  auto addTo = [&](std::vector<std::vector<size_t>>& parts, const Shape& shape, size_t first, size_t end) {
    for (size_t d = first; d < end; ++d) {
      parts.push_back({atoms.sizes.size()});
      atoms.sizes.push_back(shape[d]);
    }
  };
  while (i < a.size() || j < b.size()) {
    size_t firstI = i, firstJ = j;
    int64_t pa = i < a.size() ? a[i++] : 1, pb = j < b.size() ? b[j++] : 1;
    while (pa != pb) {
      if (pa < pb && i < a.size()) pa = mulSaturated(pa, a[i++]);
      else if (pb < pa && j < b.size()) pb = mulSaturated(pb, b[j++]);
      else return {};
    }
    if (i == a.size()) skipOnes(b, j);
    if (j == b.size()) skipOnes(a, i);
    size_t countA = i - firstI, countB = j - firstJ, first = atoms.sizes.size();
    if (countA > 1 && countB > 1) return {};
    bool fineA = countA >= countB;
    if (fineA) addTo(atoms.ofFirst, a, firstI, i);
    else addTo(atoms.ofSecond, b, firstJ, j);
    std::vector<size_t> all;
    for (size_t k = first; k < atoms.sizes.size(); ++k) all.push_back(k);
    if (fineA ? countB == 1 : countA == 1) (fineA ? atoms.ofSecond : atoms.ofFirst).push_back(std::move(all));
  }
  return atoms;
}

}  // namespace

bool mergePermutesAcrossReshape(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirPermute || !p.isTensor(p.in(root, 0))) return false;
  OpId reshape = p.def(p.in(root, 0), OpKind::TtirReshape);
  OpId inner = p.def(p.read(reshape, 0), OpKind::TtirPermute);
  ValueId x = p.read(inner, 0);
  if (!x.valid()) return false;
  std::vector<int64_t> first = permutationOf(p.op(inner)), second = permutationOf(p.old(root));
  std::optional<Atoms> atoms = commonAtoms(p.shape(p.op(inner).results[0]), p.shape(p.in(root, 0)));
  if (!atoms) return false;
  // x in atoms: its dims in the order they had, each with its parts; `place` says where an atom stands there.
  std::vector<int64_t> inverse = inverseOf(first);
  Shape split;
  std::vector<int64_t> place(atoms->sizes.size(), 0), order;
  for (int64_t d : inverse) {
    for (size_t atom : atoms->ofFirst[static_cast<size_t>(d)]) {
      place[atom] = static_cast<int64_t>(split.size());
      split.push_back(atoms->sizes[atom]);
    }
  }
  for (int64_t d : second) {
    for (size_t atom : atoms->ofSecond[static_cast<size_t>(d)]) order.push_back(place[atom]);
  }
  bool gone = movesOnlyOnes(order, split);
  if (!gone && p.useCount(p.in(root, 0)) > 1) return false;  // the others would keep the first permute
  for (OpId made : {reshape, inner}) p.took(made);
  const Shape result = p.resultShape(root);
  if (gone && p.shape(x) == result) return p.becomes(root, x);
  ValueId parts = gone ? x : p.emitReshape(root, x, split);
  if (gone) {
    OpId below = p.def(parts, OpKind::TtirReshape);
    ValueId source = p.read(below, 0);
    if (source.valid() && p.shape(source) == result) return p.becomes(root, source);
    p.replace(root, p.reshapeSpec(source.valid() ? source : parts, result));
    return true;
  }
  OpSpec moved = p.permuteSpec(parts, order);
  if (moved.resultTypes[0].tensor->shape == result) {
    p.replace(root, std::move(moved));
    return true;
  }
  p.replace(root, p.reshapeSpec(p.emit(root, std::move(moved)), result));
  return true;
}

namespace {

bool dropIdentityBroadcast(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirBroadcast || !p.isTensor(p.in(root, 0))) return false;
  return p.shape(p.in(root, 0)) == p.resultShape(root) && p.becomes(root, p.in(root, 0));
}

bool isWide(DType dtype) { return dtype == DType::F32 || dtype == DType::F64; }
bool isNarrow(DType dtype) { return dtype == DType::BF16 || dtype == DType::F16; }

// A conversion to the same type, or to a wider one and back.
bool mergeTypecast(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirTypecast || !p.isTensor(p.in(root, 0))) return false;
  ValueId value = p.in(root, 0);
  DType to = p.type(root).tensor->dtype;
  if (p.dtype(value) == to) return p.becomes(root, value);
  OpId inner = p.def(value, OpKind::TtirTypecast);
  ValueId source = p.read(inner, 0);
  if (!source.valid()) return false;
  DType first = p.dtype(source), middle = p.dtype(value);
  bool lossless = (isNarrow(first) && isWide(middle)) || (first == DType::F32 && middle == DType::F64);
  if (!lossless || !isFloatType(to)) return false;
  p.took(inner);
  if (first == to) return p.becomes(root, source);
  OpSpec spec = makeOp(OpKind::TtirTypecast, {source}, {p.type(root)});
  spec.attrs = p.old(root).attrs;
  p.replace(root, std::move(spec));
  return true;
}

}  // namespace

Graph withConstantsInFront(Graph graph) {
  GraphBuilder builder(graph);
  for (FuncId func : graph.funcs.ids()) {
    std::vector<OpId> moved, rest;
    bool behindConstant = true;
    for (OpId op : graph.funcs[func].ops) {
      const bool constant = graph.ops[op].kind == OpKind::TtirConstant;
      if (constant && !behindConstant) {
        moved.push_back(op);
        continue;
      }
      rest.push_back(op);
      behindConstant = constant;
    }
    if (moved.empty()) continue;
    std::vector<OpId> order(moved.rbegin(), moved.rend());
    order.insert(order.end(), rest.begin(), rest.end());
    builder.reorder(func, std::move(order));
  }
  return graph;
}

PassResult ttirCanonicalize(const Graph& given, const PassContext& context) {
  constexpr int kMostWalks = 4;
  const Graph graph = context.options.specificationRules ? given : withConstantsInFront(given);
  std::vector<PatternRewriter::Pattern> patterns = {normalizeView};
  if (context.options.release != CompilerRelease::Autumn2025)
    patterns.insert(patterns.end(), {embeddingWithoutUnitDims, matmulOfMergedBatches});
  patterns.insert(patterns.end(), {mergeReshape,
                                   mergePermute,
                                   mergePermutesAcrossReshape,
                                   dropIdentityBroadcast,
                                   foldTypecastOfNumbers,
                                   mergeTypecast,
                                   clampTensorToScalar,
                                   dropIdentityPool,
                                   dropIdentityRepeat,
                                   dropIdentityMeshShard,
                                   simplifyConcat,
                                   dropEmptyScatter,
                                   mergeReverse,
                                   simplifySlice,
                                   linearWithoutBias,
                                   foldNegOfNumbers,
                                   foldSumOfNumbers,
                                   foldComparison,
                                   foldLogical,
                                   foldWhere,
                                   foldTopkOfOne,
                                   pointwiseConv3d});
  // The seed's lowering knows constants only where they are read.
  if (!context.options.specificationRules)
    patterns.insert(patterns.end(), {foldViewOfNumbers, turnComparison, spreadClampBounds});
  PassResult result = PatternRewriter(graph).run(patterns);
  bool same = sameGraph(result.graph, graph);
  for (int walk = 1; walk < kMostWalks && !same; ++walk) {
    PassResult next = PatternRewriter(result.graph).run(patterns);
    same = sameGraph(next.graph, result.graph);
    carryNotes(result, next);
    result = std::move(next);
  }
  return result;
}

// The same for TTNN ops: what passes in between left over.
PassResult ttnnCanonicalize(const Graph& graph, const PassContext&) {
  return PatternRewriter(graph).run({foldTtnnPermute, mergeTtnnReshape, foldTtnnConcat, foldTtnnRepeatInterleave,
                                     foldTtnnRepeatOfMatmul, foldTtnnSplatConstant, mergeLayoutChanges},
                                    PatternRewriter::Layouts::Kept);
}

// Both, as the compiler's pass of that name: which ops there are decides.
PassResult canonicalize(const Graph& graph, const PassContext& context) {
  PassResult first = ttirCanonicalize(graph, context);
  PassResult second = ttnnCanonicalize(first.graph, context);
  carryNotes(first, second);
  return second;
}

}  // namespace tessera
