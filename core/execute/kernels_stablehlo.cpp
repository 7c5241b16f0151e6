// StableHLO ops whose attributes or rules differ from TTIR's. Source: openxla/stablehlo docs/spec.md.

#include <algorithm>
#include <cmath>

#include "core/execute/kernel.h"
#include "core/execute/stablehlo_attrs.h"

namespace tessera {

namespace {

void runIota(KernelCall& c) {
  const TensorType* type = c.resultType();
  size_t dim = 0;
  if (!c.need(type != nullptr, "the result is no tensor") ||
      !c.dim(c.integer("iota_dimension", 0), type->shape.size(), dim) || !c.make(0, type->shape, false))
    return;
  Odometer at(type->shape, {});
  for (size_t i = 0; i < c.out[0].size(); ++i, at.next()) c.out[0].i[i] = at.index()[dim];
}

void runBroadcastInDim(KernelCall& c) {
  const TensorType* type = c.resultType();
  if (!c.inputs(1) || !c.need(type != nullptr, "the result is no tensor")) return;
  const HostTensor& x = c.input(0);
  std::vector<int64_t> dims = c.ints("broadcast_dimensions");
  if (!c.need(dims.size() == x.shape.size(), "its dims do not fit") || !c.make(0, type->shape, x.real)) return;
  std::vector<size_t> own = stridesOf(x.shape), strides(type->shape.size(), 0);
  for (size_t i = 0; i < dims.size(); ++i) {
    size_t to = 0;
    if (!c.dim(dims[i], type->shape.size(), to)) return;
    bool fits = x.shape[i] == 1 || x.shape[i] == type->shape[to];
    if (!c.need(fits, "a dim is neither 1 nor the result's")) return;
    strides[to] = x.shape[i] == 1 ? 0 : own[i];
  }
  Odometer at(type->shape, {strides});
  for (size_t i = 0; i < c.out[0].size(); ++i, at.next()) c.out[0].set(i, x.at(at.offset(0)));
}

void runConcatenate(KernelCall& c) {
  const TensorType* type = c.resultType();
  size_t dim = 0;
  if (!c.inputs(1) || !c.need(type != nullptr, "the result is no tensor") ||
      !c.dim(c.integer("dimension", 0), type->shape.size(), dim) || !c.make(0, type->shape, c.input(0).real))
    return;
  std::vector<size_t> strides = stridesOf(type->shape);
  size_t begin = 0;
  for (const HostTensor* part : c.in) {
    if (!c.need(part != nullptr && part->shape.size() == type->shape.size(), "other ranks")) return;
    if (!c.need(begin + static_cast<size_t>(part->shape[dim]) <= static_cast<size_t>(type->shape[dim]), "too large"))
      return;
    Odometer at(part->shape, {strides});
    for (size_t i = 0; i < part->size(); ++i, at.next()) c.out[0].set(begin * strides[dim] + at.offset(0), part->at(i));
    begin += static_cast<size_t>(part->shape[dim]);
  }
}

void runShloSlice(KernelCall& c) {
  const TensorType* type = c.resultType();
  if (!c.inputs(1) || !c.need(type != nullptr && type->shape.size() == c.input(0).shape.size(), "other ranks")) return;
  const HostTensor& x = c.input(0);
  std::vector<int64_t> begins = c.ints("start_indices"), steps = c.ints("strides");
  if (steps.size() <= 1) steps.assign(x.shape.size(), steps.empty() ? 1 : steps[0]);
  if (begins.size() == 1) begins.assign(x.shape.size(), begins[0]);
  if (!c.need(begins.size() == x.shape.size() && steps.size() == x.shape.size(), "bounds of another rank") ||
      !c.make(0, type->shape, x.real))
    return;
  std::vector<size_t> strides = stridesOf(x.shape);
  size_t first = 0;
  for (size_t d = 0; d < strides.size(); ++d) {
    int64_t last = begins[d] + (type->shape[d] - 1) * steps[d];
    if (!c.need(begins[d] >= 0 && steps[d] > 0 && last < x.shape[d], "bounds outside of the operand")) return;
    first += static_cast<size_t>(begins[d]) * strides[d];
    strides[d] *= static_cast<size_t>(steps[d]);
  }
  Odometer at(type->shape, {strides});
  for (size_t i = 0; i < c.out[0].size(); ++i, at.next()) c.out[0].set(i, x.at(first + at.offset(0)));
}

void runShloPad(KernelCall& c) {
  const TensorType* type = c.resultType();
  if (!c.inputs(2) || !c.need(type != nullptr && c.input(1).size() == 1, "no value to pad with")) return;
  const HostTensor& x = c.input(0);
  size_t rank = x.shape.size();
  std::vector<int64_t> low = c.ints("edge_padding_low"), interior = c.ints("interior_padding");
  interior.resize(rank, 0);
  if (!c.need(low.size() == rank && type->shape.size() == rank, "padding of another rank") ||
      !c.make(0, type->shape, x.real))
    return;
  for (size_t i = 0; i < c.out[0].size(); ++i) c.out[0].set(i, c.input(1).at(0));
  std::vector<size_t> strides = stridesOf(type->shape);
  Odometer at(x.shape, {});
  for (size_t i = 0; i < x.size(); ++i, at.next()) {
    size_t to = 0;
    bool inside = true;
    for (size_t d = 0; d < rank; ++d) {
      int64_t place = low[d] + at.index()[d] * (interior[d] + 1);
      inside = inside && place >= 0 && place < type->shape[d];
      to += static_cast<size_t>(inside ? place : 0) * strides[d];
    }
    if (inside) c.out[0].set(to, x.at(i));
  }
}

// Where a window of `sizes` begins, from operand `first` on; clamped so that it fits.
bool startOf(KernelCall& c, size_t first, const Shape& shape, const Shape& sizes, std::vector<size_t>& start) {
  if (!c.need(c.in.size() >= first + shape.size() && sizes.size() == shape.size(), "an index is missing")) return false;
  for (size_t d = 0; d < shape.size(); ++d) {
    bool fits = c.hasInput(first + d) && c.input(first + d).size() == 1 && sizes[d] <= shape[d];
    if (!c.need(fits, "the window does not fit")) return false;
    start.push_back(static_cast<size_t>(std::clamp<int64_t>(c.input(first + d).integerAt(0), 0, shape[d] - sizes[d])));
  }
  return true;
}

void runShloDynamicSlice(KernelCall& c) {
  const TensorType* type = c.resultType();
  std::vector<size_t> start;
  if (!c.inputs(1) || !c.need(type != nullptr, "the result is no tensor") ||
      !startOf(c, 1, c.input(0).shape, type->shape, start) || !c.make(0, type->shape, c.input(0).real))
    return;
  std::vector<size_t> strides = stridesOf(c.input(0).shape);
  size_t first = 0;
  for (size_t d = 0; d < start.size(); ++d) first += start[d] * strides[d];
  Odometer at(type->shape, {strides});
  for (size_t i = 0; i < c.out[0].size(); ++i, at.next()) c.out[0].set(i, c.input(0).at(first + at.offset(0)));
}

void runDynamicUpdateSlice(KernelCall& c) {
  std::vector<size_t> start;
  if (!c.inputs(2) || !startOf(c, 2, c.input(0).shape, c.input(1).shape, start) ||
      !c.make(0, c.input(0).shape, c.input(0).real))
    return;
  c.out[0] = c.input(0);
  std::vector<size_t> strides = stridesOf(c.input(0).shape);
  size_t first = 0;
  for (size_t d = 0; d < start.size(); ++d) first += start[d] * strides[d];
  Odometer at(c.input(1).shape, {strides});
  for (size_t i = 0; i < c.input(1).size(); ++i, at.next()) c.out[0].set(first + at.offset(0), c.input(1).at(i));
}

void runShloDot(KernelCall& c) {
  const TensorType* type = c.resultType();
  if (!c.inputs(2) || !c.need(type != nullptr, "the result is no tensor")) return;
  const HostTensor &a = c.input(0), &b = c.input(1);
  ShloDot dot = readShloDot(c.op);
  if (bareName(c.op) == "dot") dot = {{}, {}, {static_cast<int64_t>(a.shape.size()) - 1}, {0}};
  std::vector<size_t> strideA = stridesOf(a.shape), strideB = stridesOf(b.shape), overA, overB;
  Shape shape, sums;
  std::vector<size_t> sumA, sumB;
  std::vector<bool> usedA(a.shape.size(), false), usedB(b.shape.size(), false);
  auto pairs = [&](const std::vector<int64_t>& l, const std::vector<int64_t>& r, bool kept) {
    if (!c.need(l.size() == r.size(), "its dims do not fit")) return false;
    for (size_t i = 0; i < l.size(); ++i) {
      size_t da = 0, db = 0;
      if (!c.dim(l[i], a.shape.size(), da) || !c.dim(r[i], b.shape.size(), db)) return false;
      if (!c.need(a.shape[da] == b.shape[db] && !usedA[da] && !usedB[db], "its dims do not fit")) return false;
      usedA[da] = usedB[db] = true;
      (kept ? shape : sums).push_back(a.shape[da]);
      (kept ? overA : sumA).push_back(strideA[da]);
      (kept ? overB : sumB).push_back(strideB[db]);
    }
    return true;
  };
  if (!pairs(dot.batchLeft, dot.batchRight, true) || !pairs(dot.sumLeft, dot.sumRight, false)) return;
  for (size_t d = 0; d < a.shape.size(); ++d) {
    if (!usedA[d]) shape.push_back(a.shape[d]), overA.push_back(strideA[d]), overB.push_back(0);
  }
  for (size_t d = 0; d < b.shape.size(); ++d) {
    if (!usedB[d]) shape.push_back(b.shape[d]), overA.push_back(0), overB.push_back(strideB[d]);
  }
  if (!c.make(0, shape, a.real || b.real)) return;
  std::vector<std::pair<size_t, size_t>> terms(static_cast<size_t>(elementCount(sums).value_or(0)));
  Odometer inner(sums, {sumA, sumB});
  for (auto& term : terms) {
    term = {inner.offset(0), inner.offset(1)};
    inner.next();
  }
  Odometer at(shape, {overA, overB});
  for (size_t i = 0; i < c.out[0].size(); ++i, at.next()) {
    double sum = 0;
    for (const auto& [ofA, ofB] : terms) sum += a.at(at.offset(0) + ofA) * b.at(at.offset(1) + ofB);
    c.out[0].set(i, sum);
  }
}

HostTensor scalarOf(const HostTensor& like, double value) {
  HostTensor out = makeTensor({}, like.real);
  out.set(0, value);
  return out;
}

// "stablehlo.add" on two numbers; false when the name is none of these.
bool combine(std::string_view body, double a, double b, double& out) {
  if (body == "stablehlo.add") out = a + b;
  else if (body == "stablehlo.multiply") out = a * b;
  else if (body == "stablehlo.maximum") out = std::isnan(a) || a > b ? a : b;
  else if (body == "stablehlo.minimum") out = std::isnan(a) || a < b ? a : b;
  else if (body == "stablehlo.and") out = static_cast<double>(static_cast<int64_t>(a) & static_cast<int64_t>(b));
  else if (body == "stablehlo.or") out = static_cast<double>(static_cast<int64_t>(a) | static_cast<int64_t>(b));
  else if (body == "stablehlo.xor") out = static_cast<double>(static_cast<int64_t>(a) ^ static_cast<int64_t>(b));
  else if (body == "first") out = a;
  else if (body == "second") out = b;
  else return false;
  return true;
}

// A region: one of the ops above, or a function.
class Body {
 public:
  Body(KernelCall& c, std::string_view attr) : c_(c) {
    const AttrValue* body = findAttr(c.op, attr);
    if (body == nullptr || body->kind != AttrValueKind::String) return;
    name_ = body->string;
    function_ = !body->text.empty() && body->text[0] == '@';
  }
  double two(const HostTensor& like, double a, double b) {
    double out = 0;
    if (!function_ && combine(name_, a, b, out)) return out;
    std::vector<HostTensor> results;
    if (!call({scalarOf(like, a), scalarOf(like, b)}, results)) return 0;
    return results[0].at(0);
  }
  bool call(const std::vector<HostTensor>& inputs, std::vector<HostTensor>& results) {
    std::string error;
    if (!function_) return c_.fail("its body is not known");
    std::vector<HostTensor> all = inputs;
    for (size_t i = captured_; i < c_.in.size() && captured_ > 0; ++i) all.push_back(c_.input(i));
    if (!runFunction(c_.graph, name_, all, results, error)) return c_.fail(error);
    return c_.need(!results.empty(), "its body gives nothing");
  }
  bool isFunction() const { return function_; }
  void captures(size_t first) { captured_ = first; }
  std::string_view name() const { return name_; }

 private:
  KernelCall& c_;
  std::string name_;
  bool function_ = false;
  size_t captured_ = 0;
};

void runShloReduce(KernelCall& c) {
  size_t n = c.out.size();
  if (!c.inputs(2 * n) || !c.need(n > 0, "no result")) return;
  Shape shape, kept = c.input(0).shape;
  std::vector<int64_t> dims = c.ints("dimensions");
  for (size_t d = 0; d < kept.size(); ++d) {
    if (std::find(dims.begin(), dims.end(), static_cast<int64_t>(d)) == dims.end()) shape.push_back(kept[d]);
    else kept[d] = 1;
  }
  Body body(c, "body");
  body.captures(2 * n);
  for (size_t r = 0; r < n; ++r) {
    if (!c.need(c.input(r).shape == c.input(0).shape, "its operands have different shapes") ||
        !c.make(r, shape, c.input(r).real))
      return;
  }
  Odometer at(c.input(0).shape, {broadcastStrides(kept, c.input(0).shape)});
  if (n == 1) {  // in double, so that the order of a sum does not show
    std::vector<double> state(c.out[0].size(), c.input(n).at(0));
    for (size_t i = 0; i < c.input(0).size() && c.error.empty(); ++i, at.next())
      state[at.offset(0)] = body.two(c.input(0), state[at.offset(0)], c.input(0).at(i));
    for (size_t i = 0; i < state.size(); ++i) c.out[0].set(i, state[i]);
    return;
  }
  for (size_t r = 0; r < n; ++r) {
    for (size_t i = 0; i < c.out[r].size(); ++i) c.out[r].set(i, c.input(n + r).at(0));
  }
  for (size_t i = 0; i < c.input(0).size(); ++i, at.next()) {
    std::vector<HostTensor> inputs, results;
    for (size_t r = 0; r < n; ++r) inputs.push_back(scalarOf(c.out[r], c.out[r].at(at.offset(0))));
    for (size_t r = 0; r < n; ++r) inputs.push_back(scalarOf(c.input(r), c.input(r).at(i)));
    if (!body.call(inputs, results) || !c.need(results.size() == n, "its body gives another number of values")) return;
    for (size_t r = 0; r < n; ++r) c.out[r].set(at.offset(0), results[r].at(0));
  }
}

// Bottom-up merges, stable; a comparator from a file may contradict itself, which std::stable_sort must not see.
template <class Before>
void mergeSort(std::vector<size_t>& order, Before before) {
  std::vector<size_t> merged(order.size());
  for (size_t width = 1; width < order.size(); width *= 2) {
    for (size_t begin = 0; begin < order.size(); begin += 2 * width) {
      size_t middle = std::min(begin + width, order.size()), end = std::min(begin + 2 * width, order.size());
      for (size_t left = begin, right = middle, at = begin; at < end; ++at) {
        bool takesRight = left == middle || (right < end && before(order[right], order[left]));
        merged[at] = takesRight ? order[right++] : order[left++];
      }
    }
    order.swap(merged);
  }
}

// What a body compares when it is one comparison of its first two arguments; empty otherwise.
std::string comparisonOf(const Graph& graph, const Body& body) {
  if (!body.isFunction()) return std::string(body.name());
  for (const Function& func : graph.funcs) {
    if (func.name != body.name() || func.ops.size() != 2 || func.args.size() < 2) continue;
    const Op& op = graph.ops[func.ops[0]];
    const AttrValue* direction = findAttr(op, "comparison_direction");
    bool plain = op.kind == OpKind::ShloCompare && direction != nullptr && op.operands.size() == 2 &&
                 op.operands[0] == func.args[0] && op.operands[1] == func.args[1];
    return plain ? "stablehlo.compare " + direction->string : std::string();
  }
  return "";
}

void runShloSort(KernelCall& c) {
  size_t n = c.out.size(), dim = 0;
  if (!c.inputs(n) || !c.need(n > 0, "no result") || !c.dim(c.integer("dimension", -1), c.input(0).shape.size(), dim))
    return;
  for (size_t r = 0; r < n; ++r) {
    if (!c.need(c.input(r).shape == c.input(0).shape, "its operands have different shapes") ||
        !c.make(r, c.input(r).shape, c.input(r).real))
      return;
  }
  Body body(c, "body");
  body.captures(n);
  size_t stride = stridesOf(c.input(0).shape)[dim], length = static_cast<size_t>(c.input(0).shape[dim]);
  std::string plain = comparisonOf(c.graph, body);
  bool descending = plain == "stablehlo.compare GT" || plain == "stablehlo.compare GE";
  auto before = [&](size_t a, size_t b) {
    if (!plain.empty()) return descending ? c.input(0).at(a) > c.input(0).at(b) : c.input(0).at(a) < c.input(0).at(b);
    std::vector<HostTensor> inputs, results;
    for (size_t r = 0; r < n; ++r) {
      inputs.push_back(scalarOf(c.input(r), c.input(r).at(a)));
      inputs.push_back(scalarOf(c.input(r), c.input(r).at(b)));
    }
    return body.call(inputs, results) && results[0].at(0) != 0;
  };
  for (size_t block = 0; length > 0 && block < c.input(0).size(); block += stride * length) {
    for (size_t inner = 0; inner < stride; ++inner) {
      std::vector<size_t> order(length);
      for (size_t i = 0; i < length; ++i) order[i] = block + inner + i * stride;
      mergeSort(order, before);
      for (size_t i = 0; i < length; ++i) {
        for (size_t r = 0; r < n; ++r) c.out[r].set(block + inner + i * stride, c.input(r).at(order[i]));
      }
    }
  }
}

// For every element of the windows (result of gather, updates of scatter): its place in the operand. False on error.
template <class Visit>
bool forEachPlace(KernelCall& c, const ShloPick& pick, const Shape& windows, const Shape& sizes, bool clamps,
                  Visit visit) {
  const HostTensor &x = c.input(0), &indices = c.input(1);
  std::vector<size_t> strides = stridesOf(x.shape), indexStrides = stridesOf(indices.shape);
  auto holds = [](const std::vector<int64_t>& list, size_t v) {
    return std::find(list.begin(), list.end(), static_cast<int64_t>(v)) != list.end();
  };
  std::vector<size_t> kept, batchDims;
  for (size_t d = 0; d < x.shape.size(); ++d) {
    if (!holds(pick.collapsed, d) && !holds(pick.batchOperand, d)) kept.push_back(d);
  }
  for (size_t d = 0; d < windows.size(); ++d) {
    if (!holds(pick.offset, d)) batchDims.push_back(d);
  }
  std::vector<size_t> indexDims;
  for (size_t d = 0; d < indices.shape.size(); ++d) {
    if (static_cast<int64_t>(d) != pick.vectorDim) indexDims.push_back(d);
  }
  bool fits = kept.size() == pick.offset.size() && batchDims.size() == indexDims.size();
  for (int64_t d : pick.offset) fits = fits && d >= 0 && static_cast<size_t>(d) < windows.size();
  for (const std::vector<int64_t>* list : {&pick.map, &pick.batchOperand}) {
    for (int64_t d : *list) fits = fits && d >= 0 && static_cast<size_t>(d) < x.shape.size();
  }
  for (int64_t d : pick.batchIndices) fits = fits && d >= 0 && static_cast<size_t>(d) < indices.shape.size();
  size_t parts = pick.vectorDim < static_cast<int64_t>(indices.shape.size())
                     ? static_cast<size_t>(indices.shape[static_cast<size_t>(pick.vectorDim)])
                     : 1;
  if (!c.need(fits && parts == pick.map.size() && pick.batchOperand.size() == pick.batchIndices.size(),
              "its dimension numbers do not fit"))
    return false;
  size_t partStride = pick.vectorDim < static_cast<int64_t>(indices.shape.size())
                          ? indexStrides[static_cast<size_t>(pick.vectorDim)]
                          : 0;
  Odometer at(windows, {});
  auto count = static_cast<size_t>(elementCount(windows).value_or(0));
  for (size_t i = 0; i < count; ++i, at.next()) {
    size_t index = 0;
    for (size_t b = 0; b < batchDims.size(); ++b)
      index += static_cast<size_t>(at.index()[batchDims[b]]) * indexStrides[indexDims[b]];
    std::vector<int64_t> place(x.shape.size(), 0);
    for (size_t m = 0; m < pick.map.size(); ++m) {
      auto d = static_cast<size_t>(pick.map[m]);
      int64_t start = indices.integerAt(index + m * partStride);
      place[d] = clamps ? std::clamp<int64_t>(start, 0, std::max<int64_t>(x.shape[d] - sizes[d], 0)) : start;
    }
    for (size_t b = 0; b < pick.batchOperand.size(); ++b) {
      auto which = static_cast<size_t>(
          std::find(indexDims.begin(), indexDims.end(), static_cast<size_t>(pick.batchIndices[b])) - indexDims.begin());
      if (which < batchDims.size()) place[static_cast<size_t>(pick.batchOperand[b])] = at.index()[batchDims[which]];
    }
    for (size_t k = 0; k < kept.size(); ++k) place[kept[k]] += at.index()[static_cast<size_t>(pick.offset[k])];
    size_t to = 0;
    bool inside = true;
    for (size_t d = 0; d < place.size(); ++d) {
      inside = inside && place[d] >= 0 && place[d] < x.shape[d];
      to += static_cast<size_t>(inside ? place[d] : 0) * strides[d];
    }
    if (!visit(i, inside, to)) return false;
  }
  return true;
}

void runShloGather(KernelCall& c) {
  const TensorType* type = c.resultType();
  if (!c.inputs(2) || !c.need(type != nullptr, "the result is no tensor")) return;
  std::vector<int64_t> sizes = c.ints("slice_sizes");
  if (!c.need(sizes.size() == c.input(0).shape.size(), "no slice sizes") || !c.make(0, type->shape, c.input(0).real))
    return;
  forEachPlace(c, readShloPick(c.op, "dimension_numbers"), type->shape, sizes, true,
               [&](size_t i, bool inside, size_t from) {
                 if (!c.need(inside, "a slice is larger than the operand")) return false;
                 c.out[0].set(i, c.input(0).at(from));
                 return true;
               });
}

// Updates that would land outside are dropped.
void runShloScatter(KernelCall& c) {
  if (!c.inputs(3) || !c.need(c.out.size() == 1, "several operands") || !c.make(0, c.input(0).shape, c.input(0).real))
    return;
  c.out[0] = c.input(0);
  Body body(c, "body");
  body.captures(3);
  forEachPlace(c, readShloPick(c.op, "scatter_dimension_numbers"), c.input(2).shape, c.input(0).shape, false,
               [&](size_t i, bool inside, size_t to) {
                 if (inside) c.out[0].set(to, body.two(c.input(0), c.out[0].at(to), c.input(2).at(i)));
                 return c.error.empty();
               });
}

void runClamp(KernelCall& c) {
  if (!c.inputs(3) || !c.make(0, c.input(1).shape, c.input(1).real)) return;
  for (size_t i = 0; i < c.out[0].size(); ++i) {
    double low = c.input(0).at(c.input(0).size() == 1 ? 0 : i), high = c.input(2).at(c.input(2).size() == 1 ? 0 : i);
    c.out[0].set(i, std::min(std::max(c.input(1).at(i), low), high));
  }
}

void runNot(KernelCall& c) {
  const TensorType* type = c.resultType();
  if (!c.inputs(1) || !c.need(type != nullptr && !c.input(0).real, "no integers") ||
      !c.make(0, c.input(0).shape, false))
    return;
  for (size_t i = 0; i < c.out[0].size(); ++i)
    c.out[0].i[i] = type->dtype == DType::I1 ? (c.input(0).i[i] == 0 ? 1 : 0) : ~c.input(0).i[i];
}

void runShloRemainder(KernelCall& c) {
  if (!c.inputs(2) || !c.need(c.input(0).shape == c.input(1).shape, "other shapes") ||
      !c.make(0, c.input(0).shape, c.input(0).real))
    return;
  for (size_t i = 0; i < c.out[0].size(); ++i) {
    if (c.input(0).real) c.out[0].f[i] = std::fmod(c.input(0).f[i], c.input(1).f[i]);
    else c.out[0].i[i] = c.input(1).i[i] == 0 || c.input(1).i[i] == -1 ? 0 : c.input(0).i[i] % c.input(1).i[i];
  }
}

void runRoundAway(KernelCall& c) {
  if (!c.inputs(1) || !c.make(0, c.input(0).shape, true)) return;
  for (size_t i = 0; i < c.out[0].size(); ++i) c.out[0].f[i] = std::round(static_cast<float>(c.input(0).at(i)));
}

void runRoundEven(KernelCall& c) {
  if (!c.inputs(1) || !c.make(0, c.input(0).shape, true)) return;
  for (size_t i = 0; i < c.out[0].size(); ++i) c.out[0].f[i] = std::nearbyint(static_cast<float>(c.input(0).at(i)));
}

// The results are the operands.
void runSame(KernelCall& c) {
  if (!c.inputs(c.out.size())) return;
  for (size_t r = 0; r < c.out.size(); ++r) {
    if (!c.make(r, c.input(r).shape, c.input(r).real)) return;
    c.out[r] = c.input(r);
  }
}

}  // namespace

constinit const NamedKernel kStablehloKernels[] = {
    {"iota", runIota},
    {"broadcast_in_dim", runBroadcastInDim},
    {"concatenate", runConcatenate},
    {"slice", runShloSlice},
    {"pad", runShloPad},
    {"dynamic_slice", runShloDynamicSlice},
    {"dynamic_update_slice", runDynamicUpdateSlice},
    {"dot_general", runShloDot},
    {"dot", runShloDot},
    {"reduce", runShloReduce},
    {"sort", runShloSort},
    {"gather", runShloGather},
    {"scatter", runShloScatter},
    {"clamp", runClamp},
    {"not", runNot},
    {"remainder", runShloRemainder},
    {"round_nearest_afz", runRoundAway},
    {"round_nearest_even", runRoundEven},
    {"optimization_barrier", runSame},
    {"copy", runSame},
    {"sharding_constraint", runSame},
    {"all_reduce", runSame},
    {"collective_permute", runSame},
    {"collective_broadcast", runSame},
    {"", nullptr},
};

}  // namespace tessera
