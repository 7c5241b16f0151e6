#pragma once
// Report: everything a person can ask about one run, as it goes to the page, the command line and the tests.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/analysis/problem.h"
#include "core/ir/functions.h"
#include "core/lowering/lower.h"
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

inline constexpr int kReportSchema = 2;

struct ReportDefect {
  std::string_view checker;  // "graph", "plan", "run" or "placement"
  std::string rule;
  std::string text;
};

// A plan carried out: the final program, its run on the simulated device, and addresses planned ahead for that run. It
// depends on neither who made the plan nor why, and seldom on the budget of L1.
struct CarriedOut {
  AppliedPlan applied;
  std::vector<PassLog> logs;  // of the passes after the policy
  SimResult sim;
  PlannedPlacement placement;
  std::vector<ReportDefect> defects;
};

// One run of one policy on one device.
struct RunOutcome {
  const Problem* problem = nullptr;
  const PolicyInfo* policy = nullptr;
  Plan plan;
  DecisionLog log;
  std::shared_ptr<const CarriedOut> program;  // null until the plan is carried out
  std::vector<ReportDefect> defects;          // of the program, and of what came before it
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
  const Graph* graph = nullptr;              // null when the input could not be read
  std::span<const ForwardFunction> forward;  // of the input; Graph::forward is the one that is run
  std::optional<RunOutcome> run;
  bool withTraces = false;  // write what the policy went through
  bool ok() const { return diagnostics && !diagnostics->hasErrors() && run && run->defects.empty(); }
};

// The JSON that docs/schema/report.schema.json describes; layouts are listed once and referred to by index.
std::string reportJson(const Report& report);
// The fields "diagnostics" and "droppedDiagnostics" of an open object.
void writeDiagnostics(JsonWriter& w, const Diagnostics& diagnostics, const SourceBuffer& source);
// {"schema":2,"diagnostics":[...],"droppedDiagnostics":n}
std::string diagnosticsJson(const Diagnostics& diagnostics, const SourceBuffer& source);

}  // namespace tessera
