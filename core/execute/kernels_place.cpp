// TTIR ops that go by places: sorting, scattering, slices at computed places; and pooling that says where.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/execute/kernel.h"

namespace tessera {

namespace {

// Places along a dim in the order of the values, equal ones as they are.
std::vector<size_t> orderAlong(const HostTensor& x, size_t first, size_t stride, size_t count, bool descending) {
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    double left = x.at(first + a * stride), right = x.at(first + b * stride);
    return descending ? left > right : left < right;
  });
  return order;
}

// The first `kept` places of every line along the dim, values and places.
void sortLines(KernelCall& c, size_t dim, size_t kept, bool descending) {
  const HostTensor& x = c.input(0);
  std::vector<size_t> strides = stridesOf(x.shape);
  auto length = static_cast<size_t>(x.shape[dim]);
  size_t stride = strides[dim], total = x.size();
  for (size_t block = 0; block < total; block += stride * length) {
    for (size_t inner = 0; inner < stride; ++inner) {
      std::vector<size_t> order = orderAlong(x, block + inner, stride, length, descending);
      size_t to = block / length * kept + inner;
      for (size_t i = 0; i < kept; ++i) {
        if (!c.out.empty()) c.out[0].set(to + i * stride, x.at(block + inner + order[i] * stride));
        if (c.out.size() > 1) c.out[1].set(to + i * stride, static_cast<double>(order[i]));
      }
    }
  }
}

void runSortOp(KernelCall& c) {
  size_t dim = 0;
  if (!c.inputs(1) || !c.dim(c.integer("dim", -1), c.input(0).shape.size(), dim)) return;
  if (!c.make(0, c.input(0).shape, c.input(0).real) || (c.out.size() > 1 && !c.make(1, c.input(0).shape, false)))
    return;
  if (c.input(0).size() > 0) sortLines(c, dim, static_cast<size_t>(c.input(0).shape[dim]), c.flag("descending", false));
}

void runTopkOp(KernelCall& c) {
  size_t dim = 0;
  if (!c.inputs(1) || !c.dim(c.integer("dim", -1), c.input(0).shape.size(), dim)) return;
  Shape shape = c.input(0).shape;
  int64_t k = c.integer("k", 1);
  if (!c.need(k >= 1 && k <= shape[dim], "k does not fit")) return;
  shape[dim] = k;
  if (!c.make(0, shape, c.input(0).real) || (c.out.size() > 1 && !c.make(1, shape, false))) return;
  sortLines(c, dim, static_cast<size_t>(k), c.flag("largest", true));
}

double combined(std::string_view how, double old, double now) {
  if (how == "sum") return old + now;
  if (how == "prod") return old * now;
  if (how == "max") return std::max(old, now);
  if (how == "min") return std::min(old, now);
  return now;
}

// #ttcore.reduce_type<sum>
std::string reduceWord(const KernelCall& c) {
  const AttrValue* how = findAttr(c.op, "scatter_reduce_type");
  if (how == nullptr) return {};
  const size_t open = how->text.find('<'), close = how->text.find('>');
  return open < close && close != std::string::npos ? how->text.substr(open + 1, close - open - 1) : how->string;
}

// out = x; out[index[i][j]][j] takes source[i][j] for dim 0, and so on.
void runScatterAlong(KernelCall& c) {
  if (!c.inputs(3)) return;
  const HostTensor &x = c.input(0), &places = c.input(1), &source = c.input(2);
  size_t dim = 0;
  bool ranks = places.shape == source.shape && places.shape.size() == x.shape.size();
  if (!c.need(ranks, "index and source have other shapes") || !c.dim(c.integer("dim", 0), x.shape.size(), dim) ||
      !c.make(0, x.shape, x.real))
    return;
  c.out[0] = x;
  std::string how = reduceWord(c);
  std::vector<size_t> strides = stridesOf(x.shape);
  Odometer at(places.shape, {});
  for (size_t i = 0; i < places.size(); ++i, at.next()) {
    size_t to = 0;
    bool inside = true;
    for (size_t d = 0; d < x.shape.size(); ++d) {
      int64_t place = d == dim ? places.integerAt(i) : at.index()[d];
      inside = inside && place >= 0 && place < x.shape[d];
      to += static_cast<size_t>(inside ? place : 0) * strides[d];
    }
    if (inside) c.out[0].set(to, combined(how, c.out[0].at(to), source.at(i)));
  }
}

void runEmbeddingBackward(KernelCall& c) {
  if (!c.inputs(3)) return;
  const HostTensor &rows = c.input(0), &table = c.input(1), &gradient = c.input(2);
  if (!c.need(table.shape.size() == 2 && gradient.size() == rows.size() * static_cast<size_t>(table.shape[1]),
              "the gradient has another size"))
    return;
  // The library's op puts ones in front.
  Shape shape = table.shape;
  const TensorType* type = c.resultType();
  if (type != nullptr && type->shape.size() == 4) shape.insert(shape.begin(), 2, 1);
  if (!c.make(0, shape, true)) return;
  auto width = static_cast<size_t>(table.shape[1]);
  for (size_t i = 0; i < rows.size(); ++i) {
    int64_t row = rows.integerAt(i);
    if (!c.need(row >= 0 && row < table.shape[0], "an index is outside of the table")) return;
    for (size_t k = 0; k < width; ++k)
      c.out[0].f[static_cast<size_t>(row) * width + k] += static_cast<float>(gradient.at(i * width + k));
  }
}

// A window that would leave the operand begins where it just fits.
void runSliceDynamic(KernelCall& c) {
  const TensorType* type = c.resultType();
  if (!c.inputs(2) || !c.need(type != nullptr, "the result is no tensor")) return;
  const HostTensor &x = c.input(0), &begins = c.input(1);
  if (!c.need(begins.size() == x.shape.size() && type->shape.size() == x.shape.size(), "other ranks") ||
      !c.make(0, type->shape, x.real))
    return;
  std::vector<size_t> strides = stridesOf(x.shape);
  size_t first = 0;
  for (size_t d = 0; d < x.shape.size(); ++d) {
    if (!c.need(type->shape[d] <= x.shape[d], "the window is larger than the operand")) return;
    first += static_cast<size_t>(std::clamp<int64_t>(begins.integerAt(d), 0, x.shape[d] - type->shape[d])) * strides[d];
  }
  Odometer at(type->shape, {strides});
  for (size_t i = 0; i < c.out[0].size(); ++i, at.next()) c.out[0].set(i, x.at(first + at.offset(0)));
}

// The first chip's part of a tensor, or the whole as if every chip had the same part.
void runMeshShard(KernelCall& c) {
  const TensorType* type = c.resultType();
  if (!c.inputs(1) || !c.need(type != nullptr && type->shape.size() == c.input(0).shape.size(), "other ranks")) return;
  const HostTensor& x = c.input(0);
  if (!c.make(0, type->shape, x.real) || !c.need(x.size() > 0 || c.out[0].size() == 0, "a part of nothing")) return;
  std::vector<size_t> strides = stridesOf(x.shape);
  Odometer at(type->shape, {});
  for (size_t i = 0; i < c.out[0].size(); ++i, at.next()) {
    size_t from = 0;
    for (size_t d = 0; d < x.shape.size(); ++d)
      from += static_cast<size_t>(at.index()[d] % std::max<int64_t>(x.shape[d], 1)) * strides[d];
    c.out[0].set(i, x.at(from));
  }
}

// The elements of one dim at the places of a list.
void pickAlong(KernelCall& c, size_t dim, const std::vector<int64_t>& places) {
  const HostTensor& x = c.input(0);
  Shape shape = x.shape;
  shape[dim] = static_cast<int64_t>(places.size());
  if (!c.make(0, shape, x.real)) return;
  const size_t stride = stridesOf(x.shape)[dim];
  std::vector<size_t> strides = stridesOf(x.shape);
  strides[dim] = 0;
  Odometer at(shape, {strides});
  for (size_t i = 0; i < c.out[0].size(); ++i, at.next()) {
    const size_t from = at.offset(0) + static_cast<size_t>(places[static_cast<size_t>(at.index()[dim])]) * stride;
    if (x.real) c.out[0].f[i] = x.f[from];
    else c.out[0].i[i] = x.i[from];
  }
}

// x[begin:end:step] along one dim, bounds as Python's.
void runIndex(KernelCall& c) {
  size_t dim = 0;
  if (!c.inputs(1) || !c.dim(c.integer("dim", 0), c.input(0).shape.size(), dim)) return;
  const int64_t size = c.input(0).shape[dim], step = c.integer("step", 1);
  const auto bound = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size); };
  if (!c.need(step > 0, "a step that does not go forward")) return;
  std::vector<int64_t> places;
  const int64_t end = bound(c.integer("end", size));
  for (int64_t at = bound(c.integer("begin", 0)); at < end; at += std::min(step, size)) places.push_back(at);
  pickAlong(c, dim, places);
}

// From `begin` on a run of `length`, and again every `stride` elements, the last cut off at the end; once with stride
// 0.
void runIndexSelect(KernelCall& c) {
  size_t dim = 0;
  if (!c.inputs(1) || !c.dim(c.integer("dim", 0), c.input(0).shape.size(), dim)) return;
  const int64_t size = c.input(0).shape[dim], begin = c.integer("begin", 0), length = c.integer("length", 1);
  const int64_t stride = c.integer("stride", 0);
  if (!c.need(begin >= 0 && length > 0 && stride >= 0 && (stride == 0 || length <= stride), "no such runs")) return;
  std::vector<int64_t> places;
  for (int64_t at = begin; at < size; ++at) {
    if ((stride == 0 ? at - begin : (at - begin) % stride) < length) places.push_back(at);
  }
  pickAlong(c, dim, places);
}

// One chip of a mesh sends to itself.
void runStays(KernelCall& c) {
  if (c.inputs(1) && c.make(0, c.input(0).shape, c.input(0).real)) c.out[0] = *c.in[0];
}

}  // namespace

constinit const NamedKernel kPlaceKernels[] = {
    {"sort", runSortOp},
    {"topk", runTopkOp},
    {"scatter", runScatterAlong},
    {"embedding_backward", runEmbeddingBackward},
    {"slice_dynamic", runSliceDynamic},
    {"index", runIndex},
    {"index_select", runIndexSelect},
    {"mesh_shard", runMeshShard},
    {"distribute_tensor", runMeshShard},
    {"aggregate_tensor", runMeshShard},
    {"all_to_all", runMeshShard},
    {"collective_permute", runStays},
    {"collective_broadcast", runStays},
    {"", nullptr},
};

}  // namespace tessera
