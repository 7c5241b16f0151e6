//! opt: --ttir-to-ttir-decomposition
// Convolutions and poolings with numbered dims become those over height and width.
module {
  func.func @main(%x: tensor<2x8x16x16xbf16>, %w: tensor<3x3x8x4xbf16>) -> tensor<2x4x4x4xbf16> {
    %o = ttir.empty() : tensor<2x4x8x8xbf16>
    %0 = "ttir.convolution"(%x, %w, %o) <{batch_group_count = 1 : i64, convolution_layout = #ttir<convolution_layout input_batch = 0, input_feature = 1, input_spatial_dimensions = 2x3, kernel_output_feature = 3, kernel_input_feature = 2, kernel_spatial_dimensions = 0x1, output_batch = 0, output_feature = 1, output_spatial_dimensions = 2x3>, feature_group_count = 1 : i64, input_dilation = array<i64: 1, 1>, padding = array<i64: 1, 0, 1, 0>, weight_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 2, 2>}> : (tensor<2x8x16x16xbf16>, tensor<3x3x8x4xbf16>, tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
    %e = ttir.empty() : tensor<2x4x4x4xbf16>
    %1 = "ttir.pooling"(%0, %e) <{base_dilations = array<i64: 1, 1, 1, 1>, operandSegmentSizes = array<i32: 1, 1>, padding = array<i64: 0, 0, 0, 0, 0, 0, 0, 0>, pooling_method = #ttir<pooling_method Sum>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> : (tensor<2x4x8x8xbf16>, tensor<2x4x4x4xbf16>) -> tensor<2x4x4x4xbf16>
    return %1 : tensor<2x4x4x4xbf16>
  }
}
