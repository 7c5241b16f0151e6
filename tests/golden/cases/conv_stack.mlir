// Convolutions with relu follow each other without a fork: one chain.
func.func @main(%arg0: tensor<1x56x56x64xbf16>, %arg1: tensor<64x64x1x1xbf16>, %arg2: tensor<64x64x3x3xbf16>) -> tensor<1x56x56x64xbf16> {
  %0 = "ttir.conv2d"(%arg0, %arg1) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x56x56x64xbf16>, tensor<64x64x1x1xbf16>) -> tensor<1x56x56x64xbf16> loc("conv1")
  %1 = "ttir.relu"(%0) : (tensor<1x56x56x64xbf16>) -> tensor<1x56x56x64xbf16> loc("relu1")
  %2 = "ttir.conv2d"(%1, %arg2) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x56x56x64xbf16>, tensor<64x64x3x3xbf16>) -> tensor<1x56x56x64xbf16> loc("conv2")
  %3 = "ttir.relu"(%2) : (tensor<1x56x56x64xbf16>) -> tensor<1x56x56x64xbf16> loc("relu2")
  return %3 : tensor<1x56x56x64xbf16>
}
