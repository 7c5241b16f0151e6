// Rows of published tables that are nearly what the model can time: one number, name or part is missing or beyond its
// range. Such a row has no model, or the part is taken as not written.

#include <algorithm>
#include <cmath>

#include "core/driver/pipeline.h"
#include "core/evaluate/lost_ops.h"
#include "core/evaluate/opmodel_rows.h"
#include "core/evaluate/profile_programs.h"
#include "core/evaluate/profile_window.h"
#include "core/ops/rules/window_programs.h"
#include "tests/driver/driver_testing.h"
#include "tests/evaluate/eval_testing.h"

namespace tessera {
namespace {

const std::string kProductColumns =
    "doc_version,arch,board,config,m,k,n,grid,in0_storage,out_storage,dtype,fidelity,derived_device_time_ns\n";

int64_t productTime(const std::string& sizesAndGrid, const std::string& dtype = "BFLOAT16",
                    const std::string& config = "default", const std::string& storage = "DRAM") {
  return timesIn(evalOf(evalGemm, kProductColumns + "1,wormhole_b0,n150," + config + "," + sizesAndGrid + "," +
                                      storage + ",DRAM," + dtype + ",HiFi2,1\n"))
      .at(0);
}

TEST(GemmRows, SizesGridsAndTypesThatAreNoneHaveNoTime) {
  EXPECT_GT(productTime("512,256,128,8x8"), 0);
  EXPECT_GT(productTime("512,256,128,1x1"), 0);
  for (const char* row : {"0,256,128,8x8", "512,0,128,8x8", "512,256,0,8x8", "512,256,128,0x8", "512,256,128,8x0",
                          "512,256,128,8x65", "512,256,128,x8", "512,256,128,8x", "512,256,128,-8x8"})
    EXPECT_EQ(productTime(row), -1) << row;
  for (const char* dtype : {"FLOAT32", "BFLOAT4", "bfloat16", ""})
    EXPECT_EQ(productTime("512,256,128,8x8", dtype), -1) << dtype;
}

// The shard of 32 x 32 tiles alone is more than there is room for: one tile of k at a time, and no less.
TEST(GemmRows, BlocksOfTheInnerDimHaveOneTileAtLeast) {
  TimedOp op{OpKind::TtnnMatmul,
             {inL1({8192, 8192}, TensorMemoryLayout::BlockSharded, {8, 8}), dram({8192, 8192})},
             dram({8192, 8192})};
  op.attrs = {fidelity("hifi2")};
  op.config = MatmulAttrs{.perCoreM = 32,
                          .perCoreN = 32,
                          .in0BlockW = 1,
                          .outSubblockH = 1,
                          .outSubblockW = 8,
                          .outBlockH = 16,
                          .outBlockW = 16};
  EXPECT_EQ(productTime("8192,8192,8192,8x8", "BFLOAT16", "tuned", "L1"), timeOn("n150", op));
}

TEST(MatmulHsRows, SizesThatAreNoneHaveNoTime) {
  EXPECT_EQ(timesIn(evalOf(evalMatmulHs,
                           "m_size,k_size,n_size,num_cores,duration\n0,256,96,8,1\n1024,0,96,8,1\n1024,256,96,0,1\n"
                           "1024,256,96,-8,1\n")),
            (std::vector<int64_t>{-1, -1, -1, -1}));
}

TEST(ExpRows, ATensorOfNoDimsHasNoTime) {
  EXPECT_EQ(timesIn(evalOf(evalExp, "d0,d1,d2,d3,bfloat16,input_L1,median_ns\n0,0,0,0,1,0,1\n")),
            std::vector<int64_t>{-1});
}

TEST(TableRows, FilesThatAreNoTablesAreSaid) {
  for (auto* run : {&evalGemm, &evalMatmulHs, &evalExp, &evalTargets, &evalOps}) {
    EvalRequest request;
    request.file = ::testing::TempDir() + "no_such_table_" + std::to_string(::getpid());
    EXPECT_EQ((*run)(request).problem, "cannot read `" + request.file + "`");
    const EvalResult empty = evalOf(*run, "\n# nothing\n");
    EXPECT_NE(empty.problem.find("is no table with a line of names"), std::string::npos) << empty.problem;
    EXPECT_EQ(empty.rows, 0);
    EXPECT_EQ(empty.summary, "");
  }
}

// A setting of the one convolution, written as the table writes it.
std::string targetConfig(const std::string& part = "", const std::string& instead = "") {
  std::string text =
      R"({"batch_size": 2, "input_channels": 64, "output_channels": 128, "input_height": 28, "input_width": 30, )"
      R"("kernel_h": 3, "kernel_w": 5, "stride_h": 2, "stride_w": 1, "pad_h": 1, "pad_w": 2, "groups": 2, )"
      R"("weights_dtype": "bfloat8_b", "output_dtype": "bfloat16"})";
  const size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  text.replace(at, part.size(), instead);
  std::string quoted;
  for (char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return "\"" + quoted + "\"";
}

int64_t targetTimeOf(const std::string& op, const std::string& config) {
  return timesIn(
             evalOf(evalTargets, "op,arch,metric,value,config\n" + op + ",wormhole_b0,kernel_duration_ns,1," + config))
      .at(0);
}

TEST(TargetRows, ConvolutionsThatAreNoneHaveNoTime) {
  EXPECT_GT(targetTimeOf("conv2d", targetConfig()), 0);
  const std::pair<const char*, const char*> kBroken[] = {
      {"\"batch_size\": 2", "\"batch_size\": 0"},
      {"\"batch_size\": 2", "\"batch_size\": 1048576"},
      {"\"batch_size\": 2", "\"batch_size\": -2"},
      {"\"input_channels\": 64", "\"input_channels\": 1"},
      {"\"output_channels\": 128", "\"output_channels\": 0"},
      {"\"kernel_h\": 3", "\"kernel_h\": 0"},
      {"\"kernel_h\": 3", "\"kernel_h\": 31"},
      {"\"kernel_w\": 5", "\"kernel_w\": 0"},
      {"\"kernel_w\": 5", "\"kernel_w\": 35"},
      {"\"stride_h\": 2", "\"stride_h\": 0"},
      {"\"stride_w\": 1", "\"stride_w\": 0"},
      {"\"kernel_w\": 5, \"stride_h\": 2, \"stride_w\": 1", "\"kernel_w\": 35, \"stride_h\": 2, \"stride_w\": 2"},
      {"\"groups\": 2", "\"groups\": 0"},
      {"\"groups\": 2, ", ""},
      {"bfloat8_b", "bfloat4_b"},
      {"bfloat16", "int8"},
      {", \"output_dtype\": \"bfloat16\"", ""},
  };
  for (const auto& [part, instead] : kBroken)
    EXPECT_EQ(targetTimeOf("conv2d", targetConfig(part, instead)), -1) << instead;
  // The padding counts for a window: one as large as the padded image fits once.
  EXPECT_GT(targetTimeOf("conv2d", targetConfig("\"kernel_h\": 3", "\"kernel_h\": 30")), 0);
  EXPECT_GT(targetTimeOf("conv2d", targetConfig("\"kernel_w\": 5", "\"kernel_w\": 34")), 0);
}

TEST(TargetRows, ResultsMayBeOfFullFloats) {
  TimedOp op{OpKind::TtnnConv2d,
             {inL1({1, 1, 2 * 28 * 30, 64}, TensorMemoryLayout::BlockSharded, {8, 8}), {{128, 32, 3, 5}, DType::BFP8}},
             inL1({1, 1, 2 * 14 * 30, 128}, TensorMemoryLayout::BlockSharded, {8, 8}, DType::F32)};
  op.attrs = unevenConvolution();
  EXPECT_EQ(targetTimeOf("conv2d", targetConfig("bfloat16", "float32")), timeOn("n150", op));
}

TEST(TargetRows, ExchangesNeedRowsAndAWidth) {
  const auto exchange = [](const std::string& shape) {
    return targetTimeOf("x", "\"{\"\"shape_id\"\": \"\"" + shape + "\"\"}\"");
  };
  EXPECT_GT(exchange("1048576 and sh-256w"), 0);
  for (const char* shape : {"and sh-256w", " and sh-256w", "some rows and sh-256w", "4k_seq", "4k_seq and sh-w",
                            "0k_seq and sh-256w", "1048577 and sh-256w"})
    EXPECT_EQ(exchange(shape), -1) << shape;
  for (const char* value : {"0", "-5", "none"})
    EXPECT_EQ(
        evalOf(evalTargets, "op,arch,metric,value,config\nx,y,kernel_duration_ns," + std::string(value) + ",c\n").rows,
        0)
        << value;
}

std::string pointText(const std::string& point) {
  const EvalResult one = evalOf(evalPoints, "[{" + point + ", \"dram_us\": 1, \"l1_us\": 2}]"),
                   other = evalOf(evalPoints, "[{" + point + ", \"dram_us\": 2, \"l1_us\": 1}]");
  return one.misses.empty() ? other.misses.at(0).text : one.misses[0].text;
}

TEST(PointRows, WhatIsNotWhollyWrittenHasNoModel) {
  const char* const kPoints[] = {
      R"("what": "conv2d", "matmul_view": "784x0x128")",
      R"("what": "conv2d", "matmul_view": "784x576x0")",
      R"("what": "conv2d", "matmul_view": "784x576")",
      R"("what": "rms_norm 0x2880")",
      R"("what": "rms_norm 32x0")",
      R"("what": "rms_norm 32x2880x1")",
      R"("what": "rms_norm gpt_oss prefill")",
      R"("what": "rms_norm decode")",
      R"("what": "matmul [2,512,256]")",
      R"("what": "]@[2,256,128] matmul [2,512,256]")",
      R"("what": "matmul [512,256]@[2,256,128]")",
      R"("what": "matmul [2,512,256]@[256,128]")",
      R"("what": "matmul [2,512,256]@[256,128] of 7 heads")",
  };
  for (const char* point : kPoints) EXPECT_EQ(pointText(point), "dram_us no model, l1_us no model (ns)") << point;
  EXPECT_EQ(pointText(R"("what": "rms_norm gpt_oss decode")"), pointText(R"("what": "rms_norm 32x2880")"));
  for (const char* none : {"0x2880", "32x0", "0x0"})
    EXPECT_EQ(pointText(R"("what": "rms_norm )" + std::string(none) + R"( gpt_oss decode")"),
              pointText(R"("what": "rms_norm 32x2880")"))
        << none;
  EXPECT_EQ(pointText(R"("what": "rms_norm 32x2880")").find("no model"), std::string::npos);
}

// A number keeps as many digits as make it pass 2^24: sums and products of a few of them stay within 63 bits.
TEST(PointRows, NumbersOfAnyLengthAreCutOff) {
  EXPECT_EQ(pointText(R"("what": "a product", "shape_MxKxN": "99999999999999999999999x256x1024")"),
            pointText(R"("what": "a product", "shape_MxKxN": "99999999x256x1024")"));
}

TEST(PointRows, NoneAreNoShare) {
  const EvalResult none = evalOf(evalPoints, "[]");
  EXPECT_EQ(none.rows, 0);
  EXPECT_EQ(none.figures, "order_right 0.0%");
  const EvalResult right =
      evalOf(evalPoints, R"([{"what": "a", "shape_MxKxN": "512x256x1024", "dram_us": 2, "l1_us": 1},)"
                         R"( {"what": "a fact", "shape_MxKxN": "512x256x1024", "dram_us": 2}])");
  EXPECT_EQ(right.rows, 1);
}

// The text of the one miss of a scenario of a budget of 1000 KiB; "" when all holds.
std::string scenarioSays(const std::string& ops, const std::string& expect, const std::string& more = "") {
  const EvalResult result = evalOf(evalSpill, R"({"scenarios":[{"name":"it","budget":1024000,"ops":[)" + ops + "]" +
                                                  more + R"(,"expect":{)" + expect + "}}]}");
  EXPECT_EQ(result.problem, "");
  return result.misses.empty() ? "" : result.misses[0].text;
}

// The last reader of a result frees its place, the first op's as any other's; the return of the function is none.
TEST(SpillRows, AResultThatIsReturnedGoesWithItsLastReader) {
  const std::string ops =
      R"({"name":"a","l1":614400},{"name":"readA","inputs":["a"],"l1":1024},{"name":"c","l1":614400},)"
      R"({"name":"readC","inputs":["c"],"l1":1024})";
  for (const char* returns : {"", R"(,"returns":["a"])", R"(,"returns":["a","readC","a"])", R"(,"returns":["nobody"])"})
    EXPECT_EQ(scenarioSays(ops, R"("stays_l1":["a","c"],"spills":0,"demotions":0)", returns), "") << returns;
}

// A tensor that was moved for its reader stays where the move puts it.
TEST(SpillRows, MovesThatWereInsertedStay) {
  for (const char* kind : {"reshard", "to_memory_config"}) {
    const std::string ops = R"({"name":"a","l1":614400,"kind":")" + std::string(kind) +
                            R"("},{"name":"b","l1":614400},{"name":"c","inputs":["a","b"],"l1":1024})";
    EXPECT_EQ(scenarioSays(ops, R"("stays_l1":["a"])"), "") << kind;
    EXPECT_EQ(scenarioSays(ops, R"("evictions":["a"])").find("evicts a"), std::string::npos) << kind;
  }
}

TEST(SpillRows, SeveralEvictionsAreListedAndFailuresAreSaid) {
  const std::string refused =
      R"({"name":"a","l1":102400},{"name":"b","l1":102400},{"name":"c","inputs":["a"],"l1":102400,)"
      R"("force_status":"NotImplemented"},{"name":"readC","inputs":["a","b","c"],"l1":1024})";
  EXPECT_EQ(scenarioSays(refused, R"("evictions":["b","a"])"), "evicts a, b");
  const std::string fails = R"({"name":"b","l1":0,"cb":1024001})";
  EXPECT_EQ(scenarioSays(fails, R"("fails":false)").rfind("fails; fails: b cannot be placed", 0), 0u);
  EXPECT_EQ(scenarioSays(fails, R"("fails":true)"), "");
}

TEST(SpillRows, NoMoreOpsThanAGraphMayHave) {
  const auto said = [](size_t count) {
    std::string ops;
    for (size_t i = 0; i < count; ++i) ops += i > 0 ? ",0" : "0";
    const EvalResult result = evalOf(evalSpill, R"({"scenarios":[{"budget":5,"ops":[)" + ops + "]}]}");
    return result.misses.empty() ? "" : result.misses[0].text;
  };
  EXPECT_EQ(said(100'000), "ops need names of their own");
  EXPECT_EQ(said(100'001), "needs a budget and a list of ops");
}

TEST(SeriesFigures, ARowThatWasNotMeasuredIsWhollyOff) {
  TimedSeries series;
  series.rows = {{"none", 0, 10}, {"negative", -10, 10}};
  EXPECT_DOUBLE_EQ(series.medianError(), 1);
  EXPECT_DOUBLE_EQ(series.percentileError(0), 1);
  EXPECT_EQ(timedResult(series).agree, 0);
}

TEST(ModelTimes, TensorsThatCannotBeStoredHaveNone) {
  const DeviceSpec& device = *findDevice("n150");
  const TimedTensor fine = dram({64, 64}), empty = dram({0, 64}),
                    wide = inL1({4096, 64}, TensorMemoryLayout::HeightSharded, {65, 1});
  EXPECT_TRUE(modelTime(device, {OpKind::TtnnRelu, {fine}, fine}));
  for (const TimedTensor& broken : {empty, wide}) {
    EXPECT_EQ(modelTime(device, {OpKind::TtnnRelu, {broken}, fine}), std::nullopt);
    EXPECT_EQ(modelTime(device, {OpKind::TtnnRelu, {fine}, broken}), std::nullopt);
  }
}

// A row of the profiler, by the columns that are given; a relu of 1024 x 2048 where they are not.
int64_t profiledRow(const std::vector<std::pair<std::string, std::string>>& given) {
  std::vector<std::pair<std::string, std::string>> cells = {{"arch", "wormhole_b0"},
                                                            {"op", "UnaryDeviceOperation"},
                                                            {"cores", "64"},
                                                            {"avail_cores", "64"},
                                                            {"kernel_ns", "1"},
                                                            {"in0_padded", "1x1x1024x2048"},
                                                            {"in0_layout_dtype", "TILE:BFLOAT16"},
                                                            {"in0_mem", "DRAM_INTERLEAVED"},
                                                            {"out0_padded", "1x1x1024x2048"},
                                                            {"out0_layout_dtype", "TILE:BFLOAT16"},
                                                            {"out0_mem", "DRAM_INTERLEAVED"},
                                                            {"attributes", "op_type=UnaryOpType::RELU"}};
  for (const auto& [name, value] : given) {
    bool known = false;
    for (auto& [column, cell] : cells) {
      if (column != name) continue;
      cell = value;
      known = true;
    }
    if (!known) cells.push_back({name, value});
  }
  std::string names, values;
  for (const auto& [name, value] : cells) {
    names += (names.empty() ? "" : ",") + name;
    values += (values.empty() ? "" : ",") + value;
  }
  return timesIn(evalOf(evalOps, names + "\n" + values + "\n")).at(0);
}

TEST(ProfiledOps, TensorsThatAreNotWhollyWrittenHaveNoTime) {
  EXPECT_GT(profiledRow({}), 0);
  for (const char* shape : {"1x1x1024xab", "1x1x-1024x2048", "1xx1024x2048", "1x1x1024x2048x", "1x1x1024x2048b",
                            "1x1x1024x1234567890", "1x1x1x1x1x1x1x1024x2048"})
    EXPECT_EQ(profiledRow({{"in0_padded", shape}}), -1) << shape;
  for (const char* type : {"TILE BFLOAT16", "BFLOAT16", "TILE:FLOAT64", "TILE:", ""}) {
    EXPECT_EQ(profiledRow({{"in0_layout_dtype", type}}), -1) << type;
    EXPECT_EQ(profiledRow({{"out0_layout_dtype", type}}), -1) << type;
  }
  EXPECT_EQ(profiledRow({{"in0_padded", ""}}), -1) << "an op that reads nothing";
  EXPECT_GT(profiledRow({{"avail_cores", "4096"}}), 0);
  EXPECT_EQ(profiledRow({{"avail_cores", "4097"}}), -1);
  EXPECT_EQ(profiledRow({{"cores", "0"}}), -1);
}

TEST(ProfiledOps, ShardsOfNothingLeaveTheEvenCut) {
  const auto cut = [](const std::string& attributes) {
    return profiledRow({{"op", "InterleavedToShardedDeviceOperation"},
                        {"cores", "16"},
                        {"in0_padded", "1x1x1000x512"},
                        {"out0_padded", "1x1x1000x512"},
                        {"out0_mem", "L1_HEIGHT_SHARDED"},
                        {"attributes", attributes}});
  };
  const auto shard = [&](const std::string& shape) { return cut("shard_spec=ShardSpec(grid;shape={" + shape + "})"); };
  ASSERT_NE(shard("256;512"), cut(""));
  for (const char* shape : {"0;512", "256;0", "256", "256;512;1"}) EXPECT_EQ(shard(shape), cut("")) << shape;
}

// Of the blocks of a product all three sizes have to be written.
TEST(ProfiledOps, ProgramsWithoutASizeAreLeftToTheLibrary) {
  const auto time = [](const std::string& config) {
    return profiledRow(
        {{"op", "MatmulDeviceOperation"},
         {"in0_padded", "1x1x2048x1024"},
         {"in1_padded", "1x1x1024x2048"},
         {"in1_layout_dtype", "TILE:BFLOAT16"},
         {"in1_mem", "DRAM_INTERLEAVED"},
         {"out0_padded", "1x1x2048x2048"},
         {"fidelity", "HiFi2"},
         {"attributes", "'program_config': 'MatmulMultiCoreReuseMultiCastProgramConfig(" + config + "'"}});
  };
  const int64_t own = time("");
  ASSERT_NE(time("per_core_M=8;per_core_N=8;in0_block_w=1"), own);
  for (const char* config : {"per_core_N=8;in0_block_w=1", "per_core_M=8;in0_block_w=1", "per_core_M=8;per_core_N=8"})
    EXPECT_EQ(time(config), own) << config;
}

TEST(ProfiledOps, OrdersAndDimsThatAreNotWrittenAreNotGiven) {
  EXPECT_EQ(profiledRow({{"op", "PermuteDeviceOperation"},
                         {"in0_padded", "2x4x256x512"},
                         {"out0_padded", "4x2x256x512"},
                         {"attributes", "'dims': 'SmallVector(none)'"}}),
            timeOn("n150", {OpKind::TtnnPermute, {dram({2, 4, 256, 512})}, dram({4, 2, 256, 512})}));
  EXPECT_EQ(profiledRow({{"op", "TransposeDeviceOperation"},
                         {"in0_padded", "4x256x512"},
                         {"out0_padded", "256x4x512"},
                         {"attributes", "TransposeOpDim::HC"}}),
            timeOn("n150", {OpKind::TtnnTranspose, {dram({4, 256, 512})}, dram({256, 4, 512})}))
      << "the dims are those of four";
  for (const char* dims : {"CN", "WH"})
    EXPECT_EQ(profiledRow({{"op", "TransposeDeviceOperation"},
                           {"in0_padded", "4x256x512"},
                           {"out0_padded", "4x512x256"},
                           {"attributes", std::string("TransposeOpDim::") + dims}}),
              timeOn("n150", {OpKind::TtnnTranspose, {dram({4, 256, 512})}, dram({4, 512, 256})}))
        << dims;
}

// Operands behind the first, each in tiles of 16 bits in DRAM.
std::vector<std::pair<std::string, std::string>> withOperands(std::vector<std::pair<std::string, std::string>> cells,
                                                              const std::vector<std::string>& shapes) {
  for (size_t i = 0; i < shapes.size(); ++i) {
    const std::string name = "in" + std::to_string(i + 1);
    cells.insert(cells.end(), {{name + "_padded", shapes[i]},
                               {name + "_layout_dtype", "TILE:BFLOAT16"},
                               {name + "_mem", "DRAM_INTERLEAVED"}});
  }
  return cells;
}

// Groups are counted by a mask of four dims that stands behind weight and bias.
TEST(ProfiledOps, GroupsAreThoseOfTheMask) {
  const Shape image = {1, 1, 4096, 256}, row = {1, 1, 1, 256};
  const auto of = [](const std::vector<std::string>& operands) {
    return profiledRow(withOperands({{"op", "GroupNormDeviceOperation"},
                                     {"in0_padded", "1x1x4096x256"},
                                     {"out0_padded", "1x1x4096x256"},
                                     {"attributes", ""}},
                                    operands));
  };
  const auto by = [&](const std::vector<Shape>& operands, AttrList attrs) {
    TimedOp op{OpKind::TtnnGroupNorm, {dram(image)}, dram(image)};
    for (const Shape& shape : operands) op.operands.push_back(dram(shape));
    op.attrs = std::move(attrs);
    return timeOn("n150", op);
  };
  const char* line = "1x1x1x256";
  EXPECT_EQ(of({line, line}), by({row, row}, {}));
  EXPECT_EQ(of({line, line, "1x16x32x32"}), by({row, row, {1, 16, 32, 32}}, {{"num_groups", intAttr(16)}}));
  EXPECT_EQ(of({line, line, "16x32x32"}), by({row, row, {16, 32, 32}}, {}));
}

// Keys and values pass by as often as there are chips, the mask behind them does not; a row of one dim has no length.
TEST(ProfiledOps, RingsBringKeysAndValuesOfAllChips) {
  const auto of = [](const char* ring, const std::vector<std::string>& operands) {
    return profiledRow(withOperands({{"op", "RingSDPADeviceOperation"},
                                     {"in0_padded", "1x8x1024x64"},
                                     {"out0_padded", "1x8x1024x64"},
                                     {"attributes", "'ring_size': '" + std::string(ring) + "'"}},
                                    operands));
  };
  const auto by = [](const std::vector<Shape>& operands) {
    TimedOp op{OpKind::TtnnScaledDotProductAttention, {dram({1, 8, 1024, 64})}, dram({1, 8, 1024, 64})};
    for (const Shape& shape : operands) op.operands.push_back(dram(shape));
    return timeOn("n150", op);
  };
  const char *keys = "1x8x1024x64", *mask = "1x1x1024x1024";
  const Shape all = {1, 8, 4096, 64};
  EXPECT_EQ(of("4", {keys, keys, mask}), by({all, all, {1, 1, 1024, 1024}}));
  EXPECT_EQ(of("1", {keys, keys, mask}), by({{1, 8, 1024, 64}, {1, 8, 1024, 64}, {1, 1, 1024, 1024}}));
  EXPECT_EQ(of("4", {"64", "64"}), of("1", {"64", "64"}));
}

TEST(OtherPrograms, RowsThatAreNotWhollyWrittenHaveNoTime) {
  const DeviceSpec& device = *findDevice("n150");
  const auto product = [&](const char* a, const char* b) {
    return profiledOther(tableOf({{"op", "MinimalMatmulDeviceOperation"},
                                  {"in0_padded", a},
                                  {"in0_layout_dtype", "TILE:BFLOAT16"},
                                  {"in1_padded", b},
                                  {"in1_layout_dtype", "TILE:BFLOAT16"},
                                  {"out0_layout_dtype", "TILE:BFLOAT16"},
                                  {"fidelity", "LoFi"},
                                  {"attributes", ""}}),
                         0, device);
  };
  EXPECT_TRUE(product("64x512", "512x64"));
  for (const char* broken : {"", "512", "64x0", "2147483639x512"}) {
    EXPECT_EQ(product(broken, "512x64"), std::nullopt) << broken;
    EXPECT_EQ(product("64x512", broken), std::nullopt) << broken;
  }
  EXPECT_TRUE(product("1073741820x512", "512x64")) << "below 2^30";
  for (const char* dims : {"48x160x256", "1x2x48x160x256", ""})
    EXPECT_EQ(
        profiledOther(
            tableOf({{"op", "IntImgDeviceOperation"}, {"in0_padded", dims}, {"in0_layout_dtype", "TILE:BFLOAT16"}}), 0,
            device),
        std::nullopt)
        << dims;
}

TEST(OtherPrograms, EveryTypeAndFidelityCounts) {
  const DeviceSpec& device = *findDevice("n150");
  const auto of = [&](const std::string& type, const std::string& passes) {
    return profiledOther(tableOf({{"op", "MinimalMatmulDeviceOperation"},
                                  {"in0_padded", "1024x512"},
                                  {"in0_layout_dtype", "TILE:" + type},
                                  {"in1_padded", "512x1024"},
                                  {"in1_layout_dtype", "TILE:" + type},
                                  {"out0_layout_dtype", "TILE:" + type},
                                  {"fidelity", passes},
                                  {"attributes", ""}}),
                         0, device);
  };
  const auto by = [&](double tile, int64_t passes) -> std::optional<int64_t> {
    const PassedProduct p{.m = 32,
                          .n = 32,
                          .k = 16,
                          .blockM = 8,
                          .blockN = 8,
                          .blockK = 8,
                          .coresM = device.grid.rows,
                          .coresN = device.grid.cols,
                          .tileA = tile,
                          .tileB = tile,
                          .tileOut = tile,
                          .passes = passes};
    return static_cast<int64_t>(std::ceil(passedProductCycles(p) * 1000 / static_cast<double>(device.clockMhz)));
  };
  EXPECT_EQ(of("INT32", "LoFi"), by(4096, 1));
  EXPECT_EQ(of("UINT32", "LoFi"), by(4096, 1));
  EXPECT_EQ(of("BFLOAT4_B", "LoFi"), by(576, 1));
  EXPECT_EQ(of("UINT16", "LoFi"), by(2048, 1));
  for (const char* name : {"HiFi0", "HiFi1", "HiFi5", "HiFi", "HiFi24", ""})
    EXPECT_EQ(of("BFLOAT16", name), by(2048, 1)) << name;
  EXPECT_EQ(of("BFLOAT16", "HiFi4"), by(2048, 4));
  ASSERT_NE(by(2048, 4), by(2048, 1));
}

// So many rows to so small a shard are not laid out; what the result has beyond a shard is taken.
TEST(ProfiledHalo, ImagesFarLargerThanAShardAreNotLaidOut) {
  const DeviceSpec& device = *findDevice("n150");
  const auto of = [&](const char* image, const char* rows, const char* shard) {
    return profiledHalo(
        tableOf({{"op", "HaloDeviceOperation"},
                 {"cores", "64"},
                 {"in0_padded", rows},
                 {"in0_layout_dtype", "ROW_MAJOR:BFLOAT16"},
                 {"in0_mem", "L1_HEIGHT_SHARDED"},
                 {"out0_padded", "1x1x40000x64"},
                 {"out0_layout_dtype", "ROW_MAJOR:BFLOAT16"},
                 {"attributes", "shard_spec=ShardSpec(grid; shape={" + std::string(shard) + "}) input_hw=" + image +
                                    " window_hw=(3;3) stride_hw=(1;1) dilation_hw=(1;1) padding=((1; 1); (1; 1)) "
                                    "num_cores_nhw=64 'max_out_nsticks_per_core': '500'"}}),
        0, device);
  };
  const auto by = [&](HaloProgram halo) -> std::optional<int64_t> {
    return static_cast<int64_t>(std::ceil(haloCycles(halo) * 1000 / static_cast<double>(device.clockMhz)));
  };
  EXPECT_EQ(of("(128;129)", "1x1x16512x64", "1;64"),
            by({.cores = 16512, .rowsMoved = 499, .rowsOut = 500, .rowBytes = 128, .tileCols = 2}));
  EXPECT_EQ(of("(128;128)", "1x1x16384x64", "0;64"), of("(128;128)", "1x1x16384x64", "256;64"))
      << "no shard is an even cut";
}

TEST(ProfiledPool, NeedsBothEnds) {
  const auto of = [](const char* in, const char* out) {
    return profiledPool(tableOf({{"op", "Pool2D"},
                                 {"cores", "8"},
                                 {"in0_padded", in},
                                 {"in0_layout_dtype", "ROW_MAJOR:BFLOAT16"},
                                 {"in0_mem", "L1_HEIGHT_SHARDED"},
                                 {"out0_padded", out},
                                 {"attributes", ""}}),
                        0, *findDevice("n150"));
  };
  EXPECT_TRUE(of("1x1x3136x96", "1x1x784x96"));
  EXPECT_EQ(of("96", "1x1x784x96"), std::nullopt);
  EXPECT_EQ(of("", "1x1x784x96"), std::nullopt);
}

// A tensor of a row of the op-model tests.
std::string rowPlace(const std::string& shape, const std::string& dtype = "bf16", const std::string& grid = "[8, 8]",
                     const std::string& buffer = "L1") {
  return R"({"shape": )" + shape + R"(, "buffer": ")" + buffer + R"(", "memory_layout": "Interleaved", "grid": )" +
         grid + R"(, "page_layout": "tile", "dtype": ")" + dtype + "\"}";
}

std::optional<RowQuery> queryOf(const std::string& text) {
  SourceBuffer source("row", text);
  Diagnostics diags;
  const JsonDocument document = JsonDocument::parse(source, diags);
  EXPECT_TRUE(diags.all().empty()) << text;
  return readRow(document.root());
}

// "inputs -> outputs": each a shape and a type; "none" when the row is not read.
std::string tensorsOf(const std::string& text) {
  const std::optional<RowQuery> query = queryOf(text);
  if (!query) return "none";
  const auto list = [](const std::vector<RowTensor>& tensors) {
    std::string all;
    for (const RowTensor& tensor : tensors) {
      all += all.empty() ? "" : " ";
      for (int64_t extent : tensor.type.shape) all += std::to_string(extent) + "x";
      all += std::string(dtypeName(tensor.type.dtype));
    }
    return all;
  };
  return list(query->inputs) + " -> " + list(query->outputs);
}

// The attribute of a row of one operand and one result; "" without it.
std::string attrOf(const std::string& op, const std::string& attrs, std::string_view name,
                   const std::string& more = "") {
  const std::string tensor = rowPlace("[64, 1024]");
  const std::optional<RowQuery> query =
      queryOf(R"({"op": ")" + op + R"(", "kind": "lib_testf", "inputs": {"input": )" + tensor +
              R"(}, "outputs": {"output": )" + tensor + R"(}, "attrs": {)" + attrs + "}" + more + "}");
  if (!query) return "none";
  for (const Attribute& attribute : query->attrs) {
    if (attribute.name != name) continue;
    std::string text = attribute.value.kind == AttrValueKind::IntArray ? "" : std::to_string(attribute.value.integer);
    for (int64_t number : attribute.value.ints) text += (text.empty() ? "" : " ") + std::to_string(number);
    return text;
  }
  return "";
}

TEST(PublishedRowFields, NumbersOutsideOfTheirRangeAreNone) {
  EXPECT_EQ(attrOf("PermuteOp", R"("permutation": [1, 0])", "permutation"), "1 0");
  EXPECT_EQ(attrOf("PermuteOp", R"("permutation": [-1099511627776, 1099511627776])", "permutation"),
            "-1099511627776 1099511627776");
  EXPECT_EQ(attrOf("PermuteOp", R"("permutation": [-1099511627777, 1099511627777])", "permutation"), "-1 -1");
  const auto on = [](const char* grid) {
    return tensorsOf(R"({"op": "ReluOp", "inputs": {"a": )" + rowPlace("[64, 64]", "bf16", grid) +
                     R"(}, "outputs": {"b": )" + rowPlace("[64, 64]") + "}}");
  };
  EXPECT_EQ(on("[8, 8]"), "64x64xbf16 -> 64x64xbf16");
  EXPECT_EQ(on("[8]"), "none");
  EXPECT_EQ(on("[8, 8, 1]"), "none");
  EXPECT_EQ(on("[4294967304, 1]"), "none") << "not 8, which is left of it in 32 bits";
  EXPECT_EQ(on("[1, 2147483648]"), "none");
  EXPECT_EQ(on("[-4294967288, 1]"), "none");
}

TEST(PublishedRowFields, ArgumentsThatAreNotThereGiveNoAttribute) {
  EXPECT_EQ(attrOf("SoftmaxOp", R"("args": [[64, 1024], -1, true])", "numeric_stable"), "1");
  EXPECT_EQ(attrOf("SoftmaxOp", R"("args": [[64, 1024], -1])", "numeric_stable"), "");
  EXPECT_EQ(attrOf("SoftmaxOp", R"("args": [[64, 1024], -1, true, null])", "numeric_stable"), "");
  EXPECT_EQ(attrOf("SoftmaxOp", R"("args": [[64, 1024], -1])", "dimension"), "-1");
  EXPECT_EQ(attrOf("QuantizeOp", R"("args": [null, 1])", "axis"), "1");
  EXPECT_EQ(attrOf("QuantizeOp", R"("args": [null])", "axis"), "");
  EXPECT_EQ(attrOf("NLPConcatHeadsDecodeOp", R"("args": [[64, 1024], 8])", "num_heads"), "8");
  EXPECT_EQ(attrOf("NLPConcatHeadsDecodeOp", R"("args": [[64, 1024]])", "num_heads"), "");
  const std::string windows = R"([7, 7], [2, 2], [3, 3], [1, 1])";
  EXPECT_EQ(attrOf("Conv2dOp", R"("args": [3, 64, 1, 224, 224, )" + windows + "]", "kernel_size"), "7 7");
  EXPECT_EQ(attrOf("Conv2dOp", R"("args": [3, 64, 1, 224, 224, )" + windows + "]", "input_width"), "224");
  EXPECT_EQ(attrOf("Conv2dOp", R"("args": [3, 64, 1, 224, )" + windows + "]", "kernel_size"), "");
  EXPECT_EQ(attrOf("Conv2dOp", R"("args": [3, 64, 1, 224, 224, [7, 7], [2, 2], [3, 3]])", "kernel_size"), "");
}

// What a row does not spell out comes from its arguments, where those have it.
TEST(PublishedRowFields, ResultsComeFromTheArguments) {
  const auto row = [](const std::string& op, const std::string& inputs, const std::string& attrs,
                      const std::string& test = "t", const std::string& kind = "interface_testf") {
    return tensorsOf(R"({"op": ")" + op + R"(", "kind": ")" + kind + R"(", "test": ")" + test + R"(", "inputs": {)" +
                     inputs + R"(}, "outputs": {}, "attrs": {)" + attrs + "}}");
  };
  // Constants: the test's name has the type.
  EXPECT_EQ(row("ConstantOp", "", R"("tensor_shape": [2, 3])", "OpModelConstantUInt16Param"), " -> 2x3xui16");
  EXPECT_EQ(row("ConstantOp", "", R"("tensor_shape": [2, 3])", "OpModelConstantParam"), " -> 2x3xbf16");
  EXPECT_EQ(row("ConstantOp", "", R"("tensor_shape": [0])"), "none");
  // Creations: a type among the arguments, else the fixture's.
  const auto type = [](const std::string& list) {
    return R"("args": [{"$call": "mlir::RankedTensorType::get", "args": [)" + list + "]}]";
  };
  EXPECT_EQ(row("FullOp", "", type("[32, 64]")), " -> 32x64xbf16");
  EXPECT_EQ(row("FullOp", "", type("7")), " -> 64x1024xbf16");
  // Others: a tensor of a place, however deep; one without a place is none.
  const std::string deep = R"("args": [{"shape": [8, 8]}, {"items": [)" + rowPlace("[64, 32]") + "]}]";
  EXPECT_EQ(row("SortOp", "", deep), "64x32xbf16 -> 64x32xbf16 64x32xui16");
  EXPECT_EQ(row("SortOp", "", R"("args": [{"shape": [8, 8]}])"), "none");
  EXPECT_EQ(row("SortOp", "", R"("args": [)" + rowPlace("[64, 32]", "no_type") + "]"), "none");
  // A type alone needs the word that the fixture's default is meant, and no operands.
  const std::string fixture = R"(, "output_layout_hint": "fixture default")";
  EXPECT_EQ(row("ReluOp", "", type(R"([32, 64], {"$type": "getI32Type"})") + fixture), "32x64xbf16 -> 32x64xsi32");
  EXPECT_EQ(row("ReluOp", "", type(R"([32, 64], {"$type": "getF32Type"})") + fixture), "32x64xbf16 -> 32x64xf32");
  EXPECT_EQ(row("ReluOp", "", type("[32, 64]") + R"(, "output_layout_hint": "no fixture default")"), "none");
  EXPECT_EQ(row("ReluOp", "\"in0\": " + rowPlace("[32, 64]"), type("[32, 64]") + fixture), "none");
  EXPECT_EQ(row("ReluOp", "\"in0\": " + rowPlace("[32, 64]"), ""), "none");
  // Weights that are prepared: the fixture's only where none are given.
  EXPECT_EQ(row("PrepareConv2dWeightsOp", "", ""), "64x1024xbf16 -> 64x1024xbf16");
  EXPECT_EQ(row("PrepareConv2dWeightsOp", "\"weight\": " + rowPlace("[64, 3, 7, 7]"), ""),
            "64x3x7x7xbf16 -> 64x1024xbf16");
}

TEST(PublishedRowFields, OperandsAndResultsThatAreLeftOut) {
  const auto row = [](const std::string& op, const std::string& inputs, const std::string& outputs,
                      const std::string& attrs = "") {
    return tensorsOf(R"({"op": ")" + op + R"(", "kind": "interface_testf", "inputs": {)" + inputs +
                     R"(}, "outputs": {)" + outputs + R"(}, "attrs": {)" + attrs + "}}");
  };
  const auto in = [](const std::string& name, const std::string& shape) {
    return "\"" + name + "\": " + rowPlace(shape);
  };
  const std::string hint = R"("output_layout_hint": "null")";
  EXPECT_EQ(row("FillCacheOp", in("in0", "[1, 32, 3, 512]"), in("o", "[1, 32, 64, 512]")),
            "1x32x64x512xbf16 1x32x3x512xbf16 -> 1x32x64x512xbf16");
  EXPECT_EQ(row("FillCacheOp", in("in0", "[1, 32, 3, 512]"), ""), "none");
  EXPECT_EQ(row("QuantizeOp", in("scale", "[64]"), in("o", "[32, 64]")), "32x64xbf16 64xbf16 -> 32x64xsi32");
  EXPECT_EQ(row("QuantizeOp", in("scale", "[64]"), ""), "none");
  EXPECT_EQ(row("DequantizeOp", in("in0", "[32, 64]"), ""), "32x64xbf16 -> 32x64xbf16");
  EXPECT_EQ(row("DequantizeOp", "", ""), "none");
  const std::string a = in("a", "[64, 32]"), b = in("b", "[32, 96]");
  EXPECT_EQ(row("MatmulOp", a + ", " + b, "", hint), "64x32xbf16 32x96xbf16 -> 64x96xbf16");
  EXPECT_EQ(row("MatmulOp", a, "", hint), "none");
  EXPECT_EQ(row("MatmulOp", a + ", " + b, ""), "none");
  EXPECT_EQ(row("MatmulOp", in("a", "[1, 64, 32]") + ", " + b, "", hint), "none");
  EXPECT_EQ(row("MatmulOp", a + ", " + in("b", "[1, 32, 96]"), "", hint), "none");
  EXPECT_EQ(row("EmbeddingOp", in("a", "[2, 512]") + ", " + in("b", "[512, 256]"), ""),
            "2x512xbf16 512x256xbf16 -> 2x512x256xbf16");
  EXPECT_EQ(row("EmbeddingOp", in("a", "[2, 512]"), ""), "none");
  EXPECT_EQ(row("SortOp", "", ""), "none");
  EXPECT_EQ(row("SortOp", in("a", "[64, 32]"), in("o", "[64, 32]") + ", \"i\": " + rowPlace("[64, 32]", "si32")),
            "64x32xbf16 -> 64x32xbf16 64x32xsi32");
  EXPECT_EQ(row("ReluOp", "", in("o", "[64, 32]")), "none");
}

// Where the arguments do not add up to a result's shape, the one that is written stays.
TEST(PublishedRowFields, ShapesThatTheArgumentsSay) {
  const auto row = [](const std::string& op, const std::vector<std::string>& inputs, const std::string& args) {
    std::string operands;
    for (const std::string& shape : inputs)
      operands += (operands.empty() ? "\"" : ", \"") + std::to_string(operands.size()) + "\": " + rowPlace(shape);
    const std::string all =
        tensorsOf(R"({"op": ")" + op + R"(", "kind": "lib_testf", "inputs": {)" + operands + R"(}, "outputs": {"o": )" +
                  rowPlace("[7, 7]") + R"(}, "attrs": {"args": [)" + args + "]}}");
    return all.substr(std::min(all.size(), all.find("-> ") + 3));
  };
  EXPECT_EQ(row("PadOp", {"[64, 64]"}, "[64, 64], [0, 2, 1, 3]"), "66x68xbf16");
  EXPECT_EQ(row("PadOp", {"[64, 64]"}, "[64, 64]"), "7x7xbf16");
  EXPECT_EQ(row("PadOp", {"[64, 64]"}, "[64, 64], [0, 2, 1]"), "7x7xbf16");
  EXPECT_EQ(row("ReshapeOp", {"[64, 64]"}, "[64, 64], [32, 128]"), "32x128xbf16");
  EXPECT_EQ(row("ReshapeOp", {"[64, 64]"}, "[32, 128]"), "7x7xbf16");
  EXPECT_EQ(row("ReshapeOp", {"[64, 64]"}, "[64, 64], [32, 128], [1]"), "7x7xbf16");
  const std::vector<std::string> two = {"[64, 32]", "[64, 96]"};
  EXPECT_EQ(row("ConcatOp", two, "1"), "64x128xbf16");
  EXPECT_EQ(row("ConcatOp", two, "-1"), "64x128xbf16");
  EXPECT_EQ(row("ConcatOp", two, "-2"), "128x32xbf16");
  EXPECT_EQ(row("ConcatOp", two, ""), "128x32xbf16") << "the first dim where none is said";
  for (const char* dim : {"-3", "2", "9000000000000000000", "-9000000000000000000"})
    EXPECT_EQ(row("ConcatOp", two, dim), "7x7xbf16") << dim;
  EXPECT_EQ(row("ConcatOp", {"[64, 32]", "[1, 64, 32]"}, "0"), "7x7xbf16");
  EXPECT_EQ(row("ConcatOp", {"[64, 32]"}, "0"), "7x7xbf16");
  EXPECT_EQ(row("ConcatOp", {"[64, 32]", "[64, 32]", "[64, 32]"}, "0"), "7x7xbf16");
}

// A size that the row does not say how to hold is held to equality.
TEST(OpModelRows, ASizeWithoutACheckIsHeldToEquality) {
  const auto missOf = [](const std::string& published) {
    const std::string tensor = rowPlace("[64, 1024]", "bf16", "[1, 1]", "DRAM");
    const EvalResult result =
        evalOf(evalOpModel,
               R"({"rows": [{"op": "ReluOp", "kind": "lib_param", "test": "t", "index": 0, "inputs": {"input": )" +
                   tensor + R"(}, "outputs": {"output": )" + tensor +
                   R"(}, "attrs": {}, "expected_legal": true, "expected_output_l1_size": )" + published + "}]}");
    return result.misses.empty() ? std::string() : result.misses[0].text;
  };
  EXPECT_EQ(missOf("0"), "");
  EXPECT_EQ(missOf("7"), "output 0, published 7");
}

// %m counts as a move; %a and %b read it.
struct MovedForTwo {
  Session session;
  std::unique_ptr<FinishedRun> run;
  RunOutcome written, optimum;  // the second takes no time

  MovedForTwo() {
    const std::string t = "tensor<512x512xbf16>", one = ") : (" + t + ") -> " + t + "\n";
    session.load("moved", "func.func @main(%x: " + t + ") -> (" + t + ", " + t + ") {\n  %m = \"ttir.abs\"(%x" + one +
                              "  %a = \"ttir.relu\"(%m" + one + "  %b = \"ttir.exp\"(%m" + one +
                              "  return %a, %b : " + t + ", " + t + "\n}\n");
    Options options;
    options.policy = "DRAM";
    run = runPolicy(session, options, Diagnostics());
    written = *run->report.run, optimum = written;
    CarriedOut& program = test::ownProgram(written);
    for (const SimStep& step : program.sim.steps)
      if (program.applied.graph.ops[step.op].name == "ttnn.abs") program.applied.inserted[step.op].emplace();
    for (SimStep& step : test::ownProgram(optimum).sim.steps) step.time = {};
  }
  // The steps of the written run come in the order of these ops; the return stays the last.
  void reorder(const std::vector<std::string_view>& names) {
    CarriedOut& program = test::ownProgram(written);
    const auto rank = [&](const SimStep& step) {
      return std::find(names.begin(), names.end(), program.applied.graph.ops[step.op].name) - names.begin();
    };
    std::stable_sort(program.sim.steps.begin(), program.sim.steps.end(),
                     [&](const SimStep& one, const SimStep& other) { return rank(one) < rank(other); });
  }
  int64_t timeOf(std::string_view name) const {
    for (const SimStep& step : written.program->sim.steps)
      if (written.program->applied.graph.ops[step.op].name == name) return step.time.total().count;
    return -1;
  }
  LostOp lost(std::string_view name) const {
    for (LostOp& op : lostOps(written, optimum))
      if (op.name == name) return op;
    return {};
  }
};

// The next step that reads a move has it, whatever the order of the program; a move after its readers is nobody's.
TEST(LostOpsOf, AMoveBelongsToTheNextReaderOfTheSchedule) {
  MovedForTwo run;
  const int64_t move = run.timeOf("ttnn.abs"), a = run.timeOf("ttnn.relu"), b = run.timeOf("ttnn.exp");
  ASSERT_GT(move, 0);
  const auto times = [&] { return std::pair(run.lost("%a").written, run.lost("%b").written); };
  EXPECT_EQ(times(), std::pair(move + a, b));
  run.reorder({"ttnn.abs", "ttnn.exp", "ttnn.relu"});
  EXPECT_EQ(times(), std::pair(a, move + b));
  run.reorder({"ttnn.relu", "ttnn.abs", "ttnn.exp"});
  EXPECT_EQ(times(), std::pair(a, move + b));
  run.reorder({"ttnn.exp", "ttnn.relu", "ttnn.abs"});
  EXPECT_EQ(times(), std::pair(a, b));
}

TEST(LostOpsOf, AnOpWithoutALayoutHasNoTextOfIt) {
  MovedForTwo run;
  EXPECT_EQ(run.lost("%a").writtenLayout, "DRAM");
  CarriedOut& program = test::ownProgram(run.written);
  Graph& graph = program.applied.graph;
  for (const SimStep& step : program.sim.steps)
    if (graph.ops[step.op].name == "ttnn.relu")
      graph.values.edit(graph.ops[step.op].results.at(0)).type.tensor->layout.reset();
  EXPECT_EQ(run.lost("%a").writtenLayout, "");
  EXPECT_EQ(run.lost("%a").optimumLayout, "DRAM");
  EXPECT_EQ(run.lost("%b").writtenLayout, "DRAM");
}

}  // namespace
}  // namespace tessera
