// A select whose condition and third operand are stretched to the shape of the second.
func.func @main(%arg0: tensor<1x1x1x128xi1>, %arg1: tensor<8x4x32x128xbf16>, %arg2: tensor<1x1x1x1xbf16>) -> tensor<8x4x32x128xbf16> {
  %0 = "ttir.where"(%arg0, %arg1, %arg2) : (tensor<1x1x1x128xi1>, tensor<8x4x32x128xbf16>, tensor<1x1x1x1xbf16>) -> tensor<8x4x32x128xbf16>
  return %0 : tensor<8x4x32x128xbf16>
}
