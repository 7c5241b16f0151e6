// The examples of ttnn-optimizer.md and docs/rules, as their readers would paste them: elided parts filled in, nothing
// else changed.

#include "tests/import/import_testing.h"

namespace tessera {
namespace {

void expectImports(const std::string& text, size_t ops) {
  Imported imported = importText(text);
  ASSERT_TRUE(imported.graph) << imported.report();
  EXPECT_TRUE(imported.diags.all().empty()) << imported.report();
  EXPECT_EQ(imported.graph->ops.size(), ops);
  expectRoundTrips(*imported.graph);
}

// ttnn-optimizer.md 3.5.2.
TEST(SpecImport, OptimizerTransformationBefore) {
  expectImports(R"(
func.func @f(%input: tensor<1x64x64x128xbf16>, %weight: tensor<128x128x1x1xbf16>) -> tensor<1x64x64x128xbf16> {
  %0 = ttnn.conv2d(%input, %weight) : tensor<1x64x64x128xbf16>
  %1 = ttnn.relu(%0) : tensor<1x64x64x128xbf16>
  return %1
}
)",
                3);
}

TEST(SpecImport, OptimizerTransformationAfter) {
  expectImports(R"(
func.func @f(%input: tensor<1x64x64x128xbf16>, %weight: tensor<128x128x1x1xbf16>) {
  %0 = ttnn.conv2d(%input, %weight)
         {conv2d_config = #ttnn.conv2d_config<actBlockHOverride = 32>}
       : tensor<1x64x64x128xbf16, #layout<L1, Sharded, 8x8>>
  %1 = ttnn.relu(%0) : tensor<1x64x64x128xbf16, #layout<L1, Sharded, 8x8>>
  // Inserted spill to DRAM for function return
  %2 = ttnn.to_layout(%1) {memory_config = #ttnn.memory_config<DRAM, Interleaved>}
       : tensor<1x64x64x128xbf16, #layout<DRAM, Interleaved>>
  return %2
}
)",
                4);
}

// docs/rules/d2m-chains.md: the function of the walk-through.
TEST(SpecImport, D2mWalkthrough) {
  expectImports(R"(
#dram = #ttnn.buffer_type<dram>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#layout_64x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#layout_256x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @dispatch_with_matmul_producer(%arg0: tensor<64x64xbf16, #layout_64x64>, %arg1: tensor<64x256xbf16, #layout>,
    %arg2: tensor<256x64xbf16, #layout_256x64>, %arg3: tensor<64x256xbf16, #layout>) -> tensor<64x256xbf16, #layout> {
  %device = "ttnn.get_device"() : () -> !ttnn.device
  %0 = "ttnn.matmul"(%arg0, %arg1)
      : (tensor<64x64xbf16, #layout_64x64>, tensor<64x256xbf16, #layout>) -> tensor<64x256xbf16, #layout>
  %empty = "ttnn.empty"(%device) : (!ttnn.device) -> tensor<64x256xbf16, #layout>
  %dispatch = "ttnn.dispatch_d2m"(%0, %empty)
      : (tensor<64x256xbf16, #layout>, tensor<64x256xbf16, #layout>) -> tensor<64x256xbf16, #layout>
  %4 = "ttnn.matmul"(%dispatch, %arg2)
      : (tensor<64x256xbf16, #layout>, tensor<256x64xbf16, #layout_256x64>) -> tensor<64x64xbf16, #layout_64x64>
  %5 = "ttnn.matmul"(%4, %arg3) : (tensor<64x64xbf16, #layout_64x64>, tensor<64x256xbf16, #layout>)
      -> tensor<64x256xbf16, #layout>
  return %5 : tensor<64x256xbf16, #layout>
}
)",
                7);
}

// docs/rules/lowering.md: examples and conversions.
TEST(SpecImport, LoweringSimpleAdd) {
  expectImports(R"(
module {
  func.func @add(%arg0: tensor<32x32xbf16>,
                 %arg1: tensor<32x32xbf16>)
      -> tensor<32x32xbf16> {
    %0 = ttir.empty() : tensor<32x32xbf16>
    %1 = ttir.add %arg0, %arg1, %0
      : tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>
      -> tensor<32x32xbf16>
    return %1 : tensor<32x32xbf16>
  }
}
)",
                3);
}

TEST(SpecImport, LoweringMatmul) {
  expectImports(R"(
module {
  func.func @matmul(%arg0: tensor<32x64xbf16>,
                    %arg1: tensor<64x128xbf16>)
      -> tensor<32x128xbf16> {
    %0 = ttir.empty() : tensor<32x128xbf16>
    %1 = ttir.matmul %arg0, %arg1, %0
      : tensor<32x64xbf16>, tensor<64x128xbf16>, tensor<32x128xbf16>
      -> tensor<32x128xbf16>
    return %1 : tensor<32x128xbf16>
  }
}
)",
                3);
}

TEST(SpecImport, LoweringConv2dInNchw) {
  expectImports(R"(
module {
  func.func @conv2d(
      %input: tensor<1x3x224x224xbf16>,    // NCHW
      %weight: tensor<64x3x3x3xbf16>,      // OIHW
      %bias: tensor<64xbf16>)
      -> tensor<1x64x224x224xbf16> {
    %0 = ttir.empty() : tensor<1x64x224x224xbf16>
    %1 = ttir.conv2d %input, %weight, %bias, %0 {
      stride = [1, 1],
      padding = [1, 1],
      dilation = [1, 1],
      groups = 1
    } : tensor<1x3x224x224xbf16>,
        tensor<64x3x3x3xbf16>,
        tensor<64xbf16>,
        tensor<1x64x224x224xbf16>
      -> tensor<1x64x224x224xbf16>
    return %1 : tensor<1x64x224x224xbf16>
  }
}
)",
                3);
}

TEST(SpecImport, LoweringConversionPatterns) {
  expectImports(R"(
func.func @f(%x: tensor<32x64xbf16>, %i: tensor<2x4xi32>, %table: tensor<512x128xbf16>, %w: tensor<64xbf16>,
    %wide: tensor<32x1xbf16>,
             %o: tensor<2x4x128xbf16>, %fill: f32) {
  %1 = ttir.sum %x, %wide {
    dim_arg = [1 : i32],
    keep_dim = true
  } : tensor<32x64xbf16>, tensor<32x1xbf16> -> tensor<32x1xbf16>
  %2 = "ttnn.sum"(%x) <{
    dim_arg = 1 : i64,
    keep_dim = true
  }> : (tensor<32x64xbf16>) -> tensor<32x1xbf16>
  %3 = ttir.embedding %i, %table, %o
    : tensor<2x4xi32>, tensor<512x128xbf16>, tensor<2x4x128xbf16> -> tensor<2x4x128xbf16>
  %4 = "ttnn.softmax"(%x) <{
    dimension = 1 : si32,
    numeric_stable = true
  }> : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
  %5 = "ttnn.layer_norm"(%x, %w, %w) <{
    epsilon = 1.0e-5 : f32
  }> : (tensor<32x64xbf16>, tensor<64xbf16>, tensor<64xbf16>) -> tensor<32x64xbf16>
  %device = "ttnn.get_device"() : () -> !ttnn.device
  %6 = "ttnn.empty"(%device) <{
    shape = #ttnn.shape<32x32>,
    dtype = #ttcore.supportedDataTypes<bf16>,
    layout = #ttnn.layout<tile>,
    memory_config = #ttnn.memory_config<#dram, <interleaved>>
  }> : (!ttnn.device) -> tensor<32x32xbf16>
  %7 = ttir.full %fill {
    shape = [32, 32]
  } : f32 -> tensor<32x32xf32>
  %8 = "ttnn.gather"(%table, %i)
    : (tensor<512x128xbf16>, tensor<2x4xi32>)
    -> tensor<2x4x128xbf16>
  return
}
)",
                10);
}

TEST(SpecImport, LoweringLayoutSpelling) {
  Imported imported = importText(R"(
#layout = #ttnn.ttnn_layout<
  (d0, d1) -> (d0, d1),
  <32x32>,
  memref<1x1x32x32xbf16, #dram>,
  #ttnn.tensor_memory_layout<interleaved>
>
module {
  func.func @add(%arg0: tensor<32x32xbf16, #layout>,
                 %arg1: tensor<32x32xbf16, #layout>)
      -> tensor<32x32xbf16, #layout> {
    %device = "ttnn.get_device"() <{
      mesh_offset = #ttnn<mesh_offset 0x0>,
      mesh_shape = #ttnn<mesh_shape 1x1>
    }> : () -> !ttnn.device
    %1 = "ttnn.add"(%arg0, %arg1) <{
      output_dtype = #ttcore.supportedDataTypes<bf16>
    }> : (tensor<32x32xbf16, #layout>,
          tensor<32x32xbf16, #layout>)
       -> tensor<32x32xbf16, #layout>
    return %1 : tensor<32x32xbf16, #layout>
  }
}
)");
  ASSERT_TRUE(imported.graph) << imported.report();
  EXPECT_TRUE(imported.graph->values[ValueId{0}].type.tensor->layout->isDram());
  expectRoundTrips(*imported.graph);
}

}  // namespace
}  // namespace tessera
