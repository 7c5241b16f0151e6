// Workarounds for ops that the library knows for some ranks, sizes or dims only.

#include <algorithm>
#include <limits>

#include "core/ir/tensor_layout.h"
#include "core/lowering/prepare/view_map.h"
#include "core/lowering/prepare/views.h"
#include "core/lowering/ttnn_attrs.h"
#include "core/lowering/workaround_rules.h"
#include "core/support/units.h"

namespace tessera {

namespace {

// Dims of a reduction, not negative, ascending and without duplicates; empty when they are not understood.
std::vector<int64_t> reducedDims(const TtnnOps& t, size_t rank) {
  std::vector<int64_t> dims;
  for (int64_t dim : t.ints("dim_arg")) {
    dim = dimFromEnd(dim, rank);
    if (dim < 0 || dim >= static_cast<int64_t>(rank)) return {};
    dims.push_back(dim);
  }
  std::sort(dims.begin(), dims.end());
  dims.erase(std::unique(dims.begin(), dims.end()), dims.end());
  return dims;
}

Shape withOnesInFront(const Shape& shape, size_t rank) {
  Shape out(rank > shape.size() ? rank - shape.size() : 0, 1);
  out.insert(out.end(), shape.begin(), shape.end());
  return out;
}

// The same op on tensors with ones in front; `dims` are the attributes that name a dim.
bool onMoreDims(TtnnOps& t, size_t rank, std::initializer_list<std::string_view> dims) {
  AttrList attrs = t.op().attrs;
  size_t had = t.shape(t.in(0)).size();
  for (std::string_view name : dims) {
    int64_t dim = t.integer(name, 0);
    if (dim >= 0) setAttribute(attrs, name, intAttr(dim + static_cast<int64_t>(rank - had), "si32"));
  }
  std::vector<ValueId> operands;
  for (size_t i = 0; i < t.inputs(); ++i) {
    ValueId value = t.in(i);  // invalid: the device
    operands.push_back(value.valid() ? t.reshape(value, withOnesInFront(t.shape(value), rank)) : t.raw(i));
  }
  ValueType type = t.like(t.resultType(), withOnesInFront(t.resultShape(), rank));
  t.becomes(t.reshape(t.again(std::move(operands), std::move(attrs), {type})[0], t.resultShape()));
  return true;
}

}  // namespace

// One dim after the other, the last first, each kept as one; a reshape takes them away in the end. All dims at once
// stay one op.
bool reduceOneByOne(TtnnOps& t) {
  if (t.inputs() != 1 || !t.in(0).valid() || t.op().results.size() != 1) return false;
  Shape shape = t.shape(t.in(0));
  std::vector<int64_t> dims = reducedDims(t, shape.size());
  if (dims.size() < 2 || dims.size() == shape.size()) return false;
  ValueId value = t.in(0);
  for (size_t i = dims.size(); i > 0; --i) {
    shape[static_cast<size_t>(dims[i - 1])] = 1;
    AttrList attrs = t.op().attrs;
    setAttribute(attrs, "dim_arg", intListAttr({dims[i - 1]}));
    setAttribute(attrs, "keep_dim", boolAttr(true));
    value = t.again({value}, std::move(attrs), {t.like(t.resultType(), shape)})[0];
  }
  t.becomes(t.reshape(value, t.resultShape()));
  return true;
}

bool gatherOnMoreDims(TtnnOps& t) {
  return t.in(0).valid() && t.shape(t.in(0)).size() == 1 && onMoreDims(t, 2, {"all_gather_dim"});
}

bool reduceAcrossChipsOnFourDims(TtnnOps& t) {
  return t.in(0).valid() && t.shape(t.in(0)).size() < 4 && !t.shape(t.in(0)).empty() &&
         (findAttr(t.op(), "scatter_dim") != nullptr ? onMoreDims(t, 4, {"scatter_dim"}) : onMoreDims(t, 4, {}));
}

// Each chip adds up a part of the last dim, then all parts are gathered. Parts must be equal.
bool reduceByScatterAndGather(TtnnOps& t) {
  ValueId input = t.in(0);
  const std::vector<int64_t>& mesh = t.context().options.meshShape;
  int64_t axis = t.integer("cluster_axis", 0);
  if (!input.valid() || axis < 0 || axis >= static_cast<int64_t>(mesh.size())) return false;
  const Shape whole = withOnesInFront(t.shape(input), 4);
  const int64_t chips = mesh[static_cast<size_t>(axis)], last = static_cast<int64_t>(whole.size()) - 1;
  if (chips < 2 || whole.back() % chips != 0) return false;
  Shape part = whole;
  part.back() /= chips;
  AttrList attrs = t.op().attrs, gather;
  setAttribute(attrs, "num_links", intAttr(1, "ui32"));
  for (const Attribute& attr : attrs) {
    if (attr.name != "reduce_type") gather.push_back(attr);
  }
  setAttribute(attrs, "scatter_dim", intAttr(last, "si32"));
  setAttribute(gather, "all_gather_dim", intAttr(last, "si32"));
  ValueId sums = t.make(OpKind::TtnnReduceScatter, {t.reshape(input, whole), t.device()}, t.like(t.resultType(), part),
                        std::move(attrs));
  ValueId all = t.make(OpKind::TtnnAllGather, {sums, t.device()}, t.like(t.resultType(), whole), std::move(gather));
  t.becomes(t.reshape(all, t.resultShape()));
  return true;
}

bool gatherInTwoDims(TtnnOps& t) {
  return t.in(0).valid() && t.shape(t.in(0)).size() == 1 && onMoreDims(t, 2, {"dim"});
}

// The kernel reads unsigned places: where one is negative the result is no number.
bool gatherWithoutNegatives(TtnnOps& t) {
  ValueId index = t.in(1);
  if (!index.valid() || t.dtype(index) != DType::I32 || !t.type(index).tensor->layout ||
      t.type(index).tensor->layout->page != PageLayout::Tile || isInteger(t.resultType().tensor->dtype))
    return false;
  ValueId zero = t.full(t.type(index), 0);
  ValueId negative = t.make(OpKind::TtnnLt, {index, zero}, t.type(index));
  ValueId clamped = t.make(OpKind::TtnnMaximum, {index, zero}, t.type(index));
  ValueType places = t.like(t.type(index), DType::U32);
  ValueId safe = t.make(OpKind::TtnnToTensorSpec, {clamped}, places);
  ValueId raw = t.again({t.in(0), safe}, t.resultType());
  ValueId nothing = t.full(t.resultType(), std::numeric_limits<double>::quiet_NaN());
  t.becomes(t.make(OpKind::TtnnWhere, {negative, nothing, raw}, t.resultType()));
  return true;
}

bool argmaxOverTheLastDim(TtnnOps& t) {
  ValueId input = t.in(0);
  if (!input.valid() || findAttr(t.op(), "dim") == nullptr) return false;
  size_t rank = t.shape(input).size();
  int64_t dim = dimFromEnd(t.integer("dim", 0), rank), last = static_cast<int64_t>(rank) - 1;
  if (dim < 0 || dim >= last) return false;
  std::vector<int64_t> order, back;
  for (int64_t i = 0; i <= last; ++i) order.push_back(i);
  std::swap(order[static_cast<size_t>(dim)], order.back());
  ValueId moved = t.permute(input, order);
  Shape reduced = t.shape(moved);
  if (t.flag("keep_dim")) {
    reduced.back() = 1;
    back = order;
  } else {
    // What stood last stands where the dim was.
    reduced.pop_back();
    for (int64_t i = 0; i < last; ++i) back.push_back(i < dim ? i : (i == dim ? last - 1 : i - 1));
    back = inverseOf(back);
  }
  AttrList attrs = t.op().attrs;
  setAttribute(attrs, "dim", intAttr(last, "i32"));
  ValueId found = t.again({moved}, std::move(attrs), {t.like(t.resultType(), reduced)})[0];
  t.becomes(t.permute(found, back));
  return true;
}

// A table of more than four dims is a matrix all the same.
bool embeddingOfFlatTable(TtnnOps& t) {
  ValueId table = t.in(1);
  if (!table.valid() || t.shape(table).size() <= 4) return false;
  const Shape& shape = t.shape(table);
  for (size_t i = 0; i + 2 < shape.size(); ++i) {
    if (shape[i] != 1) return false;
  }
  ValueId flat = t.reshape(table, {1, 1, shape[shape.size() - 2], shape.back()});
  t.becomes(t.again({t.in(0), flat}, t.resultType()));
  return true;
}

// A row, twice, must fit in L1: a dim that does takes the last one's place.
bool sliceOfShortRows(TtnnOps& t) {
  ValueId input = t.in(0);
  const Shape& shape = t.resultShape();
  if (!input.valid() || shape.size() < 2) return false;
  int64_t element = scalarBytes(t.dtype(input)), room = t.context().device.usableL1().count;
  auto fits = [&](size_t dim) { return shape[dim] <= room / (2 * element); };
  if (fits(shape.size() - 1)) return false;
  size_t swap = shape.size() - 1;
  for (size_t d = shape.size() - 1; d-- > 0 && swap == shape.size() - 1;) {
    if (fits(d)) swap = d;
  }
  if (swap == shape.size() - 1) return false;
  std::vector<int64_t> order;
  for (size_t i = 0; i < shape.size(); ++i) order.push_back(static_cast<int64_t>(i));
  std::swap(order[swap], order.back());
  AttrList attrs = t.op().attrs;
  for (const char* name : {"begins", "ends", "step"}) {
    std::vector<int64_t> numbers = t.ints(name);
    if (numbers.size() != shape.size()) return false;
    std::swap(numbers[swap], numbers.back());
    setAttribute(attrs, name, intListAttr(numbers));
  }
  Shape moved = shape;
  std::swap(moved[swap], moved.back());
  ValueId sliced = t.again({t.permute(input, order)}, std::move(attrs), {t.like(t.resultType(), moved)})[0];
  t.becomes(t.permute(sliced, order));
  return true;
}

// Five dims with padding in the middle: channels and batch become one dim in front.
bool padInFourDims(TtnnOps& t) {
  ValueId input = t.in(0);
  std::vector<int64_t> padding = t.ints("padding");
  if (!input.valid() || t.shape(input).size() != 5 || padding.size() != 10) return false;
  auto any = [&](size_t d) { return padding[2 * d] != 0 || padding[2 * d + 1] != 0; };
  if (any(0) || any(4) || (!any(1) && !any(2) && !any(3))) return false;
  const Shape shape = t.shape(input), padded = t.resultShape();
  ValueId front = t.permute(input, {4, 0, 1, 2, 3});
  ValueId flat = t.reshape(front, {shape[4] * shape[0], shape[1], shape[2], shape[3]});
  std::vector<int64_t> inner = {0, 0};
  inner.insert(inner.end(), padding.begin() + 2, padding.begin() + 8);
  AttrList attrs = t.op().attrs;
  setAttribute(attrs, "padding", intArrayAttr(inner, "i32"));
  ValueType type = t.like(t.resultType(), {shape[4] * shape[0], padded[1], padded[2], padded[3]});
  ValueId made = t.again({flat}, std::move(attrs), {type})[0];
  ValueId whole = t.reshape(made, {shape[4], shape[0], padded[1], padded[2], padded[3]});
  t.becomes(t.permute(whole, {1, 2, 3, 4, 0}));
  return true;
}

namespace {

// The kernel for wide rows works on blocks of tiles that must divide its buffers of 80.
bool widthIsSafe(int64_t tiles, int64_t most) {
  constexpr int64_t kBufferTiles = 80;
  for (int64_t block = most; block >= 1; --block) {
    if (block == 5 || block == 7 || tiles % block != 0) continue;
    return kBufferTiles % block == 0;
  }
  return true;
}

}  // namespace

bool softmaxOfSafeWidth(TtnnOps& t) {
  ValueId input = t.in(0);
  if (!input.valid() || t.shape(input).size() != 4) return false;
  const Shape shape = t.shape(input);
  if (dimFromEnd(t.integer("dimension", -1), 4) != 3) return false;
  int64_t tiles = alignUp(shape[3], kTileSide) / kTileSide, most = t.dtype(input) == DType::F32 ? 4 : 8, safe = tiles;
  while (!widthIsSafe(safe, most)) ++safe;
  if (safe == tiles) return false;
  Shape wide = shape;
  wide[3] = safe * kTileSide;
  ValueId padded = t.padTo(input, wide, -std::numeric_limits<double>::infinity());
  ValueId made = t.again({padded}, t.like(t.resultType(), wide));
  t.becomes(t.slice(made, {0, 0, 0, 0}, shape));
  return true;
}

bool samplingInFourDims(TtnnOps& t) {
  ValueId values = t.in(0), indices = t.in(1);
  if (!values.valid() || !indices.valid() || t.shape(values).size() != 2 || t.inputs() < 5 ||
      t.op().results.size() != 1)
    return false;
  int64_t batch = t.shape(values)[0], width = t.shape(values)[1];
  std::vector<ValueId> operands = {t.reshape(values, {1, 1, batch, width}), t.reshape(indices, {1, 1, batch, width})};
  for (size_t i = 2; i < t.inputs(); ++i) operands.push_back(t.raw(i));
  t.becomes(t.reshape(t.again(std::move(operands), t.like(t.resultType(), {1, 1, 1, batch})), t.resultShape()));
  return true;
}

// The kernel routes to a multiple of eight experts.
bool routeToEightExperts(TtnnOps& t) {
  constexpr int64_t kUnit = 8;
  int64_t k = t.integer("k", 0), padded = alignUp(k, kUnit);
  if (k <= 0 || k == padded || t.op().results.size() != 2) return false;
  AttrList attrs = t.op().attrs;
  setAttribute(attrs, "k", intAttr(padded, "i32"));
  std::vector<ValueId> operands;
  std::vector<ValueType> types;
  for (size_t i = 0; i < t.inputs(); ++i) operands.push_back(t.raw(i));
  for (size_t i = 0; i < 2; ++i) {
    Shape shape = t.resultShape(i);
    if (shape.empty()) return false;
    shape.back() = padded;
    types.push_back(t.like(t.resultType(i), shape));
  }
  std::vector<ValueId> made = t.again(std::move(operands), std::move(attrs), std::move(types));
  for (size_t i = 0; i < 2; ++i) t.becomes(t.sliceDim(made[i], t.resultShape(i).size() - 1, 0, k), i);
  return true;
}

// Bilinear upsampling works on whole tiles of channels.
bool upsampleOfWholeTiles(TtnnOps& t) {
  ValueId input = t.in(0);
  const AttrValue* mode = findAttr(t.op(), "mode");
  if (!input.valid() || t.shape(input).size() != 4 || mode == nullptr || mode->string != "bilinear") return false;
  Shape in = t.shape(input), out = t.resultShape();
  int64_t channels = alignUp(in[3], kTileSide);
  if (channels == in[3]) return false;
  in[3] = out[3] = channels;
  ValueId made = t.again({t.padTo(input, in)}, t.like(t.resultType(), out));
  t.becomes(t.sliceDim(made, 3, 0, t.resultShape()[3]));
  return true;
}

}  // namespace tessera
