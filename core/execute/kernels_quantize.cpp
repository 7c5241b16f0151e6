// Reals to quantized numbers and back.

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/execute/kernel.h"
#include "core/execute/scaling.h"
#include "core/ir/constant_value.h"

namespace tessera {

namespace {

constexpr std::string_view kUniform = "!quant.uniform<";
constexpr double kMostStored = 4294967295;  // no type of MLIR stores more than 32 bits

double decimal(std::string_view text) { return std::strtod(std::string(text).c_str(), nullptr); }

// Of a text that may hold anything. Farther zero points lie beyond all that is stored.
constexpr int64_t kMostWhole = int64_t{1} << 40;
int64_t wholeNumber(std::string_view text) {
  constexpr auto kMost = static_cast<double>(kMostWhole);
  const double number = decimal(text);
  return std::isnan(number) ? 0 : static_cast<int64_t>(std::clamp(number, -kMost, kMost));
}

// The part before the next `mark`, which is taken off `text`; all of it when there is none.
std::string_view takeUntil(std::string_view& text, char mark) {
  const size_t at = std::min(text.find(mark), text.size());
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return part;
}

// `i8<-127:127>:`, `i32:`
bool takeStorage(std::string_view& text, Scaling& scaling) {
  const size_t end = std::min(text.find_first_of("<:"), text.size());
  const std::optional<DType> stored = parseDType(text.substr(0, end));
  const std::optional<IntegerRange> range = stored ? integerRange(*stored) : std::nullopt;
  if (!range || range->most > kMostStored || end == text.size()) return false;
  scaling.least = range->least, scaling.most = range->most;
  const bool bounds = text[end] == '<';
  text.remove_prefix(end + 1);
  if (!bounds) return true;
  scaling.least = static_cast<double>(wholeNumber(takeUntil(text, ':')));
  scaling.most = static_cast<double>(wholeNumber(takeUntil(text, '>')));
  takeUntil(text, ':');
  return scaling.least <= scaling.most;
}

// Integers that stand for reals: those of an operand, or of the result. The numbers are operands from `at` on, or in
// the type.
std::optional<Scaling> scalingOf(KernelCall& c, const TensorType& type, size_t at) {
  std::optional<Scaling> own = readScaling(type.element);
  if (!c.hasInput(at) || !c.hasInput(at + 1)) {
    if (!own) c.fail("no scale");
    return own;
  }
  const std::optional<IntegerRange> range = integerRange(type.dtype);
  if (!c.need(own || (range && range->most <= kMostStored), "not stored in integers of up to 32 bits")) return {};
  Scaling given;
  given.least = own ? own->least : range->least, given.most = own ? own->most : range->most;
  const HostTensor &scales = c.input(at), &zeroPoints = c.input(at + 1);
  if (!c.need(scales.size() == zeroPoints.size() && scales.size() > 0, "scales and zero points of other counts") ||
      !c.need(!zeroPoints.real, "a zero point is no integer"))
    return {};
  for (size_t i = 0; i < scales.size(); ++i) {
    given.scales.push_back(static_cast<float>(scales.at(i)));
    given.zeroPoints.push_back(std::clamp(zeroPoints.i[i], -kMostWhole, kMostWhole));
  }
  if (scales.size() > 1 && own && own->dim) given.dim = own->dim;  // an attribute names one dim for both types
  else if (scales.size() > 1 && c.has("axis")) given.dim = c.integer("axis", 0);
  return given;
}

// Which of the scales is that of an element.
class ScaleOf {
 public:
  ScaleOf(KernelCall& c, const Scaling& scaling, const Shape& shape) : count_(scaling.scales.size()) {
    size_t dim = 0;
    if (!scaling.dim) {
      c.need(count_ == 1, "several scales without a dim");
    } else if (c.dim(*scaling.dim, shape.size(), dim)) {
      c.need(static_cast<int64_t>(count_) == shape[dim], "another number of scales than the dim has");
      inner_ = stridesOf(shape)[dim];
    }
  }
  size_t operator()(size_t element) const { return count_ == 1 ? 0 : element / inner_ % count_; }

 private:
  size_t count_, inner_ = 1;
};

// A real to the nearest integer, halves to the even one, within what is stored.
int64_t stored(float real, const Scaling& scaling, size_t which) {
  const double number = std::nearbyint(static_cast<double>(real / scaling.scales[which])) +
                        static_cast<double>(scaling.zeroPoints[which]);
  return static_cast<int64_t>(std::clamp(std::isnan(number) ? 0.0 : number, scaling.least, scaling.most));
}

float realOf(int64_t number, const Scaling& scaling, size_t which) {
  return static_cast<float>(number - scaling.zeroPoints[which]) * scaling.scales[which];
}

void runQuantization(KernelCall& c, bool reads, bool writes) {
  const TensorType* result = c.resultType();
  if (!c.inputs(1) || !c.need(result != nullptr, "the result is no tensor")) return;
  const HostTensor& x = c.input(0);
  if (!c.need(!reads || !x.real, "what is read is no integer")) return;
  std::optional<Scaling> from, to;
  if (reads) from = scalingOf(c, *c.graph.values[c.op.operands[0]].type.tensor, 1);
  if (writes) to = scalingOf(c, *result, reads ? 3 : 1);
  if ((reads && !from) || (writes && !to) || !c.make(0, x.shape, !writes)) return;
  const ScaleOf read(c, from.value_or(Scaling{{1}, {0}, {}}), x.shape),
      written(c, to.value_or(Scaling{{1}, {0}, {}}), x.shape);
  if (!c.error.empty()) return;
  for (size_t i = 0; i < x.size(); ++i) {
    const float real = reads ? realOf(x.i[i], *from, read(i)) : static_cast<float>(x.at(i));
    if (writes) c.out[0].i[i] = stored(real, *to, written(i));
    else c.out[0].f[i] = real;
  }
}

void runQuantize(KernelCall& c) { runQuantization(c, false, true); }
void runDequantize(KernelCall& c) { runQuantization(c, true, false); }
void runRequantize(KernelCall& c) { runQuantization(c, true, true); }

// StableHLO has one op for both.
void runUniformQuantize(KernelCall& c) {
  if (c.inputs(1)) runQuantization(c, !c.input(0).real, true);
}

}  // namespace

std::optional<Scaling> readScaling(std::string_view element) {
  if (element.substr(0, kUniform.size()) != kUniform || element.back() != '>') return {};
  std::string_view text = element.substr(kUniform.size(), element.size() - kUniform.size() - 1);
  Scaling out;
  if (!takeStorage(text, out)) return {};
  std::string_view expressed = takeUntil(text, ',');
  takeUntil(expressed, ':');
  if (!expressed.empty()) out.dim = wholeNumber(expressed);
  while (!text.empty()) {
    std::string_view one = takeUntil(text, ',');
    while (!one.empty() && (one.front() == ' ' || one.front() == '{')) one.remove_prefix(1);
    const auto scale = static_cast<float>(decimal(takeUntil(one, ':')));
    if (!(scale > 0)) return {};
    out.scales.push_back(scale);
    out.zeroPoints.push_back(wholeNumber(one));
  }
  if (out.scales.empty()) return {};
  return out;
}

constinit const NamedKernel kQuantizeKernels[] = {
    {"quantize", runQuantize},
    {"quantize_unrolled", runQuantize},
    {"dequantize", runDequantize},
    {"dequantize_unrolled", runDequantize},
    {"requantize", runRequantize},
    {"requantize_unrolled", runRequantize},
    {"uniform_quantize", runUniformQuantize},
    {"uniform_dequantize", runDequantize},
    {"", nullptr},
};

}  // namespace tessera
