#include "core/analysis/op_order.h"

#include <gtest/gtest.h>

#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

const char* const kOrderText =
    "func.func @main(%x: tensor<64x64xbf16>, %cache: tensor<1x1x64x64xbf16>, %new: tensor<1x1x1x64xbf16>, "
    "%at: tensor<1xi32>) -> (tensor<64x64xbf16>, tensor<1x1x64x64xbf16>) {\n"
    "  %a = \"ttnn.relu\"(%x) : (tensor<64x64xbf16>) -> tensor<64x64xbf16> loc(\"twin\")\n"
    "  %b = \"ttnn.exp\"(%x) : (tensor<64x64xbf16>) -> tensor<64x64xbf16> loc(\"twin\")\n"
    "  %c = \"ttnn.gelu\"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16> loc(\"third\")\n"
    "  %d = \"ttnn.add\"(%b, %c) : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>\n"
    "  %e = \"ttnn.relu\"(%cache) : (tensor<1x1x64x64xbf16>) -> tensor<1x1x64x64xbf16>\n"
    "  \"ttnn.update_cache\"(%cache, %new, %at) <{batch_offset = 0 : i32}> : (tensor<1x1x64x64xbf16>, "
    "tensor<1x1x1x64xbf16>, tensor<1xi32>) -> ()\n"
    "  %f = \"ttnn.exp\"(%cache) : (tensor<1x1x64x64xbf16>) -> tensor<1x1x64x64xbf16>\n"
    "  \"ttnn.deallocate\"(%e) <{force = false}> : (tensor<1x1x64x64xbf16>) -> ()\n"
    "  return %d, %f : tensor<64x64xbf16>, tensor<1x1x64x64xbf16>\n}\n";

// First results of the ops in their order: "abcdef", "-" for an op without one.
std::string orderOf(const Graph& graph) {
  std::string order;
  for (OpId op : graph.funcs[graph.forward].ops) {
    const std::vector<ValueId>& results = graph.ops[op].results;
    order += results.empty() ? "-" : graph.values[results.front()].name;
  }
  return order;
}

// The order after the moves, or what is said about them.
std::string moved(std::string_view moves) {
  Diagnostics diags;
  const Graph after = withOpOrder(graphOf(kOrderText), parseOpOrder(moves, diags), diags);
  return diags.all().empty() ? orderOf(after) : diags.all().front().message;
}

TEST(OpOrder, OpsRunRightBeforeOthers) {
  EXPECT_EQ(moved(""), "abcde-f--");
  EXPECT_EQ(moved("%b=%a"), "bacde-f--");
  EXPECT_EQ(moved("%b=%d"), "acbde-f--");
  EXPECT_EQ(moved(" third = %b "), "acbde-f--");
  EXPECT_EQ(moved("%b=%c"), "abcde-f--");
  EXPECT_EQ(moved("%e=%a,%d=%f"), "eabc-df--");
}

TEST(OpOrder, DataFlowIsKept) {
  EXPECT_NE(moved("%d=%b").find("`%c` has to run before it"), std::string::npos) << moved("%d=%b");
  EXPECT_NE(moved("%a=%d").find("`%c` has to run after it"), std::string::npos) << moved("%a=%d");
}

TEST(OpOrder, WhatWritesOrFreesATensorStaysWhereItIsAmongItsReaders) {
  EXPECT_NE(moved("%e=%f").find("`ttnn.update_cache` has to run after it"), std::string::npos) << moved("%e=%f");
  EXPECT_NE(moved("%f=%e").find("`ttnn.update_cache` has to run before it"), std::string::npos) << moved("%f=%e");
}

TEST(OpOrder, NamesThatMeanNoOpOrSeveralAreReported) {
  EXPECT_NE(moved("%zz=%a").find("`%zz`, which is not in the graph"), std::string::npos);
  EXPECT_NE(moved("%c=twin").find("whose name no third has"), std::string::npos) << moved("%c=twin");
  EXPECT_NE(moved("%c=").find("expected the name of an op"), std::string::npos) << moved("%c=");
  EXPECT_NE(moved("%c").find("expected `op=settings`"), std::string::npos) << moved("%c");
  EXPECT_NE(moved("%c=%b,%c=%a").find("given twice"), std::string::npos);
}

// What frees a tensor stays behind those that read it, whichever of the two is moved; the return stays the last.
TEST(OpOrder, WhatFreesATensorStaysBehindItsReaders) {
  const std::string t = "tensor<64x64xbf16>", one = " : (" + t + ") -> " + t;
  const Graph graph =
      graphOf("func.func @main(%x: " + t + ", %y: " + t + ") -> (" + t + ", " + t + ", " + t + ") {\n" +
              "  %d = \"ttnn.exp\"(%y)" + one + "\n  %a = \"ttnn.relu\"(%x)" + one + "\n  %b = \"ttnn.exp\"(%a)" + one +
              "\n  \"ttnn.deallocate\"(%a) <{force = false}> : (" + t + ") -> () loc(\"free a\")\n" +
              "  %c = \"ttnn.gelu\"(%x)" + one + "\n  \"ttnn.deallocate\"(%x) <{force = false}> : (" + t +
              ") -> () loc(\"free x\")\n  \"func.return\"(%b, %c, %d) : (" + t + ", " + t + ", " + t +
              ") -> () loc(\"end\")\n}\n");
  const auto after = [&](std::string_view moves) {
    Diagnostics diags;
    const Graph moved = withOpOrder(graph, parseOpOrder(moves, diags), diags);
    if (diags.all().empty()) return orderOf(moved);
    EXPECT_EQ(orderOf(moved), "dab-c--") << "a move that is refused leaves the order as it was";
    const std::string& text = diags.all().front().message;
    const size_t at = text.find("permits: ");
    return at == std::string::npos ? text : text.substr(at + 9);
  };
  ASSERT_EQ(after(""), "dab-c--");
  EXPECT_EQ(after("%b=%c"), "`ttnn.deallocate` has to run after it");
  EXPECT_EQ(after("free a=%b"), "`%b` has to run before it");
  EXPECT_EQ(after("%c=end"), "`ttnn.deallocate` has to run after it");
  EXPECT_EQ(after("free x=%c"), "`%c` has to run before it");
  EXPECT_EQ(after("%c=free a"), "dabc---") << "it reads something else";
  EXPECT_EQ(after("free a=end"), "dabc---");
  EXPECT_EQ(after("free a=%c"), "dab-c--") << "it runs there already";
  EXPECT_EQ(after("%d=end"), "ab-c-d-");
  EXPECT_EQ(after("end=%d"), "`ttnn.deallocate` has to run before it");
  EXPECT_NE(after("%a=%a").find("whose name no third has"), std::string::npos);
  EXPECT_NE(after("%a=%zz").find("whose name no third has"), std::string::npos);
}

}  // namespace
}  // namespace tessera::test
