// Constants and other tensors made from nothing.

#include "core/execute/kernel.h"
#include "core/ir/constant_value.h"

namespace tessera {

namespace {

void fillWith(KernelCall& c, double value) {
  const TensorType* type = c.resultType();
  if (!c.need(type != nullptr, "the result is no tensor") || !c.make(0, type->shape, isFloatType(type->dtype))) return;
  for (size_t i = 0; i < c.out[0].size(); ++i) c.out[0].set(i, value);
}

// What the file left out is made up from the value's name, so that it is the same before and after a pass.
void fillElided(KernelCall& c) {
  uint64_t state = 0x9E3779B97F4A7C15u;
  for (char letter : c.graph.values[c.op.results[0]].name)
    state = (state ^ static_cast<unsigned char>(letter)) * 0x100000001B3u;
  for (size_t i = 0; i < c.out[0].size(); ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    auto bits = static_cast<int64_t>(state >> 40);  // 24 bits
    c.out[0].set(i, c.out[0].real ? static_cast<double>(bits) / 8388608.0 - 1.0 : static_cast<double>(bits % 4));
  }
}

void runConstant(KernelCall& c) {
  const TensorType* type = c.resultType();
  const AttrValue* value = findAttr(c.op, "value");
  if (!c.need(type != nullptr && value != nullptr, "no value")) return;
  std::optional<ConstantValue> constant = readConstant(value->text, type->dtype, elementCount(type->shape).value_or(0));
  if (!c.need(constant.has_value(), "the value cannot be read") || !c.make(0, type->shape, isFloatType(type->dtype)))
    return;
  if (constant->elided) return fillElided(c);
  HostTensor& y = c.out[0];
  size_t step = constant->splat ? 0 : 1;
  for (size_t i = 0; i < y.size(); ++i) {
    if (y.real) y.f[i] = static_cast<float>(constant->numbers[i * step]);
    else y.i[i] = constant->integers[i * step];
  }
}

void runZeros(KernelCall& c) { fillWith(c, 0.0); }
void runOnes(KernelCall& c) { fillWith(c, 1.0); }

void runFull(KernelCall& c) {
  const AttrValue* value = findAttr(c.op, "fill_value");
  if (c.need(value != nullptr && (value->kind == AttrValueKind::Float || value->kind == AttrValueKind::Integer ||
                                  value->kind == AttrValueKind::Bool),
             "no fill value")) {
    fillWith(c, c.number("fill_value", 0.0));
  }
}

void runArange(KernelCall& c) {
  const TensorType* type = c.resultType();
  if (!c.need(type != nullptr, "the result is no tensor") || !c.make(0, type->shape, isFloatType(type->dtype))) return;
  int64_t start = c.integer("start", 0), step = c.integer("step", 1);
  size_t dim = 0;
  if (!type->shape.empty() && !c.dim(c.integer("arange_dimension", 0), type->shape.size(), dim)) return;
  Odometer at(type->shape, {});
  for (size_t i = 0; i < c.out[0].size(); ++i, at.next()) {
    c.out[0].set(i, static_cast<double>(start) +
                        static_cast<double>(step) * static_cast<double>(type->shape.empty() ? 0 : at.index()[dim]));
  }
}

void runDimensionSize(KernelCall& c) {
  size_t dim = 0;
  if (c.inputs(1) && c.dim(c.integer("dimension", 0), c.input(0).shape.size(), dim))
    fillWith(c, static_cast<double>(c.input(0).shape[dim]));
}

}  // namespace

constinit const NamedKernel kCreationKernels[] = {
    {"constant", runConstant},
    {"zeros", runZeros},
    {"ones", runOnes},
    {"full", runFull},
    {"arange", runArange},
    {"empty", runZeros},
    {"zeros_like", runZeros},
    {"ones_like", runOnes},
    {"full_like", runFull},
    {"get_dimension_size", runDimensionSize},
    {"", nullptr},
};

}  // namespace tessera
