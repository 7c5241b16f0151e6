#include "core/plan/moves.h"

#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

struct Layouts {
  const std::string type = "tensor<256x256xbf16>";
  std::unique_ptr<PolicyRun> run =
      runOn(graphOf("func.func @main(%a: " + type + ") -> " + type + " {\n  %0 = \"ttir.add\"(%a, %a) : (" + type +
                    ", " + type + ") -> " + type + "\n  %1 = \"ttir.exp\"(%0) : (" + type + ") -> " + type +
                    "\n  return %1 : " + type + "\n}\n"),
            "Greedy");
  ValueId value = valueNamed(run->graph, "1");
  TensorLayout dram = dramLayout(*run->problem, value);
  TensorLayout interleaved = l1InterleavedLayout(*run->problem, value);
  TensorLayout sharded = *run->plan.layout[value];
};

TEST(Moves, TheLabelFollowsFromBothMemoriesAndTheReason) {
  const Layouts l;
  ASSERT_TRUE(l.sharded.sharded());
  EXPECT_EQ(moveKind(l.sharded, l.dram, false), MoveKind::Spill);
  EXPECT_EQ(moveKind(l.dram, l.sharded, false), MoveKind::Reload);
  EXPECT_EQ(moveKind(l.interleaved, l.sharded, false), MoveKind::Reshard);
  EXPECT_EQ(moveKind(l.dram, l.dram, false), MoveKind::Reshard);  // other pages or another element type
  EXPECT_EQ(moveKind(l.sharded, l.dram, true), MoveKind::Return);
}

// A value that leaves L1, comes back, is read in another sharding and returned: one of each.
TEST(Moves, APlanIsFollowedFromMoveToMove) {
  const Layouts l;
  Plan plan = l.run->plan;
  const OpId add = plan.order.front(), end = plan.order.back();
  ASSERT_EQ(plan.spills.size(), 1u);
  const Spill returned = plan.spills[0];
  plan.spills = {{l.value, end, l.dram, SpillCause::Memory},
                 {l.value, end, l.sharded, SpillCause::Shared},
                 {l.value, end, l.interleaved, SpillCause::Shared},
                 returned};
  plan.reshards = {{add, 0, l.interleaved}};
  const PlanMoves moves = planMoves(l.run->graph, plan);
  EXPECT_EQ(moves.spills,
            (std::vector<MoveKind>{MoveKind::Spill, MoveKind::Reload, MoveKind::Reshard, MoveKind::Return}));
  EXPECT_EQ(moves.reshards, std::vector<MoveKind>{MoveKind::Reload});
  EXPECT_EQ(moveCountsText(moves), "spills 1  reloads 2  reshards 1  returns 1");
}

// A conversion for the return is one as a spill with that cause is; one that stays in L1 is none.
TEST(Moves, AConversionForTheReturnIsAReturn) {
  const Layouts l;
  Plan plan = l.run->plan;
  const OpId end = plan.order.back();
  plan.spills.clear();
  for (const auto& [to, kind] : {std::pair(l.dram, MoveKind::Return), std::pair(l.interleaved, MoveKind::Reshard)}) {
    plan.reshards = {{end, 0, to}};
    EXPECT_EQ(planMoves(l.run->graph, plan).reshards, std::vector<MoveKind>{kind});
  }
}

// A conversion of an operand that the op has not moves nothing: those behind it are told all the same.
TEST(Moves, OfOperandsThatAreNotThereAreNotCounted) {
  const Layouts l;
  Plan plan = l.run->plan;
  plan.spills.clear();
  plan.reshards = {{plan.order.front(), 2, l.interleaved}, {plan.order.back(), 0, l.dram}};
  const PlanMoves moves = planMoves(l.run->graph, plan);
  EXPECT_EQ(moves.reshards, (std::vector<MoveKind>{MoveKind::Reshard, MoveKind::Return}));
  EXPECT_EQ(moveCountsText(moves), "spills 0  reloads 0  reshards 0  returns 1");
}

}  // namespace
}  // namespace tessera::test
