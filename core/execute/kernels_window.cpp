// Convolution, pooling, upsampling: direct loops over the definition, in whatever order of dims the op says.

#include <algorithm>
#include <array>
#include <limits>

#include "core/execute/kernel.h"
#include "core/ops/table/conv2d_config.h"

namespace tessera {

namespace {

constexpr int64_t kLargest = int64_t{1} << 30;  // no window number is larger

struct Numbers {
  int64_t batch = 0, inH = 0, inW = 0, inC = 0, kernelH = 0, kernelW = 0;
  int64_t strideH = 1, strideW = 1, dilationH = 1, dilationW = 1, top = 0, left = 0, bottom = 0, right = 0, groups = 1;
  int64_t outH = 0, outW = 0, outC = 0;
  std::array<size_t, 4> order = {0, 1, 2, 3};  // where batch, height, width, channel stand
  bool flattened = false;

  Shape shapeOf(int64_t h, int64_t w, int64_t c) const {
    if (flattened) return {1, 1, batch * h * w, c};
    Shape shape(4);
    shape[order[0]] = batch;
    shape[order[1]] = h;
    shape[order[2]] = w;
    shape[order[3]] = c;
    return shape;
  }
  // Element strides of batch, height, width, channel in a tensor of that height, width and channel count.
  std::array<size_t, 4> strides(int64_t h, int64_t w, int64_t c) const {
    if (flattened) return {static_cast<size_t>(h * w * c), static_cast<size_t>(w * c), static_cast<size_t>(c), 1};
    std::vector<size_t> s = stridesOf(shapeOf(h, w, c));
    return {s[order[0]], s[order[1]], s[order[2]], s[order[3]]};
  }
};

std::array<int64_t, 2> pairOf(const KernelCall& c, std::string_view name, int64_t fallback) {
  std::vector<int64_t> values = c.ints(name);
  if (values.size() == 1) return {values[0], values[0]};
  return values.size() >= 2 ? std::array<int64_t, 2>{values[0], values[1]} : std::array<int64_t, 2>{fallback, fallback};
}

bool readImage(KernelCall& c, Numbers& n, int64_t channelsOfWeight) {
  const Shape& in = c.input(0).shape;
  bool ttnn = c.op.name.rfind("ttnn.", 0) == 0;
  const AttrValue* flat = findAttr(c.op, "flattened_compat_info");
  if (ttnn || flat != nullptr) {
    n.flattened = true;
    n.batch = ttnn ? c.integer("batch_size", -1) : numberAfter(flat->text, "batch_size");
    n.inH = ttnn ? c.integer("input_height", -1) : numberAfter(flat->text, "input_height");
    n.inW = ttnn ? c.integer("input_width", -1) : numberAfter(flat->text, "input_width");
    n.inC = in.empty() ? -1 : in.back();
    bool sane = n.batch > 0 && n.inH > 0 && n.inW > 0 && n.inC > 0 && n.batch < kLargest && n.inH < kLargest &&
                n.inW < kLargest;
    if (!c.need(sane, "the image's numbers are missing")) return false;
    int64_t positions = static_cast<int64_t>(c.input(0).size()) / n.inC;
    return c.need(positions % n.batch == 0 && positions / n.batch / n.inH == n.inW &&
                      positions == positions / n.batch / n.inH / n.inW * n.batch * n.inH * n.inW,
                  "the operand does not hold the image");
  }
  if (!c.need(in.size() == 4, "the image must have rank 4")) return false;
  static constexpr std::string_view kNames[] = {"batch_dim", "height_dim", "width_dim", "channel_dim"};
  for (size_t i = 0; i < 4; ++i) {
    if (!c.dim(c.integer(kNames[i], static_cast<int64_t>(i)), 4, n.order[i])) return false;
  }
  // Programs without a word on the order of dims may mean NCHW (docs/rules/lowering.md#windows).
  if (!c.has("channel_dim") && channelsOfWeight > 0 && in[3] != channelsOfWeight && in[1] == channelsOfWeight)
    n.order = {0, 2, 3, 1};
  n.batch = in[n.order[0]];
  n.inH = in[n.order[1]];
  n.inW = in[n.order[2]];
  n.inC = in[n.order[3]];
  return true;
}

bool readWindow(KernelCall& c, Numbers& n) {
  auto stride = pairOf(c, "stride", 1), dilation = pairOf(c, "dilation", 1);
  n.strideH = stride[0];
  n.strideW = stride[1];
  n.dilationH = dilation[0];
  n.dilationW = dilation[1];
  std::vector<int64_t> padding = c.ints("padding");
  bool ttnn = c.op.name.rfind("ttnn.", 0) == 0;
  if (padding.size() == 4) {  // TTIR: top, left, bottom, right; TTNN: top, bottom, left, right
    n.top = padding[0];
    n.left = padding[ttnn ? 2 : 1];
    n.bottom = padding[ttnn ? 1 : 2];
    n.right = padding[3];
  } else {
    auto both = pairOf(c, "padding", 0);
    n.top = n.bottom = both[0];
    n.left = n.right = both[1];
  }
  for (int64_t v : {n.strideH, n.strideW, n.dilationH, n.dilationW, n.kernelH, n.kernelW, n.groups}) {
    if (!c.need(v > 0 && v < kLargest, "a window number is not positive")) return false;
  }
  for (int64_t v : {n.top, n.left, n.bottom, n.right}) {
    if (!c.need(v >= 0 && v < kLargest, "negative padding")) return false;
  }
  return true;
}

int64_t positions(int64_t in, int64_t low, int64_t high, int64_t kernel, int64_t stride, int64_t dilation, bool ceil) {
  int64_t room = in + low + high - dilation * (kernel - 1) - 1;
  if (room < 0) return 0;
  int64_t count = (room + (ceil ? stride - 1 : 0)) / stride + 1;
  return ceil && (count - 1) * stride >= in + low ? count - 1 : count;
}

void fillOutput(const KernelCall& c, Numbers& n) {
  bool ceil = c.flag("ceil_mode", false);
  n.outH = positions(n.inH, n.top, n.bottom, n.kernelH, n.strideH, n.dilationH, ceil);
  n.outW = positions(n.inW, n.left, n.right, n.kernelW, n.strideW, n.dilationW, ceil);
}

// A word among the known activations inside `conv2d_config`, or the attribute `activation`.
std::string activationOf(const KernelCall& c) {
  std::string own = c.word("activation");
  const AttrValue* config = findAttr(c.op, "conv2d_config");
  if (!own.empty() || config == nullptr) return own;
  std::string rest = conv2dConfigField(config->text, "activation");
  for (std::string_view name : {"relu6", "relu", "silu", "gelu", "sigmoid", "tanh"}) {
    if (rest.find(name) != std::string::npos) return std::string(name);
  }
  return {};
}

// The weight as [group][kernel row and column][input channel][output channel of the group], for addTo().
std::vector<double> weightsByTap(const Numbers& n, const HostTensor& w) {
  const int64_t perGroup = n.inC / n.groups, outPerGroup = n.outC / n.groups, taps = n.kernelH * n.kernelW;
  std::vector<double> turned(w.size());
  size_t from = 0;
  for (int64_t oc = 0; oc < n.outC; ++oc)
    for (int64_t ic = 0; ic < perGroup; ++ic)
      for (int64_t tap = 0; tap < taps; ++tap) {
        const int64_t row = (oc / outPerGroup * taps + tap) * perGroup + ic;
        turned[static_cast<size_t>(row * outPerGroup + oc % outPerGroup)] = w.at(from++);
      }
  return turned;
}

// Where a window stands: batch, row and column of its result.
using Place = std::array<int64_t, 3>;

// The sums of a group of outputs at one place; `si` are the strides of the input.
void addWindow(const Numbers& n, const HostTensor& x, const std::array<size_t, 4>& si, const Place& place,
               int64_t group, const std::vector<double>& weights, std::vector<double>& sums) {
  const int64_t perGroup = n.inC / n.groups;
  for (int64_t kh = 0; kh < n.kernelH; ++kh) {
    const int64_t ih = place[1] * n.strideH - n.top + kh * n.dilationH;
    if (ih < 0 || ih >= n.inH) continue;
    for (int64_t kw = 0; kw < n.kernelW; ++kw) {
      const int64_t iw = place[2] * n.strideW - n.left + kw * n.dilationW;
      if (iw < 0 || iw >= n.inW) continue;
      const size_t at = static_cast<size_t>(place[0]) * si[0] + static_cast<size_t>(ih) * si[1] +
                        static_cast<size_t>(iw) * si[2] + static_cast<size_t>(group * perGroup) * si[3];
      const auto row = static_cast<size_t>(((group * n.kernelH + kh) * n.kernelW + kw) * perGroup);
      for (size_t ic = 0; ic < static_cast<size_t>(perGroup); ++ic)
        addTo(sums, x.at(at + ic * si[3]), weights.data() + (row + ic) * sums.size());
    }
  }
}

// Each result is summed in the order of taps and channels.
void convolve(const KernelCall& c, const Numbers& n, HostTensor& y) {
  const HostTensor* bias = c.optionalInput(2, 2);
  const auto si = n.strides(n.inH, n.inW, n.inC), so = n.strides(n.outH, n.outW, n.outC);
  const std::vector<double> weights = weightsByTap(n, c.input(1));
  std::vector<double> sums(static_cast<size_t>(n.outC / n.groups));
  for (int64_t b = 0; b < n.batch; ++b)
    for (int64_t oh = 0; oh < n.outH; ++oh)
      for (int64_t ow = 0; ow < n.outW; ++ow)
        for (int64_t group = 0; group < n.groups; ++group) {
          const size_t first = static_cast<size_t>(group) * sums.size();
          for (size_t o = 0; o < sums.size(); ++o) sums[o] = bias != nullptr ? bias->at(first + o) : 0.0;
          addWindow(n, c.input(0), si, {b, oh, ow}, group, weights, sums);
          const size_t to = static_cast<size_t>(b) * so[0] + static_cast<size_t>(oh) * so[1] +
                            static_cast<size_t>(ow) * so[2] + first * so[3];
          for (size_t o = 0; o < sums.size(); ++o) y.f[to + o * so[3]] = static_cast<float>(sums[o]);
        }
}

void runConv2d(KernelCall& c) {
  Numbers n;
  if (!c.inputs(2) || !c.need(c.input(1).shape.size() == 4, "the weight must have rank 4")) return;
  const Shape& weight = c.input(1).shape;
  n.groups = c.integer("groups", 1);
  n.kernelH = weight[2];
  n.kernelW = weight[3];
  n.outC = weight[0];
  if (!c.need(n.groups > 0 && n.groups < kLargest, "groups must be positive")) return;
  if (!readImage(c, n, weight[1] * n.groups) || !readWindow(c, n)) return;
  bool fits = weight[1] * n.groups == n.inC && n.outC % n.groups == 0;
  if (!c.need(fits, "the weight does not fit the channels")) return;
  const HostTensor* bias = c.optionalInput(2, 2);
  if (!c.need(bias == nullptr || static_cast<int64_t>(bias->size()) == n.outC, "the bias does not fit the channels"))
    return;
  fillOutput(c, n);
  if (!c.make(0, n.shapeOf(n.outH, n.outW, n.outC), true)) return;
  convolve(c, n, c.out[0]);
  std::string activation = activationOf(c);
  if (!activation.empty()) c.need(applyActivation(activation, c.out[0]), "unknown activation " + activation);
}

// Places of batch, length and channel; those of an image of one column, whose width stands behind its height.
bool readRow(KernelCall& c, Numbers& n) {
  const Shape& in = c.input(0).shape;
  n.flattened = c.op.name.rfind("ttnn.", 0) == 0;
  static constexpr std::string_view kNames[] = {"batch_dim", "length_dim", "channel_dim"};
  std::array<size_t, 3> at = {0, 1, 2};
  for (size_t i = 0; i < 3 && !n.flattened; ++i) {
    if (!c.dim(c.integer(kNames[i], static_cast<int64_t>(i)), 3, at[i])) return false;
  }
  if (!c.need(at[0] + at[1] + at[2] == 3 && at[0] != at[1], "a dim is named twice")) return false;
  n.batch = in[at[0]];
  n.inH = in[at[1]];
  n.inW = 1;
  n.inC = in[at[2]];
  const auto behind = [&](size_t dim) { return dim + (dim > at[1] ? 1 : 0); };
  n.order = {behind(at[0]), at[1], at[1] + 1, behind(at[2])};
  return true;
}

// A convolution over one dim is one of an image of one column.
void runConv1d(KernelCall& c) {
  Numbers n;
  const bool ranks = c.inputs(2) && c.input(0).shape.size() == 3 && c.input(1).shape.size() == 3;
  if (!c.need(ranks, "operand and weight must have rank 3")) return;
  const Shape& weight = c.input(1).shape;
  n.groups = c.integer("groups", 1);
  n.kernelH = weight[2];
  n.kernelW = 1;
  n.outC = weight[0];
  if (!readRow(c, n) || !readWindow(c, n)) return;
  const std::vector<int64_t> padding = c.ints("padding");
  n.bottom = padding.size() == 2 ? padding[1] : n.top;
  n.left = n.right = 0;
  const HostTensor* bias = c.optionalInput(2, 2);
  const bool fits = n.groups > 0 && weight[1] * n.groups == n.inC && n.outC % n.groups == 0 &&
                    (bias == nullptr || static_cast<int64_t>(bias->size()) == n.outC);
  if (!c.need(fits, "weight or bias does not fit the channels")) return;
  fillOutput(c, n);
  Shape shape = n.shapeOf(n.outH, 1, n.outC);
  if (!n.flattened) shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(n.order[2]));
  if (c.make(0, shape, true)) convolve(c, n, c.out[0]);
}

void runPool(KernelCall& c) {
  Numbers n;
  if (!c.inputs(1)) return;
  bool average = c.op.name.find("avg") != std::string::npos;
  auto kernel = pairOf(c, c.has("kernel_size") ? "kernel_size" : "kernel", 0);
  n.kernelH = kernel[0];
  n.kernelW = kernel[1];
  if (!readImage(c, n, -1) || !readWindow(c, n)) return;
  n.outC = n.inC;
  fillOutput(c, n);
  if (!c.make(0, n.shapeOf(n.outH, n.outW, n.outC), true)) return;
  const bool places = c.out.size() == 2;  // where in the plane of its channel each largest element stands
  if (places && !c.make(1, n.shapeOf(n.outH, n.outW, n.outC), false)) return;
  const HostTensor& x = c.input(0);
  bool countPadding = c.flag("count_include_pad", true);
  auto si = n.strides(n.inH, n.inW, n.inC), so = n.strides(n.outH, n.outW, n.outC);
  for (int64_t b = 0; b < n.batch; ++b)
    for (int64_t oh = 0; oh < n.outH; ++oh)
      for (int64_t ow = 0; ow < n.outW; ++ow)
        for (int64_t ch = 0; ch < n.inC; ++ch) {
          double state = average ? 0.0 : -std::numeric_limits<double>::infinity();
          int64_t seen = 0, place = 0;
          for (int64_t kh = 0; kh < n.kernelH; ++kh)
            for (int64_t kw = 0; kw < n.kernelW; ++kw) {
              int64_t ih = oh * n.strideH - n.top + kh * n.dilationH, iw = ow * n.strideW - n.left + kw * n.dilationW;
              if (ih < 0 || ih >= n.inH || iw < 0 || iw >= n.inW) continue;
              double v = x.at(static_cast<size_t>(b) * si[0] + static_cast<size_t>(ih) * si[1] +
                              static_cast<size_t>(iw) * si[2] + static_cast<size_t>(ch) * si[3]);
              if (!average && (seen == 0 || v > state)) place = ih * n.inW + iw;
              state = average ? state + v : std::max(state, v);
              ++seen;
            }
          int64_t count = countPadding ? n.kernelH * n.kernelW : std::max<int64_t>(seen, 1);
          if (average) state /= static_cast<double>(count);
          const size_t to = static_cast<size_t>(b) * so[0] + static_cast<size_t>(oh) * so[1] +
                            static_cast<size_t>(ow) * so[2] + static_cast<size_t>(ch) * so[3];
          c.out[0].f[to] = static_cast<float>(state);
          if (places) c.out[1].i[to] = place;
        }
}

// NHWC, one position left per image.
void runGlobalPool(KernelCall& c) {
  if (!c.inputs(1) || !c.need(c.input(0).shape.size() == 4, "the image must have rank 4")) return;
  const HostTensor& x = c.input(0);
  bool average = c.op.name.find("avg") != std::string::npos;
  int64_t area = x.shape[1] * x.shape[2];
  if (!c.make(0, {x.shape[0], 1, 1, x.shape[3]}, true) || !c.need(area > 0, "an empty image")) return;
  auto channels = static_cast<size_t>(x.shape[3]);
  for (size_t b = 0; b < static_cast<size_t>(x.shape[0]); ++b) {
    for (size_t ch = 0; ch < channels; ++ch) {
      double state = average ? 0.0 : -std::numeric_limits<double>::infinity();
      for (size_t p = 0; p < static_cast<size_t>(area); ++p) {
        double v = x.at((b * static_cast<size_t>(area) + p) * channels + ch);
        state = average ? state + v : std::max(state, v);
      }
      c.out[0].f[b * channels + ch] = static_cast<float>(average ? state / static_cast<double>(area) : state);
    }
  }
}

void runUpsample(KernelCall& c) {
  if (!c.inputs(1) || !c.need(c.input(0).shape.size() == 4, "the image must have rank 4")) return;
  std::string mode = c.word("mode");
  if (!c.need(mode.empty() || mode == "nearest", "only nearest upsampling is executed")) return;
  auto scale = pairOf(c, "scale_factor", 1);
  const Shape& in = c.input(0).shape;
  if (!c.need(scale[0] > 0 && scale[1] > 0 && scale[0] < 65536 && scale[1] < 65536, "the scale is not positive"))
    return;
  Shape shape = {in[0], in[1] * scale[0], in[2] * scale[1], in[3]};
  if (!c.make(0, shape, true)) return;
  std::vector<size_t> strides = stridesOf(in);
  Odometer at(shape, {});
  for (float& y : c.out[0].f) {
    const auto& p = at.index();
    y = static_cast<float>(
        c.input(0).at(static_cast<size_t>(p[0]) * strides[0] + static_cast<size_t>(p[1] / scale[0]) * strides[1] +
                      static_cast<size_t>(p[2] / scale[1]) * strides[2] + static_cast<size_t>(p[3])));
    at.next();
  }
}

}  // namespace

constinit const NamedKernel kWindowKernels[] = {
    {"conv1d", runConv1d},
    {"conv2d", runConv2d},
    {"max_pool2d", runPool},
    {"max_pool2d_with_indices", runPool},
    {"avg_pool2d", runPool},
    {"global_avg_pool2d", runGlobalPool},
    {"global_max_pool2d", runGlobalPool},
    {"upsample2d", runUpsample},
    {"upsample", runUpsample},
    {"", nullptr},
};

}  // namespace tessera
