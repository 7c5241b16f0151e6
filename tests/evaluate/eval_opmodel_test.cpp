// `tessera eval opmodel`: rows are judged by equality and by their own checks.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "core/evaluate/eval.h"
#include "core/evaluate/opmodel_rows.h"

namespace tessera::test {
namespace {

EvalResult evaluatedRows(const std::string& rows) {
  const std::string path = ::testing::TempDir() + "tessera_rows_" + std::to_string(::getpid());
  std::ofstream(path, std::ios::binary) << rows;
  const EvalResult result = evalOpModel({.file = path});
  std::remove(path.c_str());
  return result;
}

// A relu of 64x1024 in DRAM: 8192 bytes of circular buffers, none of anything else.
EvalResult evaluated(int64_t buffers, const std::string& check) {
  const std::string place =
      R"({"shape": [64, 1024], "buffer": "DRAM", "memory_layout": "Interleaved", "grid": [1, 1], )"
      R"("page_layout": "tile", "dtype": "bf16"})";
  const std::string rows = R"({"rows": [{"op": "ReluOp", "kind": "lib_param", "suite": "s", "test": "t", "index": 0, )"
                           R"("inputs": {"input": )" +
                           place + R"(}, "outputs": {"output": )" + place +
                           R"(}, "attrs": {}, "expected_legal": true, "expected_cb_l1_peak": )" +
                           std::to_string(buffers) + R"(, "expected_output_l1_size": 0, "check": {"cb": ")" + check +
                           R"(", "output": "eq"}}]})";
  return evaluatedRows(rows);
}

bool says(const EvalResult& result, const std::string& part) { return result.figures.find(part) != std::string::npos; }

TEST(EvalOpModel, RowsAreHeldAgainstTheirOwnChecks) {
  struct Row {
    int64_t published;
    const char* check;
    bool holds;
  };
  const Row kRows[] = {{8192, "eq", true},  {8191, "eq", false}, {8000, "ge", true},  {9000, "ge", false},
                       {8192, "le", true},  {8000, "le", false}, {8192, "gt", false}, {8191, "gt", true},
                       {123, "gt 0", true}, {123, "eq 0", false}};
  for (const Row& row : kRows) {
    const EvalResult result = evaluated(row.published, row.check);
    ASSERT_EQ(result.problem, "") << row.check;
    EXPECT_EQ(result.agree, row.holds ? 1 : 0) << row.published << " " << row.check << " " << result.figures;
    EXPECT_TRUE(says(result, row.holds ? "cb_holds 100.0%" : "cb_holds 0.0%")) << row.check << result.figures;
  }
  // Only equality states a size; what is not enforced is held against nothing.
  EXPECT_TRUE(says(evaluated(8191, "eq"), "cb_exact 0.0%"));
  EXPECT_EQ(evaluated(1, "gt 0 (not enforced)").agree, 1);
  EXPECT_EQ(evaluated(1, "table only").agree, 1);
}

// A product that the library took, and the rules refuse: its sizes are held against nothing, and do not hold.
TEST(EvalOpModel, RowsThatAreRefusedHoldNoSize) {
  const std::string width = R"({"shape": [64, 1024], "buffer": "L1", "memory_layout": "WidthSharded", "grid": [1, 8], )"
                            R"("page_layout": "tile", "dtype": "bf16"})";
  const std::string height = R"({"shape": [64, 1024], "buffer": "L1", "memory_layout": "HeightSharded", )"
                             R"("grid": [2, 1], "page_layout": "tile", "dtype": "bf16"})";
  const EvalResult result = evaluatedRows(
      R"({"rows": [{"op": "ReluOp", "kind": "lib_param", "suite": "s", "test": "t", "index": 0, "inputs": {"input": )" +
      width + R"(}, "outputs": {"output": )" + height +
      R"(}, "attrs": {}, "expected_legal": true, "expected_cb_l1_peak": 8192, "check": {"cb": "eq"}}]})");
  EXPECT_EQ(result.agree, 0);
  EXPECT_TRUE(says(result, "legality_holds 0.0%")) << result.figures;
  EXPECT_TRUE(says(result, "cb_holds 0.0%")) << result.figures;
}

std::string problemOf(EvalResult (*evaluate)(const EvalRequest&), const std::string& text) {
  const std::string path = ::testing::TempDir() + "tessera_rows_" + std::to_string(::getpid());
  std::ofstream(path, std::ios::binary) << text;
  std::string problem = evaluate({.file = path}).problem;
  std::remove(path.c_str());
  const size_t at = problem.find(path);
  EXPECT_NE(at, std::string::npos) << problem;
  return at == std::string::npos ? problem : problem.replace(at, path.size(), "FILE");
}

TEST(EvalOpModel, WhatIsNoListOfRowsIsSaid) {
  EXPECT_EQ(problemOf(evalPoints, "{}"), "`FILE` is no list of rows");
  EXPECT_EQ(problemOf(evalPoints, "7"), "`FILE` is no list of rows");
  EXPECT_EQ(problemOf(evalOpModel, "{}"), "`FILE` has no list `rows`");
  EXPECT_EQ(problemOf(evalOpModel, "[]"), "`FILE` has no list `rows`");
  EXPECT_EQ(problemOf(evalOpModel, "{\"rows\": {}}"), "`FILE` has no list `rows`");
  EXPECT_EQ(problemOf(evalSpill, "{}"), "`FILE` has no list `scenarios`");
  for (const auto evaluate : {evalPoints, evalOpModel, evalSpill})
    EXPECT_EQ(problemOf(evaluate, "{\"rows\": [}").rfind("FILE:1:", 0), 0u);
  EXPECT_EQ(evalPoints({.file = "/no/such/file"}).problem, "cannot read `/no/such/file`");
}

// The attributes of the op that a row with these asks about: "axis 1; ".
std::string askedAttrs(const std::string& op, const std::string& attrs) {
  const std::string tensor =
      R"({"shape": [1, 1, 64, 32], "buffer": "DRAM", "memory_layout": "Interleaved", "grid": [1, 1], )"
      R"("page_layout": "tile", "dtype": "bf16"})";
  const SourceBuffer source("row", R"({"op": ")" + op + R"(", "kind": "interface_testf", "inputs": {"in0": )" + tensor +
                                       R"(}, "outputs": {"output": )" + tensor + R"(}, "attrs": {)" + attrs + "}}");
  Diagnostics diags;
  const JsonDocument document = JsonDocument::parse(source, diags);
  const std::optional<RowQuery> query = readRow(document.root());
  std::string text = query ? "" : "no query";
  for (size_t i = 0; query && i < query->attrs.size(); ++i) {
    const Attribute& attr = query->attrs[i];
    text += attr.name + " " + attr.value.text.substr(0, attr.value.text.find(" : ")) + "; ";
  }
  return text;
}

TEST(EvalOpModel, NamedAttributesAreTheOps) {
  EXPECT_EQ(askedAttrs("SplitQueryKeyValueAndSplitHeadsOp", R"("num_heads": 8, "transpose_key": true)"),
            "num_heads 8; transpose_key true; ");
  EXPECT_EQ(askedAttrs("SplitQueryKeyValueAndSplitHeadsOp", R"("num_heads": 8, "transpose_key": false)"),
            "num_heads 8; transpose_key false; ");
  EXPECT_EQ(askedAttrs("PermuteOp", R"("permutation": [0, 2, 1, 3])"), "permutation array<i64: 0, 2, 1, 3>; ");
  EXPECT_EQ(askedAttrs("QuantizeOp", R"("axis": 1)"), "axis 1; ");
}

// The numbers of a window stand in the order of the library's call; a transposed convolution's output padding is
// before the dilation, a list of four in front is no part of it.
TEST(EvalOpModel, WindowsAreReadByPosition) {
  const auto attrsOf = [](const std::string& op, const std::string& args) {
    return askedAttrs(op, R"("args": [)" + args + "]");
  };
  const auto list = [](const char* numbers) {
    return std::string(R"({"$call": "llvm::ArrayRef<int32_t>", "args": [[)") + numbers + "]]}";
  };
  const std::string sizes = "8, 16, 2, 7, 5, ", three = list("3, 4") + ", " + list("2, 1") + ", " + list("1, 0"),
                    named = "kernel_size array<i64: 3, 4>; stride array<i64: 2, 1>; padding array<i64: 1, 0>; ",
                    places = "batch_size 2; input_height 7; input_width 5; ";
  EXPECT_EQ(attrsOf("Conv2dOp", "null, " + sizes + three + ", " + list("6, 5") + ", 1"),
            named + "dilation array<i64: 6, 5>; in_channels 8; out_channels 16; " + places);
  EXPECT_EQ(attrsOf("Conv2dOp", list("1, 2, 3, 4") + ", " + sizes + three + ", " + list("6, 5")),
            named + "dilation array<i64: 6, 5>; in_channels 8; out_channels 16; " + places);
  EXPECT_EQ(attrsOf("ConvTranspose2dOp", sizes + three + ", " + list("0, 1") + ", " + list("6, 5") + ", 1"),
            named + "dilation array<i64: 6, 5>; in_channels 8; out_channels 16; " + places);
  EXPECT_EQ(attrsOf("ConvTranspose2dOp", sizes + three + ", " + list("6, 5")), "") << "a list is missing";
  EXPECT_EQ(attrsOf("Conv2dOp", sizes + three), "") << "a list is missing";
  EXPECT_EQ(attrsOf("MaxPool2dOp", "2, 7, 5, 32, " + three + ", [6, 5], null"),
            named + "dilation array<i64: 6, 5>; channels 32; " + places);
}

}  // namespace
}  // namespace tessera::test
