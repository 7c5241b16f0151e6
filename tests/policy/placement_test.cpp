// The walk that policies share: what is in L1, and whether something more finds an address there.

#include "core/policy/kit/placement.h"

#include "core/policy/kit/legalize.h"
#include "core/policy/kit/plan_time.h"
#include "tests/analysed.h"
#include "tests/sim/tiny_device.h"

namespace tessera::test {
namespace {

// Values of 8, 4 and 8 tiles per core on the tiny device; %u reads the first and the third.
struct Walk {
  DeviceSpec device = tinyDevice();
  Graph graph;
  std::unique_ptr<Problem> problem;
  std::unique_ptr<Placement> placement;

  Walk() {
    const std::string eight = "tensor<1024x32xbf16>", four = "tensor<512x32xbf16>";
    graph = graphOf("func.func @main(%x: " + eight + ", %y: " + four + ") -> (" + eight + ", " + four + ") {\n" +
                    line("%a", "ttir.relu", "%x", eight) + line("%b", "ttir.relu", "%y", four) +
                    line("%c", "ttir.relu", "%x", eight) + line("%u", "ttir.add", "%a, %c", eight) +
                    line("%v", "ttir.relu", "%b", four) + "  return %u, %v : " + eight + ", " + four + "\n}\n");
    problem = std::make_unique<Problem>(analysed(graph, device, {}));
    placement = std::make_unique<Placement>(*problem);
  }
  void runOp(const char* result, bool toL1) {
    OpId op = producerOf(graph, result);
    OpConfig config;
    config.output = toL1 ? l1InterleavedLayout(*problem, valueNamed(graph, result))
                         : dramLayout(*problem, valueNamed(graph, result));
    placement->place(op, config, placement->operandLayouts(op));
    placement->finish(op);
  }
};

TEST(Placement, CountsWhatIsInL1) {
  Walk walk;
  EXPECT_EQ(walk.placement->l1().occupied().count, 0);
  walk.runOp("a", true);
  walk.runOp("b", true);
  walk.runOp("c", true);
  EXPECT_EQ(walk.placement->l1().occupied().count, 20 * kTile);
  // %b is used after %a and %c, which are used together.
  EXPECT_EQ(walk.placement->liveInL1(), (std::vector<ValueId>{valueNamed(walk.graph, "b"), valueNamed(walk.graph, "a"),
                                                              valueNamed(walk.graph, "c")}));
  walk.runOp("u", false);
  EXPECT_EQ(walk.placement->l1().occupied().count, 4 * kTile);
  walk.runOp("v", false);
  EXPECT_EQ(walk.placement->l1().occupied().count, 0);
  EXPECT_TRUE(walk.placement->liveInL1().empty());
}

// %a and %c have gone and left holes of 8 and 18 tiles around %b. The copy that brings %b back to DRAM takes two tiles.
TEST(Placement, FindsHolesThatAreTooSmall) {
  Walk walk;
  for (const char* name : {"a", "b", "c"}) walk.runOp(name, true);
  walk.runOp("u", false);
  EXPECT_EQ(walk.placement->l1().fit({{Bytes(16 * kTile)}}, Bytes(0)).reason, Refusal::None);
  EXPECT_EQ(walk.placement->l1().fit({{Bytes(17 * kTile)}}, Bytes(0)).reason, Refusal::CircularBufferClash);
  L1Fit tooLarge = walk.placement->l1().fit({{Bytes(20 * kTile)}}, Bytes(0));
  EXPECT_EQ(tooLarge.reason, Refusal::NoHole);
  EXPECT_EQ(tooLarge.needed.count, 20 * kTile);
  EXPECT_EQ(tooLarge.available.count, 18 * kTile);
  EXPECT_EQ(walk.placement->l1().fit({{Bytes(8 * kTile)}, {Bytes(16 * kTile)}}, Bytes(0)).reason, Refusal::None);
  EXPECT_EQ(walk.placement->l1().fit({{Bytes(18 * kTile)}, {Bytes(9 * kTile)}}, Bytes(0)).reason, Refusal::NoHole);
}

TEST(Placement, FindsCircularBuffersThatReachATensor) {
  Walk walk;
  walk.runOp("a", true);  // leaves 22 of 30 tiles below it
  EXPECT_EQ(walk.placement->l1().fit({}, Bytes(22 * kTile)).reason, Refusal::None);
  L1Fit clash = walk.placement->l1().fit({}, Bytes(22 * kTile + 1));
  EXPECT_EQ(clash.reason, Refusal::CircularBufferClash);
  EXPECT_EQ(clash.needed.count, 22 * kTile + 32);  // rounded to the granule
  EXPECT_EQ(clash.available.count, 22 * kTile);
  EXPECT_EQ(walk.placement->l1().fit({{Bytes(2 * kTile)}}, Bytes(21 * kTile)).reason, Refusal::CircularBufferClash);
}

TEST(Placement, ATrialChangesNothing) {
  Walk walk;
  walk.runOp("a", true);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(walk.placement->l1().fit({{Bytes(10 * kTile)}}, Bytes(12 * kTile)).reason, Refusal::None);
  EXPECT_EQ(walk.placement->l1().occupied().count, 8 * kTile);
}

TEST(Placement, ASpillFreesTheAddress) {
  Walk walk;
  walk.runOp("a", true);
  EXPECT_EQ(walk.placement->l1().fit({{Bytes(30 * kTile)}}, Bytes(0)).reason, Refusal::NoHole);
  ValueId a = valueNamed(walk.graph, "a");
  walk.placement->spill(a, producerOf(walk.graph, "u"), dramLayout(*walk.problem, a), SpillCause::Memory);
  EXPECT_EQ(walk.placement->l1().fit({{Bytes(30 * kTile)}}, Bytes(0)).reason, Refusal::None);
  EXPECT_EQ(walk.placement->plan().spills.size(), 1u);
}

// The copy of an operand is an op of its own: writing 16 tiles of a shard takes four tiles of circular buffers.
TEST(Placement, ACopyNeedsCircularBuffersToo) {
  for (bool more : {false, true}) {
    Walk walk;
    walk.runOp("a", true);            // 8 tiles of 30
    if (more) walk.runOp("b", true);  // and 4: 16 more leave two
    OpId op = producerOf(walk.graph, "c");
    ValueId x = valueNamed(walk.graph, "x");
    auto inputs = walk.placement->operandLayouts(op);
    inputs[0] = layoutFor(walk.graph, x, BufferType::L1, TensorMemoryLayout::HeightSharded, {2, 1}, walk.device);
    OpConfig config{dramLayout(*walk.problem, valueNamed(walk.graph, "c")), {}};
    L1Fit fit = walk.placement->l1().fit(walk.placement->movesOf(op, inputs, config), Bytes(0));
    EXPECT_EQ(fit.reason, more ? Refusal::CircularBufferClash : Refusal::None);
    if (more) {
      EXPECT_EQ(fit.needed.count, 4 * kTile);
      EXPECT_EQ(fit.available.count, 2 * kTile);
    }
  }
}

// %v is %a under another shape: it takes nothing, and %a's place stays taken until both are gone.
TEST(Placement, AViewSharesItsOperandsPlace) {
  const std::string flat = "tensor<64x64xbf16>", deep = "tensor<2x32x64xbf16>";
  DeviceSpec device = tinyDevice();
  Graph graph = graphOf("func.func @main(%x: " + flat + ") -> (" + deep + ", " + flat + ") {\n" +
                        line("%a", "ttir.relu", "%x", flat) +
                        "  %v = \"ttir.reshape\"(%a) <{shape = [2 : i32, 32 : i32, 64 : i32]}> : (" + flat + ") -> " +
                        deep + "\n" + line("%b", "ttir.relu", "%x", flat) + line("%c", "ttir.relu", "%v", deep) +
                        "  return %c, %b : " + deep + ", " + flat + "\n}\n");
  Problem problem = analysed(graph, device, {});
  Placement placement(problem);
  auto run = [&](const char* name, bool toL1) {
    OpId op = producerOf(graph, name);
    ValueId value = valueNamed(graph, name);
    placement.place(op, {toL1 ? l1InterleavedLayout(problem, value) : dramLayout(problem, value), {}},
                    placement.operandLayouts(op));
    placement.finish(op);
  };
  run("a", true);
  run("v", true);
  EXPECT_EQ(placement.l1().occupied().count, kTile);  // %a is not read any more
  EXPECT_EQ(placement.liveInL1(), std::vector<ValueId>{valueNamed(graph, "v")});
  EXPECT_EQ(placement.l1().fit({{Bytes(30 * kTile)}}, Bytes(0)).reason, Refusal::NoHole);
  run("b", false);
  run("c", false);
  EXPECT_EQ(placement.l1().occupied().count, 0);
  EXPECT_EQ(placement.l1().fit({{Bytes(30 * kTile)}}, Bytes(0)).reason, Refusal::None);
}

// What nobody reads leaves after the op that made it.
TEST(Placement, WhatNobodyReadsLeavesAtOnce) {
  const std::string t = "tensor<1024x32xbf16>";
  DeviceSpec device = tinyDevice();
  Graph graph = graphOf("func.func @main(%x: " + t + ") -> " + t + " {\n" + line("%unread", "ttir.relu", "%x", t) +
                        line("%a", "ttir.relu", "%x", t) + "  return %a : " + t + "\n}\n");
  Problem problem = analysed(graph, device, {});
  Placement placement(problem);
  for (const char* name : {"unread", "a"}) {
    const OpId op = producerOf(graph, name);
    placement.place(op, {l1InterleavedLayout(problem, valueNamed(graph, name)), {}}, placement.operandLayouts(op));
    EXPECT_EQ(placement.l1().occupied().count, 8 * kTile) << name;
    placement.finish(op);
    EXPECT_EQ(placement.liveInL1().size(), std::string(name) == "a" ? 1u : 0u) << name;
  }
}

// Why a value left is kept with the figures of the op that was refused: what it takes itself is its result and its
// circular buffers, beside what is there.
TEST(Placement, ASpillForRoomKeepsTheFiguresOfTheRefusal) {
  Walk walk;
  walk.runOp("a", true);
  walk.runOp("b", true);
  const ValueId a = valueNamed(walk.graph, "a");
  const OpId op = producerOf(walk.graph, "c");
  OpVerdict refused;
  refused.status = OpStatus::OutOfMemory;
  refused.reason = Refusal::OutOfL1;
  refused.constraints.outputL1BufferSize = Bytes(300);
  refused.constraints.cbRegionSize = Bytes(50);
  refused.needed = Bytes(7000);
  refused.available = Bytes(6000);
  walk.placement->spillForRoom(a, op, refused);
  const Plan plan = walk.placement->take();
  ASSERT_EQ(plan.room.size(), 1u);
  const RoomEvent& event = plan.room[0];
  EXPECT_EQ(event.value, a);
  EXPECT_EQ(event.at, op);
  EXPECT_EQ(event.wanted, op);
  EXPECT_EQ(event.rule, RoomRule::Step);
  EXPECT_EQ(event.reason, Refusal::OutOfL1);
  EXPECT_EQ(event.own.count, 350);
  EXPECT_EQ(event.occupied.count, 12 * kTile) << "%a itself among it";
  EXPECT_EQ(event.needed.count, 7000);
  EXPECT_EQ(event.available.count, 6000);
  ASSERT_EQ(plan.spills.size(), 1u);
  EXPECT_EQ(plan.spills[0].cause, SpillCause::Memory);
  EXPECT_TRUE(plan.spills[0].to.isDram());
}

// A converted operand is a reshard of the plan; one that is read where it lies is none.
TEST(Placement, RecordsReshards) {
  Walk walk;
  walk.runOp("a", true);
  OpId op = producerOf(walk.graph, "b");
  auto inputs = walk.placement->operandLayouts(op);
  inputs[0] = l1InterleavedLayout(*walk.problem, valueNamed(walk.graph, "y"));
  OpConfig config{dramLayout(*walk.problem, valueNamed(walk.graph, "b")), {}};
  walk.placement->place(op, config, inputs);
  Plan plan = walk.placement->take();
  ASSERT_EQ(plan.reshards.size(), 1u);
  EXPECT_EQ(plan.reshards[0].consumer, op);
  EXPECT_EQ(plan.reshards[0].operand, 0);
}

// A plan has a pinned result where the program wants it; the walk goes on from where the library writes it.
TEST(Placement, APinnedResultIsPlannedWhereItIsWanted) {
  const DeviceSpec device = tinyDevice();
  const Graph graph = graphOf(
      "func.func @main(%x: tensor<512x32xbf16>) -> tensor<1024x32xbf16> {\n  %u = \"ttir.repeat_interleave\"(%x) <{dim "
      "= 0 "
      ": si32, repeats = 2 : ui32}> : (tensor<512x32xbf16>) -> tensor<1024x32xbf16>\n"
      "  return %u : tensor<1024x32xbf16>\n}\n");
  Problem problem = analysed(graph, device, {});
  const ValueId u = valueNamed(graph, "u");
  problem.pinned[u] = l1InterleavedLayout(problem, u);
  Placement placement(problem);
  const OpId op = producerOf(graph, "u");
  placement.place(op, {*problem.pinned[u], {}}, placement.operandLayouts(op));
  EXPECT_EQ(*placement.layoutOf(u), dramLayout(problem, u)) << "the library has no other place for it";
  EXPECT_EQ(*placement.take().layout[u], *problem.pinned[u]);
}

// %c finds no room beside %a and %b where circular buffers take what is left, and is placed where they do not.
TEST(Placement, WhereItDoesNotFitNothingIsPlaced) {
  Walk walk;
  for (const char* name : {"a", "b"}) walk.runOp(name, true);
  const OpId op = producerOf(walk.graph, "c");
  const ValueId c = valueNamed(walk.graph, "c");
  const OpConfig config{l1InterleavedLayout(*walk.problem, c), {}};
  const Layouts inputs = walk.placement->operandLayouts(op);
  const Bytes before = walk.placement->l1().occupied(), all = walk.device.usableL1();
  EXPECT_FALSE(walk.placement->placeWhereItFits(op, config, inputs, all));
  EXPECT_EQ(walk.placement->l1().occupied(), before);
  EXPECT_FALSE(walk.placement->layoutOf(c).has_value());
  EXPECT_FALSE(walk.placement->plan().layout[c].has_value());
  EXPECT_TRUE(walk.placement->placeWhereItFits(op, config, inputs, Bytes(0)));
  EXPECT_EQ(walk.placement->l1().occupied().count, before.count + l1BytesPerCore(config.output).count);
  EXPECT_EQ(*walk.placement->layoutOf(c), config.output);
  EXPECT_EQ(*walk.placement->plan().layout[c], config.output);
}

// A plan fits where every copy finds a hole: 20 tiles do not between %b, which stays, and what %a and %c have left.
TEST(Placement, APlanFitsWhereItsCopiesFindHoles) {
  for (const bool bInL1 : {false, true}) {
    const DeviceSpec device = tinyDevice();
    const std::string eight = "tensor<1024x32xbf16>", four = "tensor<512x32xbf16>", twenty = "tensor<2560x32xbf16>";
    const Graph graph = graphOf("func.func @main(%x: " + eight + ", %y: " + four + ", %z: " + twenty + ") -> (" +
                                eight + ", " + twenty + ", " + four + ") {\n" + line("%a", "ttir.relu", "%x", eight) +
                                line("%b", "ttir.relu", "%y", four) + line("%c", "ttir.relu", "%x", eight) +
                                line("%u", "ttir.add", "%a, %c", eight) + line("%w", "ttir.relu", "%z", twenty) +
                                line("%v", "ttir.relu", "%b", four) + "  return %u, %w, %v : " + eight + ", " + twenty +
                                ", " + four + "\n}\n");
    const Problem problem = analysed(graph, device, {});
    Placement placement(problem);
    for (const OpId op : problem.schedule.order) {
      if (graph.ops[op].results.empty()) {
        returnFromDram(problem, placement, op);
        continue;
      }
      const ValueId result = graph.ops[op].results[0];
      const std::string& name = graph.values[result].name;
      const ValueId z = valueNamed(graph, "z");
      if (name == "w") placement.spill(z, op, l1InterleavedLayout(problem, z), SpillCause::Shared);
      const bool inL1 = name == "a" || name == "c" || (name == "b" && bInL1);
      placement.place(op, {inL1 ? l1InterleavedLayout(problem, result) : dramLayout(problem, result), {}},
                      placement.operandLayouts(op));
      placement.finish(op);
    }
    EXPECT_EQ(planFits(problem, placement.take(), IdVec<OpId, bool>(graph.ops.size(), false)), !bInL1);
  }
}

}  // namespace
}  // namespace tessera::test
