#pragma once
// Spilling: which values stay in fast memory and which are stored and reloaded, when a step's capacity cannot hold all
// that are live.
//
//   SpillProblem problem{.steps = 6, .capacity = {...one per step...},
//                        .values = {{.size = 64, .def = 0, .uses = {2, 5}, .storeCost = 10, .reloadCosts = {7, 7}}}};
//   SpillResult best = solveSpill(problem, {});   // spill_solver.h
//   best.keep[v][i]   // is value v kept between event i and event i + 1 (events: its definition, then its uses)?
//
// A segment is the part of a live range between two consecutive events. Kept, it occupies `size` on every step strictly
// inside; dropped, it costs the reload of the use at its end, and the value's store once, whatever the number of its
// dropped segments. What an op holds while it runs (operands, result, buffers) is not counted: the caller takes it off
// the step's capacity. Dropping everything is always possible, so there is always a solution (a capacity below 0 counts
// as 0).

#include <string>
#include <vector>

#include "core/solve/cost.h"

namespace tessera {

struct SpillValue {
  int64_t size = 0;               // not negative
  int def = 0;                    // step
  std::vector<int> uses;          // steps, ascending, after def
  Cost storeCost = 0;             // costs are not negative
  std::vector<Cost> reloadCosts;  // one per use
};

struct SpillProblem {
  int steps = 0;
  std::vector<int64_t> capacity;  // per step
  std::vector<SpillValue> values;
};

// keep[value][segment], one segment per use.
using KeptSegments = std::vector<std::vector<char>>;

// The steps strictly inside segment `index`, half-open.
struct SegmentSteps {
  int from = 0, to = 0;
};
SegmentSteps segmentSteps(const SpillValue& value, size_t index);

// Fails a check when the problem breaks a rule of the comments above.
void checkProblem(const SpillProblem& problem);

// Per step, not negative.
std::vector<int64_t> capacities(const SpillProblem& problem);

// The segment alone exceeds the capacity of no step.
bool fitsAlone(const SpillValue& value, size_t index, const std::vector<int64_t>& capacity);

KeptSegments keepAll(const SpillProblem& problem);

// Bytes of the kept segments, per step.
std::vector<int64_t> loads(const SpillProblem& problem, const KeptSegments& keep);

// Heuristics: each evicts at the first overloaded step until it fits.
enum class SpillRule { FarthestLastUse, FarthestNextUse, CostAware };
KeptSegments spillByRule(const SpillProblem& problem, SpillRule rule);

// Cost of a decision; kForbidden when a step overflows.
Cost evaluateSpill(const SpillProblem& problem, const KeptSegments& keep);

}  // namespace tessera
