// Constants, views and data movement.

#include <algorithm>

#include "core/ir/constant_value.h"
#include "core/lowering/stablehlo/convert.h"
#include "core/support/units.h"

namespace tessera::shlo {

bool constant(PatternRewriter& p, OpId root) {
  const AttrValue* value = findAttr(p.old(root), "value");
  if (value == nullptr) return refuse(p, root, "it has no value");
  const std::string& element = p.type(root).tensor->element;
  if (!element.empty()) return refuse(p, root, "constants of " + element + " are not read");
  return finish(p, root, OpKind::TtirConstant, {}, {{"value", *value}});
}

// A number in every element of a shape.
bool constantLike(PatternRewriter& p, OpId root) {
  const AttrValue* value = findAttr(p.old(root), "value");
  if (value == nullptr) return refuse(p, root, "it has no value");
  double number = value->kind == AttrValueKind::Float ? value->number : static_cast<double>(value->integer);
  return finishAs(p, root, fill(p, root, p.type(root), number));
}

bool iota(PatternRewriter& p, OpId root) {
  int64_t dim = integer(p.old(root), "iota_dimension", 0);
  const Shape& shape = p.resultShape(root);
  if (dim < 0 || dim >= static_cast<int64_t>(shape.size())) return refuse(p, root, "its dim is outside of the result");
  return finish(p, root, OpKind::TtirArange, {},
                {{"arange_dimension", intAttr(dim)},
                 {"start", intAttr(0, "si64")},
                 {"end", intAttr(shape[static_cast<size_t>(dim)], "si64")},
                 {"step", intAttr(1, "si64")}});
}

bool reshape(PatternRewriter& p, OpId root) {
  if (!tensors(p, root, 1)) return false;
  if (elementCount(shapeOf(p, root, 0)) != elementCount(p.resultShape(root)))
    return refuse(p, root, "operand and result have different numbers of elements");
  if (shapeOf(p, root, 0) == p.resultShape(root)) return p.becomes(root, p.in(root, 0));
  p.replace(root, p.reshapeSpec(p.in(root, 0), p.resultShape(root)));
  return true;
}

bool transpose(PatternRewriter& p, OpId root) {
  if (!tensors(p, root, 1)) return false;
  std::vector<int64_t> order = ints(p.old(root), "permutation");
  if (order.size() != shapeOf(p, root, 0).size() || !dimsFit(order, order.size()))
    return refuse(p, root, "its permutation does not name every dim once");
  Shape permuted;
  for (int64_t d : order) permuted.push_back(shapeOf(p, root, 0)[static_cast<size_t>(d)]);
  if (permuted != p.resultShape(root)) return refuse(p, root, "its permutation does not give the result's shape");
  if (order.empty() || std::is_sorted(order.begin(), order.end())) return p.becomes(root, p.in(root, 0));
  p.replace(root, p.permuteSpec(p.in(root, 0), order));
  return true;
}

bool broadcastInDim(PatternRewriter& p, OpId root) {
  if (!tensors(p, root, 1)) return false;
  ValueId x = p.in(root, 0);
  std::vector<int64_t> dims = ints(p.old(root), "broadcast_dimensions");
  const Shape& shape = p.resultShape(root);
  if (dims.size() != p.shape(x).size() || !dimsFit(dims, shape.size()))
    return refuse(p, root, "its dims do not fit the operand");
  for (size_t i = 0; i < dims.size(); ++i) {
    int64_t from = p.shape(x)[i];
    if (from != 1 && from != shape[static_cast<size_t>(dims[i])])
      return refuse(p, root, "a dim of the operand is neither 1 nor the result's");
  }
  if (!std::is_sorted(dims.begin(), dims.end())) {
    std::vector<int64_t> order(dims.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
    std::sort(order.begin(), order.end(),
              [&](int64_t a, int64_t b) { return dims[static_cast<size_t>(a)] < dims[static_cast<size_t>(b)]; });
    x = p.emitPermute(root, x, order);
    std::sort(dims.begin(), dims.end());
  }
  Shape spread(shape.size(), 1);
  for (size_t i = 0; i < dims.size(); ++i) spread[static_cast<size_t>(dims[i])] = p.shape(x)[i];
  ValueId view = spread == shape ? x : p.emitReshape(root, x, spread);
  if (spread == shape) return finishAs(p, root, x);
  std::vector<int64_t> factors;
  for (size_t d = 0; d < shape.size(); ++d) factors.push_back(spread[d] > 0 ? shape[d] / spread[d] : 1);
  return finish(p, root, OpKind::TtirBroadcast, {view}, {{"broadcast_dimensions", intArrayAttr(std::move(factors))}});
}

bool concatenate(PatternRewriter& p, OpId root) {
  if (!tensors(p, root, 1)) return false;
  int64_t dim = integer(p.old(root), "dimension", 0);
  const Shape& shape = p.resultShape(root);
  if (dim < 0 || dim >= static_cast<int64_t>(shape.size())) return refuse(p, root, "its dim is outside of the result");
  std::vector<ValueId> operands;
  int64_t total = 0;
  for (size_t i = 0; i < p.old(root).operands.size(); ++i) {
    Shape own = shapeOf(p, root, i);
    if (own.size() != shape.size()) return refuse(p, root, "the operands have different ranks");
    if (!addChecked(total, own[static_cast<size_t>(dim)], total)) return refuse(p, root, "its dims are absurd");
    own[static_cast<size_t>(dim)] = shape[static_cast<size_t>(dim)];
    if (own != shape) return refuse(p, root, "the operands differ in more than one dim");
    operands.push_back(p.in(root, i));
  }
  if (total != shape[static_cast<size_t>(dim)]) return refuse(p, root, "the operands do not add up to the result");
  if (operands.size() == 1) return p.becomes(root, operands[0]);
  return finish(p, root, OpKind::TtirConcat, std::move(operands), {{"dim", intAttr(dim, "si32")}});
}

bool sliceStatic(PatternRewriter& p, OpId root) {
  if (!tensors(p, root, 1)) return false;
  const Op& op = p.old(root);
  const Shape in = shapeOf(p, root, 0);
  std::vector<int64_t> begins = ints(op, "start_indices"), ends = ints(op, "limit_indices"),
                       steps = ints(op, "strides");
  if (steps.empty()) steps = {1};
  for (auto* list : {&begins, &ends, &steps}) {  // older files: one number for all dims
    if (list->size() == 1) list->assign(in.size(), list->front());
  }
  if (begins.size() != in.size() || ends.size() != in.size() || steps.size() != in.size())
    return refuse(p, root, "its bounds have another rank than the operand");
  Shape shape;
  for (size_t d = 0; d < in.size(); ++d) {
    if (begins[d] < 0 || ends[d] > in[d] || begins[d] > ends[d] || steps[d] < 1)
      return refuse(p, root, "its bounds lie outside of the operand");
    shape.push_back(ceilDiv(ends[d] - begins[d], steps[d]));
  }
  if (shape != p.resultShape(root)) return refuse(p, root, "its bounds do not give the result's shape");
  if (shape == in) return p.becomes(root, p.in(root, 0));
  return finish(p, root, OpKind::TtirSliceStatic, {p.in(root, 0)},
                {{"begins", intListAttr(begins)}, {"ends", intListAttr(ends)}, {"step", intListAttr(steps)}});
}

namespace {

// Where a window of `sizes` begins in `shape` when the operands from `first` on are known numbers, clamped as
// StableHLO says.
std::optional<std::vector<int64_t>> knownStarts(PatternRewriter& p, OpId root, size_t first, const Shape& shape,
                                                const Shape& sizes) {
  std::vector<int64_t> starts;
  for (size_t d = 0; d < shape.size(); ++d) {
    std::optional<double> start = p.splat(p.in(root, first + d));
    if (!start && shape[d] != sizes[d]) return {};
    auto value = static_cast<int64_t>(std::clamp(start.value_or(0), -1e15, 1e15));
    starts.push_back(std::clamp<int64_t>(value, 0, shape[d] - sizes[d]));
  }
  return starts;
}

bool windowFits(const Shape& shape, const Shape& sizes) {
  if (shape.size() != sizes.size()) return false;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (sizes[d] > shape[d]) return false;
  }
  return true;
}

}  // namespace

bool dynamicSlice(PatternRewriter& p, OpId root) {
  if (!tensors(p, root, 1)) return false;
  const Shape shape = shapeOf(p, root, 0), sizes = p.resultShape(root);
  if (!windowFits(shape, sizes) || p.old(root).operands.size() != shape.size() + 1 || shape.empty())
    return refuse(p, root, "its sizes do not fit the operand");
  ValueId x = p.in(root, 0);
  if (std::optional<std::vector<int64_t>> starts = knownStarts(p, root, 1, shape, sizes)) {
    std::vector<int64_t> ends;
    for (size_t d = 0; d < sizes.size(); ++d) ends.push_back((*starts)[d] + sizes[d]);
    return finishAs(p, root, slice(p, root, x, *starts, ends));
  }
  std::vector<ValueId> starts;
  for (size_t d = 0; d < shape.size(); ++d) starts.push_back(p.emitReshape(root, p.in(root, d + 1), {1}));
  ValueType type = p.typeWith(p.typeOf(starts[0]), {static_cast<int64_t>(shape.size())});
  ValueId begins =
      starts.size() == 1 ? starts[0] : emit(p, root, OpKind::TtirConcat, starts, type, {{"dim", intAttr(0, "si32")}});
  ValueId widths = integers(p, root, sizes, type.tensor->dtype);
  ValueId ends = emit(p, root, OpKind::TtirAdd, {begins, widths}, type);
  return finish(p, root, OpKind::TtirSliceDynamic, {x, begins, ends},
                {{"step", intListAttr(std::vector<int64_t>(shape.size(), 1))}});
}

// With a known start: what lies before, the update, what lies behind, dim by dim.
bool dynamicUpdateSlice(PatternRewriter& p, OpId root) {
  if (!tensors(p, root, 2)) return false;
  const Shape shape = shapeOf(p, root, 0), sizes = shapeOf(p, root, 1);
  if (!windowFits(shape, sizes) || p.old(root).operands.size() != shape.size() + 2 || shape != p.resultShape(root))
    return refuse(p, root, "its update does not fit the operand");
  if (shape == sizes) return p.becomes(root, p.in(root, 1));
  std::optional<std::vector<int64_t>> starts = knownStarts(p, root, 2, shape, sizes);
  if (!starts)
    return refuse(p, root, "it writes at a place that is known at run time only; the compiler runs it on the host");
  ValueId inner = p.in(root, 1);
  std::vector<int64_t> low = *starts, high;
  for (size_t d = 0; d < shape.size(); ++d) high.push_back(low[d] + sizes[d]);
  // From the last dim on: the update grows to the operand's size in one dim after the other.
  for (size_t back = shape.size(); back > 0; --back) {
    size_t d = back - 1;
    if (sizes[d] == shape[d]) continue;
    std::vector<int64_t> begins = low, ends = high;
    std::vector<ValueId> parts;
    begins[d] = 0;
    ends[d] = low[d];
    if (ends[d] > 0) parts.push_back(slice(p, root, p.in(root, 0), begins, ends));
    parts.push_back(inner);
    begins[d] = high[d];
    ends[d] = shape[d];
    if (begins[d] < ends[d]) parts.push_back(slice(p, root, p.in(root, 0), begins, ends));
    low[d] = 0;
    high[d] = shape[d];
    Shape grown;
    for (size_t i = 0; i < shape.size(); ++i) grown.push_back(high[i] - low[i]);
    inner = emit(p, root, OpKind::TtirConcat, parts, p.typeWith(p.type(root), grown),
                 {{"dim", intAttr(static_cast<int64_t>(d), "si32")}});
  }
  return finishAs(p, root, inner);
}

ValueId dilate(PatternRewriter& p, OpId root, ValueId x, const std::vector<int64_t>& interior, double value) {
  for (size_t d = 0; d < interior.size(); ++d) {
    Shape shape = p.shape(x);
    if (interior[d] == 0 || shape[d] <= 1) continue;
    Shape column = shape;
    column.insert(column.begin() + static_cast<std::ptrdiff_t>(d) + 1, 1);
    std::vector<int64_t> padding(2 * column.size(), 0);
    padding[2 * (d + 1) + 1] = interior[d];
    Shape wide = column;
    wide[d + 1] = 1 + interior[d];
    ValueId padded = emit(p, root, OpKind::TtirPad, {p.emitReshape(root, x, column)}, p.typeWith(p.typeOf(x), wide),
                          {{"padding", intArrayAttr(std::move(padding), "i32")}, {"value", f32Attr(value)}});
    Shape flat = shape;
    flat[d] = shape[d] * (1 + interior[d]);
    ValueId all = p.emitReshape(root, padded, flat);
    std::vector<int64_t> begins(flat.size(), 0), ends = flat;
    ends[d] -= interior[d];
    x = slice(p, root, all, begins, ends);
  }
  return x;
}

struct Edges {
  std::vector<int64_t> low, high;  // per dim; what is negative cuts off
  double value = 0;
};

// Pads by what is positive and cuts off what is negative: first, as the smaller tensor is padded then, unless nothing
// would be left of a dim.
bool padEdges(PatternRewriter& p, OpId root, ValueId x, const Edges& edges) {
  const Shape shape = p.shape(x);
  std::vector<int64_t> begins, ends, padding;
  Shape padded;
  bool pads = false, cutsFirst = true;
  for (size_t d = 0; d < shape.size(); ++d) {
    const int64_t before = std::max<int64_t>(edges.low[d], 0), after = std::max<int64_t>(edges.high[d], 0);
    begins.push_back(std::max<int64_t>(-edges.low[d], 0));
    ends.push_back(shape[d] - std::max<int64_t>(-edges.high[d], 0));
    padding.insert(padding.end(), {before, after});
    padded.push_back(shape[d] + before + after);
    pads = pads || before + after > 0;
    cutsFirst = cutsFirst && begins[d] < ends[d];
  }
  if (!pads) return finishAs(p, root, slice(p, root, x, begins, ends));
  AttrList attrs = {{"padding", intArrayAttr(std::move(padding), "i32")}, {"value", f32Attr(edges.value)}};
  if (cutsFirst) return finish(p, root, OpKind::TtirPad, {slice(p, root, x, begins, ends)}, attrs);
  x = emit(p, root, OpKind::TtirPad, {x}, p.typeWith(p.typeOf(x), padded), attrs);
  for (size_t d = 0; d < shape.size(); ++d) ends[d] += padded[d] - shape[d];
  return finishAs(p, root, slice(p, root, x, begins, ends));
}

bool pad(PatternRewriter& p, OpId root) {
  if (!tensors(p, root, 2)) return false;
  const Op& op = p.old(root);
  const Shape in = shapeOf(p, root, 0);
  std::vector<int64_t> low = ints(op, "edge_padding_low"), high = ints(op, "edge_padding_high"),
                       interior = ints(op, "interior_padding");
  if (interior.empty()) interior.assign(in.size(), 0);
  if (low.size() != in.size() || high.size() != in.size() || interior.size() != in.size())
    return refuse(p, root, "its padding has another rank than the operand");
  constexpr int64_t kSane = int64_t{1} << 31;
  Shape grown;
  for (size_t d = 0; d < in.size(); ++d) {
    bool sane = std::abs(low[d]) < kSane && std::abs(high[d]) < kSane && interior[d] >= 0 && interior[d] < kSane &&
                in[d] < kSane;
    if (!sane) return refuse(p, root, "its padding is absurd");
    grown.push_back(in[d] + std::max<int64_t>(in[d] - 1, 0) * interior[d] + low[d] + high[d]);
  }
  if (grown != p.resultShape(root)) return refuse(p, root, "its padding does not give the result's shape");
  std::optional<double> value = p.splat(p.in(root, 1));
  if (!value) return refuse(p, root, "the value it pads with is known at run time only");
  return padEdges(p, root, dilate(p, root, p.in(root, 0), interior, *value), {low, high, *value});
}

bool reverse(PatternRewriter& p, OpId root) {
  if (!tensors(p, root, 1)) return false;
  std::vector<int64_t> dims = ints(p.old(root), "dimensions");
  if (!dimsFit(dims, p.resultShape(root).size()) || shapeOf(p, root, 0) != p.resultShape(root))
    return refuse(p, root, "its dims do not fit the operand");
  if (dims.empty()) return p.becomes(root, p.in(root, 0));
  return finish(p, root, OpKind::TtirReverse, {p.in(root, 0)}, {{"dimensions", intArrayAttr(std::move(dims))}});
}

bool dimensionSize(PatternRewriter& p, OpId root) {
  if (!tensors(p, root, 1)) return false;
  int64_t dim = integer(p.old(root), "dimension", -1);
  if (dim < 0 || dim >= static_cast<int64_t>(shapeOf(p, root, 0).size()))
    return refuse(p, root, "its dim is outside of the operand");
  return finish(p, root, OpKind::TtirGetDimensionSize, {p.in(root, 0)}, {{"dimension", intAttr(dim, "i32")}});
}

}  // namespace tessera::shlo
