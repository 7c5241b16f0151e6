// What the compiler's verifiers ask of single ops: of each op one form that is accepted, and others that are refused.

#include "tests/import/import_testing.h"

namespace tessera {
namespace {

struct RuleCase {
  const char* op;
  const char* attrs;                  // between <{ and }>
  std::vector<const char*> accepted;  // "operand types -> result types", separated by blanks
  std::vector<const char*> refused;
};

// "4xf32 4xf32 -> 4xf32" as a function around one op.
std::string programOf(const std::string& op, const std::string& attrs, const std::string& types) {
  std::vector<std::string> operands, results;
  std::istringstream words(types);
  bool behind = false;
  for (std::string word; words >> word;) {
    if (word == "->") behind = true;
    else (behind ? results : operands).push_back("tensor<" + word + ">");
  }
  std::string arguments, uses, operandTypes, resultTypes;
  for (size_t i = 0; i < operands.size(); ++i) {
    const std::string comma = i > 0 ? ", " : "", name = "%a" + std::to_string(i);
    arguments += comma + name + ": " + operands[i];
    uses += comma + name;
    operandTypes += comma + operands[i];
  }
  for (size_t i = 0; i < results.size(); ++i) resultTypes += (i > 0 ? ", " : "") + results[i];
  return "func.func @f(" + arguments + ") {\n%0:" + std::to_string(results.size()) + " = \"" + op + "\"(" + uses +
         ") <{" + attrs + "}> : (" + operandTypes + ") -> (" + resultTypes + ")\nreturn\n}\n";
}

void expectRules(const std::vector<RuleCase>& cases) {
  for (const RuleCase& c : cases) {
    for (const char* types : c.accepted) {
      Imported imported = importText(programOf(c.op, c.attrs, types));
      EXPECT_FALSE(imported.diags.hasErrors()) << c.op << " " << c.attrs << " " << types << "\n" << imported.report();
    }
    for (const char* types : c.refused) {
      Imported imported = importText(programOf(c.op, c.attrs, types));
      EXPECT_TRUE(imported.diags.hasErrors()) << c.op << " " << c.attrs << " " << types;
    }
  }
}

TEST(OpRules, Windows) {
  expectRules({
      {"ttnn.conv3d",
       "batch_size = 1 : i32, in_channels = 4 : i32, out_channels = 8 : i32, input_depth = 6 : i32, input_height = 6 : "
       "i32, input_width = 6 : i32, kernel_size = array<i32: 3, 3, 3>, stride = array<i32: 1, 1, 1>, padding = "
       "array<i32: 0, 0, 0>, padding_mode = \"zeros\", groups = 1 : i32",
       {"1x6x6x6x4xbf16 108x8xbf16 -> 1x4x4x4x8xbf16"},
       {"1x6x6x6x4xbf16 108x8xbf16 -> 1x4x4x5x8xbf16", "1x6x6x6x4xbf16 100x8xbf16 -> 1x4x4x4x8xbf16",
        "1x6x6x6x4xbf16 108x9xbf16 -> 1x4x4x4x8xbf16"}},
      {"ttnn.conv3d",
       "batch_size = 1 : i32, in_channels = 4 : i32, out_channels = 8 : i32, kernel_size = array<i32: 3, 3, 3>, stride "
       "= array<i32: 1, 1, 1>, padding = array<i32: 0, 0, 0>, padding_mode = \"reflect\", groups = 1 : i32",
       {},
       {"1x6x6x6x4xbf16 108x8xbf16 -> 1x4x4x4x8xbf16"}},
      {"ttir.conv3d",
       "stride = array<i32: 1, 1, 1>, padding = array<i32: 0, 0, 0>, groups = 2 : i32",
       {"1x6x6x6x4xbf16 8x2x3x3x3xbf16 -> 1x4x4x4x8xbf16"},
       {"1x6x6x6x4xbf16 8x4x3x3x3xbf16 -> 1x4x4x4x8xbf16"}},
      {"ttir.conv1d",
       "stride = 1 : i32, padding = 0 : i32, dilation = 1 : i32, groups = 2 : i32",
       {"1x8x4xbf16 6x2x3xbf16 -> 1x6x6xbf16"},
       {"1x8x4xbf16 6x4x3xbf16 -> 1x6x6xbf16", "1x8x5xbf16 6x2x3xbf16 -> 1x6x6xbf16"}},
      {"ttnn.prepare_conv3d_weights",
       "groups = 1 : i32, c_in_block = 0 : i32, alignment = 32 : i32",
       {"8x4x3x3x3xbf16 -> 864x8xbf16"},
       {"8x4x3x3x3xbf16 -> 108x8xbf16", "8x4x3x3x3xbf16 -> 864x9xbf16", "8x4x3x3xbf16 -> 864x8xbf16"}},
      {"ttnn.max_pool2d",
       "batch_size = 1 : si32, input_height = 8 : si32, input_width = 8 : si32, channels = 32 : si32, kernel_size = "
       "array<i32: 2, 2>, stride = array<i32: 2, 2>, padding = array<i32: 0, 0>, dilation = array<i32: 1, 1>, "
       "ceil_mode = false",
       {"1x1x64x32xbf16 -> 1x1x16x32xbf16"},
       {"1x8x8x32xbf16 -> 1x1x16x32xbf16", "1x1x64x64xbf16 -> 1x1x16x64xbf16"}},
      {"ttir.upsample2d", "scale_factor = 2 : si32, mode = \"bicubic\"", {}, {"1x4x4x3xbf16 -> 1x8x8x3xbf16"}},
      {"ttir.upsample2d",
       "scale_factor = 2 : si32, mode = \"bilinear\"",
       {"1x4x4x3xbf16 -> 1x8x8x3xbf16"},
       {"4x4x3xbf16 -> 8x8x3xbf16"}},
      {"ttir.global_avg_pool2d", "", {"2x7x7x8xbf16 -> 2x1x1x8xbf16"}, {"2x7x7x8xbf16 -> 2x8xbf16"}},
  });
}

TEST(OpRules, Norms) {
  expectRules({
      {"ttir.rms_norm",
       "normalized_shape = array<i64: 8>, operandSegmentSizes = array<i32: 1, 1, 0>",
       {"4x8xbf16 8xbf16 -> 4x8xbf16"},
       {"4x8xbf16 9xbf16 -> 4x8xbf16"}},
      {"ttnn.rms_norm",
       "operandSegmentSizes = array<i32: 1, 1, 0>",
       {"4x8xbf16 8xbf16 -> 4x8xbf16"},
       {"4x8xbf16 1x8xbf16 -> 4x8xbf16", "4x8xbf16 4xbf16 -> 4x8xbf16"}},
      {"ttir.batch_norm_inference",
       "dimension = 1 : i32, epsilon = 1.0e-5 : f32",
       {"1x8x4x4xbf16 8xbf16 8xbf16 8xbf16 8xbf16 -> 1x8x4x4xbf16"},
       {"1x8x4x4xbf16 4xbf16 8xbf16 8xbf16 8xbf16 -> 1x8x4x4xbf16",
        "1x8x4x4xbf16 8xbf16 8xbf16 8xbf16 4xbf16 -> 1x8x4x4xbf16"}},
      {"ttnn.batch_norm_inference",
       "",
       {"1x8x4x4xbf16 1x8x1x1xbf16 1x8x1x1xbf16 1x8x1x1xbf16 1x8x1x1xbf16 -> 1x8x4x4xbf16"},
       {"1x8x4x4xbf16 8xbf16 8xbf16 8xbf16 8xbf16 -> 1x8x4x4xbf16"}},
      {"ttnn.distributed_rms_norm",
       "cluster_axis = 1 : ui32, epsilon = 1.0e-12 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>",
       {"1x1x32x128xbf16 128xbf16 1x1x32x128xbf16 -> 1x1x32x128xbf16"},
       {"1x1x32x128xbf16 64xbf16 1x1x32x128xbf16 -> 1x1x32x128xbf16",
        "1x1x32x128xbf16 128xbf16 1x1x32x64xbf16 -> 1x1x32x128xbf16"}},
      {"ttnn.distributed_rms_norm",
       "cluster_axis = 2 : ui32, epsilon = 1.0e-12 : f32",
       {},
       {"1x1x32x128xbf16 -> 1x1x32x128xbf16"}},
      {"ttnn.distributed_layer_norm",
       "cluster_axis = 1 : ui32, epsilon = 0.0 : f32",
       {},
       {"1x1x32x128xbf16 -> 1x1x32x128xbf16"}},
      {"ttnn.rms_norm_pre_all_gather",
       "",
       {"1x2x32x128xbf16 -> 1x2x32x32xbf16"},
       {"1x2x32x128xbf16 -> 1x3x32x32xbf16"}},
      {"ttnn.layer_norm_post_all_gather",
       "",
       {"1x1x32x128xbf16 1x1x32x64xbf16 -> 1x1x32x128xbf16"},
       {"1x1x32x128xbf16 64xbf16 -> 1x1x32x128xbf16", "1x1x32x128xbf16 1x1x32x64xbf16 -> 1x1x32x64xbf16"}},
      {"ttnn.group_norm",
       "num_groups = 8 : i64, operandSegmentSizes = array<i32: 1, 0, 1, 0>",
       {"1x1x64x480xbf16 480xbf16 -> 1x1x64x480xbf16", "1x1x64x480xbf16 1x1x15x32xbf16 -> 1x1x64x480xbf16"},
       {"1x2x64x480xbf16 480xbf16 -> 1x2x64x480xbf16", "1x1x64x484xbf16 484xbf16 -> 1x1x64x484xbf16",
        "1x1x64x480xbf16 240xbf16 -> 1x1x64x480xbf16"}},
  });
}

TEST(OpRules, Moving) {
  expectRules({
      {"ttir.reshape", "shape = [-1 : i32, 3 : i32]", {"6xbf16 -> 2x3xbf16"}, {}},
      {"ttir.reshape", "shape = [-1 : i32, -1 : i32]", {}, {"6xbf16 -> 2x3xbf16"}},
      {"ttir.transpose", "dim0 = 0 : si32, dim1 = 0 : si32", {}, {"6xbf16 -> 6xbf16"}},
      {"ttir.squeeze", "dim = 0 : si32", {"1x2xbf16 -> 2xbf16"}, {"1xbf16 -> bf16"}},
      {"ttir.repeat", "repeat_dimensions = array<i64: 2, 1>", {"2x3xbf16 -> 4x3xbf16"}, {"3xbf16 -> 2x3xbf16"}},
      {"ttir.repeat", "repeat_dimensions = array<i64: 0, 1>", {}, {"2x3xbf16 -> 0x3xbf16"}},
      {"ttir.repeat_interleave", "dim = 0 : si32, repeats = 0 : ui32", {}, {"2xbf16 -> 0xbf16"}},
      {"ttnn.pad", "padding = array<i32: 0, -1>, value = 0.0 : f32", {}, {"4xbf16 -> 3xbf16"}},
      {"ttir.pad", "padding = array<i32: 0, -1>, value = 0.0 : f32", {"4xbf16 -> 3xbf16"}, {}},
      {"ttir.embedding",
       "",
       {"4xui32 10x8xbf16 -> 4x8xbf16", "2x4xui32 1x10x8xbf16 -> 2x4x8xbf16"},
       {"4xui32 2x10x8xbf16 -> 4x8xbf16", "2x4xui32 10x8xbf16 -> 8x8xbf16"}},
      {"ttir.embedding_backward",
       "",
       {"4xui32 10x8xbf16 4x8xbf16 -> 10x8xbf16"},
       {"4xui32 10x8xbf16 4x8xf32 -> 10x8xbf16", "4xui32 10x8xbf16 4x8xbf16 -> 8x10xbf16"}},
      {"ttnn.embedding_bw",
       "",
       {"1x1x1x32xui32 10x8xbf16 1x1x32x8xbf16 -> 10x8xbf16"},
       {"1x1x1x33xui32 10x8xbf16 1x1x33x8xbf16 -> 10x8xbf16", "1x1x1x32xui32 10x8xbf16 1x32x1x8xbf16 -> 10x8xbf16"}},
      {"ttir.slice_static", "begins = [3 : i32], ends = [2 : i32], step = [1 : i32]", {}, {"5xbf16 -> 0xbf16"}},
      {"ttir.slice_static", "begins = [1 : i32], ends = [4 : i32], step = [-1 : i32]", {}, {"5xbf16 -> 3xbf16"}},
      {"ttir.index",
       "dim = 0 : i32, begin = 1 : i32, end = 5 : i32, step = 2 : i32",
       {"5x2xbf16 -> 2x2xbf16"},
       {"5x2xbf16 -> 3x2xbf16", "4x2xbf16 -> 2x2xbf16", "5x2xbf16 -> 2x2xf32"}},
      {"ttir.index", "dim = -1 : i32, begin = 0 : i32, end = 2 : i32, step = 1 : i32", {}, {"5x2xbf16 -> 5x2xbf16"}},
      {"ttir.index_select",
       "dim = 1 : si32, begin = 0 : si32, length = 2 : si32, stride = 4 : si32",
       {"3x8xbf16 -> 3x4xbf16", "3x5xbf16 -> 3x3xbf16"},
       {"3x8xbf16 -> 3x2xbf16", "3x3xbf16 -> 3x2xbf16"}},
      {"ttir.index_select",
       "dim = 1 : si32, begin = 0 : si32, length = 5 : si32, stride = 4 : si32",
       {},
       {"3x8xbf16 -> 3x8xbf16"}},
      {"ttir.matmul", "", {"4xbf16 4xbf16 -> 1xbf16"}, {"4xbf16 4xbf16 -> bf16", "4xbf16 4xbf16 -> 1x1xbf16"}},
      {"ttir.sparse_matmul",
       "is_input_a_sparse = true, is_input_b_sparse = false, nnz = 2 : i64",
       {"1x4x32x64xbf16 1x4x64x32xbf16 1x1x1x4xbf16 -> 1x4x32x32xbf16"},
       {"1x4x32x64xbf16 1x4x64x32xbf16 1x1x1x3xbf16 -> 1x4x32x32xbf16",
        "1x4x32x64xbf16 1x4x64x32xbf16 1x1x1x4xbf16 -> 1x4x32x64xbf16"}},
  });
}

TEST(OpRules, TypesAndNumbers) {
  expectRules({
      {"ttir.logical_left_shift", "", {"4xi32 4xi32 -> 4xi32"}, {"4xf32 4xi32 -> 4xi32", "4xi32 4xi32 -> 4xf32"}},
      {"ttnn.gelu_bw", "approximate = \"none\"", {"4x4xbf16 4x4xbf16 -> 4x4xbf16"}, {"4xbf16 4xbf16 -> 4xbf16"}},
      {"ttir.gelu_bw", "approximate = \"erf\"", {}, {"4x4xbf16 4x4xbf16 -> 4x4xbf16"}},
      {"ttnn.dropout", "prob = 0.2 : f32, scale = 1.25 : f32", {"4x4xbf16 -> 4x4xbf16"}, {"4xbf16 -> 4xbf16"}},
      {"ttnn.dropout", "prob = 1.0 : f32, scale = 1.25 : f32", {"4x4xbf16 -> 4x4xbf16"}, {}},
      {"ttnn.dropout", "prob = 1.5 : f32, scale = 1.25 : f32", {}, {"4x4xbf16 -> 4x4xbf16"}},
      {"ttnn.dropout", "prob = 0.2 : f32, scale = 0.0 : f32", {}, {"4x4xbf16 -> 4x4xbf16"}},
      {"ttir.arange",
       "start = 0 : si64, end = 8 : si64, step = 2 : si64, arange_dimension = 1 : i64",
       {"-> 3x4xf32"},
       {"-> 4x3xf32"}},
      {"ttnn.arange", "start = 0 : si64, end = 8 : si64, step = 2 : si64", {"-> 4xf32"}, {"-> 1x4xf32", "-> 5xf32"}},
      {"ttnn.prod", "dim_arg = 0 : si64, keep_dim = true", {}, {"2x2x2x2x2xbf16 -> 1x2x2x2x2xbf16"}},
      {"ttir.bitcast_convert", "", {"4xf32 -> 4xi32"}, {"4xbf16 -> 4xi32"}},
      {"ttir.quantize_unrolled",
       "",
       {"2x3xf32 1xf32 1xi32 -> 2x3x!quant.uniform<i8:f32,0.1:100>"},
       {"2x3xf32 1xf32 1xi32 -> 2x3x!quant.uniform<i8:f32,0.1:300>",
        "2x3xi32 1xf32 1xi32 -> 2x3x!quant.uniform<i8:f32,0.1:100>"}},
      {"ttir.quantize_unrolled", "axis = 2 : i32", {}, {"2x3xf32 3xf32 3xi32 -> 2x3x!quant.uniform<i8:f32,0.1:0>"}},
      {"ttir.quantize_unrolled",
       "axis = 1 : i32",
       {"2x3xf32 3xf32 3xi32 -> 2x3x!quant.uniform<i8:f32:1,{0.1:-128,0.2:127,0.3}>",
        "2x3xf32 3xf32 3xi32 -> 2x3x!quant.uniform<i8<-127:127>:f32:1,{0.1:-128,0.2:127,0.3:0}>",
        "2x3xf32 3xf32 3xi32 -> 2x3x!quant.uniform<u8:f32:1,{0.1:255,0.2:128,0.3:0}>"},
       {"2x3xf32 3xf32 3xi32 -> 2x3x!quant.uniform<i8:f32:1,{0.1:-129,0.2:0,0.3:0}>",
        "2x3xf32 3xf32 3xi32 -> 2x3x!quant.uniform<i8:f32:1,{0.1:0,0.2:0,0.3:128}>",
        "2x3xf32 3xf32 3xi32 -> 2x3x!quant.uniform<i8<-127:127>:f32:1,{0.1:0,0.2:-129,0.3:0}>",
        "2x3xf32 3xf32 3xi32 -> 2x3x!quant.uniform<i8:f32:1,{0.1:0,0.2:0}>",
        "2x3xf32 3xf32 3xi32 -> 2x3x!quant.uniform<i8:f32:2,{0.1:0,0.2:0,0.3:0}>"}},
      {"ttir.quantize_unrolled",
       "",
       {"2x3xf32 1xf32 1xi32 -> 2x3x!quant.uniform<i8:f32,0.1:-128>",
        "2x3xf32 1xf32 1xi32 -> 2x3x!quant.uniform<i8:f32,0.1:127>",
        "2x3xf32 1xf32 1xi32 -> 2x3x!quant.uniform<u8:f32,0.1:255>"},
       {"2x3xf32 1xf32 1xi32 -> 2x3x!quant.uniform<i8:f32,0.1:-129>",
        "2x3xf32 1xf32 1xi32 -> 2x3x!quant.uniform<i8:f32,0.1:128>",
        "2x3xf32 1xf32 1xi32 -> 2x3x!quant.uniform<u8:f32,0.1:-1>",
        "2x3xf32 1xf32 1xi32 -> 2x3x!quant.uniform<u8:f32,0.1:256>"}},
      {"ttir.requantize_unrolled",
       "",
       {},
       {"2x3x!quant.uniform<i8:f32,0.1:0> 1xf32 1xi32 3xf32 3xi32 -> "
        "2x3x!quant.uniform<i8:f32:1,{0.1:0,0.2:0,0.3:0}>"}},
  });
}

// Any number of inputs has one element type, which the result has as well.
TEST(OpRules, AllInputsOfAConcatHaveOneType) {
  expectRules({{"ttir.concat",
                "dim = 0 : si32",
                {"2xf32 2xf32 2xf32 -> 6xf32", "2xf32 -> 2xf32"},
                {"2xf32 2xbf16 2xf32 -> 6xf32", "2xf32 2xf32 2xbf16 -> 6xf32"}}});
}

// More outputs than results, and attributes that hold no numbers where the compiler reads some.
TEST(OpRules, OutputsAndNumbersThatAreNone) {
  const std::string window =
      "kernel = array<i32: 2, 2>, stride = array<i32: 2, 2>, dilation = array<i32: 1, 1>, "
      "padding = array<i32: 0, 0, 0, 0>, ceil_mode = false";
  const auto flat = [&](const std::string& info) {
    return window + ", flattened_compat_info = #ttir<flattened_compat " + info + ">";
  };
  const std::string flattened = flat("batch_size = 1, input_height = 4, input_width = 4");
  const std::string letters = flat("batch_size = 1, input_height = x, input_width = 4");
  const std::string large = flat("batch_size = 1, input_height = 4, input_width = 99999999999999999999");
  expectRules({
      {"ttir.max_pool2d",
       window.c_str(),
       {"1x4x4x2xf32 -> 1x2x2x2xf32", "1x4x4x2xf32 1x2x2x2xf32 -> 1x2x2x2xf32"},
       {"1x4x4x2xf32 1x2x2x2xf32 1x2x2x2xf32 -> 1x2x2x2xf32"}},
      {"ttir.max_pool2d", flattened.c_str(), {"1x1x16x2xf32 -> 1x1x4x2xf32"}, {}},
      {"ttir.max_pool2d", letters.c_str(), {}, {"1x1x16x2xf32 -> 1x1x4x2xf32"}},
      {"ttir.max_pool2d", large.c_str(), {}, {"1x1x16x2xf32 -> 1x1x4x2xf32"}},
      {"ttir.add", "operandSegmentSizes = array<i32: 1, 1>", {"4xf32 4xf32 -> 4xf32"}, {}},
      {"ttir.add", "operandSegmentSizes = \"a\"", {}, {"4xf32 4xf32 -> 4xf32"}},
      {"ttir.add", "operandSegmentSizes = 2 : i32", {}, {"4xf32 4xf32 -> 4xf32"}},
  });
}

TEST(OpRules, BetweenChips) {
  expectRules({
      {"ttir.collective_broadcast",
       "replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>",
       {"4xbf16 -> 4xbf16"},
       {"4xbf16 -> 4xf32"}},
      {"ttir.collective_broadcast",
       "replica_groups = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>",
       {},
       {"4xbf16 -> 4xbf16"}},
      {"ttir.collective_broadcast",
       "replica_groups = dense<[[0, 1], [2, 4]]> : tensor<2x2xi64>",
       {},
       {"4xbf16 -> 4xbf16"}},
      {"ttir.mesh_partition", "dim = 0 : si32, cluster_axis = 2 : ui32", {}, {"4xbf16 -> 2xbf16"}},
      {"ttnn.all_reduce", "reduce_type = #ttcore.reduce_type<max>, cluster_axis = 0 : ui32", {}, {"4xbf16 -> 4xbf16"}},
      {"ttnn.all_to_all_combine",
       "num_devices = 2 : i64, cluster_axis = 0 : i64, num_experts_per_tok = 2 : i64, output_shard_dim = 3 : i64",
       {},
       {"2x4x8x16xbf16 1x4x8x2xui16 1x1x4x2xui16 -> 2x2x8x16xbf16"}},
      {"ttir.topk_router_gpt",
       "k = 4 : i32, num_experts = 128 : i32",
       {"32x64xbf16 64x128xbf16 32x128xbf16 -> 32x4xui16 32x4xbf16"},
       {"32x64xbf16 60x128xbf16 32x128xbf16 -> 32x4xui16 32x4xbf16",
        "32x64xbf16 64x128xbf16 32x128xbf16 -> 32x5xui16 32x5xbf16"}},
  });
}

TEST(OpRules, CachesAndAttention) {
  const char* noMask = "is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>";
  const char* mask = "is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>";
  expectRules({
      {"ttir.paged_update_cache",
       "share_cache = false",
       {"8x4x64x32xbf16 1x16x4x32xbf16 16xi32 16x2xi32 -> 8x4x64x32xbf16"},
       {"8x4x60x32xbf16 1x16x4x32xbf16 16xi32 16x2xi32 -> 8x4x60x32xbf16",
        "8x4x64x32xbf16 2x16x4x32xbf16 16xi32 16x2xi32 -> 8x4x64x32xbf16",
        "8x4x64x32xbf16 1x15x4x32xbf16 16xi32 16x2xi32 -> 8x4x64x32xbf16",
        "8x4x64x32xbf16 1x16x4x16xbf16 16xi32 16x2xi32 -> 8x4x64x32xbf16"}},
      {"ttir.paged_fill_cache",
       "",
       {"8x4x64x32xbf16 1x4x64x32xbf16 1x2xi32 -> 8x4x64x32xbf16"},
       {"8x4x48x32xbf16 1x4x64x32xbf16 1x2xi32 -> 8x4x48x32xbf16",
        "8x4x64x32xbf16 1x4x64x32xf32 1x2xi32 -> "
        "8x4x64x32xbf16"}},
      {"ttnn.scaled_dot_product_attention",
       noMask,
       {"1x8x32x64xbf16 1x2x32x64xbf16 1x2x32x64xbf16 -> 1x8x32x64xbf16"},
       {"1x8x32x64xbf16 1x2x64x64xbf16 1x2x64x64xbf16 -> 1x8x32x64xbf16",
        "2x8x32x64xbf16 1x2x32x64xbf16 1x2x32x64xbf16 -> 2x8x32x64xbf16",
        "1x8x32x64xbf16 1x2x32x64xbf16 1x2x32x64xbf16 -> 1x8x32x64xf32"}},
      {"ttnn.scaled_dot_product_attention",
       mask,
       {"1x8x32x64xbf16 1x2x96x64xbf16 1x2x96x64xbf16 1x1x32x96xbf16 -> 1x8x32x64xbf16"},
       {"1x8x32x64xbf16 1x2x96x64xbf16 1x2x96x64xbf16 1x1x32x64xbf16 -> 1x8x32x64xbf16",
        "1x8x32x64xbf16 1x2x96x64xbf16 1x2x96x64xbf16 1x3x32x96xbf16 -> 1x8x32x64xbf16"}},
      {"ttnn.scaled_dot_product_attention_decode",
       "is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>",
       {"1x4x8x64xbf16 4x2x96x64xbf16 4x2x96x64xbf16 4xi32 -> 1x4x8x64xbf16"},
       {"1x4x8x64xbf16 4x2x96x64xbf16 4x2x96x64xbf16 3xi32 -> 1x4x8x64xbf16",
        "1x4x8x64xbf16 3x2x96x64xbf16 3x2x96x64xbf16 4xi32 -> 1x4x8x64xbf16",
        "1x4x8x64xbf16 4x2x96x64xbf16 4x2x96x64xbf16 4xbf16 -> 1x4x8x64xbf16"}},
      {"ttir.flash_mla_prefill",
       "head_dim_v = 32 : ui32, is_causal = true, operandSegmentSizes = array<i32: 1, 1, 0, 0>",
       {"1x8x32x64xbf16 1x1x32x64xbf16 -> 1x8x32x32xbf16"},
       {"1x8x32x64xbf16 1x1x32x64xbf16 -> 1x8x32x64xbf16", "1x8x32x64xbf16 1x1x64x64xbf16 -> 1x8x32x32xbf16"}},
      {"ttir.split_query_key_value_and_split_heads",
       "num_heads = 8 : ui32, num_kv_heads = 2 : ui32, transpose_key = true",
       {"1x32x768xbf16 -> 1x8x32x64xbf16 1x2x64x32xbf16 1x2x32x64xbf16"},
       {"1x32x768xbf16 -> 1x8x32x64xbf16 1x2x32x64xbf16 1x2x32x64xbf16",
        "1x32x700xbf16 -> 1x8x32x64xbf16 1x2x64x32xbf16 1x2x32x64xbf16",
        "1x32x768xbf16 -> 1x8x32x64xbf16 1x4x64x32xbf16 1x4x32x64xbf16"}},
      {"ttnn.nlp_concat_heads_decode",
       "num_heads = 4 : ui32",
       {"1x8x32x64xbf16 -> 1x1x8x256xbf16"},
       {"1x8x32x64xbf16 -> 1x1x8x128xbf16", "1x8x3x64xbf16 -> 1x1x8x256xbf16"}},
      {"ttnn.nlp_create_qkv_heads_decode",
       "num_heads = 8 : ui32, num_kv_heads = 2 : ui32",
       {"1x1x32x768xbf16 -> 1x32x8x64xbf16 1x32x2x64xbf16 1x32x2x64xbf16"},
       {"1x1x32x768xbf16 -> 1x32x8x64xbf16 1x32x4x64xbf16 1x32x4x64xbf16",
        "1x2x32x768xbf16 -> 1x32x8x64xbf16 1x32x2x64xbf16 1x32x2x64xbf16"}},
      {"ttnn.sampling",
       "",
       {"4x64xbf16 4x64xi32 4xui32 4xbf16 4xbf16 -> 4xi32",
        "1x1x4x64xbf16 1x1x4x64xi32 4xui32 4xbf16 4xbf16 -> 1x1x1x4xi32"},
       {"4x64xbf16 4x32xi32 4xui32 4xbf16 4xbf16 -> 4xi32", "4x64xbf16 4x64xi32 3xui32 4xbf16 4xbf16 -> 4xi32",
        "1x2x4x64xbf16 1x2x4x64xi32 4xui32 4xbf16 4xbf16 -> 1x1x1x4xi32"}},
  });
}

}  // namespace
}  // namespace tessera
