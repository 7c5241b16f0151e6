#include "core/execute/kernel.h"

#include <algorithm>
#include <cmath>

namespace tessera {

std::string_view bareName(const Op& op) {
  const std::string_view name = op.name;
  return name.substr(name.find('.') + 1);
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

bool KernelCall::dim(int64_t value, size_t rank, size_t& result) {
  auto count = static_cast<int64_t>(rank);
  if (value < 0) value += count;
  if (value < 0 || value >= count) return fail("a dim is outside of the tensor");
  result = static_cast<size_t>(value);
  return true;
}

Kernel findKernel(std::string_view opName) {
  size_t dot = opName.find('.');
  if (dot == std::string_view::npos) return nullptr;
  std::string_view dialect = opName.substr(0, dot), name = opName.substr(dot + 1);
  if (dialect != "ttir" && dialect != "ttnn" && dialect != "ttcore" && dialect != "arith" && dialect != "tensor")
    return nullptr;
  if (Kernel uniform = findUniformKernel(name)) return uniform;
  const NamedKernel* const lists[] = {kEltwiseKernels, kMoveKernels,        kReduceKernels,  kMatmulKernels,
                                      kWindowKernels,  kTransformerKernels, kCreationKernels};
  for (const NamedKernel* list : lists) {
    for (; !list->name.empty(); ++list) {
      if (list->name == name) return list->run;
    }
  }
  return nullptr;
}

}  // namespace tessera
