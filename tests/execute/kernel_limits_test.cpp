// What kernels of TTIR and TTNN do at the edges of what they take: operands that are missing, results of other sizes,
// attributes at and past their limits. Kernels are called by themselves; results are worked out by hand.

#include <cmath>

#include "core/execute/dim_solver.h"
#include "core/execute/scaling.h"
#include "core/execute/shrink_graph.h"
#include "core/execute/stablehlo_attrs.h"
#include "tests/compare_graphs.h"
#include "tests/execute/kernel_outcome.h"
#include "tests/execute/related_sizes.h"
#include "tests/import/import_testing.h"

namespace tessera::test {
namespace {

// A call that is right, and how many of its operands it cannot do without.
struct WholeCall {
  std::string op;
  std::vector<std::string> operands, results;
  std::string attrs;
  size_t needed = SIZE_MAX;  // all
};

// "#2x3" to "#3x3", "-" to "1".
std::string oneMore(const std::string& text) {
  Cell cell = cellOf(text);
  const std::string sign = cell.real ? "" : "#";
  if (cell.shape.empty()) return sign + "1";
  ++cell.shape[0];
  return sign + shapeText(cell.shape);
}

// One operand too few is said, and every result that is declared as one longer.
void expectGuarded(const std::vector<WholeCall>& calls) {
  std::vector<KernelRow> rows;
  for (const WholeCall& call : calls) {
    rows.push_back({call.op, call.operands, call.results, call.attrs, ""});
    KernelRow less = rows.back();
    less.operands.resize(std::min(call.needed, call.operands.size()) - 1);
    less.error = "an operand is missing";
    rows.push_back(less);
    for (size_t r = 0; r < call.results.size(); ++r) {
      KernelRow longer = {call.op, call.operands, call.results, call.attrs, ""};
      longer.results[r] = oneMore(call.results[r]);
      longer.error = "computes " + shapeText(cellOf(call.results[r]).shape) + " where the graph says " +
                     shapeText(cellOf(longer.results[r]).shape);
      rows.push_back(longer);
    }
  }
  expectErrors(rows);
}

TEST(KernelLimits, OperandsAndSizesOfMoves) {
  expectGuarded({
      {"ttir.squeeze", {"2x1x3"}, {"2x3"}, "dim=1"},
      {"ttir.unsqueeze", {"2x3"}, {"2x3x1"}, "dim=2"},
      {"ttir.permute", {"2x3"}, {"3x2"}, "permutation=[1,0]"},
      {"ttir.transpose", {"2x3"}, {"3x2"}, ""},
      {"ttir.slice_static", {"4x6"}, {"2x6"}, "begins=[1,0]; ends=[3,6]"},
      {"ttir.pad", {"2x3"}, {"3x5"}, "padding=[1,0,0,2]"},
      {"ttir.repeat", {"2x3"}, {"4x3"}, "repeat_dimensions=[2,1]"},
      {"ttir.repeat_interleave", {"2x3"}, {"4x3"}, "dim=0; repeats=2"},
      {"ttir.reverse", {"2x3"}, {"2x3"}, "dimensions=[0]"},
      {"ttir.concat", {"2x3", "4x3"}, {"6x3"}, "dim=0", 1},
      {"ttir.embedding", {"#2", "5x3"}, {"2x3"}, ""},
      {"ttnn.gather", {"4x3", "#2x3"}, {"2x3"}, "dim=0"},
      {"ttir.gather",
       {"4x3", "#2x1"},
       {"2x3"},
       "collapsed_slice_dims=[0]; offset_dims=[1]; index_vector_dim=1; slice_sizes=[1,3]; start_index_map=[0]"},
      {"ttir.sort", {"2x3"}, {"2x3", "#2x3"}, "dim=1"},
      {"ttir.topk", {"2x3"}, {"2x2", "#2x2"}, "k=2"},
      {"ttir.scatter", {"4x3", "#2x3", "2x3"}, {"4x3"}, "dim=0"},
      {"ttir.embedding_backward", {"#2", "5x3", "2x3"}, {"5x3"}, ""},
      {"ttnn.embedding_backward", {"#2", "5x3", "2x3"}, {"1x1x5x3"}, ""},
      {"ttir.index", {"4x3"}, {"2x3"}, "dim=0; begin=1; end=3"},
      {"ttir.index_select", {"4x3"}, {"2x3"}, "dim=0; begin=1; length=2"},
      {"ttir.collective_permute", {"2x3"}, {"2x3"}, ""},
      {"ttir.all_reduce", {"2x3"}, {"2x3"}, ""},
      {"ttir.mesh_partition", {"4x6"}, {"4x3"}, "dim=1"},
      {"ttir.all_gather", {"4x6"}, {"4x12"}, "all_gather_dim=1"},
  });
}

TEST(KernelLimits, OperandsAndSizesOfNumbers) {
  expectGuarded({
      {"ttir.abs", {"2x3"}, {"2x3"}, ""},
      {"ttir.gelu", {"2x3"}, {"2x3"}, ""},
      {"ttir.leaky_relu", {"2x3"}, {"2x3"}, ""},
      {"ttir.clamp_scalar", {"2x3"}, {"2x3"}, "min=0.0; max=1.0"},
      {"ttir.pow_scalar", {"2x3"}, {"2x3"}, "rhs=2.0"},
      {"ttir.gelu_bw", {"2x3", "2x3"}, {"2x3"}, ""},
      {"ttir.where", {"2x3", "2x3", "3"}, {"2x3"}, ""},
      {"ttir.matmul", {"2x3", "3x4"}, {"2x4"}, ""},
      {"ttir.dot_general",
       {"5x2x3", "5x3x4"},
       {"5x2x4"},
       "batch_dims_lhs=[0]; batch_dims_rhs=[0]; contract_dims_lhs=[2]; contract_dims_rhs=[1]"},
      {"ttir.sum", {"2x3"}, {"2x1"}, "dim_arg=[1]; keep_dim=true"},
      {"ttir.argmax", {"2x3"}, {"#2x1"}, "dim_arg=[1]; keep_dim=true"},
      {"ttir.cumsum", {"2x3"}, {"2x3"}, "dim=1"},
      {"ttir.softmax", {"2x3"}, {"2x3"}, "dimension=1"},
      {"ttir.layer_norm", {"2x4"}, {"2x4"}, "normalized_shape=[4]"},
      {"ttir.group_norm", {"1x1x2x4"}, {"1x1x2x4"}, "num_groups=2"},
      {"ttir.batch_norm_inference", {"2x3", "3", "3", "3", "3"}, {"2x3"}, "dimension=1"},
      {"ttir.quantize_unrolled", {"2x3", "1:2", "#1"}, {"#2x3"}, "", 1},
      {"ttir.dequantize_unrolled", {"#2x3", "1:2", "#1"}, {"2x3"}, "", 1},
      {"ttir.conv1d", {"1x5x4", "6x4x3"}, {"1x3x6"}, ""},
      {"ttir.conv2d", {"1x5x5x4", "6x4x3x3"}, {"1x3x3x6"}, ""},
      {"ttir.max_pool2d", {"2x4x6x3"}, {"2x2x3x3"}, "kernel=2; stride=2"},
      {"ttir.max_pool2d_with_indices", {"2x4x6x3"}, {"2x2x3x3", "#2x2x3x3"}, "kernel=2; stride=2"},
      {"ttir.global_avg_pool2d", {"2x4x6x3"}, {"2x1x1x3"}, ""},
      {"ttir.upsample2d", {"2x4x6x3"}, {"2x8x18x3"}, "scale_factor=[2,3]"},
      {"ttir.scaled_dot_product_attention", {"2x4x3x8", "2x2x5x8", "2x2x5x6"}, {"2x4x3x6"}, ""},
      {"ttir.scaled_dot_product_attention_decode", {"1x2x4x8", "2x2x5x8", "2x2x5x6"}, {"1x2x4x6"}, ""},
      {"ttir.chunked_scaled_dot_product_attention",
       {"1x2x3x8", "3x2x4x8", "3x2x4x8", "#1x2:1", "#1:7"},
       {"1x2x3x8"},
       ""},
      {"ttir.rotary_embedding", {"1x2x3x4", "1x1x3x4", "3x4"}, {"1x2x3x4"}, ""},
      {"ttir.concatenate_heads", {"2x3x4x5"}, {"2x4x15"}, ""},
      {"ttir.split_query_key_value_and_split_heads",
       {"2x3x16"},
       {"2x2x3x4", "2x1x3x4", "2x1x3x4"},
       "num_heads=2; num_kv_heads=1"},
  });
}

const std::string kScatterNumbers =
    "scatter_dimension_numbers={#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], "
    "scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}";

TEST(KernelLimits, OperandsAndSizesOfStablehlo) {
  expectGuarded({
      {"stablehlo.dynamic_update_slice", {"4x3", "2x3", "#-", "#-"}, {"4x3"}, "", 2},
      {"stablehlo.dot", {"2x3", "3x4"}, {"2x4"}, ""},
      {"stablehlo.clamp", {"-", "2x3", "-"}, {"2x3"}, ""},
      {"stablehlo.not", {"#2x3"}, {"#2x3"}, ""},
      {"stablehlo.round_nearest_afz", {"2x3"}, {"2x3"}, ""},
      {"stablehlo.round_nearest_even", {"2x3"}, {"2x3"}, ""},
      {"stablehlo.optimization_barrier", {"2x3", "#4"}, {"2x3", "#4"}, ""},
      {"stablehlo.reduce", {"2x3", "-"}, {"2"}, "dimensions=[1]; body='stablehlo.add'"},
      {"stablehlo.sort", {"2x3", "#2x3"}, {"2x3", "#2x3"}, "dimension=1; body='stablehlo.compare LT'"},
      {"stablehlo.scatter", {"4x3", "#2x1", "2x3"}, {"4x3"}, "body='second'; " + kScatterNumbers},
      {"stablehlo.select_and_scatter",
       {"4", "2", "-"},
       {"4"},
       "body='stablehlo.compare GE'; body1='stablehlo.add'; window_dimensions=[2]; window_strides=[2]"},
      {"chlo.top_k", {"2x3"}, {"2x2", "#2x2"}, "k=2"},
      {"stablehlo.bitcast_convert", {"2x3"}, {"#2x3"}, ""},
      {"stablehlo.shift_right_arithmetic", {"#2x3", "#2x3"}, {"#2x3"}, ""},
      {"chlo.erf_inv", {"2x3"}, {"2x3"}, ""},
      {"chlo.lgamma", {"2x3"}, {"2x3"}, ""},
      {"stablehlo.batch_norm_inference", {"2x3", "3", "3", "3", "3"}, {"2x3"}, "feature_index=1"},
      {"stablehlo.batch_norm_training", {"2x3", "3", "3"}, {"2x3", "3", "3"}, "feature_index=1"},
      {"stablehlo.batch_norm_grad", {"2x3", "3", "3", "3", "2x3"}, {"2x3", "3", "3"}, "feature_index=1"},
  });
}

TEST(KernelLimits, OperandsOfWhatTakesTheDeclaredSize) {
  const std::string missing = "an operand is missing";
  expectErrors({
      {"stablehlo.broadcast_in_dim", {}, {"2x3"}, "", missing},
      {"stablehlo.concatenate", {}, {"2x3"}, "", missing},
      {"stablehlo.slice", {}, {"2x3"}, "", missing},
      {"stablehlo.pad", {"2x3"}, {"2x3"}, "", missing},
      {"stablehlo.dynamic_slice", {}, {"2x3"}, "", missing},
      {"stablehlo.gather", {"2x3"}, {"2x3"}, "", missing},
      {"stablehlo.convolution", {"2x3"}, {"2x3"}, "", missing},
      {"stablehlo.reduce_window", {"2x3"}, {"2x3"}, "", missing},
      {"stablehlo.all_gather", {}, {"2x3"}, "", missing},
      {"stablehlo.custom_call", {"2x3"}, {}, "call_target_name='check.expect_close'", missing},
      {"stablehlo.uniform_quantize", {}, {"2x3"}, "", missing},
      {"ttir.get_dimension_size", {}, {"#1"}, "", missing},
      {"ttir.typecast", {}, {"2x3"}, "", missing},
      {"ttnn.to_layout", {}, {"2x3"}, "", missing},
      {"ttnn.prepare_conv2d_weights", {}, {"2x3"}, "", missing},
      {"ttir.conv3d", {"1x3x1x1x1"}, {"1x1x1x1x1"}, "", missing},
      {"ttir.conv_transpose2d", {"1x2x2x1"}, {"1x2x2x1"}, "", missing},
      {"ttir.fill_cache", {"4x2x5x3"}, {}, "", missing},
      {"ttir.update_cache", {"4x2x5x3", "1x2x4x3"}, {}, "", missing},
      {"ttir.paged_fill_cache", {"3x2x4x5", "1x2x8x5"}, {}, "", missing},
      {"ttir.paged_update_cache", {"3x2x4x5", "1x2x2x5"}, {}, "", missing},
      {"ttnn.paged_scaled_dot_product_attention_decode", {"1x2x4x8"}, {"1x2x4x8"}, "", missing},
      {"ttir.flash_mla_prefill", {"1x1x2x2"}, {"1x1x2x1"}, "head_dim_v=1", missing},
      {"ttir.flash_mla_prefill",
       {"1x1x2x2", "1x1x2x2"},
       {"1x1x2x1"},
       "head_dim_v=1; operandSegmentSizes=[1,1,1,0]",
       missing},
      {"ttir.flash_mla_prefill",
       {"1x1x2x2", "1x1x2x2", "1x1x2x1"},
       {"1x1x2x1"},
       "head_dim_v=1; operandSegmentSizes=[1,1,1,1]",
       missing},
      {"ttir.mesh_shard", {}, {"2x3"}, "", missing},
      {"ttnn.slice_dynamic", {"4x3"}, {"2x3"}, "", missing},
  });
}

// Ops without a result, which no file has: they are refused, not followed.
TEST(KernelLimits, ResultsThatAreNoTensors) {
  const std::string none = "the result is no tensor";
  expectErrors({
      {"stablehlo.iota", {}, {}, "iota_dimension=0", none},
      {"stablehlo.broadcast_in_dim", {"3"}, {}, "broadcast_dimensions=[0]", none},
      {"stablehlo.concatenate", {"3"}, {}, "dimension=0", none},
      {"stablehlo.slice", {"3"}, {}, "", "other ranks"},
      {"stablehlo.pad", {"3", "-"}, {}, "", "no value to pad with"},
      {"stablehlo.dynamic_slice", {"3", "#-"}, {}, "", none},
      {"stablehlo.not", {"#3"}, {}, "", "no integers"},
      {"stablehlo.gather", {"4x3", "#2x1"}, {}, "slice_sizes=[1,3]", none},
      {"stablehlo.scatter", {"4x3", "#2x1", "2x3"}, {}, kScatterNumbers, "several operands"},
      {"stablehlo.reduce", {"2x3", "-"}, {}, "dimensions=[1]; body='stablehlo.add'", "no result"},
      {"stablehlo.sort", {"2x3"}, {}, "body='stablehlo.compare LT'", "no result"},
      {"stablehlo.map", {"2x3"}, {}, "body='stablehlo.negate'", "it maps no operand"},
      {"stablehlo.reduce_window", {"2x3", "-"}, {}, "body='stablehlo.add'", "several results"},
      {"stablehlo.bitcast_convert", {"3"}, {}, "", none},
      {"ttir.sum", {"2x3"}, {}, "dim_arg=[1]", none},
      {"ttir.sum", {"2x3"}, {}, "", none},
      {"ttir.arange", {}, {}, "", none},
      {"ttir.constant", {}, {}, "value={dense<1.0> : tensor<2xf32>}", "no value"},
      {"ttir.quantize", {"2x3"}, {}, "", none},
      {"ttir.all_gather", {"4x6"}, {}, "all_gather_dim=1", none},
      {"ttir.embedding", {"#2", "5x3"}, {}, "", "the table is no matrix"},
      {"ttir.conv3d", {"1x3x1x1x1", "1x1x3x1x1"}, {}, "", none},
      {"ttir.conv_transpose2d", {"1x2x2x1", "1x1x1x1"}, {}, "", "its groups do not fit"},
      {"ttnn.prepare_conv2d_weights", {"2x3"}, {}, "", "no result"},
      {"ttir.abs", {"2x3"}, {}, "", none},
  });
}

TEST(KernelLimits, DimsAndPlacesAtTheirLimits) {
  const std::string outside = "a dim is outside of the tensor", runs = "no such runs";
  expectErrors({
      {"ttir.index", {"4x3"}, {"2x3"}, "dim=2; begin=1; end=3", outside},
      {"ttir.index", {"4x3"}, {"2x3"}, "dim=-3; begin=1; end=3", outside},
      {"ttir.index", {"4x3"}, {"2x3"}, "dim=0; begin=1; end=3; step=0", "a step that does not go forward"},
      {"ttir.index", {"4x3"}, {"2x3"}, "dim=0; begin=3; end=1; step=-1", "a step that does not go forward"},
      {"ttir.index_select", {"4x3"}, {"2x3"}, "dim=2; begin=1; length=2", outside},
      {"ttir.index_select", {"4x3"}, {"2x3"}, "dim=0; begin=-1; length=2", runs},
      {"ttir.index_select", {"4x3"}, {"0x3"}, "dim=0; begin=1; length=0", runs},
      {"ttir.index_select", {"4x3"}, {"2x3"}, "dim=0; begin=1; length=-2", runs},
      {"ttir.index_select", {"4x3"}, {"2x3"}, "dim=0; begin=1; length=2; stride=-1", runs},
      {"ttir.index_select", {"4x3"}, {"3x3"}, "dim=0; begin=1; length=3; stride=2", runs},
      {"ttir.index_select", {"4x3"}, {"3x3"}, "dim=0; begin=1; length=2; stride=2", ""},
      {"ttir.sort", {"2x3"}, {"2x3"}, "dim=-3", outside},
      {"ttir.topk", {"2x3"}, {"2x2"}, "k=2", ""},  // values alone
      {"ttir.topk", {"2x3"}, {"2x2"}, "k=2; dim=2", outside},
      {"ttir.concat", {"2x3", "2x3"}, {"4x3"}, "dim=2", outside},
      {"ttir.concat", {"2x3", "2x3"}, {"4x3"}, "dim=-3", outside},
      {"ttir.get_dimension_size", {"2x3"}, {"#1"}, "dimension=2", outside},
      {"ttir.all_gather", {"4x6"}, {"4x12"}, "all_gather_dim=2", outside},
      {"ttir.sum", {"2x3"}, {"2x1"}, "dim_arg=[2]; keep_dim=true", outside},
      {"ttir.argmax", {"2x3"}, {"#2x1"}, "dim_arg=[-3]; keep_dim=true", outside},
      {"ttnn.gather", {"4x3", "#2x3"}, {"2x3"}, "", "a gather with batching dims or without slice sizes"},
      {"ttir.embedding", {"#-", "5x1"}, {"-"}, "", "computes 1 where the graph says scalar"},
      {"ttir.embedding", {"#2", "5x3"}, {"-"}, "", "computes 2x3 where the graph says scalar"},
      {"ttir.arange", {}, {"-"}, "start=3", ""},
      // One number in a list stands for itself; several for none.
      {"ttir.softmax", {"2x3"}, {"2x3"}, "dimension=[2]", outside},
      {"ttir.softmax", {"2x3"}, {"2x3"}, "dimension=[2,2]", ""},
  });
}

// Without a word on whether reduced dims stay, the declared result says it.
TEST(KernelLimits, ReducedDimsStayOrGo) {
  expectErrors({
      {"ttir.sum", {"2x3"}, {"2x1"}, "dim_arg=[1]", ""},
      {"ttir.sum", {"2x3"}, {"2"}, "dim_arg=[1]", ""},
      {"ttir.sum", {"2x3"}, {"3"}, "dim_arg=[1]", "computes 2 where the graph says 3"},
      {"ttir.sum", {"2x3"}, {"2x1"}, "dim_arg=[1]; keep_dim=false", "computes 2 where the graph says 2x1"},
      {"ttir.sum", {"2x3"}, {"2"}, "dim_arg=[1]; keep_dim=true", "computes 2x1 where the graph says 2"},
      {"ttir.sum", {"2x3"}, {"1x1x1"}, "keep_dim=false", ""},
      {"ttir.sum", {"2x3"}, {"2"}, "keep_dim=false", "computes scalar where the graph says 2"},
      {"ttir.sum", {"2x3"}, {"2"}, "keep_dim=true", "computes 1x1 where the graph says 2"},
      {"ttir.argmax", {"2x3"}, {"#2"}, "dim_arg=[1]", ""},
      {"ttir.argmax", {"2x3"}, {"#3"}, "dim_arg=[1]", "computes 2 where the graph says 3"},
  });
}

TEST(KernelLimits, NormsOfOtherSizes) {
  const std::string groups = "channels are no whole groups", size = "weight or bias of another size",
                    fit = "its parameters do not fit", three = "no three results",
                    outside = "a dim is outside of the tensor", image = "1x1x2x4";
  expectErrors({
      {"ttir.rms_norm", {"2x4", "4"}, {"2x4"}, "", ""},  // over the last dim
      {"ttir.rms_norm", {"2x4", "2"}, {"2x4"}, "", size},
      {"ttir.rms_norm", {"-", "1"}, {"-"}, "", ""},
      {"ttir.rms_norm", {"-", "2"}, {"-"}, "", size},
      {"ttir.layer_norm", {"2x0"}, {"2x0"}, "normalized_shape=[0]", ""},
      {"ttir.group_norm", {"2x2x4"}, {"2x2x4"}, "num_groups=2", groups},
      {"ttir.group_norm", {image}, {image}, "num_groups=0", groups},
      {"ttir.group_norm", {image}, {image}, "num_groups=-2", groups},
      {"ttir.group_norm", {image}, {image}, "num_groups=3", groups},
      {"ttir.group_norm", {image, "4", "4"}, {image}, "num_groups=2", ""},
      {"ttir.group_norm", {image, "3", "4"}, {image}, "num_groups=2", size},
      {"ttir.group_norm", {image, "4", "5"}, {image}, "num_groups=2", size},
      {"ttir.batch_norm_training", {"2x3", "3", "3", "3", "3"}, {"2x3"}, "dimension=2", outside},
      {"ttir.batch_norm_training",
       {"2x3", "3", "3", "3", "3"},
       {"3x3"},
       "dimension=1",
       "computes 2x3 where the graph says 3x3"},
      {"ttir.batch_norm_training", {"2x3", "3", "3", "3", "2"}, {"2x3"}, "dimension=1", "not one number per feature"},
      {"stablehlo.batch_norm_training", {"2x3", "3", "3"}, {"2x3", "3"}, "feature_index=1", three},
      {"stablehlo.batch_norm_training", {"2x3", "3", "3"}, {"2x3", "3", "3"}, "feature_index=2", outside},
      {"stablehlo.batch_norm_training", {"2x3", "2", "3"}, {"2x3", "3", "3"}, "feature_index=1", fit},
      {"stablehlo.batch_norm_training", {"0x3", "3", "3"}, {"0x3", "3", "3"}, "feature_index=1", ""},
      {"stablehlo.batch_norm_inference", {"2x3", "3", "3", "3", "2"}, {"2x3"}, "feature_index=1", fit},
      {"stablehlo.batch_norm_grad", {"2x3", "3", "3", "3", "2x3"}, {"2x3"}, "feature_index=1", three},
      {"stablehlo.batch_norm_grad", {"2x3", "3", "3", "3", "3"}, {"2x3", "3", "3"}, "feature_index=1", fit},
      {"stablehlo.batch_norm_grad", {"2x3", "3", "2", "3", "2x3"}, {"2x3", "3", "3"}, "feature_index=1", fit},
      {"stablehlo.batch_norm_grad", {"0x3", "3", "3", "3", "0x3"}, {"0x3", "3", "3"}, "feature_index=1", ""},
  });
}

TEST(KernelLimits, WindowsAtTheirLimits) {
  const std::string numbers = "the image's numbers are missing", positive = "a window number is not positive",
                    negative = "negative padding", twice = "a dim is named twice",
                    outside = "a dim is outside of the tensor", ranks = "operand and weight must have rank 3",
                    fit = "weight or bias does not fit the channels";
  const std::string pool = "ttnn.max_pool2d", flat = "1x1x48x3", small = "1x1x12x3",
                    kernel = "kernel_size=2; stride=2; ";
  const std::string most = "1073741824";  // one more than is taken
  expectErrors({
      {pool, {flat}, {small}, kernel + "batch_size=" + most + "; input_height=4; input_width=6", numbers},
      {pool, {flat}, {small}, kernel + "batch_size=2; input_height=" + most + "; input_width=6", numbers},
      {pool, {flat}, {small}, kernel + "batch_size=2; input_height=4; input_width=" + most, numbers},
      {"ttir.max_pool2d", {"2x4x6x3"}, {"2x1x1x3"}, "kernel=2; stride=" + most, positive},
      {"ttir.max_pool2d", {"2x4x6x3"}, {"2x1x1x3"}, "kernel=2; stride=1073741823", ""},
      {"ttir.max_pool2d", {"2x4x6x3"}, {"2x1x1x3"}, "kernel=2; stride=2; padding=" + most, negative},
      {"ttir.max_pool2d", {"1x2x2x1"}, {"1x0x0x1"}, "kernel=3; stride=1", ""},  // there is no room for it
      {"ttir.max_pool2d", {"1x2x2x1"}, {"1x1x1x1"}, "kernel=2; stride=1", ""},
      {"ttir.conv2d", {"1x5x5x4", "6x4x3x3"}, {"1x3x3x6"}, "groups=" + most, "groups must be positive"},
      {"ttir.conv2d", {"1x5x5x4", "6x4x3x3"}, {"1x3x3x6"}, "stride=0", positive},
      {"ttir.conv1d", {"1x5x4", "6x4x3"}, {"1x3x6"}, "batch_dim=3", outside},
      {"ttir.conv1d", {"1x5x4", "6x4x3"}, {"1x3x6"}, "channel_dim=1", twice},
      {"ttir.conv1d", {"1x5x4", "6x4x3"}, {"1x3x6"}, "batch_dim=1; channel_dim=1", twice},  // the sum is that of 0 1 2
      {"ttir.conv1d", {"1x4x5", "6x4x3"}, {"1x6x3"}, "length_dim=2; channel_dim=1", ""},
      {"ttir.conv1d", {"1x5x1x4", "6x4x3"}, {"1x3x6"}, "", ranks},
      {"ttir.conv1d", {"1x5x4", "6x4x3x1"}, {"1x3x6"}, "", ranks},
      {"ttir.conv1d", {"1x5x4", "6x4x3"}, {"1x3x6"}, "stride=0", positive},
      {"ttir.conv1d", {"1x5x4", "6x4x3"}, {"1x3x6"}, "groups=0", positive},
      {"ttir.conv1d", {"1x5x4", "6x2x3"}, {"1x3x6"}, "groups=2", ""},
      {"ttir.conv1d", {"1x5x4", "6x2x3"}, {"1x3x6"}, "", fit},
      {"ttir.conv1d", {"1x5x4", "5x2x3"}, {"1x3x5"}, "groups=2", fit},
      {"ttir.conv1d", {"1x5x4", "6x4x3", "6"}, {"1x3x6"}, "", ""},
      {"ttir.conv1d", {"1x5x4", "6x4x3", "5"}, {"1x3x6"}, "", fit},
      {"ttir.upsample2d", {"2x4x6x3"}, {"2x8x12x3"}, "scale_factor=2; mode=3", ""},  // no word, no mode
  });
}

TEST(KernelLimits, VolumesAndTransposedConvolutions) {
  const std::string numbers = "the image's numbers are missing", groups = "its groups do not fit",
                    places = "its dims do not fit the operand", none = "no 4-D operand";
  const std::string op = "ttir.conv_transpose2d", flat = "ttnn.conv_transpose2d",
                    sized = "input_height=2; input_width=2";
  const std::string image = "1x2x2x4", kernel = "4x3x1x1", result = "1x2x2x3";
  expectErrors({
      {op, {image, kernel}, {result}, "", ""},
      {op, {"2x2x4", kernel}, {result}, "", none},
      {op, {image, "4x3x1"}, {result}, "", none},
      {op, {image, kernel}, {result}, "groups=0", groups},
      {op, {image, kernel}, {result}, "groups=-1", groups},
      {op, {image, kernel}, {result}, "groups=3", groups},
      {op, {image, kernel}, {"1x2x2x6"}, "groups=2", ""},
      {op, {image, kernel}, {result}, "width_dim=1", places},
      {op, {image, kernel}, {result}, "channel_dim=4", places},
      {flat, {"1x1x4x4", kernel}, {"1x1x4x3"}, sized + "; batch_size=1", ""},
      {flat, {"1x1x4x4", kernel}, {"1x1x4x3"}, sized, numbers},
      {flat, {"1x1x4x4", kernel}, {"1x1x4x3"}, sized + "; batch_size=0", numbers},
      {flat, {"1x1x4x4", kernel}, {"1x1x4x3"}, sized + "; batch_size=1048576", numbers},
      {flat, {"1x1x4x4", kernel}, {"1x1x4x3"}, sized + "; batch_size=2", "the operand does not hold the image"},
      {"ttir.conv3d", {"3x1x1x1", "1x1x3x1x1"}, {"1x1x1x1x1"}, "", "no 5-D operand"},
      {"ttir.conv3d", {"1x3x1x1x1", "1x1x3x1x1"}, {"1x1x1x1x1"}, "channel_dim=1", places},
      {"ttir.conv3d", {"1x3x1x1x1", "1x1x3x1x1"}, {"1x1x1x1x1"}, "depth_dim=5", places},
      {"ttir.conv3d", {"1x3x1x1x1", "1x1x3x1x1", "0"}, {"1x1x1x1x1"}, "", ""},  // an empty bias adds nothing
      {"ttir.conv3d", {"1x3x1x1x2", "1x1x3x1x1", "1"}, {"1x1x1x1x1"}, "", "its features do not fit"},
  });
}

TEST(KernelLimits, AttentionAtItsLimits) {
  const std::string fit = "query, key and value do not fit together", rank = "the cache must have rank 4",
                    pagesFit = "pages and their table do not fit together",
                    mask = "the mask does not broadcast to the scores",
                    sink = "a sink that is not one number per head is not executed",
                    page = "a page is outside of the cache", untold = "operands without a word on what they are",
                    position = "a position is outside of the keys";
  const std::string one = "ttir.scaled_dot_product_attention_decode", q = "1x2x4x8", k = "2x2x5x8", v = "2x2x5x6",
                    to = "1x2x4x6";
  const std::string sinks = "operandSegmentSizes=[1,1,1,0,0,1]", positions = "operandSegmentSizes=[1,1,1,0,1,0]";
  const std::string paged = "ttnn.paged_scaled_dot_product_attention_decode", cache = "3x2x4x8",
                    latent = "ttir.paged_flash_multi_latent_attention_decode";
  const std::string tables = "operandSegmentSizes=[1,1,1,1,0,0,0]", withSink = "operandSegmentSizes=[1,1,1,1,0,0,1]",
                    withMask = "operandSegmentSizes=[1,1,1,1,1,0,0]",
                    own = "operandSegmentSizes=[1,1,0,1,0,0,0]; head_dim_v=";
  const std::string chunk = "ttir.chunked_scaled_dot_product_attention",
                    chunkRanks = "the cache must have rank 4 and the chunk one place";
  const std::string prefill = "ttir.flash_mla_prefill", width = "head_dim_v=1; ";
  expectErrors({
      {one, {q, k, v, "2"}, {to}, positions, "there is no position for each user"},
      {one, {q, k, v, "#2:-1"}, {to}, positions, position},
      {one, {q, k, v, "#2:4"}, {to}, positions, ""},
      {one, {q, k, v, "#2:5"}, {to}, positions, position},
      {one, {q, k, v, "4x32"}, {to}, sinks, ""},
      {one, {q, k, v, "3x32"}, {to}, sinks, sink},
      {one, {q, k, v, "4x0"}, {to}, sinks, sink},
      {one, {q, k, v, "2x2"}, {to}, sinks, ""},  // four numbers for four heads
      {one, {q, k, v, "3x4"}, {to}, "", mask},
      {paged, {q, cache, cache, "#2x2:1"}, {q}, tables, ""},
      {paged, {q, "2x4x8", cache, "#2x2:1"}, {q}, tables, rank},
      {paged, {q, cache, "2x4x8", "#2x2:1"}, {q}, tables, pagesFit},
      {paged, {q, cache, "-", "#2x2:1"}, {q}, tables, pagesFit},
      {paged, {q, cache, "2x2x4x8", "#2x2:2"}, {q}, tables, page},
      {paged, {q, cache, cache, "#4:1"}, {q}, tables, pagesFit},
      {paged, {q, cache, cache, "#3x2:1"}, {q}, tables, fit},
      {paged, {q, cache, cache, "#2x2:1", "3"}, {q}, withSink, sink},
      {paged, {q, cache, cache, "#2x2:1", "3x7"}, {q}, withMask, mask},
      {paged, {q, cache, "#2x2:1"}, {q}, own + "8", untold},  // its values are not in its keys
      {latent, {q, cache, "#2x2:1"}, {q}, own + "8", ""},
      {latent, {q, cache, "#2x2:1"}, {"1x2x4x0"}, own + "0", pagesFit},
      {latent, {q, cache, "#2x2:1"}, {"1x2x4x9"}, own + "9", pagesFit},
      // 8 heads of 1024 pages of 32 rows of 256 numbers are 2^26.
      {paged,
       {"1x1x8x256", "1x8x32x256", "1x8x32x256", "#1x1024"},
       {"1x1x8x256"},
       tables,
       "the pages of all users are too many"},
      {chunk, {"1x2x3x8", "2x4x8", cache, "#1x2:1", "#1"}, {"1x2x3x8"}, "", chunkRanks},
      {chunk, {"1x2x3x8", cache, "2x4x8", "#1x2:1", "#1"}, {"1x2x3x8"}, "", chunkRanks},
      {chunk, {"1x2x3x8", cache, cache, "#1x2:1", "#2"}, {"1x2x3x8"}, "", chunkRanks},
      {chunk, {"1x2x3x8", cache, cache, "#1x2:1", "1"}, {"1x2x3x8"}, "", chunkRanks},
      {chunk, {"1x2x3x8", cache, cache, "#1x2:3", "#1"}, {"1x2x3x8"}, "", page},
      {chunk, {"1x2x3x8", cache, "2x2x4x8", "#1x2:2", "#1"}, {"1x2x3x8"}, "", page},
      {chunk, {"1x2x3x7", cache, cache, "#1x2:1", "#1"}, {"1x2x3x8"}, "", fit},
      {chunk, {"1x2x3x8", cache, cache, "#1x2:1", "#1:-1"}, {"1x2x3x8"}, "", "the chunk begins outside of the keys"},
      {prefill, {"1x1x2x2", "1x1x2x2", "1x1x2x1"}, {"1x1x2x1"}, width + "operandSegmentSizes=[0,1,1,0]", untold},
      {prefill, {"1x1x2x2", "1x1x2x2", "1x1x2x1"}, {"1x1x2x1"}, width + "operandSegmentSizes=[1,0,1,0]", untold},
      {prefill, {"1x1x2x2", "1x2x2"}, {"1x1x2x1"}, width, "keys hold no such values"},
      {prefill, {"1x1x2x3", "1x1x2x2"}, {"1x1x2x1"}, width, fit},
      {prefill, {"1x1x2x2", "1x1x2x2", "3x2"}, {"1x1x2x1"}, width + "operandSegmentSizes=[1,1,0,1]", mask},
  });
}

TEST(KernelLimits, CachesAndHeadsAtTheirLimits) {
  const std::string fit = "the input does not fit into the pages", row = "a row is outside of the cache";
  const std::string fill = "ttir.paged_fill_cache", update = "ttir.paged_update_cache", cache = "3x2x4x5";
  const std::string angles = "cos and sin do not broadcast to the operand";
  expectErrors({
      {update, {cache, "1x2x2x5", "#2:-1", "#2x2:1"}, {}, "", row},
      {update, {cache, "1x2x2x5", "#2:7", "#2x2:-1"}, {}, "", row},
      {update, {cache, "1x2x2x5", "#2:7", "#2x2:3"}, {}, "", row},
      {update, {cache, "2x2x2x5", "#2:7", "#2x2:1"}, {}, "", fit},
      {update, {cache, "1x2x2x5", "#2:7", "#3x2:1"}, {}, "", fit},
      {update, {cache, "1x2x2x5", "#2:7", "#4:1"}, {}, "", fit},
      {update, {cache, "1x2x2x5", "#2:7", "2x2"}, {}, "", fit},
      {fill, {cache, "1x2x8x5", "#1x2:-1"}, {}, "", row},
      {fill, {cache, "1x2x8x5", "#1x2:1", "#1:-1"}, {}, "", row},
      {fill, {cache, "1x2x8x5", "#2:1"}, {}, "", fit},
      {fill, {cache, "1x2x8x5", "1x2:1"}, {}, "", fit},
      {fill, {"2x4x5", "1x2x8x5", "#1x2:1"}, {}, "", fit},
      {fill, {cache, "2x8x5", "#1x2:1"}, {}, "", fit},
      {fill, {"3x2x0x5", "1x2x8x5", "#1x2:1"}, {}, "", fit},
      {fill, {cache, "1x2x8x4", "#1x2:1"}, {}, "", fit},
      {fill, {cache, "#1x2x8x5", "#1x2:1"}, {}, "", fit},
      {"ttir.update_cache", {"2x5x3", "1x2x4x3", "#4"}, {}, "", "the input does not fit into the cache"},
      {"ttir.rotary_embedding", {"-", "-", "-"}, {"-"}, "", angles},
      {"ttir.rotary_embedding", {"4", "4", "4"}, {"4"}, "", ""},
      {"ttir.rotary_embedding", {"4", "4", "4"}, {"8"}, "", "computes 4 where the graph says 8"},
      {"ttir.rotary_embedding", {"3x4", "3x4", "3x4"}, {"1x32x4"}, "", "computes 3x4 where the graph says 1x32x4"},
      {"ttir.rotary_embedding", {"3x4", "3x4", "3x4"}, {"2x4"}, "", "computes 3x4 where the graph says 2x4"},
      {"ttir.split_query_key_value_and_split_heads",
       {"2x3x8", "6x8"},
       {"2x2x3x4", "2x1x3x4", "2x1x3x4"},
       "num_heads=2; num_kv_heads=1",
       "the operand does not have the columns of all heads"},
  });
}

// Of nothing there are results too.
TEST(KernelLimits, EmptyTensorsGiveEmptyOnes) {
  const Outcome sorted = outcomeOf("ttir.sort", "dim=1", {"f32 0x3:"}, {{0, 3}, {0, 3}});
  EXPECT_EQ(sorted.error, "");
  EXPECT_EQ(sorted.results[0].shape, (Shape{0, 3}));
  EXPECT_EQ(sorted.results[1].shape, (Shape{0, 3}));
  const Outcome normed =
      outcomeOf("ttir.batch_norm_training", "dimension=1; momentum=0.5; epsilon=0.0",
                {"f32 0x3:", "f32 3: 1 1 1", "f32 3: 0 0 0", "f32 3: 1 2 3", "f32 3: 4 5 6"}, {{0, 3}, {3}, {3}});
  EXPECT_EQ(normed.error, "");
  EXPECT_EQ(normed.results[1].f, (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(normed.results[2].f, (std::vector<float>{4, 5, 6}));
}

}  // namespace
}  // namespace tessera::test
