#include "core/ir/linear_inverse.h"

#include "core/support/stable_sort.h"

namespace tessera {
namespace {

// The dims of `expr` that are not known yet, by falling stride; nothing when they are no mixed-radix digits.
std::optional<std::vector<LinearInverse::Digit>> digitsOf(const Shape& shape, const LinearExpr& expr,
                                                          const std::vector<bool>& known) {
  std::vector<LinearInverse::Digit> digits;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if (!known[dim] && shape[dim] > 1 && expr.dims[dim] != 0) digits.push_back({dim, expr.dims[dim]});
  }
  stableSort(digits, [](const auto& a, const auto& b) { return a.stride > b.stride; });
  int64_t reach = 0;  // of the faster dims together
  for (size_t i = digits.size(); i-- > 0;) {
    if (digits[i].stride <= reach) return std::nullopt;
    int64_t own = 0;
    if (!mulChecked(digits[i].stride, shape[digits[i].dim] - 1, own) || !addChecked(reach, own, reach))
      return std::nullopt;
  }
  return digits;
}

}  // namespace

Result<LinearInverse, LayoutDefect> invertLinear(const Shape& shape, const std::vector<LinearExpr>& exprs) {
  LinearInverse inverse;
  inverse.shape = shape;
  inverse.exprs = exprs;
  std::vector<bool> known(shape.size());
  std::vector<int> uses(shape.size());
  for (const LinearExpr& expr : exprs) {
    for (size_t dim = 0; dim < shape.size(); ++dim) uses[dim] += shape[dim] > 1 && expr.dims[dim] != 0;
  }
  for (int count : uses) inverse.separable = inverse.separable && count <= 1;
  std::vector<bool> done(exprs.size());
  for (bool progress = true; progress;) {
    progress = false;
    for (size_t r = 0; r < exprs.size(); ++r) {
      if (done[r]) continue;
      std::optional<std::vector<LinearInverse::Digit>> digits = digitsOf(shape, exprs[r], known);
      if (!digits) continue;
      done[r] = progress = true;
      for (const LinearInverse::Digit& digit : *digits) known[digit.dim] = true;
      inverse.steps.push_back({r, std::move(*digits)});
    }
  }
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if (shape[dim] > 1 && !known[dim]) {
      return LayoutDefect{LayoutRule::MapOverlaps, "two elements of tensor " + shapeText(shape) + " share a place: d" +
                                                       std::to_string(dim) + " cannot be told from the physical index"};
    }
  }
  return inverse;
}

std::optional<std::vector<int64_t>> LinearInverse::solve(const std::vector<int64_t>& physical) const {
  std::vector<int64_t> index(shape.size(), 0);
  for (const Step& step : steps) {
    const LinearExpr& expr = exprs[step.result];
    int64_t rest = physical[step.result] - expr.constant;
    // Dims this step does not determine are known already, or 0 because their size is 1; its own are still 0 here.
    for (size_t dim = 0; dim < index.size(); ++dim) rest -= expr.dims[dim] * index[dim];
    for (const Digit& digit : step.digits) {
      if (rest < 0) return std::nullopt;
      const int64_t value = rest / digit.stride;
      if (value >= shape[digit.dim]) return std::nullopt;
      index[digit.dim] = value;
      rest -= value * digit.stride;
    }
    if (rest != 0) return std::nullopt;
  }
  return index;
}

int64_t LinearInverse::occupiedBelow(size_t result, int64_t end) const {
  for (const Step& step : steps) {
    if (step.result != result) continue;
    int64_t rest = end - exprs[result].constant;
    if (rest <= 0) return 0;
    int64_t combinations = 1;  // of the digits not looked at yet
    for (const Digit& digit : step.digits) combinations *= shape[digit.dim];
    int64_t count = 0;
    for (const Digit& digit : step.digits) {
      combinations /= shape[digit.dim];
      const int64_t value = rest / digit.stride;
      if (value >= shape[digit.dim]) return count + shape[digit.dim] * combinations;
      count += value * combinations;
      rest -= value * digit.stride;
    }
    return count + (rest > 0 ? 1 : 0);
  }
  return 0;
}

}  // namespace tessera
