// Ops that do nothing, ops of ops that are one, and ops that another one stands for.

#include <algorithm>
#include <set>

#include "core/ir/constant_value.h"
#include "core/lowering/prepare/fold.h"
#include "core/lowering/prepare/view_map.h"
#include "core/support/units.h"

namespace tessera {

namespace {

bool allEqual(const std::vector<int64_t>& values, int64_t wanted) {
  return std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == wanted; });
}

bool sameTypeAsInput(const PatternRewriter& p, OpId root) {
  return p.inputs(root) > 0 && p.isTensor(p.in(root, 0)) && p.typeOf(p.in(root, 0)) == p.type(root);
}

}  // namespace

bool dropIdentityPool(PatternRewriter& p, OpId root) {
  bool pool = p.kind(root) == OpKind::TtirMaxPool2d || p.kind(root) == OpKind::TtirAvgPool2d;
  if (!pool || !sameTypeAsInput(p, root)) return false;
  const Op& op = p.old(root);
  std::vector<int64_t> kernel = p.ints(op, "kernel");
  bool identity = !kernel.empty() && allEqual(kernel, 1) && allEqual(p.ints(op, "stride"), 1) &&
                  allEqual(p.ints(op, "padding"), 0) && allEqual(p.ints(op, "dilation"), 1);
  return identity && p.becomes(root, p.in(root, 0));
}

bool dropIdentityRepeat(PatternRewriter& p, OpId root) {
  bool repeat = p.kind(root) == OpKind::TtirRepeat || p.kind(root) == OpKind::TtirRepeatInterleave;
  return repeat && sameTypeAsInput(p, root) && p.becomes(root, p.in(root, 0));
}

bool dropIdentityMeshShard(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirMeshShard || !sameTypeAsInput(p, root)) return false;
  std::vector<int64_t> shape = p.ints(p.old(root), "shard_shape");
  const AttrValue* type = findAttr(p.old(root), "shard_type");
  bool replicates = type != nullptr && type->text.find("replicate") != std::string::npos;
  return !replicates && !shape.empty() && allEqual(shape, 1) && p.becomes(root, p.in(root, 0));
}

// Empty operands go; what is left of a single one is itself.
bool simplifyConcat(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirConcat) return false;
  std::vector<ValueId> full;
  for (size_t i = 0; i < p.inputs(root); ++i) {
    if (!p.isTensor(p.in(root, i))) return false;
    if (elementCount(p.shape(p.in(root, i))) != 0) full.push_back(p.in(root, i));
  }
  const bool empty = full.empty();
  if (empty && p.inputs(root) > 0) full.push_back(p.in(root, 0));
  if (full.size() == 1 && p.typeOf(full[0]) == p.type(root)) return p.becomes(root, full[0]);
  if (full.size() == p.inputs(root) || empty) return false;
  OpSpec spec = makeOp(OpKind::TtirConcat, std::move(full), {p.type(root)});
  spec.attrs = p.old(root).attrs;
  p.replace(root, std::move(spec));
  return true;
}

// Nothing is written where there are no updates.
bool dropEmptyScatter(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirScatter || !sameTypeAsInput(p, root)) return false;
  for (size_t i = 1; i < p.inputs(root); ++i) {
    if (p.isTensor(p.in(root, i)) && elementCount(p.shape(p.in(root, i))) == 0) return p.becomes(root, p.in(root, 0));
  }
  return false;
}

bool mergeReverse(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirReverse || !p.isTensor(p.in(root, 0))) return false;
  ValueId value = p.in(root, 0);
  std::set<int64_t> dims;
  for (int64_t d : p.ints(p.old(root), "dimensions")) dims.insert(d);
  OpId inner = p.def(value, OpKind::TtirReverse);
  ValueId source = p.read(inner, 0);
  if (source.valid()) {
    for (int64_t d : p.ints(p.op(inner), "dimensions")) {
      if (dims.erase(d) == 0) dims.insert(d);
    }
    p.took(inner);
    value = source;
  }
  if (dims.empty()) return p.becomes(root, value);
  if (!source.valid()) return false;
  OpSpec spec = makeOp(OpKind::TtirReverse, {value}, {p.type(root)});
  spec.attrs = {{"dimensions", intArrayAttr(std::vector<int64_t>(dims.begin(), dims.end()))}};
  p.replace(root, std::move(spec));
  return true;
}

namespace {

struct SliceNumbers {
  std::vector<int64_t> begins, ends, steps;
};

std::optional<SliceNumbers> sliceNumbers(const Op& op, const Shape& in) {
  SliceNumbers s{PatternRewriter::ints(op, "begins"), PatternRewriter::ints(op, "ends"),
                 PatternRewriter::ints(op, "step")};
  if (s.begins.size() != in.size() || s.ends.size() != in.size() || s.steps.size() != in.size()) return {};
  for (size_t d = 0; d < in.size(); ++d) {
    if (s.begins[d] < 0) s.begins[d] += in[d];
    if (s.ends[d] < 0) s.ends[d] += in[d];
    if (s.steps[d] < 1 || s.begins[d] < 0 || s.ends[d] > in[d]) return {};
  }
  return s;
}

// The operand of a concatenation that the slice is.
ValueId slicedOperand(PatternRewriter& p, OpId root, OpId concat, const SliceNumbers& s) {
  const Op& op = p.op(concat);
  const Shape& whole = p.shape(op.results[0]);
  int64_t dim = p.integer(op, "dim", 0);
  dim += dim < 0 ? static_cast<int64_t>(whole.size()) : 0;
  if (!allEqual(s.steps, 1) || dim < 0 || dim >= static_cast<int64_t>(whole.size())) return {};
  auto along = static_cast<size_t>(dim);
  for (size_t d = 0; d < whole.size(); ++d) {
    if (d != along && (s.begins[d] != 0 || s.ends[d] != whole[d])) return {};
  }
  int64_t first = 0;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    ValueId operand = p.read(concat, i);
    if (!p.isTensor(operand) || p.shape(operand).size() != whole.size()) return {};
    int64_t end = first + p.shape(operand)[along];
    if (s.begins[along] == first && s.ends[along] == end && p.typeOf(operand) == p.type(root)) return operand;
    first = end;
  }
  return {};
}

}  // namespace

// A slice of everything, of a slice, or of one operand of a concatenation.
bool simplifySlice(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirSliceStatic || !p.isTensor(p.in(root, 0))) return false;
  ValueId value = p.in(root, 0);
  std::optional<SliceNumbers> s = sliceNumbers(p.old(root), p.shape(value));
  if (!s) return false;
  if (p.typeOf(value) == p.type(root) && allEqual(s->steps, 1)) return p.becomes(root, value);
  if (OpId concat = p.def(value, OpKind::TtirConcat); concat.valid()) {
    ValueId operand = slicedOperand(p, root, concat, *s);
    return operand.valid() && p.becomes(root, operand);
  }
  OpId inner = p.def(value, OpKind::TtirSliceStatic);
  ValueId source = p.read(inner, 0);
  if (!source.valid() || p.useCount(value) != 1) return false;
  std::optional<SliceNumbers> first = sliceNumbers(p.op(inner), p.shape(source));
  if (!first) return false;
  SliceNumbers both;
  for (size_t d = 0; d < s->begins.size(); ++d) {
    both.begins.push_back(first->begins[d] + s->begins[d] * first->steps[d]);
    both.steps.push_back(first->steps[d] * s->steps[d]);
    both.ends.push_back(std::min(first->ends[d], first->begins[d] + s->ends[d] * first->steps[d]));
  }
  p.took(inner);
  OpSpec spec = makeOp(OpKind::TtirSliceStatic, {source}, {p.type(root)});
  spec.attrs = {
      {"begins", intListAttr(both.begins)}, {"ends", intListAttr(both.ends)}, {"step", intListAttr(both.steps)}};
  p.replace(root, std::move(spec));
  return true;
}

// lt and le with their operands the other way round.
bool turnComparison(PatternRewriter& p, OpId root) {
  bool strict = p.kind(root) == OpKind::TtirLt;
  if ((!strict && p.kind(root) != OpKind::TtirLe) || p.inputs(root) != 2) return false;
  OpSpec spec = makeOp(strict ? OpKind::TtirGt : OpKind::TtirGe, {p.in(root, 1), p.in(root, 0)}, {p.type(root)});
  spec.attrs = p.old(root).attrs;
  p.replace(root, std::move(spec));
  return true;
}

bool linearWithoutBias(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirLinear || p.inputs(root) != 2) return false;
  OpSpec spec = makeOp(OpKind::TtirMatmul, {p.in(root, 0), p.in(root, 1)}, {p.type(root)});
  for (const Attribute& attr : p.old(root).attrs) {
    if (attr.name != "operandSegmentSizes") spec.attrs.push_back(attr);
  }
  p.replace(root, std::move(spec));
  return true;
}

// Indices that were only given ones, and a result that loses them again. The op takes indices of up to two dims.
bool embeddingWithoutUnitDims(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirReshape || !p.isTensor(p.in(root, 0))) return false;
  OpId made = p.def(p.in(root, 0), OpKind::TtirEmbedding);
  OpId given = p.def(p.read(made, 0), OpKind::TtirReshape);
  ValueId indices = p.read(given, 0), table = p.read(made, 1);
  if (!indices.valid() || !table.valid() || p.useCount(p.in(root, 0)) != 1) return false;
  const Shape& spread = p.shape(p.read(made, 0));
  Shape result = p.shape(indices);
  bool units = std::find(spread.begin(), spread.end(), 1) != spread.end();
  result.push_back(p.resultShape(root).empty() ? 0 : p.resultShape(root).back());
  if (!units || p.shape(indices).empty() || p.shape(indices).size() > 2 || result != p.resultShape(root)) return false;
  p.took(made);
  p.took(given);
  OpSpec spec = makeOp(OpKind::TtirEmbedding, {indices, table}, {p.type(root)});
  spec.attrs = p.op(made).attrs;
  p.replace(root, std::move(spec));
  return true;
}

// Several batch dims that were merged into one for the product and are split behind it.
bool matmulOfMergedBatches(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirReshape || !p.isTensor(p.in(root, 0))) return false;
  OpId matmul = p.def(p.in(root, 0), OpKind::TtirMatmul);
  if (!matmul.valid() || p.useCount(p.in(root, 0)) != 1) return false;
  ValueId sides[2];
  const Shape& result = p.resultShape(root);
  for (size_t i = 0; i < 2; ++i) {
    ValueId merged = p.read(matmul, i);
    OpId view = p.def(merged, OpKind::TtirReshape);
    sides[i] = p.read(view, 0);
    if (!sides[i].valid()) return false;
    const Shape &from = p.shape(sides[i]), &to = p.shape(merged);
    // Only leading dims are merged, into one, and they are those of the result.
    if (to.size() != 3 || from.size() < 4 || from.size() != result.size() ||
        !std::equal(from.end() - 2, from.end(), to.end() - 2) ||
        !std::equal(from.begin(), from.end() - 2, result.begin()))
      return false;
    p.took(view);
  }
  const Shape& product = p.shape(p.in(root, 0));
  if (product.size() != 3 || !std::equal(product.end() - 2, product.end(), result.end() - 2)) return false;
  p.took(matmul);
  OpSpec spec = makeOp(OpKind::TtirMatmul, {sides[0], sides[1]}, {p.type(root)});
  spec.attrs = p.op(matmul).attrs;
  p.replace(root, std::move(spec));
  return true;
}

// A convolution over single points of a volume is a product of matrices.
bool pointwiseConv3d(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirConv3d || p.inputs(root) < 2) return false;
  const Op& op = p.old(root);
  ValueId x = p.in(root, 0), weight = p.in(root, 1);
  if (!p.isTensor(x) || !p.isTensor(weight) || p.shape(x).size() != 5 || p.shape(weight).size() != 5) return false;
  const Shape w = p.shape(weight), in = p.shape(x);
  const AttrValue* channel = findAttr(op, "channel_dim");
  bool point = w[2] == 1 && w[3] == 1 && w[4] == 1 && w[1] == in[4] && allEqual(p.ints(op, "stride"), 1) &&
               allEqual(p.ints(op, "padding"), 0) && allEqual(p.ints(op, "dilation"), 1) &&
               p.integer(op, "groups", 1) == 1 && (channel == nullptr || channel->integer == 4);
  std::optional<int64_t> rows = elementCount(in);
  if (!point || !rows || in[4] == 0) return false;
  *rows /= in[4];
  ValueId flat = p.emitReshape(root, x, {*rows, in[4]});
  ValueId matrix = p.emitReshape(root, weight, {w[0], w[1]});
  OpSpec spec = makeOp(p.inputs(root) > 2 ? OpKind::TtirLinear : OpKind::TtirMatmul, {flat, matrix},
                       {p.typeWith(p.type(root), Shape{*rows, w[0]})});
  if (p.inputs(root) > 2) spec.operands.push_back(p.emitReshape(root, p.in(root, 2), {1, w[0]}));
  spec.attrs = {{"transpose_a", boolAttr(false)}, {"transpose_b", boolAttr(true)}};
  ValueId made = p.replace(root, std::move(spec));
  return p.seenAs(root, p.emitReshape(root, made, p.resultShape(root)));
}

// Bounds of a clamp that broadcast: both get the result's shape.
bool spreadClampBounds(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirClampTensor || p.inputs(root) < 3) return false;
  OpSpec spec = makeOp(OpKind::TtirClampTensor, {p.in(root, 0)}, {p.type(root)});
  const Shape& shape = p.resultShape(root);
  bool changed = false;
  for (size_t i = 1; i < 3; ++i) {
    ValueId bound = p.in(root, i);
    if (!p.isTensor(bound)) return false;
    if (p.shape(bound) != shape) {
      changed = true;
      std::optional<double> number = p.splat(bound);
      if (number && (isFloatType(p.dtype(bound)) || surelyExact(*number))) {
        bound = p.emit(root, numberSpec(p.typeWith(p.typeOf(bound), shape), *number));
      } else {
        if (p.shape(bound).size() > shape.size()) return false;
        Shape full(shape.size() - p.shape(bound).size(), 1);
        full.insert(full.end(), p.shape(bound).begin(), p.shape(bound).end());
        bound = p.emitReshape(root, bound, full);
        std::vector<int64_t> factors;
        for (size_t d = 0; d < shape.size(); ++d) factors.push_back(full[d] == shape[d] ? 1 : shape[d]);
        OpSpec broadcast = makeOp(OpKind::TtirBroadcast, {bound}, {p.typeWith(p.typeOf(bound), shape)});
        broadcast.attrs = {{"broadcast_dimensions", intArrayAttr(factors)}};
        bound = p.emit(root, std::move(broadcast));
      }
    }
    spec.operands.push_back(bound);
  }
  if (!changed) return false;
  p.replace(root, std::move(spec));
  return true;
}

// The largest of one: itself, at place 0.
bool foldTopkOfOne(PatternRewriter& p, OpId root) {
  const Op& op = p.old(root);
  if (op.kind != OpKind::TtirTopk || op.results.size() != 2 || !sameTypeAsInput(p, root)) return false;
  int64_t rank = static_cast<int64_t>(p.resultShape(root).size()), dim = p.integer(op, "dim", -1);
  dim += dim < 0 ? rank : 0;
  const ValueType& indices = p.oldGraph().values[op.results[1]].type;
  if (dim < 0 || dim >= rank || p.resultShape(root)[static_cast<size_t>(dim)] != 1 || !indices.isTensor()) return false;
  p.mapResult(root, 1, p.emit(root, numberSpec(indices, 0)));
  return p.becomes(root, p.in(root, 0));
}

}  // namespace tessera
