//! opt: --ttir-decompose-composites
// Attention whose heads of queries share heads of keys, masked by position; norms with and without weights; a softmax;
// three copies from two joins.
module {
  func.func @attention(%q: tensor<1x4x32x64xbf16>, %k: tensor<1x2x32x64xbf16>, %v: tensor<1x2x32x64xbf16>) -> tensor<1x4x32x64xbf16> {
    %0 = "ttir.scaled_dot_product_attention"(%q, %k, %v) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x4x32x64xbf16>, tensor<1x2x32x64xbf16>, tensor<1x2x32x64xbf16>) -> tensor<1x4x32x64xbf16>
    return %0 : tensor<1x4x32x64xbf16>
  }
  func.func @norms(%x: tensor<2x4x64xf32>, %w: tensor<64xf32>) -> (tensor<2x4x64xf32>, tensor<2x4x64xf32>) {
    %0 = "ttir.rms_norm"(%x, %w) <{epsilon = 1.000000e-05 : f32, normalized_shape = array<i64: 64>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<2x4x64xf32>, tensor<64xf32>) -> tensor<2x4x64xf32>
    %1 = "ttir.layer_norm"(%x) <{epsilon = 1.000000e-06 : f32, normalized_shape = array<i64: 4, 64>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<2x4x64xf32>) -> tensor<2x4x64xf32>
    return %0, %1 : tensor<2x4x64xf32>, tensor<2x4x64xf32>
  }
  func.func @spread(%x: tensor<32x32xf32>) -> (tensor<32x32xf32>, tensor<96x32xf32>) {
    %0 = "ttir.softmax"(%x) <{dimension = 0 : si32, numericStable = true}> : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %1 = "ttir.repeat"(%x) <{repeat_dimensions = array<i64: 3, 1>}> : (tensor<32x32xf32>) -> tensor<96x32xf32>
    return %0, %1 : tensor<32x32xf32>, tensor<96x32xf32>
  }
}
