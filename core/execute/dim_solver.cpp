#include "core/execute/dim_solver.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/ops/shapes/shape_rules.h"
#include "core/support/stable_sort.h"
#include "core/support/units.h"

namespace tessera {

namespace {
constexpr int64_t kSmallest = 4;  // sizes up to this are kept when nothing speaks against it
constexpr int64_t kMostAttempts = 1000;
constexpr int64_t kMostTries = int64_t{1} << 22;  // values tried in all; real graphs need thousands
}  // namespace

int64_t DimSolver::Window::count(int64_t in) const {
  return windowCount(in, padLow, padding - padLow, kernel, stride, dilation, ceil).value_or(0);
}

DimVar DimSolver::add(int64_t size) {
  sizes_.push_back(size);
  least_.push_back(1);
  preferred_.push_back(0);
  parent_.push_back(static_cast<DimVar>(parent_.size()));
  return parent_.back();
}

DimVar DimSolver::find(DimVar var) const {
  while (parent_[static_cast<size_t>(var)] != var) {
    DimVar& up = parent_[static_cast<size_t>(var)];
    up = parent_[static_cast<size_t>(up)];
    var = up;
  }
  return var;
}

void DimSolver::equal(DimVar a, DimVar b) {
  a = find(a);
  b = find(b);
  if (a == b) return;
  if (b < a) std::swap(a, b);
  parent_[static_cast<size_t>(b)] = a;
  least_[static_cast<size_t>(a)] = std::max(least_[static_cast<size_t>(a)], least_[static_cast<size_t>(b)]);
  preferred_[static_cast<size_t>(a)] = std::max(preferred_[static_cast<size_t>(a)], preferred_[static_cast<size_t>(b)]);
}

void DimSolver::prefer(DimVar a, int64_t size) {
  int64_t& now = preferred_[static_cast<size_t>(find(a))];
  now = std::max(now, std::min(size, sizeOf(a)));
}

void DimSolver::atLeast(DimVar a, int64_t least) {
  int64_t& now = least_[static_cast<size_t>(find(a))];
  now = std::max(now, least);
}

void DimSolver::product(int64_t a, std::vector<DimVar> left, int64_t b, std::vector<DimVar> right) {
  relations_.push_back({Kind::Product, a, b, std::move(left), std::move(right), {}});
}

void DimSolver::sum(DimVar whole, std::vector<DimVar> parts, int64_t constant) {
  relations_.push_back({Kind::Sum, constant, 0, {whole}, std::move(parts), {}});
}

void DimSolver::window(DimVar in, DimVar out, const Window& w) {
  int64_t common = std::gcd(sizeOf(in), sizeOf(out));
  if (common > 0) {
    // Where the output is a fixed part of the input whatever its size, each follows from the other.
    int64_t p = sizeOf(in) / common, q = sizeOf(out) / common;
    bool linear = true;
    for (int64_t m = common > 8 ? 8 : common; m <= std::min<int64_t>(common, 64) && linear; ++m)
      linear = w.count(p * m) == q * m;
    if (linear) product(q, {in}, p, {out});
  }
  relations_.push_back({Kind::Window, 1, 1, {in}, {out}, w});
}

int64_t DimSolver::valueOf(DimVar var) const { return values_[static_cast<size_t>(find(var))]; }

bool DimSolver::assign(DimVar root, int64_t value) {
  auto at = static_cast<size_t>(root);
  if (values_[at] != 0) return values_[at] == value;
  if (value < least_[at] || value > std::max<int64_t>(sizes_[at], 1)) return false;
  values_[at] = value;
  trail_.push_back(root);
  return true;
}

bool DimSolver::propagateProduct(const Relation& r) {
  int64_t left = r.a, right = r.b;
  DimVar open = -1;
  bool openLeft = false;
  for (int side = 0; side < 2; ++side) {
    for (DimVar var : side == 0 ? r.left : r.right) {
      DimVar root = find(var);
      int64_t value = values_[static_cast<size_t>(root)];
      if (value == 0) {
        if (open >= 0) return true;  // more than one unknown, or a power of one
        open = root;
        openLeft = side == 0;
      } else if (!mulChecked(side == 0 ? left : right, value, side == 0 ? left : right)) {
        return false;
      }
    }
  }
  if (open < 0) return left == right;
  int64_t known = openLeft ? left : right, other = openLeft ? right : left;
  return known > 0 && other % known == 0 && assign(open, other / known);
}

bool DimSolver::propagateSum(const Relation& r) {
  DimVar whole = find(r.left[0]), open = -1;
  int64_t total = r.a, count = 0;
  for (DimVar var : r.right) {
    DimVar root = find(var);
    if (values_[static_cast<size_t>(root)] != 0) total += values_[static_cast<size_t>(root)];
    else if (open >= 0 && open != root) return true;
    else open = root, ++count;
  }
  int64_t wholeValue = values_[static_cast<size_t>(whole)];
  if (open < 0) return wholeValue != 0 ? wholeValue == total : assign(whole, total);
  if (wholeValue == 0) return true;
  return wholeValue > total && (wholeValue - total) % count == 0 && assign(open, (wholeValue - total) / count);
}

bool DimSolver::propagate(const Relation& r) {
  switch (r.kind) {
    case Kind::Product: return propagateProduct(r);
    case Kind::Sum: return propagateSum(r);
    case Kind::Window: {
      int64_t in = values_[static_cast<size_t>(find(r.left[0]))];
      if (in == 0) return true;
      int64_t out = r.window.count(in);
      return out > 0 && assign(find(r.right[0]), out);
    }
  }
  return false;
}

// Two factorings of one size into factors of the same sizes count as equal.
void DimSolver::joinAlike() {
  auto sizesOf = [&](const std::vector<DimVar>& vars) {
    std::vector<int64_t> sizes;
    for (DimVar var : vars) sizes.push_back(sizeOf(var));
    return sizes;
  };
  std::map<std::pair<DimVar, std::vector<int64_t>>, std::vector<DimVar>> first;
  for (const Relation& r : relations_) {
    bool oneSide = r.kind == Kind::Product && r.a == 1 && r.b == 1 && (r.left.size() == 1) != (r.right.size() == 1);
    if (!oneSide) continue;
    const std::vector<DimVar>& factors = r.left.size() == 1 ? r.right : r.left;
    DimVar whole = find(r.left.size() == 1 ? r.left[0] : r.right[0]);
    auto [at, isNew] = first.insert({{whole, sizesOf(factors)}, factors});
    for (size_t i = 0; !isNew && i < factors.size(); ++i) equal(at->second[i], factors[i]);
  }
}

void DimSolver::prepare() {
  joinAlike();
  values_.assign(sizes_.size(), 0);
  touching_.assign(sizes_.size(), {});
  for (size_t i = 0; i < relations_.size(); ++i) {
    for (const auto* side : {&relations_[i].left, &relations_[i].right}) {
      for (DimVar var : *side) {
        auto& list = touching_[static_cast<size_t>(find(var))];
        if (list.empty() || list.back() != i) list.push_back(i);
      }
    }
  }
}

// Looks at every relation of what was assigned since the last call.
bool DimSolver::settle() {
  while (propagated_ < trail_.size()) {
    DimVar root = trail_[propagated_++];
    for (size_t relation : touching_[static_cast<size_t>(root)]) {
      if (!propagate(relations_[relation])) return false;
    }
  }
  return true;
}

// The values to try for an unknown, in order; 0 behind the last. Neighbouring unknowns start differently, so that equal
// sizes do not hide a mistake.
int64_t DimSolver::candidate(DimVar root, int64_t number) const {
  auto at = static_cast<size_t>(root);
  int64_t size = sizes_[at];
  if (size <= kSmallest) {
    if (number == 0) return size;
    return number < size && number >= least_[at] ? number : number < size ? size : 0;
  }
  const int64_t smallest = std::max<int64_t>(2 + static_cast<int64_t>(at % 3), least_[at]);
  const int64_t first = std::max(smallest, preferred_[at]);
  const int64_t above = size - first + 1;  // candidates from there on; those below come after them
  if (number < above) return first + number;
  const int64_t below = smallest + (number - above);
  return below < first ? below : 0;
}

// Takes back every assignment after the first `length`.
void DimSolver::undo(size_t length) {
  while (trail_.size() > length) {
    values_[static_cast<size_t>(trail_.back())] = 0;
    trail_.pop_back();
  }
  propagated_ = trail_.size();
}

// Fills in `order` one after the other, each with the first value that contradicts nothing yet. -1 when all are filled,
// else the place of the first unknown for which no value was left.
int64_t DimSolver::fill(const std::vector<DimVar>& order) {
  struct Choice {
    size_t at;       // in `order`
    int64_t number;  // of the candidate tried
    size_t trail;    // length before
  };
  size_t next = 0;
  while (true) {
    while (next < order.size() && values_[static_cast<size_t>(order[next])] != 0) ++next;
    if (next == order.size()) return -1;
    Choice choice{next, 0, trail_.size()};
    for (;; ++choice.number) {
      int64_t value = candidate(order[choice.at], choice.number);
      if (value == 0 || ++tries_ > kMostTries) return static_cast<int64_t>(choice.at);
      if (assign(order[choice.at], value) && settle()) break;
      undo(choice.trail);
    }
  }
}

bool DimSolver::solve() {
  prepare();
  for (DimVar var : fixed_) {
    if (!assign(find(var), sizeOf(var))) return false;
  }
  std::vector<DimVar> order;
  for (DimVar var = 0; static_cast<size_t>(var) < sizes_.size(); ++var) {
    if (find(var) != var) continue;
    if (sizes_[static_cast<size_t>(var)] <= 1 && !assign(var, sizes_[static_cast<size_t>(var)])) return false;
    order.push_back(var);
  }
  for (const Relation& relation : relations_) {
    if (!propagate(relation)) return false;
  }
  if (!settle()) return false;
  // Small ones first: they are the factors and parts of the large ones. One for which nothing was left goes to the
  // front, where it can choose, and all begins anew.
  stableSort(order,
             [&](DimVar a, DimVar b) { return sizes_[static_cast<size_t>(a)] < sizes_[static_cast<size_t>(b)]; });
  size_t given = trail_.size();
  for (int64_t attempt = 0; attempt < kMostAttempts && tries_ <= kMostTries; ++attempt) {
    int64_t stuck = fill(order);
    if (stuck < 0) return true;
    undo(given);
    undo(given);
    std::rotate(order.begin(), order.begin() + stuck, order.begin() + stuck + 1);
  }
  return false;
}

}  // namespace tessera
