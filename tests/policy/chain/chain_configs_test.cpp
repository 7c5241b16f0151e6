// From which configurations chains choose: shards in L1 alone, most cores first.

#include "core/policy/chain/chain_configs.h"

#include "tests/policy/chain/chain_testing.h"

namespace tessera::test {
namespace {

struct Choosing {
  Graph graph = graphOf(GraphText().arg("%a").op("%0", "ttnn.relu", {"%a"}).op("%1", "ttnn.add", {"%0", "%a"}).text());
  Problem problem = analysed(graph, allDevices()[0], {});
  OpId op = producerOf(graph, "1");

  TensorLayout layout(BufferType buffer, TensorMemoryLayout memory, GridShape grid) const {
    return layoutFor(graph, valueNamed(graph, "1"), buffer, memory, grid, allDevices()[0]);
  }
  std::vector<std::string> places(ChainConfigs& configs) const {
    std::vector<std::string> texts;
    for (const OpConfig& config : configs.of(op)) texts.push_back(layoutText(config.output));
    return texts;
  }
};

TEST(ChainConfigs, OnlyShardsInL1MostCoresFirst) {
  Choosing c;
  LegalOpLayouts& legal = c.problem.legal[c.op];
  legal = {};
  legal.layouts = {c.layout(BufferType::DRAM, TensorMemoryLayout::WidthSharded, {1, 8}),
                   c.layout(BufferType::L1, TensorMemoryLayout::Interleaved, {8, 8}),
                   c.layout(BufferType::L1, TensorMemoryLayout::HeightSharded, {4, 1}),
                   c.layout(BufferType::L1, TensorMemoryLayout::BlockSharded, {4, 4}),
                   c.layout(BufferType::L1, TensorMemoryLayout::WidthSharded, {1, 4}),
                   c.layout(BufferType::L1, TensorMemoryLayout::HeightSharded, {16, 1})};
  ChainConfigs configs(c.problem);
  EXPECT_EQ(c.places(configs),
            (std::vector<std::string>{"L1 block 4x4", "L1 height 16x1", "L1 height 4x1", "L1 width 1x4"}));
}

// Refused because of operand 0, which a reshard mends: as many as there is room for.
TEST(ChainConfigs, WhatOperandZeroRefusesIsAskedAgain) {
  Choosing c;
  const TensorLayout block = c.layout(BufferType::L1, TensorMemoryLayout::BlockSharded, {8, 8}),
                     height = c.layout(BufferType::L1, TensorMemoryLayout::HeightSharded, {8, 1}),
                     width = c.layout(BufferType::L1, TensorMemoryLayout::WidthSharded, {1, 8});
  const auto refused = [](const TensorLayout& layout, int operand) {
    RejectedLayout rejected{layout, {}};
    rejected.verdict.status = OpStatus::MetalBackendError, rejected.verdict.operand = operand;
    return rejected;
  };
  LegalOpLayouts& legal = c.problem.legal[c.op];
  const auto placesWith = [&](int32_t most) {
    c.problem.options.maxLegalLayouts = most;
    ChainConfigs configs(c.problem);
    return c.places(configs);
  };
  legal = {};
  legal.rejected = {refused(height, 0), refused(width, 1), refused(block, 0)};
  using Places = std::vector<std::string>;
  EXPECT_EQ(placesWith(8), (Places{"L1 block 8x8", "L1 height 8x1"}));
  EXPECT_EQ(placesWith(1), (Places{"L1 height 8x1"})) << "the first that the analysis lists";
  legal.layouts = {width};
  EXPECT_EQ(placesWith(2), (Places{"L1 width 1x8", "L1 height 8x1"}));
  EXPECT_EQ(placesWith(1), (Places{"L1 width 1x8"}));
  // What somebody fixed is not widened.
  c.problem.options.layoutOverrides = parseLayoutOverrides("%1=l1", noDiagnostics());
  EXPECT_EQ(placesWith(8), (Places{"L1 width 1x8"}));
}

TEST(ChainConfigs, ArgumentsInL1AddUp) {
  const Graph graph = graphOf(GraphText().arg("%a").arg("%b").arg("%c").op("%0", "ttnn.add", {"%a", "%b"}).text());
  Problem problem = analysed(graph, allDevices()[0], {});
  EXPECT_EQ(ChainConfigs(problem).argumentL1(), Bytes(0));
  for (const char* name : {"a", "c"}) {
    const ValueId argument = valueNamed(graph, name);
    problem.pinned[argument] = l1InterleavedLayout(problem, argument);
  }
  EXPECT_EQ(ChainConfigs(problem).argumentL1(), Bytes(2 * 8192)) << "of 512x512 on 64 cores";
}

TEST(ChainConfigs, PinnedResultsHaveNone) {
  Choosing c;
  c.problem.pinned[valueNamed(c.graph, "1")] = dramLayout(c.problem, valueNamed(c.graph, "1"));
  ChainConfigs configs(c.problem);
  EXPECT_TRUE(configs.of(c.op).empty());
  EXPECT_FALSE(configs.of(producerOf(c.graph, "0")).empty());
}

}  // namespace
}  // namespace tessera::test
