// What is said of mistakes that are not shown and of options that have no effect, and what becomes of names that
// nothing has.

#include "core/driver/carried_out.h"
#include "core/driver/presets.h"
#include "core/driver/profiled_steps.h"
#include "tests/driver/driver_testing.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

std::string chainOfMany(const std::string& op, const std::string& operand, int count) {
  const std::string type = "tensor<32x32xbf16>";
  std::string text = "func.func @main(%a: " + type + ") -> " + type + " {\n";
  for (int i = 0; i < count; ++i)
    text += "  %" + std::to_string(i) + " = \"" + op + "\"(" + operand + ") : (" + type + ") -> " + type + "\n";
  return text + "  return %0 : " + type + "\n}\n";
}

// A hundred errors and two hundred warnings are stored; a run counts the others as the source does.
TEST(CountedDiagnostics, ARunKnowsHowManyAreNotShown) {
  for (const auto& [text, dropped] : {std::pair<std::string, size_t>{chainOfMany("ttir.relu", "%nobody", 100), 0},
                                      {chainOfMany("ttir.relu", "%nobody", 101), 1},
                                      {chainOfMany("ttir.relu", "%nobody", 350), 250}}) {
    Session session;
    EXPECT_EQ(session.load("many.mlir", text).diagnostics.dropped(), dropped);
    const auto run = runPolicy(session, Options(), {});
    EXPECT_EQ(run->diagnostics.dropped(), dropped);
    EXPECT_EQ(run->diagnostics.errorCount(), 100 + dropped);
    EXPECT_NE(apiRun(session, text, "").find("\"droppedDiagnostics\":" + std::to_string(dropped) + ","),
              std::string::npos);
  }
}

// Options' own mistakes come first, and leave no room for as many others.
TEST(CountedDiagnostics, WhatIsMergedIsBoundedAgain) {
  Session session;
  session.load("many.mlir", chainOfMany("ttir.relu", "%nobody", 120));
  Diagnostics ofOptions;
  for (int i = 0; i < 130; ++i) ofOptions.report(DiagKind::UnknownOption, {}, {"wish"});
  const auto run = runPolicy(session, Options(), ofOptions);
  EXPECT_EQ(run->diagnostics.errorCount(), 250u);
  EXPECT_EQ(run->diagnostics.dropped(), 150u);
  EXPECT_EQ(run->diagnostics.all().size(), 100u);
}

const char kLaidOut[] = R"(#dram = #ttnn.buffer_type<dram>
#d = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @main(%a: tensor<64x64xbf16, #d>) -> tensor<64x64xbf16, #d> {
  %0 = "ttnn.relu"(%a) : (tensor<64x64xbf16, #d>) -> tensor<64x64xbf16, #d>
  return %0 : tensor<64x64xbf16, #d>
}
)";

// The plan in a graph is taken as it is written, unless the run is to make another: then the override counts.
TEST(OverrideOfAWrittenPlan, HasNoEffectAndIsToldSo) {
  const auto warnings = [](const char* policy, const std::string& text, const std::string& wish) {
    Session session;
    session.load("laid.mlir", text);
    Options options;
    options.policy = policy;
    options.overrideOutputLayout = wish;
    const auto run = runPolicy(session, options, {});
    EXPECT_TRUE(run->report.run.has_value());
    std::string found;
    for (const Diagnostic& one : run->diagnostics.all())
      if (one.severity != Severity::Note) found += one.message + "\n";
    return found;
  };
  EXPECT_EQ(warnings("AsWritten", kLaidOut, "%0=l1:interleaved"),
            "option `override-output-layout` is %0=l1:interleaved, which has no effect: the plan is taken as it is "
            "written\n");
  EXPECT_EQ(warnings("AsWritten", kLaidOut, ""), "");
  EXPECT_EQ(warnings("AsWritten", kRelu, "%0=l1:interleaved"), "") << "there is no plan in it";
  EXPECT_EQ(warnings("Greedy", kLaidOut, "%0=l1:interleaved"), "");
}

// The value that is moved belongs to the program, and so does the place before which it is moved.
TEST(KeptProgramRoom, EventsOfOtherValuesMakeAnotherProgram) {
  const auto lowered = std::make_shared<const LoweredGraph>();
  Plan plan;
  RoomEvent event;
  event.value = ValueId{1};
  event.at = OpId{2};
  plan.room = {event};
  KeptProgram kept;
  kept.keep(lowered, {0, 100}, plan, std::make_shared<const CarriedOut>());
  EXPECT_NE(kept.find(lowered, Bytes(99), plan), nullptr);
  EXPECT_EQ(kept.find(lowered, Bytes(100), plan), nullptr);
  Plan other = plan;
  other.room[0].value = ValueId{3};
  EXPECT_EQ(kept.find(lowered, Bytes(99), other), nullptr);
  other = plan;
  other.room[0].at = OpId{3};
  EXPECT_EQ(kept.find(lowered, Bytes(99), other), nullptr);
  other = plan;
  other.room[0].wanted = OpId{4};
  EXPECT_NE(kept.find(lowered, Bytes(99), other), nullptr) << "a reason moves nothing";
}

// 12288 ops are kept, one more is not; what was kept before is forgotten all the same.
TEST(KeptProgramRoom, LargeProgramsAreNotKept) {
  const auto lowered = std::make_shared<const LoweredGraph>();
  const auto programOf = [](size_t ops) {
    auto made = std::make_shared<CarriedOut>();
    while (made->applied.graph.ops.size() < ops) made->applied.graph.ops.push({});
    return made;
  };
  KeptProgram kept;
  kept.keep(lowered, {}, Plan(), programOf(12'288));
  EXPECT_NE(kept.find(lowered, Bytes(1), Plan()), nullptr);
  kept.keep(lowered, {}, Plan(), programOf(12'289));
  EXPECT_EQ(kept.find(lowered, Bytes(1), Plan()), nullptr);
}

TEST(NamesOfNothing, HaveTheFirstPresetAndNoValue) {
  EXPECT_EQ(presetIndex("seed"), 0u);
  EXPECT_EQ(presetIndex("upstream"), 1u);
  for (const char* name : {"", "Seed", "seed ", "nobody"}) {
    EXPECT_EQ(presetIndex(name), 0u) << name;
    EXPECT_EQ(presetOf(name).policy, "Greedy") << name;
    EXPECT_EQ(optionValueJson(Options(), name), "null") << name;
  }
  EXPECT_EQ(optionValueJson(Options(), "device"), "\"n150\"");
}

// A program may set fields of its own; without such a device or policy there is no run, and the report has no device.
TEST(NamesOfNothing, DevicesAndPoliciesMakeNoRun) {
  for (std::string Options::*field : {&Options::device, &Options::policy}) {
    Session session;
    session.load("relu.mlir", kRelu);
    Options options;
    options.*field = "nobody";
    const auto run = runPolicy(session, options, {});
    EXPECT_FALSE(run->report.run.has_value());
    EXPECT_EQ(run->report.device, nullptr);
    EXPECT_EQ(run->policy, nullptr);
  }
}

TEST(OptionsOfJson, ATextIsNoNumber) {
  for (const auto& [json, kind] : {std::pair{R"({"op-order":5})", "an integer"},
                                   {R"({"op-order":true})", "a boolean"},
                                   {R"({"op-order":{}})", "an object"}}) {
    const Json given(json);
    Options options;
    Diagnostics diags;
    readOptions(options, given.document.root(), diags);
    ASSERT_EQ(diags.all().size(), 1u) << json;
    EXPECT_EQ(diags.all()[0].message, "option `op-order` is " + std::string(kind) + ", expected a text");
    EXPECT_EQ(options.opOrder, "");
  }
  const Json given(R"({"op-order":"a=b"})");
  Options options;
  Diagnostics diags;
  readOptions(options, given.document.root(), diags);
  EXPECT_EQ(options.opOrder, "a=b");
  EXPECT_FALSE(diags.hasErrors());
}

// Digits count, whatever stands between them; beyond 2^40 there are no more of them.
TEST(ProfiledShapes, AreReadDigitByDigit) {
  const Json steps(R"([{"shape": "5 6x-7/8:9"}, {"shape": "99999999999999x2"}, {"shape": "2xx3"}])");
  const std::vector<ProfiledStep> read = profiledSteps(steps.document.root());
  EXPECT_EQ(read.at(0).shape, (std::vector<int64_t>{56, 789}));
  EXPECT_EQ(read.at(1).shape, (std::vector<int64_t>{9'999'999'999'999, 2}));
  EXPECT_EQ(read.at(2).shape, (std::vector<int64_t>{2, 0, 3}));
}

// A plan for a run that its options forbid is not carried out.
TEST(PlansThatAreGiven, AreOfNoUseWithoutAProblem) {
  Session session;
  for (const char* mistake : {R"("override-output-layout":"%9=l1")", R"("beam-width":-1)", R"("policy":"Nobody")"}) {
    const std::string answer =
        apiRun(session, kRelu, R"({"plan":{"schema":1,"policy":"P","values":{}},)" + std::string(mistake) + "}");
    EXPECT_NE(answer.find("\"run\":null"), std::string::npos) << mistake;
    EXPECT_NE(answer.find("\"ok\":false"), std::string::npos) << mistake;
  }
}

}  // namespace
}  // namespace tessera::test
