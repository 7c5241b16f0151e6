// What arguments and files of commands are read as, in this process.

#include <unistd.h>

#include <chrono>
#include <csignal>

#include "core/cli/child_process.h"
#include "core/cli/expected_diagnostics.h"
#include "core/cli/gzip.h"
#include "core/cli/opt_arguments.h"
#include "core/cli/pipeline_options.h"
#include "core/cli/report_page.h"
#include "core/cli/system_desc.h"
#include "core/driver/pipeline.h"
#include "tests/cli/cli_testing.h"
#include "tests/cli/gzipped.h"

namespace tessera::test {
namespace {

OptArguments optArguments(const std::vector<std::string>& given, const std::string& mistake = "") {
  OptArguments out;
  EXPECT_EQ(parseOptArguments(given, out), mistake);
  return out;
}

TEST(Arguments, WhatIsPrintedBeforeAndAfterPasses) {
  const std::string pass = "--ttnn-layout";
  const auto printing = [&](const std::string& option) {
    const OptArguments opt = optArguments({"f", pass, option});
    std::string text = opt.printsOnTheWay() ? "" : "nothing";
    for (const char* name : {"ttnn-layout", "canonicalize"}) {
      if (opt.printsBefore(name)) text += "<" + std::string(name);
      if (opt.printsAfter(name)) text += ">" + std::string(name);
    }
    return text;
  };
  EXPECT_EQ(printing("--mlir-print-ir-before-all"), "<ttnn-layout<canonicalize");
  EXPECT_EQ(printing("--mlir-print-ir-after-all"), ">ttnn-layout>canonicalize");
  EXPECT_EQ(printing("-print-ir-after-all"), ">ttnn-layout>canonicalize");
  EXPECT_EQ(printing("--mlir-print-ir-before=canonicalize"), "<canonicalize");
  EXPECT_EQ(printing("--mlir-print-ir-after=ttnn-layout,,other"), ">ttnn-layout");
  EXPECT_EQ(printing("--mlir-print-ir-before-all=false"), "nothing");
  EXPECT_EQ(printing("--mlir-print-debuginfo"), "nothing");
  EXPECT_TRUE(optArguments({"f", "--mlir-print-ir-before", "canonicalize"}).printsBefore("canonicalize"))
      << "the value may be the next argument";
  optArguments({"f", "--mlir-print-ir-before"}, "`mlir-print-ir-before` needs a value");
  optArguments({"f", "--mlir-print-ir-before-all=perhaps"},
               "option `mlir-print-ir-before-all` is perhaps, expected true or false");
}

TEST(Arguments, NumbersAndPassesOfOpt) {
  EXPECT_EQ(optArguments({"-", "--canonicalize"}).file, "-") << "what is piped in";
  EXPECT_EQ(optArguments({"f"}).elideLarger, -1);
  EXPECT_EQ(optArguments({"f", "--mlir-elide-elementsattrs-if-larger=0"}).elideLarger, 0);
  EXPECT_EQ(optArguments({"f", "--mlir-elide-elementsattrs-if-larger", "16"}).elideLarger, 16);
  optArguments({"f", "--mlir-elide-elementsattrs-if-larger=-1"},
               "option `mlir-elide-elementsattrs-if-larger` cannot be `-1`");
  optArguments({"f", "--mlir-elide-elementsattrs-if-larger=4x"},
               "option `mlir-elide-elementsattrs-if-larger` cannot be `4x`");
  const OptArguments nested =
      optArguments({"f",
                    "--pass-pipeline=builtin.module(ttcore.device_module(builtin.module(canonicalize,"
                    "ttnn-optimizer{enable-decision-trace=false max-legal-layouts=7},cse)))"});
  std::string names;
  for (const PassCall& call : nested.passes) names += std::string(call.pass->name) + " ";
  EXPECT_EQ(names, "canonicalize ttnn-optimizer cse ");
  EXPECT_EQ(nested.options.maxLegalLayouts, 7) << "the last option of a list";
  optArguments({"f", "--pass-pipeline=canonicalize{a=b"}, "`pass-pipeline`: `{` is never closed");
  optArguments({"f", "--pass-pipeline=no-such-pass"}, "unknown option `no-such-pass`");
  optArguments({"f", "g"}, "more than one file");
  optArguments({"--canonicalize"}, "no file given");
  optArguments({"f", "--canonicalize", "--ttir-to-ttnn-backend-pipeline"},
               "give the pipeline or single passes, not both");
  EXPECT_EQ(optArguments({"f", "--split-input-file"}).splitMarker, "// -----");
  EXPECT_EQ(optArguments({"f", "--split-input-file=// next"}).splitMarker, "// next");
  EXPECT_FALSE(optArguments({"f", "--split-input-file=false"}).splitInput);
  optArguments({"f", "--verify-diagnostics=all"}, "option `verify-diagnostics` takes `lines` or nothing");
}

TEST(Arguments, OptionsOfPipelines) {
  const auto after = [](const std::string& text) {
    Options options = pipelineDefaults();
    Diagnostics diags;
    EXPECT_TRUE(parsePipelineOptions(text, options, diags)) << text;
    return options;
  };
  const auto refused = [](const std::string& text) {
    Options options;
    Diagnostics diags;
    return !parsePipelineOptions(text, options, diags) && diags.hasErrors();
  };
  using Dims = std::vector<int64_t>;
  EXPECT_EQ(after("mesh-shape=2,4").lowering.meshShape, (Dims{2, 4}));
  EXPECT_EQ(after("mesh-shape=4").lowering.meshShape, (Dims{1, 4})) << "one number is a row of chips";
  EXPECT_EQ(after("mesh-shape=2x4").lowering.meshShape, (Dims{2, 4}));
  EXPECT_EQ(after("mesh-shape=1024").lowering.meshShape, (Dims{1, 1024}));
  for (const char* bad : {"", "0", "2,0", "1025", "1,2,3", "2,x", "-1"})
    EXPECT_TRUE(refused(std::string("mesh-shape=") + bad)) << bad;
  EXPECT_FALSE(after("optimization-level=0").lowering.optimizer);
  EXPECT_EQ(after("optimization-level=0").policy, "DRAM");
  EXPECT_TRUE(after("optimization-level=1").lowering.optimizer);
  EXPECT_EQ(after("optimization-level=1").policy, "DRAM") << "no layout in L1";
  EXPECT_TRUE(after("optimization-level=2").lowering.optimizer);
  EXPECT_NE(after("optimization-level=2").policy, "DRAM");
  EXPECT_EQ(after("policy=Exact optimization-level=2").policy, "Exact") << "it was named before";
  EXPECT_EQ(after("optimization-level=2 policy=Exact").policy, "Exact");
  EXPECT_TRUE(refused("optimization-level=3"));
  // A preset counts before what stands in front of it.
  EXPECT_EQ(after("max-legal-layouts=7 preset=seed").maxLegalLayouts, 7);
  EXPECT_EQ(after("optimization-level=2 preset=seed").policy, after("preset=seed optimization-level=2").policy);
  EXPECT_EQ(after("experimental-weight-dtype=bfp_bf8").bfp8Weights, true);
  EXPECT_EQ(after("experimental-weight-dtype=bfp_bf4").lowering.bfp4Weights, true);
  EXPECT_EQ(after("experimental-weight-dtype=bfp_bf4").bfp8Weights, false);
  EXPECT_EQ(after("experimental-weight-dtype=bfp_bf4 experimental-weight-dtype=none").lowering.bfp4Weights, false);
  EXPECT_TRUE(refused("experimental-weight-dtype=bf16"));
  EXPECT_EQ(after("mock-system-desc-arch=blackhole").device, "p150");
  EXPECT_EQ(after("mock-system-desc-arch=wormhole_b0").device, "n150");
  EXPECT_EQ(after("max-input-candidates-per-operand=1").maxInputCandidatesPerOperand, 1);
  EXPECT_TRUE(refused("max-input-candidates-per-operand=0"));
  EXPECT_EQ(after("max-fallback-attempts=1000000").lowering.maxFallbackAttempts, 1'000'000);
  EXPECT_TRUE(refused("max-fallback-attempts=1000001"));
  for (int bits : {8, 16, 32, 64})
    EXPECT_EQ(after("target-bit-width=" + std::to_string(bits)).lowering.quantBits, bits);
  EXPECT_TRUE(refused("target-bit-width=24"));
  EXPECT_TRUE(refused("row-major-propagation-enabled=2"));
  const Options off = after("disable-workarounds");
  EXPECT_FALSE(off.lowering.layoutWorkarounds || off.lowering.decompositionWorkarounds);
  EXPECT_TRUE(after("disable-workarounds=false").lowering.layoutWorkarounds);
}

// A host's triple may hold the word before the chips do; rows and columns keep their names.
TEST(Arguments, DescriptionsOfSystems) {
  const auto taken = [](const std::string& text) {
    const TemporaryFile file(text);
    Options options;
    const std::string said = takeSystemDesc(file.path(), options);
    return options.device + " " + std::to_string(options.maxGridRows) + "x" + std::to_string(options.maxGridCols) +
           (said.find("the device is " + options.device + ", by") != std::string::npos ? "" : " not read");
  };
  const std::string none = taken("nothing");
  EXPECT_EQ(none.substr(0, 5), "n150 ");
  EXPECT_NE(none.find("not read"), std::string::npos);
  EXPECT_EQ(taken(R"({"cpu_descs": [{"target_triple": "archaic-linux"}], "chip_descs": [{"arch": "Blackhole", )"
                  R"("grid_size": {"y": 10, "x": 13}}], "chip_desc_indices": [0]})"),
            "p150 10x13");
  EXPECT_EQ(taken(R"({"chip_descs": [{"arch": "Wormhole_b0", "grid_size": {"x": 7, "y": 5}}]})"), "n150 5x7");
  EXPECT_EQ(taken("#ttcore.system_desc<[{role = host, target_triple = \"x86_64-arch-linux\"}], [{arch = <wormhole_b0>, "
                  "grid = 6x8, coord = 1}]>"),
            "n150 6x8");
  EXPECT_EQ(taken(R"({"chip_descs": [{"arch": "BLACKHOLE", "grid_size": {"y": 10, "x": 13}}]})"), "p150 10x13");
  EXPECT_EQ(taken(R"({"chip_descs": [{"arch": "grayskull", "grid_size": {"y": 9, "x": 12}}]})"), none);
  EXPECT_EQ(taken(std::string("arch = <blackhole>\0grid = 2x2", 29)), none) << "the runtime's binary";
}

TEST(Arguments, RemarksAreExpected) {
  const auto mistakes = [](const std::string& text, const std::vector<EmittedDiagnostic>& emitted) {
    return checkExpectedDiagnostics(text, 1, emitted, VerifyDiagnostics::Text);
  };
  const std::string text = "op // expected-remark {{so}}\n";
  EXPECT_EQ(mistakes(text, {}), (std::vector<std::string>{"1: error: expected note \"so\" was not produced"}));
  EXPECT_EQ(mistakes(text, {{Severity::Note, 1, "so it is"}}), std::vector<std::string>());
  EXPECT_EQ(mistakes(text, {{Severity::Warning, 1, "so it is"}}).size(), 1u);
}

TEST(Arguments, GzipIsWholeDamagedOrCut) {
  const std::string plain(200'000, 'x');  // several buffers full
  const std::string packed = gzipped(plain);
  const auto unpacked = [](const std::string& bytes, size_t limit) {
    std::string out, why;
    return gunzip(bytes, limit, out, why) ? std::to_string(out.size()) : why;
  };
  EXPECT_TRUE(isGzip(packed));
  EXPECT_FALSE(isGzip(packed.substr(0, 2)));
  EXPECT_FALSE(isGzip("x" + packed));
  EXPECT_EQ(unpacked(packed, 200'000), "200000");
  EXPECT_EQ(unpacked(packed, 199'999), "200000") << "one more than the limit";
  EXPECT_EQ(unpacked(packed, 100'000), "100001");
  EXPECT_EQ(unpacked(packed, 100), "101");
  EXPECT_EQ(unpacked(packed.substr(0, packed.size() - 9), 300'000), "the gzip data ends too early");
  std::string damaged = packed;
  damaged[damaged.size() - 6] = static_cast<char>(damaged[damaged.size() - 6] ^ 1);
  EXPECT_EQ(unpacked(damaged, 300'000), "the gzip data is damaged");
}

TEST(Arguments, ChildrenAreGivenTheirTime) {
  const ChildAnswer slow = runChild("sleep 5", "", {.milliseconds = 250});
  EXPECT_EQ(slow.problem, "gave no answer within 0.2 s and was stopped");
  const ChildAnswer silent = runChild("exec >&- 2>&-; sleep 0.45", "", {.milliseconds = 250});
  EXPECT_EQ(silent.problem, "did not end within 0.2 s and was stopped") << "the time goes on when nothing can come";
  EXPECT_EQ(runChild("cat; echo said >&2; exit 3", "given", {}).problem, "ended with exit code 3");
  const ChildAnswer fine = runChild("cat; echo said >&2", "given", {});
  EXPECT_EQ(fine.problem + fine.out + fine.err, "givensaid\n");
  EXPECT_EQ(runChild("exit 127", "", {}).problem, "cannot be run");
  EXPECT_EQ(runChild("kill -9 $$", "", {}).problem, "was ended by signal 9");
}

// What the child has started is stopped with it: a solver that a script calls.
TEST(Arguments, WhatAChildHasStartedIsStoppedWithIt) {
  const ChildAnswer answer = runChild("sleep 600 & echo $!; wait", "", {.milliseconds = 2000});
  EXPECT_EQ(answer.problem, "gave no answer within 2 s and was stopped");
  const int started = std::atoi(answer.out.c_str());
  ASSERT_GT(started, 1) << answer.out;
  // Gone, or ended and not yet collected by whoever inherits it.
  const auto runs = [&] {
    const std::string stat = readFile("/proc/" + std::to_string(started) + "/stat");
    const size_t name = stat.rfind(") ");
    return name != std::string::npos && stat[name + 2] != 'Z' && stat[name + 2] != 'X';
  };
  for (int wait = 0; wait < 5'000 && runs(); ++wait) ::usleep(1000);
  const bool left = runs();
  EXPECT_FALSE(left);
  if (left) ::kill(started, SIGKILL);
}

// A run that was stopped has no plan; those behind it have.
TEST(Arguments, APageOfARunThatWasStopped) {
  Session session, broken;
  session.load("g.mlir", kRelu);
  broken.load("g.mlir", "func.func @main(");
  const auto ran = runPolicy(session, Options(), Diagnostics()), stopped = runPolicy(broken, Options(), Diagnostics());
  const TemporaryFile out("");
  ::setenv("TESSERA_REPORT_TEMPLATE", "/none", 1);
  EXPECT_EQ(writeReportPage(out.path(), "-", std::vector<const Report*>{&stopped->report, &ran->report}), "");
  ::unsetenv("TESSERA_REPORT_TEMPLATE");
  const std::string page = readFile(out.path());
  EXPECT_NE(page.find("<h1>Graph</h1>"), std::string::npos);
  EXPECT_NE(page.find("<pre tabindex=\"0\">%0  ttnn.relu"), std::string::npos) << page.substr(0, 900);
}

TEST(Arguments, SharesAreCutToTenths) {
  // Of scenarios that expect no spill, and have none, the last `wrong` expect one.
  const auto told = [](int right, int wrong) {
    std::string list;
    for (int i = 0; i < right + wrong; ++i)
      list += std::string(i > 0 ? "," : "") +
              R"({"name": "a", "budget": 10, "ops": [{"name": "x", "l1": 1}], "expect": {"spills": )" +
              (i < right ? "0" : "1") + "}}";
    const TemporaryFile scenarios("{\"scenarios\": [" + list + "]}");
    return runTessera({"eval", "spill", scenarios.path()}).out;
  };
  EXPECT_EQ(told(2, 1), "rows 3 agree 66.6%\n");
  EXPECT_EQ(told(1, 6), "rows 7 agree 14.2%\n");
  EXPECT_EQ(told(0, 1), "rows 1 agree 0.0%\n");
  EXPECT_EQ(told(2, 0), "rows 2 agree 100.0%\n");
  EXPECT_EQ(told(0, 0), "rows 0 agree 100.0%\n");
}

}  // namespace
}  // namespace tessera::test
