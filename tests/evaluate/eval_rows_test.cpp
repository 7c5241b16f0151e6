// Rows of published tables become the op that they describe: each beside the same op put together by hand. And the
// figures over rows, beside their definitions.

#include <functional>

#include "tests/evaluate/eval_testing.h"

namespace tessera {
namespace {

const std::string kGemm =
    "doc_version,arch,board,config,m,k,n,grid,in0_storage,out_storage,dtype,fidelity,derived_device_time_ns\n";

TEST(GemmRows, AreTheProductsTheyName) {
  const auto times =
      timesIn(evalOf(evalGemm, kGemm + "2,wormhole_b0,n150,default,2048,1024,512,8x8,DRAM,DRAM,BFLOAT16,HiFi2,1\n"
                                       "2,wormhole_b0,n150,default,2048,1024,512,8x4,DRAM,L1,BFLOAT8_B,LoFi,1\n"
                                       "2,blackhole,p150,default,2048,1024,512,13x10,L1,DRAM,BFLOAT4_B,HiFi4,1\n"));
  ASSERT_EQ(times.size(), 3u);
  TimedOp product{OpKind::TtnnMatmul, {dram({2048, 1024}), dram({1024, 512})}, dram({2048, 512})};
  product.attrs = {fidelity("hifi2")};
  EXPECT_EQ(times[0], timeOn("n150", product));
  DeviceSpec half = *findDevice("n150");
  half.grid = {4, 8};
  TimedOp written{OpKind::TtnnMatmul,
                  {dram({2048, 1024}, DType::BFP8), dram({1024, 512}, DType::BFP8)},
                  inL1({2048, 512}, TensorMemoryLayout::BlockSharded, {4, 8}, DType::BFP8)};
  written.attrs = {fidelity("lofi")};
  EXPECT_EQ(times[1], modelTime(half, written));
  DeviceSpec large = *findDevice("p150");
  large.grid = {10, 13};
  TimedOp read{
      OpKind::TtnnMatmul,
      {inL1({2048, 1024}, TensorMemoryLayout::BlockSharded, {10, 13}, DType::BFP4), dram({1024, 512}, DType::BFP4)},
      dram({2048, 512}, DType::BFP4)};
  read.attrs = {fidelity("hifi4")};
  EXPECT_EQ(times[2], modelTime(large, read));
}

// One step per column of the grid, cut until two blocks of each operand and the result fit.
TEST(GemmRows, TunedProgramsAreCutAsTheReportSays) {
  const auto of = [](const std::string& row) { return timesIn(evalOf(evalGemm, kGemm + row + "\n")).at(0); };
  const auto by = [](int64_t m, int64_t k, int64_t n, DType dtype, bool sharded, MatmulAttrs program) {
    TimedOp op{OpKind::TtnnMatmul,
               {sharded ? inL1({m, k}, TensorMemoryLayout::BlockSharded, {8, 8}, dtype) : dram({m, k}, dtype),
                dram({k, n}, dtype)},
               dram({m, n}, dtype)};
    op.attrs = {fidelity("hifi2")};
    op.config = program;
    return timeOn("n150", op);
  };
  // 4 x 8 tiles to a core, two tiles of k to a column of cores; everything in one block.
  EXPECT_EQ(of("1,wormhole_b0,n150,tuned,1024,512,2048,8x8,DRAM,DRAM,BFLOAT16,HiFi2,1"),
            by(1024, 512, 2048, DType::BF16, false,
               {.perCoreM = 4, .perCoreN = 8, .in0BlockW = 2, .outBlockH = 4, .outBlockW = 8}));
  // 16 x 16 tiles are more than 192: blocks of 8 x 8, of 16 x 16 for 4-bit operands and for shards.
  EXPECT_EQ(of("1,wormhole_b0,n150,tuned,4096,4096,4096,8x8,DRAM,DRAM,BFLOAT16,HiFi2,1"),
            by(4096, 4096, 4096, DType::BF16, false,
               {.perCoreM = 16, .perCoreN = 16, .in0BlockW = 16, .outBlockH = 8, .outBlockW = 8}));
  EXPECT_EQ(of("1,wormhole_b0,n150,tuned,4096,4096,4096,8x8,DRAM,DRAM,BFLOAT4_B,HiFi2,1"),
            by(4096, 4096, 4096, DType::BFP4, false,
               {.perCoreM = 16, .perCoreN = 16, .in0BlockW = 16, .outBlockH = 16, .outBlockW = 16}));
  // 32 tiles of k do not fit beside blocks of 8 x 8; half of them do.
  EXPECT_EQ(of("1,wormhole_b0,n150,tuned,8192,8192,8192,8x8,DRAM,DRAM,BFLOAT16,HiFi2,1"),
            by(8192, 8192, 8192, DType::BF16, false,
               {.perCoreM = 32, .perCoreN = 32, .in0BlockW = 16, .outBlockH = 8, .outBlockW = 8}));
  // 16 x 12 tiles are 192, and still one block.
  EXPECT_EQ(of("1,wormhole_b0,n150,tuned,4096,1024,3072,8x8,DRAM,DRAM,BFLOAT16,HiFi2,1"),
            by(4096, 1024, 3072, DType::BF16, false,
               {.perCoreM = 16, .perCoreN = 12, .in0BlockW = 4, .outBlockH = 16, .outBlockW = 12}));
  // Shards name their subblocks: one row of as many tiles as divide the block, up to 8.
  EXPECT_EQ(of("1,wormhole_b0,n150,tuned,1024,512,1536,8x8,L1,DRAM,BFLOAT16,HiFi2,1"),
            by(1024, 512, 1536, DType::BF16, true,
               {.perCoreM = 4,
                .perCoreN = 6,
                .in0BlockW = 2,
                .outSubblockH = 1,
                .outSubblockW = 6,
                .outBlockH = 4,
                .outBlockW = 6}));
}

TEST(GemmRows, TheNewestVersionCountsAndEachChipHasItsLine) {
  const EvalResult result =
      evalOf(evalGemm, kGemm +
                           "1,wormhole_b0,n150,default,512,512,512,8x8,DRAM,DRAM,BFLOAT16,LoFi,1\n"
                           "2,wormhole_b0,n150,default,512,512,512,8x8,DRAM,DRAM,BFLOAT16,LoFi,1\n"
                           "2,wormhole_b0,n150,default,512,512,512,8x8,DRAM,DRAM,BFLOAT16,LoFi,0\n"
                           "2,blackhole,p150,default,512,512,512,8x8,DRAM,DRAM,BFLOAT16,LoFi,1\n"
                           "2,blackhole,p150,default,512,512,512,8x8,DRAM,DRAM,BFLOAT16,odd,1\n"
                           "2,blackhole,p150,default,512,512,512,65x8,DRAM,DRAM,BFLOAT16,LoFi,1\n"
                           "2,blackhole,p150,default,512,512,512,8,DRAM,DRAM,BFLOAT16,LoFi,1\n");
  EXPECT_EQ(result.rows, 5);
  EXPECT_NE(result.summary.find("wormhole_b0 rows 1 "), std::string::npos) << result.summary;
  EXPECT_NE(result.summary.find("blackhole rows 4 "), std::string::npos) << result.summary;
  EXPECT_NE(result.figures.find("unsupported 3"), std::string::npos) << result.figures;
  EXPECT_EQ(result.misses[0].row, "n150 default 512 512 512 8x8 DRAM BFLOAT16 LoFi");
}

TEST(MatmulHsRows, TakeTheLibrarysOwnProgram) {
  const DeviceSpec device = *withL1Release(*findDevice("n150"), "2025-06");
  const auto by = [&](int64_t m, int64_t k, int64_t n, int32_t cores, MatmulAttrs program) {
    program.program = MatmulProgram::MultiCast1dIn1;
    const auto height = [&](int64_t rows, int64_t cols) {
      return inL1({rows, cols}, TensorMemoryLayout::HeightSharded, {cores, 1});
    };
    return modelTime(device, {OpKind::TtnnMatmul, {height(m, k), {{k, n}}}, height(m, n), {}, program});
  };
  const auto times = timesIn(evalOf(evalMatmulHs,
                                    "m_size,k_size,n_size,num_cores,duration\n1024,256,96,8,1\n2048,64,288,32,1\n"
                                    "2048,64,256,32,1\n1024,256,96,65,1\n1024,256,0,8,1\n4096,256,96,64,1\n"));
  ASSERT_EQ(times.size(), 6u);
  // Rows of 3 tiles: subblocks of two whole rows, since 4 tiles to a core divide by 2 = 8 / 3.
  EXPECT_EQ(times[0],
            by(1024, 256, 96, 8, {.perCoreM = 4, .perCoreN = 3, .in0BlockW = 8, .outSubblockH = 2, .outSubblockW = 3}));
  // 9 tiles are more than the registers hold: single tiles.
  EXPECT_EQ(times[1], by(2048, 64, 288, 32,
                         {.perCoreM = 2, .perCoreN = 9, .in0BlockW = 2, .outSubblockH = 1, .outSubblockW = 1}));
  EXPECT_EQ(times[2], by(2048, 64, 256, 32,
                         {.perCoreM = 2, .perCoreN = 8, .in0BlockW = 2, .outSubblockH = 1, .outSubblockW = 8}));
  EXPECT_EQ(times[3], -1) << "more cores than there are";
  EXPECT_EQ(times[4], -1);
  EXPECT_EQ(times[5],
            by(4096, 256, 96, 64, {.perCoreM = 2, .perCoreN = 3, .in0BlockW = 8, .outSubblockH = 2, .outSubblockW = 3}))
      << "all cores of the chip";
}

TEST(ExpRows, AreTypedByTheirColumns) {
  const EvalResult result = evalOf(evalExp,
                                   "d0,d1,d2,d3,bfloat8,bfloat16,float32,uint16,uint32,input_L1,median_ns\n"
                                   "1,2,512,256,0,1,0,0,0,0,1\n1,1,512,256,1,0,0,0,0,1,1\n0,0,512,256,0,0,1,0,0,0,1\n"
                                   "1,1,512,256,0,0,0,0,0,0,1\n");
  const auto times = timesIn(result);
  ASSERT_EQ(times.size(), 4u);
  EXPECT_EQ(times[0], timeOn("n300", {OpKind::TtnnExp, {dram({1, 2, 512, 256})}, dram({1, 2, 512, 256})}));
  const TimedTensor l1 = inL1({1, 1, 512, 256}, TensorMemoryLayout::Interleaved, findDevice("n300")->grid, DType::BFP8);
  EXPECT_EQ(times[1], timeOn("n300", {OpKind::TtnnExp, {l1}, l1}));
  const TimedTensor wide = dram({512, 256}, DType::F32);
  EXPECT_EQ(times[2], timeOn("n300", {OpKind::TtnnExp, {wide}, wide}));
  EXPECT_EQ(times[3], -1);
  EXPECT_EQ(result.misses[0].row, "1x2x512x256 bfloat16 DRAM");
  EXPECT_EQ(result.misses[1].row, "1x1x512x256 bfloat8 L1");
  EXPECT_EQ(result.misses[2].row, "512x256 float32 DRAM") << "dims of 0 are none";
  EXPECT_EQ(result.misses[3].row, "1x1x512x256 DRAM");
}

TEST(TargetRows, AreConvolutionsAndExchanges) {
  const auto of = [](const std::string& row) {
    return timesIn(evalOf(evalTargets, "op,arch,metric,value,config\n" + row + "\n")).at(0);
  };
  const auto config = [](const std::string& shards, const std::string& more, const std::string& type = "bfloat16") {
    return "\"{\"\"batch_size\"\": 2, \"\"input_channels\"\": 64, \"\"output_channels\"\": 128, \"\"input_height\"\": "
           "28, \"\"input_width\"\": 30, \"\"kernel_h\"\": 3, \"\"kernel_w\"\": 5, \"\"stride_h\"\": 2, "
           "\"\"stride_w\"\": 1, \"\"pad_h\"\": 1, \"\"pad_w\"\": 2, \"\"groups\"\": 2, \"\"weights_dtype\"\": "
           "\"\"bfloat8_b\"\", \"\"output_dtype\"\": \"\"" +
           type + "\"\"" + (shards.empty() ? "" : ", \"\"shard_layout\"\": \"\"" + shards + "\"\"") + more + "}\"";
  };
  const auto by = [](TensorMemoryLayout memory, GridShape grid, AttrList more, DType type = DType::BF16) {
    TimedOp op{OpKind::TtnnConv2d,
               {inL1({1, 1, 2 * 28 * 30, 64}, memory, grid), {{128, 32, 3, 5}, DType::BFP8}},
               inL1({1, 1, 2 * 14 * 30, 128}, memory, grid, type)};
    op.attrs = unevenConvolution();
    op.attrs.insert(op.attrs.end(), more.begin(), more.end());
    return timeOn("n150", op);
  };
  const std::string row = "conv2d,wormhole_b0,kernel_duration_ns,1,";
  EXPECT_EQ(of(row + config("", "")), by(TensorMemoryLayout::BlockSharded, {8, 8}, {}));
  EXPECT_EQ(of(row + config("", "", "bfloat8_b")), by(TensorMemoryLayout::BlockSharded, {8, 8}, {}, DType::BFP8));
  EXPECT_EQ(of(row + config("HEIGHT_SHARDED", "")), by(TensorMemoryLayout::HeightSharded, {64, 1}, {}));
  EXPECT_EQ(of(row + config("WIDTH_SHARDED", "")), by(TensorMemoryLayout::WidthSharded, {1, 64}, {}));
  EXPECT_EQ(of(row + config("", ", \"\"math_fidelity\"\": \"\"LoFi\"\"")),
            by(TensorMemoryLayout::BlockSharded, {8, 8}, {fidelity("lofi")}));

  const auto exchange = [&](const std::string& shape) {
    return of("x,wormhole_b0,perf_target_us,0.001,\"{\"\"shape_id\"\": \"\"" + shape + "\"\"}\"");
  };
  const auto chip = [](OpKind kind, int64_t rows, int64_t from, int64_t to) {
    return timeOn("n150", {kind, {dram({1, 1, rows, from}, DType::BFP8)}, dram({1, 1, rows, to}, DType::BFP8)});
  };
  EXPECT_EQ(exchange("4k_seq and sh-256w"), chip(OpKind::TtnnAllGather, 4096, 256, 2048));
  EXPECT_EQ(exchange("128 rows and sh-3584w"), chip(OpKind::TtnnReduceScatter, 128, 3584, 896));
  EXPECT_EQ(exchange("1k_seq and sh-320w"), chip(OpKind::TtnnAllGather, 1024, 320, 1280));
  EXPECT_EQ(exchange("1k_seq and sh-321w"), -1);
}

TEST(TargetRows, AreOfTheChipTheyName) {
  const auto of = [](const char* arch) {
    return timesIn(
               evalOf(evalTargets, std::string("op,arch,metric,value,config\nx,") + arch +
                                       ",perf_target_us,0.001,\"{\"\"shape_id\"\": \"\"4k_seq and sh-256w\"\"}\"\n"))
        .at(0);
  };
  const auto on = [](const char* board) {
    return timeOn(
        board, {OpKind::TtnnAllGather, {dram({1, 1, 4096, 256}, DType::BFP8)}, dram({1, 1, 4096, 2048}, DType::BFP8)});
  };
  EXPECT_EQ(of("wormhole_b0"), on("n150"));
  EXPECT_EQ(of("blackhole_p150"), on("p150"));
  EXPECT_NE(on("n150"), on("p150"));
}

TEST(SpillRows, ScenariosWithoutANameAreNumbered) {
  const EvalResult result =
      evalOf(evalSpill, R"({"scenarios": [{"budget": 10, "ops": []}, {"budget": -1, "ops": []}]})");
  EXPECT_EQ(result.agree, 1);
  ASSERT_EQ(result.misses.size(), 1u);
  EXPECT_EQ(result.misses[0].row, "scenario 1");
}

// Microseconds are a thousand nanoseconds; what is no time of an op is no row.
TEST(TargetRows, MetricsHaveTheirUnits) {
  const auto measured = [](const char* metric) {
    const EvalResult result = evalOf(evalTargets, "op,arch,metric,value,config\nx,y," + std::string(metric) + ",7,c\n");
    return result.misses.empty() ? "" : result.misses[0].text;
  };
  for (const char* metric : {"kernel_duration_ns", "expected_duration_ns"})
    EXPECT_EQ(measured(metric), "no model, measured 7 ns") << metric;
  for (const char* metric : {"kernel_duration_us", "perf_target_us", "expected_kernel_duration_us"})
    EXPECT_EQ(measured(metric), "no model, measured 7000 ns") << metric;
  EXPECT_EQ(measured("frames_per_second"), "");
}

// A point's two sides are timed by hand: the text of a point whose order is wrong says both.
TEST(PointRows, AreTheOpsTheyName) {
  const auto says = [](const std::string& point) {
    const EvalResult one = evalOf(evalPoints, "[{" + point + ", \"dram_us\": 1, \"l1_us\": 2}]"),
                     other = evalOf(evalPoints, "[{" + point + ", \"dram_us\": 2, \"l1_us\": 1}]");
    return one.misses.empty() ? other.misses.at(0).text : one.misses[0].text;
  };
  const auto both = [](const std::function<TimedOp(TimedTensor)>& op) {
    const int64_t far = timeOn("n150", op({})),
                  near = timeOn("n150", op(inL1({}, TensorMemoryLayout::Interleaved, {8, 8})));
    return "dram_us " + std::to_string(far) + ", l1_us " + std::to_string(near) + " (ns)";
  };
  const auto product = [](Shape a, Shape b) {
    return [a, b](TimedTensor place) {
      place.shape = a;
      place.shape.back() = b.back();
      return TimedOp{OpKind::TtnnMatmul, {{a}, {b}}, place};
    };
  };
  EXPECT_EQ(says(R"("what": "a product", "shape_MxKxN": "512x256x1024")"), both(product({512, 256}, {256, 1024})));
  EXPECT_EQ(says(R"("what": "matmul [2,512,256]@[2,256,128] of heads 7")"),
            both(product({2, 512, 256}, {2, 256, 128})));
  const auto convolution = [](int64_t side, int64_t in, int64_t kernel, int64_t out) {
    return [=](TimedTensor place) {
      TimedTensor from = place, to = place;
      from.shape = {1, 1, side * side, in}, to.shape = {1, 1, side * side, out};
      TimedOp op{OpKind::TtnnConv2d, {from, {{out, in, kernel, kernel}}}, to};
      op.attrs = {{"batch_size", intAttr(1)},
                  {"dilation", intArrayAttr({1, 1})},
                  {"groups", intAttr(1)},
                  {"in_channels", intAttr(in)},
                  {"input_height", intAttr(side)},
                  {"input_width", intAttr(side)},
                  {"kernel_size", intArrayAttr({kernel, kernel})},
                  {"out_channels", intAttr(out)},
                  {"padding", intArrayAttr({kernel / 2, kernel / 2})},
                  {"stride", intArrayAttr({1, 1})}};
      return op;
    };
  };
  EXPECT_EQ(says(R"("what": "conv2d 3x3 ich64 och128", "matmul_view": "784x576x128")"),
            both(convolution(28, 64, 3, 128)));
  EXPECT_EQ(says(R"("what": "conv2d 5x5 ich64", "matmul_view": "784x1600x96")"), both(convolution(28, 64, 5, 96)));
  // Where the channels named give no square kernel, all of the depth is channels of one position.
  EXPECT_EQ(says(R"("what": "conv2d ich60", "matmul_view": "784x576x128")"), both(convolution(28, 576, 1, 128)));
  EXPECT_EQ(says(R"("what": "conv2d", "matmul_view": "784x576x128")"), both(convolution(28, 576, 1, 128)));
  EXPECT_EQ(says(R"("what": "conv2d", "matmul_view": "785x576x128")"), "dram_us no model, l1_us no model (ns)");
}

TimedSeries seriesOf(const std::vector<std::pair<double, std::optional<int64_t>>>& rows) {
  TimedSeries series;
  for (const auto& [measured, model] : rows) series.rows.push_back({"r", measured, model});
  return series;
}

TEST(SeriesFigures, ErrorsAreSharesOfTheMeasuredTime) {
  // Errors 0, 10, 20, 50, 100 (twice as long) and 100 (no model) percent.
  const TimedSeries series = seriesOf({{100, 100}, {100, 110}, {100, 80}, {100, 150}, {100, 200}, {100, std::nullopt}});
  EXPECT_DOUBLE_EQ(series.percentileError(0), 0);
  EXPECT_NEAR(series.percentileError(0.2), 0.1, 1e-12);
  EXPECT_NEAR(series.medianError(), 0.5, 1e-12);  // the fourth of six
  EXPECT_DOUBLE_EQ(series.percentileError(1), 1);
  EXPECT_DOUBLE_EQ(seriesOf({}).medianError(), 0);
  const EvalResult result = timedResult(series);
  EXPECT_EQ(result.rows, 6);
  EXPECT_EQ(result.agree, 3);  // within 25 %
  EXPECT_EQ(timedResult(seriesOf({{100, 125}, {100, 126}, {100, 75}, {100, 74}})).agree, 2);
  ASSERT_EQ(result.misses.size(), 3u);
  EXPECT_EQ(result.misses[0].text, "model 150 ns, measured 100 ns, off by 50%");
  EXPECT_EQ(result.misses[2].text, "no model, measured 100 ns");
}

// Pearson's correlation of ranks, ties sharing their mean rank.
TEST(SeriesFigures, RanksShareTies) {
  const auto correlation = [](const std::vector<std::pair<double, std::optional<int64_t>>>& rows) {
    const std::string text = seriesOf(rows).figures();
    return text.substr(text.find("spearman") + 9, 6);
  };
  // Ranks 0, 1, 2, 3 against 1, 0, 2, 3: 1 - 6 * 2 / (4 * 15).
  EXPECT_EQ(correlation({{1, 20}, {2, 10}, {3, 30}, {4, 40}}), "0.800 ");
  // 0, 1, 2, 3 against 0.5, 0.5, 2, 3: 4.5 / sqrt(5 * 4.5).
  EXPECT_EQ(correlation({{1, 10}, {2, 10}, {3, 30}, {4, 40}}), "0.949 ");
  // 0, 1.5, 1.5, 3 against 0, 1, 2, 3.
  EXPECT_EQ(correlation({{1, 10}, {2, 20}, {2, 30}, {4, 40}}), "0.949 ");
  EXPECT_EQ(correlation({{1, 10}, {2, 10}, {3, 10}}), "0.000 ");
  EXPECT_EQ(correlation({{1, 10}, {9, std::nullopt}, {2, 20}}), "1.000 ") << "what the model cannot say has no rank";
}

}  // namespace
}  // namespace tessera
