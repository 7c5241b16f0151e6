#pragma once
// From a place in the collapsed tensor back to the logical index.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ir/affine_map.h"
#include "core/ir/types.h"

namespace tessera {

// Solves  result_r = constant_r + sum of stride * dim  for the dims. Built by invertLinear().
struct LinearInverse {
  struct Digit {
    size_t dim = 0;
    int64_t stride = 1;
  };
  // Result `result` determines `digits`, largest stride first, once the dims of earlier steps are known.
  struct Step {
    size_t result = 0;
    std::vector<Digit> digits;
  };
  std::vector<int64_t> shape;
  std::vector<LinearExpr> exprs;
  std::vector<Step> steps;
  // No dim is in two results: every axis of the physical space is independent of the others.
  bool separable = true;

  // The logical index stored at `physical`; nothing when the place is padding.
  std::optional<std::vector<int64_t>> solve(const std::vector<int64_t>& physical) const;
  // Separable only: how many of the axis' places below `end` hold data.
  int64_t occupiedBelow(size_t result, int64_t end) const;
};

// MapOverlaps when the dims are not digits of a mixed-radix number in some order: each stride must exceed what all
// faster dims of the same result reach together. (Maps that are one-to-one for another reason are refused too; none
// occurs in practice.) Dims of size 1 never matter; every dim of `shape` must be at least 1 and every stride at least
// 0.
Result<LinearInverse, LayoutDefect> invertLinear(const Shape& shape, const std::vector<LinearExpr>& exprs);

}  // namespace tessera
