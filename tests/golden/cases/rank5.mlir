// All dims but the last become rows, whatever the rank; the last two are padded to tiles first.
func.func @main(%arg0: tensor<2x3x4x40x72xbf16>) -> tensor<2x3x4x40x72xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<2x3x4x40x72xbf16>) -> tensor<2x3x4x40x72xbf16>
  %1 = "ttir.exp"(%0) : (tensor<2x3x4x40x72xbf16>) -> tensor<2x3x4x40x72xbf16>
  return %1 : tensor<2x3x4x40x72xbf16>
}
