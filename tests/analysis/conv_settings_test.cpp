// Settings of convolutions that a user fixes: what stands in the graph then, and what is refused.

#include "core/analysis/conv_settings.h"

#include <gtest/gtest.h>

#include "core/ir/builder.h"
#include "core/ops/table/op_table.h"
#include "tests/short_forms.h"

namespace tessera {
namespace {

struct Convolution {
  Graph graph;
  OpId op;

  explicit Convolution(const std::string& had = "", bool laidOut = false, const char* name = "ttnn.conv2d") {
    GraphBuilder builder(graph);
    const FuncId func = builder.addFunction("f");
    graph.forward = func;
    const ValueId x = builder.addArgument(func, "x", tensor({1, 1, 100, 64}));
    const ValueId w = builder.addArgument(func, "w", tensor({64, 64, 1, 1}));
    ValueType result = tensor({1, 1, 100, 64});
    if (laidOut) result.tensor->layout = *makeLayout({1, 1, 100, 64}, {}, n150());
    AttrList attrs;
    if (!had.empty()) attrs = {{"conv2d_config", rawAttr(had)}};
    op = builder.append(func, {.kind = opKindFromName(name),
                               .name = name,
                               .operands = {x, w},
                               .resultTypes = {result},
                               .attrs = attrs,
                               .loc = "c"});
  }

  // The config's text, or the first mistake.
  std::string with(const std::string& settings) const {
    Diagnostics diags;
    const Graph after = withConvSettings(graph, parseConv2dOverrides("c=" + settings, diags), diags);
    if (!diags.all().empty()) return diags.all().front().message;
    const AttrValue* config = findAttr(after.ops[op], "conv2d_config");
    return config ? std::string(config->text) : "";
  }
};

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(ConvSettings, SwitchesThatAreOffNeedNothingBesideThem) {
  const Convolution conv;
  EXPECT_TRUE(holds(conv.with("transpose_shards#false"), "transpose_shards = false"));
  EXPECT_TRUE(holds(conv.with("act_block_w_div#1"), "act_block_w_div = 1"));
  EXPECT_TRUE(holds(conv.with("transpose_shards#true"), "have no transpose"));
  EXPECT_TRUE(holds(conv.with("shard_layout#height_sharded:transpose_shards#true"), "have no transpose"));
  EXPECT_TRUE(holds(conv.with("act_block_w_div#2"), "only those blocks are cut along their width"));
  EXPECT_TRUE(holds(conv.with("override_sharding_config#false:core_grid#4x8"), "takes cores by itself"));
}

TEST(ConvSettings, WhatTheOpSaysAlreadyCountsBesideThem) {
  const Convolution blocks("#ttnn.conv2d_config<shard_layout = block_sharded, act_block_h_override = 64>");
  const std::string text = blocks.with("transpose_shards#true");
  EXPECT_TRUE(holds(text, "transpose_shards = true")) << text;
  EXPECT_TRUE(holds(text, "act_block_h_override = 64")) << "what is not named stays";
  EXPECT_TRUE(holds(blocks.with("act_block_h_override#32"), "act_block_h_override = 32"));
  for (const char* name : {"ttir.conv2d", "ttnn.conv2d", "ttir.conv_transpose2d", "ttnn.conv_transpose2d"}) {
    const Convolution one("#ttnn.conv2d_config<act_block_h_override = 64>", false, name);
    EXPECT_TRUE(holds(one.with("deallocate_activation#true"), "act_block_h_override = 64")) << name;
  }
}

// Rows of a grid are the second number of a core's place.
TEST(ConvSettings, GridsAreWrittenAsTheirLastCore) {
  EXPECT_TRUE(holds(Convolution().with("override_sharding_config#true:core_grid#2x5"), "<(0,0), (4,1)>"));
}

TEST(ConvSettings, RowsThatAreWrittenLieAsRows) {
  const Convolution conv("", true);
  Diagnostics diags;
  const Graph rows = withConvSettings(conv.graph, parseConv2dOverrides("c=output_layout#row_major", diags), diags);
  const TensorLayout& layout = *rows.values[rows.ops[conv.op].results[0]].type.tensor->layout;
  EXPECT_EQ(layout.page, PageLayout::RowMajor);
  EXPECT_EQ(layout.shardRows, 100);
  EXPECT_EQ(layout.shardCols, 64);
  const Graph tiles = withConvSettings(conv.graph, parseConv2dOverrides("c=output_layout#tile", diags), diags);
  EXPECT_EQ(*tiles.values[tiles.ops[conv.op].results[0]].type.tensor->layout,
            *conv.graph.values[conv.graph.ops[conv.op].results[0]].type.tensor->layout);
  EXPECT_TRUE(diags.all().empty());
}

}  // namespace
}  // namespace tessera
