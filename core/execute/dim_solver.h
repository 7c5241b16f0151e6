#pragma once
// Unknown sizes and what relates them; finds small values for all. Used to shrink graphs.

#include <cstdint>
#include <vector>

#include "core/support/id.h"

namespace tessera {

using DimVar = int32_t;

class DimSolver {
 public:
  // An unknown whose value in the original is `size`, which satisfies every relation.
  DimVar add(int64_t size);
  void equal(DimVar a, DimVar b);
  void fix(DimVar a) { atLeast(a, sizeOf(a)), fixed_.push_back(a); }
  void atLeast(DimVar a, int64_t least);
  // Tries sizes from this on first, where the original has as much.
  void prefer(DimVar a, int64_t size);
  // a * product of `left` = b * product of `right`
  void product(int64_t a, std::vector<DimVar> left, int64_t b, std::vector<DimVar> right);
  // `whole` = sum of `parts` + constant
  void sum(DimVar whole, std::vector<DimVar> parts, int64_t constant);
  // `out` windows of `kernel` elements over `in`, as convolutions and pools count them.
  struct Window {
    int64_t padding = 0, kernel = 1, stride = 1, dilation = 1;  // padding: both sides together
    bool ceil = false;                                          // the last window may hang over
    int64_t padLow = 0;                                         // of the padding; read where `ceil` is
    int64_t count(int64_t in) const;
  };
  void window(DimVar in, DimVar out, const Window& window);

  // False when nothing was found within a bounded search.
  bool solve();
  int64_t valueOf(DimVar var) const;  // after solve()
  int64_t sizeOf(DimVar var) const { return sizes_[static_cast<size_t>(var)]; }

 private:
  enum class Kind { Product, Sum, Window };
  struct Relation {
    Kind kind;
    int64_t a = 1, b = 1;
    std::vector<DimVar> left, right;  // Sum: whole, parts; Window: in, out
    Window window;
  };
  DimVar find(DimVar var) const;
  bool assign(DimVar root, int64_t value);
  bool propagate(const Relation& relation);
  bool propagateProduct(const Relation& relation);
  bool propagateSum(const Relation& relation);
  void joinAlike();
  void prepare();
  bool settle();
  void undo(size_t length);
  int64_t fill(const std::vector<DimVar>& order);
  int64_t candidate(DimVar root, int64_t number) const;

  std::vector<int64_t> sizes_;
  mutable std::vector<DimVar> parent_;
  std::vector<int64_t> least_;
  std::vector<int64_t> preferred_;  // 0: the smallest
  std::vector<DimVar> fixed_;
  std::vector<Relation> relations_;
  std::vector<std::vector<size_t>> touching_;  // relations of each root
  std::vector<int64_t> values_;                // 0: not assigned yet
  std::vector<DimVar> trail_;
  size_t propagated_ = 0;  // trail entries whose relations were propagated
  int64_t tries_ = 0;
};

}  // namespace tessera
