#include "core/analysis/override_origins.h"

#include <gtest/gtest.h>

#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

// Ops 0 to 3 of the source.
const char* const kSource =
    "func.func @main(%x: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
    "  %a = \"ttir.exp\"(%x) : (tensor<64x64xbf16>) -> tensor<64x64xbf16> loc(\"first\")\n"
    "  %b = \"ttir.relu\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16> loc(\"second\")\n"
    "  %c = \"ttir.neg\"(%b) : (tensor<64x64xbf16>) -> tensor<64x64xbf16> loc(\"kept\")\n"
    "  return %c : tensor<64x64xbf16>\n}\n";

// Its exp is made of a reshape, an exp, another reshape and a move; the relu's place is taken by the last of them.
const char* const kLowered =
    "func.func @main(%x: tensor<64x64xbf16>) -> tensor<64x64xbf16> {\n"
    "  %p = \"ttnn.reshape\"(%x) <{shape = [4096 : i32, 1 : i32]}> : (tensor<64x64xbf16>) -> tensor<4096x1xbf16>\n"
    "  %q = \"ttnn.exp\"(%p) : (tensor<4096x1xbf16>) -> tensor<4096x1xbf16>\n"
    "  %r = \"ttnn.reshape\"(%q) <{shape = [64 : i32, 64 : i32]}> : (tensor<4096x1xbf16>) -> tensor<64x64xbf16>\n"
    "  %s = \"ttnn.to_layout\"(%r) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
    "  %t = \"ttnn.neg\"(%s) : (tensor<64x64xbf16>) -> tensor<64x64xbf16> loc(\"kept\")\n"
    "  return %t : tensor<64x64xbf16>\n}\n";

struct Both {
  Graph source = graphOf(kSource);
  Graph lowered = graphOf(kLowered);

  Both() {
    const std::vector<OpId>& before = source.funcs[source.forward].ops;
    const std::vector<OpId>& after = lowered.funcs[lowered.forward].ops;
    for (size_t i : {0, 1, 2, 3}) lowered.ops.edit(after[i]).origins = {before[0]};
    lowered.ops.edit(after[2]).origins.push_back(before[1]);
    lowered.ops.edit(after[4]).origins = {before[2]};
  }
};

// Names of the overrides of the three kinds after they followed: they must agree.
std::string followed(const Both& graphs, const std::string& name) {
  LayoutOverrides layouts = {{name, {}}};
  Conv2dOverrides settings = {{name, {}}};
  OpMoves moves = {{name, name}};
  followOrigins(layouts, graphs.source, graphs.lowered);
  followOrigins(settings, graphs.source, graphs.lowered);
  followOrigins(moves, graphs.source, graphs.lowered);
  EXPECT_EQ(settings[0].op, layouts[0].op);
  EXPECT_EQ(moves[0].op, layouts[0].op);
  EXPECT_EQ(moves[0].settings, layouts[0].op);
  return layouts[0].op;
}

TEST(OverrideOrigins, TheOpThatComputesStandsForItsSource) {
  const Both graphs;
  EXPECT_EQ(followed(graphs, "first"), "%q");  // neither a view nor a move, though those come later
  EXPECT_EQ(followed(graphs, "%a"), "%q");
}

TEST(OverrideOrigins, WhatWasRemovedDoesNotAnswerToItsName) {
  Both graphs;
  Op& gone = graphs.lowered.ops.edit(graphs.lowered.funcs[graphs.lowered.forward].ops[4]);
  gone.loc = "first";
  EXPECT_EQ(followed(graphs, "first"), "first") << "it is there still";
  gone.func = FuncId{};
  EXPECT_EQ(followed(graphs, "first"), "%q");
}

TEST(OverrideOrigins, AViewStandsWhereNothingElseDoes) {
  Both graphs;
  EXPECT_EQ(followed(graphs, "second"), "%r");
  const std::vector<OpId>& after = graphs.lowered.funcs[graphs.lowered.forward].ops;
  graphs.lowered.ops.edit(after[1]).origins.clear();  // now reshapes only: the last
  EXPECT_EQ(followed(graphs, "first"), "%r");
}

TEST(OverrideOrigins, TheLastOfSeveralThatComputeStands) {
  Both graphs;
  const std::vector<OpId>& before = graphs.source.funcs[graphs.source.forward].ops;
  const std::vector<OpId>& after = graphs.lowered.funcs[graphs.lowered.forward].ops;
  graphs.lowered.ops.edit(after[4]).origins = {before[0], before[2]};
  EXPECT_EQ(followed(graphs, "first"), "%t");
}

TEST(OverrideOrigins, NamesThatAreThereOrNowhereStay) {
  const Both graphs;
  EXPECT_EQ(followed(graphs, "kept"), "kept");
  EXPECT_EQ(followed(graphs, "%t"), "%t");
  EXPECT_EQ(followed(graphs, "unheard"), "unheard");
}

TEST(OverrideOrigins, FunctionsOfConstantsDoNotStandForOthers) {
  Both graphs;
  graphs.lowered.funcs[graphs.lowered.forward].isPrivate = true;
  EXPECT_EQ(followed(graphs, "first"), "first");
}

TEST(OverrideOrigins, OnlyNamesThatChangedAreWrittenAnew) {
  const Both graphs;
  OpMoves moves = {{"first", "kept"}, {"kept", "second"}};
  followOrigins(moves, graphs.source, graphs.lowered);
  EXPECT_EQ(moves, (OpMoves{{"%q", "kept"}, {"kept", "%r"}}));
}

}  // namespace
}  // namespace tessera::test
