#pragma once
// DecisionLog: the reasons of a plan. One entry per op that a policy decided, with its candidates; data, not callbacks.

#include <optional>
#include <string>
#include <vector>

#include "core/ops/model/op_model.h"
#include "core/plan/chain_trace.h"
#include "core/plan/exact_trace.h"
#include "core/plan/propagation_trace.h"
#include "core/plan/spill_trace.h"

namespace tessera {

enum class CandidateStatus { Chosen, Rejected, Worse };

struct Candidate {
  TensorLayout layout;  // of the result
  CandidateStatus status = CandidateStatus::Worse;
  OpVerdict verdict;  // of the op model; for a rejected candidate it says why
  int reshards = 0;   // operands that had to be converted
  std::string note;   // why it lost, where the verdict does not say it
};

struct Decision {
  OpId op;
  ValueId value;                      // first result
  std::vector<Candidate> candidates;  // in the order of evaluation
  std::string summary;                // the reason for the layout of the result
};

struct DecisionLog {
  bool wanted = true;  // false: only the plan is wanted; reasons that take long to write are left out
  static constexpr size_t kMaxCandidates = 16;  // kept per op; a policy may look at more
  std::vector<Decision> decisions;              // in schedule order
  std::vector<std::string> warnings;            // what a person should know about the plan as a whole
  // Of the generation that decided.
  std::optional<ChainTrace> chain;
  std::optional<PropagationTrace> propagation;
  std::optional<ExactTrace> exact;
  std::optional<SpillTrace> spilling;  // where a strategy was asked for
  std::optional<SpillProof> spillProof;
};

}  // namespace tessera
