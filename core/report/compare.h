#pragma once
// n runs of one graph side by side: totals, what left L1 and why (losses.h), and the ops that the runs treat
// differently.

#include <span>
#include <string>
#include <vector>

#include "core/plan/moves.h"
#include "core/report/losses.h"

namespace tessera {

class JsonWriter;

struct ComparedRun {
  std::string label;  // "Beam", or with what differs: "Beam n150 beam-width=4"
  bool ran = false;   // false: diagnostics stopped it, and nothing below counts
  Nanoseconds time;
  int64_t dramBytes = 0;
  int64_t losses[kAvoidableCauses] = {};
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
  int64_t headroom() const { return headroomPermille(peakL1, budget); }  // thousandths
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
