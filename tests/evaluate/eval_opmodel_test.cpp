// `tessera eval opmodel`: rows are judged by equality and by their own checks.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "core/evaluate/eval.h"

namespace tessera::test {
namespace {

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
  const std::string path = ::testing::TempDir() + "tessera_rows_" + std::to_string(::getpid());
  std::ofstream(path, std::ios::binary) << rows;
  const EvalResult result = evalOpModel({.file = path});
  std::remove(path.c_str());
  return result;
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

}  // namespace
}  // namespace tessera::test
