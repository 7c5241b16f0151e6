// What the optimum would have done, of runs under several policies; and the models that other solvers read.

#include "core/driver/regret.h"

#include "core/driver/pipeline.h"
#include "tests/driver/driver_testing.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

const std::string kChain =
    "func.func @main(%a: tensor<512x512xbf16>, %b: tensor<512x512xbf16>) -> tensor<512x512xbf16> {\n"
    "  %0 = \"ttir.matmul\"(%a, %b) : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>\n"
    "  %1 = \"ttir.neg\"(%0) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>\n"
    "  %2 = \"ttir.add\"(%1, %b) : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>\n"
    "  return %2 : tensor<512x512xbf16>\n}\n";

std::unique_ptr<FinishedRun> runOf(Session& session, std::string_view policy) {
  session.load("input", kChain);
  Options options;
  options.policy = policy;
  return runPolicy(session, options, Diagnostics());
}

TEST(Regret, AllFiguresBelongTogether) {
  int64_t optimum = -1;
  for (const char* policy : {"DRAM", "Greedy", "DFSharding2", "Exact"}) {
    SCOPED_TRACE(policy);
    Session session;
    const auto finished = runOf(session, policy);
    const RunOutcome& run = *finished->report.run;
    const Json answer(regretJson(session, *finished));
    EXPECT_EQ(answer["schema"].asInteger(), kReportSchema);
    EXPECT_EQ(answer["policy"].asString(), policy);
    const int64_t time = answer["time"].asInteger().value_or(0), bound = answer["lowerBound"].asInteger().value_or(0);
    EXPECT_EQ(time, run.program->sim.time.count);
    // All fits L1 here: layout selection alone is proven, and the same whatever policy is judged.
    EXPECT_EQ(answer["optimum"].asInteger(), bound);
    EXPECT_GT(bound, 0);
    if (optimum < 0) optimum = bound;
    EXPECT_EQ(bound, optimum);
    EXPECT_LE(bound, time);
    const JsonValue exact = answer["exact"];
    EXPECT_EQ(exact.get("layoutOptimum").asInteger(), bound);
    EXPECT_EQ(exact.get("time").asInteger(), bound);
    EXPECT_EQ(exact.get("proven").asBool(), true);
    if (run.log.exact) EXPECT_EQ(time, bound);
    // A baseline per policy that is one, and no more; none is better than the optimum.
    size_t baselines = 0;
    for (const PolicyInfo& info : allPolicies()) baselines += info.has(kBaseline);
    EXPECT_GE(exact.get("baselines").size(), baselines);
    for (size_t i = 0; i < exact.get("baselines").size(); ++i)
      EXPECT_GE(exact.get("baselines").at(i).get("time").asInteger(), bound);
  }
}

TEST(Regret, EveryOpSaysWhatItsLayoutCosts) {
  for (const char* policy : {"DRAM", "Greedy", "Exact"}) {
    SCOPED_TRACE(policy);
    Session session;
    const auto finished = runOf(session, policy);
    const RunOutcome& run = *finished->report.run;
    const Graph& graph = run.problem->graph;
    const Json answer(regretJson(session, *finished));
    const JsonValue layouts = answer["regrets"].get("layouts"), ops = answer["regrets"].get("ops");
    ASSERT_EQ(ops.size(), 3u);
    const char* const names[] = {"ttnn.matmul", "ttnn.neg", "ttnn.add"};
    int64_t lost = 0;
    for (size_t i = 0; i < 3; ++i) {
      const JsonValue op = ops.at(i), choices = op.get("choices");
      EXPECT_EQ(op.get("op").asString(), names[i]);
      const std::string name(op.get("name").asString().value_or(""));
      const ValueId result = valueNamed(graph, name.substr(1));
      ASSERT_TRUE(result.valid()) << name;
      const auto textOf = [&](size_t choice) {
        return std::string(
            layouts.at(static_cast<size_t>(*choices.at(choice).at(0).asInteger())).asString().value_or(""));
      };
      const auto best = static_cast<size_t>(*op.get("best").asInteger());
      EXPECT_EQ(choices.at(best).at(1).asInteger(), 0);
      std::vector<std::string> seen;
      for (size_t c = 0; c < choices.size(); ++c) {
        EXPECT_GE(*choices.at(c).at(1).asInteger(), -1);
        EXPECT_EQ(std::count(seen.begin(), seen.end(), textOf(c)), 0) << "a layout twice";
        seen.push_back(textOf(c));
      }
      const int64_t present = *op.get("present").asInteger();
      ASSERT_GE(present, 0);
      EXPECT_EQ(textOf(static_cast<size_t>(present)), layoutText(*run.plan.layout[result]));
      EXPECT_EQ(op.get("regret").asInteger(), choices.at(static_cast<size_t>(present)).at(1).asInteger());
      EXPECT_GE(*op.get("candidateRegret").asInteger(), *op.get("regret").asInteger());
      lost += *op.get("regret").asInteger();
      // No choice costs more than the whole loss of the plan that has it.
      EXPECT_LE(*op.get("candidateRegret").asInteger(),
                run.program->sim.time.count - *answer["lowerBound"].asInteger());
    }
    EXPECT_EQ(lost > 0, std::string(policy) == "DRAM");
  }
}

TEST(ExportedModel, TheNoteCountsWhatTheTextHolds) {
  Session session;
  const auto finished = runOf(session, "DRAM");
  std::string wcspNote, lpNote, jointNote, noNote;
  const std::string wcsp = exportModel(session, *finished, "wcsp", wcspNote);
  // "layouts" variables, largest domain, tables, upper bound; then the domains and a table per variable and factor.
  std::istringstream head(wcsp);
  std::string name;
  int64_t variables = 0, largest = 0, tables = 0;
  head >> name >> variables >> largest >> tables;
  EXPECT_EQ(name, "layouts");
  EXPECT_GT(variables, 2);
  const std::string size = std::to_string(variables) + " variables, ";
  EXPECT_EQ(wcspNote.substr(0, size.size()), size);
  EXPECT_NE(wcspNote.find(" tables; the optimum of the text plus "), std::string::npos) << wcspNote;
  EXPECT_EQ(wcspNote.substr(wcspNote.size() - 15), " is nanoseconds");
  const std::string lp = exportModel(session, *finished, "lp", lpNote);
  EXPECT_EQ(lp.substr(0, 8), "Minimize");
  EXPECT_EQ(lpNote, wcspNote.substr(0, wcspNote.find(';')));
  const std::string joint = exportModel(session, *finished, "joint-lp", jointNote);
  EXPECT_EQ(jointNote, lpNote + ", at most " + std::to_string(finished->problem->budget.bytes().count) +
                           " bytes of L1 at every step");
  EXPECT_NE(joint, lp);
  EXPECT_NE(joint.find("<= " + std::to_string(finished->problem->budget.bytes().count)), std::string::npos);
  EXPECT_EQ(exportModel(session, *finished, "none", noNote), "");
}

}  // namespace
}  // namespace tessera::test
