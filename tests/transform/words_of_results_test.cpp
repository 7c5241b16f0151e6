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

}  // namespace
}  // namespace tessera::test
