#pragma once
// n runs of one graph side by side: totals, what left L1 and why, and the ops that the runs treat differently. The
// causes are those of docs/rules/pass-generation.md#what-it-replaces.

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "core/plan/moves.h"
#include "core/report/report.h"

namespace tessera {

class JsonWriter;

// Why tensors are not in L1 where they could be. A value counts once, under the first cause that holds, in this order.
enum class LossCause {
  Constraint,    // every reader, or the op that makes it, refuses it in L1
  Memory,        // L1 was full
  Fork,          // several readers, and the policy keeps a tensor for one only
  Operand0,      // its reader would take it from L1, but as another operand than the first
  ChainFailure,  // its reader would take it as the first operand; the chain ended or failed
  Choice,        // the policy prefers it in DRAM
};
inline constexpr size_t kLossCauses = 6;
std::string_view lossCauseName(LossCause cause);  // "constraint"

struct ComparedRun {
  std::string label;  // "Beam", or with what differs: "Beam n150 beam-width=4"
  bool ran = false;   // false: diagnostics stopped it, and nothing below counts
  Nanoseconds time;
  int64_t dramBytes = 0;
  int64_t losses[kLossCauses] = {};
  PlanMoves moves;
  Bytes peakL1;
  Bytes budget;
  int64_t inL1 = 0;  // results of decided ops
  int64_t sharded = 0;
  int64_t inDram = 0;
  int64_t coreMeanTenths = 0;  // cores that compute, mean over ops that compute, in tenths
  int32_t failures = 0;
  int32_t refused = 0;  // ops that the op model refuses; `time` says nothing about them
  int64_t defects = 0;
  int64_t headroomPermille() const {
    return budget.count > 0 ? (budget.count - std::min(peakL1.count, budget.count)) * 1000 / budget.count : 0;
  }
};

struct ComparedOp {
  std::string name;  // of its first result, "%3"
  std::string op;
  std::vector<std::string> layouts;  // by run; "" where the run has no such op
  std::vector<int64_t> times;        // by run, nanoseconds
};

struct RunComparison {
  std::vector<ComparedRun> runs;
  std::vector<ComparedOp>
      differences;  // ops whose result lies elsewhere in some run, in schedule order of the first run that ran
};

struct LabelledReport {
  std::string label;
  const Report* report = nullptr;
};
RunComparison compareRuns(std::span<const LabelledReport> reports);

// A table with one line per run; with the differences below it when asked.
std::string comparisonText(const RunComparison& comparison, bool withOps);
void writeComparison(JsonWriter& w, const RunComparison& comparison);
std::string comparisonJson(const RunComparison& comparison);

}  // namespace tessera
