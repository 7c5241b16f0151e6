// What the settings of a convolution change: its shards, its result's layout, its circular buffers; and which windows
// are read at all. Buffers are worked out by hand from the plan that tt-metal conv/conv2d makes.

#include "core/ops/shapes/shape_rules.h"
#include "tests/ops/asking.h"
#include "tests/short_forms.h"

namespace tessera::test {
namespace {

// 3x3, 64 to 64 channels, same padding, 64 x 64 positions: 128 rows of tiles and 2 columns.
struct Ends {
  Where in = kInDram, out = kInDram, weights = kInDram;
};
Asked configured(const std::string& config, const Ends& ends = {}, bool bias = false) {
  AttrList attrs = {{"batch_size", intAttr(1, "i32")},
                    {"dilation", intArrayAttr({1, 1}, "i32")},
                    {"groups", intAttr(1, "i32")},
                    {"in_channels", intAttr(64, "i32")},
                    {"input_height", intAttr(64, "i32")},
                    {"input_width", intAttr(64, "i32")},
                    {"kernel_size", intArrayAttr({3, 3}, "i32")},
                    {"out_channels", intAttr(64, "i32")},
                    {"padding", intArrayAttr({1, 1, 1, 1}, "i32")},
                    {"stride", intArrayAttr({1, 1}, "i32")}};
  if (!config.empty()) attrs.push_back({"conv2d_config", rawAttr("#ttnn.conv2d_config<" + config + ">")});
  std::vector<Tensor> operands = {{{1, 1, 4096, 64}, ends.in}, {{64, 64, 3, 3}, ends.weights}};
  if (bias) operands.push_back({{1, 1, 1, 64}, kInDram});
  return Asked(n150(), OpKind::TtnnConv2d, operands, {{{1, 1, 4096, 64}, ends.out}}, std::move(attrs));
}

// Over 64 cores: 2 rows of tiles each. A row of the kernel is 3 * 64 channels, 6 tiles; height sharded, the weights of
// all three rows are held, 2 * 6 * 3 tiles; two readers share the rows.
TEST(ConvSettings, ChangeTheBuffers) {
  const std::string scratch = ", scratch 1*64";
  EXPECT_EQ(configured("").bufferText(), "weights 36*2048, activations 6*2048, tilized activations 12*2048" + scratch);
  EXPECT_EQ(configured("", {}, true).bufferText(),
            "weights 36*2048, bias 2*2048, activations 6*2048, tilized activations 12*2048" + scratch);
  EXPECT_EQ(configured("enable_act_double_buffer = true").bufferText(),
            "weights 36*2048, activations 12*2048, tilized activations 12*2048" + scratch);
  EXPECT_EQ(configured("enable_weights_double_buffer = true").bufferText(),
            "weights 72*2048, activations 6*2048, tilized activations 12*2048" + scratch);
  EXPECT_EQ(configured("weights_dtype = bfp_bf8").bufferText(),
            "weights 36*1088, activations 6*2048, tilized activations 12*2048" + scratch);
  EXPECT_EQ(configured("act_block_h_override = 32", {.out = heightOver(64)}).bufferText(),
            "weights 36*2048, activations 6*2048, tilized activations 6*2048" + scratch + ", out 4*2048 <- result")
      << "one row has one reader";
  EXPECT_EQ(configured("act_block_h_override = 31").bufferText(), configured("").bufferText())
      << "less than a tile is nothing";
  EXPECT_EQ(configured("", {.out = heightOver(64)}).bufferText(),
            "weights 36*2048, activations 6*2048, tilized activations 12*2048" + scratch + ", out 4*2048 <- result");
  // Width sharded: 128 rows, one column, 32 channels, all nine places of the kernel at once. That is beyond L1, and
  // one row is taken at a time; parts of a ninth fit.
  const std::string narrow = "shard_layout = width_sharded";
  EXPECT_EQ(configured(narrow).bufferText(),
            "weights 9*2048, activations 9*2048, tilized activations 9*2048, row-major activations 9*2048" + scratch);
  EXPECT_EQ(configured("act_block_w_div = 4, " + narrow).bufferText(),
            "weights 3*2048, activations 3*2048, tilized activations 3*2048, row-major activations 3*2048" + scratch);
  EXPECT_EQ(
      configured("act_block_w_div = 9, " + narrow).bufferText(),
      "weights 1*2048, activations 128*2048, tilized activations 128*2048, row-major activations 128*2048" + scratch);
  EXPECT_EQ(configured("act_block_w_div = 9").bufferText(), configured("").bufferText()) << "of width sharding only";
}

TEST(ConvSettings, FixTheShardsOfTheResult) {
  const std::string grid = "core_grid = #ttnn.core_range_set<[#ttnn.core_range<(0,0), (7,6)>]>",
                    override = "override_sharding_config = true, ";
  const Ends sevenByEight{.out = blockOver(7, 8)}, all{.out = blockOver(8, 8)}, rows{.out = heightOver(64)};
  EXPECT_EQ(configured(override + grid, sevenByEight).refusal(), "legal");
  EXPECT_EQ(configured(override + grid, all).refusal(), "OutputSharding");
  EXPECT_EQ(configured(override + grid, {.out = blockOver(7, 7)}).refusal(), "OutputSharding");
  EXPECT_EQ(configured(override + grid).refusal(), "legal") << "interleaved";
  EXPECT_EQ(configured(grid, all).refusal(), "legal") << "not asked to override";
  EXPECT_EQ(configured("override_sharding_config = false, " + grid, all).refusal(), "legal");
  EXPECT_EQ(configured(override + "core_grid = #ttnn.core_range_set<[(0,0), (-7,6)]>", all).refusal(), "legal")
      << "no grid";
  EXPECT_EQ(configured(override + "core_grid = #ttnn.core_range_set<[(0,0), (7,x)]>", all).refusal(), "legal")
      << "no grid";
  EXPECT_EQ(configured("shard_layout = height_sharded", rows).refusal(), "legal");
  EXPECT_EQ(configured("shard_layout = <height_sharded>", all).refusal(), "OutputSharding");
  EXPECT_EQ(configured("shard_layout = height_sharded", all).refusal(), "OutputSharding");
  EXPECT_EQ(configured("shard_layout = height_sharded").refusal(), "legal");
  EXPECT_EQ(configured("shard_layout = interleaved", all).refusal(), "legal") << "no sharding";
}

TEST(ConvSettings, LayoutsOfOperandsAndResult) {
  const Where rows{BufferType::DRAM, TensorMemoryLayout::Interleaved, {1, 1}, PageLayout::RowMajor};
  const Where host{BufferType::SystemMemory, TensorMemoryLayout::None, {1, 1}, PageLayout::RowMajor};
  EXPECT_EQ(configured("", {.out = rows}).refusal(), "OutputMustBeTile");
  EXPECT_EQ(configured("output_layout = row_major", {.out = rows}).refusal(), "legal");
  EXPECT_EQ(configured("output_layout = tile", {.out = rows}).refusal(), "OutputMustBeTile");
  EXPECT_EQ(configured("", {.in = rows}).refusal(), "legal");
  EXPECT_EQ(configured("", {.in = host}).refusal(), "InputOnHost 0");
  EXPECT_EQ(configured("", {.weights = host}).refusal(), "legal") << "prepared once";
  EXPECT_EQ(configured("", {.weights = heightOver(8)}).refusal(), "InputMustBeInterleaved 1");
  EXPECT_EQ(configured("", {.in = heightOver(64), .out = blockOver(8, 2)}).refusal(), "ShardingMismatch 0");
  EXPECT_EQ(configured("", {.in = heightOver(64), .out = heightOver(64)}).refusal(), "legal");
  EXPECT_EQ(configured("", {.in = heightOver(64)}).refusal(), "legal");
}

// --- windows -------------------------------------------------------------------------------------------------------

struct PoolWindow {
  Shape in, out;
  std::vector<int64_t> kernel = {1, 1}, dilation = {1, 1}, stride = {1, 1}, padding = {0, 0, 0, 0};
  bool ceil = false;
};
std::optional<Window2d> windowOf(const PoolWindow& pool) {
  Graph graph;
  GraphBuilder builder(graph);
  const FuncId func = builder.addFunction("main");
  OpSpec spec = makeOp(OpKind::TtirMaxPool2d, {builder.addArgument(func, "a", tensor(pool.in))}, {tensor(pool.out)});
  spec.attrs = {{"ceil_mode", boolAttr(pool.ceil)},
                {"dilation", intArrayAttr(pool.dilation)},
                {"kernel", intArrayAttr(pool.kernel)},
                {"padding", intArrayAttr(pool.padding)},
                {"stride", intArrayAttr(pool.stride)}};
  const OpId op = builder.append(func, std::move(spec));
  Diagnostics diags;
  checkShapes(graph, op, diags);
  const std::optional<Window2d> window = window2d(graph, op);
  // What is too large to be checked is not called wrong.
  EXPECT_TRUE(diags.all().empty()) << diags.all().front().message;
  return window;
}

TEST(Windows, SizesUpTo2To30AreRead) {
  constexpr int64_t kMost = int64_t{1} << 30, kHalf = kMost / 2;
  EXPECT_TRUE(windowOf({{kMost, 1, 1, 1}, {kMost, 1, 1, 1}}));
  EXPECT_TRUE(windowOf({{1, kMost, 1, 1}, {1, kMost, 1, 1}}));
  EXPECT_TRUE(windowOf({{1, 1, kMost, 1}, {1, 1, kMost, 1}}));
  EXPECT_TRUE(windowOf({{1, 1, 1, kMost}, {1, 1, 1, kMost}}));
  EXPECT_TRUE(windowOf({{0, 8, 8, 4}, {0, 8, 8, 4}}));
  EXPECT_FALSE(windowOf({{kMost + 1, 1, 1, 1}, {kMost + 1, 1, 1, 1}}));
  EXPECT_FALSE(windowOf({{1, kMost + 1, 1, 1}, {1, kMost + 1, 1, 1}}));
  EXPECT_FALSE(windowOf({{1, 1, kMost + 1, 1}, {1, 1, kMost + 1, 1}}));
  EXPECT_FALSE(windowOf({{1, 1, 1, kMost + 1}, {1, 1, 1, kMost + 1}}));
  // Two places so far apart, in an image that just holds them.
  EXPECT_TRUE(windowOf({{1, kHalf + 1, 1, 1}, {1, 1, 1, 1}, {2, 1}, {kHalf, 1}}));
  EXPECT_FALSE(windowOf({{1, kHalf + 2, 1, 1}, {1, 1, 1, 1}, {2, 1}, {kHalf + 1, 1}}));
  EXPECT_TRUE(windowOf({{1, 1, kHalf + 1, 1}, {1, 1, 1, 1}, {1, 2}, {1, kHalf}}));
  EXPECT_FALSE(windowOf({{1, 1, kHalf + 2, 1}, {1, 1, 1, 1}, {1, 2}, {1, kHalf + 1}}));
}

// Rounded up, a last window that hangs over counts if it begins inside the image or the padding before it.
TEST(Windows, RoundedUpTheLastOneMustBegin) {
  const auto rows = [](int64_t in, int64_t kernel, int64_t stride, int64_t padding, int64_t out, bool ceil) {
    const std::optional<Window2d> window =
        windowOf({{1, in, 1, 1}, {1, out, 1, 1}, {kernel, 1}, {1, 1}, {stride, 1}, {padding, 0, padding, 0}, ceil});
    return window ? window->outH : -1;
  };
  EXPECT_EQ(rows(5, 2, 3, 0, 2, false), 2) << "0 and 3";
  EXPECT_EQ(rows(6, 2, 3, 0, 2, false), 2);
  EXPECT_EQ(rows(6, 2, 3, 0, 2, true), 2) << "6 is outside";
  EXPECT_EQ(rows(7, 2, 3, 0, 3, true), 3) << "6 is the last row";
  EXPECT_EQ(rows(7, 2, 3, 0, 2, false), 2);
  EXPECT_EQ(rows(3, 2, 4, 1, 1, true), 1) << "-1; 3 is outside";
  EXPECT_EQ(rows(4, 2, 4, 1, 2, true), 2) << "-1 and 3";
}

}  // namespace
}  // namespace tessera::test
