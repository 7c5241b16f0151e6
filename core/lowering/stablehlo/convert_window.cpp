// Windows: pooling, running sums, and the gradient of max pooling.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/lowering/stablehlo/convert.h"

namespace tessera::shlo {

namespace {

struct Windows {
  std::vector<int64_t> size, stride, dilation, low, high;
};

bool readWindows(PatternRewriter& p, OpId root, size_t rank, Windows& w) {
  const Op& op = p.old(root);
  auto list = [&](std::string_view name, int64_t fallback, size_t count) {
    std::vector<int64_t> values = ints(op, name);
    return values.size() == count ? values : std::vector<int64_t>(count, fallback);
  };
  w.size = list("window_dimensions", 1, rank);
  w.stride = list("window_strides", 1, rank);
  w.dilation = list("window_dilations", 1, rank);
  std::vector<int64_t> base = list("base_dilations", 1, rank), padding = list("padding", 0, 2 * rank);
  for (size_t d = 0; d < rank; ++d) {
    w.low.push_back(padding[2 * d]);
    w.high.push_back(padding[2 * d + 1]);
  }
  auto within = [](const std::vector<int64_t>& values, int64_t least) {
    return std::all_of(values.begin(), values.end(), [&](int64_t v) { return v >= least && v < (int64_t{1} << 30); });
  };
  if (!within(w.size, 1) || !within(w.stride, 1) || !within(w.dilation, 1) || !within(padding, 0))
    return refuse(p, root, "its window is absurd or its padding negative");
  if (std::any_of(base.begin(), base.end(), [](int64_t v) { return v != 1; }))
    return refuse(p, root, "the compiler takes no dilated operand of a window");
  return true;
}

// The dim of a running sum: the window is the whole dim, padded in front.
std::optional<size_t> runningDim(const Windows& w, const Shape& shape) {
  std::optional<size_t> found;
  bool plain = true;
  for (size_t d = 0; d < shape.size(); ++d) {
    plain = plain && w.stride[d] == 1 && w.dilation[d] == 1 && w.high[d] == 0;
    if (w.size[d] == 1 && w.low[d] == 0) continue;
    if (w.size[d] != shape[d] || w.low[d] != shape[d] - 1 || found) return {};
    found = d;
  }
  for (size_t d = 0; !found && d < shape.size(); ++d) {
    if (shape[d] == 1) found = d;
  }
  return plain ? found : std::nullopt;
}

struct Spatial {
  size_t height = 1, width = 2;
};

// The two dims that the window moves in; NCHW when it says less.
std::optional<Spatial> spatialDims(const Windows& w) {
  std::vector<size_t> moving;
  for (size_t d = 0; d < w.size.size(); ++d) {
    if (w.size[d] > 1 || w.stride[d] > 1 || w.low[d] > 0 || w.high[d] > 0) moving.push_back(d);
  }
  if (moving.size() > 2) return {};
  if (moving.size() == 2) return Spatial{moving[0], moving[1]};
  if (moving.empty()) return Spatial{2, 3};
  if (moving[0] == 3) return Spatial{2, 3};
  if (moving[0] == 0) return {};
  return moving[0] == 1 ? Spatial{1, 2} : Spatial{2, 3};
}

// NHWC of a tensor whose spatial dims are these: the first other dim is the batch, the second the channel.
std::vector<int64_t> orderToNhwc(const Spatial& s) {
  std::vector<int64_t> rest;
  for (size_t d = 0; d < 4; ++d) {
    if (d != s.height && d != s.width) rest.push_back(static_cast<int64_t>(d));
  }
  return {rest[0], static_cast<int64_t>(s.height), static_cast<int64_t>(s.width), rest[1]};
}

std::vector<int64_t> undo(const std::vector<int64_t>& order) {
  std::vector<int64_t> inverse(order.size());
  for (size_t i = 0; i < order.size(); ++i) inverse[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  return inverse;
}

Shape permuted(const Shape& shape, const std::vector<int64_t>& order) {
  Shape out;
  for (int64_t d : order) out.push_back(shape[static_cast<size_t>(d)]);
  return out;
}

AttrList poolAttrs(const Windows& w, const Spatial& s) {
  auto pair = [&](const std::vector<int64_t>& v) { return intArrayAttr({v[s.height], v[s.width]}, "i32"); };
  return {{"kernel", pair(w.size)},
          {"stride", pair(w.stride)},
          {"dilation", pair(w.dilation)},
          {"padding", intArrayAttr({w.low[s.height], w.low[s.width], w.high[s.height], w.high[s.width]}, "i32")},
          {"ceil_mode", boolAttr(false)}};
}

// Pooling of a tensor of rank 4 whose window moves in two dims.
std::optional<ValueId> pool(PatternRewriter& p, OpId root, OpKind kind, ValueId x, const Windows& w,
                            const Shape& result) {
  std::optional<Spatial> s = spatialDims(w);
  if (!s) return {};
  std::vector<int64_t> order = orderToNhwc(*s);
  ValueId in = p.emitPermute(root, x, order);
  AttrList attrs = poolAttrs(w, *s);
  if (kind == OpKind::TtirAvgPool2d) attrs.push_back({"count_include_pad", boolAttr(true)});
  ValueId made = emit(p, root, kind, {in}, p.typeWith(p.typeOf(x), permuted(result, order)), std::move(attrs));
  return p.emitPermute(root, made, undo(order));
}

bool windowsFit(const Windows& w, const Shape& in, const Shape& out) {
  if (in.size() != out.size()) return false;
  for (size_t d = 0; d < in.size(); ++d) {
    int64_t room = in[d] + w.low[d] + w.high[d] - (w.size[d] - 1) * w.dilation[d] - 1;
    if (room < 0 || out[d] != room / w.stride[d] + 1) return false;
  }
  return true;
}

// Pooling over three dims: height and width first, then depth.
std::optional<ValueId> pool3d(PatternRewriter& p, OpId root, ValueId x, const Windows& w, const Shape& result) {
  std::vector<size_t> moving;
  for (size_t d = 0; d < 5; ++d) {
    if (w.size[d] > 1 || w.stride[d] > 1 || w.low[d] > 0 || w.high[d] > 0) moving.push_back(d);
  }
  if (moving.size() > 3) return {};
  for (size_t d = 5; d > 0 && moving.size() < 3; --d) {
    if (std::find(moving.begin(), moving.end(), d - 1) == moving.end() && d > 1) moving.insert(moving.begin(), d - 1);
  }
  std::sort(moving.begin(), moving.end());
  // Two steps, each over a tensor of rank 4: [other dims joined, h, w, 1] as NHWC.
  auto step = [&](ValueId value, std::vector<size_t> dims, const Shape& to) {
    std::vector<int64_t> order;
    for (size_t d = 0; d < 5; ++d) {
      if (std::find(dims.begin(), dims.end(), d) == dims.end()) order.push_back(static_cast<int64_t>(d));
    }
    int64_t joined = 1;
    for (int64_t d : order) joined *= p.shape(value)[static_cast<size_t>(d)];
    for (size_t d : dims) order.push_back(static_cast<int64_t>(d));
    Windows own;
    own.size = own.stride = own.dilation = {1, 1, 1, 1};
    own.low = own.high = {0, 0, 0, 0};
    Shape flat = {joined, 1, 1, 1}, out = {joined, 1, 1, 1};
    for (size_t i = 0; i < dims.size(); ++i) {
      size_t at = 3 - dims.size() + i;
      flat[at] = p.shape(value)[dims[i]];
      out[at] = to[dims[i]];
      own.size[at] = w.size[dims[i]];
      own.stride[at] = w.stride[dims[i]];
      own.dilation[at] = w.dilation[dims[i]];
      own.low[at] = w.low[dims[i]];
      own.high[at] = w.high[dims[i]];
    }
    ValueId in = p.emitReshape(root, p.emitPermute(root, value, order), flat);
    ValueId made = emit(p, root, OpKind::TtirMaxPool2d, {in}, p.typeWith(p.typeOf(value), out), poolAttrs(own, {1, 2}));
    Shape back = p.shape(value);
    for (size_t d : dims) back[d] = to[d];
    return p.emitPermute(root, p.emitReshape(root, made, permuted(back, order)), undo(order));
  };
  ValueId planes = step(x, {moving[1], moving[2]}, result);
  return step(planes, {moving[0]}, result);
}

bool running(PatternRewriter& p, OpId root, const Windows& w, std::string_view body, double init) {
  std::optional<size_t> dim = runningDim(w, shapeOf(p, root, 0));
  bool sum = body == "stablehlo.add" && init == 0, product = body == "stablehlo.multiply" && init == 1;
  if (!dim || (!sum && !product)) return false;
  return finish(p, root, sum ? OpKind::TtirCumsum : OpKind::TtirCumprod, {p.in(root, 0)},
                {{"dim", intAttr(static_cast<int64_t>(*dim))}});
}

}  // namespace

bool reduceWindow(PatternRewriter& p, OpId root) {
  const Op& op = p.old(root);
  if (!tensors(p, root, 2) || op.results.size() != 1) return refuse(p, root, "windows over several operands");
  Windows w;
  const Shape in = shapeOf(p, root, 0), out = p.resultShape(root);
  if (!readWindows(p, root, in.size(), w)) return false;
  if (!windowsFit(w, in, out)) return refuse(p, root, "its window does not give the result's shape");
  if (!bodyIsOneOp(p.oldGraph(), op)) return refuse(p, root, "its body is more than one op");
  std::string body = bodyOf(p.oldGraph(), op);
  std::optional<double> init = p.splat(p.in(root, 1));
  if (!init) return refuse(p, root, "its initial value is known at run time only");
  if (running(p, root, w, body, *init)) return true;
  bool largest = body == "stablehlo.maximum" && *init < -1e30, sum = body == "stablehlo.add" && *init == 0;
  if (body == "stablehlo.maximum" && *init <= -2147483648.0) largest = true;
  if (!largest && !sum) return refuse(p, root, "the library pools by maximum from -inf and by sums from 0 only");
  if (in.size() == 5 && largest) {
    std::optional<ValueId> made = pool3d(p, root, p.in(root, 0), w, out);
    return made ? finishAs(p, root, *made) : refuse(p, root, "a window over more than three dims");
  }
  if (in.size() > 4 || in.size() < 2) return refuse(p, root, "the library pools tensors of rank 2 to 4");
  Shape wide = in, wideOut = out;
  ValueId x = p.in(root, 0);
  while (wide.size() < 4) {  // [1, h, w, 1] of rank 2; [n, 1, l, c] of rank 3 keeps its order
    bool front = wide.size() % 2 == 0;
    for (std::vector<int64_t>* list : {&w.size, &w.stride, &w.dilation})
      list->insert(front ? list->begin() : list->end(), 1);
    for (std::vector<int64_t>* list : {&w.low, &w.high}) list->insert(front ? list->begin() : list->end(), 0);
    wide.insert(front ? wide.begin() : wide.end(), 1);
    wideOut.insert(front ? wideOut.begin() : wideOut.end(), 1);
  }
  x = p.emitReshape(root, x, wide);
  std::optional<ValueId> made = pool(p, root, largest ? OpKind::TtirMaxPool2d : OpKind::TtirAvgPool2d, x, w, wideOut);
  if (!made) return refuse(p, root, "a window over more than two dims");
  if (sum) {
    double count = 1;
    for (int64_t size : w.size) count *= static_cast<double>(size);
    ValueType type = p.typeOf(*made);
    made = emit(p, root, OpKind::TtirMultiply, {*made, fill(p, root, type, count)}, type);
  }
  return finishAs(p, root, *made);
}

// Operands: what was pooled, the gradient of each window, the value to start from.
bool selectAndScatter(PatternRewriter& p, OpId root) {
  if (!tensors(p, root, 3)) return false;
  Windows w;
  const Shape in = shapeOf(p, root, 0), pooled = shapeOf(p, root, 1);
  if (in.size() != 4 || !readWindows(p, root, 4, w) || !windowsFit(w, in, pooled) || in != p.resultShape(root))
    return refuse(p, root, "the compiler takes windows over two of four dims");
  std::string select = bodyOf(p.oldGraph(), p.old(root)), combine = bodyOf(p.oldGraph(), p.old(root), "body1");
  if (select != "stablehlo.compare GE" && select != "stablehlo.compare GT")
    return refuse(p, root, "it selects by something else than the largest");
  if (!bodyIsOneOp(p.oldGraph(), p.old(root)) || !bodyIsOneOp(p.oldGraph(), p.old(root), "body1"))
    return refuse(p, root, "one of its bodies is more than one op");
  if (combine != "stablehlo.add") return refuse(p, root, "it combines by something else than a sum");
  std::optional<double> init = p.splat(p.in(root, 2));
  std::optional<Spatial> s = spatialDims(w);
  if (!init || !s)
    return refuse(p, root, "its start is known at run time only, or its window moves in more than two dims");
  std::vector<int64_t> order = orderToNhwc(*s);
  ValueId x = p.emitPermute(root, p.in(root, 0), order), gradient = p.emitPermute(root, p.in(root, 1), order);
  const Shape nhwc = p.shape(x), small = p.shape(gradient);
  OpSpec spec =
      makeOp(OpKind::TtirMaxPool2dWithIndices, {x}, {p.typeOf(gradient), p.typeWith(p.typeOf(gradient), DType::I32)});
  spec.attrs = poolAttrs(w, *s);
  ValueId places = p.op(p.def(p.emit(root, std::move(spec)))).results[1];
  Shape rows = {small[0], small[1] * small[2], 1, small[3]}, all = {nhwc[0], nhwc[1] * nhwc[2], 1, nhwc[3]};
  ValueId start = fill(p, root, p.typeWith(p.typeOf(x), all), *init);
  const ValueType type = p.typeOf(start);  // a copy: the reshapes below move the types
  ValueId made = emit(p, root, OpKind::TtirScatter,
                      {start, p.emitReshape(root, places, rows), p.emitReshape(root, gradient, rows)}, type,
                      {{"dim", intAttr(1, "i32")}, {"scatter_reduce_type", rawAttr("#ttcore.reduce_type<sum>")}});
  return finishAs(p, root, p.emitPermute(root, p.emitReshape(root, made, nhwc), undo(order)));
}

}  // namespace tessera::shlo
