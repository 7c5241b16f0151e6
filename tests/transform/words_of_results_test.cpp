// What ops say about their results when a plan was carried out: programs of products, layout ops that make what their
// reader wants, shards in elements.

#include "core/ir/builder.h"
#include "core/transform/result_attributes.h"
#include "tests/policy/test_graphs.h"

namespace tessera::test {
namespace {

// The program that a product gets in words, with sizes that are all different.
std::string programText(MatmulProgram kind, int64_t blockH, int64_t blockW) {
  const std::string type = "tensor<512x512xbf16>";
  const auto run = runOn(graphOf("func.func @main(%a: " + type + ", %b: " + type + ") -> " + type +
                                 " {\n  %0 = \"ttnn.matmul\"(%a, %b) <{transpose_a = false, transpose_b = false}> : (" +
                                 type + ", " + type + ") -> " + type + "\n  return %0 : " + type + "\n}\n"),
                         "DRAM");
  Plan plan = run->plan;
  MatmulAttrs attrs;
  attrs.program = kind;
  attrs.perCoreM = 6, attrs.perCoreN = 10, attrs.in0BlockW = 4, attrs.outSubblockH = 2, attrs.outSubblockW = 5;
  attrs.outBlockH = blockH, attrs.outBlockW = blockW;
  const OpId product = producerOf(run->graph, "0");
  plan.config[product] = {*plan.layout[valueNamed(run->graph, "0")], attrs};
  const AppliedPlan applied = applyPlan(run->graph, plan, run->device.grid);
  const AttrValue* text = findAttr(applied.graph.ops[product], "matmul_program_config");
  return text == nullptr ? "none" : text->text;
}

TEST(WordsOfResults, ProgramsOfProducts) {
  const std::string multi = "#ttnn.matmul_multi_core_reuse_", grid =
                                                                  "compute_with_storage_grid_size = "
                                                                  "#ttnn.core_coord<8, 8>, ";
  EXPECT_EQ(programText(MatmulProgram::MultiCast2d, 0, 0),
            multi + "multi_cast_program_config<" + grid +
                "in0_block_w = 4, out_subblock_h = 2, out_subblock_w = 5, out_block_h = 6, out_block_w = 10, "
                "per_core_m = 6, per_core_n = 10, transpose_mcast = false, fuse_batch = true>");
  EXPECT_EQ(programText(MatmulProgram::MultiCast1dIn0, 3, 5),
            multi + "multi_cast_1d_program_config<" + grid +
                "in0_block_w = 4, out_subblock_h = 2, out_subblock_w = 5, out_block_h = 3, out_block_w = 5, "
                "per_core_m = 6, per_core_n = 10, fuse_batch = true, mcast_in0 = true, gather_in0 = false>");
  EXPECT_EQ(programText(MatmulProgram::MultiCast1dIn1, 2, 0),
            multi + "multi_cast_1d_program_config<" + grid +
                "in0_block_w = 4, out_subblock_h = 2, out_subblock_w = 5, out_block_h = 2, out_block_w = 10, "
                "per_core_m = 6, per_core_n = 10, fuse_batch = true, mcast_in0 = false, gather_in0 = false>");
  EXPECT_EQ(programText(MatmulProgram::MultiCast2d, 1, 1),
            multi + "multi_cast_program_config<" + grid +
                "in0_block_w = 4, out_subblock_h = 2, out_subblock_w = 5, out_block_h = 1, out_block_w = 1, "
                "per_core_m = 6, per_core_n = 10, transpose_mcast = false, fuse_batch = true>");
  EXPECT_EQ(programText(MatmulProgram::Reuse, 3, 5),
            multi + "program_config<" + grid +
                "in0_block_w = 4, out_subblock_h = 2, out_subblock_w = 5, per_core_m = 6, per_core_n = 10>");
  EXPECT_EQ(programText(MatmulProgram::DramSharded, 3, 5),
            multi + "multi_cast_dram_sharded_program_config<in0_block_w = 4, per_core_m = 6, per_core_n = 10>");
}

const std::string kHead = R"(
#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#d = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>>
#r = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <4x1>, memref<16x64xbf16, #l1>, <height_sharded>>
!d = tensor<64x64xbf16, #d>
!t = tensor<64x64xbf16, #t>
!r = tensor<64x64xbf16, #r>
)";

TEST(WordsOfResults, ShardsAreToldInElements) {
  const Graph graph = withResultAttributes(graphOf(kHead + R"(
func.func @main(%x: !d) -> (!t, !r, !d, !t, !t) {
  %0 = "ttnn.relu"(%x) : (!d) -> !t
  %1 = "ttnn.relu"(%x) : (!d) -> !r
  %2 = "ttnn.relu"(%x) : (!d) -> !d
  %3 = "ttnn.to_layout"(%x) : (!d) -> !t
  %4 = "ttnn.relu"(%x) <{memory_config = #ours.memory<l1>}> : (!d) -> !t
  return %0, %1, %2, %3, %4 : !t, !r, !d, !t, !t
}
)"),
                                           *findDevice("n150"), true);
  const auto config = [&](const char* name) {
    const AttrValue* text = findAttr(graph.ops[producerOf(graph, name)], "memory_config");
    return text == nullptr ? std::string("none") : text->text.substr(text->text.find("<height") + 1);
  };
  EXPECT_EQ(config("0"),
            "height_sharded>, #ttnn.shard_spec<<[#ttnn.core_range<(0,0), (1,0)>]>, <32x64>, <row_major>>>");
  EXPECT_EQ(config("1"),
            "height_sharded>, #ttnn.shard_spec<<[#ttnn.core_range<(0,0), (3,0)>]>, <16x64>, <row_major>>>");
  EXPECT_EQ(config("2"), "none");
  EXPECT_EQ(config("3"), "none") << "layout ops say it elsewhere";
  EXPECT_EQ(findAttr(graph.ops[producerOf(graph, "4")], "memory_config")->text, "#ours.memory<l1>");
}

// Words of a result follow the plan where they are spelled as known; those of layout ops and other spellings stay.
TEST(WordsOfResults, OnlyKnownWordsFollowThePlan) {
  const auto run = runOn(graphOf(kHead + R"(
func.func @main(%x: !d) -> (!d, !d, !d) {
  %0 = "ttnn.exp"(%x) <{dtype = #ttcore.supportedDataTypes<f32>, layout = #ttnn.layout<row_major>}> : (!d) -> !d
  %1 = "ttnn.exp"(%x) <{dtype = #ours.type<f32>, layout = #ours.layout<row_major>}> : (!d) -> !d
  %2 = "ttnn.to_layout"(%x) <{layout = #ttnn.layout<row_major>}> : (!d) -> !d
  return %0, %1, %2 : !d, !d, !d
}
)"),
                         "DRAM");
  const AppliedPlan applied = applyPlan(run->graph, run->plan, run->device.grid);
  const auto said = [&](const char* op, const char* word) {
    const AttrValue* text = findAttr(applied.graph.ops[producerOf(applied.graph, op)], word);
    return text == nullptr ? std::string("none") : text->text;
  };
  EXPECT_EQ(said("0", "dtype"), "#ttcore.supportedDataTypes<bf16>");
  EXPECT_EQ(said("0", "layout"), "#ttnn.layout<tile>");
  EXPECT_EQ(said("1", "dtype"), "#ours.type<f32>");
  EXPECT_EQ(said("1", "layout"), "#ours.layout<row_major>");
  EXPECT_EQ(said("2", "layout"), "#ttnn.layout<row_major>");
}

// A layout op right in front of its reader makes what that wants; one further away, or with two readers, does not.
TEST(WordsOfResults, LayoutOpsMakeWhatTheNextOpWants) {
  const auto resharded = [](const std::string& between) {
    const auto run = runOn(graphOf(kHead +
                                   "func.func @main(%x: !d) -> (!d, !d) {\n"
                                   "  %m = \"ttnn.to_memory_config\"(%x) : (!d) -> !t\n" +
                                   between + "  %y = \"ttnn.exp\"(%m) : (!t) -> !d\n  return %y, %z : !d, !d\n}\n"),
                           "DRAM");
    Plan plan = run->plan;
    plan.reshards.clear();
    const ValueId moved = valueNamed(run->graph, "m");
    plan.reshards.push_back({producerOf(run->graph, "y"), 0, dramLayout(*run->problem, moved)});
    const AppliedPlan applied = applyPlan(run->graph, plan, run->device.grid);
    return layoutText(*applied.graph.values[moved].type.tensor->layout) + ", " +
           std::to_string(applied.graph.ops.size() - run->graph.ops.size()) + " more";
  };
  const std::string one = "  %z = \"ttnn.abs\"(%x) : (!d) -> !d\n", two = "  %z = \"ttnn.abs\"(%m) : (!t) -> !d\n";
  EXPECT_EQ(resharded(one), "L1 height 2x1, 1 more");
  EXPECT_EQ(resharded(two), "L1 height 2x1, 1 more");
}

// --- what a plan leaves in the graph ---------------------------------------------------------------------------------

const std::string kMoreTypes = R"(
#system_memory = #ttnn.buffer_type<system_memory>
#h = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64xbf16, #system_memory>>
#w = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64xbf16, #dram>, <interleaved>>
#f = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#g = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #system_memory>>
!h = tensor<64x64xbf16, #h>
!g = tensor<64x64xbf16, #g>
!w = tensor<64x64xbf16, #w>
!f = tensor<64x64xf32, #f>
)";

// %m is made of %x by a layout op, and the op behind it, its only reader, wants it in DRAM: what %m then is, what its
// op says about it, and how many ops there are more.
std::string nextToReader(const std::string& from, const std::string& made) {
  const auto run = runOn(
      graphOf(kHead + kMoreTypes + "func.func @main(%x: " + from + ") -> !d {\n" + "  %m = \"ttnn.to_layout\"(%x) : (" +
              from + ") -> " + made + "\n" + "  %y = \"ttnn.exp\"(%m) : (" + made + ") -> !d\n  return %y : !d\n}\n"),
      "DRAM");
  Plan plan = run->plan;
  const ValueId moved = valueNamed(run->graph, "m");
  plan.reshards = {{producerOf(run->graph, "y"), 0, dramLayout(*run->problem, moved)}};
  const AppliedPlan applied = applyPlan(run->graph, plan, run->device.grid);
  const AttrValue* config = findAttr(applied.graph.ops[producerOf(applied.graph, "m")], "memory_config");
  return layoutText(*applied.graph.values[moved].type.tensor->layout) + ", " + (config ? config->text : "no words") +
         ", " + std::to_string(applied.graph.ops.size() - run->graph.ops.size()) + " more";
}

TEST(WordsOfResults, LayoutOpsBesideTheirReaderMakeWhatItWants) {
  EXPECT_EQ(nextToReader("!d", "!t"), "DRAM, #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>, 0 more");
  EXPECT_EQ(nextToReader("!t", "!t"), "DRAM, #ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>, 0 more");
  EXPECT_EQ(nextToReader("!g", "!t"), "L1 height 2x1, no words, 1 more") << "it comes from the host, in tiles";
  EXPECT_EQ(nextToReader("!h", "!t"), "L1 height 2x1, no words, 1 more") << "it comes from the host";
  EXPECT_EQ(nextToReader("!w", "!t"), "L1 height 2x1, no words, 1 more") << "it makes tiles of rows";
  EXPECT_EQ(nextToReader("!d", "!r"), "L1 height 4x1 rm, no words, 1 more") << "it makes rows of tiles";
  EXPECT_EQ(nextToReader("!f", "!t"), "L1 height 2x1, no words, 1 more") << "it makes 16 bits of 32";
}

// What makes the tensor is no layout op: a conversion is put in front of the reader.
TEST(WordsOfResults, OtherOpsKeepWhatTheyMake) {
  const auto run = runOn(graphOf(kHead + R"(
func.func @main(%x: !d) -> !d {
  %m = "ttnn.relu"(%x) : (!d) -> !d
  %y = "ttnn.exp"(%m) : (!d) -> !d
  return %y : !d
}
)"),
                         "DRAM");
  Plan plan = run->plan;
  const ValueId moved = valueNamed(run->graph, "m"), argument = valueNamed(run->graph, "x");
  plan.reshards = {{producerOf(run->graph, "m"), 0, l1InterleavedLayout(*run->problem, argument)},
                   {producerOf(run->graph, "y"), 0, l1InterleavedLayout(*run->problem, moved)}};
  const AppliedPlan applied = applyPlan(run->graph, plan, run->device.grid);
  EXPECT_TRUE(applied.graph.values[moved].type.tensor->layout->isDram());
  for (const char* name : {"x_reload", "m_reload"}) {
    ASSERT_TRUE(valueNamed(applied.graph, name).valid()) << "named after a word, it needs no letter in front";
    const std::optional<InsertedMove>& move = applied.inserted[producerOf(applied.graph, name)];
    ASSERT_TRUE(move);
    EXPECT_EQ(move->kind, MoveKind::Reload);
    EXPECT_FALSE(move->cause);
    EXPECT_EQ(move->room, -1);
  }
}

// A chosen layout takes the place of one that could not be read.
TEST(WordsOfResults, AChosenLayoutEndsWhatWasWritten) {
  const auto run = runOn(graphOf(kHead + "func.func @main(%x: !d) -> !d {\n  %m = \"ttnn.relu\"(%x) : (!d) -> !d\n"
                                         "  return %m : !d\n}\n"),
                         "DRAM");
  Graph graph = run->graph;
  const ValueId made = valueNamed(graph, "m");
  graph.values.edit(made).type.tensor->encoding = "#something";
  Plan plan = run->plan;
  EXPECT_EQ(applyPlan(graph, plan, run->device.grid).graph.values[made].type.tensor->encoding, "");
  plan.layout[made].reset();
  EXPECT_EQ(applyPlan(graph, plan, run->device.grid).graph.values[made].type.tensor->encoding, "#something");
}

// Both spellings of an element type mean it; a memory configuration follows an interleaved result, and a sharded one,
// whose shards it would have to name, leaves it.
TEST(WordsOfResults, WordsThatAreRightStay) {
  const auto run = runOn(graphOf(kHead + R"(
#u = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, u32>, #dram>, <interleaved>>
!u = tensor<64x64xui32, #u>
func.func @main(%x: !u) -> (!u, !u, !u, !u, !u) {
  %a = "ttnn.abs"(%x) <{dtype = #ttcore.supportedDataTypes<ui32>}> : (!u) -> !u
  %b = "ttnn.abs"(%x) <{dtype = #ttcore.supportedDataTypes<u32>}> : (!u) -> !u
  %c = "ttnn.abs"(%x) <{dtype = #ttcore.supportedDataTypes<bf16>}> : (!u) -> !u
  %e = "ttnn.abs"(%x) <{memory_config = #ttnn.memory_config<#l1, <block_sharded>>}> : (!u) -> !u
  %g = "ttnn.abs"(%x) <{memory_config = #ours.config<l1>}> : (!u) -> !u
  return %a, %b, %c, %e, %g : !u, !u, !u, !u, !u
}
)"),
                         "DRAM");
  const auto said = [&](const Plan& plan, const char* op, const char* word) {
    const AppliedPlan applied = applyPlan(run->graph, plan, run->device.grid);
    const AttrValue* text = findAttr(applied.graph.ops[producerOf(applied.graph, op)], word);
    return text == nullptr ? std::string("none") : text->text;
  };
  EXPECT_EQ(said(run->plan, "a", "dtype"), "#ttcore.supportedDataTypes<ui32>");
  EXPECT_EQ(said(run->plan, "b", "dtype"), "#ttcore.supportedDataTypes<u32>");
  EXPECT_EQ(said(run->plan, "c", "dtype"), "#ttcore.supportedDataTypes<u32>");
  EXPECT_EQ(said(run->plan, "a", "memory_config"), "none");
  EXPECT_EQ(said(run->plan, "e", "memory_config"), "#ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>");
  EXPECT_EQ(said(run->plan, "g", "memory_config"), "#ours.config<l1>");
  Plan sharded = run->plan;
  const ValueId e = valueNamed(run->graph, "e");
  const std::string before = findAttr(run->graph.ops[producerOf(run->graph, "e")], "memory_config")->text;
  sharded.layout[e] = layoutFor(run->graph, e, BufferType::L1, TensorMemoryLayout::HeightSharded, {2, 1}, run->device);
  EXPECT_EQ(said(sharded, "e", "memory_config"), before);
}

// A one-dimensional program of twelve cores needs a second row of eight; of an interleaved result it has the device's.
TEST(WordsOfResults, RowsOfCoresAreRoundedUp) {
  const std::string type = "tensor<384x384xbf16>";
  const auto run = runOn(graphOf("func.func @main(%a: " + type + ", %b: " + type + ") -> " + type +
                                 " {\n  %0 = \"ttnn.matmul\"(%a, %b) <{transpose_a = false, transpose_b = false}> : (" +
                                 type + ", " + type + ") -> " + type + "\n  return %0 : " + type + "\n}\n"),
                         "DRAM");
  const ValueId result = valueNamed(run->graph, "0");
  const OpId product = producerOf(run->graph, "0");
  const auto coresOf = [&](MatmulProgram kind, const TensorLayout& layout) {
    Plan plan = run->plan;
    MatmulAttrs attrs;
    attrs.program = kind;
    plan.config[product] = {layout, attrs};
    const AppliedPlan applied = applyPlan(run->graph, plan, {5, 7});
    const std::string text = findAttr(applied.graph.ops[product], "matmul_program_config")->text;
    const size_t at = text.find("core_coord<");
    return at == std::string::npos ? std::string("none") : text.substr(at + 11, text.find('>', at) - at - 11);
  };
  const auto shards = [&](TensorMemoryLayout memory, GridShape grid) {
    return layoutFor(run->graph, result, BufferType::L1, memory, grid, run->device);
  };
  const TensorLayout wide = shards(TensorMemoryLayout::WidthSharded, {1, 12}),
                     tall = shards(TensorMemoryLayout::HeightSharded, {12, 1}),
                     block = shards(TensorMemoryLayout::BlockSharded, {4, 6});
  EXPECT_EQ(coresOf(MatmulProgram::MultiCast1dIn0, wide), "8, 2");
  EXPECT_EQ(coresOf(MatmulProgram::MultiCast1dIn1, tall), "8, 2");
  EXPECT_EQ(coresOf(MatmulProgram::MultiCast1dIn0, shards(TensorMemoryLayout::WidthSharded, {1, 6})), "6, 1");
  EXPECT_EQ(coresOf(MatmulProgram::MultiCast2d, block), "6, 4");
  EXPECT_EQ(coresOf(MatmulProgram::Reuse, block), "6, 4");
  EXPECT_EQ(coresOf(MatmulProgram::Reuse, tall), "1, 12");
  EXPECT_EQ(coresOf(MatmulProgram::DramSharded, wide), "none");
  for (const MatmulProgram kind : {MatmulProgram::MultiCast1dIn0, MatmulProgram::MultiCast2d, MatmulProgram::Reuse})
    EXPECT_EQ(coresOf(kind, dramLayout(*run->problem, result)), "7, 5");
}

// Settings of a convolution join those that it had, in the order in which the compiler prints them.
TEST(WordsOfResults, SettingsOfAConvolutionJoinThoseItHad) {
  const std::string image = "tensor<1x1x1024x64xbf16>", weight = "tensor<64x64x1x1xbf16>";
  const auto said = [&](const std::string& had, const Conv2dAttrs& attrs) {
    const auto run =
        runOn(graphOf("func.func @main(%x: " + image + ", %w: " + weight + ") -> " + image +
                      " {\n  %0 = \"ttnn.conv2d\"(%x, %w) <{" + had +
                      "in_channels = 64 : i32, out_channels = 64 : i32, batch_size = 1 : i32, input_height = 32 : i32, "
                      "input_width = 32 : i32, kernel_size = array<i32: 1, 1>, stride = array<i32: 1, 1>, padding = "
                      "array<i32: 0, 0, 0, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32}> : (" +
                      image + ", " + weight + ") -> " + image + "\n  return %0 : " + image + "\n}\n"),
              "DRAM");
    Plan plan = run->plan;
    const OpId conv = producerOf(run->graph, "0");
    plan.config[conv].attrs = attrs;
    const AppliedPlan applied = applyPlan(run->graph, plan, run->device.grid);
    return findAttr(applied.graph.ops[conv], "conv2d_config")->text;
  };
  const std::string had = "conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16, act_block_h_override = 96>, ";
  EXPECT_EQ(said("", {64, true, false}),
            "#ttnn.conv2d_config<deallocate_activation = true, act_block_h_override = 64, reshard_if_not_optimal = "
            "false>");
  EXPECT_EQ(said("", {std::nullopt, false, true}),
            "#ttnn.conv2d_config<deallocate_activation = false, reshard_if_not_optimal = true>");
  EXPECT_EQ(said("", {}), "#ttnn.conv2d_config<>");
  EXPECT_EQ(said(had, {}), "#ttnn.conv2d_config<weights_dtype = bf16, act_block_h_override = 96>");
  EXPECT_EQ(said(had, {32, true, std::nullopt}),
            "#ttnn.conv2d_config<weights_dtype = bf16, deallocate_activation = true, act_block_h_override = 32>");
}

// Without asking for words of every op those that stand there follow the result, and none is added.
TEST(WordsOfResults, WordsThatStandThereFollowTheResult) {
  const std::string text = kHead + kMoreTypes + R"(
func.func @main(%x: !d) -> (!t, !d, !t, !h, !d, !t, !t, !t) {
  %0 = "ttnn.add"(%x, %x) <{memory_config = #ttnn.memory_config<#dram, <interleaved>>,
                            dtype = #ttcore.supportedDataTypes<f32>}> : (!d, !d) -> !t
  %1 = "ttnn.relu"(%x) <{memory_config = #ttnn.memory_config<#l1, <interleaved>>}> : (!d) -> !d
  %2 = "ttnn.add"(%x, %x) : (!d, !d) -> !t
  %3 = "ttnn.from_device"(%x) <{memory_config = #ttnn.memory_config<#l1, <interleaved>>}> : (!d) -> !h
  %4 = "ttnn.add"(%x, %x) <{dtype = #ours.type<f32>}> : (!d, !d) -> !d
  %5 = "ttnn.to_layout"(%x) <{memory_config = #ttnn.memory_config<#dram, <interleaved>>}> : (!d) -> !t
  %6 = "ttnn.grid_sample"(%x, %x) : (!d, !d) -> !t
  %c = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}>
    : () -> !ttnn.device
  %7 = "ttnn.load_tensor"(%c) <{file_path = "x.tensorbin"}> : (!ttnn.device) -> !t
  return %0, %1, %2, %3, %4, %5, %6, %7 : !t, !d, !t, !h, !d, !t, !t, !t
}
)";
  const Graph before = graphOf(text);
  for (const bool everyOp : {false, true}) {
    const Graph graph = withResultAttributes(before, *findDevice("n150"), everyOp);
    const auto said = [&](const char* name, const char* word) {
      const AttrValue* attr = findAttr(graph.ops[producerOf(graph, name)], word);
      return attr == nullptr ? std::string("none") : attr->text;
    };
    const std::string shards =
        "#ttnn.memory_config<#ttnn.buffer_type<l1>, <height_sharded>, #ttnn.shard_spec<<[#ttnn.core_range<(0,0), "
        "(1,0)>]>, <32x64>, <row_major>>>";
    const std::string inDram = "#ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>";
    EXPECT_EQ(said("0", "memory_config"), shards);
    EXPECT_EQ(said("0", "dtype"), "#ttcore.supportedDataTypes<bf16>");
    EXPECT_EQ(said("1", "memory_config"), inDram);
    EXPECT_EQ(said("1", "dtype"), "none") << "this op has no such word";
    EXPECT_EQ(said("2", "memory_config"), everyOp ? shards : "none");
    EXPECT_EQ(said("2", "dtype"), everyOp ? "#ttcore.supportedDataTypes<bf16>" : "none");
    EXPECT_EQ(said("3", "memory_config"), findAttr(before.ops[producerOf(before, "3")], "memory_config")->text)
        << "the host has no such memory";
    EXPECT_EQ(said("4", "memory_config"), "none");
    EXPECT_EQ(said("4", "dtype"), "#ours.type<f32>");
    EXPECT_EQ(said("5", "memory_config"), shards);
    EXPECT_EQ(said("6", "memory_config"), "none") << "of its attributes nothing is known";
    EXPECT_EQ(said("7", "memory_config"), "none") << "nothing is computed";
  }
}

// Of ops that a pass adds only the layout ops in front of a move belong to it.
TEST(WordsOfResults, StepsOfAMoveAreLayoutOpsThatLeadToIt) {
  const auto run = runOn(graphOf(kHead + R"(
func.func @main(%x: !d) -> !d {
  %m = "ttnn.relu"(%x) : (!d) -> !d
  %y = "ttnn.exp"(%m) : (!d) -> !d
  return %y : !d
}
)"),
                         "DRAM");
  Plan plan = run->plan;
  const ValueId made = valueNamed(run->graph, "m");
  plan.reshards = {{producerOf(run->graph, "y"), 0, l1InterleavedLayout(*run->problem, made)}};
  AppliedPlan applied = applyPlan(run->graph, plan, run->device.grid);
  const OpId move = producerOf(applied.graph, "m_reload");
  Graph split = applied.graph;
  GraphBuilder builder(split);
  const auto insert = [&](OpKind kind, OpId before, const char* name) {
    OpSpec step = makeOp(kind, {split.ops[before].operands[0]}, {split.values[split.ops[before].operands[0]].type});
    step.resultName = name;
    const ValueId result = builder.result(builder.insertBefore(before, std::move(step)));
    builder.replaceOperand(before, 0, result);
  };
  insert(OpKind::TtnnRelu, move, "computed");
  insert(OpKind::TtnnToLayout, move, "second");
  insert(OpKind::TtnnToLayout, producerOf(split, "second"), "first");
  insert(OpKind::TtnnToLayout, producerOf(split, "y"), "behind");
  replaceGraph(applied, std::move(split));
  const auto isMove = [&](const char* name) { return applied.inserted[producerOf(applied.graph, name)].has_value(); };
  EXPECT_TRUE(isMove("m_reload"));
  EXPECT_TRUE(isMove("first"));
  EXPECT_TRUE(isMove("second"));
  EXPECT_FALSE(isMove("computed"));
  EXPECT_FALSE(isMove("behind"));
  EXPECT_FALSE(isMove("y"));
}

}  // namespace
}  // namespace tessera::test
