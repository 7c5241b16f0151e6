// Softmax over the last dim between two matmuls.
func.func @main(%arg0: tensor<1x8x128x64xbf16>, %arg1: tensor<1x8x64x128xbf16>, %arg2: tensor<1x8x128x64xbf16>) -> tensor<1x8x128x64xbf16> {
  %0 = "ttir.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = false}> : (tensor<1x8x128x64xbf16>, tensor<1x8x64x128xbf16>) -> tensor<1x8x128x128xbf16>
  %1 = "ttir.softmax"(%0) <{dimension = -1 : si32}> : (tensor<1x8x128x128xbf16>) -> tensor<1x8x128x128xbf16>
  %2 = "ttir.matmul"(%1, %arg2) <{transpose_a = false, transpose_b = false}> : (tensor<1x8x128x128xbf16>, tensor<1x8x128x64xbf16>) -> tensor<1x8x128x64xbf16>
  return %2 : tensor<1x8x128x64xbf16>
}
