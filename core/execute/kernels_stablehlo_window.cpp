// Convolutions and windows of StableHLO, of any number of dims; TTIR's transposed and 3-D convolutions with them.

#include <algorithm>
#include <cmath>

#include "core/execute/kernel.h"
#include "core/execute/stablehlo_attrs.h"

namespace tessera {

namespace {

struct ConvCall {
  ShloConv places;
  ShloWindow window;
  int64_t groups = 1, batchGroups = 1;
  bool edgesRepeat = false;  // what lies outside of the operand has the numbers at its edge, not zero
};

// Where one place of the window lies along one spatial dim: elements into the operand and into the kernel.
struct Tap {
  size_t x = 0, k = 0;
};

// A convolution whose ranks and features fit. Each result is summed in the order of the window's places, the last dim
// fastest, and of the features at each.
class Convolution {
 public:
  Convolution(const HostTensor& x, const HostTensor& k, const ConvCall& conv, const Shape& shape)
      : x_(x),
        k_(k),
        conv_(conv),
        shape_(shape),
        strideX_(stridesOf(x.shape)),
        strideK_(stridesOf(k.shape)),
        taps_(conv.places.input.spatial.size()),
        place_(taps_.size(), -1) {}

  void run(HostTensor& y) {
    const ShloConv& p = conv_.places;
    const int64_t outputs = at(k_.shape, p.kernel.first), inner = at(k_.shape, p.kernel.second);
    Odometer out(shape_, {});
    for (size_t i = 0; i < y.size(); ++i, out.next()) {
      for (size_t s = 0; s < taps_.size(); ++s) moveTo(s, out.index()[static_cast<size_t>(p.output.spatial[s])]);
      const int64_t feature = out.index()[static_cast<size_t>(p.output.second)];
      const int64_t group = feature / (outputs / conv_.groups);
      const int64_t batchGroup = feature / (outputs / conv_.batchGroups);
      const int64_t batch = out.index()[static_cast<size_t>(p.output.first)] + batchGroup * at(shape_, p.output.first);
      sum_ = 0;
      addFrom(0, {static_cast<size_t>(batch) * strideOf(strideX_, p.input.first) +
                      static_cast<size_t>(group * inner) * strideOf(strideX_, p.input.second),
                  static_cast<size_t>(feature) * strideOf(strideK_, p.kernel.first)});
      y.set(i, sum_);
    }
  }

 private:
  static int64_t at(const Shape& dims, int64_t d) { return dims[static_cast<size_t>(d)]; }
  static size_t strideOf(const std::vector<size_t>& strides, int64_t d) { return strides[static_cast<size_t>(d)]; }

  // The taps of dim `s` that meet an element of the operand where the result's place along it is `out`.
  void moveTo(size_t s, int64_t out) {
    if (place_[s] == out) return;
    place_[s] = out;
    taps_[s].clear();
    const int64_t dimX = conv_.places.input.spatial[s], dimK = conv_.places.kernel.spatial[s];
    const int64_t size = at(x_.shape, dimX), base = conv_.window.baseDilation[s];
    for (int64_t w = 0; w < at(k_.shape, dimK); ++w) {
      int64_t place = out * conv_.window.stride[s] - conv_.window.low[s] + w * conv_.window.dilation[s];
      if (conv_.edgesRepeat) place = std::clamp<int64_t>(place, 0, size - 1);
      if (place < 0 || place % base != 0 || place / base >= size) continue;
      taps_[s].push_back({static_cast<size_t>(place / base) * strideOf(strideX_, dimX),
                          static_cast<size_t>(w) * strideOf(strideK_, dimK)});
    }
  }

  void addFrom(size_t s, Tap from) {
    if (s == taps_.size()) return addFeatures(from);
    for (const Tap& tap : taps_[s]) addFrom(s + 1, {from.x + tap.x, from.k + tap.k});
  }
  void addFeatures(Tap from) {
    const size_t stepX = strideOf(strideX_, conv_.places.input.second);
    const size_t stepK = strideOf(strideK_, conv_.places.kernel.second);
    const auto inner = static_cast<size_t>(at(k_.shape, conv_.places.kernel.second));
    for (size_t f = 0; f < inner; ++f) sum_ += x_.at(from.x + f * stepX) * k_.at(from.k + f * stepK);
  }

  const HostTensor &x_, &k_;
  const ConvCall& conv_;
  const Shape& shape_;
  const std::vector<size_t> strideX_, strideK_;
  std::vector<std::vector<Tap>> taps_;  // of each spatial dim, at place_
  std::vector<int64_t> place_;          // of the result
  double sum_ = 0;
};

// `shape` is the result's, dim by dim; the op's own result may hold the same elements flattened.
void convolve(KernelCall& c, const ConvCall& conv, const Shape& shape) {
  const TensorType* type = c.resultType();
  if (!c.inputs(2) || !c.need(type != nullptr, "the result is no tensor")) return;
  if (!c.need(conv.window.isSane(), "an absurd window")) return;
  const HostTensor &x = c.input(0), &k = c.input(1);
  size_t n = conv.places.input.spatial.size();
  const ShloConv& p = conv.places;
  if (!c.need(x.shape.size() == n + 2 && k.shape.size() == n + 2 && shape.size() == n + 2, "other ranks")) return;
  auto at = [](const Shape& dims, int64_t d) { return dims[static_cast<size_t>(d)]; };
  int64_t outputs = at(k.shape, p.kernel.first), inner = at(k.shape, p.kernel.second);
  bool fits = conv.groups > 0 && conv.batchGroups > 0 && outputs % (conv.groups * conv.batchGroups) == 0 &&
              at(x.shape, p.input.second) == inner * conv.groups && at(shape, p.output.second) == outputs &&
              at(x.shape, p.input.first) == at(shape, p.output.first) * conv.batchGroups;
  fits = fits && elementCount(shape) == elementCount(type->shape);
  if (!c.need(fits, "its features do not fit") || !c.make(0, type->shape, true)) return;
  if (k.size() > 0) Convolution(x, k, conv, shape).run(c.out[0]);  // an empty kernel may have dims of any size
}

void runConvolution(KernelCall& c) {
  ConvCall conv;
  if (!c.inputs(2) || !c.need(readShloConv(c.op, conv.places), "its dimension numbers are not understood")) return;
  conv.window = readShloWindow(c.op, conv.places.input.spatial.size(), "window_strides", "rhs_dilation");
  conv.groups = c.integer("feature_group_count", 1);
  conv.batchGroups = c.integer("batch_group_count", 1);
  for (int64_t v : c.ints("window_reversal")) {
    if (!c.need(v == 0, "a reversed window")) return;
  }
  const TensorType* type = c.resultType();
  if (c.need(type != nullptr, "the result is no tensor")) convolve(c, conv, type->shape);
}

// Every window of the operand: visit(result place, operand place, inside).
template <class Visit>
void forEachWindow(const Shape& in, const Shape& out, const std::vector<int64_t>& sizes, const ShloWindow& w,
                   Visit visit) {
  std::vector<size_t> strides = stridesOf(in);
  auto count = static_cast<size_t>(elementCount(out).value_or(0)),
       window = static_cast<size_t>(elementCount(sizes).value_or(0));
  Odometer at(out, {});
  for (size_t i = 0; i < count; ++i, at.next()) {
    Odometer inner(sizes, {});
    for (size_t k = 0; k < window; ++k, inner.next()) {
      size_t from = 0;
      bool inside = true;
      for (size_t d = 0; d < in.size() && inside; ++d) {
        int64_t place = at.index()[d] * w.stride[d] - w.low[d] + inner.index()[d] * w.dilation[d];
        inside = place >= 0 && place % w.baseDilation[d] == 0 && place / w.baseDilation[d] < in[d];
        if (inside) from += static_cast<size_t>(place / w.baseDilation[d]) * strides[d];
      }
      if (inside) visit(i, from);
    }
  }
}

bool readSizes(KernelCall& c, size_t rank, std::vector<int64_t>& sizes) {
  sizes = c.ints("window_dimensions");
  if (sizes.size() != rank) sizes.assign(rank, 1);
  for (int64_t size : sizes) {
    if (!c.need(size >= 1 && size < (int64_t{1} << 20), "an absurd window")) return false;
  }
  return true;
}

double windowStep(std::string_view body, double a, double b) {
  if (body == "stablehlo.add") return a + b;
  if (body == "stablehlo.multiply") return a * b;
  const bool stays = std::isnan(a) || (body == "stablehlo.minimum" ? a < b : a > b);
  return stays ? a : b;
}

void runReduceWindow(KernelCall& c) {
  const TensorType* type = c.resultType();
  if (!c.inputs(2) || !c.need(type != nullptr && c.out.size() == 1, "several results")) return;
  const HostTensor& x = c.input(0);
  std::vector<int64_t> sizes;
  std::string body = c.word("body");
  bool known = body == "stablehlo.add" || body == "stablehlo.multiply" || body == "stablehlo.minimum" ||
               body == "stablehlo.maximum";
  if (!c.need(known, "its body is not one op") || !c.need(type->shape.size() == x.shape.size(), "other ranks") ||
      !readSizes(c, x.shape.size(), sizes) || !c.make(0, type->shape, x.real))
    return;
  ShloWindow w = readShloWindow(c.op, x.shape.size(), "window_strides", "window_dilations");
  if (!c.need(w.isSane(), "an absurd window") || !c.isScalar(1)) return;
  std::vector<double> state(c.out[0].size(), c.input(1).at(0));
  forEachWindow(x.shape, type->shape, sizes, w,
                [&](size_t i, size_t from) { state[i] = windowStep(body, state[i], x.at(from)); });
  for (size_t i = 0; i < state.size(); ++i) c.out[0].set(i, state[i]);
}

void runSelectAndScatter(KernelCall& c) {
  if (!c.inputs(3)) return;
  const HostTensor &x = c.input(0), &source = c.input(1);
  std::vector<int64_t> sizes;
  std::string select = c.word("body"), add = c.word("body1");
  bool known = (select == "stablehlo.compare GE" || select == "stablehlo.compare GT") && add == "stablehlo.add";
  if (!c.need(known, "its bodies are not a comparison and a sum") || !readSizes(c, x.shape.size(), sizes) ||
      !c.need(source.shape.size() == x.shape.size(), "other ranks") || !c.make(0, x.shape, x.real))
    return;
  ShloWindow w = readShloWindow(c.op, x.shape.size(), "window_strides", "window_dilations");
  if (!c.need(w.isSane(), "an absurd window") || !c.isScalar(2)) return;
  std::vector<size_t> chosen(source.size(), SIZE_MAX);
  bool firstWins = select == "stablehlo.compare GE";  // select(old, new): the old one stays when it compares true
  forEachWindow(x.shape, source.shape, sizes, w, [&](size_t i, size_t from) {
    bool replaces =
        chosen[i] == SIZE_MAX || !(firstWins ? x.at(chosen[i]) >= x.at(from) : x.at(chosen[i]) > x.at(from));
    if (replaces) chosen[i] = from;
  });
  std::vector<double> state(x.size(), c.input(2).at(0));
  for (size_t i = 0; i < source.size(); ++i) {
    if (chosen[i] != SIZE_MAX) state[chosen[i]] += source.at(i);
  }
  for (size_t i = 0; i < state.size(); ++i) c.out[0].set(i, state[i]);
}

std::vector<int64_t> countsOf(const KernelCall& c, std::string_view name, size_t count, int64_t fallback) {
  std::vector<int64_t> v = c.ints(name);
  if (v.size() == 1) v.assign(count, v[0]);
  if (v.size() != count) v.assign(count, fallback);
  return v;
}

// Dims of TTIR's convolutions, the same for input and result; `names` are those of the spatial dims.
ShloPlaces ttirPlaces(const KernelCall& c, const std::vector<std::string_view>& names) {
  ShloPlaces places;
  auto last = static_cast<int64_t>(names.size()) + 1;
  places.first = c.integer("batch_dim", 0);
  places.second = c.integer("channel_dim", last);
  for (size_t i = 0; i < names.size(); ++i) places.spatial.push_back(c.integer(names[i], static_cast<int64_t>(i) + 1));
  return places;
}

bool placesFit(KernelCall& c, const ShloPlaces& places, size_t rank) {
  std::vector<int64_t> all = places.spatial;
  all.push_back(places.first);
  all.push_back(places.second);
  std::sort(all.begin(), all.end());
  bool fits = all.size() == rank;
  for (size_t i = 0; fits && i < all.size(); ++i) fits = all[i] == static_cast<int64_t>(i);
  return c.need(fits, "its dims do not fit the operand");
}

void addBias(KernelCall& c, size_t channel) {
  const HostTensor* bias = c.optionalInput(2, 2);
  if (bias == nullptr || !c.error.empty() || bias->size() == 0) return;
  Odometer at(c.out[0].shape, {});
  for (size_t i = 0; i < c.out[0].size(); ++i, at.next())
    c.out[0].set(i, c.out[0].at(i) + bias->at(static_cast<size_t>(at.index()[channel]) % bias->size()));
}

void runConv3d(KernelCall& c) {
  if (!c.inputs(2) || !c.need(c.input(0).shape.size() == 5, "no 5-D operand") ||
      !c.known(c.input(1).shape.size() == 5, "prepared weights of volumes are not executed"))
    return;
  ConvCall conv;
  const std::string mode = c.word("padding_mode");
  conv.edgesRepeat = mode == "replicate";
  if (!c.known(mode.empty() || mode == "zeros" || conv.edgesRepeat, "padding by " + mode + " is not executed")) return;
  conv.places.input = conv.places.output = ttirPlaces(c, {"depth_dim", "height_dim", "width_dim"});
  conv.places.kernel = {0, 1, {2, 3, 4}};
  conv.groups = c.integer("groups", 1);
  conv.window.stride = countsOf(c, "stride", 3, 1);
  conv.window.low = conv.window.high = countsOf(c, "padding", 3, 0);
  conv.window.dilation = conv.window.baseDilation = {1, 1, 1};
  if (!placesFit(c, conv.places.input, 5)) return;
  const TensorType* type = c.resultType();
  if (!c.need(type != nullptr, "the result is no tensor")) return;
  convolve(c, conv, type->shape);
  addBias(c, static_cast<size_t>(conv.places.output.second));
}

// Shapes of image and result, which are flattened to [1, 1, N*H*W, C].
bool flattenedShapes(KernelCall& c, int64_t outputs, const std::vector<int64_t>& stride, Shape& image, Shape& out) {
  const Shape& kernel = c.input(1).shape;
  std::vector<int64_t> padding = c.ints("padding"), dilation = countsOf(c, "dilation", 2, 1),
                       extra = countsOf(c, "output_padding", 2, 0);
  if (padding.size() != 4) {
    padding = countsOf(c, "padding", 2, 0);
    padding = {padding[0], padding[0], padding[1], padding[1]};
  } else if (c.op.name.rfind("ttir.", 0) == 0) {
    std::swap(padding[1], padding[2]);  // of top, left, bottom, right
  }
  const AttrValue* flat = findAttr(c.op, "flattened_compat_info");
  auto number = [&](std::string_view name) {
    return flat != nullptr ? numberAfter(flat->text, name) : c.integer(name, -1);
  };
  image = {number("batch_size"), number("input_height"), number("input_width"),
           c.input(0).shape.empty() ? -1 : c.input(0).shape.back()};
  for (int64_t dim : image) {
    if (!c.need(dim > 0 && dim < (1 << 20), "the image's numbers are missing")) return false;
  }
  if (!c.need(elementCount(image) == elementCount(c.input(0).shape), "the operand does not hold the image"))
    return false;
  out = {image[0], 0, 0, outputs};
  for (size_t i = 0; i < 2; ++i)
    out[1 + i] = (image[1 + i] - 1) * stride[i] + dilation[i] * (kernel[2 + i] - 1) + 1 + extra[i] - padding[2 * i] -
                 padding[2 * i + 1];
  return true;
}

// The kernel (C, O/G, kh, kw) as it lies: the compiler makes this op of StableHLO's dilated convolution without turning
// the kernel, so neither is it turned here.
void runConvTranspose2d(KernelCall& c) {
  if (!c.inputs(2) || !c.need(c.input(0).shape.size() == 4 && c.input(1).shape.size() == 4, "no 4-D operand")) return;
  const TensorType* type = c.resultType();
  bool ttnn = c.op.name.rfind("ttnn.", 0) == 0;
  int64_t groups = c.integer("groups", 1);
  if (!c.need(type != nullptr && groups > 0 && c.input(1).shape[0] % groups == 0, "its groups do not fit")) return;
  // (C, O/G, kh, kw) to (O, C/G, kh, kw).
  const HostTensor& k = c.input(1);
  int64_t perGroup = k.shape[0] / groups, outs = k.shape[1];
  HostTensor turned = makeTensor({outs * groups, perGroup, k.shape[2], k.shape[3]}, k.real);
  size_t plane = static_cast<size_t>(k.shape[2] * k.shape[3]);
  for (int64_t in = 0; in < k.shape[0]; ++in) {
    for (int64_t o = 0; o < outs; ++o) {
      for (size_t i = 0; i < plane; ++i) {
        size_t from = static_cast<size_t>(in * outs + o) * plane + i;
        size_t to = static_cast<size_t>((in / perGroup * outs + o) * perGroup + in % perGroup) * plane + i;
        turned.set(to, k.at(from));
      }
    }
  }
  ConvCall conv;
  conv.places.input = conv.places.output = ttirPlaces(c, {"height_dim", "width_dim"});
  conv.places.kernel = {0, 1, {2, 3}};
  conv.groups = groups;
  conv.window.baseDilation = countsOf(c, "stride", 2, 1);
  conv.window.dilation = countsOf(c, "dilation", 2, 1);
  conv.window.stride = {1, 1};
  std::vector<int64_t> padding = countsOf(c, "padding", 4, 0);
  if (c.ints("padding").size() == 2)
    padding = {c.ints("padding")[0], c.ints("padding")[1], c.ints("padding")[0], c.ints("padding")[1]};
  else if (ttnn) std::swap(padding[1], padding[2]);  // top, bottom, left, right
  bool flattened = ttnn || findAttr(c.op, "flattened_compat_info") != nullptr;
  for (size_t i = 0; i < 2; ++i) {
    conv.window.low.push_back((k.shape[2 + i] - 1) * conv.window.dilation[i] - padding[i]);
    conv.window.high.push_back(0);  // the result's size says how far it goes
  }
  HostTensor image = c.input(0);
  Shape out = type->shape;
  if (flattened) {
    conv.places.input = conv.places.output = {0, 3, {1, 2}};
    if (!flattenedShapes(c, outs * groups, conv.window.baseDilation, image.shape, out)) return;
  }
  if (!placesFit(c, conv.places.input, 4)) return;
  std::vector<HostTensor*> kept = c.in;
  c.in[0] = &image;
  c.in[1] = &turned;
  convolve(c, conv, out);
  c.in = std::move(kept);
  addBias(c, flattened ? 3 : static_cast<size_t>(conv.places.output.second));
}

}  // namespace

constinit const NamedKernel kStablehloWindowKernels[] = {
    {"convolution", runConvolution},
    {"reduce_window", runReduceWindow},
    {"select_and_scatter", runSelectAndScatter},
    {"", nullptr},
};

constinit const NamedKernel kFurtherConvKernels[] = {
    {"conv3d", runConv3d},
    {"conv_transpose2d", runConvTranspose2d},
    {"", nullptr},
};

}  // namespace tessera
