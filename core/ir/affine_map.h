#pragma once
// Affine maps: "(d0, d1)[s0] -> (d0 * 32 + s0, d1 floordiv 2)". An expression is a list of nodes in which operands
// stand before their users, so every walk is a loop over the list; no recursion, and hostile nesting cannot exhaust the
// stack.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/tensor_layout.h"
#include "core/support/result.h"

namespace tessera {

enum class AffineKind : uint8_t { Constant, Dim, Symbol, Add, Mul, FloorDiv, CeilDiv, Mod };

struct AffineNode {
  AffineKind kind = AffineKind::Constant;
  int64_t value = 0;  // of a Constant, number of a Dim or Symbol
  int32_t lhs = -1;   // earlier nodes
  int32_t rhs = -1;
  friend bool operator==(const AffineNode&, const AffineNode&) = default;
};

// A result as sum of dims and symbols times constants.
struct LinearExpr {
  std::vector<int64_t> dims;     // one coefficient per dim
  std::vector<int64_t> symbols;  // one per symbol
  int64_t constant = 0;
  friend bool operator==(const LinearExpr&, const LinearExpr&) = default;
};

struct AffineMap {
  static constexpr size_t kMaxNodes = 4096;
  static constexpr size_t kMaxDims = 64;
  int32_t dimCount = 0;
  int32_t symbolCount = 0;
  std::vector<AffineNode> nodes;  // every node is used once: the expressions are trees
  std::vector<int32_t> results;   // nodes
  friend bool operator==(const AffineMap&, const AffineMap&) = default;
};

// Reads a whole text; `affine_map<...>` around it is allowed.
Result<AffineMap, LayoutDefect> parseAffineMap(std::string_view text);
// MLIR's spelling with dims d0.. and symbols s0..
std::string printAffineMap(const AffineMap& map);

// Nothing on overflow, division or modulo by a number below 1, or too few values. mod and both divisions round as MLIR
// does: floordiv down, ceildiv up, mod never negative.
std::optional<std::vector<int64_t>> evaluate(const AffineMap& map, const std::vector<int64_t>& dims,
                                             const std::vector<int64_t>& symbols = {});
// x -> outer(inner(x)); symbols of inner come first, then those of outer. Defects: RankMismatch, MapTooLarge.
Result<AffineMap, LayoutDefect> compose(const AffineMap& outer, const AffineMap& inner);

// Nothing when a result is not linear after constant folding (d0 * 32 floordiv 32 is linear, d0 floordiv 32 is not).
std::optional<std::vector<LinearExpr>> linearForm(const AffineMap& map);
AffineMap fromLinear(int32_t dimCount, int32_t symbolCount, const std::vector<LinearExpr>& results);
// The same function, as far as constant folding and linear sums show it.
bool sameMap(const AffineMap& a, const AffineMap& b);

// [begin, end) of dims; negative numbers count from the rank: {0, -1} is all dims but the last.
struct CollapseInterval {
  int64_t begin = 0;
  int64_t end = -1;
};
// Joins the dims of each interval into one result, row-major over `shape`; the others stay alone. tensor-layout.md,
// "Dimension Collapsing". Intervals must be given in increasing order and may not overlap (BadInterval).
Result<AffineMap, LayoutDefect> collapsedLinearMap(const std::vector<int64_t>& shape,
                                                   const std::vector<CollapseInterval>& intervals = {{0, -1}});
// The same with the stride of each dim given by the caller (shape's rank long; strides of uncollapsed dims are taken as
// they are).
Result<AffineMap, LayoutDefect> collapsedLinearMapWithStrides(const std::vector<int64_t>& strides,
                                                              const std::vector<CollapseInterval>& intervals = {
                                                                  {0, -1}});

}  // namespace tessera
