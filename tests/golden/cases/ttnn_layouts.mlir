// TTNN text with layouts: DRAM interleaved in, block sharded over 8x8 cores in L1, back to DRAM.
#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#in = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<16x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#block = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<2x2x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0),(7,7)>]>>
func.func @main(%arg0: tensor<512x512xbf16, #in>) -> tensor<512x512xbf16, #in> {
  %0 = "ttnn.to_memory_config"(%arg0) : (tensor<512x512xbf16, #in>) -> tensor<512x512xbf16, #block>
  %1 = "ttnn.relu"(%0) : (tensor<512x512xbf16, #block>) -> tensor<512x512xbf16, #block>
  %2 = "ttnn.to_memory_config"(%1) : (tensor<512x512xbf16, #block>) -> tensor<512x512xbf16, #in>
  return %2 : tensor<512x512xbf16, #in>
}
