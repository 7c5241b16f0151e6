#include "core/plan/print_plan.h"

#include "core/plan/moves.h"

namespace tessera {

namespace {

std::string shardText(const TensorLayout& layout) {
  std::string unit = layout.page == PageLayout::Tile ? "" : " scalars";
  return "shard " + std::to_string(layout.shardRows) + "x" + std::to_string(layout.shardCols) + unit;
}

std::string describe(const TensorLayout& layout) {
  return layout.sharded() ? layoutText(layout) + " " + shardText(layout) : layoutText(layout);
}

// "    spill %3 -> DRAM  (memory)"; a return is its own cause.
std::string spillLine(const Graph& graph, const Spill& spill, MoveKind kind) {
  std::string line =
      "    " + std::string(moveName(kind)) + " %" + graph.values[spill.value].name + " -> " + describe(spill.to);
  if (kind != MoveKind::Return) line += "  (" + std::string(spillCauseName(spill.cause)) + ")";
  return line + "\n";
}

}  // namespace

std::string printPlan(const Problem& problem, const Plan& plan) {
  const Graph& graph = problem.graph;
  const PlanMoves moves = planMoves(graph, plan);
  std::string out;
  size_t nextSpill = 0, nextReshard = 0;
  for (OpId op : plan.order) {
    const Op& o = graph.ops[op];
    for (; nextSpill < plan.spills.size() && plan.spills[nextSpill].before == op; ++nextSpill)
      out += spillLine(graph, plan.spills[nextSpill], moves.spills[nextSpill]);
    std::string line;
    for (ValueId result : o.results) line += (line.empty() ? "%" : ", %") + graph.values[result].name;
    line += (line.empty() ? "" : "  ") + o.name;
    for (ValueId result : o.results) {
      if (plan.layout[result]) line += "  " + describe(*plan.layout[result]);
    }
    for (; nextReshard < plan.reshards.size() && plan.reshards[nextReshard].consumer == op; ++nextReshard) {
      const Reshard& reshard = plan.reshards[nextReshard];
      line += "  in" + std::to_string(reshard.operand) + " -> " + describe(reshard.to);
    }
    out += line + "\n";
  }
  return out;
}

}  // namespace tessera
