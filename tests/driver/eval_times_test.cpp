// Model times beside published ones stay within their bounds; and the table reader takes anything.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "core/driver/eval/eval_times.h"

namespace tessera {
namespace {

std::string published(const std::string& name) {
  const char* shared = std::getenv("TESSERA_SHARED");
  return (shared ? std::string(shared) : std::string("../shared")) + "/data/device/" + name;
}

// "... median_abs_err 4.0% p90 ..." -> 4.0
double figure(const std::string& line, const std::string& name) {
  size_t at = line.find(name + " ");
  return at == std::string::npos ? 1e9 : std::strtod(line.c_str() + at + name.size() + 1, nullptr);
}

struct Bound {
  const char* file;
  EvalResult (*run)(const EvalRequest&);
  double median, p90;
};

TEST(EvalTimes, StayWithinTheirBounds) {
  constexpr Bound kBounds[] = {{"gemm_flops.csv", evalGemm, 8, 25},
                               {"torp_matmul_height_sharded_n150.csv", evalMatmulHs, 13, 100},
                               {"torp_exp_interleaved_n300.csv", evalExp, 2, 100}};
  for (const Bound& bound : kBounds) {
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
