// A convolution and its relu: the smallest L1 chain, with a spill at the end because it is returned.
// Example of the TTNN optimizer specification of tt-mlir (2025), 3.5.2.
module @conv_relu {
  func.func @forward(
      %arg0: tensor<1x64x64x128xbf16> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "x"},
      %arg1: tensor<128x128x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "conv.weight"}) -> tensor<1x64x64x128xbf16> {
    %0 = "ttir.conv2d"(%arg0, %arg1) <{batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, height_dim = 1 : i64, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>, width_dim = 2 : i64}> : (tensor<1x64x64x128xbf16>, tensor<128x128x3x3xbf16>) -> tensor<1x64x64x128xbf16> loc("conv")
    %1 = "ttir.relu"(%0) : (tensor<1x64x64x128xbf16>) -> tensor<1x64x64x128xbf16> loc("relu")
    return %1 : tensor<1x64x64x128xbf16>
  }
}
