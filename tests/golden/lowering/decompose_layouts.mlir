//! opt: --ttnn-decompose-layouts
// tt-mlir Transforms/TTNNDecomposeLayouts.cpp: a host tensor moves first; float rows become tiles of another type in one step; tiles in shards move
// before they are taken apart; what changes nothing is an error.
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x128xf32, #ttnn.buffer_type<system_memory>>>
#rm = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x128xbf16, #ttnn.buffer_type<dram>>, <interleaved>>
#tile = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
#int = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, si32>, #ttnn.buffer_type<dram>>, <interleaved>>
#block = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x4>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (3,1)>]>>
module {
  func.func @main(%a: tensor<64x128xf32, #host>, %b: tensor<64x128xbf16, #rm>) -> (tensor<64x128xbf16, #rm>, tensor<64x128xsi32, #int>, tensor<64x128xbf16, #tile>) {
    %0 = "ttnn.to_layout"(%a) : (tensor<64x128xf32, #host>) -> tensor<64x128xbf16, #block>
    %1 = "ttnn.to_layout"(%0) : (tensor<64x128xbf16, #block>) -> tensor<64x128xbf16, #rm>
    %2 = "ttnn.to_layout"(%b) : (tensor<64x128xbf16, #rm>) -> tensor<64x128xsi32, #int>
    %3 = "ttnn.to_layout"(%0) : (tensor<64x128xbf16, #block>) -> tensor<64x128xbf16, #tile>
    %4 = "ttnn.to_layout"(%3) : (tensor<64x128xbf16, #tile>) -> tensor<64x128xbf16, #tile>
    return %1, %2, %4 : tensor<64x128xbf16, #rm>, tensor<64x128xsi32, #int>, tensor<64x128xbf16, #tile>
  }
}
