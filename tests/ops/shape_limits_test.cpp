// Shapes at the ends of what rules allow: each row is an op as text, with a part of what is said of it; "" for nothing.

#include "tests/import/import_testing.h"
#include "tests/ops/op_rows.h"

namespace tessera::test {
namespace {

struct Limit {
  std::string row;  // op | attributes | operands | results, as in tests/golden/op_model.txt
  std::string message;
};

void expectLimits(const std::vector<Limit>& limits) {
  for (const Limit& limit : limits) {
    std::vector<std::string> row = splitRow(limit.row, '|');
    row.resize(4);
    const std::string said = importText(programOfRow(row)).report();
    if (limit.message.empty()) EXPECT_EQ(said, "") << limit.row;
    else EXPECT_NE(said.find(limit.message), std::string::npos) << limit.row << "\n" << said;
  }
}

TEST(ShapeLimits, OfMovingOps) {
  const std::string slice = "ttir.slice_static | begins = [", ends = "], ends = [", step = "], step = [";
  const auto sliced = [&](const std::string& begin, const std::string& end, const std::string& by, int64_t size) {
    return slice + begin + " : i32" + ends + end + " : i32" + step + by + " : i32] | 10 | " + std::to_string(size);
  };
  const auto interleaved = [](int64_t repeats, int64_t size) {
    return "ttir.repeat_interleave | dim = 0 : si32, repeats = " + std::to_string(repeats) + " : ui32 | 4x3 | " +
           std::to_string(size) + "x3";
  };
  const auto selected = [](int64_t begin, int64_t length, int64_t stride, int64_t size) {
    return "ttir.index_select | begin = " + std::to_string(begin) +
           " : si32, dim = 0 : si32, length = " + std::to_string(length) +
           " : si32, stride = " + std::to_string(stride) + " : si32 | 10 | " + std::to_string(size);
  };
  expectLimits({{sliced("0", "10", "1", 10), ""},
                {sliced("0", "10", "3", 4), ""},
                {sliced("0", "9", "3", 3), ""},
                {sliced("0", "10", "3", 3), "expected 4"},
                {sliced("-10", "10", "1", 10), ""},
                {sliced("-11", "10", "1", 10), "slice -11:10 leaves a dim of 10"},
                {sliced("-12", "9", "1", 9), "slice -12:9 leaves a dim of 10"},
                {sliced("0", "11", "1", 11), "leaves a dim of 10"},
                {sliced("2", "-3", "1", 5), ""},
                {sliced("7", "3", "1", 4), "runs against its step"},
                {sliced("0", "10", "0", 10), "other than 0"},
                {interleaved(2, 8), ""},
                {interleaved(0, 0), "a small positive number"},
                {interleaved(2, 6), "expected 8x3"},
                {selected(0, 2, 4, 6), ""},
                {selected(1, 4, 4, 9), ""},
                {selected(1, 3, 4, 7), ""},
                {selected(0, 4, 4, 10), ""},
                {selected(0, 3, 4, 8), ""},
                {selected(0, 4, 4, 12), "expected 10"},
                {selected(0, 3, 4, 9), "expected 8"},
                {selected(8, 2, 0, 2), ""},
                {selected(2, 2, 0, 2), ""},
                {selected(2, 2, 0, 8), "expected 2"},
                {selected(8, 3, 0, 3), "from 1 to the stride"},
                {selected(10, 1, 0, 1), "within a dim of 10"},
                {selected(0, 1, 11, 1), "from 0 to 10"}});
}

TEST(ShapeLimits, OfProductsAndLookups) {
  const auto dot = [](const std::string& batch, const std::string& left, const std::string& right,
                      const std::string& result) {
    return "ttir.dot_general | batch_dims_lhs = array<i64" + batch + ">, batch_dims_rhs = array<i64" + batch +
           ">, contract_dims_lhs = array<i64: " + left + ">, contract_dims_rhs = array<i64: " + right +
           "> | 2x3x4 2x4x5 | " + result;
  };
  const auto gather = [](const std::string& sizes, const std::string& result) {
    return "ttir.gather | offset_dims = array<i64: 1>, collapsed_slice_dims = array<i64: 0>, operand_batching_dims = "
           "array<i64>, start_indices_batching_dims = array<i64>, start_index_map = array<i64: 0>, index_vector_dim = "
           "1 : si64, slice_sizes = array<i64: " +
           sizes + ">, indices_are_sorted = false | 8x16 5x1xi32 | " + result;
  };
  expectLimits({{dot(": 0", "2", "1", "2x3x5"), ""},
                {dot(": 0", "2", "1", "2x5x3"), "expected 2x3x5"},
                {dot(": 0", "2, 2", "1, 1", "2x3x5"), "different dims of 2x3x4"},
                {dot(": 0", "0", "1", "2x3x5"), "different dims of 2x3x4"},
                {dot(": 0", "3", "1", "2x3x5"), "different dims of 2x3x4"},
                {dot("", "2", "1", "2x3x2x5"), ""},
                {dot(": 0", "1", "1", "2x4x5"), "contracted dims 3 and 4"},
                {gather("1, 16", "5x16"), ""},
                {gather("1, 17", "5x17"), "sizes within 8x16"},
                {gather("9, 16", "5x144"), "sizes within 8x16"},
                {gather("1, 8", "5x16"), "one slice per index"}});
}

TEST(ShapeLimits, OfReductionsRankingsAndCaches) {
  const auto topk = [](int64_t k) {
    const std::string size = "4x" + std::to_string(k);
    return "ttir.topk | dim = 1 : i32, k = " + std::to_string(k) + " : i32, largest = true, sorted = true | 4x32 | " +
           size + " " + size + "xi32";
  };
  const auto fill = [](int64_t offset, const std::string& value) {
    return "ttir.fill_cache | batch_offset = " + std::to_string(offset) + " : i32 | 4x8x64x32 " + value +
           " | 4x8x64x32";
  };
  expectLimits({{topk(32), ""},
                {topk(33), "at most 32"},
                {"ttir.sum | dim_arg = [], keep_dim = false | 4x8 | 1", ""},
                {"ttir.sum | dim_arg = [], keep_dim = true | 4x8 | 1x1", ""},
                {"ttir.sum | dim_arg = [], keep_dim = false | 4x8 | 4x8", "the result is 4x8"},
                {"ttir.sum | dim_arg = [1 : i32], keep_dim = false | 4x8 | 4", ""},
                {"ttir.sum | dim_arg = [2 : i32], keep_dim = false | 4x8 | 4", "rank 2"},
                {"ttir.sum | dim_arg = [-2 : i32], keep_dim = false | 4x8 | 8", ""},
                {"ttir.sum | dim_arg = [-3 : i32], keep_dim = false | 4x8 | 8", "rank 2"},
                {fill(3, "1x8x64x32"), ""},
                {fill(0, "4x8x1x32"), ""},
                {fill(4, "1x8x64x32"), "does not fit into cache"},
                {fill(5, "1x8x64x32"), "a row of the cache"},
                {fill(-1, "1x8x64x32"), "a row of the cache"},
                {fill(1, "4x8x64x32"), "does not fit into cache"},
                {fill(0, "1x8x65x32"), "does not fit into cache"},
                {fill(0, "1x7x64x32"), "differ in heads"}});
}

TEST(ShapeLimits, OfWindows) {
  const std::string pool =
      "ceil_mode = false, dilation = array<i32: 1, 1>, kernel = array<i32: 2, 2>, padding = array<i32: 0, 0, 0, 0>, "
      "stride = array<i32: 2, 2> | 1x8x8x4 | ";
  const auto transposed = [](const std::string& extra, const std::string& result) {
    return "ttir.conv_transpose2d | dilation = array<i32: 1, 1>, groups = 1 : i32, output_padding = array<i32: " +
           extra + ">, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2> | 1x4x4x3 3x5x2x2 | " + result;
  };
  expectLimits({{"ttir.max_pool2d_with_indices | " + pool + "1x4x4x4 1x4x4x4xi32", ""},
                {"ttir.max_pool2d_with_indices | " + pool + "1x4x4x4 1x4x4x5xi32", "the shape of the values"},
                {transposed("0, 0", "1x8x8x5"), ""},
                {transposed("1, 0", "1x9x8x5"), ""},
                {transposed("0, 1", "1x8x9x5"), ""},
                {transposed("0, 1", "1x9x8x5"), "expected 1x8x9x5"}});
}

// A zero point is a number of the storage type.
TEST(ShapeLimits, OfZeroPoints) {
  const auto quantized = [](const std::string& storage, int64_t zero) {
    return "func.func @main(%a: tensor<2x3xf32>, %s: tensor<1xf32>, %z: tensor<1xi32>) {\n  %0 = "
           "\"ttir.quantize_unrolled\"(%a, %s, %z) : (tensor<2x3xf32>, tensor<1xf32>, tensor<1xi32>) -> "
           "tensor<2x3x!quant.uniform<" +
           storage + ":f32, 0.1:" + std::to_string(zero) + ">>\n  return\n}\n";
  };
  for (const auto& [storage, zero, fine] :
       {std::tuple{"i8", 127, true}, std::tuple{"i8", 128, false}, std::tuple{"i8", -128, true},
        std::tuple{"i8", -129, false}, std::tuple{"u8", 255, true}, std::tuple{"u8", 256, false},
        std::tuple{"u8", 0, true}, std::tuple{"u8", -1, false}}) {
    const std::string said = importText(quantized(storage, zero)).report();
    EXPECT_EQ(said.find("does not hold") == std::string::npos, fine) << storage << " " << zero << "\n" << said;
  }
}

}  // namespace
}  // namespace tessera::test
