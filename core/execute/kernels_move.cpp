// Kernels that move elements without computing: reshape, permute, slice, pad, repeat, concat, lookup, layout changes.

#include <algorithm>

#include "core/execute/kernel.h"

namespace tessera {

namespace {

// out[index] = in[offset + sum of index * stride]: permutes, slices, broadcasts.
void copyStrided(KernelCall& c, const Shape& shape, const std::vector<size_t>& strides, size_t offset) {
  const HostTensor& x = c.input(0);
  if (!c.make(0, shape, x.real)) return;
  HostTensor& y = c.out[0];
  Odometer at(shape, {strides});
  for (size_t i = 0; i < y.size(); ++i, at.next()) {
    if (x.real) y.f[i] = x.f[offset + at.offset(0)];
    else y.i[i] = x.i[offset + at.offset(0)];
  }
}

// Any shape with as many elements is right: the graph's declared one is taken.
void runReshape(KernelCall& c) {
  const TensorType* type = c.resultType();
  if (!c.inputs(1) || !c.need(type != nullptr, "the result is no tensor")) return;
  if (!c.need(elementCount(type->shape) == static_cast<int64_t>(c.input(0).size()), "another number of elements"))
    return;
  std::vector<int64_t> wanted = c.ints("shape");
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!c.need(wanted.size() == type->shape.size() && (wanted[i] == type->shape[i] || wanted[i] == -1),
                "attribute `shape` names another shape"))
      return;
  }
  c.out[0] = *c.in[0];
  c.out[0].shape = type->shape;
}

void runSqueeze(KernelCall& c) {
  size_t dim = 0;
  if (!c.inputs(1) || !c.dim(c.integer("dim", 0), c.input(0).shape.size(), dim)) return;
  Shape shape = c.input(0).shape;
  if (!c.need(shape[dim] == 1, "the squeezed dim is not 1")) return;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(dim));
  if (!c.make(0, shape, c.input(0).real)) return;
  c.out[0] = *c.in[0];
  c.out[0].shape = shape;
}

void runUnsqueeze(KernelCall& c) {
  size_t dim = 0;
  if (!c.inputs(1) || !c.dim(c.integer("dim", 0), c.input(0).shape.size() + 1, dim)) return;
  Shape shape = c.input(0).shape;
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(dim), 1);
  if (!c.make(0, shape, c.input(0).real)) return;
  c.out[0] = *c.in[0];
  c.out[0].shape = shape;
}

void permuteBy(KernelCall& c, const std::vector<int64_t>& order) {
  const Shape& in = c.input(0).shape;
  std::vector<size_t> strides = stridesOf(in), moved;
  std::vector<bool> seen(in.size(), false);
  Shape shape;
  if (!c.need(order.size() == in.size(), "the permutation has another rank")) return;
  for (int64_t from : order) {
    size_t dim = 0;
    if (!c.dim(from, in.size(), dim) || !c.need(!seen[dim], "the permutation names a dim twice")) return;
    seen[dim] = true;
    shape.push_back(in[dim]);
    moved.push_back(strides[dim]);
  }
  copyStrided(c, shape, moved, 0);
}

void runPermute(KernelCall& c) {
  if (c.inputs(1)) permuteBy(c, c.ints("permutation"));
}

void runTranspose(KernelCall& c) {
  if (!c.inputs(1)) return;
  size_t rank = c.input(0).shape.size(), dim0 = 0, dim1 = 0;
  if (!c.dim(c.integer("dim0", -2), rank, dim0) || !c.dim(c.integer("dim1", -1), rank, dim1)) return;
  std::vector<int64_t> order;
  for (size_t i = 0; i < rank; ++i) order.push_back(static_cast<int64_t>(i));
  std::swap(order[dim0], order[dim1]);
  permuteBy(c, order);
}

void runSlice(KernelCall& c) {
  if (!c.inputs(1)) return;
  const Shape& in = c.input(0).shape;
  std::vector<int64_t> begins = c.ints("begins"), ends = c.ints("ends"), steps = c.ints("step");
  if (steps.empty()) steps.assign(in.size(), 1);
  if (!c.need(begins.size() == in.size() && ends.size() == in.size() && steps.size() == in.size(),
              "slice bounds of another rank"))
    return;
  std::vector<size_t> strides = stridesOf(in);
  size_t offset = 0;
  Shape shape;
  for (size_t d = 0; d < in.size(); ++d) {
    int64_t begin = begins[d] < 0 ? begins[d] + in[d] : begins[d];
    int64_t end = ends[d] < 0 ? ends[d] + in[d] : ends[d];
    if (!c.need(steps[d] > 0 && begin >= 0 && begin <= end && end <= in[d], "slice bounds outside of the operand"))
      return;
    shape.push_back((end - begin + steps[d] - 1) / steps[d]);
    offset += static_cast<size_t>(begin) * strides[d];
    strides[d] *= static_cast<size_t>(steps[d]);
  }
  copyStrided(c, shape, strides, offset);
}

void runPad(KernelCall& c) {
  if (!c.inputs(1)) return;
  const HostTensor& x = c.input(0);
  std::vector<int64_t> padding = c.ints("padding");
  if (!c.need(padding.size() == 2 * x.shape.size(), "padding of another rank")) return;
  Shape shape = x.shape;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (!c.need(padding[2 * d] >= 0 && padding[2 * d + 1] >= 0 && padding[2 * d] < (int64_t{1} << 40) &&
                    padding[2 * d + 1] < (int64_t{1} << 40),
                "negative padding"))
      return;
    shape[d] += padding[2 * d] + padding[2 * d + 1];
  }
  if (!c.make(0, shape, x.real)) return;
  HostTensor& y = c.out[0];
  double value = c.number("value", 0.0);
  for (size_t i = 0; i < y.size(); ++i) y.set(i, value);
  std::vector<size_t> strides = stridesOf(shape);
  size_t offset = 0;
  for (size_t d = 0; d < shape.size(); ++d) offset += static_cast<size_t>(padding[2 * d]) * strides[d];
  Odometer at(x.shape, {strides});
  for (size_t i = 0; i < x.size(); ++i, at.next()) {
    if (x.real) y.f[offset + at.offset(0)] = x.f[i];
    else y.i[offset + at.offset(0)] = x.i[i];
  }
}

// broadcast and repeat: every dim so many times.
void runRepeat(KernelCall& c) {
  if (!c.inputs(1)) return;
  const HostTensor& x = c.input(0);
  std::vector<int64_t> times = c.ints("broadcast_dimensions");
  if (times.empty()) times = c.ints("repeat_dims");
  if (times.empty()) times = c.ints("repeat_dimensions");
  const TensorType* type = c.resultType();
  if (!c.need(type != nullptr && times.size() >= x.shape.size(), "no repetition per dim")) return;
  Shape shape(times.size() - x.shape.size(), 1);
  shape.insert(shape.end(), x.shape.begin(), x.shape.end());
  Shape in = shape;
  std::vector<size_t> strides = stridesOf(in);
  for (size_t d = 0; d < shape.size(); ++d) {
    if (!c.need(times[d] >= 0 && times[d] < (int64_t{1} << 40), "no such number of repetitions")) return;
    shape[d] *= times[d];
  }
  if (!c.make(0, shape, x.real)) return;
  HostTensor& y = c.out[0];
  Odometer at(shape, {});
  for (size_t i = 0; i < y.size(); ++i, at.next()) {
    size_t from = 0;
    for (size_t d = 0; d < shape.size(); ++d) from += static_cast<size_t>(at.index()[d] % in[d]) * strides[d];
    if (x.real) y.f[i] = x.f[from];
    else y.i[i] = x.i[from];
  }
}

void runRepeatInterleave(KernelCall& c) {
  size_t dim = 0;
  if (!c.inputs(1) || !c.dim(c.integer("dim", 0), c.input(0).shape.size(), dim)) return;
  const HostTensor& x = c.input(0);
  int64_t times = c.integer("repeats", 1);
  if (!c.need(times >= 0 && times < (int64_t{1} << 40), "no such number of repetitions")) return;
  Shape shape = x.shape;
  shape[dim] *= times;
  if (!c.make(0, shape, x.real)) return;
  std::vector<size_t> strides = stridesOf(x.shape);
  Odometer at(shape, {});
  for (size_t i = 0; i < c.out[0].size(); ++i, at.next()) {
    size_t from = 0;
    for (size_t d = 0; d < shape.size(); ++d)
      from += static_cast<size_t>(d == dim ? at.index()[d] / times : at.index()[d]) * strides[d];
    if (x.real) c.out[0].f[i] = x.f[from];
    else c.out[0].i[i] = x.i[from];
  }
}

void runReverse(KernelCall& c) {
  if (!c.inputs(1)) return;
  const HostTensor& x = c.input(0);
  std::vector<bool> reversed(x.shape.size(), false);
  for (int64_t value : c.ints("dimensions")) {
    size_t dim = 0;
    if (!c.dim(value, x.shape.size(), dim)) return;
    reversed[dim] = true;
  }
  if (!c.make(0, x.shape, x.real)) return;
  std::vector<size_t> strides = stridesOf(x.shape);
  Odometer at(x.shape, {});
  for (size_t i = 0; i < x.size(); ++i, at.next()) {
    size_t from = 0;
    for (size_t d = 0; d < x.shape.size(); ++d)
      from += static_cast<size_t>(reversed[d] ? x.shape[d] - 1 - at.index()[d] : at.index()[d]) * strides[d];
    if (x.real) c.out[0].f[i] = x.f[from];
    else c.out[0].i[i] = x.i[from];
  }
}

void runConcat(KernelCall& c) {
  size_t dim = 0;
  if (!c.inputs(1) || !c.inputs(c.in.size()) || !c.dim(c.integer("dim", 0), c.input(0).shape.size(), dim)) return;
  Shape shape = c.input(0).shape;
  shape[dim] = 0;
  for (const HostTensor* x : c.in) {
    bool fits = x->shape.size() == shape.size() && x->real == c.input(0).real;
    for (size_t d = 0; fits && d < shape.size(); ++d) fits = d == dim || x->shape[d] == shape[d];
    if (!c.need(fits, "the operands differ in another dim or in type")) return;
    shape[dim] += x->shape[dim];
  }
  if (!c.make(0, shape, c.input(0).real)) return;
  std::vector<size_t> strides = stridesOf(shape);
  size_t offset = 0;
  for (const HostTensor* x : c.in) {
    Odometer at(x->shape, {strides});
    for (size_t i = 0; i < x->size(); ++i, at.next()) {
      if (x->real) c.out[0].f[offset + at.offset(0)] = x->f[i];
      else c.out[0].i[offset + at.offset(0)] = x->i[i];
    }
    offset += static_cast<size_t>(x->shape[dim]) * strides[dim];
  }
}

void runEmbedding(KernelCall& c) {
  if (!c.inputs(2)) return;
  const HostTensor& indices = c.input(0);
  const HostTensor& table = c.input(1);
  const TensorType* type = c.resultType();
  if (!c.need(table.shape.size() >= 2 && type != nullptr && table.shape.back() > 0, "the table is no matrix")) return;
  auto width = static_cast<size_t>(table.shape.back());
  auto rows = static_cast<int64_t>(table.size() / width);
  Shape shape = indices.shape;
  shape.push_back(table.shape.back());
  // Flattened forms keep the rows in order under another shape.
  bool sameCount = elementCount(type->shape) == elementCount(shape) && !type->shape.empty() &&
                   type->shape.back() == table.shape.back();
  if (!c.make(0, sameCount ? type->shape : shape, table.real)) return;
  for (size_t i = 0; i < indices.size(); ++i) {
    // As StableHLO's gather, which most embeddings come from: an index outside reads the nearest row.
    if (!c.need(rows > 0, "the table has no rows")) return;
    int64_t row = std::clamp<int64_t>(indices.integerAt(i), 0, rows - 1);
    for (size_t k = 0; k < width; ++k) c.out[0].set(i * width + k, table.at(static_cast<size_t>(row) * width + k));
  }
}

// The result of a gather: its shape, which of its dims are dims of the slices, and which operand dims these are.
struct GatherShape {
  Shape shape;
  std::vector<bool> isOffset;
  std::vector<size_t> kept;
};

bool shapeGather(KernelCall& c, const std::vector<int64_t>& sizes, int64_t vectorDim, GatherShape& out) {
  const HostTensor &x = c.input(0), &indices = c.input(1);
  const std::vector<int64_t> offsetDims = c.ints("offset_dims"), collapsed = c.ints("collapsed_slice_dims");
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (!c.need(sizes[d] >= 0 && sizes[d] <= x.shape[d], "a slice is larger than the operand")) return false;
    if (std::find(collapsed.begin(), collapsed.end(), static_cast<int64_t>(d)) == collapsed.end())
      out.kept.push_back(d);
  }
  Shape batch;
  for (size_t d = 0; d < indices.shape.size(); ++d) {
    if (static_cast<int64_t>(d) != vectorDim) batch.push_back(indices.shape[d]);
  }
  const size_t rank = batch.size() + out.kept.size();
  if (!c.need(out.kept.size() == offsetDims.size(), "offset_dims do not match the slices")) return false;
  out.isOffset.assign(rank, false);
  for (int64_t d : offsetDims) {
    if (!c.need(d >= 0 && static_cast<size_t>(d) < rank, "offset_dims outside of the result")) return false;
    out.isOffset[static_cast<size_t>(d)] = true;
  }
  size_t nextBatch = 0, nextOffset = 0;
  for (size_t d = 0; d < rank; ++d) {
    if (out.isOffset[d] && nextOffset < out.kept.size()) out.shape.push_back(sizes[out.kept[nextOffset++]]);
    else if (nextBatch < batch.size()) out.shape.push_back(batch[nextBatch++]);
  }
  return true;
}

// out[i][j] = x[index[i][j]][j] for dim 0, and so on.
void runGatherAlong(KernelCall& c) {
  const HostTensor &x = c.input(0), &places = c.input(1);
  size_t dim = 0;
  if (!c.dim(c.integer("dim", 0), x.shape.size(), dim) ||
      !c.need(places.shape.size() == x.shape.size(), "other ranks") || !c.make(0, places.shape, x.real))
    return;
  std::vector<size_t> strides = stridesOf(x.shape);
  Odometer at(places.shape, {});
  for (size_t i = 0; i < places.size(); ++i, at.next()) {
    size_t from = 0;
    for (size_t d = 0; d < x.shape.size(); ++d) {
      int64_t place = d == dim ? places.integerAt(i) : at.index()[d];
      if (!c.need(place >= 0 && place < x.shape[d], "an index is outside of the operand")) return;
      from += static_cast<size_t>(place) * strides[d];
    }
    c.out[0].set(i, x.at(from));
  }
}

// StableHLO's gather: start indices are clamped, as its specification says.
void runGather(KernelCall& c) {
  if (!c.inputs(2)) return;
  const HostTensor& x = c.input(0);
  const HostTensor& indices = c.input(1);
  const TensorType* type = c.resultType();
  if (!c.has("slice_sizes") && c.has("dim")) return runGatherAlong(c);
  const std::vector<int64_t> sizes = c.ints("slice_sizes"), startMap = c.ints("start_index_map");
  bool plain = c.ints("operand_batching_dims").empty() && c.ints("start_indices_batching_dims").empty();
  if (!c.known(type != nullptr && plain && sizes.size() == x.shape.size(),
               "a gather with batching dims or without slice sizes"))
    return;
  int64_t vectorDim = c.integer("index_vector_dim", static_cast<int64_t>(indices.shape.size()));
  if (!c.need(vectorDim >= 0 && vectorDim <= static_cast<int64_t>(indices.shape.size()),
              "index_vector_dim is no dim of the indices"))
    return;
  GatherShape result;
  if (!shapeGather(c, sizes, vectorDim, result)) return;
  if (!c.make(0, result.shape, x.real)) return;
  std::vector<size_t> strides = stridesOf(x.shape), indexStrides = stridesOf(indices.shape);
  size_t vectorLength = vectorDim >= 0 && static_cast<size_t>(vectorDim) < indices.shape.size()
                            ? static_cast<size_t>(indices.shape[static_cast<size_t>(vectorDim)])
                            : 1;
  if (!c.need(vectorLength <= startMap.size(), "start_index_map is too short")) return;
  Odometer at(result.shape, {});
  for (size_t i = 0; i < c.out[0].size(); ++i, at.next()) {
    size_t indexAt = 0, from = 0, o = 0;
    for (size_t d = 0, batchDim = 0; d < result.shape.size(); ++d) {
      if (result.isOffset[d]) {
        from += static_cast<size_t>(at.index()[d]) * strides[result.kept[o++]];
        continue;
      }
      size_t source =
          batchDim +
          (static_cast<int64_t>(batchDim) >= vectorDim && vectorDim < static_cast<int64_t>(indices.shape.size()) ? 1
                                                                                                                 : 0);
      indexAt += static_cast<size_t>(at.index()[d]) * indexStrides[source];
      ++batchDim;
    }
    for (size_t k = 0; k < vectorLength; ++k) {
      size_t dim = 0;
      if (!c.dim(startMap[k], x.shape.size(), dim)) return;
      size_t place = indexAt + (vectorLength > 1 || vectorDim < static_cast<int64_t>(indices.shape.size())
                                    ? k * indexStrides[static_cast<size_t>(vectorDim)]
                                    : 0);
      int64_t start = std::min(std::max<int64_t>(indices.integerAt(place), 0), x.shape[dim] - sizes[dim]);
      from += static_cast<size_t>(start) * strides[dim];
    }
    if (x.real) c.out[0].f[i] = x.f[from];
    else c.out[0].i[i] = x.i[from];
  }
}

// Where a tensor is stored does not change what it holds.
void runIdentity(KernelCall& c) { c.passOn(); }

// Prepared weights keep their numbers; only the library knows their order, so they travel in the shape they had.
void runPrepare(KernelCall& c) {
  if (c.inputs(1) && c.need(!c.out.empty(), "no result")) c.out[0] = *c.in[0];
}

}  // namespace

constinit const NamedKernel kMoveKernels[] = {
    {"reshape", runReshape},
    {"squeeze", runSqueeze},
    {"unsqueeze", runUnsqueeze},
    {"permute", runPermute},
    {"transpose", runTranspose},
    {"slice", runSlice},
    {"slice_static", runSlice},
    {"pad", runPad},
    {"broadcast", runRepeat},
    {"repeat", runRepeat},
    {"repeat_interleave", runRepeatInterleave},
    {"reverse", runReverse},
    {"concat", runConcat},
    {"embedding", runEmbedding},
    {"gather", runGather},
    {"to_layout", runIdentity},
    {"to_tensor_spec", runIdentity},
    {"to_memory_config", runIdentity},
    {"to_device", runIdentity},
    {"from_device", runIdentity},
    {"move", runIdentity},
    {"reallocate", runIdentity},
    {"optimization_barrier", runIdentity},
    {"dropout", runIdentity},
    {"prepare_conv2d_weights", runPrepare},
    {"prepare_conv2d_bias", runPrepare},
    {"prepare_conv_transpose2d_weights", runPrepare},
    {"prepare_conv_transpose2d_bias", runPrepare},
    {"", nullptr},
};

}  // namespace tessera
