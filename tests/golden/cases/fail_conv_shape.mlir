//! policy: DRAM
// The weight has 32 input channels, the image 64.
func.func @main(%arg0: tensor<1x56x56x64xbf16>, %arg1: tensor<64x32x3x3xbf16>) -> tensor<1x56x56x64xbf16> {
  %0 = "ttir.conv2d"(%arg0, %arg1) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x56x56x64xbf16>, tensor<64x32x3x3xbf16>) -> tensor<1x56x56x64xbf16>
  return %0 : tensor<1x56x56x64xbf16>
}
