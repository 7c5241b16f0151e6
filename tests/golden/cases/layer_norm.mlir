// Layer norm with weight and bias after a residual add.
func.func @main(%arg0: tensor<1x384x768xbf16>, %arg1: tensor<1x384x768xbf16>, %arg2: tensor<768xbf16>, %arg3: tensor<768xbf16>) -> tensor<1x384x768xbf16> {
  %0 = "ttir.add"(%arg0, %arg1) : (tensor<1x384x768xbf16>, tensor<1x384x768xbf16>) -> tensor<1x384x768xbf16>
  %1 = "ttir.layer_norm"(%0, %arg2, %arg3) <{epsilon = 9.99999996E-13 : f32, normalized_shape = array<i64: 768>, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<1x384x768xbf16>, tensor<768xbf16>, tensor<768xbf16>) -> tensor<1x384x768xbf16>
  return %1 : tensor<1x384x768xbf16>
}
