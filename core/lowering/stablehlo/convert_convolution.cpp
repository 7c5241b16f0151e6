// Convolutions. Layouts: the result's layout stays, the input is permuted to it, weights to OIHW (conv2d) or IOHW
// (transposed); along one dim, input and result are NLC and weights OIK. Source: tt-mlir
// lib/Conversion/StableHLOToTTIR@19c86fca.

#include <algorithm>
#include <cctype>

#include "core/lowering/stablehlo/convert.h"
#include "core/support/units.h"

namespace tessera::shlo {

namespace {

// Where the dims of a tensor are: batch and features of input and result, outputs and inputs of the kernel.
struct Places {
  int64_t first = -1, second = -1;
  std::vector<int64_t> spatial;
  std::vector<int64_t> all() const {
    std::vector<int64_t> out = {first, second};
    out.insert(out.end(), spatial.begin(), spatial.end());
    return out;
  }
};

struct Window {
  std::vector<int64_t> strides, low, high, inputDilation, kernelDilation;
  int64_t groups = 1, batchGroups = 1;
};

struct Convolution {
  Places input, kernel, output;
  Window window;
  size_t spatial() const { return window.strides.size(); }
};

// [b, f, 0, 1]
bool readPlaces(std::string_view text, char first, char second, Places& out) {
  int64_t at = 0;
  std::vector<std::pair<int64_t, int64_t>> spatial;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (!digit && std::isalpha(static_cast<unsigned char>(c)) == 0 && c != '?') continue;
    if (c == first) out.first = at;
    else if (c == second) out.second = at;
    else if (digit && spatial.size() < 8) spatial.emplace_back(c - '0', at);
    else return false;
    ++at;
  }
  std::sort(spatial.begin(), spatial.end());
  for (size_t i = 0; i < spatial.size(); ++i) {
    if (spatial[i].first != static_cast<int64_t>(i)) return false;
    out.spatial.push_back(spatial[i].second);
  }
  return out.first >= 0 && out.second >= 0;
}

bool readNumbers(const Op& op, Convolution& c) {
  const AttrValue* numbers = findAttr(op, "dimension_numbers");
  if (numbers == nullptr) return false;
  std::string_view text = numbers->text;
  if (text.find("input_batch_dimension") != std::string_view::npos) {  // the raw form of older files
    auto one = [&](std::string_view name) { return numberIn(op, "dimension_numbers", name).value_or(-1); };
    c.input = {one("input_batch_dimension"), one("input_feature_dimension"),
               listIn(op, "dimension_numbers", "input_spatial_dimensions")};
    c.kernel = {one("kernel_output_feature_dimension"), one("kernel_input_feature_dimension"),
                listIn(op, "dimension_numbers", "kernel_spatial_dimensions")};
    c.output = {one("output_batch_dimension"), one("output_feature_dimension"),
                listIn(op, "dimension_numbers", "output_spatial_dimensions")};
    return true;
  }
  std::string_view parts[3];
  size_t from = 0;
  for (std::string_view& part : parts) {
    size_t open = text.find('[', from), close = text.find(']', from);
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) return false;
    part = text.substr(open + 1, close - open - 1);
    from = close + 1;
  }
  return readPlaces(parts[0], 'b', 'f', c.input) && readPlaces(parts[1], 'o', 'i', c.kernel) &&
         readPlaces(parts[2], 'b', 'f', c.output);
}

bool sane(const std::vector<int64_t>& values, int64_t least) {
  return std::all_of(values.begin(), values.end(), [&](int64_t v) { return v >= least && v < (int64_t{1} << 30); });
}

bool readConvolution(PatternRewriter& p, OpId root, Convolution& c) {
  const Op& op = p.old(root);
  size_t rank = p.resultShape(root).size();
  if (rank < 2 || !readNumbers(op, c)) return refuse(p, root, "its dimension numbers are not understood");
  for (const Places* places : {&c.input, &c.kernel, &c.output}) {
    if (places->spatial.size() + 2 != rank || !dimsFit(places->all(), rank))
      return refuse(p, root, "its dimension numbers do not fit the operands");
  }
  if (shapeOf(p, root, 0).size() != rank || shapeOf(p, root, 1).size() != rank)
    return refuse(p, root, "operands and result have different ranks");
  size_t n = rank - 2;
  auto list = [&](std::string_view name, int64_t fallback, size_t count) {
    std::vector<int64_t> values = ints(op, name);
    return values.size() == count ? values : std::vector<int64_t>(count, fallback);
  };
  Window& w = c.window;
  w.strides = list("window_strides", 1, n);
  w.inputDilation = list("lhs_dilation", 1, n);
  w.kernelDilation = list("rhs_dilation", 1, n);
  std::vector<int64_t> padding = list("padding", 0, 2 * n);
  for (size_t i = 0; i < n; ++i) {
    w.low.push_back(padding[2 * i]);
    w.high.push_back(padding[2 * i + 1]);
  }
  w.groups = integer(op, "feature_group_count", 1);
  w.batchGroups = integer(op, "batch_group_count", 1);
  std::vector<int64_t> reversed = ints(op, "window_reversal");
  if (std::any_of(reversed.begin(), reversed.end(), [](int64_t v) { return v != 0; }))
    return refuse(p, root, "the compiler takes no reversed windows; reverse the kernel instead");
  constexpr int64_t kLeast = -(int64_t{1} << 30);
  if (!sane(w.strides, 1) || !sane(w.inputDilation, 1) || !sane(w.kernelDilation, 1) || !sane(padding, kLeast) ||
      !sane({w.groups, w.batchGroups}, 1) || !sane(shapeOf(p, root, 0), 0) || !sane(shapeOf(p, root, 1), 0) ||
      !sane(p.resultShape(root), 0))
    return refuse(p, root, "its window is absurd");
  return true;
}

int64_t at(const Shape& shape, int64_t dim) { return shape[static_cast<size_t>(dim)]; }

// Does the window give the shape of the result? Dims of features and groups, too.
bool shapesFit(PatternRewriter& p, OpId root, const Convolution& c) {
  const Shape &x = shapeOf(p, root, 0), &k = shapeOf(p, root, 1), &y = p.resultShape(root);
  const Window& w = c.window;
  bool fits = at(x, c.input.second) == at(k, c.kernel.second) * w.groups &&
              at(y, c.output.second) == at(k, c.kernel.first) &&
              at(x, c.input.first) == at(y, c.output.first) * w.batchGroups &&
              at(k, c.kernel.first) % (w.groups * w.batchGroups) == 0;
  for (size_t i = 0; fits && i < c.spatial(); ++i) {
    int64_t in = at(x, c.input.spatial[i]), size = at(k, c.kernel.spatial[i]);
    int64_t dilated = in == 0 ? 0 : (in - 1) * w.inputDilation[i] + 1;
    int64_t window = size == 0 ? 0 : (size - 1) * w.kernelDilation[i] + 1;
    int64_t room = dilated + w.low[i] + w.high[i] - window;
    fits = size > 0 && room >= 0 && at(y, c.output.spatial[i]) == room / w.strides[i] + 1;
  }
  return fits || refuse(p, root, "its window does not give the result's shape");
}

// A further spatial dim of size 1 behind the others, for input, kernel and result.
ValueId withUnitDim(PatternRewriter& p, OpId root, ValueId value) {
  Shape shape = p.shape(value);
  shape.push_back(1);
  return p.emitReshape(root, value, shape);
}

// The order that brings dims of `from` to the places of `to`.
std::vector<int64_t> orderTo(const Places& from, const Places& to) {
  std::vector<int64_t> have = from.all(), order(have.size());
  std::vector<int64_t> want = to.all();
  for (size_t i = 0; i < have.size(); ++i) order[static_cast<size_t>(want[i])] = have[i];
  return order;
}

AttrValue shortInts(std::vector<int64_t> values) { return intArrayAttr(std::move(values), "i32"); }

AttrList dimAttrs(const Places& output, bool depth) {
  AttrList attrs = {{"batch_dim", intAttr(output.first)}, {"channel_dim", intAttr(output.second)}};
  size_t i = 0;
  if (depth) attrs.push_back({"depth_dim", intAttr(output.spatial[i++])});
  attrs.push_back({"height_dim", intAttr(output.spatial[i])});
  attrs.push_back({"width_dim", intAttr(output.spatial[i + 1])});
  return attrs;
}

OpSpec directSpec(PatternRewriter& p, OpId root, ValueId x, ValueId k, const Convolution& c, const ValueType& type) {
  bool three = c.spatial() == 3;
  const Window& w = c.window;
  OpSpec spec =
      makeOp(three ? OpKind::TtirConv3d : OpKind::TtirConv2d,
             {p.emitPermute(root, x, orderTo(c.input, c.output)), p.emitPermute(root, k, c.kernel.all())}, {type});
  spec.attrs = dimAttrs(c.output, three);
  spec.attrs.push_back({"groups", intAttr(w.groups, "i32")});
  spec.attrs.push_back({"stride", shortInts(w.strides)});
  if (three) {
    spec.attrs.push_back({"padding", shortInts(w.low)});
    return spec;
  }
  spec.attrs.push_back({"dilation", shortInts(w.kernelDilation)});
  spec.attrs.push_back({"padding", shortInts({w.low[0], w.low[1], w.high[0], w.high[1]})});
  return spec;
}

// Padding of a transposed convolution, from each side; nothing when the op cannot express it.
std::optional<std::vector<int64_t>> transposedPadding(PatternRewriter& p, ValueId k, const Convolution& c) {
  std::vector<int64_t> padding;
  for (size_t i = 0; i < c.spatial(); ++i) {
    int64_t size = at(p.shape(k), c.kernel.spatial[i]);
    padding.push_back((size - 1) * c.window.kernelDilation[i] - c.window.low[i]);
    int64_t extra = c.window.high[i] - c.window.low[i];
    if (padding.back() < 0 || extra < 0 || extra >= std::max(c.window.inputDilation[i], c.window.kernelDilation[i]))
      return {};
  }
  return padding;
}

OpSpec transposedSpec(PatternRewriter& p, OpId root, ValueId x, ValueId k, const Convolution& c, const ValueType& type,
                      const std::vector<int64_t>& padding) {
  const Window& w = c.window;
  std::vector<int64_t> order = c.kernel.all();
  std::swap(order[0], order[1]);
  ValueId weight = p.emitPermute(root, k, order);
  if (w.groups > 1) {  // (C/G, O, kh, kw) to (C, O/G, kh, kw)
    Shape s = p.shape(weight);
    weight = p.emitReshape(root, weight, {s[0], w.groups, s[1] / w.groups, s[2], s[3]});
    weight = p.emitPermute(root, weight, {1, 0, 2, 3, 4});
    weight = p.emitReshape(root, weight, {s[0] * w.groups, s[1] / w.groups, s[2], s[3]});
  }
  OpSpec spec =
      makeOp(OpKind::TtirConvTranspose2d, {p.emitPermute(root, x, orderTo(c.input, c.output)), weight}, {type});
  spec.attrs = dimAttrs(c.output, false);
  spec.attrs.push_back({"groups", intAttr(w.groups, "i32")});
  spec.attrs.push_back({"stride", shortInts(w.inputDilation)});
  spec.attrs.push_back({"dilation", shortInts(w.kernelDilation)});
  spec.attrs.push_back({"padding", shortInts({padding[0], padding[1], padding[0], padding[1]})});
  spec.attrs.push_back({"output_padding", shortInts({w.high[0] - w.low[0], w.high[1] - w.low[1]})});
  return spec;
}

// Zeros between the elements and around them by pads of their own, where the op cannot do it.
ValueId padInput(PatternRewriter& p, OpId root, ValueId x, Convolution& c, bool dilates) {
  Window& w = c.window;
  Shape shape = p.shape(x);
  std::vector<int64_t> interior(shape.size(), 0);
  for (size_t i = 0; dilates && i < c.spatial(); ++i) {
    interior[static_cast<size_t>(c.input.spatial[i])] = w.inputDilation[i] - 1;
    w.inputDilation[i] = 1;
  }
  x = dilate(p, root, x, interior, 0.0);
  std::vector<int64_t> begins(shape.size(), 0), ends = p.shape(x), edges(2 * shape.size(), 0);
  bool pads = false;
  for (size_t i = 0; i < c.spatial(); ++i) {
    auto d = static_cast<size_t>(c.input.spatial[i]);
    begins[d] = std::max<int64_t>(-w.low[i], 0);
    ends[d] -= std::max<int64_t>(-w.high[i], 0);
    w.low[i] = std::max<int64_t>(w.low[i], 0);
    w.high[i] = std::max<int64_t>(w.high[i], 0);
    if (c.spatial() != 3 || w.low[i] == w.high[i]) continue;
    edges[2 * d] = w.low[i];  // conv3d pads both sides alike
    edges[2 * d + 1] = w.high[i];
    w.low[i] = w.high[i] = 0;
    pads = true;
  }
  x = slice(p, root, x, begins, ends);
  if (!pads) return x;
  Shape grown = p.shape(x);
  for (size_t d = 0; d < grown.size(); ++d) grown[d] += edges[2 * d] + edges[2 * d + 1];
  return emit(p, root, OpKind::TtirPad, {x}, p.typeWith(p.typeOf(x), grown),
              {{"padding", shortInts(std::move(edges))}, {"value", f32Attr(0.0)}});
}

// One convolution over 2 or 3 spatial dims; `type` is that of its result.
OpSpec convolve(PatternRewriter& p, OpId root, ValueId x, ValueId k, Convolution c, const ValueType& type) {
  const Window& w = c.window;
  bool dilated = std::any_of(w.inputDilation.begin(), w.inputDilation.end(), [](int64_t d) { return d > 1; });
  bool steps = std::any_of(w.strides.begin(), w.strides.end(), [](int64_t s) { return s > 1; });
  if (dilated && !steps && c.spatial() == 2) {
    if (std::optional<std::vector<int64_t>> padding = transposedPadding(p, k, c))
      return transposedSpec(p, root, x, k, c, type, *padding);
  }
  ValueId padded = padInput(p, root, x, c, dilated);
  return directSpec(p, root, padded, k, c, type);
}

// The spatial dim that a convolution runs along when the other one, if there is one, has a single place in input and
// kernel; none when both or neither have, or when the input is spread out.
std::optional<size_t> onlyLine(PatternRewriter& p, OpId root, const Convolution& c) {
  const Window& w = c.window;
  if (c.spatial() > 2 || w.batchGroups > 1) return {};
  std::vector<size_t> lines;
  for (size_t i = 0; i < c.spatial(); ++i) {
    if (w.inputDilation[i] > 1) return {};
    const bool single = at(shapeOf(p, root, 0), c.input.spatial[i]) == 1 &&
                        at(shapeOf(p, root, 1), c.kernel.spatial[i]) == 1 && w.low[i] == 0 && w.high[i] == 0;
    if (!single) lines.push_back(i);
  }
  return lines.size() == 1 ? std::optional(lines[0]) : std::nullopt;
}

// As (N, L, C) with kernels of (O, C / groups, K).
bool convolveLine(PatternRewriter& p, OpId root, Convolution c, size_t line) {
  const ValueId x = padInput(p, root, p.in(root, 0), c, false);
  Places rows{0, static_cast<int64_t>(c.spatial()) + 1, {}};  // batch, spatial dims, features
  for (size_t i = 0; i < c.spatial(); ++i) rows.spatial.push_back(static_cast<int64_t>(i) + 1);
  const Shape in = p.shape(x), kernel = shapeOf(p, root, 1), out = p.resultShape(root);
  const ValueId image = p.emitReshape(root, p.emitPermute(root, x, orderTo(c.input, rows)),
                                      {at(in, c.input.first), at(in, c.input.spatial[line]), at(in, c.input.second)});
  const ValueId weight =
      p.emitReshape(root, p.emitPermute(root, p.in(root, 1), c.kernel.all()),
                    {at(kernel, c.kernel.first), at(kernel, c.kernel.second), at(kernel, c.kernel.spatial[line])});
  const Shape made = {at(out, c.output.first), at(out, c.output.spatial[line]), at(out, c.output.second)};
  OpSpec spec = makeOp(OpKind::TtirConv1d, {image, weight}, {p.typeWith(p.type(root), made)});
  spec.attrs = {{"batch_dim", intAttr(0)}, {"channel_dim", intAttr(2)}, {"length_dim", intAttr(1)}};
  spec.attrs.push_back({"dilation", shortInts({c.window.kernelDilation[line]})});
  spec.attrs.push_back({"groups", intAttr(c.window.groups, "i32")});
  spec.attrs.push_back({"padding", shortInts({c.window.low[line], c.window.high[line]})});
  spec.attrs.push_back({"stride", shortInts({c.window.strides[line]})});
  const ValueId result = p.replace(root, std::move(spec));
  Shape whole;
  for (const int64_t dim : orderTo(c.output, rows)) whole.push_back(at(out, dim));
  const ValueId seen = p.emitPermute(root, p.emitReshape(root, result, whole), orderTo(rows, c.output));
  return seen == result || p.seenAs(root, seen);
}

// Groups of the batch: each with its part of the kernels, side by side in the features.
ValueId batchGroups(PatternRewriter& p, OpId root, ValueId x, ValueId k, Convolution c, const ValueType& type) {
  int64_t groups = c.window.batchGroups;
  c.window.batchGroups = 1;
  auto part = [&](ValueId value, int64_t dim, int64_t index) {
    std::vector<int64_t> begins(p.shape(value).size(), 0), ends = p.shape(value);
    auto d = static_cast<size_t>(dim);
    int64_t size = p.shape(value)[d] / groups;
    begins[d] = index * size;
    ends[d] = (index + 1) * size;
    return slice(p, root, value, begins, ends);
  };
  ValueType own = type;
  own.tensor->shape[static_cast<size_t>(c.output.second)] /= groups;
  std::vector<ValueId> parts;
  for (int64_t g = 0; g < groups; ++g) {
    // Named, as compilers differ in which argument of a call they make first.
    ValueId input = part(x, c.input.first, g), kernel = part(k, c.kernel.first, g);
    parts.push_back(p.emit(root, convolve(p, root, input, kernel, c, own)));
  }
  return emit(p, root, OpKind::TtirConcat, std::move(parts), type, {{"dim", intAttr(c.output.second, "si32")}});
}

}  // namespace

bool convolution(PatternRewriter& p, OpId root) {
  Convolution c;
  if (!tensors(p, root, 2) || !readConvolution(p, root, c) || !shapesFit(p, root, c)) return false;
  size_t n = c.spatial();
  constexpr int64_t kMostBatchGroups = 256;
  if (n == 0 || n > 3) return refuse(p, root, "the library convolves over one, two or three dims");
  if (n == 3 &&
      std::any_of(c.window.kernelDilation.begin(), c.window.kernelDilation.end(), [](int64_t d) { return d > 1; }))
    return refuse(p, root, "the library has no dilated 3-D convolution");
  if (c.window.batchGroups > kMostBatchGroups) return refuse(p, root, "it has too many groups of the batch");
  if (const std::optional<size_t> line = onlyLine(p, root, c)) return convolveLine(p, root, std::move(c), *line);
  ValueId x = p.in(root, 0), k = p.in(root, 1);
  ValueType type = p.type(root);
  if (n == 1) {
    x = withUnitDim(p, root, x);
    k = withUnitDim(p, root, k);
    type.tensor->shape.push_back(1);
    auto last = static_cast<int64_t>(type.tensor->shape.size()) - 1;
    for (Places* places : {&c.input, &c.kernel, &c.output}) places->spatial.push_back(last);
    Window& w = c.window;
    for (std::vector<int64_t>* ones : {&w.strides, &w.inputDilation, &w.kernelDilation}) ones->push_back(1);
    w.low.push_back(0);
    w.high.push_back(0);
  }
  if (c.window.batchGroups > 1) return finishAs(p, root, batchGroups(p, root, x, k, c, type));
  OpSpec spec = convolve(p, root, x, k, c, type);
  ValueId made = p.replace(root, std::move(spec));
  if (p.shape(made) == p.resultShape(root)) return true;
  return p.seenAs(root, p.emitReshape(root, made, p.resultShape(root)));
}

}  // namespace tessera::shlo
