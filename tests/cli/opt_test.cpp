// `tessera opt` as ttmlir-opt's stand-in: how its input is split, checked and printed.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/cli/cli.h"
#include "core/lowering/pass.h"

namespace tessera::test {
namespace {

struct OptOutcome {
  int code = 0;
  std::string out;
  std::string err;
};

OptOutcome runOpt(const std::string& text, std::vector<std::string> arguments) {
  std::string path = ::testing::TempDir() + "tessera_opt_" + std::to_string(::getpid());
  std::ofstream(path, std::ios::binary) << text;
  arguments.insert(arguments.begin(), {"opt", path});
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  OptOutcome outcome;
  outcome.code = runCommandLine(arguments);
  std::fflush(stdout);
  outcome.out = ::testing::internal::GetCapturedStdout();
  outcome.err = ::testing::internal::GetCapturedStderr();
  std::remove(path.c_str());
  return outcome;
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string kGood =
    "func.func public @f(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {\n"
    "  %y = \"ttir.leaky_relu\"(%x) {parameter = 0.01 : f32, ttir.note} : (tensor<2x4xf32>) -> tensor<2x4xf32> "
    "loc(\"act\")\n"
    "  return %y : tensor<2x4xf32>\n}\n";
const std::string kBad =
    "func.func @g(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {\n"
    "  // expected-error @+1 {{does not hold}}\n"
    "  %y = \"ttir.reverse\"(%x) <{dimensions = array<i64: 2>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>\n"
    "  return %y : tensor<2x4xf32>\n}\n";

const std::string kChain =
    "func.func public @f(%x: tensor<512x512xbf16>, %w: tensor<512x512xbf16>) -> tensor<512x512xbf16> {\n"
    "  %0 = \"ttir.matmul\"(%x, %w) : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16>\n"
    "  %1 = \"ttir.relu\"(%0) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>\n"
    "  %2 = \"ttir.neg\"(%1) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>\n"
    "  return %2 : tensor<512x512xbf16>\n}\n";

TEST(Opt, WithoutPassesPrintsAsMlirDoes) {
  OptOutcome outcome = runOpt(kGood, {});
  EXPECT_EQ(outcome.code, kExitFine) << outcome.err;
  EXPECT_EQ(outcome.out,
            "module {\n  func.func public @f(%arg0: tensor<2x4xf32>) -> tensor<2x4xf32> {\n"
            "    %0 = \"ttir.leaky_relu\"(%arg0) <{parameter = 0.00999999977 : f32}> {ttir.note} : "
            "(tensor<2x4xf32>) -> tensor<2x4xf32>\n    return %0 : tensor<2x4xf32>\n  }\n}\n");
  EXPECT_TRUE(holds(runOpt(kGood, {"-mlir-print-debuginfo"}).out, "loc(\"act\")"));
}

TEST(Opt, LayoutsAreAliasesUnlessTheScopeIsLocal) {
  OptOutcome aliases = runOpt(kGood, {"--ttnn-layout"});
  EXPECT_TRUE(holds(aliases.out, "#dram = #ttnn.buffer_type<dram>\n#ttnn_layout = #ttnn.ttnn_layout<")) << aliases.out;
  EXPECT_FALSE(holds(runOpt(kGood, {"--ttnn-layout", "--mlir-print-local-scope"}).out, "#ttnn_layout"));
  OptOutcome pipeline = runOpt(kGood, {"--ttir-to-ttnn-backend-pipeline"});
  EXPECT_TRUE(holds(pipeline.out, "module {\n  ttcore.device_module {\n    builtin.module {\n")) << pipeline.out;
}

TEST(Opt, PartsAreReadByThemselves) {
  OptOutcome outcome = runOpt(kGood + "// -----\n" + kBad + "// -----\n// nothing\n", {"--split-input-file"});
  EXPECT_EQ(outcome.code, kExitDiagnostics);
  EXPECT_TRUE(holds(outcome.err, ":8:3: error: `ttir.reverse`")) << outcome.err;
  EXPECT_TRUE(holds(outcome.out, "// -----\n// -----\nmodule {\n}\n")) << outcome.out;
}

// A part of comments is an empty module, however they are indented; anything else is read.
TEST(Opt, PartsOfCommentsAreEmptyModules) {
  for (const char* part : {"", "\n\n", "// a\n", "  // a\n\t// b\r\n \t\r\n"})
    EXPECT_EQ(runOpt(kGood + "// -----\n" + part + "// -----\n", {"--split-input-file"})
                  .out.substr(runOpt(kGood, {}).out.size()),
              "// -----\nmodule {\n}\n// -----\nmodule {\n}\n")
        << part;
  EXPECT_EQ(runOpt(kGood + "// -----\n/ a\n", {"--split-input-file"}).code, kExitDiagnostics);
}

// Ten thousand parts are the most: what would be one more stays in the last, here a second function of its name.
TEST(Opt, WhatIsBehindTheLastPartStaysInIt) {
  std::string empty;
  for (int i = 0; i < 9998; ++i) empty += "// -----\n";
  const std::string two = "// -----\n" + kGood, three = two + "// -----\n" + kGood;
  EXPECT_EQ(runOpt(empty + two, {"--split-input-file"}).code, kExitFine);
  EXPECT_EQ(runOpt(empty + three, {"--split-input-file"}).code, kExitDiagnostics);
}

TEST(Opt, ExpectedDiagnosticsAreCompared) {
  EXPECT_EQ(runOpt(kBad, {"--verify-diagnostics"}).code, kExitFine);
  EXPECT_EQ(runOpt(kBad, {}).code, kExitDiagnostics);
  std::string otherWords = kBad, otherLine = kBad;
  otherWords.replace(otherWords.find("does not hold"), 13, "never written");
  otherLine.replace(otherLine.find("@+1"), 3, "@+2");
  EXPECT_EQ(runOpt(otherWords, {"--verify-diagnostics"}).code, kExitDiagnostics);
  EXPECT_EQ(runOpt(otherWords, {"--verify-diagnostics=lines"}).code, kExitFine);
  OptOutcome elsewhere = runOpt(otherLine, {"--verify-diagnostics=lines"});
  EXPECT_TRUE(holds(elsewhere.err, "unexpected error") && holds(elsewhere.err, "was not produced")) << elsewhere.err;
}

// Lines are those of the file, in every part of it: the mistake stands in line 10, what is expected in the line above.
TEST(Opt, ExpectedDiagnosticsOfALaterPart) {
  const std::string before = kGood + "// -----\n", wrong = std::string(kBad).replace(kBad.find("@+1"), 3, "@+3");
  EXPECT_EQ(runOpt(before + kBad, {"--split-input-file", "--verify-diagnostics"}).code, kExitFine);
  const OptOutcome elsewhere = runOpt(before + wrong, {"--split-input-file", "--verify-diagnostics"});
  EXPECT_EQ(elsewhere.code, kExitDiagnostics);
  const auto line = std::count(before.begin(), before.end(), '\n') + 3;
  EXPECT_TRUE(holds(elsewhere.err, ":" + std::to_string(line) + ": ")) << elsewhere.err;
  EXPECT_TRUE(holds(elsewhere.err, ":" + std::to_string(line + 2) + ": ")) << elsewhere.err;
}

TEST(Opt, OptionsOfTheDriver) {
  std::string out = ::testing::TempDir() + "tessera_opt_out_" + std::to_string(::getpid());
  EXPECT_EQ(runOpt(kGood, {"-o", out, "--canonicalize", "--allow-unregistered-dialect"}).out, "");
  std::ifstream file(out);
  std::string first;
  std::getline(file, first);
  EXPECT_EQ(first, "module {");
  std::remove(out.c_str());
  EXPECT_EQ(runOpt(kGood, {"--pass-pipeline=builtin.module(ttir-fusing,func.func(canonicalize))"}).code, kExitFine);
  EXPECT_EQ(runOpt(kGood, {"--pass-pipeline=builtin.module(nothing)"}).code, kExitUsage);
  EXPECT_EQ(runOpt(kGood, {"--ttcore-register-device=mock-system-desc-arch=blackhole"}).code, kExitFine);
  OptOutcome after = runOpt(kGood, {"--canonicalize", "--ttir-fusing", "--mlir-print-ir-after=ttir-fusing"});
  EXPECT_TRUE(holds(after.err, "(ttir-fusing) //----- //") && !holds(after.err, "(canonicalize)")) << after.err;
}

// In a pipeline the graph before a pass is the one after the pass before it; before the first, the one that was read.
TEST(Opt, DumpsOfAPipelineFollowOneAnother) {
  const std::string unread = std::string(kChain).replace(kChain.find("return %2"), 9, "return %1");
  const OptOutcome done =
      runOpt(unread, {"--ttir-to-ttnn-backend-pipeline", "--mlir-print-ir-before-all", "--mlir-print-ir-after-all"});
  ASSERT_EQ(done.code, kExitFine) << done.err;
  const std::string mark = "// -----// IR Dump ", end = "//----- //\n";
  std::string last = runOpt(unread, {}).out;
  int passes = 0, changes = 0;
  for (size_t at = done.err.find(mark); at != std::string::npos; at = done.err.find(mark, at + 1)) {
    const bool before = done.err.compare(at + mark.size(), 6, "Before") == 0;
    const size_t begin = done.err.find(end, at) + end.size();
    const std::string dump = done.err.substr(begin, done.err.find("\n}\n", begin) + 3 - begin);
    if (before && passes > 0) EXPECT_EQ(dump, last) << "before pass " << passes;
    if (before && passes == 0) EXPECT_TRUE(holds(dump, "%2 = \"ttir.neg\"")) << dump;
    if (before) ++passes;
    else changes += dump != last;
    last = dump;
  }
  EXPECT_GT(passes, 10);
  EXPECT_GT(changes, 3);
}

TEST(Opt, SeveralModulesMayUseOneName) {
  std::string modules = "module @a {\n" + kGood + "}\nmodule @b {\n" + kGood + "}\n";
  OptOutcome outcome = runOpt(modules, {});
  EXPECT_EQ(outcome.code, kExitFine) << outcome.err;
  EXPECT_TRUE(holds(outcome.out, "module @a {") && holds(outcome.out, "module @b {")) << outcome.out;
}

// A module that cannot be read counts wherever it stands; the others are printed.
TEST(Opt, OneOfSeveralModulesThatIsRefusedCounts) {
  const std::string bad =
      "func.func @main(%a: tensor<4xf32>) -> tensor<5xf32> {\n"
      "  %0 = \"ttir.relu\"(%a) : (tensor<4xf32>) -> tensor<5xf32>\n  return %0 : tensor<5xf32>\n}\n";
  for (const bool first : {true, false}) {
    const OptOutcome outcome =
        runOpt("module @a {\n" + (first ? bad : kGood) + "}\nmodule @b {\n" + (first ? kGood : bad) + "}\n", {});
    EXPECT_EQ(outcome.code, kExitDiagnostics) << outcome.err;
    EXPECT_TRUE(holds(outcome.out, first ? "module @b {" : "module @a {")) << outcome.out;
  }
}

TEST(Opt, TheOptimizerRunsAlone) {
  // Without layouts: what comes before it runs first, and is said.
  OptOutcome ttir = runOpt(kChain, {"--ttnn-optimizer"});
  EXPECT_EQ(ttir.code, kExitFine) << ttir.err;
  EXPECT_TRUE(holds(ttir.err, "ttnn-optimizer: the graph has no layouts")) << ttir.err;
  EXPECT_TRUE(holds(ttir.out, "#l1") && holds(ttir.out, "sharded")) << ttir.out;
  // With layouts: on the graph as it stands, under the options of the pass.
  const std::string laidOut = runOpt(kChain, {"--ttnn-layout", "--convert-ttir-to-ttnn"}).out;
  OptOutcome off = runOpt(laidOut, {"--ttnn-optimizer=memory-layout-analysis-enabled=false"});
  EXPECT_EQ(off.code, kExitFine) << off.err;
  EXPECT_FALSE(holds(off.out, "#l1")) << off.out;
  OptOutcome on = runOpt(laidOut, {"-ttnn-optimizer=memory-layout-analysis-policy=DFSharding"});
  EXPECT_TRUE(on.err.empty() && holds(on.out, "sharded")) << on.err << on.out;
  EXPECT_EQ(runOpt(laidOut, {"--ttnn-optimizer=nonsense=7"}).code, kExitUsage);
}

TEST(Opt, UnknownOptionsOfAPassAreMistakes) {
  OptOutcome outcome = runOpt(kGood, {"--ttir-erase-inverse-ops=nonsense=7"});
  EXPECT_EQ(outcome.code, kExitUsage);
  EXPECT_TRUE(holds(outcome.err, "pass `ttir-erase-inverse-ops` has no option `nonsense`")) << outcome.err;
}

// Two programs of one file, a helper that one of them calls, and one that nobody does.
const std::string kTwoPrograms =
    kChain +
    "func.func private @half(%x: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
    "  %0 = \"ttir.neg\"(%x) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
    "  return %0 : tensor<64x64xbf16>\n}\n"
    "func.func @g(%x: tensor<64x64xbf16>, %w: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
    "  %0 = \"ttir.matmul\"(%x, %w) : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
    "  %1 = \"ttir.relu\"(%0) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
    "  %2 = func.call @half(%1) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
    "  return %2 : tensor<64x64xbf16>\n}\n"
    "func.func private @unused(%x: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
    "  return %x : tensor<64x64xbf16>\n}\n";

// The text of one function.
std::string functionText(const std::string& module, const std::string& name) {
  size_t begin = module.find("@" + name + "(");
  if (begin == std::string::npos) return "no @" + name;
  return module.substr(begin, module.find("func.func", begin) - begin);
}

TEST(Opt, EveryForwardFunctionIsOptimized) {
  for (const std::vector<std::string>& passes :
       {std::vector<std::string>{"--ttir-to-ttnn-backend-pipeline=optimization-level=2"},
        std::vector<std::string>{"--ttnn-optimizer=memory-layout-analysis-enabled=true"}}) {
    std::vector<std::string> arguments = passes;
    arguments.push_back("--mlir-print-local-scope");
    OptOutcome all = runOpt(kTwoPrograms, arguments);
    EXPECT_EQ(all.code, kExitFine) << all.err;
    for (const char* name : {"f", "g", "half"})
      EXPECT_EQ(countOf(all.out, "@" + std::string(name) + "("), 1u + (name == std::string("half"))) << all.out;
    for (const std::string name : {"f", "g"}) {
      arguments.push_back("--function=" + name);
      OptOutcome one = runOpt(kTwoPrograms, arguments);
      arguments.pop_back();
      EXPECT_EQ(one.code, kExitFine) << one.err;
      EXPECT_EQ(functionText(all.out, name), functionText(one.out, name));
      EXPECT_TRUE(holds(functionText(all.out, name), "<l1>")) << passes[0] << functionText(all.out, name);
    }
  }
}

// 64 channels in a window of 3x3 for each of 65,536 results; of the transposed one for each of as many inputs.
TEST(Opt, TheOptimizerLeavesItsTraceAndCounts) {
  const std::string folder = ::testing::TempDir() + "tessera_trace_" + std::to_string(::getpid());
  const std::string pipeline = "--ttir-to-ttnn-backend-pipeline=optimization-level=2 ";
  OptOutcome outcome = runOpt(kChain, {pipeline +
                                       "enable-decision-trace=true enable-compile-time-stats=true "
                                       "decision-trace-dir=" +
                                       folder});
  EXPECT_EQ(outcome.code, kExitFine) << outcome.err;
  EXPECT_TRUE(holds(outcome.err, "compile-time stats of @f: 3 ops, ")) << outcome.err;
  std::ifstream file(folder + "/f_decision_trace.json");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(holds(text.str(), "\"functionName\"")) << text.str().substr(0, 200);
  std::filesystem::remove_all(folder);
  // Not asked for: neither.
  EXPECT_FALSE(holds(runOpt(kChain, {pipeline}).err, "compile-time"));
  EXPECT_FALSE(std::filesystem::exists(folder));
}

// What is accepted has an effect, or says that it has none.
TEST(Opt, OptionsWithoutEffectSaySo) {
  for (const char* option : {"enable-cpu-hoisted-const-eval=true", "enable-quant-dequant-conversion-pass=true",
                             "check-unique-locs=true", "enable-greedy-optimizer=true", "argument-types=f=input"}) {
    OptOutcome outcome = runOpt(kChain, {std::string("--ttir-to-ttnn-backend-pipeline=") + option});
    EXPECT_EQ(outcome.code, kExitFine) << option << outcome.err;
    EXPECT_TRUE(holds(outcome.err, "has no effect")) << option << outcome.err;
  }
}

TEST(Opt, PerfMetricsCountConvolutions) {
  const std::string head = "func.func @main(%a: tensor<1x32x32x64xbf16>, %w: tensor<64x64x3x3xbf16>) -> ";
  const std::string types = " : (tensor<1x32x32x64xbf16>, tensor<64x64x3x3xbf16>) -> ";
  const std::pair<std::string, std::string> cases[] = {
      {"\"ttir.conv2d\"(%a, %w) <{stride = 1 : i32, padding = 1 : i32, dilation = 1 : i32, groups = 1 : i32}>",
       "tensor<1x32x32x64xbf16>"},
      {"\"ttir.conv_transpose2d\"(%a, %w) <{stride = 1 : i32, padding = 0 : i32, output_padding = 0 : i32, dilation = "
       "1 : i32, groups = 1 : i32}>",
       "tensor<1x34x34x64xbf16>"},
  };
  for (const auto& [op, result] : cases) {
    OptOutcome outcome =
        runOpt(head + result + " {\n  %0 = " + op + types + result + "\n  return %0 : " + result + "\n}\n",
               {"--ttir-to-ttnn-backend-pipeline", "--ttnn-collect-perf-metrics"});
    EXPECT_TRUE(holds(outcome.out, "\"total_flops\": 75497472")) << op << outcome.out << outcome.err;
  }
}

// Zeros about a graph that the pipeline has not seen yet would be taken for figures.
TEST(Opt, PerfMetricsOfAGraphWithoutTtnnOpsSaySo) {
  OptOutcome outcome = runOpt(kChain, {"--ttnn-collect-perf-metrics", "--ttnn-perf-metrics-verbose-output-enabled"});
  EXPECT_EQ(outcome.code, kExitFine);
  EXPECT_TRUE(holds(outcome.err, "counts TTNN ops, and the graph has none")) << outcome.err;
  outcome = runOpt(kChain, {"--ttir-to-ttnn-backend-pipeline", "--ttnn-collect-perf-metrics"});
  EXPECT_EQ(outcome.err, "");
}

TEST(Opt, AnUnknownOptionOfAPipelineIsNamed) {
  for (const char* where : {"--ttir-to-ttnn-backend-pipeline=optimizer-pass-enabled=true no-such-thing=3",
                            "--ttnn-optimizer=no-such-thing=3", "--no-such-thing=3"}) {
    OptOutcome outcome = runOpt(kChain, {where});
    EXPECT_EQ(outcome.code, kExitUsage) << where;
    EXPECT_TRUE(holds(outcome.err, "unknown option `no-such-thing`")) << outcome.err.substr(0, 100);
  }
}

TEST(Opt, HelpNamesEveryPassAndItsOptions) {
  OptOutcome help = runOpt(kGood, {"--help"});
  EXPECT_EQ(help.code, kExitFine);
  for (std::span<const PassInfo> table : {allPasses(), namedPasses()}) {
    for (const PassInfo& pass : table) {
      EXPECT_NE(help.out.find("  --" + std::string(pass.name) + "\n"), std::string::npos) << pass.name;
      for (const PassOption& option : pass.options)
        EXPECT_NE(help.out.find(" " + std::string(option.name) + "="), std::string::npos) << option.name;
    }
  }
  const size_t pipelines = help.out.find("options of the pipelines:");
  ASSERT_NE(pipelines, std::string::npos);
  int without = 0;
  for (const PipelineOptionInfo& option : pipelineOptions()) {
    const std::string effect =
        option.why.empty() ? std::string(option.expected) : "  (no effect: " + std::string(option.why) + ")";
    EXPECT_NE(help.out.find("\n  " + std::string(option.name) + "=" + effect + "\n", pipelines), std::string::npos)
        << option.name;
    without += !option.why.empty();
  }
  EXPECT_GT(without, 0);
}

// The two passes of the optimizer one after the other say what the optimizer says.
TEST(Opt, BothPassesMakeTheOptimizer) {
  const std::string pass1 = "--ttnn-greedy-memory-layout-propagation", pass2 = "--ttnn-greedy-l1-spill-management";
  const std::string text = R"(
    func.func @main(%a: tensor<2048x2048xbf16>, %b: tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> {
      %0 = "ttir.add"(%a, %b) : (tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
      %1 = "ttir.relu"(%0) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
      %2 = "ttir.add"(%1, %0) : (tensor<2048x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
      return %2 : tensor<2048x2048xbf16>
    })";
  OptOutcome parts = runOpt(text, {"--ttnn-layout", "--convert-ttir-to-ttnn", pass1, pass2});
  OptOutcome whole = runOpt(text, {"--ttnn-layout", "--convert-ttir-to-ttnn", "--ttnn-optimizer"});
  EXPECT_EQ(parts.code, kExitFine) << parts.err;
  auto computing = [](const std::string& printed) {
    std::string kept;
    std::istringstream lines(printed);
    for (std::string line; std::getline(lines, line);) {
      const bool op = line.find("\"ttnn.add\"") != std::string::npos || line.find("\"ttnn.relu\"") != std::string::npos;
      if (op) kept += line.substr(line.rfind("->")) + "\n";
    }
    return kept;
  };
  EXPECT_EQ(computing(parts.out), computing(whole.out));
  EXPECT_EQ(runOpt(text, {pass2 + "=beam-width=1"}).code, kExitUsage);
}

}  // namespace
}  // namespace tessera::test
