// Products that read the same matrix, products of which a part is read, and repeated heads.

#include <algorithm>

#include "core/lowering/prepare/fuse.h"
#include "core/lowering/prepare/view_map.h"
#include "core/lowering/prepare/views.h"
#include "core/ops/shapes/shape_rules.h"

namespace tessera {

namespace {

// Wider sums of columns make weights and biases that do not fit (tt-mlir pull 8860).
constexpr int64_t kMostColumns = 262144;
constexpr size_t kFewestProducts = 3;

bool isProduct(OpKind kind) { return kind == OpKind::TtirMatmul || kind == OpKind::TtirLinear; }

const Shape* shapeOfOld(const PatternRewriter& p, ValueId value) {
  const ValueType& type = p.oldGraph().values[value].type;
  return type.isTensor() ? &type.tensor->shape : nullptr;
}

size_t inputsOf(const PatternRewriter& p, OpId op) { return static_cast<size_t>(inputCount(p.oldGraph(), op)); }

// Products of the same kind that read the root's left matrix and may be one with it, in program order.
std::vector<OpId> productsBeside(const PatternRewriter& p, OpId root) {
  const Op& first = p.old(root);
  const Shape* right = shapeOfOld(p, first.operands[1]);
  std::vector<OpId> found;
  if (right == nullptr || right->size() < 2) return found;
  std::vector<OpId> readers(p.readersOfOld(first.operands[0]).begin(), p.readersOfOld(first.operands[0]).end());
  std::sort(readers.begin(), readers.end());
  readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
  for (OpId reader : readers) {
    const Op& op = p.old(reader);
    if (op.kind != first.kind || op.operands[0] != first.operands[0] || op.func != first.func) continue;
    const Shape* b = op.operands.size() > 1 ? shapeOfOld(p, op.operands[1]) : nullptr;
    const Shape* out = shapeOfOld(p, op.results[0]);
    bool fits = b != nullptr && out != nullptr && b->size() == right->size() &&
                out->size() == p.resultShape(root).size() && findAttr(op, "activation") == nullptr &&
                std::equal(b->begin(), b->end() - 2, right->begin()) &&
                PatternRewriter::integer(op, "transpose_a", 0) == PatternRewriter::integer(first, "transpose_a", 0);
    if (fits) found.push_back(reader);
  }
  return found;
}

// Made already, or a chain of views of what is: then the views are made here, too.
ValueId madeHere(PatternRewriter& p, OpId root, ValueId old) {
  constexpr int kMostViews = 8;
  std::vector<OpId> views;
  while (!p.reached(old)) {
    OpId made = p.oldGraph().values[old].producer;
    bool view = made.valid() && (p.old(made).kind == OpKind::TtirPermute || p.old(made).kind == OpKind::TtirReshape);
    if (!view || views.size() >= kMostViews) return {};
    views.push_back(made);
    old = p.old(made).operands[0];
  }
  ValueId value = p.nowOf(old);
  for (; !views.empty(); views.pop_back()) {
    const Op& view = p.old(views.back());
    value = view.kind == OpKind::TtirPermute ? p.emitPermute(root, value, permutationOf(view))
                                             : p.emitReshape(root, value, *shapeOfOld(p, view.results[0]));
  }
  return value;
}

ValueId sideBySide(PatternRewriter& p, OpId root, std::vector<ValueId> parts, size_t dim, int64_t columns) {
  Shape shape = p.shape(parts[0]);
  shape[dim] = columns;
  OpSpec spec = makeOp(OpKind::TtirConcat, parts, {p.typeWith(p.typeOf(parts[0]), shape)});
  spec.attrs = {{"dim", intAttr(static_cast<int64_t>(dim), "si32")}};
  return p.emit(root, std::move(spec));
}

// The columns that each product has of the sum of all.
OpSpec columnsOf(const PatternRewriter& p, ValueId all, OpId product, int64_t from) {
  const ValueType& type = p.oldGraph().values[p.old(product).results[0]].type;
  Shape begins(type.tensor->shape.size(), 0), ends = type.tensor->shape, steps(ends.size(), 1);
  begins.back() = from;
  ends.back() += from;
  OpSpec spec = makeOp(OpKind::TtirSliceStatic, {all}, {type});
  spec.attrs = {{"begins", intListAttr(begins)}, {"ends", intListAttr(ends)}, {"step", intListAttr(steps)}};
  return spec;
}

}  // namespace

// Three products or more that read the same left matrix are one product with all columns, cut afterwards (tt-mlir
// lib/Dialect/TTIR/Transforms/TTIRFusing.cpp, SharedLHSMatmulFusion).
bool fuseSharedProducts(PatternRewriter& p, OpId root) {
  if (!isProduct(p.kind(root)) || p.inputs(root) < 2) return false;
  std::vector<OpId> products = productsBeside(p, root);
  if (products.size() < kFewestProducts || products.front() != root) return false;
  int64_t columns = 0;
  bool mixed = false, first = p.integer(p.old(root), "transpose_b", 0) != 0;
  const bool biased = p.inputs(root) > 2;
  for (OpId product : products) {
    columns += shapeOfOld(p, p.old(product).results[0])->back();
    mixed = mixed || (p.integer(p.old(product), "transpose_b", 0) != 0) != first;
    if ((inputsOf(p, product) > 2) != biased) return false;
  }
  if (columns > kMostColumns) return false;
  const bool transposed = first && !mixed;
  std::vector<ValueId> weights, biases;
  for (OpId product : products) {
    ValueId weight = madeHere(p, root, p.old(product).operands[1]);
    ValueId bias = biased ? madeHere(p, root, p.old(product).operands[2]) : ValueId{};
    if (!weight.valid() || (biased && !bias.valid())) return false;
    if (mixed && p.integer(p.old(product), "transpose_b", 0) != 0)
      weight = p.emitPermute(root, weight, swapLastTwo(p.shape(weight).size()));
    // Weights and biases are put side by side and cut like the columns: each has as many as its product, which a column
    // of a weight does not have that the bias spreads.
    const int64_t own = shapeOfOld(p, p.old(product).results[0])->back();
    const Shape& shape = p.shape(weight);
    if (shape.size() < 2 || shape[transposed ? shape.size() - 2 : shape.size() - 1] != own) return false;
    if (biased && (p.shape(bias).empty() || p.shape(bias).back() != own ||
                   (!biases.empty() && p.shape(bias).size() != p.shape(biases[0]).size())))
      return false;
    weights.push_back(weight);
    biases.push_back(bias);
  }
  const size_t rank = p.shape(weights[0]).size();
  std::vector<ValueId> operands = {p.in(root, 0),
                                   sideBySide(p, root, weights, transposed ? rank - 2 : rank - 1, columns)};
  if (biased) operands.push_back(sideBySide(p, root, biases, p.shape(biases[0]).size() - 1, columns));
  Shape whole = p.resultShape(root);
  whole.back() = columns;
  OpSpec spec = makeOp(p.kind(root), std::move(operands), {p.typeWith(p.type(root), whole)});
  spec.attrs = p.old(root).attrs;
  setAttribute(spec.attrs, "transpose_b", boolAttr(transposed));
  ValueId all = p.emit(root, std::move(spec));
  int64_t from = 0;
  for (OpId product : products) {
    OpSpec part = columnsOf(p, all, product, from);
    from += shapeOfOld(p, p.old(product).results[0])->back();
    if (product == root) p.replace(root, std::move(part), "products of the same matrix are one");
    else p.defer(product, std::move(part));
  }
  return true;
}

// A part of a product's rows or columns is the product of a part (tt-mlir pull 8811). A reshape that adds a leading one
// may stand between.
bool sliceBeforeProduct(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirSliceStatic || !p.isTensor(p.in(root, 0))) return false;
  ValueId value = p.in(root, 0);
  const Shape whole = p.shape(value);
  OpId view = p.def(value, OpKind::TtirReshape);
  ValueId inner = view.valid() ? p.read(view, 0) : value;
  OpId product = p.def(inner);
  if (!product.valid() || !isProduct(p.op(product).kind) || p.useCount(value) != 1 || p.useCount(inner) > 1)
    return false;
  const Shape full = p.shape(inner);
  bool leading =
      whole.size() == full.size() + 1 && whole[0] == 1 && std::equal(full.begin(), full.end(), whole.begin() + 1);
  if (full.size() < 2 || (view.valid() && !leading)) return false;
  std::vector<int64_t> begins = p.ints(p.old(root), "begins"), ends = p.ints(p.old(root), "ends"),
                       steps = p.ints(p.old(root), "step");
  if (begins.size() != whole.size() || ends.size() != whole.size() || steps.size() != whole.size()) return false;
  std::optional<size_t> cut;
  for (size_t d = 0; d < whole.size(); ++d) {
    if (steps[d] != 1) return false;
    if (begins[d] == 0 && ends[d] == whole[d]) continue;
    if (cut || begins[d] < 0 || ends[d] > whole[d] || ends[d] <= begins[d]) return false;
    cut = d;
  }
  if (!cut || *cut + 2 < whole.size()) return false;
  const bool rows = *cut + 2 == whole.size();
  const Op op = p.op(product);
  ValueId a = p.read(product, 0), b = p.read(product, 1);
  bool biased = inputCount(p.graph(), product) > 2;
  ValueId bias = biased ? p.read(product, 2) : ValueId{};
  bool rowBias = biased && bias.valid() && withoutLeadingOnes(p.shape(bias)).size() <= 1;
  if (!a.valid() || !b.valid() || (biased && (!rows || !rowBias))) return false;
  if (p.shape(a).size() < 2 || p.shape(b).size() < 2) return false;  // the result of a vector has a dim less
  ValueId& part = rows ? a : b;
  size_t rank = p.shape(part).size();
  bool turned = p.integer(op, rows ? "transpose_a" : "transpose_b", 0) != 0;
  Shape from(rank, 0), to = p.shape(part), ones(rank, 1);
  size_t dim = rows != turned ? rank - 2 : rank - 1;
  if (to[dim] != whole[*cut]) return false;
  from[dim] = begins[*cut];
  to[dim] = ends[*cut];
  Shape small = to;
  small[dim] = ends[*cut] - begins[*cut];
  OpSpec slice = makeOp(OpKind::TtirSliceStatic, {part}, {p.typeWith(p.typeOf(part), small)});
  slice.attrs = {{"begins", intListAttr(from)}, {"ends", intListAttr(to)}, {"step", intListAttr(ones)}};
  part = p.emit(root, std::move(slice));
  Shape out = full;
  out[full.size() - (whole.size() - *cut)] = ends[*cut] - begins[*cut];
  OpSpec spec = makeOp(op.kind, {a, b}, {p.typeWith(p.type(root), out)});
  if (biased) spec.operands.push_back(bias);
  spec.attrs = op.attrs;
  p.took(product);
  ValueId made = p.replace(root, std::move(spec), "the product of a part");
  return out == p.resultShape(root) || p.seenAs(root, p.emitReshape(root, made, p.resultShape(root)));
}

// A sort of which all readers take the same first or last of a dim is a search for the largest or smallest, in the
// order of that search (tt-mlir lib/Dialect/TTIR/Transforms/Fusing/TopKFusingPattern.cpp).
bool fuseTopk(PatternRewriter& p, OpId root) {
  const Op& sort = p.old(root);
  if (sort.kind != OpKind::TtirSort || sort.results.size() != 2 || !p.isTensor(p.in(root, 0))) return false;
  const Shape whole = p.resultShape(root);
  int64_t along = p.integer(sort, "dim", -1), rank = static_cast<int64_t>(whole.size());
  along += along < 0 ? rank : 0;
  if (along < 0 || along >= rank) return false;
  const size_t dim = static_cast<size_t>(along);
  std::vector<std::pair<OpId, size_t>> slices;
  std::vector<int64_t> begins, ends;
  for (size_t result = 0; result < 2; ++result) {
    for (OpId reader : p.readersOfOld(sort.results[result])) {
      const Op& op = p.old(reader);
      std::vector<int64_t> from = p.ints(op, "begins"), to = p.ints(op, "ends"), steps = p.ints(op, "step");
      bool plain = op.kind == OpKind::TtirSliceStatic && from.size() == whole.size() && to.size() == whole.size() &&
                   std::all_of(steps.begin(), steps.end(), [](int64_t step) { return step == 1; });
      if (!plain || (!slices.empty() && (from != begins || to != ends))) return false;
      begins = std::move(from);
      ends = std::move(to);
      slices.emplace_back(reader, result);
    }
  }
  if (slices.empty()) return false;
  for (size_t d = 0; d < whole.size(); ++d) {
    if (d != dim && (begins[d] != 0 || ends[d] != whole[d])) return false;
  }
  const bool first = begins[dim] == 0, last = ends[dim] == whole[dim];
  if (first == last || ends[dim] <= begins[dim] || begins[dim] < 0) return false;
  const bool descending = p.integer(sort, "descending", 0) != 0;
  Shape part = whole;
  part[dim] = ends[dim] - begins[dim];
  OpSpec spec = makeOp(OpKind::TtirTopk, {p.in(root, 0)}, {});
  for (ValueId result : sort.results) spec.resultTypes.push_back(p.typeWith(p.oldGraph().values[result].type, part));
  spec.attrs = {{"dim", intAttr(along, "i32")},
                {"k", intAttr(part[dim], "i32")},
                {"largest", boolAttr(descending == first)},
                {"sorted", boolAttr(true)}};
  const std::vector<ValueId> made = p.op(p.def(p.replace(root, std::move(spec), "topk from a sort"))).results;
  for (const auto& [slice, result] : slices) p.settle(slice, made[result]);
  return true;
}

// reshape(broadcast(reshape(x))) that repeats each entry of a dim, or the whole dim (tt-mlir pull 6745).
bool fuseRepeats(PatternRewriter& p, OpId root) {
  if (p.kind(root) != OpKind::TtirReshape) return false;
  OpId broadcast = p.def(p.in(root, 0), OpKind::TtirBroadcast);
  OpId split = p.def(p.read(broadcast, 0), OpKind::TtirReshape);
  ValueId x = p.read(split, 0);
  if (!x.valid()) return false;
  const Shape &in = p.shape(x), &apart = p.shape(p.op(split).results[0]), &wide = p.shape(p.op(broadcast).results[0]),
              &out = p.resultShape(root);
  if (apart.size() != in.size() + 1 || wide.size() != apart.size() || out.size() != in.size()) return false;
  std::optional<size_t> added;
  for (size_t d = 0; d < apart.size(); ++d) {
    if (apart[d] == wide[d]) continue;
    if (added || apart[d] != 1) return false;
    added = d;
  }
  if (!added || wide[*added] < 1) return false;
  Shape without = apart;
  without.erase(without.begin() + static_cast<std::ptrdiff_t>(*added));
  std::optional<size_t> grown;
  for (size_t d = 0; d < in.size(); ++d) {
    if (in[d] == out[d]) continue;
    if (grown || out[d] != in[d] * wide[*added]) return false;
    grown = d;
  }
  if (without != in || !grown || (*grown + 1 != *added && *grown != *added)) return false;
  const int64_t times = wide[*added];
  p.took(broadcast);
  p.took(split);
  if (*grown == *added) {
    Shape repeats(in.size(), 1);
    repeats[*grown] = times;
    OpSpec spec = makeOp(OpKind::TtirRepeat, {x}, {p.type(root)});
    spec.attrs = {{"repeat_dimensions", intArrayAttr(repeats)}};
    p.replace(root, std::move(spec));
    return true;
  }
  OpSpec spec = makeOp(OpKind::TtirRepeatInterleave, {x}, {p.type(root)});
  spec.attrs = {{"dim", intAttr(static_cast<int64_t>(*grown), "si32")}, {"repeats", intAttr(times, "ui32")}};
  p.replace(root, std::move(spec));
  return true;
}

}  // namespace tessera
