#pragma once
// What the pass generation went through: candidates, beams, forks, spill events. Data, filled in while the policy
// decides; report/ writes it.

#include "core/import/decision_trace.h"

namespace tessera {

// How an entry of a beam reads an operand: what the compiler's trace does not say.
struct TracedLink {
  int64_t operand = 0;
  int64_t producerOpIndex = 0;
  int32_t slot = 0;     // entry of the producer's beam
  std::string reshard;  // layout that the operand is converted to; "" when it is read where it is
};

struct TracedEntry {
  int64_t minCores = -1;  // of the narrowest op of the path; -1: no op of it has a result
  int64_t reshards = 0;   // of the path, more than on the best entry's, in 1/kReshardShare
  int64_t time = 0;       // nanoseconds of the path, more than the best entry's
  std::vector<TracedLink> links;
};

struct TracedBeam {
  int32_t chosen = -1;  // entry that the backward pass took
  std::vector<TracedEntry> entries;
};

inline constexpr int64_t kReshardShare = 5040;

struct PropagationTrace {
  // Complete but for `forwardPass[].evaluations` and `inputCandidateSets`, which are kept only when the options ask for
  // them.
  DecisionTrace decisions;
  std::vector<TracedBeam> beams;  // by op of decisions.forwardPass, likewise only when asked for
  int64_t evaluations = 0;        // op model queries of the forward pass
  int32_t combinationsCut = 0;    // ops at which combinations of operand layouts were left out
  int32_t evictions = 0;
  int32_t demotions = 0;
  int32_t rewinds = 0;             // times the sweep went back
  int64_t lateSpillGain = 0;       // nanoseconds saved by letting victims stay until the room was needed
  bool spillSearchUsed = false;    // dynamic programming chose what stays
  bool spillSearchPruned = false;  // ... and had to leave states out: its choice may not be the best
  int64_t spillSearchCost = 0;     // nanoseconds of the spills it chose
};

}  // namespace tessera
