#include "core/plan/moves.h"

#include "core/ops/table/op_table.h"

namespace tessera {

namespace {

struct MoveWords {
  const char* one;
  const char* several;
};
constexpr MoveWords kMoveWords[kMoveKinds] = {
    {"spill", "spills"}, {"reload", "reloads"}, {"reshard", "reshards"}, {"return", "returns"}};

}  // namespace

const char* moveName(MoveKind kind) { return kMoveWords[static_cast<size_t>(kind)].one; }
const char* moveCountName(MoveKind kind) { return kMoveWords[static_cast<size_t>(kind)].several; }

MoveKind moveKind(const TensorLayout& from, const TensorLayout& to, bool forReturn) {
  if (forReturn && !to.isL1()) return MoveKind::Return;
  if (from.isL1() == to.isL1()) return MoveKind::Reshard;
  return from.isL1() ? MoveKind::Spill : MoveKind::Reload;
}

PlanMoves planMoves(const Graph& graph, const Plan& plan) {
  PlanMoves moves{std::vector<MoveKind>(plan.spills.size(), MoveKind::Reshard),
                  std::vector<MoveKind>(plan.reshards.size(), MoveKind::Reshard),
                  {}};
  IdVec<ValueId, std::optional<TensorLayout>> now = plan.layout;
  auto classify = [&](ValueId value, const TensorLayout& to, bool forReturn) {
    MoveKind kind = moveKind(now[value].value_or(to), to, forReturn);
    ++moves.counts[static_cast<size_t>(kind)];
    return kind;
  };
  size_t spill = 0, reshard = 0;
  for (OpId op : plan.order) {
    for (; spill < plan.spills.size() && plan.spills[spill].before == op; ++spill) {
      const Spill& move = plan.spills[spill];
      moves.spills[spill] = classify(move.value, move.to, move.cause == SpillCause::FunctionReturn);
      now[move.value] = move.to;
    }
    for (; reshard < plan.reshards.size() && plan.reshards[reshard].consumer == op; ++reshard) {
      const Reshard& move = plan.reshards[reshard];
      const auto& operands = graph.ops[op].operands;
      if (static_cast<size_t>(move.operand) >= operands.size()) continue;  // checkPlan says so
      moves.reshards[reshard] =
          classify(operands[static_cast<size_t>(move.operand)], move.to, opInfo(graph.ops[op].kind).has(kTerminator));
    }
  }
  return moves;
}

std::string moveCountsText(const PlanMoves& moves) {
  std::string text;
  for (MoveKind kind : kAllMoveKinds)
    text += (text.empty() ? "" : "  ") + std::string(moveCountName(kind)) + " " + std::to_string(moves.count(kind));
  return text;
}

const char* spillCauseName(SpillCause cause) {
  switch (cause) {
    case SpillCause::FunctionReturn: return "return";
    case SpillCause::Memory: return "memory";
    case SpillCause::Constraint: return "constraint";
    case SpillCause::ChainEnd: return "chain end";
    case SpillCause::Shared: return "shared";
  }
  return "";
}

}  // namespace tessera
