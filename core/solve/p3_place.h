#pragma once
// P3: give buffers with fixed lifetimes addresses, so that buffers that live at the same time do not overlap.
//
//   P3Problem problem{.buffers = {{.begin = 0, .end = 4, .size = 64}, ...}, .capacity = 1 << 20};
//   P3Result result = placeBuffers(problem, {});
//   result.offsets, result.height (addresses used), result.lowerBound (greatest sum of live sizes), result.proven
//
// Parts of time that no buffer connects are placed one by one. For each a portfolio of orders with first and best fit, then local
// search over the order, then a search of its own for a placement within the goal: the capacity, or with `capacity` 0 the load bound.
// Height = load bound proves itself.

#include <optional>
#include <string>
#include <vector>

#include "core/solve/cost.h"
#include "core/support/diagnostics.h"

namespace tessera {

struct P3Buffer {
  int64_t begin = 0, end = 0;  // half-open
  int64_t size = 0;            // addresses; not negative
};

struct P3Problem {
  std::vector<P3Buffer> buffers;
  int64_t capacity = 0;
};

struct P3Options {
  WorkBudget budget;
  int64_t localWork = 4'000'000;  // steps of the local search
  uint64_t seed = 1;
  // Switches for tests: what can be found must not change.
  bool useLocalSearch = true;
  bool useSearch = true;
  bool useSectionBounds = true;
  bool usePostponed = true;
};

struct P3Result {
  bool fits = false;           // height <= capacity (or the load bound, without a capacity)
  bool proven = false;         // height == lowerBound, or it is proven that nothing fits
  std::vector<int64_t> offsets;
  int64_t height = 0;
  int64_t lowerBound = 0;
  std::string_view method;     // which part found it: "portfolio", "local search", "search"
  int64_t nodes = 0;           // of the search
};

P3Result placeBuffers(const P3Problem& problem, P3Options options);

// For each buffer those that live with it, in no particular order; none for a buffer that never lives or has no size.
std::vector<std::vector<int>> liveTogether(const P3Problem& problem);

// The greatest sum of the sizes that are live together.
int64_t loadBound(const P3Problem& problem);

// 0 .. or -1 when two buffers that live together overlap or one lies below 0.
int64_t heightOf(const P3Problem& problem, const std::vector<int64_t>& offsets);

// "id,lower,upper,size" (or with begin/start and end): one buffer per line, half-open lifetimes.
std::optional<P3Problem> readMinimalloc(const SourceBuffer& source, int64_t capacity, Diagnostics& diagnostics);

}  // namespace tessera
