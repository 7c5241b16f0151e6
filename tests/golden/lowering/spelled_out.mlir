//! opt: --ttnn-layout --convert-ttir-to-ttnn --ttnn-decomposition
// Attention, group norms and joined heads in terms of simpler ops.
module {
  func.func @main(%q: tensor<1x4x32x32xbf16>, %k: tensor<1x2x32x32xbf16>, %v: tensor<1x2x32x32xbf16>, %x: tensor<1x1x50x64xbf16>) -> (tensor<1x32x128xbf16>, tensor<1x1x50x64xbf16>) {
    %0 = "ttir.scaled_dot_product_attention"(%q, %k, %v) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, scale = 0.25 : f32}> : (tensor<1x4x32x32xbf16>, tensor<1x2x32x32xbf16>, tensor<1x2x32x32xbf16>) -> tensor<1x4x32x32xbf16>
    %1 = "ttir.concatenate_heads"(%0) : (tensor<1x4x32x32xbf16>) -> tensor<1x32x128xbf16>
    %2 = "ttir.group_norm"(%x) <{num_groups = 8 : i64, epsilon = 1.000000e-05 : f32, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (tensor<1x1x50x64xbf16>) -> tensor<1x1x50x64xbf16>
    return %1, %2 : tensor<1x32x128xbf16>, tensor<1x1x50x64xbf16>
  }
}
