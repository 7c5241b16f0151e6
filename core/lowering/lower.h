#pragma once
// Runs the passes of the table in order and keeps a log of what each did.

#include <string>
#include <vector>

#include "core/lowering/pass.h"

namespace tessera {

struct PassLogNote {
  std::string op;    // "%12", or the op's name when it has no result
  std::string name;  // "ttnn.conv2d"
  std::string loc;
  std::string text;
  Span span;                   // place in the source of the op it was made from
  bool computesOther = false;  // as of PassNote
};

// What a pass did. The counts are over the ops of all functions, and 0 where PassDetail::Notes was asked for: an op is
// the same before and after when its first result has the same name.
struct PassLog {
  const PassInfo* pass = nullptr;
  int32_t changed = 0;  // another op name, attribute, operand or type
  int32_t added = 0;
  int32_t removed = 0;
  std::vector<PassLogNote> notes;
  std::vector<PassLogNote> problems;
  std::vector<std::string> defects;  // of verifyGraph after the pass; empty unless the pass is wrong
};

struct LoweringResult {
  Graph graph;
  std::vector<PassLog> logs;
  std::vector<Graph> graphs;                       // after each pass, when asked for; one per log
  std::vector<std::pair<OpId, OpConfig>> configs;  // settings that passes changed, the last one for an op counts
};

// Every op of an imported graph stands for itself; what passes make of it keeps its id in Op::origins.
void startOrigins(Graph& graph);

// Where the passes begin on an imported graph.
struct LoweringStart {
  Graph graph;                           // with its origins, without decisions that are to be made anew
  PassStage first = PassStage::Analyse;  // the first stage that has something to do
  bool ownLayouts = true;                // see PassContext
};
LoweringStart startLowering(const Graph& imported, const PassContext& context);

// What to keep of each pass: its notes and problems; these and the counts of ops; all of it and the graph after the
// pass.
enum class PassDetail { Notes, Counts, Graphs };

// All passes before the optimizer: from the imported graph to what policies see. Ids of the given graph do not hold in
// the new one.
LoweringResult lower(const Graph& graph, const PassContext& context, PassDetail detail = PassDetail::Counts);
// All passes after the optimizer. Ids of the given graph's ops and values stay valid in the result.
LoweringResult finalize(const Graph& graph, const PassContext& context, PassDetail detail = PassDetail::Counts);
// The passes for the runtime alone; ids stay valid.
LoweringResult release(const Graph& graph, const PassContext& context, PassDetail detail = PassDetail::Counts);
// One pass alone, with its counts.
LoweringResult runPass(const PassInfo& pass, const Graph& graph, const PassContext& context);

// The log of a pass that was run elsewhere (the optimizer), from what it was given and what it made.
PassLog logBetween(const PassInfo& pass, const Graph& before, const Graph& after);

// Where ops went: for every op of the imported graph the ops of `graph` that stand for it, in program order. Indexed by
// imported id.
std::vector<std::vector<OpId>> descendants(const Graph& graph, size_t importedOps);

}  // namespace tessera
