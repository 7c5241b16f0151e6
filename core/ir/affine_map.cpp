#include "core/ir/affine_map.h"

#include "core/support/check.h"

namespace tessera {
namespace {

// Quotient rounded down; divisor is positive.
int64_t floorDivide(int64_t a, int64_t b) {
  const int64_t q = a / b;
  return a % b < 0 ? q - 1 : q;
}

// Nothing on overflow or a divisor below 1.
std::optional<int64_t> apply(AffineKind kind, int64_t a, int64_t b) {
  int64_t value = 0;
  switch (kind) {
    case AffineKind::Add: return addChecked(a, b, value) ? std::optional(value) : std::nullopt;
    case AffineKind::Mul: return mulChecked(a, b, value) ? std::optional(value) : std::nullopt;
    case AffineKind::FloorDiv: return b < 1 ? std::nullopt : std::optional(floorDivide(a, b));
    case AffineKind::CeilDiv: return b < 1 ? std::nullopt : std::optional(a % b > 0 ? a / b + 1 : a / b);
    case AffineKind::Mod: return b < 1 ? std::nullopt : std::optional(a - floorDivide(a, b) * b);
    default: break;
  }
  TESSERA_CHECK(false, "apply() takes binary kinds only");
  return std::nullopt;
}

bool isConstant(const LinearExpr& e) {
  for (int64_t c : e.dims) {
    if (c != 0) return false;
  }
  for (int64_t c : e.symbols) {
    if (c != 0) return false;
  }
  return true;
}

std::optional<LinearExpr> addLinear(LinearExpr a, const LinearExpr& b) {
  for (size_t i = 0; i < a.dims.size(); ++i) {
    if (!addChecked(a.dims[i], b.dims[i], a.dims[i])) return std::nullopt;
  }
  for (size_t i = 0; i < a.symbols.size(); ++i) {
    if (!addChecked(a.symbols[i], b.symbols[i], a.symbols[i])) return std::nullopt;
  }
  if (!addChecked(a.constant, b.constant, a.constant)) return std::nullopt;
  return a;
}

std::optional<LinearExpr> scaleLinear(LinearExpr a, int64_t factor) {
  for (int64_t& c : a.dims) {
    if (!mulChecked(c, factor, c)) return std::nullopt;
  }
  for (int64_t& c : a.symbols) {
    if (!mulChecked(c, factor, c)) return std::nullopt;
  }
  if (!mulChecked(a.constant, factor, a.constant)) return std::nullopt;
  return a;
}

// (sum + constant) div/mod `by`, when every coefficient is a multiple of it: then only the constant is rounded.
std::optional<LinearExpr> divideLinear(AffineKind kind, LinearExpr a, int64_t by) {
  if (by < 1) return std::nullopt;
  for (int64_t& c : a.dims) {
    if (c % by != 0) return std::nullopt;
    c = kind == AffineKind::Mod ? 0 : c / by;
  }
  for (int64_t& c : a.symbols) {
    if (c % by != 0) return std::nullopt;
    c = kind == AffineKind::Mod ? 0 : c / by;
  }
  a.constant = *apply(kind, a.constant, by);
  return a;
}

std::optional<LinearExpr> linearNode(const AffineMap& map, const AffineNode& node,
                                     const std::vector<std::optional<LinearExpr>>& done) {
  LinearExpr expr;
  expr.dims.resize(static_cast<size_t>(map.dimCount));
  expr.symbols.resize(static_cast<size_t>(map.symbolCount));
  if (node.kind == AffineKind::Constant) expr.constant = node.value;
  if (node.kind == AffineKind::Dim) expr.dims[static_cast<size_t>(node.value)] = 1;
  if (node.kind == AffineKind::Symbol) expr.symbols[static_cast<size_t>(node.value)] = 1;
  if (node.lhs < 0) return expr;
  const std::optional<LinearExpr>& a = done[static_cast<size_t>(node.lhs)];
  const std::optional<LinearExpr>& b = done[static_cast<size_t>(node.rhs)];
  if (!a || !b) return std::nullopt;
  switch (node.kind) {
    case AffineKind::Add: return addLinear(*a, *b);
    case AffineKind::Mul:
      if (isConstant(*b)) return scaleLinear(*a, b->constant);
      if (isConstant(*a)) return scaleLinear(*b, a->constant);
      return std::nullopt;
    default: return isConstant(*b) ? divideLinear(node.kind, *a, b->constant) : std::nullopt;
  }
}

int32_t push(AffineMap& map, AffineNode node) {
  map.nodes.push_back(node);
  return static_cast<int32_t>(map.nodes.size() - 1);
}

// node * coefficient added to `sum` (-1: nothing yet); terms with coefficient 0 are left out.
int32_t addTerm(AffineMap& map, int32_t sum, AffineNode leaf, int64_t coefficient) {
  if (coefficient == 0) return sum;
  int32_t term = push(map, leaf);
  if (coefficient != 1) {
    const int32_t factor = push(map, {.kind = AffineKind::Constant, .value = coefficient});
    term = push(map, {.kind = AffineKind::Mul, .lhs = term, .rhs = factor});
  }
  return sum < 0 ? term : push(map, {.kind = AffineKind::Add, .lhs = sum, .rhs = term});
}

// Copies the tree under `root` of `from` to the end of `to`, nodes in order, with `leaf` deciding what becomes of a
// leaf. Nothing when `to` would grow beyond its limit.
template <class Leaf>
std::optional<int32_t> copyTree(const AffineMap& from, int32_t root, AffineMap& to, Leaf leaf) {
  // The tree's nodes, found from the root; operands have smaller numbers, so one downward sweep marks them all.
  std::vector<bool> used(from.nodes.size());
  used[static_cast<size_t>(root)] = true;
  for (int32_t i = root; i >= 0; --i) {
    const AffineNode& node = from.nodes[static_cast<size_t>(i)];
    if (!used[static_cast<size_t>(i)] || node.lhs < 0) continue;
    used[static_cast<size_t>(node.lhs)] = true;
    used[static_cast<size_t>(node.rhs)] = true;
  }
  std::vector<int32_t> moved(from.nodes.size(), -1);
  for (int32_t i = 0; i <= root; ++i) {
    if (!used[static_cast<size_t>(i)]) continue;
    if (to.nodes.size() >= AffineMap::kMaxNodes) return std::nullopt;
    AffineNode node = from.nodes[static_cast<size_t>(i)];
    if (node.lhs < 0) {
      const std::optional<int32_t> copied = leaf(node);
      if (!copied) return std::nullopt;
      moved[static_cast<size_t>(i)] = *copied;
      continue;
    }
    node.lhs = moved[static_cast<size_t>(node.lhs)];
    node.rhs = moved[static_cast<size_t>(node.rhs)];
    moved[static_cast<size_t>(i)] = push(to, node);
  }
  return moved[static_cast<size_t>(root)];
}

}  // namespace

std::optional<std::vector<int64_t>> evaluate(const AffineMap& map, const std::vector<int64_t>& dims,
                                             const std::vector<int64_t>& symbols) {
  if (dims.size() != static_cast<size_t>(map.dimCount) || symbols.size() != static_cast<size_t>(map.symbolCount))
    return std::nullopt;
  std::vector<int64_t> values(map.nodes.size());
  for (size_t i = 0; i < map.nodes.size(); ++i) {
    const AffineNode& node = map.nodes[i];
    switch (node.kind) {
      case AffineKind::Constant: values[i] = node.value; break;
      case AffineKind::Dim: values[i] = dims[static_cast<size_t>(node.value)]; break;
      case AffineKind::Symbol: values[i] = symbols[static_cast<size_t>(node.value)]; break;
      default: {
        const std::optional<int64_t> value =
            apply(node.kind, values[static_cast<size_t>(node.lhs)], values[static_cast<size_t>(node.rhs)]);
        if (!value) return std::nullopt;
        values[i] = *value;
      }
    }
  }
  std::vector<int64_t> results;
  for (int32_t root : map.results) results.push_back(values[static_cast<size_t>(root)]);
  return results;
}

Result<AffineMap, LayoutDefect> compose(const AffineMap& outer, const AffineMap& inner) {
  if (static_cast<size_t>(outer.dimCount) != inner.results.size()) {
    return defect(LayoutRule::RankMismatch, "a map of " + std::to_string(outer.dimCount) +
                                                " dims cannot follow one with " + std::to_string(inner.results.size()) +
                                                " results");
  }
  const auto tooLarge = [] {
    return defect(LayoutRule::MapTooLarge,
                  "the composed map has more than " + std::to_string(AffineMap::kMaxNodes) + " terms");
  };
  AffineMap result;
  result.dimCount = inner.dimCount;
  result.symbolCount = inner.symbolCount + outer.symbolCount;
  for (int32_t root : outer.results) {
    const auto substitute = [&](AffineNode leaf) -> std::optional<int32_t> {
      if (leaf.kind == AffineKind::Dim) {
        return copyTree(inner, inner.results[static_cast<size_t>(leaf.value)], result,
                        [&](AffineNode node) { return std::optional(push(result, node)); });
      }
      if (leaf.kind == AffineKind::Symbol) leaf.value += inner.symbolCount;
      return push(result, leaf);
    };
    const std::optional<int32_t> copied = copyTree(outer, root, result, substitute);
    if (!copied) return tooLarge();
    result.results.push_back(*copied);
  }
  return result;
}

std::optional<std::vector<LinearExpr>> linearForm(const AffineMap& map) {
  std::vector<std::optional<LinearExpr>> done;
  done.reserve(map.nodes.size());
  for (const AffineNode& node : map.nodes) done.push_back(linearNode(map, node, done));
  std::vector<LinearExpr> results;
  for (int32_t root : map.results) {
    if (!done[static_cast<size_t>(root)]) return std::nullopt;
    results.push_back(*done[static_cast<size_t>(root)]);
  }
  return results;
}

AffineMap fromLinear(int32_t dimCount, int32_t symbolCount, const std::vector<LinearExpr>& results) {
  AffineMap map;
  map.dimCount = dimCount;
  map.symbolCount = symbolCount;
  for (const LinearExpr& expr : results) {
    int32_t sum = -1;
    for (size_t i = 0; i < expr.dims.size(); ++i)
      sum = addTerm(map, sum, {.kind = AffineKind::Dim, .value = static_cast<int64_t>(i)}, expr.dims[i]);
    for (size_t i = 0; i < expr.symbols.size(); ++i)
      sum = addTerm(map, sum, {.kind = AffineKind::Symbol, .value = static_cast<int64_t>(i)}, expr.symbols[i]);
    if (sum < 0 || expr.constant != 0) {
      const int32_t constant = push(map, {.kind = AffineKind::Constant, .value = expr.constant});
      sum = sum < 0 ? constant : push(map, {.kind = AffineKind::Add, .lhs = sum, .rhs = constant});
    }
    map.results.push_back(sum);
  }
  return map;
}

bool sameMap(const AffineMap& a, const AffineMap& b) {
  if (a.dimCount != b.dimCount || a.symbolCount != b.symbolCount || a.results.size() != b.results.size()) return false;
  const std::optional<std::vector<LinearExpr>> linearA = linearForm(a);
  const std::optional<std::vector<LinearExpr>> linearB = linearForm(b);
  if (linearA && linearB) return *linearA == *linearB;
  return printAffineMap(a) == printAffineMap(b);
}

namespace {

// The intervals with non-negative ends, or a defect.
Result<std::vector<CollapseInterval>, LayoutDefect> normalised(const std::vector<CollapseInterval>& intervals,
                                                               int64_t rank) {
  std::vector<CollapseInterval> result;
  int64_t free = 0;
  for (const CollapseInterval& given : intervals) {
    // No overflow: a value below -rank stays negative, and is refused.
    const int64_t begin = given.begin < 0 && given.begin >= -rank ? given.begin + rank : given.begin;
    const int64_t end = given.end < 0 && given.end >= -rank ? given.end + rank : given.end;
    const std::string text =
        "collapse interval (" + std::to_string(given.begin) + ", " + std::to_string(given.end) + ")";
    if (begin < 0 || end < 0 || begin > rank || end > rank)
      return defect(LayoutRule::BadInterval, text + " leaves rank " + std::to_string(rank));
    // A default (0, -1) of a vector or scalar is empty and collapses nothing.
    if (begin > end) return defect(LayoutRule::BadInterval, text + " ends before it begins");
    if (begin < free) return defect(LayoutRule::BadInterval, text + " overlaps the one before it");
    free = end;
    if (end > begin) result.push_back({begin, end});
  }
  return result;
}

}  // namespace

Result<AffineMap, LayoutDefect> collapsedLinearMapWithStrides(const std::vector<int64_t>& strides,
                                                              const std::vector<CollapseInterval>& intervals) {
  const int64_t rank = static_cast<int64_t>(strides.size());
  if (strides.size() > AffineMap::kMaxDims)
    return defect(LayoutRule::MapTooLarge,
                  "rank " + std::to_string(rank) + " is above " + std::to_string(AffineMap::kMaxDims));
  if (rank == 0) return AffineMap{};
  Result<std::vector<CollapseInterval>, LayoutDefect> clean = normalised(intervals, rank);
  if (!clean) return clean.error();
  std::vector<LinearExpr> results;
  size_t next = 0;
  for (int64_t dim = 0; dim < rank;) {
    LinearExpr expr;
    expr.dims.resize(strides.size());
    int64_t end = dim + 1;
    if (next < clean->size() && (*clean)[next].begin == dim) end = (*clean)[next++].end;
    for (; dim < end; ++dim) expr.dims[static_cast<size_t>(dim)] = strides[static_cast<size_t>(dim)];
    results.push_back(std::move(expr));
  }
  return fromLinear(static_cast<int32_t>(rank), 0, results);
}

Result<AffineMap, LayoutDefect> collapsedLinearMap(const std::vector<int64_t>& shape,
                                                   const std::vector<CollapseInterval>& intervals) {
  const int64_t rank = static_cast<int64_t>(shape.size());
  if (rank == 0) return AffineMap{};
  Result<std::vector<CollapseInterval>, LayoutDefect> clean = normalised(intervals, rank);
  if (!clean) return clean.error();
  std::vector<int64_t> strides(shape.size(), 1);
  for (const CollapseInterval& interval : *clean) {
    for (int64_t dim = interval.end - 2; dim >= interval.begin; --dim) {
      const size_t at = static_cast<size_t>(dim);
      if (shape[at + 1] < 0)
        return defect(LayoutRule::NegativeDim, "dim " + std::to_string(shape[at + 1]) + " is negative");
      if (!mulChecked(strides[at + 1], shape[at + 1], strides[at]))
        return defect(LayoutRule::SizeOverflow, "the strides do not fit 63 bits");
    }
  }
  return collapsedLinearMapWithStrides(strides, intervals);
}

}  // namespace tessera
