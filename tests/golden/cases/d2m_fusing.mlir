// docs/rules/d2m-chains.md from the start: exp, neg and abs between two matmuls become one fused kernel, which the chains around it feed and read
// in L1.
//! policy: DFSharding2, Greedy
//! enable-create-d2m-subgraphs: true
func.func @main(%arg0: tensor<64x128xbf16>, %arg1: tensor<128x256xbf16>, %arg2: tensor<256x64xbf16>, %arg3: tensor<64x256xbf16>) -> tensor<64x256xbf16> {
  %0 = "ttnn.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = false}> : (tensor<64x128xbf16>, tensor<128x256xbf16>) -> tensor<64x256xbf16>
  %1 = "ttnn.exp"(%0) : (tensor<64x256xbf16>) -> tensor<64x256xbf16>
  %2 = "ttnn.neg"(%1) : (tensor<64x256xbf16>) -> tensor<64x256xbf16>
  %3 = "ttnn.abs"(%2) : (tensor<64x256xbf16>) -> tensor<64x256xbf16>
  %4 = "ttnn.matmul"(%3, %arg2) <{transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16>, tensor<256x64xbf16>) -> tensor<64x64xbf16>
  %5 = "ttnn.matmul"(%4, %arg3) <{transpose_a = false, transpose_b = false}> : (tensor<64x64xbf16>, tensor<64x256xbf16>) -> tensor<64x256xbf16>
  return %5 : tensor<64x256xbf16>
}
