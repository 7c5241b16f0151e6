#include "core/execute/dim_relations.h"

#include <algorithm>
#include <numeric>

#include "core/execute/scaling.h"
#include "core/ops/shapes/shape_rules.h"
#include "core/ops/table/op_table.h"
#include "core/support/units.h"

namespace tessera {
namespace {

constexpr const char* kOutside = "a dim is outside of the tensor";

}  // namespace

DimRelations::DimRelations(const Graph& graph, int64_t side) : graph_(graph), dims_(graph.values.size()) {
  for (ValueId id : graph.values.ids()) {
    const ValueType& type = graph.values[id].type;
    if (!type.isTensor() || !graph.values[id].func.valid()) continue;
    for (int64_t dim : type.tensor->shape) dims_[id].push_back(solver_.add(dim));
    // Neighbours differ, as small sizes do: some are whole tiles and some are not.
    for (size_t back = 1; side > 0 && back <= std::min<size_t>(dims_[id].size(), 2); ++back) {
      const DimVar var = dims_[id][dims_[id].size() - back];
      solver_.prefer(var, side + var % 3 * (side / 4));
    }
  }
}

bool DimRelations::solve() {
  for (const Function& func : graph_.funcs) {
    for (OpId op : func.ops) {
      if (!relate(op)) return false;
    }
  }
  if (solver_.solve()) return true;
  problem_ = "no smaller sizes satisfy all ops";
  return false;
}

Shape DimRelations::shapeOf(ValueId value) const {
  Shape shape;
  for (DimVar var : dims_[value]) shape.push_back(solver_.valueOf(var));
  return shape;
}

const DimRelations::Dims& DimRelations::in(const Op& op, size_t index) const { return dims_[op.operands[index]]; }

const DimRelations::Dims& DimRelations::out(const Op& op, size_t index) const { return dims_[op.results[index]]; }

bool DimRelations::tensor(const Op& op, size_t index) const {
  return index < op.operands.size() && graph_.values[op.operands[index]].type.isTensor();
}

void DimRelations::same(const Dims& a, const Dims& b) {
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) solver_.equal(a[i], b[i]);
}

// Right-aligned; a dim of 1 is broadcast.
void DimRelations::broadcast(const Dims& from, const Dims& to) {
  for (size_t back = 1; back <= from.size() && back <= to.size(); ++back) {
    DimVar a = from[from.size() - back], b = to[to.size() - back];
    if (solver_.sizeOf(a) == solver_.sizeOf(b)) solver_.equal(a, b);
  }
}

int64_t DimRelations::integer(const Op& op, std::string_view name, int64_t fallback) const {
  const AttrValue* a = findAttr(op, name);
  return a != nullptr && (a->kind == AttrValueKind::Integer || a->kind == AttrValueKind::Bool) ? a->integer : fallback;
}

std::vector<int64_t> DimRelations::ints(const Op& op, std::string_view name) const {
  const AttrValue* a = findAttr(op, name);
  if (a == nullptr) return {};
  return a->kind == AttrValueKind::Integer ? std::vector<int64_t>{a->integer} : a->ints;
}

size_t DimRelations::dimOf(int64_t value, size_t rank) const {
  return static_cast<size_t>(value < 0 ? value + static_cast<int64_t>(rank) : value);
}

bool DimRelations::fail(OpId op, const char* why) {
  problem_ = graph_.ops[op].name + ": " + why;
  return false;
}

bool DimRelations::relate(OpId id) {
  const Op& op = graph_.ops[id];
  size_t inputs = static_cast<size_t>(inputCount(graph_, id));
  for (size_t i = inputs; i < op.operands.size() && !op.results.empty(); ++i)
    same(in(op, i), out(op, std::min(i - inputs, op.results.size() - 1)));
  if (expertCall(op.name.substr(op.name.find('.') + 1), op)) return true;
  switch (opInfo(op.kind).family) {
    case Family::EltwiseUnary:
    case Family::EltwiseBinary:
    case Family::EltwiseTernary:
    case Family::Typecast:
    case Family::Softmax:
    case Family::ToLayout:
      if (op.results.empty()) return fail(id, "no rule for its sizes");
      for (size_t i = 0; i < inputs; ++i) broadcast(in(op, i), out(op));
      return true;
    case Family::Reduction: return reduction(op);
    case Family::Matmul: return op.kind == OpKind::TtirDotGeneral ? dotGeneral(op) : matmul(op);
    case Family::Conv:
    case Family::Pool: return window(id, op);
    case Family::Norm: return norm(op, inputs);
    case Family::Concat: return concatAlong(op, inputs, "dim");
    case Family::Reshape: return reshape(in(op, 0), out(op));
    case Family::Permute: return permute(id, op);
    case Family::Slice: return slice(id, op);
    case Family::Pad: return pad(op);
    case Family::Repeat: return repeat(id, op);
    case Family::Embedding: return embedding(op) || fail(id, "no rule for its sizes");
    case Family::Gather: return gather(id, op);
    case Family::KvCache: return cache(op);
    case Family::Attention: return attention(id, op);
    case Family::RotaryEmbedding:
      for (size_t i = 0; i < inputs; ++i) broadcast(in(op, i), out(op));
      if (!out(op).empty()) halves(out(op).back());
      return true;
    case Family::Sort: return sort(op);
    case Family::HeadReshape: return heads(id, op, inputs);
    case Family::Upsample:
    case Family::Collective:
      if (in(op, 0).size() != out(op).size()) return fail(id, "no rule for its sizes");
      for (size_t d = 0; d < in(op, 0).size(); ++d) ratio(in(op, 0)[d], out(op)[d]);
      return true;
    case Family::Creation: return creation(op);
    case Family::Quantize: return quantization(id, op);
    case Family::Return: return true;
    case Family::Stablehlo: return stablehlo(id, op);
    case Family::Call: return call(op, "callee") || fail(id, "calls a function without a body");
    case Family::Opaque:
      if (opInfo(opKindFromName(op.name)).family == Family::Stablehlo) return stablehlo(id, op);
      return fail(id, "no rule for its sizes");
    default: return fail(id, "no rule for its sizes");
  }
}

// A dim whose halves are looked at stays even.
void DimRelations::halves(DimVar dim) {
  const int64_t size = solver_.sizeOf(dim);
  if (size % 2 == 0) solver_.product(1, {dim}, 2, {solver_.add(size / 2)});
}

// Scales and zero points are as many as they are.
bool DimRelations::quantization(OpId id, const Op& op) {
  if (!tensor(op, 0) || op.results.empty() || !graph_.values[op.results[0]].type.isTensor())
    return fail(id, "no rule for its sizes");
  const Dims &x = in(op, 0), &y = out(op);
  same(x, y);
  for (size_t i = 1; i < op.operands.size(); ++i) {
    for (DimVar dim : in(op, i)) solver_.fix(dim);
  }
  for (ValueId value : {op.operands[0], op.results[0]}) {
    const std::optional<Scaling> scaling = readScaling(graph_.values[value].type.tensor->element);
    const size_t dim = dimOf(scaling ? scaling->dim.value_or(-1) : integer(op, "axis", -1), y.size());
    if (dim < y.size() && (scaling ? scaling->dim.has_value() : findAttr(op, "axis") != nullptr)) solver_.fix(y[dim]);
  }
  return true;
}

void DimRelations::ratio(DimVar a, DimVar b) {
  int64_t common = std::gcd(solver_.sizeOf(a), solver_.sizeOf(b));
  if (solver_.sizeOf(a) == solver_.sizeOf(b)) solver_.equal(a, b);
  else if (common > 0) solver_.product(solver_.sizeOf(b) / common, {a}, solver_.sizeOf(a) / common, {b});
}

bool DimRelations::reduction(const Op& op) {
  const Dims& x = in(op, 0);
  const Dims& y = out(op);
  if (x.size() == y.size()) {
    broadcast(y, x);
    return true;
  }
  std::vector<bool> reduced(x.size(), false);
  for (int64_t d : ints(op, findAttr(op, "dim_arg") != nullptr ? "dim_arg" : "dim")) reduced[dimOf(d, x.size())] = true;
  for (size_t d = 0, at = 0; d < x.size(); ++d) {
    if (!reduced[d] && at < y.size()) solver_.equal(x[d], y[at++]);
  }
  return true;
}

bool DimRelations::matmul(const Op& op) {
  Dims a = in(op, 0), b = in(op, 1);
  const Dims& y = out(op);
  if (a.size() < 2 || b.size() < 2) {
    if (!a.empty() && !b.empty()) solver_.equal(a.back(), b.size() < 2 ? b.back() : b[b.size() - 2]);
    if (a.size() >= 2) solver_.equal(a[a.size() - 2], y.back());
    if (b.size() >= 2) solver_.equal(b.back(), y.back());
    return true;
  }
  if (integer(op, "transpose_a", 0) != 0) std::swap(a[a.size() - 1], a[a.size() - 2]);
  if (integer(op, "transpose_b", 0) != 0) std::swap(b[b.size() - 1], b[b.size() - 2]);
  solver_.equal(a.back(), b[b.size() - 2]);
  solver_.equal(a[a.size() - 2], y[y.size() - 2]);
  solver_.equal(b.back(), y.back());
  Dims batch(y.begin(), y.end() - 2);
  broadcast(Dims(a.begin(), a.end() - 2), batch);
  broadcast(Dims(b.begin(), b.end() - 2), batch);
  if (tensor(op, 2)) broadcast(in(op, 2), y);
  return true;
}

bool DimRelations::dotGeneral(const Op& op) {
  const Dims& a = in(op, 0);
  const Dims& b = in(op, 1);
  std::vector<bool> takenA(a.size(), false), takenB(b.size(), false);
  size_t at = 0;
  auto pair = [&](std::string_view left, std::string_view right, bool kept) {
    std::vector<int64_t> l = ints(op, left), r = ints(op, right);
    for (size_t i = 0; i < l.size() && i < r.size(); ++i) {
      size_t da = dimOf(l[i], a.size()), db = dimOf(r[i], b.size());
      takenA[da] = takenB[db] = true;
      solver_.equal(a[da], b[db]);
      if (kept) solver_.equal(a[da], out(op)[at++]);
    }
  };
  pair("batch_dims_lhs", "batch_dims_rhs", true);
  pair("contract_dims_lhs", "contract_dims_rhs", false);
  for (size_t d = 0; d < a.size(); ++d) {
    if (!takenA[d]) solver_.equal(a[d], out(op)[at++]);
  }
  for (size_t d = 0; d < b.size(); ++d) {
    if (!takenB[d]) solver_.equal(b[d], out(op)[at++]);
  }
  return true;
}

bool DimRelations::norm(const Op& op, size_t inputs) {
  const Dims& x = in(op, 0);
  same(x, out(op));
  bool batch = findAttr(op, "dimension") != nullptr;
  const size_t channels = dimOf(integer(op, "dimension", 1), x.size());
  const bool groups = findAttr(op, "num_groups") != nullptr && !x.empty();
  if (groups) solver_.fix(x.back());  // a group has a fixed number of channels
  for (size_t i = 1; i < inputs; ++i) {
    if (!tensor(op, i)) continue;
    if (groups) {
      for (DimVar dim : in(op, i)) solver_.fix(dim);
      continue;
    }
    if (batch && channels < x.size()) reshape(in(op, i), {x[channels]});
    else broadcast(in(op, i), x);
  }
  return true;
}

bool DimRelations::concatAlong(const Op& op, size_t inputs, std::string_view dimAttr) {
  const Dims& y = out(op);
  size_t dim = dimOf(integer(op, dimAttr, 0), y.size());
  if (dim >= y.size()) return true;
  Dims parts;
  for (size_t i = 0; i < inputs; ++i) {
    for (size_t d = 0; d < y.size(); ++d) {
      if (d == dim) parts.push_back(in(op, i)[d]);
      else solver_.equal(in(op, i)[d], y[d]);
    }
  }
  solver_.sum(y[dim], std::move(parts), 0);
  return true;
}

// The finest groups of neighbouring dims whose products are equal; dims of 1 stay 1 and do not matter.
bool DimRelations::embedding(const Op& op) {
  Dims rows = in(op, 0);
  rows.push_back(in(op, 1).back());
  if (op.kind == OpKind::TtirEmbeddingBackward || op.kind == OpKind::TtnnEmbeddingBackward)
    return tensor(op, 2) && reshape(rows, in(op, 2)) && reshape(in(op, 1), out(op)) && keepIndexed(op, 0, in(op, 1)[0]);
  return rows.size() == out(op).size() ? (same(rows, out(op)), true) : reshape(rows, out(op));
}

// Indices that the graph works out stay what they are, so the dim that they count keeps its size. Arguments are made
// for the shrunk graph.
bool DimRelations::keepIndexed(const Op& op, size_t operand, DimVar dim) {
  ValueId value = op.operands[operand];
  while (graph_.values[value].producer.valid()) {
    const Op& made = graph_.ops[graph_.values[value].producer];
    const Family family = opInfo(made.kind).family;
    const bool passes = family == Family::Typecast || family == Family::Reshape || family == Family::ToLayout ||
                        family == Family::Permute;
    if (!passes || made.operands.empty()) {
      solver_.fix(dim);
      return true;
    }
    value = made.operands[0];
  }
  return true;
}

// Elements at places along one dim: the operand's (gather) or the result's (scatter) other dims are those of the
// indices, or longer.
bool DimRelations::alongDim(OpId id, const Op& op, const Dims& whole, const Dims& part) {
  const Dims& indices = in(op, 1);
  if (whole.size() != indices.size() || part.size() != indices.size()) return fail(id, "other ranks");
  const size_t dim = dimOf(integer(op, "dim", 0), whole.size());
  if (dim >= whole.size()) return fail(id, "no such dim");
  same(indices, part);
  keepIndexed(op, 1, whole[dim]);
  for (size_t d = 0; d < whole.size(); ++d) {
    if (d == dim) continue;
    if (solver_.sizeOf(whole[d]) == solver_.sizeOf(part[d])) solver_.equal(whole[d], part[d]);
    else solver_.fix(whole[d]), solver_.fix(part[d]);
  }
  return true;
}

// Whole slices of some dims, single rows of the others.
bool DimRelations::gather(OpId id, const Op& op) {
  if (op.name.find(".scatter") != std::string::npos && tensor(op, 2)) {
    same(in(op, 0), out(op));
    return alongDim(id, op, out(op), in(op, 2));
  }
  if (findAttr(op, "slice_sizes") == nullptr) return alongDim(id, op, in(op, 0), out(op));
  std::vector<int64_t> sizes = ints(op, "slice_sizes"), offsets = ints(op, "offset_dims"),
                       collapsed = ints(op, "collapsed_slice_dims");
  const Dims& x = in(op, 0);
  const Dims& indices = in(op, 1);
  const Dims& y = out(op);
  if (sizes.size() != x.size()) return fail(id, "no slice sizes");
  std::vector<bool> isOffset(y.size(), false);
  size_t next = 0;
  for (size_t d = 0; d < x.size(); ++d) {
    bool whole = sizes[d] == solver_.sizeOf(x[d]);
    if (!whole && sizes[d] != 1) return fail(id, "a slice of part of a dim");
    if (std::find(collapsed.begin(), collapsed.end(), static_cast<int64_t>(d)) != collapsed.end()) continue;
    if (next >= offsets.size()) return fail(id, "too few offset dims");
    size_t at = dimOf(offsets[next++], y.size());
    if (at >= y.size()) return fail(id, kOutside);
    isOffset[at] = true;
    if (whole) solver_.equal(x[d], y[at]);
    else solver_.fix(y[at]);
  }
  int64_t vectorDim = integer(op, "index_vector_dim", -1);
  size_t at = 0;
  for (size_t d = 0; d < indices.size(); ++d) {
    if (static_cast<int64_t>(d) == vectorDim) {
      solver_.fix(indices[d]);
      continue;
    }
    while (at < y.size() && isOffset[at]) ++at;
    if (at < y.size()) solver_.equal(indices[d], y[at++]);
  }
  return true;
}

// What is chosen of a dim stays as many.
bool DimRelations::sort(const Op& op) {
  const Dims& x = in(op, 0);
  for (size_t i = 0; i < op.results.size(); ++i) {
    const Dims& y = out(op, i);
    for (size_t d = 0; d < x.size() && d < y.size(); ++d) {
      if (solver_.sizeOf(x[d]) == solver_.sizeOf(y[d])) {
        solver_.equal(x[d], y[d]);
      } else {
        solver_.fix(y[d]);
        solver_.atLeast(x[d], solver_.sizeOf(y[d]));
      }
    }
  }
  const size_t chosen = dimOf(integer(op, "dim", -1), x.size());
  if (findAttr(op, "k") != nullptr && chosen < out(op).size()) solver_.fix(out(op)[chosen]);
  return true;
}

// [batch, rows, heads * width] and [batch, heads, rows, width]; heads are counted by attributes and stay.
bool DimRelations::heads(OpId id, const Op& op, size_t inputs) {
  const bool split =
      op.kind == OpKind::TtirSplitQueryKeyValueAndSplitHeads || op.kind == OpKind::TtnnSplitQueryKeyValueAndSplitHeads;
  const bool join = op.kind == OpKind::TtirConcatenateHeads || op.kind == OpKind::TtnnConcatenateHeads;
  const Dims& x = in(op, 0);
  if (join && x.size() == 4 && out(op).size() == 3) {
    const Dims& y = out(op);
    solver_.equal(x[0], y[0]);
    solver_.equal(x[2], y[1]);
    solver_.product(1, {x[1], x[3]}, 1, {y[2]});
    return true;
  }
  if (!split || inputs != 1 || x.size() != 3 || op.results.size() != 3) return fail(id, "no rule for its sizes");
  const bool turned = integer(op, "transpose_key", 0) != 0;
  for (size_t i = 0; i < 3; ++i) {
    const Dims& y = out(op, i);
    if (y.size() != 4) return fail(id, "no rule for its sizes");
    const size_t rows = i == 1 && turned ? 3 : 2;
    solver_.equal(x[0], y[0]);
    solver_.fix(y[1]);
    solver_.equal(x[1], y[rows]);
    solver_.equal(out(op, 0)[3], y[5 - rows]);
  }
  ratio(x[2], out(op, 0)[3]);
  return true;
}

bool DimRelations::creation(const Op& op) {
  if (op.results.empty()) return true;
  const AttrValue* value = findAttr(op, "value");
  bool list = value != nullptr && value->text.rfind("dense", 0) == 0 && value->text.rfind("dense_resource", 0) != 0 &&
              (value->text.find('[') != std::string::npos || value->text.find('"') != std::string::npos);
  if (list) {
    for (DimVar var : out(op)) solver_.fix(var);
  }
  return true;
}

// One position per image.
bool DimRelations::globalPool(OpId id, const Op& op) {
  const Dims &x = in(op, 0), &y = out(op);
  if (x.size() != 4 || y.size() != 4) return fail(id, "no image");
  solver_.equal(x[0], y[0]);
  solver_.equal(x[3], y[3]);
  return true;
}

// out = stride * in + what kernel and padding add, as in the original.
bool DimRelations::spread(OpId id, DimVar in, DimVar out, int64_t stride) {
  constexpr int64_t kLargestStride = 64;
  if (stride < 1 || stride > kLargestStride) return fail(id, "a large stride");
  const int64_t added = solver_.sizeOf(out) - stride * solver_.sizeOf(in);
  if (added == 0) solver_.product(stride, {in}, 1, {out});
  else solver_.sum(out, Dims(static_cast<size_t>(stride), in), added);
  return true;
}

// [channels, outputs, height, width], and a bias of a number per output.
bool DimRelations::transposedWeight(OpId id, const Op& op, const Window2d& w, DimVar channels, DimVar outputs) {
  if (w.groups != 1) return fail(id, "a transposed convolution in groups");
  const Dims& weight = in(op, 1);
  solver_.equal(weight[0], channels);
  solver_.equal(weight[1], outputs);
  solver_.fix(weight[2]);
  solver_.fix(weight[3]);
  return !tensor(op, 2) || reshape(in(op, 2), {outputs});
}

// A convolution over one dim: of a group of channels all sizes but the length stay.
bool DimRelations::window1d(OpId id, const Op& op) {
  const Dims &x = in(op, 0), &weight = in(op, 1), &y = out(op);
  if (x.size() != 3 || weight.size() != 3 || y.size() != 3) return fail(id, "no rule for its sizes");
  const size_t batch = dimOf(integer(op, "batch_dim", 0), 3), length = dimOf(integer(op, "length_dim", 1), 3),
               channel = dimOf(integer(op, "channel_dim", 2), 3);
  if (batch > 2 || length > 2 || channel > 2) return fail(id, kOutside);
  const auto ends = [&](std::string_view name, int64_t fallback) {
    const AttrValue* value = findAttr(op, name);
    if (value == nullptr || value->ints.empty())
      return std::pair(integer(op, name, fallback), integer(op, name, fallback));
    return std::pair(value->ints.front(), value->ints.back());
  };
  const auto padding = ends("padding", 0);
  solver_.equal(x[batch], y[batch]);
  solver_.window(x[length], y[length],
                 {padding.first + padding.second, solver_.sizeOf(weight[2]), ends("stride", 1).first,
                  ends("dilation", 1).first, false, padding.first});
  solver_.equal(weight[0], y[channel]);
  solver_.fix(weight[2]);
  if (integer(op, "groups", 1) == 1) {
    solver_.equal(weight[1], x[channel]);
  } else {
    for (DimVar var : {x[channel], weight[0], weight[1]}) solver_.fix(var);
  }
  return !tensor(op, 2) || reshape(in(op, 2), {weight[0]});
}

// A convolution of volumes: of a group of channels all sizes but those of the volume stay.
bool DimRelations::window3d(OpId id, const Op& op) {
  const Dims &x = in(op, 0), &weight = in(op, 1), &y = out(op);
  if (x.size() != 5 || weight.size() != 5 || y.size() != 5) return fail(id, "no rule for its sizes");
  static constexpr std::string_view kNames[] = {"batch_dim", "depth_dim", "height_dim", "width_dim", "channel_dim"};
  size_t order[5];
  for (size_t i = 0; i < 5; ++i) order[i] = dimOf(integer(op, kNames[i], static_cast<int64_t>(i)), 5);
  if (*std::max_element(order, order + 5) > 4) return fail(id, kOutside);
  const auto numbers = [&](std::string_view name, int64_t fallback) {
    std::vector<int64_t> all = ints(op, name);
    if (all.size() == 3) return all;
    return std::vector<int64_t>(3, all.size() == 1 ? all[0] : integer(op, name, fallback));
  };
  const std::vector<int64_t> padding = numbers("padding", 0), stride = numbers("stride", 1);
  solver_.equal(x[order[0]], y[order[0]]);
  for (size_t i = 0; i < 3; ++i) {
    solver_.window(x[order[i + 1]], y[order[i + 1]],
                   {2 * padding[i], solver_.sizeOf(weight[i + 2]), stride[i], 1, false, padding[i]});
    solver_.fix(weight[i + 2]);
  }
  const DimVar channels = x[order[4]];
  solver_.equal(weight[0], y[order[4]]);
  if (integer(op, "groups", 1) == 1) {
    solver_.equal(weight[1], channels);
  } else {
    for (DimVar var : {channels, weight[0], weight[1]}) solver_.fix(var);
  }
  return !tensor(op, 2) || reshape(in(op, 2), {weight[0]});
}

bool DimRelations::window(OpId id, const Op& op) {
  if (op.kind == OpKind::TtirConv1d) return window1d(id, op);
  if (op.kind == OpKind::TtirConv3d) return window3d(id, op);
  if (op.name.find("global_") != std::string::npos) return globalPool(id, op);
  std::optional<Window2d> w = window2d(graph_, id);
  if (!w || w->flattened) return fail(id, "only plain 2-D windows can be shrunk");
  static constexpr std::string_view kNames[] = {"batch_dim", "height_dim", "width_dim", "channel_dim"};
  size_t order[4];
  for (size_t i = 0; i < 4; ++i) order[i] = dimOf(integer(op, kNames[i], static_cast<int64_t>(i)), 4);
  const Dims& x = in(op, 0);
  const Dims& y = out(op);
  bool unnamed = findAttr(op, "channel_dim") == nullptr;
  if (unnamed && graph_.values[op.operands[0]].type.tensor->shape[1] == w->inC &&
      graph_.values[op.operands[0]].type.tensor->shape[3] != w->inC) {
    order[1] = 2, order[2] = 3, order[3] = 1;
  }
  solver_.equal(x[order[0]], y[order[0]]);
  if (w->transposed) {
    return spread(id, x[order[1]], y[order[1]], w->strideH) && spread(id, x[order[2]], y[order[2]], w->strideW) &&
           transposedWeight(id, op, *w, x[order[3]], y[order[3]]);
  }
  const bool ceil = integer(op, "ceil_mode", 0) != 0;
  solver_.window(x[order[1]], y[order[1]],
                 {w->padTop + w->padBottom, w->kernelH, w->strideH, w->dilationH, ceil, w->padTop});
  solver_.window(x[order[2]], y[order[2]],
                 {w->padLeft + w->padRight, w->kernelW, w->strideW, w->dilationW, ceil, w->padLeft});
  if (opInfo(op.kind).family == Family::Pool) {
    solver_.equal(x[order[3]], y[order[3]]);
    return op.results.size() < 2 || reshape(y, out(op, 1));  // the places of the largest have the result's shape
  }
  const Dims& weight = in(op, 1);
  solver_.equal(weight[0], y[order[3]]);
  solver_.fix(weight[2]);
  solver_.fix(weight[3]);
  if (w->groups == 1) {
    solver_.equal(weight[1], x[order[3]]);
  } else if (w->groups == w->inC) {  // depthwise: the groups follow the channels
    ratio(weight[0], x[order[3]]);
  } else {
    solver_.product(w->groups, {weight[1]}, 1, {x[order[3]]});
    DimVar perGroup = solver_.add(w->outC / w->groups);
    solver_.product(w->groups, {perGroup}, 1, {weight[0]});
  }
  if (tensor(op, 2)) return reshape(in(op, 2), {weight[0]});
  return true;
}

}  // namespace tessera
