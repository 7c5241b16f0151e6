// Convolution, pooling, upsampling.

#include <array>

#include "core/ops/shapes/shape_context.h"
#include "core/ops/shapes/shape_rules.h"
#include "core/support/units.h"

namespace tessera {

namespace {

// Above this no dim or window number is believed: sums and products of a few of them still fit 63 bits.
constexpr int64_t kSane = int64_t{1} << 30;

bool sane(int64_t low, int64_t value) { return value >= low && value <= kSane; }

struct Pair {
  int64_t first = 0;
  int64_t second = 0;
};

// An attribute that is one number for both directions or two numbers.
std::optional<Pair> readPair(const ShapeContext& c, std::string_view name, int64_t fallback) {
  if (!c.has(name)) return Pair{fallback, fallback};
  if (auto value = c.integer(name)) return Pair{*value, *value};
  const std::vector<int64_t>* values = c.ints(name);
  if (values != nullptr && values->size() == 1) return Pair{values->front(), values->front()};
  if (values != nullptr && values->size() == 2) return Pair{(*values)[0], (*values)[1]};
  c.badAttr(name, "an integer or two integers");
  return {};
}

bool isTtnn(const ShapeContext& c) { return c.op.name.rfind("ttnn.", 0) == 0; }

// One number, two (height, width) or four: TTIR lists top, left, bottom, right; TTNN top, bottom, left, right.
// Some releases of the compiler keep TTIR's order in TTNN; `ttirOrder` reads it so.
bool readPadding(const ShapeContext& c, bool ttirOrder, Window2d& w) {
  const std::vector<int64_t>* values = c.ints("padding");
  if (values == nullptr || values->size() != 4) {
    std::optional<Pair> pair = readPair(c, "padding", 0);
    if (!pair) return false;
    w.padTop = w.padBottom = pair->first;
    w.padLeft = w.padRight = pair->second;
    return true;
  }
  bool ttnn = isTtnn(c) && !ttirOrder;
  w.padTop = (*values)[0];
  w.padLeft = (*values)[ttnn ? 2 : 1];
  w.padBottom = (*values)[ttnn ? 1 : 2];
  w.padRight = (*values)[3];
  return true;
}

bool readWindowAttrs(const ShapeContext& c, bool ttirOrder, Window2d& w) {
  std::optional<Pair> stride = readPair(c, "stride", 1);
  std::optional<Pair> dilation = readPair(c, "dilation", 1);
  if (!stride || !dilation || !readPadding(c, ttirOrder, w)) return false;
  w.strideH = stride->first;
  w.strideW = stride->second;
  w.dilationH = dilation->first;
  w.dilationW = dilation->second;
  w.groups = c.integer("groups").value_or(1);
  for (int64_t value : {w.strideH, w.strideW}) {
    if (!sane(1, value)) return c.badAttr("stride", "positive numbers"), false;
  }
  for (int64_t value : {w.dilationH, w.dilationW}) {
    if (!sane(1, value)) return c.badAttr("dilation", "positive numbers"), false;
  }
  for (int64_t value : {w.padTop, w.padBottom, w.padLeft, w.padRight}) {
    if (!sane(0, value)) return c.badAttr("padding", "numbers from 0"), false;
  }
  if (!sane(1, w.groups)) return c.badAttr("groups", "a positive number"), false;
  return true;
}

// Positions of batch, height, width and channel in a 4-D tensor.
using DimOrder = std::array<size_t, 4>;

std::optional<DimOrder> readDimOrder(const ShapeContext& c) {
  static constexpr std::string_view kNames[] = {"batch_dim", "height_dim", "width_dim", "channel_dim"};
  DimOrder order{};
  unsigned seen = 0;
  for (size_t i = 0; i < 4; ++i) {
    const int64_t dim = c.integer(kNames[i]).value_or(static_cast<int64_t>(i));
    if (dim < 0 || dim >= 4) return c.badAttr(kNames[i], "a dim from 0 to 3"), std::nullopt;
    order[i] = static_cast<size_t>(dim);
    seen |= 1u << dim;
  }
  if (seen != 15u) return c.badAttr("channel_dim", "four different dims"), std::nullopt;
  return order;
}

}  // namespace

std::optional<int64_t> windowCount(int64_t in, int64_t padLow, int64_t padHigh, int64_t kernel, int64_t stride,
                                   int64_t dilation, bool ceil) {
  int64_t room = in + padLow + padHigh - dilation * (kernel - 1) - 1;
  if (dilation * (kernel - 1) > kSane * 4 || room < 0) return {};
  int64_t count = (ceil ? ceilDiv(room, stride) : room / stride) + 1;
  if (ceil && (count - 1) * stride >= in + padLow) --count;
  return count;
}

namespace {

std::string windowRule(const Window2d& w) {
  return "input " + std::to_string(w.inH) + "x" + std::to_string(w.inW) + ", kernel " + std::to_string(w.kernelH) +
         "x" + std::to_string(w.kernelW) + ", stride " + std::to_string(w.strideH) + "x" + std::to_string(w.strideW) +
         ", padding " + std::to_string(w.padTop) + "+" + std::to_string(w.padBottom) + "x" + std::to_string(w.padLeft) +
         "+" + std::to_string(w.padRight) + ", dilation " + std::to_string(w.dilationH) + "x" +
         std::to_string(w.dilationW);
}

bool saneInput(const Window2d& w) {
  return sane(0, w.batch) && sane(0, w.inH) && sane(0, w.inW) && sane(0, w.inC) && sane(0, w.outC) &&
         sane(1, w.kernelH) && sane(1, w.kernelW) && w.dilationH * w.kernelH <= kSane &&
         w.dilationW * w.kernelW <= kSane;
}

// Fills outH and outW from the formulas; false when no window fits.
bool fillOutput(const ShapeContext& c, Window2d& w) {
  std::optional<int64_t> outH, outW;
  if (w.transposed) {
    std::optional<Pair> extra = readPair(c, "output_padding", 0);
    if (!extra || !sane(0, extra->first) || !sane(0, extra->second)) return false;
    outH = (w.inH - 1) * w.strideH - w.padTop - w.padBottom + w.dilationH * (w.kernelH - 1) + extra->first + 1;
    outW = (w.inW - 1) * w.strideW - w.padLeft - w.padRight + w.dilationW * (w.kernelW - 1) + extra->second + 1;
    if (*outH <= 0 || *outW <= 0) return false;
  } else {
    bool ceil = c.flag("ceil_mode", false);
    outH = windowCount(w.inH, w.padTop, w.padBottom, w.kernelH, w.strideH, w.dilationH, ceil);
    outW = windowCount(w.inW, w.padLeft, w.padRight, w.kernelW, w.strideW, w.dilationW, ceil);
  }
  if (!outH || !outW) return false;
  w.outH = *outH;
  w.outW = *outW;
  return true;
}

enum class Source { Conv, Pool };

bool fillFromTtnn(const ShapeContext& c, Source source, Window2d& w) {
  auto batch = c.integer("batch_size"), height = c.integer("input_height"), width = c.integer("input_width");
  auto channels = c.integer(source == Source::Conv ? "in_channels" : "channels");
  const std::vector<int64_t>* kernel = c.ints("kernel_size");
  if (!batch || !height || !width || !channels || kernel == nullptr || kernel->size() != 2) return false;
  w.batch = *batch;
  w.inH = *height;
  w.inW = *width;
  w.inC = *channels;
  w.outC = source == Source::Conv ? c.integer("out_channels").value_or(-1) : w.inC;
  w.kernelH = (*kernel)[0];
  w.kernelW = (*kernel)[1];
  w.flattened = true;
  return true;
}

// Batch, height and width of an input that is (1, 1, N*H*W, C) by now.
bool fillFlattened(const AttrValue& info, const Shape& input, Window2d& w) {
  auto batch = attrField(info, "batch_size"), height = attrField(info, "input_height");
  auto width = attrField(info, "input_width");
  if (!batch || !height || !width) return false;
  w.batch = *batch;
  w.inH = *height;
  w.inW = *width;
  w.inC = input[3];
  w.flattened = true;
  return true;
}

bool fillFromTtir(const ShapeContext& c, Source source, const DimOrder& order, Window2d& w) {
  const Shape* input = c.input(0);
  const Shape* weight = source == Source::Conv ? c.input(1) : nullptr;
  if (input == nullptr || input->size() != 4) return false;
  if (const AttrValue* info = findAttr(c.op, "flattened_compat_info")) {
    // Only to check the op: passes work on windows that are not flattened yet.
    if (c.diags == nullptr) return false;
    if (!fillFlattened(*info, *input, w)) {
      c.badAttr("flattened_compat_info", "integers as batch_size, input_height and input_width");
      return false;
    }
  } else {
    w.batch = (*input)[order[0]];
    w.inH = (*input)[order[1]];
    w.inW = (*input)[order[2]];
    w.inC = (*input)[order[3]];
  }
  if (source == Source::Pool) {
    std::optional<Pair> kernel = c.has("kernel") ? readPair(c, "kernel", 1) : std::nullopt;
    if (!kernel) return false;
    w.kernelH = kernel->first;
    w.kernelW = kernel->second;
    w.outC = w.inC;
    return true;
  }
  if (weight == nullptr || weight->size() != 4) return false;
  w.kernelH = (*weight)[2];
  w.kernelW = (*weight)[3];
  int64_t perGroup = (*weight)[w.transposed ? 1 : 0];  // (C, O/G, kH, kW) when transposed, else (O, C/G, kH, kW)
  if (!sane(0, perGroup)) return false;
  w.outC = w.transposed ? perGroup * w.groups : perGroup;
  return true;
}

bool channelsFit(const ShapeContext& c, const Window2d& w) {
  const Shape* weight = c.input(1);
  if (weight == nullptr || weight->size() != 4 || w.flattened) return true;
  if (w.transposed) return (*weight)[0] == w.inC;
  return sane(0, (*weight)[1]) && (*weight)[1] * w.groups == w.inC;
}

bool resultFits(const ShapeContext& c, const Window2d& w, const DimOrder& order) {
  const Shape* result = c.result();
  if (result == nullptr) return true;
  if (w.flattened) {
    std::optional<int64_t> count = elementCount(*result);
    int64_t positions = 0, expected = 0;
    bool fits = mulChecked(w.batch, w.outH, positions) && mulChecked(positions, w.outW, positions) &&
                mulChecked(positions, w.outC, expected);
    return fits && count && *count == expected && !result->empty() && result->back() == w.outC;
  }
  if (result->size() != 4) return false;
  return (*result)[order[0]] == w.batch && (*result)[order[1]] == w.outH && (*result)[order[2]] == w.outW &&
         (*result)[order[3]] == w.outC;
}

constexpr DimOrder kNhwc = {0, 1, 2, 3};
constexpr DimOrder kNchw = {0, 2, 3, 1};

std::optional<Source> sourceOf(OpKind kind) {
  switch (kind) {
    case OpKind::TtirConv2d:
    case OpKind::TtnnConv2d:
    case OpKind::TtirConvTranspose2d:
    case OpKind::TtnnConvTranspose2d: return Source::Conv;
    case OpKind::TtirMaxPool2d:
    case OpKind::TtirAvgPool2d:
    case OpKind::TtirMaxPool2dWithIndices:
    case OpKind::TtnnMaxPool2d:
    case OpKind::TtnnAvgPool2d:
    case OpKind::TtnnMaxPool2dWithIndices: return Source::Pool;
    default: return {};
  }
}

// Reads the op in one order of dims. Nothing when a number is missing; `fits` tells whether shapes and numbers agree.
struct Reading {
  Window2d window;
  bool fits = false;
  bool windowTooLarge = false;
};

std::optional<Reading> readIn(const ShapeContext& c, Source source, const DimOrder& order, bool ttirOrder = false) {
  Reading r;
  r.window.transposed = c.info.kind == OpKind::TtirConvTranspose2d || c.info.kind == OpKind::TtnnConvTranspose2d;
  if (!readWindowAttrs(c, ttirOrder, r.window)) return {};
  bool filled = isTtnn(c) ? fillFromTtnn(c, source, r.window) : fillFromTtir(c, source, order, r.window);
  if (!filled || !saneInput(r.window)) return {};
  r.windowTooLarge = !fillOutput(c, r.window);
  r.fits = !r.windowTooLarge && channelsFit(c, r.window) && resultFits(c, r.window, order);
  return r;
}

// TTIR says NHWC unless attributes say otherwise; programs without them may mean NCHW (docs/rules/lowering.md#windows),
// hence the second try.
std::optional<Reading> readBest(const ShapeContext& c, Source source, DimOrder& order) {
  std::optional<DimOrder> named = readDimOrder(c);
  if (!named) return {};
  order = *named;
  std::optional<Reading> reading = readIn(c, source, order);
  if (reading && !reading->fits && isTtnn(c)) {
    std::optional<Reading> other = readIn(c, source, order, true);
    return other && other->fits ? other : reading;
  }
  bool mayTryNchw = reading && !reading->fits && !isTtnn(c) && order == kNhwc && !c.has("channel_dim");
  if (!mayTryNchw) return reading;
  std::optional<Reading> other = readIn(c, source, kNchw);
  if (!other) return reading;
  // Where neither fits, the one whose channels are the weight's is meant, and what is wrong is told of that one.
  const bool meant = source == Source::Conv && channelsFit(c, other->window) && !channelsFit(c, reading->window);
  if (!other->fits && !meant) return reading;
  order = kNchw;
  return other;
}

void report(const ShapeContext& c, const Reading& r, const DimOrder& order) {
  const Window2d& w = r.window;
  if (r.windowTooLarge) return c.mismatch("no window fits: " + windowRule(w));
  if (!channelsFit(c, w)) {
    return c.mismatch("weight " + shapeText(*c.input(1)) + " does not fit " + std::to_string(w.inC) +
                      " input channels in " + std::to_string(w.groups) + " groups (input " + shapeText(*c.input(0)) +
                      ")");
  }
  Shape expected = {1, 1, 0, w.outC};
  if (w.flattened) {
    if (!mulChecked(w.batch, w.outH, expected[2]) || !mulChecked(expected[2], w.outW, expected[2]))
      return c.mismatch("the result is too large: " + windowRule(w));
  } else {
    expected[order[0]] = w.batch;
    expected[order[1]] = w.outH;
    expected[order[2]] = w.outW;
    expected[order[3]] = w.outC;
  }
  c.mismatch("the result is " + shapeText(*c.result()) + ", expected " + shapeText(expected) + " (" + windowRule(w) +
             ")");
}

void checkBias(const ShapeContext& c, const Window2d& w) {
  const Shape* bias = c.input(2);
  if (bias == nullptr || w.flattened) return;
  std::optional<int64_t> count = elementCount(*bias);
  if (count && *count != w.outC)
    c.mismatch("bias " + shapeText(*bias) + " does not have one number for each of " + std::to_string(w.outC) +
               " output channels");
}

void checkWindow(const ShapeContext& c, Source source) {
  DimOrder order = kNhwc;
  std::optional<Reading> reading = readBest(c, source, order);
  if (!reading) return;
  if (!reading->fits) return report(c, *reading, order);
  if (source == Source::Conv) checkBias(c, reading->window);
  // max_pool2d_with_indices: both results are alike.
  if (source == Source::Pool && c.result() != nullptr && c.result(1) != nullptr)
    c.expectResult(1, *c.result(), "the shape of the values");
}

// ttir.conv3d: NDHWC input, weight (O, C/G, kD, kH, kW), three numbers per attribute.
// TTIR: (N, L, C) in the order that the op says; TTNN: (1, 1, N * L, C).
void checkConv1d(const ShapeContext& c) {
  const Shape *input = c.input(0), *weight = c.input(1);
  if (input == nullptr || weight == nullptr || input->size() != 3 || weight->size() != 3) return;
  const auto ends = [&](std::string_view name, int64_t fallback) -> Pair {
    if (auto value = c.integer(name)) return {*value, *value};
    const std::vector<int64_t>* values = c.ints(name);
    return values == nullptr || values->empty() ? Pair{fallback, fallback} : Pair{values->front(), values->back()};
  };
  const auto place = [&](std::string_view name, int64_t fallback) {
    return static_cast<size_t>(isTtnn(c) ? fallback : c.integer(name).value_or(fallback));
  };
  const size_t batch = place("batch_dim", 0), length = place("length_dim", 1), channel = place("channel_dim", 2);
  if (batch > 2 || length > 2 || channel > 2) return;
  const Pair padding = ends("padding", 0);
  const int64_t in = (*input)[length], kernel = (*weight)[2], stride = ends("stride", 1).first,
                dilation = ends("dilation", 1).first;
  const bool good = sane(0, padding.first) && sane(0, padding.second) && sane(1, kernel) && sane(1, stride) &&
                    sane(1, dilation) && sane(0, in) && sane(0, (*input)[batch]);
  if (!good) return;
  const std::string from = "input " + shapeText(*input) + ", weight " + shapeText(*weight);
  const std::optional<int64_t> out = windowCount(in, padding.first, padding.second, kernel, stride, dilation, false);
  if (!out) return c.mismatch("no window fits: " + from);
  Shape expected(3);
  expected[batch] = (*input)[batch];
  expected[length] = *out;
  expected[channel] = (*weight)[0];
  if (isTtnn(c)) expected = {1, 1, expected[0] * expected[1], expected[2]};
  c.expectResult(0, expected, from);
}

void checkConv3d(const ShapeContext& c) {
  const Shape* input = c.input(0);
  const Shape* weight = c.input(1);
  if (input == nullptr || weight == nullptr || c.result() == nullptr || c.has("channel_dim")) return;
  if (input->size() != 5 || weight->size() != 5)
    return c.mismatch("operands " + shapesText(*input, *weight) + " must both have rank 5");
  Shape expected = *input;
  expected[4] = (*weight)[0];
  for (size_t i = 0; i < 3; ++i) {
    auto number = [&](std::string_view name, int64_t fallback) -> int64_t {
      if (auto value = c.integer(name)) return *value;
      const std::vector<int64_t>* values = c.ints(name);
      if (values == nullptr) return fallback;
      return values->size() == 3 ? (*values)[i] : -1;
    };
    int64_t stride = number("stride", 1), padding = number("padding", 0), kernel = (*weight)[i + 2],
            in = (*input)[i + 1];
    if (!sane(1, stride) || !sane(0, padding) || !sane(1, kernel) || !sane(0, in)) return;
    std::optional<int64_t> out = windowCount(in, padding, padding, kernel, stride, 1, false);
    if (!out) return c.mismatch("no window fits: input " + shapeText(*input) + ", weight " + shapeText(*weight));
    expected[i + 1] = *out;
  }
  c.expectResult(0, expected, "input " + shapeText(*input) + ", weight " + shapeText(*weight));
}

// ttir.pooling: one number per dim in every attribute, two in `padding`.
void checkGeneralPooling(const ShapeContext& c) {
  const Shape* input = c.input(0);
  const std::vector<int64_t>* window = c.ints("window_dimensions");
  if (input == nullptr || window == nullptr) return;
  size_t rank = input->size();
  auto numbers = [&](std::string_view name, size_t count, int64_t fallback) {
    const std::vector<int64_t>* values = c.ints(name);
    return values != nullptr ? *values : std::vector<int64_t>(count, fallback);
  };
  std::vector<int64_t> stride = numbers("window_strides", rank, 1), base = numbers("base_dilations", rank, 1);
  std::vector<int64_t> dilation = numbers("window_dilations", rank, 1), padding = numbers("padding", rank * 2, 0);
  if (window->size() != rank || stride.size() != rank || base.size() != rank || dilation.size() != rank ||
      padding.size() != rank * 2) {
    return c.badAttr("window_dimensions", "one number per dim of " + shapeText(*input));
  }
  Shape expected;
  for (size_t i = 0; i < rank; ++i) {
    int64_t in = (*input)[i];
    bool good = sane(1, in) && sane(1, (*window)[i]) && sane(1, stride[i]) && sane(1, base[i]) &&
                sane(1, dilation[i]) && sane(0, padding[2 * i]) && sane(0, padding[2 * i + 1]);
    if (!good) return;
    std::optional<int64_t> out = windowCount((in - 1) * base[i] + 1, padding[2 * i], padding[2 * i + 1], (*window)[i],
                                             stride[i], dilation[i], false);
    if (!out) return c.mismatch("no window fits dim " + std::to_string(i) + " of " + shapeText(*input));
    expected.push_back(*out);
  }
  c.expectResult(0, expected, "windows over " + shapeText(*input));
}

}  // namespace

std::optional<Window2d> readWindow2d(const ShapeContext& c) {
  std::optional<Source> source = sourceOf(c.info.kind);
  if (!source) return {};
  DimOrder order = kNhwc;
  std::optional<Reading> reading = readBest(c, *source, order);
  if (!reading || !reading->fits) return {};
  return reading->window;
}

void checkConv(const ShapeContext& c) {
  if (sourceOf(c.info.kind)) return checkWindow(c, Source::Conv);
  if (c.info.kind == OpKind::TtirConv1d || c.info.kind == OpKind::TtnnConv1d) checkConv1d(c);
  if (c.info.kind == OpKind::TtirConv3d) checkConv3d(c);
}

void checkPool(const ShapeContext& c) {
  if (sourceOf(c.info.kind)) return checkWindow(c, Source::Pool);
  if (c.info.kind == OpKind::TtirPooling) return checkGeneralPooling(c);
  const Shape* input = c.input(0);  // global pools, NHWC
  if (input != nullptr && input->size() == 4)
    c.expectResult(0, {(*input)[0], 1, 1, (*input)[3]}, "one position per image of " + shapeText(*input));
}

void checkUpsample(const ShapeContext& c) {
  const Shape* input = c.input(0);
  if (input == nullptr || input->size() != 4 || !c.has("scale_factor")) return;
  std::optional<Pair> scale = readPair(c, "scale_factor", 1);
  if (!scale) return;
  Shape expected = *input;
  bool good = sane(1, scale->first) && sane(1, scale->second) && mulChecked(expected[1], scale->first, expected[1]) &&
              mulChecked(expected[2], scale->second, expected[2]);
  if (!good) return c.badAttr("scale_factor", "small positive numbers");
  c.expectResult(0, expected, "scaled from " + shapeText(*input));
}

}  // namespace tessera
