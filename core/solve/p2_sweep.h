#pragma once
// The exact part of P2: a sweep over the steps that can overflow, with a set of states of what is kept across them.

#include <cstdint>
#include <vector>

#include "core/solve/p2_spill.h"

namespace tessera {

// What is left to decide: segments over constraints (steps), both in the order of time.
struct P2Core {
  struct Segment {
    int value = 0, index = 0;   // in the problem
    int64_t size = 0;
    Cost reload = 0;
    int store = -1;             // of stores; -1: storing costs nothing more
    size_t first = 0, last = 0; // constraints it crosses, half-open
  };
  std::vector<Segment> segments;     // sorted by `first`, larger ones first
  std::vector<int64_t> capacity;     // per constraint
  std::vector<int> steps;            // per constraint: the step of the problem
  std::vector<Cost> stores;          // cost of storing, paid at the first drop of a segment with this store
};

// Prices per constraint for bounds. What must be dropped at a constraint ("excess") is covered by min(size, excess) of each dropped
// segment: the cover cut, far tighter than sizes alone where one large tensor has to go.
struct P2Prices {
  int shift = 0;                     // costs are multiplied by 2^shift to carry the prices
  std::vector<int64_t> excess;       // per constraint
  std::vector<Cost> price;           // per constraint and unit of cover
  std::vector<Cost> cover;           // per segment: what dropping it earns at these prices
  Cost bound = 0;                    // scaled
};
P2Prices priceCore(const P2Core& core);

struct P2SweepResult {
  bool feasible = false;             // always, unless decisions were forced or everything lost to the best known cost
  Cost cost = kForbidden;
  std::vector<char> keep;            // per segment
  Cost lost = kForbidden;            // least bound of a state that was thrown away for lack of room; kForbidden: none was
  int64_t states = 0;
};

// `forced` per segment: 0 drop, 1 keep, -1 free. Finds something better than `upper` if the states suffice.
P2SweepResult sweepCore(const P2Core& core, const P2Prices& prices, const std::vector<signed char>& forced, Cost upper, size_t stateLimit,
                        P2Options& options);

}  // namespace tessera
