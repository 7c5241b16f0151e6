//! opt: --ttnn-layout --ttnn-decomposition
module {
  // Heads of 48 are no whole tiles: attention becomes products and a softmax, its mask a comparison of positions.
  func.func @main(%q: tensor<1x2x32x48xbf16>, %k: tensor<1x2x32x48xbf16>, %v: tensor<1x2x32x48xbf16>) -> (tensor<1x2x32x48xbf16>, tensor<1x2x32x48xbf16>) {
    %0 = "ttnn.scaled_dot_product_attention"(%q, %k, %v) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, scale = 0.125 : f32}> : (tensor<1x2x32x48xbf16>, tensor<1x2x32x48xbf16>, tensor<1x2x32x48xbf16>) -> tensor<1x2x32x48xbf16>
    %1 = "ttnn.scaled_dot_product_attention"(%q, %k, %v) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, scale = 0.125 : f32, sliding_window_size = 16 : ui32}> : (tensor<1x2x32x48xbf16>, tensor<1x2x32x48xbf16>, tensor<1x2x32x48xbf16>) -> tensor<1x2x32x48xbf16>
    return %0, %1 : tensor<1x2x32x48xbf16>, tensor<1x2x32x48xbf16>
  }
}
