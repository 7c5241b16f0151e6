#pragma once
// Two graphs on the same random inputs.

#include "core/execute/interpreter.h"

namespace tessera::test {

inline ComparisonVerdict compareGraphs(const Graph& before, const Graph& after, uint64_t seed, double tolerance) {
  return GraphSeries(before, seed).next(after, tolerance);
}

}  // namespace tessera::test
