// The spelling of a sketch: operands in parentheses, only the result's type.
func.func @main(%input: tensor<1x64x64x128xbf16>, %weight: tensor<128x128x3x3xbf16>) -> tensor<1x64x64x128xbf16> {
  %0 = ttnn.conv2d(%input, %weight) {padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>} : tensor<1x64x64x128xbf16>
  %1 = ttnn.relu(%0) : tensor<1x64x64x128xbf16>
  return %1 : tensor<1x64x64x128xbf16>
}
