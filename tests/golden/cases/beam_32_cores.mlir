// docs/rules/pass-generation.md#beam-search: the argument lies on 32 cores. Greedy stays there because that avoids a
// reshard; the beam moves once and computes on 64.
//! policy: Greedy, Beam
#l1 = #ttnn.buffer_type<l1>
#height = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <32x1>, memref<1x8x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>>
func.func @main(%x: tensor<1024x256xbf16, #height>, %w: tensor<256x256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1024x256xbf16> {
  %0 = "ttir.relu"(%x) : (tensor<1024x256xbf16, #height>) -> tensor<1024x256xbf16>
  %1 = "ttir.matmul"(%0, %w) <{transpose_a = false, transpose_b = false}> : (tensor<1024x256xbf16>, tensor<256x256xbf16>) -> tensor<1024x256xbf16>
  %2 = "ttir.gelu"(%1) : (tensor<1024x256xbf16>) -> tensor<1024x256xbf16>
  return %2 : tensor<1024x256xbf16>
}
