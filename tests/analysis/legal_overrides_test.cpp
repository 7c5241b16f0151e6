#include "core/analysis/layout_overrides.h"

#include <gtest/gtest.h>

#include "core/ir/builder.h"
#include "core/ops/table/op_table.h"
#include "tests/short_forms.h"

namespace tessera {
namespace {

// %0 = conv2d(a, w) "conv1"; %1 = relu "relu1"; %2 = matmul "mm" in f32 (ttnn-optimizer.md 3.1.1)
Graph example() {
  Graph graph;
  GraphBuilder builder(graph);
  const FuncId func = builder.addFunction("forward");
  const ValueId a = builder.addArgument(func, "a", tensor({1, 32, 32, 64}, DType::BF16));
  const ValueId w = builder.addArgument(func, "w", tensor({64, 64, 1, 1}, DType::BF16));
  const auto add = [&](const char* name, std::vector<ValueId> operands, ValueType type, const char* loc) {
    return builder.result(builder.append(func, {.kind = opKindFromName(name),
                                                .name = name,
                                                .operands = std::move(operands),
                                                .resultTypes = {std::move(type)},
                                                .loc = loc}));
  };
  const ValueId conv = add("ttnn.conv2d", {a, w}, tensor({1, 32, 32, 64}, DType::BF16), "conv1");
  const ValueId relu = add("ttnn.relu", {conv}, tensor({1, 32, 32, 64}, DType::BF16), "relu1");
  add("ttnn.matmul", {relu, relu}, tensor({1, 32, 32, 128}, DType::F32), "mm");
  return graph;
}

std::vector<std::string> messages(const Diagnostics& diags) {
  std::vector<std::string> all;
  for (const Diagnostic& diagnostic : diags.all()) all.push_back(diagnostic.message);
  return all;
}

TEST(LayoutOverrides, PublishedForm) {
  Diagnostics diags;
  const LayoutOverrides overrides = parseLayoutOverrides("op=2x2:dram:interleaved:tile:bf16", diags);
  ASSERT_EQ(overrides.size(), 1u);
  EXPECT_EQ(overrides[0].op, "op");
  EXPECT_EQ(overrides[0].settings,
            (OutputLayoutOverride{GridShape{2, 2}, BufferType::DRAM, TensorMemoryLayout::Interleaved, PageLayout::Tile,
                                  DType::BF16}));
  EXPECT_TRUE(overrides[0].settings.full());
  EXPECT_TRUE(messages(diags).empty());
}

TEST(LayoutOverrides, AnyOrderAnyPart) {
  Diagnostics diags;
  const LayoutOverrides overrides =
      parseLayoutOverrides(" a=row_major:u32 , b = l1_small , %3=block_sharded:8x8:l1", diags);
  ASSERT_EQ(overrides.size(), 3u);
  EXPECT_EQ(overrides[0].settings, (OutputLayoutOverride{.page = PageLayout::RowMajor, .dtype = DType::U32}));
  EXPECT_EQ(overrides[1].settings.buffer, BufferType::L1Small);
  EXPECT_FALSE(overrides[2].settings.full());
  EXPECT_EQ(overrides[2].op, "%3");
  EXPECT_EQ(overrides[2].settings,
            (OutputLayoutOverride{
                .grid = GridShape{8, 8}, .buffer = BufferType::L1, .memory = TensorMemoryLayout::BlockSharded}));
  EXPECT_TRUE(messages(diags).empty());
  EXPECT_TRUE(parseLayoutOverrides("", diags).empty());
}

// Blanks, tabs and ends of lines around every word; a file of them may have a line for each op.
TEST(LayoutOverrides, BlanksOfAnyKindAroundWordsDoNotCount) {
  const OutputLayoutOverride wanted = {.grid = GridShape{2, 4}, .buffer = BufferType::L1, .dtype = DType::BF16};
  for (const char* blank : {"", " ", "\t", "\n", "\r\n", " \t "}) {
    const auto spaced = [&](const char* word) { return std::string(blank) + word + blank; };
    const std::string settings = spaced("2x4") + ":" + spaced("l1") + ":" + spaced("bf16");
    Diagnostics diags;
    const LayoutOverrides overrides =
        parseLayoutOverrides(spaced("a") + "=" + settings + "," + spaced("%b") + "=" + settings, diags);
    ASSERT_EQ(overrides.size(), 2u) << settings;
    EXPECT_EQ(overrides[0].op + overrides[1].op, "a%b");
    EXPECT_EQ(overrides[0].settings, wanted) << settings;
    EXPECT_EQ(overrides[1].settings, wanted) << settings;
    EXPECT_TRUE(parseLayoutOverrides(blank, diags).empty());
    EXPECT_TRUE(messages(diags).empty()) << settings;
  }
}

TEST(LayoutOverrides, Mistakes) {
  struct Case {
    const char* text;
    const char* message;
  };
  for (const Case& c :
       {Case{"a=2x2:4x4", "override of `a`: the grid is given twice"},
        Case{"a=dram:l1", "override of `a`: the buffer type is given twice"},
        Case{"a=tile:tile", "override of `a`: the page layout is given twice"},
        Case{"a=bf16:f32", "override of `a`: the element type is given twice"},
        Case{"a=interleaved:block_sharded", "override of `a`: the memory layout is given twice"},
        Case{"a=dram,a=l1", "override of `a`: the op is given twice"},
        Case{"a=0x8", "override of `a`: the grid is `0x8`, expected rows x columns such as `8x8`, both at least 1"},
        Case{"a=8x", "override of `a`: the grid is `8x`, expected rows x columns such as `8x8`, both at least 1"},
        Case{"a=99999999999999999999x1",
             "override of `a`: the grid is `99999999999999999999x1`, expected rows x columns such as `8x8`, both at "
             "least 1"},
        Case{"a=sram",
             "override of `a`: a part is `sram`, expected a grid, a buffer type, a memory layout, `tile` or "
             "`row_major`, or an element type"},
        Case{"a=",
             "override of `a`: a part is ``, expected a grid, a buffer type, a memory layout, `tile` or `row_major`, "
             "or an element type"},
        Case{"dram", "override of `dram`: the entry is `dram`, expected `op=settings`"}}) {
    Diagnostics diags;
    const LayoutOverrides overrides = parseLayoutOverrides(c.text, diags);
    EXPECT_EQ(messages(diags), (std::vector<std::string>{c.message})) << c.text;
    EXPECT_EQ(overrides.size(), std::string_view(c.text) == "a=dram,a=l1" ? 1u : 0u) << c.text;
  }
}

TEST(LayoutOverrides, TheOtherEntriesSurviveAMistake) {
  Diagnostics diags;
  EXPECT_EQ(parseLayoutOverrides("a=sram,b=l1,,c=dram", diags).size(), 2u);
  EXPECT_EQ(diags.errorCount(), 2u);
}

TEST(LayoutOverrides, FindTheirOps) {
  const Graph graph = example();
  Diagnostics diags;
  const LayoutOverrides overrides = parseLayoutOverrides("relu1=l1,%0=dram", diags);
  const std::vector<OpId>& ops = graph.funcs[FuncId{0}].ops;
  EXPECT_EQ(findOverride(overrides, graph, ops[1])->buffer, BufferType::L1);
  EXPECT_EQ(findOverride(overrides, graph, ops[0])->buffer, BufferType::DRAM);
  EXPECT_EQ(findOverride(overrides, graph, ops[2]), nullptr);
}

TEST(LayoutOverrides, UnknownOpsAndGridsBeyondTheDevice) {
  const Graph graph = example();
  const auto check = [&](const char* text) {
    Diagnostics diags;
    checkOverrides(parseLayoutOverrides(text, diags), graph, *findDevice("n150"), diags);
    return messages(diags);
  };
  EXPECT_TRUE(check("conv1=l1,%1=dram,relu1_in_0_layout=8x8:l1").empty());
  EXPECT_EQ(check("conv9=l1"),
            (std::vector<std::string>{"an override names the op `conv9`, which is not in the graph"}));
  EXPECT_EQ(check("relu1_in_1_layout=l1").size(), 1u);  // relu has one operand
  EXPECT_EQ(
      check("linear_in_proj_in_0_layout=l1"),
      (std::vector<std::string>{"an override names the op `linear_in_proj_in_0_layout`, which is not in the graph"}));
  EXPECT_EQ(check("relu9_in_0_layout=l1").size(), 1u);
  EXPECT_EQ(
      check("conv1=9x8:l1"),
      (std::vector<std::string>{"override of `conv1`: the grid is `9x8`, expected at most the 64 cores of n150"}));
}

TEST(Conv2dOverrides, EveryKey) {
  const char* text =
      "conv1=weights_dtype#bf16:activation#relu:deallocate_activation#true:reallocate_halo_output#false:act_block_h_"
      "override#64:act_block_w_div#2:reshard_if_not_optimal#false:"
      "override_sharding_config#true:shard_layout#height_sharded:core_grid#8x8:transpose_shards#true:output_layout#row_"
      "major:enable_act_double_buffer#true:"
      "enable_weights_double_buffer#false";
  Diagnostics diags;
  const Conv2dOverrides overrides = parseConv2dOverrides(text, diags);
  ASSERT_EQ(overrides.size(), 1u);
  EXPECT_EQ(overrides[0].op, "conv1");
  EXPECT_EQ(overrides[0].settings, (Conv2dConfigOverride{.weightsDtype = DType::BF16,
                                                         .activation = "relu",
                                                         .deallocateActivation = true,
                                                         .reallocateHaloOutput = false,
                                                         .actBlockHOverride = 64,
                                                         .actBlockWDiv = 2,
                                                         .reshardIfNotOptimal = false,
                                                         .overrideShardingConfig = true,
                                                         .shardLayout = TensorMemoryLayout::HeightSharded,
                                                         .coreGrid = GridShape{8, 8},
                                                         .transposeShards = true,
                                                         .outputLayout = PageLayout::RowMajor,
                                                         .enableActDoubleBuffer = true,
                                                         .enableWeightsDoubleBuffer = false}));
  checkOverrides(overrides, example(), diags);
  EXPECT_TRUE(messages(diags).empty());
}

// 0 rows are the library's choice; a width is cut into one part at least.
TEST(Conv2dOverrides, SmallestNumbers) {
  Diagnostics diags;
  const Conv2dOverrides overrides = parseConv2dOverrides("conv1=act_block_h_override#0:act_block_w_div#1", diags);
  checkOverrides(overrides, example(), diags);
  EXPECT_TRUE(messages(diags).empty());
  ASSERT_EQ(overrides.size(), 1u);
  EXPECT_EQ(overrides[0].settings, (Conv2dConfigOverride{.actBlockHOverride = 0, .actBlockWDiv = 1}));
}

TEST(Conv2dOverrides, Mistakes) {
  for (const char* text :
       {"conv1=act_block_h_override#33", "conv1=act_block_h_override#-32", "conv1=act_block_h_override#",
        "conv1=act_block_w_div#0", "conv1=deallocate_activation#yes", "conv1=speed#fast", "conv1=activation",
        "conv1=activation#re lu", "conv1=weights_dtype#i64", "conv1=shard_layout#interleaved", "conv1=core_grid#0x1",
        "conv1=output_layout#tiled", "conv1=act_block_h_override#32:act_block_h_override#64", "conv1",
        "relu1=activation#relu", "conv7=activation#relu"}) {
    Diagnostics diags;
    checkOverrides(parseConv2dOverrides(text, diags), example(), diags);
    EXPECT_EQ(diags.errorCount(), 1u) << text;
  }
}

TEST(LayoutOverrides, GridsMayTakeAllCoresAndNoMore) {
  const Graph graph = example();
  const auto said = [&](const char* text) {
    Diagnostics diags;
    checkOverrides(parseLayoutOverrides(text, diags), graph, n150(), diags);
    return messages(diags);
  };
  EXPECT_TRUE(said("relu1=8x8").empty());
  EXPECT_TRUE(said("relu1=64x1").empty());
  ASSERT_EQ(said("relu1=65x1").size(), 1u);
  EXPECT_NE(said("relu1=65x1")[0].find("at most the 64 cores"), std::string::npos);
}

// The conversion in front of an operand is known as far as there are operands.
TEST(LayoutOverrides, ConversionsOfOperandsAreKnown) {
  const Graph graph = example();
  const auto unknown = [&](const char* text) {
    Diagnostics diags;
    checkOverrides(parseLayoutOverrides(text, diags), graph, n150(), diags);
    return diags.all().size();
  };
  EXPECT_EQ(unknown("conv1_in_0_layout=l1,conv1_in_1_layout=dram"), 0u);
  EXPECT_EQ(unknown("conv1_in_2_layout=l1"), 1u);
  EXPECT_EQ(unknown("relu1_in_0_layout=l1"), 0u);
  EXPECT_EQ(unknown("relu1_in_x_layout=l1"), 1u);
  EXPECT_EQ(unknown("nobody_in_0_layout=l1"), 1u);
}

}  // namespace
}  // namespace tessera
