#pragma once
// Report: everything a person can ask about one run, as it goes to the page, the command line and the tests.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/problem.h"
#include "core/plan/check_plan.h"
#include "core/plan/decision_log.h"
#include "core/policy/policy.h"
#include "core/sim/check_run.h"
#include "core/sim/planned_placement.h"
#include "core/sim/simulator.h"
#include "core/support/diagnostics.h"
#include "core/support/json_writer.h"
#include "core/transform/apply_plan.h"

namespace tessera {

inline constexpr int kReportSchema = 1;

struct ReportDefect {
  std::string_view checker;  // "graph", "plan", "run" or "placement"
  std::string rule;
  std::string text;
};

// One run of one policy on one device.
struct RunOutcome {
  const Problem* problem = nullptr;
  const PolicyInfo* policy = nullptr;
  Plan plan;
  DecisionLog log;
  AppliedPlan applied;
  SimResult sim;
  PlannedPlacement placement;
  std::vector<ReportDefect> defects;
};

// An effective option value, already as JSON ("8", "true", "\"n150\"").
struct OptionValue {
  std::string_view id;
  std::string json;
};

struct Report {
  const SourceBuffer* source = nullptr;
  bool isJson = false;
  const Diagnostics* diagnostics = nullptr;
  std::vector<OptionValue> options;
  const DeviceSpec* device = nullptr;
  const Graph* graph = nullptr;           // null when the input could not be read
  std::optional<RunOutcome> run;
  bool withTraces = false;                // write what the policy went through
  bool ok() const { return diagnostics && !diagnostics->hasErrors() && run && run->defects.empty(); }
};

// The JSON that web/src/model/report.ts describes; layouts are listed once and referred to by index.
std::string reportJson(const Report& report);
// The fields "diagnostics" and "droppedDiagnostics" of an open object.
void writeDiagnostics(JsonWriter& w, const Diagnostics& diagnostics, const SourceBuffer& source);
// {"schema":1,"diagnostics":[...],"droppedDiagnostics":n}
std::string diagnosticsJson(const Diagnostics& diagnostics, const SourceBuffer& source);

// Plan text and a summary line; the golden format.
//   --  time 412000 ns  dram 21400000 B  peak L1 1188000/1396448 at step 12  reshards 2  spills 1  failures 0
std::string planText(const RunOutcome& run);
// One line: L1 by the runtime's first fit beside planned addresses.
//   --  L1 addresses  first fit 1188000 B  planned 1180000 B (local search)  bound 1180000 B  fragmentation 8000 B
std::string placementText(const RunOutcome& run);
// One line about what spilling costs, where a strategy was asked for; else "".
std::string spillingText(const RunOutcome& run);

}  // namespace tessera
