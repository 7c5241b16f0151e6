// Gather and scatter: static and dynamic slices, rows of tables, caches, gradients of embeddings, and the general form
// through one flat index. Source: tt-mlir lib/Conversion/StableHLOToTTIR@19c86fca.

#include <algorithm>
#include <numeric>

#include "core/ir/constant_value.h"
#include "core/lowering/stablehlo/convert.h"
#include "core/support/units.h"

namespace tessera::shlo {

namespace {

bool holds(const std::vector<int64_t>& list, size_t value) {
  return std::find(list.begin(), list.end(), static_cast<int64_t>(value)) != list.end();
}

int64_t productOf(const Shape& shape) { return elementCount(shape).value_or(0); }

// What gather and scatter say of the operand's dims, under the names of gather.
struct Plan {
  std::vector<int64_t> offset;        // dims of the result (updates) that a window fills
  std::vector<int64_t> collapsed;     // operand dims that the window has no dim for
  std::vector<int64_t> batchOperand;  // operand dims walked along with the indices
  std::vector<int64_t> batchIndices;  // dims of the indices they walk along
  std::vector<int64_t> map;           // operand dims of the parts of an index
  std::vector<int64_t> sizes;         // of the window, per operand dim
  int64_t vectorDim = 0;
};

bool planFits(const Plan& plan, const Shape& operand, const Shape& indices) {
  std::vector<int64_t> gone = plan.collapsed;
  gone.insert(gone.end(), plan.batchOperand.begin(), plan.batchOperand.end());
  if (!dimsFit(gone, operand.size()) || !dimsFit(plan.map, operand.size()) || plan.sizes.size() != operand.size() ||
      plan.batchOperand.size() != plan.batchIndices.size() || !dimsFit(plan.batchIndices, indices.size()) ||
      plan.vectorDim < 0 || plan.vectorDim > static_cast<int64_t>(indices.size()) ||
      plan.offset.size() + gone.size() != operand.size())
    return false;
  const bool implied = plan.vectorDim == static_cast<int64_t>(indices.size());
  int64_t parts = implied ? 1 : indices[static_cast<size_t>(plan.vectorDim)];
  const size_t rank = indices.size() - (implied ? 0 : 1) + plan.offset.size();  // of the result or the updates
  if (parts != static_cast<int64_t>(plan.map.size()) || !dimsFit(plan.offset, rank) ||
      !std::is_sorted(plan.offset.begin(), plan.offset.end()))
    return false;
  for (size_t i = 0; i < plan.batchOperand.size(); ++i) {
    auto from = static_cast<size_t>(plan.batchOperand[i]), along = static_cast<size_t>(plan.batchIndices[i]);
    if (plan.batchIndices[i] == plan.vectorDim || operand[from] != indices[along]) return false;
  }
  for (size_t d = 0; d < operand.size(); ++d) {
    if (plan.sizes[d] < 0 || plan.sizes[d] > operand[d] || (holds(gone, d) && plan.sizes[d] != 1 && operand[d] != 0))
      return false;
    if (holds(plan.batchOperand, d) && holds(plan.map, d)) return false;
  }
  return true;
}

// Whether a window fills every dim in which no index places it.
bool windowsFill(const Plan& plan, const Shape& operand) {
  for (size_t d = 0; d < operand.size(); ++d) {
    if (plan.sizes[d] != operand[d] && !holds(plan.map, d) && !holds(plan.batchOperand, d)) return false;
  }
  return true;
}
constexpr std::string_view kLooseWindow = "a window that neither fills a dim nor is placed in it";

// The dims of the indices without that of the parts.
Shape batchShape(const Plan& plan, const Shape& indices) {
  Shape batch;
  for (size_t d = 0; d < indices.size(); ++d) {
    if (static_cast<int64_t>(d) != plan.vectorDim) batch.push_back(indices[d]);
  }
  return batch;
}

// Operand dims that a flat index names: indexed ones that the window does not fill, and batch dims.
std::vector<size_t> namedDims(const Plan& plan, const Shape& operand) {
  std::vector<size_t> dims;
  for (size_t d = 0; d < operand.size(); ++d) {
    bool whole = plan.sizes[d] == operand[d] && operand[d] != 1;
    bool indexed = holds(plan.map, d) && !(whole && !holds(plan.collapsed, d));
    if (indexed || holds(plan.batchOperand, d)) dims.push_back(d);
  }
  return dims;
}

// An arange along dim `dim` of `shape`, times `step`.
ValueId counting(PatternRewriter& p, OpId root, const ValueType& like, const Shape& shape, size_t dim, int64_t step) {
  return emit(p, root, OpKind::TtirArange, {}, p.typeWith(like, shape),
              {{"arange_dimension", intAttr(static_cast<int64_t>(dim))},
               {"start", intAttr(0, "si64")},
               {"end", intAttr(shape[dim] * step, "si64")},
               {"step", intAttr(step, "si64")}});
}

// Rows of the operand seen as [product of the named dims, rest]: an index for each window and each place in it along
// the named dims. Shape: batch dims, then the window's size in each named dim.
struct FlatIndex {
  ValueId value;
  Shape shape;
};

// The indices with the parts of each in the last dim.
ValueId partsLast(PatternRewriter& p, OpId root, ValueId indices, int64_t vectorDim) {
  const size_t rank = p.shape(indices).size();
  if (vectorDim >= static_cast<int64_t>(rank)) return indices;
  std::vector<int64_t> order;
  for (size_t d = 0; d < rank; ++d) {
    if (static_cast<int64_t>(d) != vectorDim) order.push_back(static_cast<int64_t>(d));
  }
  order.push_back(vectorDim);
  return p.emitPermute(root, indices, order);
}

// What a step along each of the named dims is in the product of them.
std::vector<int64_t> stridesOf(const Shape& operand, const std::vector<size_t>& named) {
  std::vector<int64_t> strides(named.size(), 1);
  for (size_t i = named.size(); i > 1; --i) strides[i - 2] = strides[i - 1] * operand[named[i - 1]];
  return strides;
}

// Part `which` of each index, times `stride`, in the shape `part`.
ValueId scaledPart(PatternRewriter& p, OpId root, ValueId indices, const Plan& plan, int64_t which, int64_t stride,
                   const Shape& part) {
  ValueId piece = indices;
  if (plan.map.size() > 1) {
    std::vector<int64_t> begins(p.shape(indices).size(), 0), ends = p.shape(indices);
    begins.back() = which;
    ends.back() = which + 1;
    piece = slice(p, root, indices, begins, ends);
  }
  piece = p.emitReshape(root, piece, part);
  if (stride == 1) return piece;
  ValueType type = p.typeOf(piece);
  return emit(p, root, OpKind::TtirMultiply, {piece, fill(p, root, type, static_cast<double>(stride))}, type);
}

FlatIndex flatIndex(PatternRewriter& p, OpId root, ValueId indices, const Plan& plan, const Shape& operand,
                    const std::vector<size_t>& named) {
  const Shape from = p.shape(indices);
  const ValueType like = p.typeOf(indices);
  Shape batch = batchShape(plan, from);
  indices = partsLast(p, root, indices, plan.vectorDim);
  Shape full = batch;
  for (size_t d : named) full.push_back(plan.sizes[d]);
  ValueId sum;
  auto add = [&](ValueId term, const Shape& shape) {
    ValueId view = p.emitReshape(root, term, shape);
    if (!sum.valid()) {
      sum = view;
      return;
    }
    Shape joined = p.shape(sum);
    for (size_t d = 0; d < joined.size(); ++d) joined[d] = std::max(joined[d], shape[d]);
    sum = emit(p, root, OpKind::TtirAdd, {sum, view}, p.typeWith(like, joined));
  };
  const std::vector<int64_t> strides = stridesOf(operand, named);
  for (size_t i = 0; i < named.size(); ++i) {
    size_t d = named[i];
    Shape part(full.size(), 1);
    for (size_t b = 0; b < batch.size(); ++b) part[b] = batch[b];
    if (holds(plan.batchOperand, d)) {
      size_t which =
          static_cast<size_t>(std::find(plan.batchOperand.begin(), plan.batchOperand.end(), static_cast<int64_t>(d)) -
                              plan.batchOperand.begin());
      auto at = static_cast<size_t>(plan.batchIndices[which]);
      at -= static_cast<int64_t>(at) > plan.vectorDim ? 1 : 0;
      Shape line(full.size(), 1);
      line[at] = batch[at];
      add(counting(p, root, like, line, at, strides[i]), line);
      continue;
    }
    auto which =
        static_cast<int64_t>(std::find(plan.map.begin(), plan.map.end(), static_cast<int64_t>(d)) - plan.map.begin());
    add(scaledPart(p, root, indices, plan, which, strides[i], part), part);
    if (plan.sizes[d] <= 1) continue;
    Shape line(full.size(), 1);
    line[batch.size() + i] = plan.sizes[d];
    add(counting(p, root, like, line, batch.size() + i, strides[i]), line);
  }
  if (!sum.valid()) sum = fill(p, root, p.typeWith(like, full), 0);
  Shape have = p.shape(sum);
  if (have != full) {
    std::vector<int64_t> all(full.size());
    std::iota(all.begin(), all.end(), 0);
    sum = broadcastTo(p, root, sum, all, full);
  }
  return {sum, full};
}

// The order of operand dims: named ones first.
std::vector<int64_t> namedFirst(const std::vector<size_t>& named, size_t rank) {
  std::vector<int64_t> order;
  for (size_t d : named) order.push_back(static_cast<int64_t>(d));
  for (size_t d = 0; d < rank; ++d) {
    if (std::find(named.begin(), named.end(), d) == named.end()) order.push_back(static_cast<int64_t>(d));
  }
  return order;
}

// Where each dim of [batch..., named windows..., other dims...] goes in the result of a gather, or comes from in the
// updates of a scatter. Dims of collapsed and batch operand dims have size 1 and are left out.
struct WindowOrder {
  Shape inner;                 // sizes of [batch..., kept named..., other dims...]
  std::vector<int64_t> order;  // result dim i is inner dim order[i]
};

WindowOrder windowOrder(const Plan& plan, const Shape& batch, const std::vector<size_t>& named, size_t rank) {
  WindowOrder out;
  out.inner = batch;
  std::vector<int64_t> placeOf(rank, -1);
  for (int64_t d : namedFirst(named, rank)) {
    auto dim = static_cast<size_t>(d);
    if (holds(plan.collapsed, dim) || holds(plan.batchOperand, dim)) continue;
    placeOf[dim] = static_cast<int64_t>(out.inner.size());
    out.inner.push_back(plan.sizes[dim]);
  }
  std::vector<int64_t> windows;
  for (int64_t place : placeOf) {
    if (place >= 0) windows.push_back(place);
  }
  size_t nextBatch = 0, nextWindow = 0;
  for (size_t d = 0; d < out.inner.size(); ++d) {
    bool window = holds(plan.offset, d);
    if (window && nextWindow < windows.size()) out.order.push_back(windows[nextWindow++]);
    else out.order.push_back(static_cast<int64_t>(nextBatch++));
  }
  return out;
}

bool sameSet(const std::vector<int64_t>& order, size_t count) { return order.size() == count && dimsFit(order, count); }

Plan gatherPlan(const Op& op, const Shape& indices) {
  constexpr std::string_view kNumbers = "dimension_numbers";
  Plan plan;
  plan.offset = listIn(op, kNumbers, "offset_dims");
  plan.collapsed = listIn(op, kNumbers, "collapsed_slice_dims");
  plan.batchOperand = listIn(op, kNumbers, "operand_batching_dims");
  plan.batchIndices = listIn(op, kNumbers, "start_indices_batching_dims");
  plan.map = listIn(op, kNumbers, "start_index_map");
  plan.sizes = ints(op, "slice_sizes");
  plan.vectorDim = numberIn(op, kNumbers, "index_vector_dim").value_or(0);
  if (plan.vectorDim < 0) plan.vectorDim = static_cast<int64_t>(indices.size());
  return plan;
}

// One window, at a place that the indices name: a slice.
std::optional<ValueId> gatherAsSlice(PatternRewriter& p, OpId root, const Plan& plan, const Shape& operand) {
  const Shape indices = shapeOf(p, root, 1);
  bool one = plan.batchOperand.empty() && plan.collapsed.empty() && productOf(batchShape(plan, indices)) == 1 &&
             indices.size() <= 1 && plan.vectorDim == 0;
  if (!one) return {};
  std::optional<double> known = p.splat(p.in(root, 1));
  if (known) {
    std::vector<int64_t> begins, ends;
    for (size_t d = 0; d < operand.size(); ++d) {
      int64_t start = holds(plan.map, d) ? static_cast<int64_t>(std::clamp(*known, -1e15, 1e15)) : 0;
      begins.push_back(std::clamp<int64_t>(start, 0, operand[d] - plan.sizes[d]));
      ends.push_back(begins.back() + plan.sizes[d]);
    }
    return slice(p, root, p.in(root, 0), begins, ends);
  }
  // begins: the parts of the index at their dims, 0 elsewhere.
  const ValueType like = p.typeOf(p.in(root, 1));
  ValueId parts = p.emitReshape(root, p.in(root, 1), {static_cast<int64_t>(plan.map.size())});
  std::vector<ValueId> pieces;
  for (size_t d = 0; d < operand.size(); ++d) {
    auto which =
        static_cast<int64_t>(std::find(plan.map.begin(), plan.map.end(), static_cast<int64_t>(d)) - plan.map.begin());
    bool named = which < static_cast<int64_t>(plan.map.size());
    pieces.push_back(named ? slice(p, root, parts, {which}, {which + 1}) : fill(p, root, p.typeWith(like, {1}), 0));
  }
  ValueType type = p.typeWith(like, {static_cast<int64_t>(operand.size())});
  ValueId begins =
      pieces.size() == 1 ? pieces[0] : emit(p, root, OpKind::TtirConcat, pieces, type, {{"dim", intAttr(0, "si32")}});
  ValueId ends = emit(p, root, OpKind::TtirAdd, {begins, integers(p, root, plan.sizes, like.tensor->dtype)}, type);
  return emit(p, root, OpKind::TtirSliceDynamic, {p.in(root, 0), begins, ends}, p.type(root),
              {{"step", intListAttr(std::vector<int64_t>(operand.size(), 1))}});
}

// Rows of a table: integers through an exact gather, everything else as an embedding.
ValueId rowsOf(PatternRewriter& p, OpId root, ValueId table, ValueId rows) {
  int64_t count = productOf(p.shape(rows)), width = p.shape(table)[1];
  ValueType type = p.typeWith(p.typeOf(table), {count, width});
  if (isFloatType(type.tensor->dtype))
    return emit(p, root, OpKind::TtirEmbedding, {p.emitReshape(root, rows, {1, count}), table},
                p.typeWith(type, {1, count, width}));
  ValueId spread = broadcastTo(p, root, p.emitReshape(root, rows, {count, 1}), {0, 1}, {count, width});
  return emit(p, root, OpKind::TtirGather, {table, spread}, type, {{"dim", intAttr(0, "i32")}});
}

}  // namespace

bool gather(PatternRewriter& p, OpId root) {
  if (!tensors(p, root, 2)) return false;
  const Shape operand = shapeOf(p, root, 0), indices = shapeOf(p, root, 1);
  Plan plan = gatherPlan(p.old(root), indices);
  if (!planFits(plan, operand, indices)) return refuse(p, root, "its dimension numbers do not fit the operands");
  if (isFloatType(p.dtype(p.in(root, 1)))) return refuse(p, root, "its indices are no integers");
  if (productOf(operand) == 0 || productOf(p.resultShape(root)) == 0) return refuse(p, root, "nothing to gather");
  if (!windowsFill(plan, operand)) return refuse(p, root, kLooseWindow);
  if (std::optional<ValueId> window = gatherAsSlice(p, root, plan, operand)) return finishAs(p, root, *window);
  std::vector<size_t> named = namedDims(plan, operand);
  Shape batch = batchShape(plan, indices);
  WindowOrder windows = windowOrder(plan, batch, named, operand.size());
  Shape result;
  if (!sameSet(windows.order, p.resultShape(root).size()))
    return refuse(p, root, "its dimension numbers do not fit the result");
  for (int64_t d : windows.order) result.push_back(windows.inner[static_cast<size_t>(d)]);
  if (result != p.resultShape(root)) return refuse(p, root, "its dimension numbers do not give the result's shape");
  int64_t rows = 1;
  for (size_t d : named) rows *= operand[d];
  FlatIndex flat = flatIndex(p, root, p.in(root, 1), plan, operand, named);
  ValueId table = p.emitPermute(root, p.in(root, 0), namedFirst(named, operand.size()));
  table = p.emitReshape(root, table, {rows, productOf(operand) / rows});
  ValueId picked = rowsOf(p, root, table, flat.value);
  return finishAs(p, root, p.emitPermute(root, p.emitReshape(root, picked, windows.inner), windows.order));
}

namespace {

std::string reduceType(std::string_view body) {
  if (body == "second") return "invalid";
  if (body == "stablehlo.add") return "sum";
  if (body == "stablehlo.multiply") return "prod";
  if (body == "stablehlo.maximum") return "max";
  if (body == "stablehlo.minimum") return "min";
  return "";
}

Plan scatterPlan(const Op& op, const Shape& operand, const Shape& indices, const Shape& updates) {
  constexpr std::string_view kNumbers = "scatter_dimension_numbers";
  Plan plan;
  plan.offset = listIn(op, kNumbers, "update_window_dims");
  plan.collapsed = listIn(op, kNumbers, "inserted_window_dims");
  plan.batchOperand = listIn(op, kNumbers, "input_batching_dims");
  plan.batchIndices = listIn(op, kNumbers, "scatter_indices_batching_dims");
  plan.map = listIn(op, kNumbers, "scatter_dims_to_operand_dims");
  plan.vectorDim = numberIn(op, kNumbers, "index_vector_dim").value_or(0);
  if (plan.vectorDim < 0) plan.vectorDim = static_cast<int64_t>(indices.size());
  size_t next = 0;
  for (size_t d = 0; d < operand.size(); ++d) {
    bool gone = holds(plan.collapsed, d) || holds(plan.batchOperand, d);
    int64_t size = 1;
    if (!gone && next < plan.offset.size() && plan.offset[next] >= 0 &&
        plan.offset[next] < static_cast<int64_t>(updates.size()))
      size = updates[static_cast<size_t>(plan.offset[next])];
    next += gone ? 0 : 1;
    plan.sizes.push_back(size);
  }
  return plan;
}

std::vector<int64_t> inverted(const std::vector<int64_t>& order) {
  std::vector<int64_t> out(order.size());
  for (size_t i = 0; i < order.size(); ++i) out[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  return out;
}

AttrList scatterAttrs(int64_t dim, const std::string& how) {
  return {{"dim", intAttr(dim, "i32")}, {"scatter_reduce_type", rawAttr("#ttcore.reduce_type<" + how + ">")}};
}

// The argument that a value is a view of; invalid when it is something else.
ValueId argumentOf(PatternRewriter& p, ValueId value) {
  for (int depth = 0; depth < 8; ++depth) {
    OpId made = p.def(value);
    if (!made.valid()) return value;
    OpKind kind = p.op(made).kind;
    bool view = kind == OpKind::TtirReshape || kind == OpKind::TtirTypecast || kind == OpKind::TtirMeshShard;
    if (!view) return {};
    value = p.op(made).operands[0];
  }
  return {};
}

// New keys or values written into a cache [batch, heads, positions, width] at the positions that an argument holds; in
// place, unless the old cache is still read.
std::optional<ValueId> cacheUpdate(PatternRewriter& p, OpId root, const Plan& plan, const Shape& cache,
                                   std::string_view how) {
  const Shape updates = shapeOf(p, root, 2), indices = shapeOf(p, root, 1);
  bool form = cache.size() == 4 && updates.size() == 4 && how == "invalid" && plan.map == std::vector<int64_t>{2} &&
              plan.collapsed == std::vector<int64_t>{2} && plan.offset == std::vector<int64_t>{0, 1, 3} &&
              plan.batchOperand.empty() && updates[0] == cache[0] && updates[1] == cache[1] && updates[3] == cache[3];
  ValueId cached = p.in(root, 0), argument = argumentOf(p, cached);
  ValueId position = argumentOf(p, p.in(root, 1));
  // Several new positions: the library writes them from position 0 on.
  if (!form || !argument.valid() || !position.valid() || updates[2] != 1 || productOf(indices) != 1) return {};
  if (p.readAfter(root, cached) || p.readAfter(root, argument)) return {};
  ValueId now = p.emitPermute(root, p.in(root, 2), {2, 1, 0, 3});
  ValueId at = p.emitReshape(root, p.in(root, 1), {1});
  OpSpec spec = makeOp(OpKind::TtirUpdateCache, {cached, now, at}, {p.typeOf(cached)});
  spec.attrs = {{"batch_offset", intAttr(0, "i32")}};
  return p.emit(root, std::move(spec));
}

// Rows added up in a table: the gradient of an embedding.
std::optional<ValueId> embeddingGradient(PatternRewriter& p, OpId root, const Plan& plan, const Shape& table,
                                         std::string_view how) {
  const Shape indices = shapeOf(p, root, 1), updates = shapeOf(p, root, 2);
  bool form = how == "sum" && table.size() == 2 && plan.map == std::vector<int64_t>{0} &&
              plan.collapsed == std::vector<int64_t>{0} && plan.batchOperand.empty() && plan.sizes[1] == table[1] &&
              plan.offset.size() == 1 && plan.offset[0] == static_cast<int64_t>(updates.size()) - 1 &&
              isFloatType(p.dtype(p.in(root, 0)));
  if (!form) return {};
  int64_t count = productOf(batchShape(plan, indices));
  ValueId rows = p.emitReshape(root, p.in(root, 1), {1, count});
  ValueId gradient = p.emitReshape(root, p.in(root, 2), {1, 1, count, table[1]});
  ValueId sums = emit(p, root, OpKind::TtirEmbeddingBackward, {rows, p.in(root, 0), gradient}, p.type(root));
  if (p.splatIs(p.in(root, 0), 0.0)) return sums;
  return emit(p, root, OpKind::TtirAdd, {p.in(root, 0), sums}, p.type(root));
}

}  // namespace

bool scatter(PatternRewriter& p, OpId root) {
  const Op& op = p.old(root);
  if (!tensors(p, root, 3) || op.results.size() != 1 || op.operands.size() != 3)
    return refuse(p, root, "the compiler takes one operand, one list of indices and one of updates");
  const Shape operand = shapeOf(p, root, 0), indices = shapeOf(p, root, 1), updates = shapeOf(p, root, 2);
  Plan plan = scatterPlan(op, operand, indices, updates);
  std::string how = reduceType(bodyOf(p.oldGraph(), op));
  if (how.empty())
    return refuse(p, root, "it combines by something else than sum, product, maximum, minimum or the new value");
  if (!planFits(plan, operand, indices) || operand != p.resultShape(root) || isFloatType(p.dtype(p.in(root, 1))))
    return refuse(p, root, "its dimension numbers do not fit the operands");
  if (productOf(operand) == 0 || productOf(updates) == 0) return p.becomes(root, p.in(root, 0));
  if (std::optional<ValueId> made = cacheUpdate(p, root, plan, operand, how)) return finishAs(p, root, *made);
  if (std::optional<ValueId> made = embeddingGradient(p, root, plan, operand, how)) return finishAs(p, root, *made);
  std::vector<size_t> named = namedDims(plan, operand);
  WindowOrder windows = windowOrder(plan, batchShape(plan, indices), named, operand.size());
  if (!sameSet(windows.order, updates.size())) return refuse(p, root, "its dimension numbers do not fit the updates");
  for (size_t d = 0; d < updates.size(); ++d) {
    if (updates[d] != windows.inner[static_cast<size_t>(windows.order[d])])
      return refuse(p, root, "the updates have another shape than its dimension numbers say");
  }
  if (!windowsFill(plan, operand)) return refuse(p, root, kLooseWindow);  // rows of [named, rest]
  int64_t rows = 1;
  for (size_t d : named) rows *= operand[d];
  int64_t width = productOf(operand) / rows;
  FlatIndex flat = flatIndex(p, root, p.in(root, 1), plan, operand, named);
  int64_t count = productOf(flat.shape);
  std::vector<int64_t> order = namedFirst(named, operand.size());
  ValueId moved = p.emitPermute(root, p.in(root, 0), order);
  const Shape movedShape = p.shape(moved);
  ValueId table = p.emitReshape(root, moved, {rows, width});
  ValueId source = p.emitReshape(root, p.emitPermute(root, p.in(root, 2), inverted(windows.order)), {count, width});
  ValueId places = broadcastTo(p, root, p.emitReshape(root, flat.value, {count, 1}), {0, 1}, {count, width});
  ValueId made = emit(p, root, OpKind::TtirScatter, {table, places, source}, p.typeOf(table), scatterAttrs(0, how));
  return finishAs(p, root, p.emitPermute(root, p.emitReshape(root, made, movedShape), inverted(order)));
}

}  // namespace tessera::shlo
