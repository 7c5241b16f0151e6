#include "core/lowering/prepare/view_map.h"

#include <algorithm>

#include "core/lowering/prepare/views.h"
#include "core/support/units.h"

namespace tessera {

AttrValue intListAttr(const std::vector<int64_t>& values, std::string_view type) {
  AttrValue attr = intArrayAttr(values, type);
  attr.text = "[";
  for (size_t i = 0; i < values.size(); ++i)
    attr.text += (i > 0 ? ", " : "") + std::to_string(values[i]) + " : " + std::string(type);
  attr.text += "]";
  return attr;
}

void setAttribute(AttrList& attrs, std::string_view name, AttrValue value) {
  for (Attribute& attr : attrs) {
    if (attr.name == name) {
      attr.value = std::move(value);
      return;
    }
  }
  attrs.push_back({std::string(name), std::move(value)});
}

ViewMap ViewMap::inverse() const {
  ViewMap out{to, from, {}, groups};
  if (isPermute()) out.order = inverseOf(order);
  for (Group& group : out.groups) std::swap(group.a, group.b);
  return out;
}

std::optional<size_t> ViewMap::alone(size_t dim) const {
  for (const Group& group : groups) {
    if (group.a.size() == 1 && group.b.size() == 1 && group.a[0] == dim) return group.b[0];
  }
  return {};
}

ViewMap permuteMap(const Shape& from, const std::vector<int64_t>& order) {
  ViewMap map{from, {}, order, {}};
  for (size_t i = 0; i < order.size(); ++i) {
    map.to.push_back(from[static_cast<size_t>(order[i])]);
    map.groups.push_back({{static_cast<size_t>(order[i])}, {i}});
  }
  return map;
}

std::optional<ViewMap> reshapeMap(const Shape& from, const Shape& to) {
  ViewMap map{from, to, {}, {}};
  size_t i = 0, j = 0;
  auto next = [](const Shape& shape, size_t& at, std::vector<size_t>& dims, int64_t& product) {
    while (at < shape.size() && shape[at] == 1) ++at;
    if (at == shape.size() || shape[at] < 1) return false;
    product = mulSaturated(product, shape[at]);
    dims.push_back(at++);
    return true;
  };
  while (true) {
    ViewMap::Group group;
    int64_t a = 1, b = 1;
    bool hasA = next(from, i, group.a, a), hasB = next(to, j, group.b, b);
    if (!hasA && !hasB) break;
    if (!hasA || !hasB) return {};
    while (a != b) {
      if (a < b ? !next(from, i, group.a, a) : !next(to, j, group.b, b)) return {};
    }
    map.groups.push_back(std::move(group));
  }
  bool sound = i == from.size() && j == to.size();
  return sound ? std::optional(std::move(map)) : std::nullopt;
}

std::optional<ViewMap> mapOf(const PatternRewriter& p, OpId view) {
  if (!view.valid()) return {};
  const Op& op = p.op(view);
  bool permute = op.kind == OpKind::TtirPermute;
  if ((!permute && op.kind != OpKind::TtirReshape) || !p.isTensor(op.operands[0])) return {};
  const Shape& from = p.shape(op.operands[0]);
  return permute ? permuteMap(from, permutationOf(op)) : reshapeMap(from, p.shape(op.results[0]));
}

bool sameViewMap(const ViewMap& a, const ViewMap& b) { return a.from == b.from && a.to == b.to && a.order == b.order; }

std::optional<Shape> shapeAcross(const Shape& shape, const ViewMap& map) {
  if (shape.size() > map.from.size()) return {};
  Shape full(map.from.size() - shape.size(), 1);
  full.insert(full.end(), shape.begin(), shape.end());
  Shape out(map.to.size(), 1);
  for (const ViewMap::Group& group : map.groups) {
    bool whole = std::all_of(group.a.begin(), group.a.end(), [&](size_t d) { return full[d] == map.from[d]; });
    bool ones = std::all_of(group.a.begin(), group.a.end(), [&](size_t d) { return full[d] == 1; });
    if (!whole && !ones) return {};
    for (size_t d : group.b) out[d] = whole ? map.to[d] : 1;
  }
  return out;
}

std::optional<ViewMap> mapFor(const Shape& from, const ViewMap& map) {
  if (from.size() != map.from.size()) return {};
  if (map.isPermute()) return permuteMap(from, map.order);
  Shape to = map.to;
  for (size_t d = 0; d < from.size(); ++d) {
    if (from[d] == map.from[d]) continue;
    std::optional<size_t> place = map.alone(d);
    if (!place) return {};
    to[*place] = from[d];
  }
  return reshapeMap(from, to);
}

ValueId emitView(PatternRewriter& p, OpId root, ValueId value, const ViewMap& map) {
  if (map.isPermute()) return p.emitPermute(root, value, map.order);
  return p.emitReshape(root, value, map.to);
}

ValueId valueAcross(PatternRewriter& p, OpId root, ValueId value, const ViewMap& map) {
  std::optional<Shape> shape = shapeAcross(p.shape(value), map);
  if (!shape) return {};
  if (!map.isPermute()) return p.emitReshape(root, value, *shape);
  Shape full(map.from.size() - p.shape(value).size(), 1);
  full.insert(full.end(), p.shape(value).begin(), p.shape(value).end());
  return p.emitPermute(root, p.emitReshape(root, value, full), map.order);
}

namespace {

size_t fromFront(int64_t dim, size_t rank) {
  return static_cast<size_t>(dim < 0 ? dim + static_cast<int64_t>(rank) : dim);
}

bool sameDims(const Shape& a, const Shape& b) { return a == b; }

// `dim` named by one attribute, which must be alone in its group.
std::optional<OpAcross> namedDimAcross(const Op& op, std::string_view name, int64_t fallback, size_t rank,
                                       const ViewMap& map) {
  std::optional<size_t> place = map.alone(fromFront(PatternRewriter::integer(op, name, fallback), rank));
  if (!place) return {};
  OpAcross out{op.attrs, map};
  setAttribute(out.attrs, name, intAttr(static_cast<int64_t>(*place), "si32"));
  return out;
}

// Of a reduction whose result has just the dims that its attributes say.
std::optional<OpAcross> reduceAcross(const Op& op, const Shape& in, const Shape& result, const ViewMap& map) {
  if (findAttr(op, "dim_arg") == nullptr && findAttr(op, "keep_dim") == nullptr) return {};
  std::vector<int64_t> dims = PatternRewriter::ints(op, "dim_arg");
  std::vector<bool> reduced(in.size(), dims.empty());
  for (int64_t d : dims) {
    if (fromFront(d, in.size()) >= in.size()) return {};
    reduced[fromFront(d, in.size())] = true;
  }
  bool keep = PatternRewriter::integer(op, "keep_dim", 0) != 0;
  std::vector<bool> now(map.to.size(), false), grouped(map.to.size(), false);
  for (const ViewMap::Group& group : map.groups) {
    bool all = std::all_of(group.a.begin(), group.a.end(), [&](size_t d) { return reduced[d]; });
    bool none = std::none_of(group.a.begin(), group.a.end(), [&](size_t d) { return reduced[d]; });
    // As the compiler: dims that the view merged are not reduced apart.
    if ((!all && !none) || (all && !dims.empty() && group.b.size() > 1)) return {};
    for (size_t d : group.b) now[d] = all;
    for (size_t d : group.b) grouped[d] = true;
  }
  // Dims of one are in no group of a reshape: each that is reduced is one of those on the other side.
  size_t ones = 0;
  for (size_t d = 0; d < in.size(); ++d) ones += in[d] == 1 && reduced[d] && !map.isPermute() ? 1 : 0;
  for (size_t d = 0; d < now.size(); ++d) {
    if (grouped[d]) continue;
    now[d] = dims.empty() || ones > 0;
    ones -= ones > 0 ? 1 : 0;
  }
  OpAcross out{op.attrs, {}};
  std::vector<int64_t> nowDims;
  Shape was, is;
  std::vector<int64_t> place(in.size(), -1), order;
  for (size_t d = 0; d < now.size(); ++d) {
    if (now[d]) nowDims.push_back(static_cast<int64_t>(d));
    if (!now[d] || keep) is.push_back(now[d] ? 1 : map.to[d]);
  }
  for (size_t d = 0; d < in.size(); ++d) {
    place[d] = static_cast<int64_t>(was.size());
    if (!reduced[d] || keep) was.push_back(reduced[d] ? 1 : in[d]);
  }
  if (nowDims.empty() || was != result) return {};
  setAttribute(out.attrs, "dim_arg", intListAttr(nowDims));
  if (map.isPermute()) {
    for (int64_t d : map.order) {
      if (keep || !reduced[static_cast<size_t>(d)]) order.push_back(place[static_cast<size_t>(d)]);
    }
    out.result = permuteMap(was, order);
    return out;
  }
  std::optional<ViewMap> behind = reshapeMap(was, is);
  if (!behind) return {};
  out.result = std::move(*behind);
  return out;
}

// Dims that the op changes keep their own place; `values` are attributes with a number for each dim (or two).
std::optional<OpAcross> perDimAcross(const Op& op, const Shape& in, const Shape& out, const ViewMap& map,
                                     std::initializer_list<std::string_view> names, bool numbersFollowSize) {
  OpAcross made{op.attrs, {}};
  std::vector<bool> touched(in.size(), false);
  for (std::string_view name : names) {
    std::vector<int64_t> old = PatternRewriter::ints(op, name);
    if (old.empty() || old.size() % in.size() != 0) return {};
    size_t each = old.size() / in.size();
    // What a dim that is left alone has: the first of a slice is 0, its end the size, its step 1, a padding 0.
    std::vector<int64_t> now;
    for (size_t d = 0; d < map.to.size(); ++d) {
      for (size_t k = 0; k < each; ++k)
        now.push_back(!numbersFollowSize || name == "begins" ? 0 : name == "ends" ? map.to[d] : 1);
    }
    for (size_t d = 0; d < in.size(); ++d) {
      bool plain = true;
      for (size_t k = 0; k < each; ++k) {
        int64_t number = old[d * each + k];
        plain = plain && number == (!numbersFollowSize || name == "begins" ? 0 : name == "ends" ? in[d] : 1);
      }
      if (plain) continue;
      std::optional<size_t> place = map.alone(d);
      if (!place) return {};
      touched[d] = true;
      for (size_t k = 0; k < each; ++k) now[*place * each + k] = old[d * each + k];
    }
    AttrValue attr = findAttr(op, name)->text.rfind("array", 0) == 0 ? intArrayAttr(now, "i32") : intListAttr(now);
    setAttribute(made.attrs, name, std::move(attr));
  }
  ViewMap back = map;
  std::optional<ViewMap> result = mapFor(out, back);
  if (!result) return {};
  made.result = std::move(*result);
  return made;
}

// `in` broadcasts to `out`; the view is one of `out`.
std::optional<OpAcross> broadcastAcross(const Op& op, const Shape& in, const ViewMap& map) {
  std::optional<Shape> small = shapeAcross(in, map);
  if (!small) return {};
  OpAcross made{op.attrs, map};
  std::vector<int64_t> factors;
  for (size_t d = 0; d < map.to.size(); ++d) factors.push_back((*small)[d] == map.to[d] ? 1 : map.to[d]);
  setAttribute(made.attrs, "broadcast_dimensions", intArrayAttr(factors));
  return made;
}

}  // namespace

std::optional<OpAcross> opAcross(const Op& op, const Shape& in, const Shape& out, const ViewMap& map) {
  switch (opInfo(op.kind).family) {
    case Family::EltwiseUnary:
    case Family::EltwiseBinary:
    case Family::EltwiseTernary:
    case Family::Typecast:
      if (op.kind == OpKind::TtirReverse || !sameDims(out, map.from)) return {};
      return OpAcross{op.attrs, map};
    default: break;
  }
  switch (op.kind) {
    case OpKind::TtirSum:
    case OpKind::TtirMean:
    case OpKind::TtirMax:
    case OpKind::TtirMin: return reduceAcross(op, in, out, map);
    case OpKind::TtirSoftmax: return namedDimAcross(op, "dimension", -1, in.size(), map);
    case OpKind::TtirRmsNorm:
    case OpKind::TtirLayerNorm: {
      bool last = PatternRewriter::ints(op, "normalized_shape").size() == 1 && !in.empty() && !map.to.empty() &&
                  map.alone(in.size() - 1) == map.to.size() - 1;
      return last ? std::optional(OpAcross{op.attrs, map}) : std::nullopt;
    }
    case OpKind::TtirConcat: {
      std::optional<OpAcross> made = namedDimAcross(op, "dim", 0, in.size(), map);
      std::optional<ViewMap> result = mapFor(out, map);
      if (!made || !result) return {};
      made->result = std::move(*result);
      return made;
    }
    case OpKind::TtirSliceStatic: return perDimAcross(op, in, out, map, {"begins", "ends", "step"}, true);
    case OpKind::TtirPad: return perDimAcross(op, in, out, map, {"padding"}, false);
    case OpKind::TtirBroadcast: return broadcastAcross(op, in, map);
    default: return {};
  }
}

}  // namespace tessera
