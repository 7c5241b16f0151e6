// ttnn-optimizer.md 3.3.9, 3: what the last op cannot read is taken from all ops before it, step by step: the chain ends up on 2x2 cores
// although its first ops could use 2x8.
//! policy: DFSharding
func.func @main(%a: tensor<64x256xbf16>, %w: tensor<256x64xbf16>) -> tensor<64x64xbf16> {
  %0 = "ttnn.relu"(%a) : (tensor<64x256xbf16>) -> tensor<64x256xbf16>
  %1 = "ttnn.gelu"(%0) : (tensor<64x256xbf16>) -> tensor<64x256xbf16>
  %2 = "ttnn.silu"(%1) : (tensor<64x256xbf16>) -> tensor<64x256xbf16>
  %3 = "ttnn.matmul"(%2, %w) <{transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16>, tensor<256x64xbf16>) -> tensor<64x64xbf16>
  return %3 : tensor<64x64xbf16>
}
