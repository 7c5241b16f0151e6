// TTNN graphs that carry their layouts, taken as they stand.

#include "core/driver/pipeline.h"
#include "tests/driver/driver_testing.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

const std::string kLayouts =
    "#dram = #ttnn.buffer_type<dram>\n#l1 = #ttnn.buffer_type<l1>\n"
    "#d = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32x!ttcore.tile<32x32, bf16>, #dram>, "
    "<interleaved>>\n"
    "#s = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<4x4x!ttcore.tile<32x32, bf16>, #l1>, "
    "<block_sharded>>\n";
const std::string kD = "tensor<1024x1024xbf16, #d>", kS = "tensor<1024x1024xbf16, #s>";

// A chain of relus in L1; each result is freed after its reader when `deallocated` says so.
std::string reluChain(const std::vector<bool>& deallocated) {
  std::string text = kLayouts + "func.func @main(%a: " + kD + ") -> " + kD + " {\n";
  text += "  %0 = \"ttnn.to_memory_config\"(%a) : (" + kD + ") -> " + kS + "\n";
  for (size_t i = 0; i < deallocated.size(); ++i) {
    const std::string from = std::to_string(i), to = std::to_string(i + 1);
    text += "  %" + to + " = \"ttnn.relu\"(%" + from + ") : (" + kS + ") -> " + kS + "\n";
    if (deallocated[i]) text += "  \"ttnn.deallocate\"(%" + from + ") <{force = false}> : (" + kS + ") -> ()\n";
  }
  const std::string last = std::to_string(deallocated.size());
  text += "  %r = \"ttnn.to_memory_config\"(%" + last + ") : (" + kS + ") -> " + kD + "\n";
  return text + "  \"ttnn.deallocate\"(%" + last + ") <{force = false}> : (" + kS + ") -> ()\n  return %r : " + kD +
         "\n}\n";
}

std::unique_ptr<FinishedRun> asWritten(Session& session, const std::string& text) {
  session.load("x", text);
  Options options;
  chooseDefaultPolicy(options, *session.loaded());
  EXPECT_EQ(options.policy, "AsWritten");
  auto finished = runPolicy(session, options, {});
  EXPECT_TRUE(finished->report.run.has_value());
  return finished;
}

std::string diagnosticsOf(const FinishedRun& finished) {
  std::string text;
  for (const Diagnostic& d : finished.diagnostics.all()) text += d.message + "\n";
  return text;
}

TEST(AsWritten, RunsWhatStandsThere) {
  Session session;
  auto finished = asWritten(session, reluChain({true, true, true}));
  const RunOutcome& run = *finished->report.run;
  EXPECT_EQ(run.program->sim.steps.size(), 10u) << "deallocations are steps";
  EXPECT_EQ(run.program->sim.failures, 0);
  EXPECT_EQ(run.program->sim.refused, 0);
  EXPECT_TRUE(run.defects.empty()) << run.defects[0].text;
  EXPECT_EQ(diagnosticsOf(*finished), "");
  EXPECT_GE(run.program->sim.peakL1.count, 2 * 16 * 2048);
  EXPECT_TRUE(finished->report.ok());
}

TEST(AsWritten, AMissingDeallocateIsSaidAndSeen) {
  Session session, other;
  auto fine = asWritten(session, reluChain({true, true, true}));
  auto finished = asWritten(other, reluChain({true, false, true}));
  EXPECT_EQ(diagnosticsOf(*finished), "`%1` is never deallocated: it stays in L1 block 8x8 to the end\n");
  EXPECT_EQ(finished->report.run->program->sim.peakL1.count, fine->report.run->program->sim.peakL1.count + 16 * 2048);
  EXPECT_TRUE(finished->report.run->defects.empty());
  EXPECT_TRUE(finished->report.ok()) << "a warning";
}

TEST(AsWritten, AnOverfullL1RunsOutOfMemory) {
  Session session;
  auto finished = asWritten(session, reluChain(std::vector<bool>(60, false)));
  EXPECT_GT(finished->report.run->program->sim.failures, 0);
  EXPECT_EQ(finished->report.run->program->sim.steps[45].verdict, RunVerdict::OutOfMemory);
  EXPECT_TRUE(finished->report.run->defects.empty());
}

TEST(AsWritten, AUseAfterDeallocateFails) {
  std::string text = reluChain({true, true});
  const std::string free = "  \"ttnn.deallocate\"(%0) <{force = false}> : (" + kS + ") -> ()\n";
  text.replace(text.find(free), free.size(), "");
  text.insert(text.find("  %1 ="), free);
  Session session;
  auto finished = asWritten(session, text);
  EXPECT_EQ(finished->report.run->program->sim.failures, 1);
  EXPECT_EQ(finished->report.run->program->sim.steps[2].verdict, RunVerdict::UseAfterFree);
}

TEST(AsWritten, WithoutDeallocationsTensorsAreFreedAfterTheirLastUse) {
  std::string text = kLayouts + "func.func @main(%a: " + kD + ") -> " + kD + " {\n  %0 = \"ttnn.relu\"(%a) : (" + kD +
                     ") -> " + kD + "\n  %1 = \"ttnn.relu\"(%0) : (" + kD + ") -> " + kD + "\n  return %1 : " + kD +
                     "\n}\n";
  Session session;
  auto finished = asWritten(session, text);
  EXPECT_NE(diagnosticsOf(*finished).find("`@main` deallocates nothing"), std::string::npos);
  EXPECT_EQ(finished->report.run->program->sim.freeing, Freeing::AfterLastUse);
}

TEST(AsWritten, AGraphWithoutLayoutsStaysInDram) {
  Session session;
  session.load("x", kRelu);
  Options options;
  chooseDefaultPolicy(options, *session.loaded());
  EXPECT_EQ(options.policy, Options().policy);
  options.policy = "AsWritten";
  auto finished = runPolicy(session, options, {});
  ASSERT_TRUE(finished->report.run);
  EXPECT_EQ(finished->report.run->program->sim.peakL1.count > 0, true) << "circular buffers";
  ASSERT_EQ(finished->report.run->log.warnings.size(), 1u);
}

TEST(AsWritten, APolicyThatIsAskedForDecides) {
  Session session;
  session.load("x", reluChain({true}));
  Options options;
  Diagnostics diags;
  setOption(options, "policy", "Greedy", diags);
  chooseDefaultPolicy(options, *session.loaded());
  EXPECT_EQ(options.policy, "Greedy");
}

// Layout ops and deallocations are gone, and the relus find their way alone.
TEST(Reoptimize, TakesTheDecisionsOut) {
  Session session;
  session.load("x", reluChain({true, true, false}));
  Options options;
  options.reoptimize = true;
  auto finished = runPolicy(session, options, {});
  ASSERT_TRUE(finished->report.run);
  std::string ops;
  for (OpId op : finished->problem->schedule.order) ops += finished->problem->graph.ops[op].name + " ";
  EXPECT_EQ(ops, "ttnn.relu ttnn.relu ttnn.relu func.return ");
  EXPECT_TRUE(finished->report.ok());
}

}  // namespace
}  // namespace tessera::test
