// A matmul feeds a fused D2M kernel that feeds a matmul: the kernel stands between two chains.
func.func @main(%arg0: tensor<64x128xbf16>, %arg1: tensor<128x256xbf16>, %arg2: tensor<256x64xbf16>, %arg3: tensor<64x256xbf16>) -> tensor<64x64xbf16> {
  %0 = "ttnn.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = false}> : (tensor<64x128xbf16>, tensor<128x256xbf16>) -> tensor<64x256xbf16>
  %1 = "ttnn.dispatch_d2m"(%0, %arg3) : (tensor<64x256xbf16>, tensor<64x256xbf16>) -> tensor<64x256xbf16>
  %2 = "ttnn.matmul"(%1, %arg2) <{transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16>, tensor<256x64xbf16>) -> tensor<64x64xbf16>
  return %2 : tensor<64x64xbf16>
}
