// Model times beside published ones stay within their bounds; and the table reader takes anything.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/evaluate/eval_times.h"
#include "core/profile/profile_text.h"
#include "tests/files.h"

namespace tessera {
namespace {

std::string published(const std::string& name) { return (test::sharedFolder() / "data/device" / name).string(); }

// "... median_abs_err 4.0% p90 ..." -> 4.0
double figure(const std::string& line, const std::string& name) {
  size_t at = line.find(name + " ");
  return at == std::string::npos ? 1e9 : std::strtod(line.c_str() + at + name.size() + 1, nullptr);
}

struct TimeBound {
  const char* file;
  EvalResult (*run)(const EvalRequest&);
  double median, p90;
};

TEST(EvalTimes, StayWithinTheirBounds) {
  constexpr TimeBound kBounds[] = {{"gemm_flops.csv", evalGemm, 8, 25},
                                   {"torp_matmul_height_sharded_n150.csv", evalMatmulHs, 13, 100},
                                   {"torp_exp_interleaved_n300.csv", evalExp, 2, 100}};
  for (const TimeBound& bound : kBounds) {
    if (!std::filesystem::exists(published(bound.file))) GTEST_SKIP() << "skipped: no published figures";
    EvalRequest request;
    request.file = published(bound.file);
    EvalResult result = bound.run(request);
    ASSERT_EQ(result.problem, "");
    EXPECT_GT(result.rows, 300) << bound.file;
    EXPECT_LE(figure(result.figures, "median_abs_err"), bound.median) << bound.file;
    EXPECT_LE(figure(result.figures, "p90"), bound.p90) << bound.file;
    EXPECT_EQ(figure(result.figures, "unsupported"), 0) << bound.file;
    size_t second = result.summary.find("blackhole");
    if (second == std::string::npos) continue;
    EXPECT_LE(figure(result.summary.substr(0, second), "median_abs_err"), bound.median) << "wormhole";
    EXPECT_LE(figure(result.summary.substr(second), "median_abs_err"), bound.median) << "blackhole";
  }
}

TEST(EvalTimes, ProfiledProgramsStayWithinTheirBounds) {
  if (!std::filesystem::exists(published("ops_perf_profiler_unique.csv")))
    GTEST_SKIP() << "skipped: no published figures";
  EvalRequest request;
  request.file = published("ops_perf_profiler_unique.csv");
  EvalResult result = evalOps(request);
  ASSERT_EQ(result.problem, "");
  EXPECT_GT(result.rows, 100);
  EXPECT_LE(figure(result.figures, "median_abs_err"), 25);
  EXPECT_LE(figure(result.figures, "p90"), 80);
  EXPECT_EQ(figure(result.figures, "unsupported"), 0);
  // Of the targets only those with shapes.
  request.file = published("ttmetal_perf_targets.csv");
  EXPECT_LE(figure(evalTargets(request).summary, "median_abs_err"), 25);
  request.file = published("../measured_points.json");
  EXPECT_EQ(evalPoints(request).figures, "order_right 100.0%");
}

// What holds on the whole may hide an op that it does not hold for.
TEST(EvalTimes, NoFamilyOfRowsIsFarOff) {
  constexpr TimeBound kKinds[] = {{"gemm_flops.csv", evalGemm, 15, 40},
                                  {"torp_matmul_height_sharded_n150.csv", evalMatmulHs, 10, 60},
                                  {"torp_exp_interleaved_n300.csv", evalExp, 15, 60},
                                  {"ops_perf_profiler_unique.csv", evalOps, 45, 60},
                                  {"ttmetal_perf_targets.csv", evalTargets, 45, 60}};
  constexpr int64_t kFewest = 5;
  for (const TimeBound& kind : kKinds) {
    if (!std::filesystem::exists(published(kind.file))) GTEST_SKIP() << "skipped: no published figures";
    EvalRequest request;
    request.file = published(kind.file);
    const EvalResult result = kind.run(request);
    EXPECT_FALSE(result.families.empty()) << kind.file;
    for (const EvalFamily& family : result.families) {
      if (family.rows < kFewest || family.name == kImpossible) continue;
      EXPECT_LE(100 * family.median, kind.median) << kind.file << ": " << family.name;
      EXPECT_LE(100 * family.p90, kind.p90) << kind.file << ": " << family.name;
    }
  }
}

TEST(EvalTimes, FamiliesAreOfTheirRowsAlone) {
  TimedSeries series;
  series.rows = {{"a", 100, 150, "x"}, {"b", 100, 100, "y"}, {"c", 100, 100, "x"}, {"d", 100, {}, "z"}};
  const std::vector<EvalFamily> families = timedResult(series).families;
  ASSERT_EQ(families.size(), 3u);
  EXPECT_EQ(families[0].name, "x");
  EXPECT_EQ(families[0].rows, 2);
  EXPECT_DOUBLE_EQ(families[0].p90, 0.5);
  EXPECT_DOUBLE_EQ(families[1].p90, 0);
  EXPECT_DOUBLE_EQ(families[2].median, 1) << "what the model cannot say";
}

TEST(EvalTimes, WhatTheModelCannotSayIsAMiss) {
  TimedSeries series;
  series.rows = {{"a", 100, 100}, {"b", 100, {}}, {"c", 100, {}}};
  EXPECT_EQ(series.line(), "rows 3 median_abs_err 100.0% p90 100.0% spearman 0.000 unsupported 2");
  EXPECT_EQ(timedResult(series).misses.size(), 2u);
}

TEST(EvalTimes, TheOrderOfTimesGivesTheRankCorrelation) {
  TimedSeries series;
  series.rows = {{"a", 1, 10}, {"b", 2, 20}, {"c", 3, 30}};
  EXPECT_NE(series.line().find("spearman 1.000"), std::string::npos);
  series.rows = {{"a", 1, 30}, {"b", 2, 20}, {"c", 3, 10}};
  EXPECT_NE(series.line().find("spearman -1.000"), std::string::npos);
}

// Ops that change where or how a tensor lies, of shards on 8 cores.
int64_t layoutTime(const DeviceSpec& device, Shape shape, PageLayout from, PageLayout to) {
  TimedTensor input{shape, DType::BF16, BufferType::L1, TensorMemoryLayout::HeightSharded, {8, 1}, from},
      output = input;
  output.page = to;
  std::optional<int64_t> time = modelTime(device, {OpKind::TtnnToLayout, {input}, output});
  EXPECT_TRUE(time);
  return time.value_or(0);
}

TEST(LayoutTimes, CopiesConversionsAndNarrowRowsCostMoreInThisOrder) {
  for (const char* board : {"n150", "p150"}) {
    const DeviceSpec& device = *findDevice(board);
    constexpr PageLayout kTile = PageLayout::Tile, kRows = PageLayout::RowMajor;
    Shape wide = {4096, 256}, twice = {8192, 256}, narrow = {32768, 32};
    int64_t copy = layoutTime(device, wide, kTile, kTile), out = layoutTime(device, wide, kRows, kTile),
            into = layoutTime(device, wide, kTile, kRows);
    EXPECT_LT(copy, out) << board;
    EXPECT_LT(out, into) << board;
    EXPECT_LT(into, layoutTime(device, narrow, kTile, kRows)) << board;  // as many tiles, one to a row
    EXPECT_GT(layoutTime(device, twice, kTile, kTile), copy) << board;
    EXPECT_LE(layoutTime(device, twice, kTile, kTile), 2 * copy) << board;
  }
}

EvalResult evalText(EvalResult (*run)(const EvalRequest&), const std::string& text) {
  EvalRequest request;
  request.file = (std::filesystem::path(::testing::TempDir()) / "eval_times_rows").string();
  std::ofstream(request.file) << text;
  return run(request);
}

TEST(EvalOps, ARowIsExpressedOrAMiss) {
  const std::string names =
      "arch,op,cores,avail_cores,kernel_ns,in0_padded,in0_layout_dtype,in0_mem,out0_padded,out0_layout_dtype,out0_mem,"
      "attributes\n";
  const std::string tensor = "1x1x1024x1024,TILE:BFLOAT16,DRAM_INTERLEAVED";
  EvalResult good = evalText(evalOps, names + "wormhole_b0,UnaryDeviceOperation,64,64,5000," + tensor + "," + tensor +
                                          ",op_type=UnaryOpType::RELU\n");
  EXPECT_EQ(good.rows, 1);
  EXPECT_EQ(figure(good.figures, "unsupported"), 0);
  const std::string rows[] = {"wormhole_b0,NoSuchOperation,64,64,5000," + tensor + "," + tensor,
                              "wormhole_b0,Transpose,0,64,5000," + tensor + "," + tensor,
                              "wormhole_b0,Transpose,64,64,5000,1xx2,TILE:BFLOAT16,DRAM_INTERLEAVED," + tensor,
                              "wormhole_b0,Transpose,64,64,5000,999999999999x1,TILE:BFLOAT16,," + tensor,
                              "wormhole_b0,Transpose,64,64,5000"};
  for (const std::string& row : rows) {
    EvalResult bad = evalText(evalOps, names + row + "\n");
    EXPECT_EQ(bad.rows, 1) << row;
    EXPECT_EQ(figure(bad.figures, "unsupported"), 1) << row;
  }
}

TEST(EvalOps, AttributesSayWhatTheColumnsDoNot) {
  const std::string names =
      "arch,op,cores,avail_cores,kernel_ns,in0_padded,in0_layout_dtype,in0_mem,out0_padded,out0_layout_dtype,out0_mem,"
      "attributes\n";
  auto miss = [&](const std::string& row) {  // what the model says, from the text of the miss
    EvalResult result = evalText(evalOps, names + "blackhole," + row + "\n");
    EXPECT_EQ(result.misses.size(), 1u) << row;
    return result.misses.empty() ? 0.0 : figure(result.misses[0].text, "model");
  };
  const std::string from = ",20,20,1,1x12x64x256,TILE:BFLOAT16,DRAM_INTERLEAVED,";
  double rows = miss("PermuteDeviceOperation" + from +
                     "1x64x12x256,TILE:BFLOAT16,DRAM_INTERLEAVED,'dims': 'SmallVector([0; 2; 1; 3])'");
  double tiles = miss("PermuteDeviceOperation" + from +
                      "12x1x64x256,TILE:BFLOAT16,DRAM_INTERLEAVED,'dims': 'SmallVector([1; 0; 2; 3])'");
  EXPECT_GT(rows, tiles);
  EXPECT_GT(tiles, 0);
  const std::string rowMajor =
      ",20,20,1,1x1x7680x128,ROW_MAJOR:BFLOAT16,L1_HEIGHT_SHARDED,1x1x13620x128,ROW_MAJOR:BFLOAT16,L1_HEIGHT_SHARDED,";
  EXPECT_GT(miss("HaloDeviceOperation" + rowMajor + "'max_out_nsticks_per_core': '1200'"),
            miss("HaloDeviceOperation" + rowMajor));
  EXPECT_GT(miss("SliceWriteDeviceOperation" + rowMajor), 0);
  EXPECT_GT(miss("Pool2D" + rowMajor), 0);
  // Programs that no op of the compiler runs.
  EXPECT_GT(miss("IntImgDeviceOperation,8,20,1,1x48x160x256,TILE:BFLOAT16,DRAM_INTERLEAVED,1x48x160x256,"
                 "TILE:BFLOAT16,DRAM_INTERLEAVED,"),
            0);
  const std::string attention =
      "arch,op,cores,avail_cores,kernel_ns,in0_padded,in0_layout_dtype,in0_mem,in1_padded,in1_layout_dtype,in1_mem,"
      "in2_padded,in2_layout_dtype,in2_mem,out0_padded,out0_layout_dtype,out0_mem,attributes\n";
  const std::string heads = "1x32x3200x128,TILE:BFLOAT16,DRAM_INTERLEAVED,";
  const auto ring = [&](const std::string& attributes) {
    EvalResult result =
        evalText(evalOps, attention + "blackhole,RingJointScaledDotProductAttentionDeviceOperation,110,110,1," + heads +
                              heads + heads + heads + attributes + "\n");
    return result.misses.empty() ? 0.0 : figure(result.misses[0].text, "model");
  };
  const double whole = ring("'ring_size': '1'");
  EXPECT_GT(ring("'ring_size': '4'"), 3 * whole) << "keys of every chip pass by";
  EXPECT_LT(ring("'ring_size': '1'; 'is_causal': 'true'"), whole * 2 / 3);
  EXPECT_EQ(ring("'ring_size': '1'; 'is_causal': '1'"), ring("'ring_size': '1'; 'is_causal': 'true'"));
  EXPECT_EQ(miss("Conv2dDeviceOperation" + rowMajor + "'block_config': 'act_block_h_ntiles=1"), 1e9)
      << "no model without its blocks";
  // Functions that the compiler has no op for are taken as others of their kind.
  EXPECT_GT(
      miss("UnaryDeviceOperation" + from + "1x12x64x256,TILE:BFLOAT16,DRAM_INTERLEAVED,UnaryOpType::NO_SUCH_FUNCTION"),
      0);
}

TEST(ProfileText, NumbersAreBoundedAndEndAtTheFirstOtherThing) {
  EXPECT_EQ(numbersAfter("window_hw=(3;5); x", "window_hw=("), (std::vector<int64_t>{3, 5}));
  EXPECT_EQ(numbersAfter("SmallVector([0; 2; 1])", "SmallVector("), (std::vector<int64_t>{0, 2, 1}));
  EXPECT_TRUE(numbersAfter("a=b", "a=").empty());
  EXPECT_TRUE(numbersAfter("a=1", "b=").empty());
  EXPECT_EQ(numbersAfter(std::string(100, '9'), "").size(), 1u);
  EXPECT_LT(numbersAfter(std::string(100, '9'), "")[0], int64_t{1} << 32);
  std::string many;
  for (int i = 0; i < 100; ++i) many += "1;";
  EXPECT_LE(numbersAfter(many, "").size(), 8u);
  EXPECT_EQ(lowerCase("HiFi2"), "hifi2");
}

TEST(EvalPoints, OnlyPairsCountAndTheirOrderDecides) {
  const std::string facts =
      R"([{"what": "a fact", "us": 3}, {"what": "two numbers that are no op", "dram_us": 1, "l1_us": 2})";
  EXPECT_EQ(evalText(evalPoints, facts + "]").figures, "order_right 0.0%");
  EXPECT_EQ(evalText(evalPoints, facts + "]").rows, 1);
  auto norm = [](const char* what, const char* interleaved, const char* sharded) {
    return std::string(R"([{"what": ")") + what + R"(", "interleaved_us": )" + interleaved + R"(, "sharded_us": )" +
           sharded + "}]";
  };
  EXPECT_EQ(evalText(evalPoints, norm("rms_norm 32x2880", "112", "38")).figures, "order_right 100.0%");
  EXPECT_EQ(evalText(evalPoints, norm("rms_norm 32x2880", "38", "112")).figures, "order_right 0.0%");
  EXPECT_EQ(evalText(evalPoints, norm("rms_norm (gpt_oss decode) both ways", "112", "38")).figures,
            "order_right 100.0%");
  // Two names of one layout: the model calls them alike, and neither order is right.
  for (const auto& [first, second] : {std::pair{"38", "112"}, std::pair{"112", "38"}})
    EXPECT_EQ(evalText(evalPoints, std::string(R"([{"what": "rms_norm 32x2880", "dram_us": )") + first +
                                       R"(, "interleaved_us": )" + second + "}]")
                  .figures,
              "order_right 0.0%");
  // A text that names neither a shape nor a model is no op.
  EvalResult nameless = evalText(evalPoints, norm("rms_norm of some model, 32 cores", "112", "38"));
  EXPECT_EQ(nameless.figures, "order_right 0.0%");
  ASSERT_EQ(nameless.misses.size(), 1u);
  EXPECT_NE(nameless.misses[0].text.find("no model"), std::string::npos);
  EXPECT_NE(evalText(evalPoints, "{}").problem, "");
}

TEST(EvalTargets, OnlyTimesOfOpsAreRows) {
  EvalResult result = evalText(evalTargets,
                               "op,arch,metric,value,config\nconv2d,wormhole_b0,kernel_duration_us,87,\"{\"\"batch_"
                               "size\"\": 1\"\nx,,expected_perf,9,\n");
  EXPECT_EQ(result.rows, 1);
  EXPECT_EQ(figure(result.figures, "unsupported"), 1);
}

TEST(Csv, QuotesCommentsAndShortRows) {
  CsvTable t;
  ASSERT_TRUE(parseCsv("# source\na,b,c\r\n\"1,5\",\"x\"\"y\"\n\n7,,1e400\n", t));
  ASSERT_EQ(t.rows.size(), 2u);
  EXPECT_EQ(t.text(0, "a"), "1,5");
  EXPECT_EQ(t.text(0, "b"), "x\"y");
  EXPECT_EQ(t.text(0, "c"), "");
  EXPECT_EQ(t.count(1, "a"), 7);
  EXPECT_EQ(t.count(1, "c"), 0);
  EXPECT_EQ(t.text(1, "missing"), "");
}

TEST(Csv, HostileTextIsReadOrRefused) {
  CsvTable empty, open, wide;
  EXPECT_FALSE(parseCsv("", empty));
  EXPECT_TRUE(parseCsv("a\n\"never closed\n1,2", open));
  EXPECT_FALSE(parseCsv(std::string(2000, ','), wide));
}

}  // namespace
}  // namespace tessera
