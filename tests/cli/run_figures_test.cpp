// What scripts/soak asks of a graph: figures of its runs, and many questions in one process.

#include "core/cli/run_figures.h"

#include "core/support/json_value.h"
#include "tests/cli/cli_testing.h"
#include "tests/policy/random_graph.h"

namespace tessera::test {
namespace {

// The library repeats into DRAM whatever is asked for, so that a result which a policy wants in L1 is moved there.
constexpr const char* kRepeat =
    "func.func @main(%a: tensor<8x2x1024x1xbf16>) -> tensor<24x2x2048x1xbf16> {\n"
    "  %0 = \"ttir.repeat\"(%a) <{repeat_dimensions = array<i64: 3, 1, 2, 1>}> : (tensor<8x2x1024x1xbf16>) -> "
    "tensor<24x2x2048x1xbf16>\n"
    "  return %0 : tensor<24x2x2048x1xbf16>\n}\n";

std::string allRuns() {
  std::string runs;
  for (const PolicyInfo& policy : allPolicies()) {
    if (!policy.has(kAsItStands))
      runs += (runs.empty() ? "" : ",") + ("{\"policy\":\"" + std::string(policy.id)) + "\"}";
  }
  return "{\"execute\":true,\"runs\":[" + runs + "]}";
}

TEST(RunFigures, APlanTakesWhatItsRunTakes) {
  Session session;
  const SourceBuffer answer("answer", runFigures(session, kRepeat, allRuns()));
  Diagnostics diags;
  const JsonDocument document = JsonDocument::parse(answer, diags);
  ASSERT_TRUE(diags.all().empty()) << answer.text();
  EXPECT_EQ(document.root().get("problem").asString(), "");
  const JsonValue runs = document.root().get("runs");
  ASSERT_GE(runs.size(), 8u);
  int64_t exact = -1, least = INT64_MAX;
  for (size_t i = 0; i < runs.size(); ++i) {
    const JsonValue run = runs.at(i);
    SCOPED_TRACE(std::string(run.get("policy").asString().value_or("")));
    EXPECT_EQ(run.get("planTime").asInteger(), run.get("time").asInteger());
    EXPECT_EQ(run.get("defects").size(), 0u);
    EXPECT_EQ(run.get("failures").asInteger(), 0);
    EXPECT_EQ(run.get("refused").asInteger(), 0);
    // The argument is read and the result written at least; tiles of two rows and one column.
    EXPECT_GE(run.get("dramBytes").asInteger().value_or(0), (8 * 1024 + 24 * 2048) / 32 * int64_t{2048});
    EXPECT_EQ(run.get("execution").asString().value_or("").substr(0, 5), "equal");
    least = std::min(least, run.get("time").asInteger().value_or(0));
    const JsonValue proof = run.get("exact");
    if (!proof.isObject()) continue;
    exact = run.get("time").asInteger().value_or(-1);
    EXPECT_EQ(proof.get("cutOps").asInteger(), 0);
    EXPECT_LE(proof.get("bound").asInteger().value_or(INT64_MAX), exact);
  }
  EXPECT_EQ(exact, least);
}

// The last op needs more than the plan may fill even alone: what an override keeps in L1 leaves it before.
TEST(RunFigures, WhatIsFixedInL1MakesRoom) {
  const std::string text =
      "func.func @main(%a: tensor<2x50x1152xf32>, %b: tensor<2x12x128x64xf32>) -> (tensor<2x50x1152xf32>, "
      "tensor<2x128x768xf32>) {\n"
      "  %0 = \"ttir.exp\"(%a) : (tensor<2x50x1152xf32>) -> tensor<2x50x1152xf32>\n"
      "  %1 = \"ttir.concatenate_heads\"(%b) : (tensor<2x12x128x64xf32>) -> tensor<2x128x768xf32>\n"
      "  return %0, %1 : tensor<2x50x1152xf32>, tensor<2x128x768xf32>\n}\n";
  for (const PolicyInfo& policy : allPolicies()) {
    if (policy.has(kAsItStands)) continue;
    Session session;
    const std::string answer = runFigures(
        session, text,
        "{\"runs\":[{\"tensor-l1-usage-cap\":0.1,\"override-output-layout\":\"%0=l1:interleaved\",\"policy\":\"" +
            std::string(policy.id) + "\"}]}");
    EXPECT_NE(answer.find("\"defects\":[]"), std::string::npos) << answer;
  }
}

// Ops whose candidates are cut, with so many legal layouts per op.
int64_t cutOps(const std::string& text, int layouts) {
  Session session;
  const Json answer(runFigures(session, text,
                               R"({"runs":[{"policy":"Exact","max-legal-layouts":)" + std::to_string(layouts) + "}]}"));
  return answer["runs"].at(0).get("exact").get("cutOps").asInteger().value_or(-1);
}

// The three element-wise ops have more layouts than are candidates, the product has not.
TEST(RunFigures, CountTheOpsWhoseCandidatesAreCut) {
  const std::string x = "tensor<2048x2048xbf16>", one = " : (" + x + ") -> " + x + "\n",
                    two = " : (" + x + ", " + x + ") -> " + x + "\n";
  const std::string text = "func.func @main(%a: " + x + ", %b: " + x + ") -> " + x + " {\n  %0 = \"ttir.relu\"(%a)" +
                           one + "  %1 = \"ttir.add\"(%0, %b)" + two + "  %2 = \"ttir.matmul\"(%1, %b)" + two +
                           "  %3 = \"ttir.relu\"(%2)" + one + "  return %3 : " + x + "\n}\n";
  EXPECT_EQ(cutOps(text, 8), 0);
  EXPECT_EQ(cutOps(text, 64), 3);
}

// Four operands that may each be read in many layouts: there are more combinations than are tried, though all ops
// around have few candidates.
TEST(RunFigures, CountTheOpsWhoseReadsAreCut) {
  const std::string x = "tensor<256x256xbf16>", y = "tensor<1024x256xbf16>";
  std::string text = "func.func @main(%a: " + x + ") -> " + y + " {\n", operands, types;
  for (int i = 0; i < 4; ++i) {
    const std::string name = "%v" + std::to_string(i);
    text += "  " + name + " = \"ttir.relu\"(%a) : (" + x + ") -> " + x + "\n";
    operands += (i > 0 ? ", " : "") + name, types += (i > 0 ? ", " : "") + x;
  }
  text += "  %r = \"ttir.concat\"(" + operands + ") <{dim = 0 : si32}> : (" + types + ") -> " + y +
          "\n  return %r : " + y + "\n}\n";
  EXPECT_EQ(cutOps(text, 1), 0);
  EXPECT_EQ(cutOps(text, 5), 1);
}

// A program with ops that the compiler's verifier refuses is not read again: the first of them says why.
TEST(RunFigures, TheFirstRefusedOpIsWhyAProgramIsNotWritten) {
  const std::string five = "tensor<2x3x4x5x64xbf16>", six = "tensor<2x2x3x4x5x64xbf16>", four = "tensor<2x3x4x64xbf16>",
                    last = "tensor<2x2x3x4x64xbf16>";
  const auto product = [](const std::string& dim, const std::string& from, const std::string& to) {
    return " <{dim_arg = [" + dim + " : i32], keep_dim = false}> : (" + from + ") -> " + to + "\n";
  };
  Session session;
  const Json answer(runFigures(session,
                               "func.func @main(%a: " + five + ", %b: " + six + ") -> (" + four + ", " + last +
                                   ") {\n  %0 = \"ttir.prod\"(%a)" + product("3", five, four) +
                                   "  %1 = \"ttir.prod\"(%b)" + product("4", six, last) + "  return %0, %1 : " + four +
                                   ", " + last + "\n}\n",
                               R"({"written":true,"runs":[{"policy":"DRAM"}]})"));
  const std::string written(answer["runs"].at(0).get("written").asString().value_or(""));
  EXPECT_EQ(written.rfind("refused: ", 0), 0u) << written;
  EXPECT_NE(written.find("5 and 4"), std::string::npos) << written;
}

// Each figure of an exact search is the search's own, where bound and time differ and where they do not.
TEST(RunFigures, OfAnExactSearch) {
  int apart = 0;
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    const std::string text = randomGraphText(seed), options = R"({"policy":"Exact","tensor-l1-usage-cap":0.03})";
    Session figures, session;
    const SourceBuffer answer("figures", runFigures(figures, text, "{\"runs\":[" + options + "]}"));
    Diagnostics diags;
    const JsonDocument document = JsonDocument::parse(answer, diags);
    const JsonValue exact = document.root().get("runs").at(0).get("exact");
    session.load("f", text);
    Options asked;
    asked.policy = "Exact", asked.l1UsageCapPermille = 30;
    const auto done = runPolicy(session, asked, Diagnostics());
    ASSERT_TRUE(done->report.run && done->report.run->log.exact);
    const ExactTrace& trace = *done->report.run->log.exact;
    EXPECT_EQ(exact.get("time").asInteger(), trace.time);
    EXPECT_EQ(exact.get("bound").asInteger(), trace.lowerBound);
    EXPECT_EQ(exact.get("proven").asBool(), trace.proven);
    EXPECT_EQ(exact.get("cutOps").asInteger(), trace.cutOps);
    ASSERT_EQ(exact.get("plans").size(), trace.baselines.size());
    for (size_t i = 0; i < trace.baselines.size(); ++i) {
      EXPECT_EQ(exact.get("plans").at(i).at(0).asString(), trace.baselines[i].policy);
      EXPECT_EQ(exact.get("plans").at(i).at(1).asInteger(), trace.baselines[i].time);
      EXPECT_EQ(exact.get("plans").at(i).at(2).asBool(), trace.baselines[i].fits);
    }
    apart += trace.lowerBound < trace.time;
  }
  EXPECT_GT(apart, 0);
}

// The figures are those of the report; a product that nothing can hold fails at three steps, and one is refused.
TEST(RunFigures, AreThoseOfTheReport) {
  for (const char* name : {"absurd_matmul", "late_spill", "diamond"}) {
    SCOPED_TRACE(name);
    const std::string text =
        readFile(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/golden/cases" / (std::string(name) + ".mlir"));
    for (const char* policy : {"DRAM", "Greedy"}) {
      const std::string asked = "{\"policy\":\"" + std::string(policy) + "\"}";
      Session figures, report;
      Diagnostics diags;
      const SourceBuffer first("figures", runFigures(figures, text, "{\"runs\":[" + asked + "]}")),
          second("report", apiRun(report, text, asked));
      const JsonDocument own = JsonDocument::parse(first, diags), whole = JsonDocument::parse(second, diags);
      const JsonValue run = own.root().get("runs").at(0), totals = whole.root().get("run").get("totals");
      for (const char* figure : {"time", "dramBytes", "peakL1", "failures", "refused"}) {
        ASSERT_TRUE(totals.get(figure).asInteger()) << figure;
        EXPECT_EQ(run.get(figure).asInteger(), totals.get(figure).asInteger()) << policy << " " << figure;
      }
      if (std::string_view(name) != "absurd_matmul") continue;
      EXPECT_EQ(run.get("failures").asInteger(), 3);
      EXPECT_EQ(run.get("refused").asInteger(), 1);
    }
  }
}

TEST(RunFigures, SaysWhatIsWrong) {
  Session session;
  EXPECT_NE(runFigures(session, "func.func @main(", allRuns()).find("\"problem\":\"unexpected end"), std::string::npos);
  EXPECT_NE(runFigures(session, kRepeat, "{").find("\"runs\":[],\"problem\":\""), std::string::npos);
}

}  // namespace
}  // namespace tessera::test
