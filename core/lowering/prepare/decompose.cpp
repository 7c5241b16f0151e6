// TTIR ops that TTNN lacks, in terms of those it has.

#include <algorithm>
#include <optional>

#include "core/lowering/prepare/decompose.h"
#include "core/lowering/prepare/fold.h"
#include "core/lowering/prepare/prepare.h"
#include "core/lowering/prepare/view_map.h"
#include "core/lowering/prepare/views.h"
#include "core/support/units.h"

namespace tessera {

namespace {

int64_t fromEnd(int64_t dim, size_t rank) { return dim < 0 ? dim + static_cast<int64_t>(rank) : dim; }

}  // namespace

// transpose is a permute, squeeze and unsqueeze are reshapes.
bool normalizeView(PatternRewriter& p, OpId root) {
  OpKind kind = p.kind(root);
  bool reshape = kind == OpKind::TtirSqueeze || kind == OpKind::TtirUnsqueeze;
  if ((!reshape && kind != OpKind::TtirTranspose) || !p.isTensor(p.in(root, 0))) return false;
  ValueId value = p.in(root, 0);
  if (reshape) {
    p.replace(root, p.reshapeSpec(value, p.resultShape(root)));
    return true;
  }
  size_t rank = p.shape(value).size();
  int64_t dim0 = fromEnd(p.integer(p.old(root), "dim0", -2), rank),
          dim1 = fromEnd(p.integer(p.old(root), "dim1", -1), rank);
  if (dim0 < 0 || dim1 < 0 || dim0 >= static_cast<int64_t>(rank) || dim1 >= static_cast<int64_t>(rank)) return false;
  std::vector<int64_t> order;
  for (size_t i = 0; i < rank; ++i) order.push_back(static_cast<int64_t>(i));
  std::swap(order[static_cast<size_t>(dim0)], order[static_cast<size_t>(dim1)]);
  p.replace(root, p.permuteSpec(value, order));
  return true;
}

namespace {

struct Side {
  std::vector<int64_t> batch, free, inner;
  int64_t freeCount = 1, innerCount = 1;
};

bool readSide(const PatternRewriter& p, OpId root, ValueId value, const char* batch, const char* inner, Side& side) {
  const Shape& shape = p.shape(value);
  side.batch = p.ints(p.old(root), batch);
  side.inner = p.ints(p.old(root), inner);
  std::vector<bool> taken(shape.size(), false);
  for (const auto* dims : {&side.batch, &side.inner}) {
    for (int64_t d : *dims) {
      if (d < 0 || d >= static_cast<int64_t>(shape.size()) || taken[static_cast<size_t>(d)]) return false;
      taken[static_cast<size_t>(d)] = true;
    }
  }
  for (size_t d = 0; d < shape.size(); ++d) {
    if (!taken[d]) side.free.push_back(static_cast<int64_t>(d));
    if (!taken[d] && !mulChecked(side.freeCount, shape[d], side.freeCount)) return false;
  }
  for (int64_t d : side.inner) {
    if (!mulChecked(side.innerCount, shape[static_cast<size_t>(d)], side.innerCount)) return false;
  }
  return true;
}

std::vector<int64_t> joined(std::initializer_list<const std::vector<int64_t>*> parts) {
  std::vector<int64_t> out;
  for (const auto* part : parts) out.insert(out.end(), part->begin(), part->end());
  return out;
}

// dot_general on batch, free, contracted times batch, contracted, free: the dims are brought into that order, several
// free or contracted ones become one.
bool dotGeneralToMatmul(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirDotGeneral || p.old(root).operands.size() < 2) return false;
  ValueId a = p.in(root, 0), b = p.in(root, 1);
  if (!p.isTensor(a) || !p.isTensor(b)) return false;
  Side left, right;
  if (!readSide(p, root, a, "batch_dims_lhs", "contract_dims_lhs", left) ||
      !readSide(p, root, b, "batch_dims_rhs", "contract_dims_rhs", right))
    return false;
  Shape batch;
  for (int64_t d : left.batch) batch.push_back(p.shape(a)[static_cast<size_t>(d)]);
  a = p.emitPermute(root, a, joined({&left.batch, &left.free, &left.inner}));
  b = p.emitPermute(root, b, joined({&right.batch, &right.inner, &right.free}));
  // More rows than one dim are fine as long as the other side is one matrix.
  bool rowsStay = left.batch.empty() && !left.free.empty() && left.inner.size() == 1;
  Shape leftShape = batch, rightShape = batch;
  leftShape.insert(leftShape.end(), {left.freeCount, left.innerCount});
  rightShape.insert(rightShape.end(), {right.innerCount, right.freeCount});
  if (!rowsStay) a = p.emitReshape(root, a, leftShape);
  b = p.emitReshape(root, b, rightShape);
  Shape product(p.shape(a).begin(), p.shape(a).end() - 1);
  product.push_back(right.freeCount);
  OpSpec spec = makeOp(OpKind::TtirMatmul, {a, b}, {p.typeWith(p.type(root), product)});
  spec.attrs = {{"transpose_a", boolAttr(false)}, {"transpose_b", boolAttr(false)}};
  if (product == p.resultShape(root)) {
    p.replace(root, std::move(spec));
    return true;
  }
  ValueId made = p.replace(root, std::move(spec));
  return p.seenAs(root, p.emitReshape(root, made, p.resultShape(root)));
}

// A gather of whole rows of a matrix is an embedding.
bool gatherToEmbedding(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirGather || p.inputs(root) < 2) return false;
  ValueId table = p.in(root, 0), indices = p.in(root, 1);
  if (!p.isTensor(table) || !p.isTensor(indices)) return false;
  const Op& op = p.old(root);
  const Shape& shape = p.shape(table);
  const Shape& index = p.shape(indices);
  bool rows = shape.size() == 2 && p.ints(op, "slice_sizes") == std::vector<int64_t>{1, shape[1]} &&
              p.ints(op, "collapsed_slice_dims") == std::vector<int64_t>{0} &&
              p.ints(op, "start_index_map") == std::vector<int64_t>{0} && p.ints(op, "operand_batching_dims").empty();
  int64_t vectorDim = p.integer(op, "index_vector_dim", static_cast<int64_t>(index.size()));
  bool alone = !index.empty() && vectorDim == static_cast<int64_t>(index.size()) - 1 && index.back() == 1;
  if (!rows || (!alone && vectorDim != static_cast<int64_t>(index.size())) ||
      p.ints(op, "offset_dims") != std::vector<int64_t>{static_cast<int64_t>(p.resultShape(root).size()) - 1}) {
    p.nearMiss(root, "a gather that picks no whole rows of a matrix");
    return false;
  }
  std::optional<int64_t> count = elementCount(index);
  if (!count) return false;
  ValueId flat = p.emitReshape(root, indices, {1, *count});
  OpSpec spec = makeOp(OpKind::TtirEmbedding, {flat, table}, {p.typeWith(p.type(root), Shape{1, *count, shape[1]})});
  ValueId made = p.replace(root, std::move(spec), "embedding from a gather of rows");
  return p.seenAs(root, p.emitReshape(root, made, p.resultShape(root)));
}

// The size of a dim is known.
bool foldDimensionSize(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirGetDimensionSize || !p.isTensor(p.in(root, 0))) return false;
  int64_t dim = fromEnd(p.integer(p.old(root), "dimension", 0), p.shape(p.in(root, 0)).size());
  if (dim < 0 || dim >= static_cast<int64_t>(p.shape(p.in(root, 0)).size())) return false;
  OpSpec spec = makeOp(OpKind::TtirFull, {}, {p.type(root)});
  spec.attrs = {{"fill_value", intAttr(p.shape(p.in(root, 0))[static_cast<size_t>(dim)], "i32")},
                {"shape", intArrayAttr(p.resultShape(root), "i32")}};
  p.replace(root, std::move(spec));
  return true;
}

// A slice along one dim.
bool indexToSlice(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirIndex || !p.isTensor(p.in(root, 0))) return false;
  const Op& op = p.old(root);
  const Shape& in = p.shape(p.in(root, 0));
  int64_t dim = fromEnd(p.integer(op, "dim", 0), in.size()), step = p.integer(op, "step", 1);
  if (dim < 0 || dim >= static_cast<int64_t>(in.size()) || step == 0) return false;
  std::vector<int64_t> begins(in.size(), 0), ends = in, steps(in.size(), 1);
  auto at = static_cast<size_t>(dim);
  auto place = [&](int64_t number) { return std::clamp<int64_t>(number < 0 ? number + in[at] : number, 0, in[at]); };
  begins[at] = place(p.integer(op, "begin", 0));
  // Backwards, an end of -1 is the place in front of the first element.
  const int64_t end = p.integer(op, "end", in[at]);
  ends[at] = step < 0 ? std::clamp<int64_t>(end, -1, in[at]) : place(end);
  steps[at] = step;
  OpSpec spec = makeOp(OpKind::TtirSliceStatic, {p.in(root, 0)}, {p.type(root)});
  spec.attrs = {{"begins", intListAttr(begins)}, {"ends", intListAttr(ends)}, {"step", intListAttr(steps)}};
  p.replace(root, std::move(spec));
  return true;
}

// The place of the largest over several dims: these become one, the last.
bool argmaxOverOneDim(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirArgmax || !p.isTensor(p.in(root, 0))) return false;
  const Shape in = p.shape(p.in(root, 0));
  std::vector<int64_t> dims = p.ints(p.old(root), "dim_arg"), order;
  if (dims.size() < 2 || dims.size() >= in.size()) return false;
  for (int64_t& d : dims) {
    d = fromEnd(d, in.size());
    if (d < 0 || d >= static_cast<int64_t>(in.size())) return false;
  }
  std::sort(dims.begin(), dims.end());
  Shape flat;
  int64_t joinedSize = 1;
  for (size_t d = 0; d < in.size(); ++d) {
    if (std::find(dims.begin(), dims.end(), static_cast<int64_t>(d)) != dims.end()) continue;
    order.push_back(static_cast<int64_t>(d));
    flat.push_back(in[d]);
  }
  Shape result = flat;
  for (int64_t d : dims) {
    order.push_back(d);
    if (!mulChecked(joinedSize, in[static_cast<size_t>(d)], joinedSize)) return false;
  }
  flat.push_back(joinedSize);
  bool keep = p.integer(p.old(root), "keep_dim", 0) != 0;
  if (keep) result.push_back(1);
  ValueId value = p.emitReshape(root, p.emitPermute(root, p.in(root, 0), order), flat);
  OpSpec spec = makeOp(OpKind::TtirArgmax, {value}, {p.typeWith(p.type(root), result)});
  spec.attrs = p.old(root).attrs;
  setAttribute(spec.attrs, "dim_arg", intListAttr({static_cast<int64_t>(flat.size()) - 1}));
  ValueId made = p.replace(root, std::move(spec));
  return p.seenAs(root, p.emitReshape(root, made, p.resultShape(root)));
}

// --- what is left after fusing

// scale / sqrt(variance + epsilon) and offset - mean * that, as one multiply and one add.
bool decomposeBatchNorm(PatternRewriter& p, OpId root) {
  if ((p.kind(root) != OpKind::TtirBatchNormInference && p.kind(root) != OpKind::TtirBatchNorm) || p.inputs(root) < 5)
    return false;
  ValueId x = p.in(root, 0);
  int64_t dim = fromEnd(p.integer(p.old(root), "dimension", 1), p.shape(x).size());
  if (dim < 0 || dim >= static_cast<int64_t>(p.shape(x).size())) return false;
  Shape spread(p.shape(x).size(), 1);
  spread[static_cast<size_t>(dim)] = p.shape(x)[static_cast<size_t>(dim)];
  ValueId parts[4];
  for (size_t i = 0; i < 4; ++i) parts[i] = p.emitReshape(root, p.in(root, i + 1), spread);
  const AttrValue* epsilon = findAttr(p.old(root), "epsilon");
  auto binary = [&](OpKind kind, ValueId a, ValueId b) { return p.emit(root, makeOp(kind, {a, b}, {p.typeOf(a)})); };
  ValueId variance = parts[3];
  if (epsilon != nullptr && epsilon->number != 0) {
    OpSpec full = makeOp(OpKind::TtirFull, {}, {p.typeOf(variance)});
    full.attrs = {{"fill_value", *epsilon}, {"shape", intArrayAttr(spread, "i32")}};
    variance = binary(OpKind::TtirAdd, variance, p.emit(root, std::move(full)));
  }
  ValueId factor =
      binary(OpKind::TtirMultiply, parts[0], p.emit(root, makeOp(OpKind::TtirRsqrt, {variance}, {p.typeOf(variance)})));
  ValueId shift = binary(OpKind::TtirSubtract, parts[1], binary(OpKind::TtirMultiply, parts[2], factor));
  ValueId scaled = p.emit(root, makeOp(OpKind::TtirMultiply, {x, factor}, {p.type(root)}));
  p.replace(root, makeOp(OpKind::TtirAdd, {scaled, shift}, {p.type(root)}),
            "multiply and add from a batch norm that follows no convolution");
  return true;
}

// The same elements in four dims, of which the first two stay. A single dim behind them is split into rows and columns,
// because one row, or one column, would be padded to whole tiles: 1024 elements are 32 rows. None where a dim would
// exceed 63 bits, as beside a dim of 0.
std::optional<Shape> inFourDims(const Shape& shape) {
  if (shape.size() == 2) return Shape{shape[0], shape[1], 1, 1};
  if (shape.size() == 5) {
    int64_t rows = 0;
    if (!mulChecked(shape[2], shape[3], rows)) return std::nullopt;
    return Shape{shape[0], shape[1], rows, shape[4]};
  }
  if (shape.size() != 3) return shape;
  int64_t rows = 1;
  while (shape[2] % (2 * rows) == 0 && 2 * rows <= shape[2] / (2 * rows)) rows *= 2;
  return Shape{shape[0], shape[1], rows, shape[2] / rows};
}

// The library's kernel takes four dims, channels as the second one, and statistics and weights of the input's rank.
bool spreadBatchNormTraining(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirBatchNormTraining || p.inputs(root) < 5) return false;
  const ValueId x = p.in(root, 0);
  const Shape shape = p.shape(x);
  const size_t rank = shape.size();
  if (rank < 2 || rank > 5) return false;
  const int64_t dim = fromEnd(p.integer(p.old(root), "dimension", 1), rank);
  if (dim < 0 || dim >= static_cast<int64_t>(rank)) return false;
  const Shape spread = {1, shape[static_cast<size_t>(dim)], 1, 1};
  std::vector<int64_t> order, back(rank, 0);
  for (int64_t i = 0; i < static_cast<int64_t>(rank); ++i) {
    if (i != dim) order.push_back(i);
  }
  order.insert(order.begin() + 1, dim);
  for (size_t i = 0; i < rank; ++i) back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  bool ready = dim == 1 && rank == 4;
  for (size_t i = 1; i < 5; ++i) ready = ready && p.shape(p.in(root, i)) == spread;
  if (ready) return false;
  Shape second;
  for (const int64_t from : order) second.push_back(shape[static_cast<size_t>(from)]);
  const std::optional<Shape> four = inFourDims(second);
  if (!four) return false;
  const ValueId moved = p.emitPermute(root, x, order);
  OpSpec spec = makeOp(OpKind::TtirBatchNormTraining, {p.emitReshape(root, moved, *four)}, {});
  for (size_t i = 1; i < 5; ++i) spec.operands.push_back(p.emitReshape(root, p.in(root, i), spread));
  for (ValueId result : p.old(root).results) spec.resultTypes.push_back(p.oldGraph().values[result].type);
  spec.attrs = p.old(root).attrs;
  for (Attribute& attr : spec.attrs) {
    if (attr.name == "dimension") attr.value = intAttr(1, "i32");
  }
  std::erase_if(spec.attrs.own(), [](const Attribute& attr) { return attr.name == "operandSegmentSizes"; });
  if (dim == 1 && rank == 4) return p.replace(root, std::move(spec), "statistics of the input's rank"), true;
  spec.resultTypes[0] = p.typeWith(spec.resultTypes[0], *four);
  const ValueId made = p.replace(
      root, std::move(spec),
      rank == 4 ? "channels second, statistics of the input's rank" : "four dims, statistics of the input's rank");
  const ValueId whole = p.emitReshape(root, made, second);
  return p.seenAs(root, p.emitPermute(root, whole, back));
}

// Any and all of truth values are their maximum and minimum; other numbers are truths where they are not zero.
bool decomposeLogicalReduction(PatternRewriter& p, OpId root) {
  bool any = p.kind(root) == OpKind::TtirReduceOr;
  if ((!any && p.kind(root) != OpKind::TtirReduceAnd) || !p.isTensor(p.in(root, 0))) return false;
  ValueId x = p.in(root, 0);
  if (!isTruth(p, x)) {
    const ValueId zero = p.emit(root, numberSpec(p.typeOf(x), 0));
    x = p.emit(root, makeOp(OpKind::TtirNe, {x, zero}, {p.typeOf(x)}));
  }
  ValueId number = p.emit(root, makeOp(OpKind::TtirTypecast, {x}, {p.typeWith(p.typeOf(x), DType::BF16)}));
  OpSpec reduce = makeOp(any ? OpKind::TtirMax : OpKind::TtirMin, {number}, {p.typeWith(p.type(root), DType::BF16)});
  reduce.attrs = p.old(root).attrs;
  ValueId found = p.emit(root, std::move(reduce));
  p.replace(root, makeOp(OpKind::TtirTypecast, {found}, {p.type(root)}),
            any ? "maximum of truth values" : "minimum of truth values");
  return true;
}

}  // namespace

PassResult ttirDecompose(const Graph& graph, const PassContext& context) {
  const std::string* config = context.settings.find("config");
  if (config != nullptr && *config == "cpu-fallback") {
    return PatternRewriter(graph).run({dotGeneralToMatmul, argmaxOverOneDim, logicalReductionOnHost, splitHeadsOnHost});
  }
  return PatternRewriter(graph).run({normalizeView, dotGeneralToMatmul, gatherToEmbedding, foldDimensionSize,
                                     indexToSlice, argmaxOverOneDim, convolutionToConv2d, poolingToPool2d,
                                     unrollQuantization, adamwInFourDims});
}

PassResult ttirDecomposeRest(const Graph& graph, const PassContext&) {
  return PatternRewriter(graph).run({decomposeBatchNorm, spreadBatchNormTraining, decomposeLogicalReduction});
}

}  // namespace tessera
