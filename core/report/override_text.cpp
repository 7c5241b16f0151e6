#include "core/report/override_text.h"

#include <unordered_map>

namespace tessera {

namespace {

// "8x8:l1:block_sharded:tile:bf16"
std::string layoutOverride(const TensorLayout& layout) {
  const std::string buffer(bufferTypeName(layout.buffer)), memory(tensorMemoryLayoutName(layout.memory));
  return std::to_string(layout.grid.rows) + "x" + std::to_string(layout.grid.cols) + ":" + buffer + ":" + memory + ":" +
         std::string(pageLayoutName(layout.page)) + ":" + std::string(tileDTypeName(layout.dtype));
}

bool isName(const std::string& text) { return !text.empty() && text.find_first_of("=,: \"") == std::string::npos; }

}  // namespace

std::string overrideText(const RunOutcome& run) {
  const Graph& graph = run.problem->graph;
  std::unordered_map<std::string_view, int> ops;
  for (OpId op : run.plan.order) ++ops[graph.ops[op].loc];
  const auto named = [&](OpId op) { return isName(graph.ops[op].loc) && ops[graph.ops[op].loc] == 1; };
  std::string layouts, moves;
  for (OpId op : run.plan.order) {
    const Op& o = graph.ops[op];
    const bool decided = named(op) && !o.results.empty() && run.plan.layout[o.results[0]];
    if (!decided || !run.plan.layout[o.results[0]]->isL1()) continue;
    layouts += (layouts.empty() ? "" : ",") + o.loc + "=" + layoutOverride(*run.plan.layout[o.results[0]]);
  }
  for (size_t i = 0; i < run.plan.reshards.size();) {
    const OpId op = run.plan.reshards[i].consumer;
    std::string operands;
    for (; i < run.plan.reshards.size() && run.plan.reshards[i].consumer == op; ++i)
      operands += (operands.empty() ? "" : ":") + std::to_string(run.plan.reshards[i].operand);
    if (named(op)) moves += (moves.empty() ? "" : ",") + graph.ops[op].loc + "=" + operands;
  }
  std::string text;
  if (!layouts.empty()) text += "override-output-layout=" + layouts + "\n";
  if (!moves.empty()) text += "insert-memreconfig=" + moves + "\n";
  return text;
}

}  // namespace tessera
