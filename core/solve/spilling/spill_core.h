#pragma once
// What is left of a spilling problem after reduction, and Lagrangian prices that bound it from below.

#include <cstdint>
#include <vector>

#include "core/solve/cost.h"

namespace tessera {

// What is left to decide: segments over constraints (steps), both in the order of time.
struct SpillCore {
  struct Segment {
    int value = 0, index = 0;  // in the problem
    int64_t size = 0;
    Cost reload = 0;
    int store = -1;              // of stores; -1: storing costs nothing more
    size_t first = 0, last = 0;  // constraints it crosses, half-open
  };
  std::vector<Segment> segments;  // sorted by `first`, larger ones first
  std::vector<int64_t> capacity;  // per constraint
  std::vector<int> steps;         // per constraint: the step of the problem
  std::vector<Cost> stores;       // cost of storing, paid at the first drop of a segment with this store
};

// Prices per constraint for bounds. What must be dropped at a constraint ("excess") is covered by min(size, excess) of
// each dropped segment: the cover cut, far tighter than sizes alone where one large tensor has to go.
struct CoverPrices {
  int shift = 0;                // costs are multiplied by 2^shift to carry the prices
  std::vector<int64_t> excess;  // per constraint
  std::vector<Cost> price;      // per constraint and unit of cover
  std::vector<Cost> cover;      // per segment: what dropping it earns at these prices
  Cost bound = 0;               // scaled
};
CoverPrices priceCore(const SpillCore& core);

}  // namespace tessera
