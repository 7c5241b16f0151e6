#pragma once
// What spilling costs for given layouts, by each rule that decides it, and the least it can cost
// (core/solve/spilling/spill_solver.h).

#include <cstdint>
#include <string_view>

#include "core/solve/spilling/spill_solver.h"

namespace tessera {

// Nanoseconds. The model: a value leaves L1 between two of its readers or stays; leaving is paid once, coming back for
// every reader that finds it in DRAM, less the conversion that this reader needs anyway; what a step needs for itself
// is there whatever is decided.
struct SpillTrace {
  std::string_view strategy;  // that decided
  int64_t cost = 0;           // of its decision
  int64_t carriedOut = 0;     // what became of it: holes and circular buffers may drive out more
  int64_t lowerBound = 0;     // no decision costs less
  bool proven = false;        // the certified one reaches the bound
  int64_t farthestLastUse = 0, farthestNextUse = 0, costAware = 0, certified = 0;
  int64_t values = 0;  // that are to lie in L1
  int64_t contested =
      0;  // decisions of the problem: gaps between two readers, without those that never fit or never matter
};

// The problem of the trace and its certified solution, for spillCertificate(); kept only when it is asked for.
struct SpillProof {
  SpillProblem problem;
  SpillResult result;
};

}  // namespace tessera
