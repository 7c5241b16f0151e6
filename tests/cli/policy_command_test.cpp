// Policies outside of the program: they answer, fail, hang, or talk nonsense.

#include <chrono>

#include "core/cli/child_process.h"
#include "core/cli/cli.h"
#include "tests/cli/cli_testing.h"

namespace tessera::test {
namespace {

Outcome withCommand(const std::string& graph, const std::string& command, const std::string& seconds = "20") {
  return runTessera({"run", graph, "--policy-command", command, "--policy-time-limit", seconds});
}

TEST(PolicyCommand, ReadsTheProblemAndGivesAPlan) {
  TemporaryFile graph(kRelu);
  Outcome outcome =
      withCommand(graph.path(), "grep -q '\"op\":\"ttnn.relu\"' && echo '{\"schema\": 1, \"policy\": \"mine\"}'");
  EXPECT_EQ(outcome.code, kExitFine) << outcome.err;
  EXPECT_EQ(outcome.out.rfind("%0  ttnn.relu  DRAM", 0), 0u) << outcome.out;
}

TEST(PolicyCommand, NeedNotReadTheProblem) {
  TemporaryFile graph(kRelu);
  EXPECT_EQ(withCommand(graph.path(), "echo '{\"schema\": 1}'").code, kExitFine);
}

// As it is checked when it comes from a file: of the graph as it is, with the moves that it has.
TEST(PolicyCommand, TheCommandsPlanIsChecked) {
  TemporaryFile graph(
      "func.func @main(%a: tensor<512x512xbf16>) -> tensor<512x512xbf16> {\n"
      "  %0 = \"ttir.exp\"(%a) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>\n"
      "  %1 = \"ttir.relu\"(%0) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>\n"
      "  return %1 : tensor<512x512xbf16>\n}\n");
  TemporaryFile plan(runTessera({"run", graph.path(), "--policy", "DFSharding", "--plan-out"}).out);
  const Outcome read = runTessera({"run", graph.path(), "--plan", plan.path(), "--check"});
  const Outcome asked = runTessera({"run", graph.path(), "--policy-command", "cat " + plan.path(), "--check"});
  EXPECT_EQ(asked.code, kExitFine) << asked.err;
  EXPECT_NE(asked.out.find("--  execution: equal: "), std::string::npos) << asked.out;
  EXPECT_EQ(asked.out, read.out);
}

struct Failure {
  const char* command;
  const char* message;
};

TEST(PolicyCommand, WhatGoesWrongIsSaid) {
  TemporaryFile graph(kRelu);
  constexpr Failure kFailures[] = {
      {"exit 3", "the policy command ended with exit code 3: exit 3"},
      {"echo trouble >&2; exit 1", "trouble\n"},
      {"echo '{\"schema\": 1}'; exit 1", "the policy command ended with exit code 1"},
      {"/no/such/program", "the policy command cannot be run"},
      {"kill -9 $$", "the policy command was ended by signal 9"},
      {"true", "the policy command gave no plan"},
      {"echo nonsense", "<the policy command's answer>:1:"},
      {"echo '{\"schema\": 1, \"values\": {\"%0\": NaN}}'", "<the policy command's answer>:1:"},
      {"echo '{\"schema\": 1, \"graph\": \"0000000000000000\"}'", "the plan was made for another graph"},
  };
  for (const Failure& failure : kFailures) {
    Outcome outcome = withCommand(graph.path(), failure.command);
    EXPECT_EQ(outcome.code, kExitDiagnostics) << failure.command;
    EXPECT_NE(outcome.err.find(failure.message), std::string::npos) << failure.command << "\n" << outcome.err;
  }
}

TEST(PolicyCommand, OneThatHangsIsStoppedWithAllThatItStarted) {
  TemporaryFile graph(kRelu);
  const auto start = std::chrono::steady_clock::now();
  for (const char* command :
       {"sleep 600", "sleep 600 & sleep 600", "exec 1>&- 2>&-; sleep 600", "while true; do :; done"}) {
    Outcome outcome = withCommand(graph.path(), command, "0.3");
    EXPECT_EQ(outcome.code, kExitDiagnostics) << command;
    EXPECT_NE(outcome.err.find("within 0.3 s and was stopped"), std::string::npos) << outcome.err;
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60)) << "none of them ran to its end";
}

// Even before it has run at all.
TEST(PolicyCommand, OneWithoutTimeIsStoppedAtOnce) {
  for (int i = 0; i < 20; ++i) {
    TemporaryFile mark("");
    const std::string command = "sleep 0.2; echo ran > " + mark.path();
    const ChildAnswer answer = runChild(command, "", {.milliseconds = 0, .outputBytes = 100, .memoryBytes = 1 << 30});
    EXPECT_EQ(answer.problem, "gave no answer within 0 s and was stopped");
    EXPECT_EQ(readFile(mark.path()), "") << "it ran to its end";
  }
}

TEST(PolicyCommand, OneThatTalksWithoutEndIsStopped) {
  ChildAnswer answer = runChild("yes", "", {.milliseconds = 20'000, .outputBytes = 100'000, .memoryBytes = 1 << 30});
  EXPECT_EQ(answer.problem, "answered with more than 100000 bytes and was stopped");
}

TEST(PolicyCommand, WholeSecondsAreSaidWithoutAPoint) {
  EXPECT_EQ(runChild("sleep 600", "", {.milliseconds = 1000, .outputBytes = 1000, .memoryBytes = 1 << 30}).problem,
            "gave no answer within 1 s and was stopped");
}

// The last of what it complains of is what ended it.
TEST(PolicyCommand, OfLongComplaintsTheEndIsKept) {
  const ChildAnswer few = runChild("echo first >&2; echo last >&2", "", {});
  EXPECT_EQ(few.err, "first\nlast\n");
  const ChildAnswer many = runChild("echo first >&2; seq 100000 120000 >&2; echo last >&2", "", {});
  EXPECT_EQ(many.problem, "");
  EXPECT_EQ(many.err.find("first"), std::string::npos);
  const std::string end = "119998\n119999\n120000\nlast\n";
  ASSERT_GE(many.err.size(), end.size());
  EXPECT_EQ(many.err.substr(many.err.size() - end.size()), end);
  EXPECT_LT(many.err.size(), 100'000u);
}

TEST(PolicyCommand, ALongInputReachesAChildThatAnswersMeanwhile) {
  const std::string input(5'000'000, 'x');
  ChildAnswer answer = runChild("cat", input, {});
  EXPECT_EQ(answer.problem, "");
  EXPECT_TRUE(answer.out == input);
}

TEST(PolicyCommand, UsageIsChecked) {
  TemporaryFile graph(kRelu);
  EXPECT_EQ(withCommand(graph.path(), "true", "0").code, kExitUsage);
  EXPECT_EQ(withCommand(graph.path(), "true", "soon").code, kExitUsage);
  EXPECT_EQ(runTessera({"run", graph.path(), "--policy-command", "true", "--plan", "x"}).code, kExitUsage);
}

}  // namespace
}  // namespace tessera::test
