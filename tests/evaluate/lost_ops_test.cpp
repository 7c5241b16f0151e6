// Ops that lose time beside another plan of the same graph: which ones, and in which order.

#include "core/evaluate/lost_ops.h"

#include <map>

#include "core/driver/pipeline.h"
#include "core/policy/policy.h"
#include "tests/driver/driver_testing.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

std::unique_ptr<FinishedRun> runAs(Session& session, std::string_view policy) {
  Options options;
  options.policy = policy;
  return runPolicy(session, options, Diagnostics());
}

// %d, %c and %b do the same to inputs of one size, and lose the same; %z reads twice as much and loses more.
TEST(LostOps, OfEqualLossesTheFirstNameComesFirst) {
  const std::string t = "tensor<512x512xbf16>", twice = "tensor<1024x512xbf16>";
  const auto unary = [](const std::string& result, const std::string& kind, const std::string& of,
                        const std::string& type) {
    return "  " + result + " = \"ttir." + kind + "\"(" + of + ") : (" + type + ") -> " + type + "\n";
  };
  std::string body;
  for (const std::string name : {"d", "c", "b"})
    body += unary("%" + name, "relu", "%x" + name, t) + unary("%e" + name, "exp", "%" + name, t);
  body += unary("%z", "relu", "%xz", twice) + unary("%ez", "exp", "%z", twice);
  Session session;
  session.load("ties", "func.func @main(%xd: " + t + ", %xc: " + t + ", %xb: " + t + ", %xz: " + twice + ") -> (" + t +
                           ", " + t + ", " + t + ", " + twice + ") {\n" + body + "  return %ed, %ec, %eb, %ez : " + t +
                           ", " + t + ", " + t + ", " + twice + "\n}\n");
  const auto dram = runAs(session, "DRAM"), greedy = runAs(session, "Greedy");
  ASSERT_TRUE(dram->report.run && greedy->report.run);
  const std::vector<LostOp> lost = lostOps(*dram->report.run, *greedy->report.run);
  std::vector<std::string> makers;
  int64_t before = INT64_MAX;
  for (const LostOp& op : lost) {
    const int64_t loses = op.written - op.optimum;
    EXPECT_GT(loses, 0) << op.name;
    EXPECT_LE(loses, before) << op.name;
    before = loses;
    if (op.op == "ttnn.relu") makers.push_back(op.name);
  }
  EXPECT_EQ(makers, (std::vector<std::string>{"%z", "%b", "%c", "%d"}));
  EXPECT_TRUE(lostOps(*dram->report.run, *dram->report.run).empty()) << "nothing is lost against itself";
}

// %m counts as a move; of %a and %b, which read it one after the other, its time is that of %a.
TEST(LostOps, AMoveIsForTheNextThatReadsIt) {
  const std::string t = "tensor<512x512xbf16>", one = ") : (" + t + ") -> " + t + "\n";
  Session session;
  session.load("moved", "func.func @main(%x: " + t + ") -> (" + t + ", " + t + ") {\n  %m = \"ttir.abs\"(%x" + one +
                            "  %a = \"ttir.relu\"(%m" + one + "  %b = \"ttir.exp\"(%m" + one +
                            "  return %a, %b : " + t + ", " + t + "\n}\n");
  const auto run = runAs(session, "DRAM");
  ASSERT_TRUE(run->report.run);
  RunOutcome written = *run->report.run, other = written;
  CarriedOut &w = ownProgram(written), &o = ownProgram(other);
  std::map<std::string, int64_t> times;
  for (const SimStep& step : w.sim.steps) {
    const Op& op = w.applied.graph.ops[step.op];
    times[op.name] += step.time.total().count;
    if (op.name == "ttnn.abs") w.applied.inserted[step.op].emplace();
  }
  for (SimStep& step : o.sim.steps) step.time = {};
  ASSERT_GT(times["ttnn.abs"], 0);
  std::map<std::string, int64_t> losses;
  for (const LostOp& op : lostOps(written, other)) losses[op.name] = op.written - op.optimum;
  const std::map<std::string, int64_t> expected = {{"%a", times["ttnn.abs"] + times["ttnn.relu"]},
                                                   {"%b", times["ttnn.exp"]}};
  EXPECT_EQ(losses, expected);
}

}  // namespace
}  // namespace tessera::test
