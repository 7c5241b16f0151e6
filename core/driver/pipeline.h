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
  std::vector<PassLog> finalLogs;  // of the passes after the policy
  std::unique_ptr<Problem> problem;
  PolicyOptions policyOptions;  // as the policy had them
  Report report;

  FinishedRun() = default;
  FinishedRun(const FinishedRun&) = delete;
  FinishedRun& operator=(const FinishedRun&) = delete;
};

// Runs a policy on the session's last source. Never fails: what went wrong is part of the report. `optionDiags` are
// mistakes in the options; with an error among them nothing is run. The session must outlive the result.
std::unique_ptr<FinishedRun> runPolicy(Session& session, const Options& options, const Diagnostics& optionDiags);

}  // namespace tessera
