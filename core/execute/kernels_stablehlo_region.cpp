// StableHLO ops that run a region, or go to places that indices name. Source: openxla/stablehlo docs/spec.md.

#include <algorithm>
#include <cmath>

#include "core/execute/kernel.h"
#include "core/execute/stablehlo_attrs.h"
#include "core/ir/builder.h"
#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

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
    return c_.need(results[0].size() == 1, "its body gives no scalar") ? results[0].at(0) : 0;
  }
  bool call(const std::vector<HostTensor>& inputs, std::vector<HostTensor>& results) {
    std::string error;
    if (!function_) return runWord(inputs, results);
    std::vector<HostTensor> all = inputs;
    for (size_t i = captured_; i < c_.in.size() && captured_ > 0; ++i) {
      if (!c_.need(c_.hasInput(i), "an operand is missing")) return false;
      all.push_back(c_.input(i));
    }
    if (!c_.known(c_.bodies != nullptr, "it runs no functions here")) return false;
    if (!runFunction(c_.graph, name_, all, *c_.bodies, results, error)) return c_.known(false, error);
    return c_.need(!results.empty(), "its body gives nothing");
  }
  bool isFunction() const { return function_; }
  void captures(size_t first) { captured_ = first; }
  std::string_view name() const { return name_; }

 private:
  // "stablehlo.subtract", "stablehlo.compare LT"; of the type of what is computed with it.
  bool runWord(std::vector<HostTensor> inputs, std::vector<HostTensor>& results) {
    Graph alone;
    Value value;
    const TensorType* type = c_.resultType(0);
    if (!c_.need(type != nullptr, "its result is no tensor")) return false;
    value.type.tensor = *type;
    value.type.tensor->shape.clear();
    Op op;
    op.results = {alone.values.push(std::move(value))};
    const size_t space = name_.find(' ');
    op.name = name_.substr(0, space);
    if (space != std::string::npos) op.attrs = {{"comparison_direction", stringAttr(name_.substr(space + 1))}};
    const Kernel kernel = findKernel(op.name);
    if (!c_.known(kernel != nullptr, "its body is not known")) return false;
    KernelCall call{alone, op, {}, std::vector<HostTensor>(1), {}, false, c_.bodies};
    for (HostTensor& input : inputs) call.in.push_back(&input);
    kernel(call);
    results = std::move(call.out);
    return c_.known(call.error.empty(), call.error);
  }

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
    if (!c.need(c.input(r).shape == c.input(0).shape, "its operands have different shapes") || !c.isScalar(n + r) ||
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
    for (size_t r = 0; r < n; ++r) {
      if (!c.need(results[r].size() == 1, "its body gives no scalar")) return;
      c.out[r].set(at.offset(0), results[r].at(0));
    }
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
    return body.call(inputs, results) && c.need(results[0].size() == 1, "its body gives no scalar") &&
           results[0].at(0) != 0;
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
  for (size_t b = 0; fits && b < batchDims.size(); ++b) fits = windows[batchDims[b]] == indices.shape[indexDims[b]];
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

// Element by element, of as many operands of one shape as the body does not capture.
void runShloMap(KernelCall& c) {
  const std::vector<int64_t> captures = c.ints("captures");
  const int64_t captured = captures.empty() ? 0 : captures[0], all = static_cast<int64_t>(c.in.size());
  if (!c.need(captured >= 0 && captured < all && c.out.size() == 1, "it maps no operand") || !c.inputs(c.in.size()))
    return;
  const auto operands = static_cast<size_t>(all - captured);
  for (size_t k = 0; k < operands; ++k) {
    if (!c.need(c.input(k).shape == c.input(0).shape, "its operands have different shapes")) return;
  }
  Body body(c, "body");
  body.captures(operands);
  if (!c.make(0, c.input(0).shape, c.input(0).real)) return;
  for (size_t i = 0; i < c.input(0).size() && c.error.empty(); ++i) {
    std::vector<HostTensor> elements, results;
    for (size_t k = 0; k < operands; ++k) elements.push_back(scalarOf(c.input(k), c.input(k).at(i)));
    if (!body.call(elements, results) || !c.need(results[0].size() == 1, "its body gives no scalar")) return;
    if (i == 0 && !c.make(0, c.input(0).shape, results[0].real)) return;
    c.out[0].set(i, results[0].at(0));
  }
}

}  // namespace

constinit const NamedKernel kStablehloRegionKernels[] = {
    {"reduce", runShloReduce},   {"sort", runShloSort}, {"gather", runShloGather},
    {"scatter", runShloScatter}, {"map", runShloMap},   {"", nullptr},
};

}  // namespace tessera
