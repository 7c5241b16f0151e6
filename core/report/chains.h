#pragma once
// L1 chains of a run: ops linked by results that stay in L1 (ttnn-optimizer.md 3.2.1), and the lane to draw each one
// in.

#include <vector>

#include "core/sim/simulator.h"

namespace tessera {

struct L1Chain {
  std::vector<int32_t> steps;  // in order; the last one may write its result elsewhere
  int32_t lane = 0;            // chains that share a lane never overlap in time
};

struct L1Chains {
  std::vector<L1Chain> chains;       // by first step
  std::vector<int32_t> chainOfStep;  // -1: in none
};

// An op continues the chain whose last op made one of its L1 operands (the lowest such operand), otherwise it starts
// one if its own result is in L1.
L1Chains findChains(const Graph& graph, const std::vector<SimStep>& steps);

}  // namespace tessera
