// The layout spelling until spring 2026: a map inside the grid, no core ranges, the buffer type in place.
#block = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <4x2, (d0, d1) -> (0, d0, d1)>, memref<2x4x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <block_sharded>>
func.func @main(%arg0: tensor<256x256xbf16, #block>) -> tensor<256x256xbf16, #block> {
  %0 = "ttnn.relu"(%arg0) <{memory_config = #ttnn.memory_config<#ttnn.buffer_type<l1>, <block_sharded>, #ttnn.shard_spec<<[#ttnn.core_range<(0,0), (1,3)>]>, <64x128>, <row_major>>>}> : (tensor<256x256xbf16, #block>) -> tensor<256x256xbf16, #block>
  return %0 : tensor<256x256xbf16, #block>
}
