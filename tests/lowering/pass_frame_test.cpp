// The frame around the passes: the rewriter, the log, provenance; and every pass on random graphs and real dumps.

#include <algorithm>

#include "core/lowering/release.h"
#include "core/lowering/rewriter.h"
#include "tests/lowering/lowering_testing.h"
#include "tests/policy/random_graph.h"
#include "tests/sizes.h"

namespace tessera::test {
namespace {

const char* const kDead =
    "func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
    "  %0 = \"ttir.relu\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16> loc(\"kept\")\n"
    "  %1 = \"ttir.exp\"(%0) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
    "  %2 = \"ttir.exp\"(%1) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
    "  return %0 : tensor<64x64xbf16>\n}\n";

// The chips of a module count where none were asked for, and where they are two dims of at least one chip.
TEST(Release, TheMeshOfAModuleIsTakenUnlessOneIsAskedFor) {
  using Mesh = std::vector<int64_t>;
  const std::pair<const char*, Mesh> kModules[] = {
      {R"([<"mesh" = 2x4>])", {2, 4}},           {R"([<"mesh" = 1x1024>])", {1, 1024}},
      {R"([<"mesh" = 1x1025>])", {1, 1}},        {R"([<"mesh" = 8>])", {1, 1}},
      {R"([<"mesh" = 1x2x4>])", {1, 1}},         {R"([<"mesh" = 0x4>])", {1, 1}},
      {R"([<"a" = 1x2>, <"b" = 2x4>])", {1, 2}}, {"[]", {1, 1}}};
  for (const auto& [meshes, taken] : kModules) {
    const Graph graph = graphOfText("module attributes {ttcore.meshes = #ttcore.meshes<" + std::string(meshes) +
                                    ">} {\n" + kDead + "}\n");
    EXPECT_EQ(optionsFor(graph, {}).meshShape, (Mesh{1, 1})) << "the specification speaks of one chip";
    LoweringOptions asked;
    asked.specificationRules = false;
    EXPECT_EQ(optionsFor(graph, asked).meshShape, taken) << meshes;
    asked.meshShape = {1, 8};
    EXPECT_EQ(optionsFor(graph, asked).meshShape, (Mesh{1, 8})) << meshes;
  }
}

TEST(Rewriter, CopyingEverythingGivesTheSameGraph) {
  Graph graph = graphOfText(kDead);
  GraphRewriter rewriter(graph);
  for (OpId op : graph.funcs[graph.forward].ops) rewriter.copy(op);
  Graph copy = rewriter.finish();
  EXPECT_TRUE(sameGraph(graph, copy));
  EXPECT_EQ(verifyGraph(copy).size(), 0u);
  for (OpId op : graph.ops.ids()) EXPECT_EQ(copy.ops[op].origins, std::vector<OpId>{op});
}

TEST(Rewriter, NewValuesGetFreeNamesAndOldNamesStayTheirs) {
  Graph graph = graphOfText(kDead);
  GraphRewriter rewriter(graph);
  const auto& ops = graph.funcs[graph.forward].ops;
  ValueType type = graph.values[graph.ops[ops[0]].results[0]].type;
  auto relu = [&](const char* wish) {
    OpSpec spec = makeOp(opKindFromName("ttir.relu"), {rewriter.now(graph.funcs[graph.forward].args[0])}, {type});
    spec.resultName = wish;
    return rewriter.emitFor(ops[1], std::move(spec));
  };
  OpId number = relu("1"), unnamed = relu(""), named = relu("a"), again = relu("a");
  for (OpId op : ops) rewriter.copy(op);
  rewriter.absorb(number, ops[0]);
  Graph out = rewriter.finish();
  EXPECT_EQ(verifyGraph(out).size(), 0u);
  auto name = [&](OpId op) { return out.values[out.ops[op].results[0]].name; };
  EXPECT_EQ(name(number), "3");
  EXPECT_EQ(name(unnamed), "4");
  EXPECT_EQ(name(named), "a_1");
  EXPECT_EQ(name(again), "a_2");
  EXPECT_EQ(out.ops[number].origins, (std::vector<OpId>{ops[0], ops[1]}));
  auto went = descendants(out, graph.ops.size());
  EXPECT_EQ(went[0].size(), 2u);
  EXPECT_EQ(went[1].size(), 5u);
}

TEST(PassFrame, LogCountsWhatChanged) {
  LoweringSetup setup;
  LoweringResult result = passOn("remove-dead-values", graphOfText(kDead), setup);
  ASSERT_EQ(result.logs.size(), 1u);
  EXPECT_EQ(result.logs[0].removed, 2);
  EXPECT_EQ(result.logs[0].added, 0);
  EXPECT_EQ(result.logs[0].changed, 0);
  EXPECT_EQ(countOps(result.graph), (std::map<std::string, int>{{"func.return", 1}, {"ttir.relu", 1}}));
  EXPECT_EQ(result.graph.ops[OpId{0}].loc, "kept");
}

// A cache that is written, and what goes to other chips, is there although nobody reads what they return.
TEST(PassFrame, WhatHasAnEffectStaysUnread) {
  const std::string cache = "tensor<2x8x16x128xbf16>", row = "tensor<1x8x1x128xbf16>", at = "tensor<1xi32>";
  const std::string text =
      "func.func @main(%c: " + cache + ", %r: " + row + ", %p: " + at + ") -> " + row +
      " {\n  %0 = \"ttir.update_cache\"(%c, %r, %p) <{batch_offset = 0 : i32}> : (" + cache + ", " + row + ", " + at +
      ") -> " + cache + "\n  %1 = \"ttir.fill_cache\"(%c, %r) <{batch_offset = 0 : i32}> : (" + cache + ", " + row +
      ") -> " + cache + "\n  %2 = \"ttir.abs\"(%r) : (" + row + ") -> " + row +
      "\n  %3 = \"ttir.all_gather\"(%r) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32}> : (" + row + ") -> " +
      row + "\n  %4 = \"other.op\"(%r) : (" + row + ") -> " + row + "\n  return %r : " + row + "\n}\n";
  LoweringSetup setup;
  const LoweringResult result = passOn("remove-dead-values", graphOfText(text), setup);
  EXPECT_EQ(countOps(result.graph), (std::map<std::string, int>{{"func.return", 1},
                                                                {"ttir.update_cache", 1},
                                                                {"ttir.fill_cache", 1},
                                                                {"ttir.all_gather", 1},
                                                                {"other.op", 1}}));
}

// Ops without results that look alike are told apart by their order.
TEST(PassFrame, LogCountsOpsThatLookAlikeOneByOne) {
  LoweringSetup setup;
  const std::string update = "  \"ttir.update_cache\"(%c, %r, %p) <{batch_offset = ",
                    types = " : i32}> : (tensor<2x8x16x128xbf16>, tensor<1x8x1x128xbf16>, tensor<1xi32>) -> ()\n";
  const LoweringResult result = passOn(
      "remove-dead-values",
      graphOfText("func.func @main(%c: tensor<2x8x16x128xbf16>, %r: tensor<1x8x1x128xbf16>, %p: tensor<1xi32>) -> "
                  "tensor<1xi32> {\n  %0 = \"ttir.abs\"(%p) : (tensor<1xi32>) -> tensor<1xi32>\n" +
                  update + "0" + types + update + "1" + types + update + "1" + types +
                  "  return %p : tensor<1xi32>\n}\n"),
      setup);
  EXPECT_EQ(result.logs.at(0).removed, 1);
  EXPECT_EQ(result.logs.at(0).changed, 0);
  EXPECT_EQ(result.logs.at(0).added, 0);
}

TEST(PassFrame, PassNamesAreUniqueAndStagesAreInOrder) {
  std::map<std::string_view, int> seen;
  PassStage last = PassStage::Stablehlo;
  for (const PassInfo& pass : allPasses()) {
    EXPECT_EQ(++seen[pass.name], 1) << pass.name;
    EXPECT_EQ(findPass(pass.name), &pass);
    EXPECT_FALSE(pass.title.empty() || pass.description.empty()) << pass.name;
    EXPECT_GE(pass.stage, last) << pass.name;
    EXPECT_EQ(pass.run == nullptr, pass.stage == PassStage::Optimize) << pass.name;
    last = pass.stage;
  }
  for (const PassInfo& pass : namedPasses()) {
    EXPECT_EQ(++seen[pass.name], 1) << pass.name;
    EXPECT_EQ(findPass(pass.name), &pass);
    EXPECT_FALSE(pass.title.empty() || pass.description.empty()) << pass.name;
    EXPECT_EQ(pass.run == nullptr, pass.stage == PassStage::Optimize) << pass.name;
  }
  EXPECT_EQ(findPass("ttnn-nothing"), nullptr);
}

// docs/rules/lowering.md#stages: fusing, decomposition, folding of broadcasts; the compiler decomposes first.
TEST(PassFrame, TheSpecificationFusesBeforeItDecomposes) {
  for (bool specification : {true, false}) {
    LoweringOptions options;
    options.specificationRules = specification;
    std::vector<std::string_view> order;
    for (const PassInfo& pass : allPasses()) {
      const bool runs = !pass.enabled || pass.enabled(options);
      if (runs && pass.stage == PassStage::Prepare) order.push_back(pass.name);
    }
    const auto at = [&](std::string_view name) { return std::find(order.begin(), order.end(), name) - order.begin(); };
    const auto first = specification ? at("ttir-fusing-first") : at("ttir-fusing");
    ASSERT_LT(first, static_cast<std::ptrdiff_t>(order.size()));
    EXPECT_EQ(first < at("ttir-to-ttir-decomposition"), specification);
    EXPECT_LT(at("ttir-to-ttir-decomposition"), at("ttir-implicit-broadcast-fold"));
  }
  const Graph graph = graphOfText(
      "func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
      "  %z = \"ttir.zeros\"() <{shape = array<i32: 64, 64>}> : () -> tensor<64x64xbf16>\n"
      "  %0 = \"ttir.maximum\"(%a, %z) : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
      "  return %0 : tensor<64x64xbf16>\n}\n");
  const Graph fused = passOn("ttir-fusing-first", graph, LoweringSetup()).graph;
  std::string ops;
  for (OpId op : fused.funcs[fused.forward].ops) ops += fused.ops[op].name + " ";
  EXPECT_EQ(ops, "ttir.relu func.return ");
}

TEST(PassFrame, RandomGraphsStaySoundAfterEveryPass) {
  LoweringSetup setup;
  for (uint64_t seed = 0; seed < test::seeds(200); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LoweringResult lowered = lower(graphOfText(randomGraphText(seed)), setup.context);
    expectSoundLogs(lowered);
    LoweringResult finalized = finalize(lowered.graph, setup.context);
    expectSoundLogs(finalized);
    expectSoundLogs(release(finalized.graph, setup.context));
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(PassFrame, RealGraphsStaySoundAfterEveryPass) {
  if (corpusFiles().empty()) GTEST_SKIP() << "no corpus";
  LoweringSetup setup;
  for (const auto& path : test::sliceOf(corpusFiles())) {
    SCOPED_TRACE(path.filename().string());
    LoweringResult lowered = lower(graphOfText(readFile(path)), setup.context);
    expectSoundLogs(lowered);
    expectReadsBack(lowered.graph);
    LoweringResult finalized = finalize(lowered.graph, setup.context);
    expectSoundLogs(finalized);
    LoweringResult released = release(finalized.graph, setup.context);
    expectSoundLogs(released);
    expectReadsBack(compactGraph(released.graph));
  }
}

TEST(PassSettings, OnlyTheOptionsOfThePass) {
  const PassInfo& pass = *findPass("ttnn-weight-dtype-conversion");
  PassSettings settings;
  EXPECT_EQ(parsePassSettings(pass, "  target-dtype=bfp_bf8 ", settings), "");
  ASSERT_NE(settings.find("target-dtype"), nullptr);
  EXPECT_EQ(*settings.find("target-dtype"), "bfp_bf8");
  EXPECT_NE(parsePassSettings(pass, "target-dtype=f64", settings), "");
  EXPECT_NE(parsePassSettings(pass, "force=true", settings), "");
  const PassInfo& views = *findPass("ttir-erase-inverse-ops");
  PassSettings given;
  EXPECT_EQ(parsePassSettings(views, "force enable-commute-upwards=false max-iterations=3", given), "");
  EXPECT_TRUE(given.flag("force", false));
  EXPECT_FALSE(given.flag("enable-commute-upwards", true));
  EXPECT_TRUE(given.flag("enable-commute-downwards", true));
  EXPECT_NE(parsePassSettings(views, "max-iterations=many", given), "");
  EXPECT_NE(parsePassSettings(views, "force=perhaps", given), "");
}

}  // namespace
}  // namespace tessera::test
