#include "core/driver/pipeline.h"

#include "tests/driver/driver_testing.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

TEST(LoadGraph, KeepsNameAndText) {
  Session session;
  const LoadedGraph& loaded = session.load("model.mlir", kRelu);
  EXPECT_EQ(loaded.source.name(), "model.mlir");
  EXPECT_EQ(loaded.source.text(), kRelu);
  EXPECT_TRUE(loaded.graph.has_value());
  EXPECT_FALSE(loaded.isJson);
}

TEST(LoadGraph, ThereIsAGraphOrAnError) {
  for (const auto& path : mlirFilesIn(std::filesystem::path(TESSERA_SOURCE_DIR) / "tests/golden/cases")) {
    Session session;
    const LoadedGraph& loaded = session.load(path.filename().string(), readFile(path));
    EXPECT_NE(loaded.graph.has_value(), loaded.diagnostics.hasErrors()) << path;
  }
}

TEST(RunPolicy, DiagnosticsOfOptionsComeFirst) {
  Options options;
  Diagnostics optionDiags;
  setOption(options, "no-such-option", "1", optionDiags);
  Session session;
  session.load("x", "func.func @main( oops");
  auto finished = runPolicy(session, options, optionDiags);
  ASSERT_GE(finished->diagnostics.all().size(), 2u);
  EXPECT_EQ(finished->diagnostics.all()[0].kind, DiagKind::UnknownOption);
  EXPECT_FALSE(finished->report.run.has_value());
  EXPECT_FALSE(finished->report.ok());
}

TEST(RunPolicy, TheReportTellsWhatThePresetSets) {
  Session session;
  session.load("x", kRelu);
  Options options;
  Diagnostics diags;
  setOption(options, "preset", "upstream", diags);
  setOption(options, "beam-width", "3", diags);
  const auto finished = runPolicy(session, options, diags);
  const auto told = [&](std::string_view id) {
    for (const OptionValue& value : finished->report.options)
      if (value.id == id) return value.json;
    return std::string();
  };
  EXPECT_EQ(told("max-legal-layouts"), "64");
  EXPECT_EQ(told("tensor-l1-usage-cap"), "0.950");
  EXPECT_EQ(told("beam-width"), "3");
}

// As the compiler spills, right after a tensor was made, and before an op of which nothing is known all of L1: what
// read the tensor in L1 before reads a copy. The exp takes operands of its result's memory alone.
TEST(RunPolicy, ReadersBeforeAnUnknownOpKeepTheirOperands) {
  const std::string x = "tensor<36x64x32xbf16>", two = " : (" + x + ", " + x + ") -> ", one = " : (" + x + ") -> " + x;
  const std::string graph = "func.func @main(%a: " + x + ", %b: " + x + ") -> (" + x + ", tensor<36x128x32xbf16>) {\n" +
                            "  %0 = \"ttir.maximum\"(%a, %b)" + two + x + "\n  %1 = \"ttir.exp\"(%0)" + one +
                            "\n  %2 = \"ttir.add\"(%0, %1)" + two + x + "\n  %u = \"ttir.unheard_of\"(%b)" + one +
                            "\n  %3 = \"ttir.concat\"(%0, %2) <{dim = 1 : si32}>" + two +
                            "tensor<36x128x32xbf16>\n  return %u, %3 : " + x + ", tensor<36x128x32xbf16>\n}\n";
  for (const char* policy : {"Greedy", "Beam"}) {
    Session session;
    session.load("x", graph);
    Options options;
    Diagnostics diags;
    setOption(options, "preset", "upstream", diags);
    setOption(options, "policy", policy, diags);
    const auto finished = runPolicy(session, options, diags);
    ASSERT_TRUE(finished->report.run.has_value());
    const RunOutcome& run = *finished->report.run;
    for (const ReportDefect& defect : run.defects)
      ADD_FAILURE() << policy << ": " << defect.rule << ": " << defect.text;
    const Plan& plan = run.plan;
    const OpId exp = producerOf(run.problem->graph, "1");
    EXPECT_EQ(plan.spills.size(), 2u);
    EXPECT_TRUE(std::any_of(plan.reshards.begin(), plan.reshards.end(), [&](const Reshard& copy) {
      return copy.consumer == exp && copy.operand == 0 && copy.to.isL1();
    })) << policy;
  }
}

// TTIR has products over tensors of any rank, the library over four dims: the compiler would stop there. At its place,
// and again from a session that has lowered the graph before.
TEST(RunPolicy, WarnsOfWhatTheCompilersVerifierRefuses) {
  const auto product = [](const std::string& from, const std::string& to, int dim) {
    return "func.func @main(%a: tensor<" + from + "xbf16>) -> tensor<" + to +
           "xbf16> {\n  %0 = \"ttir.prod\"(%a) <{dim_arg = [" + std::to_string(dim) +
           " : i32], keep_dim = false}> : (tensor<" + from + "xbf16>) -> tensor<" + to +
           "xbf16>\n  return %0 : tensor<" + to + "xbf16>\n}\n";
  };
  Session session;
  session.load("five", product("2x3x4x5x64", "2x3x4x64", 3));
  for (int run = 0; run < 2; ++run) {
    const auto finished = runPolicy(session, Options(), {});
    ASSERT_TRUE(finished->report.run.has_value());
    ASSERT_EQ(finished->diagnostics.all().size(), 1u);
    const Diagnostic& warning = finished->diagnostics.all()[0];
    EXPECT_EQ(warning.kind, DiagKind::RefusedByVerifier);
    EXPECT_EQ(warning.severity, Severity::Warning);
    EXPECT_NE(warning.message.find("`ttnn.prod`: `rank(0) <= 4` does not hold: 5 and 4"), std::string::npos)
        << warning.message;
    EXPECT_EQ(session.loaded()->source.text().substr(warning.span.begin, 2), "%0");
  }
  session.load("four", product("3x4x5x64", "3x4x64", 2));
  EXPECT_TRUE(runPolicy(session, Options(), {})->diagnostics.all().empty());
}

TEST(RunPolicy, AnErrorInTheOptionsStopsTheRun) {
  Options options;
  Diagnostics optionDiags;
  setOption(options, "policy", "nobody", optionDiags);
  Session session;
  session.load("x", kRelu);
  auto finished = runPolicy(session, options, optionDiags);
  EXPECT_FALSE(finished->report.run.has_value());
  EXPECT_NE(finished->report.graph, nullptr) << "what was read is still described";
}

// The batch norm and the relu are folded into the convolution, which keeps the relu's name.
TEST(RunPolicy, OverridesMayNameOpsThatWereFused) {
  Session session;
  const LoadedGraph& loaded =
      session.load("x", readFile(std::filesystem::path(TESSERA_SOURCE_DIR) / "web/public/samples/conv-relu.mlir"));
  ASSERT_TRUE(loaded.graph.has_value());
  for (const Op& op : loaded.graph->ops) {
    if (op.name != "ttir.conv2d") continue;
    Options options;
    options.overrideOutputLayout = op.loc + "=dram:interleaved";
    auto finished = runPolicy(session, options, Diagnostics());
    EXPECT_FALSE(finished->diagnostics.hasErrors()) << finished->diagnostics.all().front().message;
    ASSERT_TRUE(finished->report.run.has_value());
    const Graph& lowered = finished->lowered->result.graph;
    int meant = 0;
    for (OpId id : lowered.ops.ids()) {
      if (lowered.ops[id].name != "ttnn.conv2d") continue;
      EXPECT_NE(lowered.ops[id].loc, op.loc) << "the fused op has another name";
      EXPECT_EQ(finished->report.run->plan.config[id].output.buffer, BufferType::DRAM);
      ++meant;
    }
    EXPECT_EQ(meant, 1) << op.loc;
  }
}

// No layout stores it, so the op is refused under every plan; that is the run's to report and no defect of the plan.
TEST(RunPolicy, ATensorWithoutElementsIsNoDefect) {
  Session session;
  session.load("x",
               "func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x0xbf16> {\n"
               "  %0 = \"ttir.slice_static\"(%a) <{begins = [0: i32, 64: i32], ends = [64: i32, 64: i32], "
               "step = [1: i32, 1: i32]}> : (tensor<64x64xbf16>) -> tensor<64x0xbf16>\n"
               "  return %0 : tensor<64x0xbf16>\n}\n");
  for (const PolicyInfo& policy : allPolicies()) {
    Options options;
    options.policy = policy.id;
    auto finished = runPolicy(session, options, Diagnostics());
    ASSERT_TRUE(finished->report.run.has_value()) << policy.id;
    EXPECT_TRUE(finished->report.run->defects.empty()) << policy.id;
    EXPECT_FALSE(finished->diagnostics.all().empty()) << policy.id << ": it is said";
  }
}

TEST(RunPolicy, NoProgramUsesMoreCoresThanTheGridHas) {
  Session session;
  session.load("x", readFile(std::filesystem::path(TESSERA_SOURCE_DIR) / "web/public/samples/resnet50.mlir"));
  int64_t before = 0;
  for (int64_t side : {16, 4, 1}) {
    for (std::string_view policy : {"Greedy", "DFSharding2"}) {
      Options options;
      options.policy = policy;
      options.maxGridRows = options.maxGridCols = side;
      auto finished = runPolicy(session, options, Diagnostics());
      ASSERT_TRUE(finished->report.run.has_value());
      EXPECT_TRUE(finished->report.run->defects.empty())
          << side << " " << policy << " " << finished->report.run->defects.front().text;
      for (const SimStep& step : finished->report.run->program->sim.steps)
        EXPECT_LE(step.time.cores, side * side) << policy;
      if (policy != "Greedy") continue;
      EXPECT_GT(finished->report.run->program->sim.time.count, before) << "fewer cores take longer";
      before = finished->report.run->program->sim.time.count;
    }
  }
}

TEST(RunPolicy, EveryDeviceWithEveryReleaseAndPolicy) {
  Session session;
  session.load("x", kRelu);
  for (const DeviceSpec& device : allDevices()) {
    for (const L1Release& release : l1Releases()) {
      for (const PolicyInfo& policy : allPolicies()) {
        Options options;
        options.device = device.id;
        options.policy = policy.id;
        options.l1Release = release.date;
        auto finished = runPolicy(session, options, Diagnostics());
        EXPECT_TRUE(finished->report.ok()) << device.id << " " << release.date << " " << policy.id;
        bool mock = device.id.substr(0, 5) == "mock-";
        if (device.arch != release.arch && !mock) continue;
        EXPECT_EQ(finished->device.l1UnreservedBase, mock ? device.l1UnreservedBase : release.base) << device.id;
      }
    }
  }
}

std::string reluNamed(const std::string& name, const std::string& visibility = "") {
  std::string text = kRelu;
  text.replace(text.find("@main"), 5, visibility + "@" + name);
  return text;
}

TEST(RunPolicy, AForwardFunctionMayBeChosen) {
  const std::string text = reluNamed("first") + reluNamed("hidden", "private ") + kRelu + reluNamed("last");
  Session session;
  for (const char* wanted : {"", "last", "main", "first", "last"}) {
    Json answer(tessera::apiRun(session, text, std::string("{\"function\":\"") + wanted + "\"}"));
    EXPECT_EQ(answer["ok"].asBool(), true);
    EXPECT_EQ(answer["run"].get("function").asString(), *wanted ? wanted : "first");
    JsonValue list = answer["input"].get("forward");
    ASSERT_EQ(list.size(), 3u);
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(list.at(i).get("name").asString(), (std::vector<std::string>{"first", "main", "last"})[i]);
      EXPECT_EQ(list.at(i).get("ops").asInteger(), 2);
    }
    Session other;  // no answer depends on an earlier one
    EXPECT_EQ(tessera::apiRun(other, text, std::string("{\"function\":\"") + wanted + "\"}"), answer.source.text());
  }
}

TEST(RunPolicy, OnlyForwardFunctionsMayBeChosen) {
  const std::string text = kRelu + reluNamed("hidden", "private ");
  for (const char* wanted : {"hidden", "nobody"}) {
    Json answer(tessera::apiRun(sharedSession(), text, std::string("{\"function\":\"") + wanted + "\"}"));
    EXPECT_EQ(kinds(answer.document.root()), "UnknownFunction");
    EXPECT_EQ(answer["run"].kind(), JsonKind::Null);
  }
}

// What the file has instead is named, up to eight functions.
TEST(RunPolicy, FunctionsThatThereAreAreNamed) {
  std::string text, names;
  for (int count = 1; count <= 10; ++count) {
    const std::string name = "f" + std::to_string(count);
    text += reluNamed(name);
    if (count <= 8) names += (count > 1 ? ", `@" : "`@") + name + "`";
    Json answer(tessera::apiRun(sharedSession(), text, R"({"function":"nobody"})"));
    const JsonValue all = answer["diagnostics"];  // after a word about each that is not taken
    ASSERT_EQ(all.size(), static_cast<size_t>(count));
    EXPECT_EQ(all.at(all.size() - 1).get("message").asString().value_or(""),
              "the file has no forward function `@nobody`; it has " + names + (count > 8 ? " ..." : ""));
  }
}

TEST(RunPolicy, WhatIsMarkedAsSomethingElseIsNoForwardFunction) {
  std::string loads = reluNamed("loads");
  loads.replace(loads.find(" {\n"), 3, " attributes {tt.function_type = \"const_eval\"} {\n");
  Json answer(apiRun(loads + kRelu, "{}"));
  EXPECT_EQ(answer["run"].get("function").asString(), "main");
  EXPECT_EQ(answer["input"].get("forward").size(), 1u);
}

// Memory configuration and element type that the program said, of results that lie elsewhere now; and of one that it
// said nothing about.
TEST(RunPolicy, WordsAboutAResultFollowItsType) {
  const std::string type = "tensor<512x512xbf16>", dram = "#ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>",
                    block =
                        "#ttnn.memory_config<#ttnn.buffer_type<l1>, <block_sharded>, "
                        "#ttnn.shard_spec<<[#ttnn.core_range<(0,0), (3,3)>]>, <128x128>, <row_major>>>";
  const std::string two = " : (" + type + ", " + type + ") -> " + type + "\n";
  const std::string text =
      "func.func @main(%a: " + type + ", %b: " + type + ") -> " + type + " {\n" +
      "  %0 = \"ttnn.add\"(%a, %b) <{dtype = #ttcore.supportedDataTypes<f32>, memory_config = " + dram + "}>" + two +
      "  %1 = \"ttnn.multiply\"(%0, %b) <{memory_config = " + block + "}>" + two + "  %2 = \"ttnn.subtract\"(%1, %b)" +
      two + "  return %2 : " + type + "\n}\n";
  for (const char* policy : {"Greedy", "DRAM", "DFSharding2"}) {
    SCOPED_TRACE(policy);
    Session session;
    session.load("stale.mlir", text);
    Options options;
    options.policy = policy;
    const auto finished = runPolicy(session, options, Diagnostics());
    ASSERT_TRUE(finished->report.run.has_value());
    const Graph graph = finalGraph(*finished);
    int seen = 0;
    for (OpId id : graph.funcs[graph.forward].ops) {
      const Op& op = graph.ops[id];
      if (opInfo(op.kind).family != Family::EltwiseBinary) continue;
      ++seen;
      const TensorLayout& layout = *graph.values[op.results[0]].type.tensor->layout;
      const AttrValue *config = findAttr(op, "memory_config"), *dtype = findAttr(op, "dtype");
      ASSERT_TRUE(dtype != nullptr);
      EXPECT_EQ(dtype->text, "#ttcore.supportedDataTypes<bf16>") << op.name;
      ASSERT_TRUE(config != nullptr || !layout.isL1()) << op.name;
      if (config == nullptr) continue;
      const std::string buffer = layout.isL1() ? "l1" : "dram";
      EXPECT_NE(config->text.find(buffer), std::string::npos) << config->text;
      EXPECT_NE(config->text.find(tensorMemoryLayoutName(layout.memory)), std::string::npos) << config->text;
      EXPECT_EQ(config->text.find("shard_spec") != std::string::npos, layout.sharded()) << config->text;
      EXPECT_EQ(config->text.find("(3,3)"), std::string::npos) << "the shards of the program before";
    }
    EXPECT_EQ(seen, 3);
  }
}

}  // namespace
}  // namespace tessera::test
