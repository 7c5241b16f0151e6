#include "core/plan/print_plan.h"

namespace tessera {

namespace {

std::string shardText(const TensorLayout& layout) {
  std::string unit = layout.page == PageLayout::Tile ? "" : " scalars";
  return "shard " + std::to_string(layout.shardRows) + "x" + std::to_string(layout.shardCols) + unit;
}

std::string describe(const TensorLayout& layout) {
  return layout.sharded() ? layoutText(layout) + " " + shardText(layout) : layoutText(layout);
}

const char* causeName(SpillCause cause) {
  switch (cause) {
    case SpillCause::FunctionReturn: return "return";
    case SpillCause::Memory: return "memory";
    case SpillCause::Constraint: return "constraint";
    case SpillCause::ChainEnd: return "chain end";
    case SpillCause::Shared: return "shared";
  }
  return "";
}

}  // namespace

std::string printPlan(const Problem& problem, const Plan& plan) {
  const Graph& graph = problem.graph;
  std::string out;
  for (OpId op : plan.order) {
    const Op& o = graph.ops[op];
    for (const Spill& spill : plan.spills) {
      if (spill.before != op) continue;
      out += "    spill %" + graph.values[spill.value].name + " -> " + describe(spill.to) + "  (" + causeName(spill.cause) + ")\n";
    }
    std::string line;
    for (ValueId result : o.results) line += (line.empty() ? "%" : ", %") + graph.values[result].name;
    line += (line.empty() ? "" : "  ") + o.name;
    for (ValueId result : o.results) {
      if (plan.layout[result]) line += "  " + describe(*plan.layout[result]);
    }
    for (const Reshard& reshard : plan.reshards) {
      if (reshard.consumer == op) line += "  in" + std::to_string(reshard.operand) + " -> " + describe(reshard.to);
    }
    out += line + "\n";
  }
  return out;
}

}  // namespace tessera
