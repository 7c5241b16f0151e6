//! policy: DRAM
// DRAM cannot be block sharded, and a layout needs its memref.
#block = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<2x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0),(7,7)>]>>
#cut = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>>
func.func @main(%arg0: tensor<512x512xbf16, #block>, %arg1: tensor<512x512xbf16, #cut>) -> tensor<512x512xbf16, #block> {
  %0 = "ttnn.relu"(%arg0) : (tensor<512x512xbf16, #block>) -> tensor<512x512xbf16, #block>
  return %0 : tensor<512x512xbf16, #block>
}
