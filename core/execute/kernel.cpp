#include "core/execute/kernel.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/ir/functions.h"

namespace tessera {

namespace {

struct OtherName {
  std::string_view stablehlo, ttir;
};
constexpr OtherName kOtherNames[] = {
    {"and", "bitwise_and"},
    {"convert", "typecast"},
    {"cosine", "cos"},
    {"divide", "div"},
    {"exponential", "exp"},
    {"exponential_minus_one", "expm1"},
    {"is_finite", "isfinite"},
    {"is_inf", "isinf"},
    {"log_plus_one", "log1p"},
    {"logistic", "sigmoid"},
    {"negate", "neg"},
    {"or", "bitwise_or"},
    {"power", "pow"},
    {"remainder", "fmod"},
    {"select", "where"},
    {"shift_left", "logical_left_shift"},
    {"shift_right_logical", "logical_right_shift"},
    {"sine", "sin"},
    {"transpose", "permute"},
    {"xor", "bitwise_xor"},
};

std::string_view comparisonName(const Op& op) {
  const AttrValue* direction = findAttr(op, "comparison_direction");
  std::string_view word = direction == nullptr ? std::string_view() : std::string_view(direction->string);
  return word == "EQ"   ? "eq"
         : word == "NE" ? "ne"
         : word == "GE" ? "ge"
         : word == "GT" ? "gt"
         : word == "LE" ? "le"
                        : "lt";
}

bool ofStablehlo(std::string_view name) {
  std::string_view dialect = name.substr(0, name.find('.'));
  return dialect == "stablehlo" || dialect == "chlo" || dialect == "sdy" || dialect == "mhlo";
}

}  // namespace

std::string_view bareName(const Op& op) {
  std::string_view name = op.name;
  bool stablehlo = ofStablehlo(name);
  name = name.substr(name.find('.') + 1);
  if (!stablehlo) return name;
  constexpr std::string_view kBroadcast = "broadcast_";
  bool pair = op.name.rfind("chlo.broadcast_", 0) == 0;
  if (pair) name = name.substr(kBroadcast.size());
  if (name == "compare") return comparisonName(op);
  for (const OtherName& other : kOtherNames) {
    if (other.stablehlo == name) return other.ttir;
  }
  return name;
}

HostTensor makeTensor(const Shape& shape, bool real) {
  HostTensor t;
  t.shape = shape;
  t.real = real;
  auto count = static_cast<size_t>(elementCount(shape).value_or(0));
  if (real) t.f.resize(count);
  else t.i.resize(count);
  return t;
}

namespace {

int64_t wrap(int64_t value, DType dtype) {
  switch (dtype) {
    case DType::I1: return value != 0;
    case DType::I8: return static_cast<int8_t>(value);
    case DType::I16: return static_cast<int16_t>(value);
    case DType::I32: return static_cast<int32_t>(value);
    case DType::U8: return static_cast<uint8_t>(value);
    case DType::U16: return static_cast<uint16_t>(value);
    case DType::U32: return static_cast<uint32_t>(value);
    default: return value;
  }
}

// Toward zero; what does not fit 63 bits becomes the nearest that does.
int64_t truncated(float value) {
  if (!(value > -9.2e18f)) return std::isnan(value) ? 0 : INT64_MIN;
  return value < 9.2e18f ? static_cast<int64_t>(value) : INT64_MAX;
}

}  // namespace

HostTensor convertTo(const HostTensor& tensor, DType dtype) {
  bool real =
      dtype == DType::F32 || dtype == DType::F16 || dtype == DType::BF16 || dtype == DType::F64 || isBlockFloat(dtype);
  if (real && tensor.real) return tensor;
  HostTensor out = makeTensor(tensor.shape, real);
  // Prepared weights may hold another number of elements than their shape says; the data decides.
  if (real) out.f.resize(tensor.size());
  else out.i.resize(tensor.size());
  for (size_t i = 0; i < tensor.size(); ++i) {
    if (real) out.f[i] = static_cast<float>(tensor.i[i]);
    else if (dtype == DType::I1) out.i[i] = tensor.at(i) != 0.0;
    else out.i[i] = wrap(tensor.real ? truncated(tensor.f[i]) : tensor.i[i], dtype);
  }
  return out;
}

std::vector<size_t> stridesOf(const Shape& shape) {
  std::vector<size_t> strides(shape.size());
  size_t step = 1;
  for (size_t d = shape.size(); d > 0; --d) {
    strides[d - 1] = step;
    step *= static_cast<size_t>(shape[d - 1]);
  }
  return strides;
}

std::vector<size_t> broadcastStrides(const Shape& from, const Shape& to) {
  std::vector<size_t> own = stridesOf(from), out(to.size(), 0);
  size_t lead = to.size() - from.size();
  for (size_t d = 0; d < from.size(); ++d) out[lead + d] = from[d] == 1 ? 0 : own[d];
  return out;
}

std::optional<Shape> broadcastOf(const Shape& a, const Shape& b) {
  Shape out(std::max(a.size(), b.size()), 1);
  for (size_t back = 1; back <= out.size(); ++back) {
    int64_t left = back <= a.size() ? a[a.size() - back] : 1, right = back <= b.size() ? b[b.size() - back] : 1;
    if (left != right && left != 1 && right != 1) return {};
    out[out.size() - back] = left == 1 ? right : left;
  }
  return out;
}

bool KernelCall::make(size_t index, const Shape& shape, bool real) {
  const TensorType* type = resultType(index);
  if (type == nullptr || index >= out.size()) return fail("the result is no tensor");
  if (type->shape != shape)
    return fail("computes " + shapeText(shape) + " where the graph says " + shapeText(type->shape));
  out[index] = makeTensor(shape, real);
  return true;
}

void KernelCall::passOn() {
  if (!inputs(1)) return;
  const ValueType& given = graph.values[op.operands[0]].type;
  if (make(0, given.isTensor() ? given.tensor->shape : input(0).shape, input(0).real)) out[0] = *in[0];
}

int64_t KernelCall::integer(std::string_view name, int64_t fallback) const {
  const AttrValue* a = findAttr(op, name);
  if (a == nullptr) return fallback;
  if (a->kind == AttrValueKind::Integer || a->kind == AttrValueKind::Bool) return a->integer;
  return a->kind == AttrValueKind::IntArray && a->ints.size() == 1 ? a->ints[0] : fallback;
}

double KernelCall::number(std::string_view name, double fallback) const {
  const AttrValue* a = findAttr(op, name);
  if (a == nullptr) return fallback;
  if (a->kind == AttrValueKind::Float) return a->number;
  return a->kind == AttrValueKind::Integer || a->kind == AttrValueKind::Bool ? static_cast<double>(a->integer)
                                                                             : fallback;
}

std::string KernelCall::word(std::string_view name) const {
  const AttrValue* a = findAttr(op, name);
  return a != nullptr && a->kind == AttrValueKind::String ? a->string : std::string();
}

std::vector<int64_t> KernelCall::ints(std::string_view name) const {
  const AttrValue* a = findAttr(op, name);
  if (a == nullptr) return {};
  if (a->kind == AttrValueKind::Integer) return {a->integer};
  return a->ints;
}

int64_t numberAfter(const std::string& text, std::string_view key) {
  size_t at = text.find(key);
  if (at == std::string::npos) return -1;
  at += key.size();
  while (at < text.size() && (text[at] == ' ' || text[at] == '=')) ++at;
  int64_t value = 0;
  size_t digits = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9' && digits < 12; ++at, ++digits)
    value = value * 10 + (text[at] - '0');
  return digits > 0 ? value : -1;
}

bool KernelCall::dim(int64_t value, size_t rank, size_t& result) {
  auto count = static_cast<int64_t>(rank);
  if (value < 0) value += count;
  if (value < 0 || value >= count) return fail("a dim is outside of the tensor");
  result = static_cast<size_t>(value);
  return true;
}

namespace {

Kernel findIn(const NamedKernel* list, std::string_view name) {
  for (; !list->name.empty(); ++list) {
    if (list->name == name) return list->run;
  }
  return nullptr;
}

}  // namespace

Kernel findKernel(std::string_view opName) {
  size_t dot = opName.find('.');
  if (dot == std::string_view::npos) return nullptr;
  std::string_view dialect = opName.substr(0, dot), name = opName.substr(dot + 1);
  if (ofStablehlo(opName)) {
    for (const NamedKernel* list : {kStablehloKernels, kStablehloRegionKernels, kStablehloWindowKernels,
                                    kStablehloCallKernels, kQuantizeKernels}) {
      if (Kernel own = findIn(list, name)) return own;
    }
    if (opName.substr(0, 15) == "chlo.broadcast_") name = name.substr(10);
    for (const OtherName& other : kOtherNames) {
      if (other.stablehlo == name) name = other.ttir;
    }
    if (name == "constant") return findIn(kCreationKernels, name);
    if (name == "compare") name = "eq";
    if (Kernel uniform = findUniformKernel(name)) return uniform;
    Kernel alike = findIn(kEltwiseKernels, name);
    return alike != nullptr ? alike : findIn(kMoveKernels, name);
  }
  if (dialect != "ttir" && dialect != "ttnn" && dialect != "ttcore" && dialect != "arith" && dialect != "tensor")
    return nullptr;
  if (Kernel uniform = findUniformKernel(name)) return uniform;
  const NamedKernel* const lists[] = {kEltwiseKernels, kMoveKernels,        kReduceKernels,    kMatmulKernels,
                                      kWindowKernels,  kTransformerKernels, kAttentionKernels, kCreationKernels,
                                      kPlaceKernels,   kFurtherConvKernels, kChipKernels,      kQuantizeKernels};
  for (const NamedKernel* list : lists) {
    if (Kernel found = findIn(list, name)) return found;
  }
  return nullptr;
}

namespace {

bool isSmall(const Graph& graph, const Op& op, const BodyBudget& budget) {
  for (ValueId result : op.results) {
    const ValueType& type = graph.values[result].type;
    if (!type.isTensor()) continue;
    const std::optional<int64_t> count = elementCount(type.tensor->shape);
    if (!count || *count > budget.elements) return false;
  }
  return true;
}

bool runOps(const Graph& graph, const Function& func, const std::vector<HostTensor>& inputs, BodyBudget& budget,
            std::vector<HostTensor>& outputs, std::string& error) {
  std::unordered_map<int32_t, HostTensor> values;
  for (size_t i = 0; i < func.args.size(); ++i) values[func.args[i].index] = inputs[i];
  for (OpId id : func.ops) {
    const Op& op = graph.ops[id];
    KernelCall call{graph, op, {}, std::vector<HostTensor>(op.results.size()), {}, false, &budget};
    for (ValueId operand : op.operands) call.in.push_back(&values[operand.index]);
    if (op.name == "func.return") {
      outputs.clear();
      for (const HostTensor* value : call.in) outputs.push_back(*value);
      return true;
    }
    if (--budget.ops < 0) return error = "its bodies run too many ops", false;
    if (!isSmall(graph, op, budget)) return error = op.name + " in a body is too large", false;
    Kernel kernel = findKernel(op.name);
    if (kernel == nullptr) return error = "the interpreter has no kernel for " + op.name, false;
    kernel(call);
    if (!call.error.empty()) return error = op.name + ": " + call.error, false;
    for (size_t i = 0; i < op.results.size(); ++i) {
      const ValueType& type = graph.values[op.results[i]].type;
      if (type.isTensor()) values[op.results[i].index] = convertTo(call.out[i], type.tensor->dtype);
    }
  }
  return error = "a body does not return", false;
}

}  // namespace

bool runFunction(const Graph& graph, std::string_view name, const std::vector<HostTensor>& inputs, BodyBudget& budget,
                 std::vector<HostTensor>& outputs, std::string& error) {
  const FuncId func = functionNamed(graph, name);
  if (!func.valid() || graph.funcs[func].args.size() > inputs.size()) return error = "a body is missing", false;
  if (budget.depth == 0) return error = "bodies run within one another too deep", false;
  --budget.depth;
  const bool done = runOps(graph, graph.funcs[func], inputs, budget, outputs, error);
  ++budget.depth;
  return done;
}

}  // namespace tessera
