#pragma once
// The program's table of contents: from text to report, one step after the other.

#include <memory>
#include <optional>
#include <string>

#include "core/driver/options.h"
#include "core/driver/session.h"
#include "core/report/report.h"

namespace tessera {

// A run and everything its report refers to. Pinned: the report points into it, so it neither moves nor copies.
struct FinishedRun {
  DeviceSpec device;
  L1Budget budget{Bytes(0)};
  std::shared_ptr<const LoadedGraph> loaded;
  Diagnostics diagnostics;  // of the source and of the options
  std::shared_ptr<const LoweredGraph> lowered;
  std::unique_ptr<Problem> problem;  // null when the run did not get so far
  const PolicyInfo* policy = nullptr;
  std::vector<ReportDefect> defects;  // found before there was a plan
  PolicyOptions policyOptions;        // as the policy had them
  std::string author;                 // of a plan from outside
  std::optional<PolicyInfo> outside;  // in place of a policy, when the author is none of ours
  Report report;

  FinishedRun() = default;
  FinishedRun(const FinishedRun&) = delete;
  FinishedRun& operator=(const FinishedRun&) = delete;
};

// The steps up to the policy: from the session's last source to the problem. Never fails: what went wrong is part of
// the report. `optionDiags` are mistakes in the options; with an error among them nothing is run. The session must
// outlive the result.
std::unique_ptr<FinishedRun> prepareRun(Session& session, const Options& options, const Diagnostics& optionDiags);
// The steps after the policy, for a plan from outside; the problem exists. Whatever the plan asks for is carried out as
// far as it goes; what is illegal in it is among the diagnostics.
void runPlan(FinishedRun& prepared, JsonValue plan);
// The problem of a prepared run as JSON, with its options (core/report/problem_json.h).
std::string problemOut(const FinishedRun& prepared);
// The plan of a finished run as JSON, with the options under which it was made (core/plan/plan_json.h).
std::string planOut(const FinishedRun& finished);
// The graph of a finished run with what only the runtime needs: deallocations.
Graph finalGraph(const FinishedRun& finished);

// The chip as resolved options have it: of a release of the device library, with what they cut from its L1 and grid.
DeviceSpec deviceFor(const DeviceSpec& chip, const Options& options);

// Where no policy was asked for, a graph that carries layouts is taken as written, unless they are to be taken out; an
// enabled layout analysis decides all the same (Options::resolved).
void chooseDefaultPolicy(Options& options, const LoadedGraph& loaded);

// What follows on prepareRun, in two halves, for who measures the policy alone: its decision, and what comes of it. The
// problem exists.
RunOutcome decideRun(Session& session, FinishedRun& prepared);
void finishRun(Session& session, FinishedRun& prepared, RunOutcome run);
// Runs a policy on the session's last source. Never fails, as prepareRun.
std::unique_ptr<FinishedRun> runPolicy(Session& session, const Options& options, const Diagnostics& optionDiags);

}  // namespace tessera
