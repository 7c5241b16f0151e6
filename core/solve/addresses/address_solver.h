#pragma once
// Address assignment: give buffers with fixed lifetimes addresses, so that buffers that live at the same time do not
// overlap.
//
//   AddressProblem problem{.buffers = {{.begin = 0, .end = 4, .size = 64}, ...}, .capacity = 1 << 20};
//   AddressResult result = assignAddresses(problem, {});
//   result.offsets, result.height (addresses used), result.lowerBound (greatest sum of live sizes), result.proven
//
// Independent components (spans of time that no buffer crosses) are solved one by one: a portfolio of orders with first
// and best fit, then local search over the order, then depth-first search (address_search.h) for a placement within the
// goal: the capacity, or with `capacity` 0 the load bound. A height equal to the load bound is optimal.

#include <string_view>
#include <vector>

#include "core/solve/cost.h"

namespace tessera {

struct AddressBuffer {
  int64_t begin = 0, end = 0;  // half-open
  int64_t size = 0;            // addresses; not negative
};

struct AddressProblem {
  std::vector<AddressBuffer> buffers;
  int64_t capacity = 0;
};

struct AddressOptions {
  WorkBudget budget;
  int64_t localWork = 4'000'000;  // steps of the local search
  uint64_t seed = 1;
  // Switches for tests: the answer must not change.
  bool useLocalSearch = true;
  bool useSearch = true;
  bool useSectionBounds = true;
  bool usePostponed = true;
};

struct AddressResult {
  bool fits = false;    // height <= capacity (or the load bound, without a capacity)
  bool proven = false;  // height == lowerBound, or it is proven that nothing fits
  std::vector<int64_t> offsets;
  int64_t height = 0;
  int64_t lowerBound = 0;
  std::string_view method;  // which part found it: "portfolio", "local search", "search"
  int64_t nodes = 0;        // of the search
};

AddressResult assignAddresses(const AddressProblem& problem, AddressOptions options);

// For each buffer those that live with it, in no particular order; none for a buffer that never lives or has no size.
std::vector<std::vector<int>> liveTogether(const AddressProblem& problem);

// The greatest sum of the sizes that are live together.
int64_t loadBound(const AddressProblem& problem);

// 0 .. or -1 when two buffers that live together overlap or one lies below 0.
int64_t heightOf(const AddressProblem& problem, const std::vector<int64_t>& offsets);

}  // namespace tessera
