#pragma once
// A session: all that is kept between calls, and nothing is kept elsewhere. One call at a time may use it.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/driver/carried_out.h"
#include "core/import/import_mlir.h"
#include "core/ir/functions.h"
#include "core/ir/verify.h"
#include "core/lowering/lower.h"
#include "core/policy/policy_memory.h"
#include "core/text/pass_log.h"

namespace tessera {

// A source, what was wrong with it, and the graph it holds, if it could be read.
struct LoadedGraph {
  SourceBuffer source;
  Diagnostics diagnostics;
  bool isJson = false;
  std::optional<Graph> graph;
  std::vector<ForwardFunction> forward;  // that may be chosen to run; Graph::forward is the one chosen
  std::vector<Defect> defects;           // of the graph, by verifyGraph
};

// Parses and imports MLIR text or graph JSON (told apart by the first character). Of a log of the compiler's passes the
// last state that can be read, whose text is then the source.
LoadedGraph loadGraph(std::string name, std::string text, const ImportOptions& options = {});

// A graph after the passes before the optimizer, and what it was made for.
struct LoweredGraph {
  LoweringOptions options;
  DeviceSpec device;    // of the passes that ask the op model
  BudgetRange budgets;  // of L1, for which their answers are the same
  LoweringResult result;
  Diagnostics refused;  // warnings: TTNN ops of the result that no reader takes, because the compiler does not
};

class Session {
 public:
  // Reads a source, unless it is the last one. A session reads all its sources with the same options.
  const LoadedGraph& load(const std::string& name, const std::string& text, const ImportOptions& options = {});
  // The last source; null before the first.
  const std::shared_ptr<const LoadedGraph>& loaded() const { return loaded_; }
  // The same with the named forward function to run; "", or a name that is none, is the one that it was read with.
  const std::shared_ptr<const LoadedGraph>& choose(const std::string& function);
  // The chosen graph as policies see it. Most options do not change it, so it is lowered anew only when one does.
  std::shared_ptr<const LoweredGraph> lower(const LoweringOptions& options, const DeviceSpec& device, Bytes budget);
  // The same with another graph: settings that a user fixed. The last one is kept beside what it was made from.
  std::shared_ptr<const LoweredGraph> withGraph(const LoweredGraph& from, Graph graph);
  // The op model for the lowered graph, with all answers about the device that are known. `device` outlives it.
  OpModel modelOf(const LoweredGraph& lowered, const DeviceSpec& device);

  PolicyMemory memory;
  KeptProgram program;
  std::optional<PassLogReader> log;  // of a log that comes in pieces

 private:
  std::shared_ptr<const LoadedGraph> loaded_;
  std::shared_ptr<const LoadedGraph> chosen_;
  std::shared_ptr<const LoweredGraph> lowered_;
  std::shared_ptr<const LoweredGraph> changed_;
  std::shared_ptr<const OpClasses> classes_;  // of lowered_
};

}  // namespace tessera
