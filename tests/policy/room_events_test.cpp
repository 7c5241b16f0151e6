// The sweep's events as reasons of moves: which event belongs to which move.

#include "core/policy/propagate/room_events.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

// Five ops in a row, each the reader of the one before; tensors are numbered as their values.
struct Swept {
  Graph graph;
  SpillOutcome outcome;
  Plan plan;

  explicit Swept() {
    std::string text = "func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n";
    for (int i = 0; i < 5; ++i)
      text += "  %" + std::to_string(i) + " = \"ttir.relu\"(" + (i == 0 ? "%a" : "%" + std::to_string(i - 1)) +
              ") : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n";
    graph = graphOf(text + "  return %4 : tensor<64x64xbf16>\n}\n");
    plan.order = graph.funcs[graph.forward].ops;
    plan.layout.resize(graph.values.size());
    outcome.location.assign(5, ResultLocation::Planned);
  }
  OpId op(size_t step) const { return plan.order[step]; }
  ValueId result(size_t step) const { return graph.ops[op(step)].results[0]; }
  void event(int32_t step, SpillAction action, ValueId value, int64_t refused, ResultLocation to) {
    outcome.events.push_back({.step = step,
                              .action = action,
                              .tensor = value.index,
                              .to = to,
                              .reason = Refusal::OutOfL1,
                              .occupiedBefore = 30,
                              .occupiedAfter = 10,
                              .needed = 20,
                              .refused = refused,
                              .available = 40});
  }
  void evicted(int32_t step, ValueId value, int64_t refused) {
    event(step, SpillAction::Evict, value, refused, ResultLocation::Dram);
  }
  void move(ValueId value, size_t before, SpillCause cause) { plan.spills.push_back({value, op(before), {}, cause}); }
  std::vector<RoomEvent> rooms() const { return roomEvents(graph, outcome, plan); }
};

TEST(RoomEvents, AMoveHasTheEventOfItsStepElseOfTheNextOne) {
  Swept s;
  s.evicted(3, s.result(0), 55);
  s.evicted(4, s.result(0), 66);
  s.move(s.result(0), 1, SpillCause::Memory);  // early: right after it was made
  s.move(s.result(0), 4, SpillCause::Memory);
  const std::vector<RoomEvent> rooms = s.rooms();
  ASSERT_EQ(rooms.size(), 2u);
  EXPECT_EQ(rooms[0].wanted, s.op(3));
  EXPECT_EQ(rooms[0].needed, Bytes(55));
  EXPECT_EQ(rooms[1].wanted, s.op(4));
  EXPECT_EQ(rooms[1].needed, Bytes(66));
  EXPECT_EQ(rooms[1].own, Bytes(20));
  EXPECT_EQ(rooms[1].occupied, Bytes(30));
  EXPECT_EQ(rooms[1].available, Bytes(40));
  EXPECT_EQ(rooms[1].rule, RoomRule::Step);
}

TEST(RoomEvents, AMoveBackHasTheEventThatLedOut) {
  Swept s;
  s.evicted(1, s.result(0), 0);  // decided ahead
  s.evicted(4, s.result(0), 66);
  s.move(s.result(0), 1, SpillCause::Memory);
  s.move(s.result(0), 3, SpillCause::Shared);
  const std::vector<RoomEvent> rooms = s.rooms();
  ASSERT_EQ(rooms.size(), 2u);
  EXPECT_EQ(rooms[0].rule, RoomRule::Search);
  EXPECT_EQ(rooms[1].rule, RoomRule::Search);
  EXPECT_EQ(rooms[1].at, s.op(3));
  EXPECT_EQ(rooms[1].wanted, s.op(1));
}

// It left twice before it came back: the second time is what it came back from.
TEST(RoomEvents, AMoveBackHasTheLastEventBeforeIt) {
  Swept s;
  s.evicted(1, s.result(0), 55);
  s.evicted(2, s.result(0), 66);
  s.evicted(4, s.result(0), 77);
  s.move(s.result(0), 3, SpillCause::Shared);
  const std::vector<RoomEvent> rooms = s.rooms();
  ASSERT_EQ(rooms.size(), 1u);
  EXPECT_EQ(rooms[0].wanted, s.op(2));
  EXPECT_EQ(rooms[0].needed, Bytes(66));
}

TEST(RoomEvents, OtherCausesHaveNone) {
  Swept s;
  s.evicted(2, s.result(0), 55);
  s.move(s.result(0), 2, SpillCause::FunctionReturn);
  s.move(s.result(1), 2, SpillCause::Memory);
  EXPECT_TRUE(s.rooms().empty());
}

TEST(RoomEvents, AResultElsewhereHasTheLastDemotionOrWasChosenAhead) {
  Swept s;
  s.event(2, SpillAction::Demote, s.result(2), 55, ResultLocation::L1Interleaved);
  s.event(2, SpillAction::Demote, s.result(2), 66, ResultLocation::Dram);
  s.outcome.location[2] = ResultLocation::Dram;
  s.outcome.location[3] = ResultLocation::Dram;
  const std::vector<RoomEvent> rooms = s.rooms();
  ASSERT_EQ(rooms.size(), 2u);
  EXPECT_EQ(rooms[0].at, s.op(2));
  EXPECT_EQ(rooms[0].needed, Bytes(66));
  EXPECT_EQ(rooms[1].rule, RoomRule::Search);
  EXPECT_EQ(rooms[1].value, s.result(3));
}

}  // namespace
}  // namespace tessera::test
