#pragma once
// The compiler's decision trace, version 3 (tt-mlir Diagnostics/DecisionTrace.cpp), as data: what a beam search went
// through. Our own runs fill it and files of the compiler are read into it, so that both are shown by the same views;
// no graph is needed.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/support/diagnostics.h"
#include "core/support/source.h"

namespace tessera {

inline constexpr int64_t kDecisionTraceVersion = 3;

// Layouts are texts as the compiler writes them: "l1/width_sharded/1x64", "dram/interleaved/1x1", "null".
struct TraceScore {
  bool isL1 = false;
  bool isSharded = false;
  int64_t inputDramBytes = 0;
  bool requiresReshard = false;
  int64_t coreCount = 0;
  int64_t outputL1Usage = 0;
  friend bool operator==(const TraceScore&, const TraceScore&) = default;
};

struct TraceInputSet {
  int64_t operandIndex = 0;
  bool fromProducerBeam = false;
  bool fromReshard = false;
  std::vector<std::string> candidates;
  friend bool operator==(const TraceInputSet&, const TraceInputSet&) = default;
};

struct TraceEvaluation {
  std::string hint;
  std::vector<std::string> inputs;
  bool valid = false;
  std::string failureReason;  // of what is not valid
  TraceScore score;           // of what is
  std::string output;
  friend bool operator==(const TraceEvaluation&, const TraceEvaluation&) = default;
};

struct TraceBeamEntry {
  int64_t rank = 0;
  std::string outputLayout;
  TraceScore score;
  friend bool operator==(const TraceBeamEntry&, const TraceBeamEntry&) = default;
};

struct TraceOp {
  int64_t opIndex = 0;
  std::string opName;
  std::string opLocation;
  std::vector<TraceInputSet> inputCandidateSets;
  int64_t primaryHints = 0;
  int64_t fallbackHints = 0;
  int64_t crossProductSize = 0;
  std::vector<TraceEvaluation> evaluations;
  std::vector<TraceBeamEntry> beam;
  bool usedDramFallback = false;
  std::optional<bool> isInplace;
  friend bool operator==(const TraceOp&, const TraceOp&) = default;
};

struct TraceEdge {
  int64_t producerOpIndex = 0;
  int64_t consumerOpIndex = 0;
  int64_t operandIndex = 0;
  int64_t producerResultIndex = 0;
  bool hasReshard = false;
  std::string reshardLayout;  // where there is one
  friend bool operator==(const TraceEdge&, const TraceEdge&) = default;
};

struct TraceFork {
  std::string opName;
  std::string opLocation;
  int64_t opIndex = 0;
  int64_t chosenCandidateIndex = 0;
  int64_t numConsumers = 0;
  std::vector<int64_t> consumerOpIndices;
  friend bool operator==(const TraceFork&, const TraceFork&) = default;
};

struct TraceChoice {
  int64_t opIndex = 0;
  std::string opName;
  std::string chosenLayout;
  friend bool operator==(const TraceChoice&, const TraceChoice&) = default;
};

struct TraceSpillEvent {
  int64_t position = 0;
  std::string opName;
  std::string action;  // ours: evict, evict_all, demote_to_l1_interleaved, demote_to_dram, all_dram, fail
  int64_t occupiedL1Before = 0;
  int64_t occupiedL1After = 0;
  int64_t opL1Usage = 0;
  std::string victimName;
  std::string details;
  friend bool operator==(const TraceSpillEvent&, const TraceSpillEvent&) = default;
};

struct TraceSpills {
  int64_t budget = 0;
  int64_t scheduleSize = 0;
  int64_t totalSpills = 0;
  int64_t finalOccupied = 0;
  int64_t finalLiveTensors = 0;
  std::vector<TraceSpillEvent> events;
  friend bool operator==(const TraceSpills&, const TraceSpills&) = default;
};

struct DecisionTrace {
  std::string functionName;
  int64_t beamWidth = 0;
  int64_t totalOps = 0;
  std::vector<TraceOp> forwardPass;
  std::vector<TraceEdge> edges;
  std::vector<TraceFork> forkResolutions;
  std::vector<TraceChoice> finalChoices;
  std::optional<TraceSpills> spillManagement;
  friend bool operator==(const DecisionTrace&, const DecisionTrace&) = default;
};

// Reports what is wrong (JsonSyntax, TraceSchema, TraceVersion) with its place and returns nothing; unknown fields are
// skipped, missing ones keep their defaults but for `version` and `forwardPass`.
std::optional<DecisionTrace> readDecisionTrace(const SourceBuffer& source, Diagnostics& diags);

}  // namespace tessera
