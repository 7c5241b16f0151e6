#pragma once
// What the pass generation went through: candidates, beams, forks, spill events. Data, filled in while the policy decides; report/ writes it.

#include "core/import/decision_trace.h"

namespace tessera {

struct PropagationTrace {
  // Complete but for `forwardPass[].evaluations` and `inputCandidateSets`, which are kept only when the options ask for them.
  DecisionTrace decisions;
  int64_t evaluations = 0;         // op model queries of the forward pass
  int32_t combinationsCut = 0;     // ops at which combinations of operand layouts were left out
  int32_t evictions = 0;
  int32_t demotions = 0;
  int32_t rewinds = 0;             // times the sweep went back
  int64_t lateSpillGain = 0;       // nanoseconds saved by letting victims stay until the room was needed
  bool spillSearchUsed = false;    // dynamic programming chose what stays
  bool spillSearchPruned = false;  // ... and had to leave states out: its choice may not be the best
  int64_t spillSearchCost = 0;     // nanoseconds of the spills it chose
};

}  // namespace tessera
