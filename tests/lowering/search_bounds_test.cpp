// How far patterns look: the last length at which they find what they look for, and the next at which they stop.

#include "tests/lowering/short_mlir.h"

namespace tessera::test {
namespace {

// Op `name` as often as told, each on the result of the one before, from `from` on; the last is `last`.
void addChainOf(ShortFunction& function, const std::string& name, const std::string& from, const std::string& last,
                int count) {
  for (int i = 0; i < count; ++i) {
    const std::string before = i == 0 ? from : from + "_" + std::to_string(i);
    const std::string now = i + 1 == count ? last : from + "_" + std::to_string(i + 1);
    function.addLine(now + " = " + name + " " + before);
  }
}

std::map<std::string, int> namesLeft(const std::string& pass, const ShortFunction& function, LoweringSetup& setup) {
  Imported imported = importText(function.mlir(), {.longestConstant = 8192});
  EXPECT_TRUE(imported.graph) << imported.report();
  if (!imported.graph) return {};
  startOrigins(*imported.graph);
  return countOps(passOn(pass, *imported.graph, setup).graph);
}

int cachesUpdated(int opsBehindPosition) {
  LoweringSetup setup;
  setup.options.specificationRules = false;
  setup.options.release = CompilerRelease::Autumn2025;
  ShortFunction function("ttir");
  for (const char* argument : {"k: 1x2x16x8xf32", "n: 1x2x1x8xf32", "i: 1xsi32"}) function.addLine(argument);
  addChainOf(function, "neg", "i", "at", opsBehindPosition);
  function.addLine(
      "r = scatter k at n {index_vector_dim = 1 : i32, indices_are_sorted = false, input_batching_dims = array<i32>, "
      "inserted_window_dims = array<i32: 2>, scatter_dims_to_operand_dims = array<i32: 2>, "
      "scatter_indices_batching_dims = array<i32>, unique_indices = false, update_window_dims = array<i32: 0, 1, 3>} "
      "-> 1x2x16x8xf32");
  return namesLeft("ttir-fusing", function, setup)["ttir.update_cache"];
}

// 64 values are looked at, the indices among them.
TEST(SearchBounds, ThePositionOfACacheIsFoundBehind63Ops) {
  EXPECT_EQ(cachesUpdated(1), 1);
  EXPECT_EQ(cachesUpdated(63), 1);
  EXPECT_EQ(cachesUpdated(64), 0);
}

int headsSplit(int opsBeforeAttention) {
  LoweringSetup setup;
  ShortFunction function("ttir");
  for (const char* argument : {"x: 32x64xbf16", "w: 64x192xbf16"}) function.addLine(argument);
  function.addLine("m = matmul x w {transpose_a = false, transpose_b = false} -> 32x192xbf16");
  for (int part = 0; part < 3; ++part) {
    const std::string name(1, "qkv"[part]), from = std::to_string(64 * part), to = std::to_string(64 * part + 64);
    function.addLine(name + "_cut = slice_static m {begins = [0 : i32, " + from + " : i32], ends = [32 : i32, " + to +
                     " : i32], step = [1 : i32, 1 : i32]} -> 32x64xbf16");
    function.addLine(name + "_four = reshape " + name +
                     "_cut {shape = [1 : i32, 32 : i32, 2 : i32, 32 : i32]} -> 1x32x2x32xbf16");
    function.addLine(name + " = permute " + name + "_four {permutation = array<i64: 0, 2, 1, 3>} -> 1x2x32x32xbf16");
  }
  addChainOf(function, "exp", "q", "far", opsBeforeAttention);
  function.addLine(
      "r = scaled_dot_product_attention far k v {is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} "
      "-> 1x2x32x32xbf16");
  return namesLeft("ttir-late-fusing", function, setup)["ttir.split_query_key_value_and_split_heads"];
}

// 256 values are looked at, the queries themselves among them. Where one of three is not found, nothing is split.
TEST(SearchBounds, TheAttentionOfAHeadIsFoundBehind255Ops) {
  EXPECT_EQ(headsSplit(1), 1);
  EXPECT_EQ(headsSplit(255), 1);
  EXPECT_EQ(headsSplit(256), 0);
}

int negationsLeft(int numbers) {
  LoweringSetup setup;
  ShortFunction function("ttir");
  std::string list = "2";
  for (int i = 1; i < numbers; ++i) list += i % 2 == 0 ? ", 2" : ", 3";
  const std::string type = std::to_string(numbers) + "xsi32";
  function.addLine("c = constant {value = dense<[" + list + "]> : tensor<" + type + ">} -> " + type);
  function.addLine("r = neg c");
  return namesLeft("canonicalize", function, setup)["ttir.neg"];
}

TEST(SearchBounds, ListsOf1024NumbersAreWorkedOut) {
  EXPECT_EQ(negationsLeft(2), 0);
  EXPECT_EQ(negationsLeft(1024), 0);
  EXPECT_EQ(negationsLeft(1025), 1);
}

}  // namespace
}  // namespace tessera::test
