// The same kind of convolution with channels second, as dumps from XLA have it.
func.func @main(%arg0: tensor<1x64x56x56xbf16>, %arg1: tensor<64x64x1x1xbf16>) -> tensor<1x64x56x56xbf16> {
  %0 = "ttir.conv2d"(%arg0, %arg1) <{batch_dim = 0 : i64, channel_dim = 1 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 2 : i64, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>, width_dim = 3 : i64}> : (tensor<1x64x56x56xbf16>, tensor<64x64x1x1xbf16>) -> tensor<1x64x56x56xbf16>
  return %0 : tensor<1x64x56x56xbf16>
}
