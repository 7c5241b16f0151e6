#pragma once
// The program's table of contents: from text to report, one step after the other.

#include <memory>
#include <optional>
#include <string>

#include "core/driver/options.h"
#include "core/ir/graph.h"
#include "core/lowering/lower.h"
#include "core/report/report.h"

namespace tessera {

// A graph after the passes before the optimizer, and what it was made for.
struct LoweredGraph {
  LoweringOptions options;
  std::string device;      // of the passes that ask the op model
  BudgetRange budgets;     // of L1, for which their answers are the same
  LoweringResult result;
  mutable std::shared_ptr<OpMemo> memo;  // what the op model was asked about the graph so far
};

// A source, what was wrong with it, and the graph it holds, if it could be read.
struct LoadedGraph {
  SourceBuffer source;
  Diagnostics diagnostics;
  bool isJson = false;
  std::optional<Graph> graph;
  // The graph as policies see it, as last asked for: most options do not change it.
  mutable std::shared_ptr<const LoweredGraph> lowered;
  // What policy Exact found out about it; null: nothing yet.
  mutable std::shared_ptr<ExactMemory> exact;
};

// Parses and imports MLIR text or graph JSON (told apart by the first character).
LoadedGraph loadGraph(std::string name, std::string text);

// A run and everything its report refers to. Pinned: the report points into it, so it neither moves nor copies.
struct FinishedRun {
  DeviceSpec device;
  Diagnostics diagnostics;             // of the source and of the options
  std::shared_ptr<const LoweredGraph> lowered;
  std::vector<PassLog> finalLogs;      // of the passes after the policy
  std::unique_ptr<Problem> problem;
  PolicyOptions policyOptions;         // as the policy had them
  Report report;

  FinishedRun() = default;
  FinishedRun(const FinishedRun&) = delete;
  FinishedRun& operator=(const FinishedRun&) = delete;
};

// Never fails: what went wrong is part of the report. `optionDiags` are mistakes in the options; with an error among them nothing
// is run. `loaded` must outlive the result.
std::unique_ptr<FinishedRun> runPolicy(const LoadedGraph& loaded, const Options& options, const Diagnostics& optionDiags);

}  // namespace tessera
