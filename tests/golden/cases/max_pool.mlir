// A 3x3 pool with stride 2 halves both sides.
func.func @main(%arg0: tensor<1x112x112x64xbf16>) -> tensor<1x56x56x64xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<1x112x112x64xbf16>) -> tensor<1x112x112x64xbf16>
  %1 = "ttir.max_pool2d"(%0) <{ceil_mode = false, dilation = array<i32: 1, 1>, kernel = array<i32: 3, 3>, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 2, 2>}> : (tensor<1x112x112x64xbf16>) -> tensor<1x56x56x64xbf16>
  return %1 : tensor<1x56x56x64xbf16>
}
