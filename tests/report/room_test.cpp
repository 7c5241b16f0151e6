// What rows say about room in L1: every spill under every policy, with the figures of the policy's own trace.

#include <map>

#include "core/driver/pipeline.h"
#include "core/support/json_value.h"
#include "tests/policy/random_graph.h"
#include "tests/policy/test_graphs.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

struct RoomCounts {
  std::map<std::string, int> rules;      // spills by "policy rule"
  std::map<std::string, int> elsewhere;  // results made elsewhere, by policy
};

int64_t figure(JsonValue room, const char* name) { return room.get(name).asInteger().value_or(-1); }

void expectFigures(JsonValue room, size_t rows, const std::string& where) {
  EXPECT_LT(figure(room, "row"), static_cast<int64_t>(rows)) << where;
  if (room.get("rule").asString() != "step") {
    for (const char* name : {"own", "occupied", "needed", "available"}) EXPECT_EQ(figure(room, name), 0) << where;
    return;
  }
  EXPECT_GE(figure(room, "row"), 0) << where;
  const std::string_view reason = *room.get("reason").asString();
  const bool ofMemory = reason == "OutOfL1" || reason == "NoHole" || reason == "CircularBufferClash";
  if (ofMemory) {
    EXPECT_GT(figure(room, "needed"), figure(room, "available")) << where;
  }
  EXPECT_FALSE(room.get("text").asString()->empty()) << where;
}

// Of a policy that sweeps: an event of its trace at that op has the same figures and the same reason.
void expectTraced(const RunOutcome& run, const RoomEvent& event) {
  if (!run.log.propagation || event.rule != RoomRule::Step) return;
  const std::string name = "%" + run.problem->graph.values[event.value].name;
  bool found = false;
  for (const TraceSpillEvent& traced : run.log.propagation->decisions.spillManagement->events) {
    const bool atOp = run.plan.order[static_cast<size_t>(traced.position)] == event.wanted;
    found = found || (atOp && traced.victimName == name && traced.opL1Usage == event.own.count &&
                      traced.occupiedL1Before == event.occupied.count && traced.details == refusalText(event.reason));
  }
  EXPECT_TRUE(found) << run.plan.policy << ": no event of the trace for " << name;
}

void expectRooms(Session& session, Options options, std::string_view policy, RoomCounts& counts) {
  options.policy = policy;
  const auto run = runPolicy(session, options, Diagnostics());
  ASSERT_TRUE(run->report.run) << policy;
  for (const RoomEvent& event : run->report.run->plan.room) expectTraced(*run->report.run, event);
  const std::string text = reportJson(run->report);
  const SourceBuffer source("report.json", text);
  Diagnostics diags;
  const JsonDocument document = JsonDocument::parse(source, diags);
  const JsonValue rows = document.root().get("run").get("rows");
  for (size_t i = 0; i < rows.size(); ++i) {
    const JsonValue row = rows.at(i), room = row.get("room");
    const std::string where = std::string(policy) + ", row " + std::to_string(i);
    const std::string_view kind = *row.get("kind").asString();
    if (kind == "spill" && row.get("cause").asString() == "memory") {
      ASSERT_TRUE(room.present()) << where;
      ++counts.rules[std::string(policy) + " " + std::string(*room.get("rule").asString())];
    }
    if (!room.present()) continue;
    expectFigures(room, rows.size(), where);
    counts.elsewhere[std::string(policy)] += kind == "op";
  }
}

struct RoomCase {
  const char* sample;
  int64_t permille;
};

// By each policy's own rules; with spills decided ahead by the certified search.
TEST(Room, EverySpillSaysWhyWithTheFiguresOfThePolicy) {
  RoomCounts counts;
  const auto all = [&](const std::string& text, int64_t permille) {
    Session session;
    session.load("room.mlir", text);
    Options options;
    options.l1UsageCapPermille = permille;
    for (const PolicyInfo& policy : allPolicies()) expectRooms(session, options, policy.id, counts);
    options.spillStrategy = "certified";
    for (const char* policy : {"Greedy", "DFSharding2"}) expectRooms(session, options, policy, counts);
  };
  for (const RoomCase& room : {RoomCase{"l1-pressure", 900}, {"concat-unet", 150}, {"transformer-layer", 300}}) {
    if (smallTests() && room.permille != 300) continue;
    const auto file = std::string("web/public/samples/") + room.sample + ".mlir";
    all(readFile(std::filesystem::path(TESSERA_SOURCE_DIR) / file), room.permille);
  }
  for (const auto& [seed, permille] : {std::pair{0, 250}, {14, 400}}) all(randomGraphText(seed), permille);
  for (const char* spill : {"Greedy step", "Beam step", "Exact step", "Exact prices", "Greedy search"})
    EXPECT_GE(counts.rules[spill], enough(1)) << spill;
  for (const char* place : {"Greedy", "Exact", "DFSharding2"}) EXPECT_GE(counts.elsewhere[place], enough(1)) << place;
}

}  // namespace
}  // namespace tessera::test
