// ttnn-optimizer.md 3.3.9, 5: a reshard is thought of only where nothing else works. Both matmuls stay on 2x2 cores; a reshard between them
// would let the first one use 2x8.
//! policy: DFSharding
func.func @main(%a: tensor<64x256xbf16>, %w0: tensor<256x256xbf16>, %w1: tensor<256x64xbf16>) -> tensor<64x64xbf16> {
  %0 = "ttnn.matmul"(%a, %w0) <{transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16>, tensor<256x256xbf16>) -> tensor<64x256xbf16>
  %1 = "ttnn.matmul"(%0, %w1) <{transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16>, tensor<256x64xbf16>) -> tensor<64x64xbf16>
  return %1 : tensor<64x64xbf16>
}
