//! opt: --ttir-fusing="enable-permute-matmul-fusion=true ttnn-enable-conv2d-with-multiply-pattern=true"
//! opt: --ttir-fusing="enable-permute-matmul-fusion=false ttnn-enable-conv2d-with-multiply-pattern=false"
// A permute of the last two dims in front of a product becomes the product's own; another permute stays. A factor per
// channel behind a convolution goes into its weights and its bias.
module {
  func.func @products(%x: tensor<2x64x32xbf16>, %w: tensor<2x48x64xbf16>, %y: tensor<64x2x48xbf16>) -> (tensor<2x32x48xbf16>, tensor<2x64x64xbf16>) {
    %0 = "ttir.permute"(%x) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x64x32xbf16>) -> tensor<2x32x64xbf16>
    %1 = "ttir.permute"(%w) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x48x64xbf16>) -> tensor<2x64x48xbf16>
    %2 = "ttir.matmul"(%0, %1) <{transpose_a = false, transpose_b = false}> : (tensor<2x32x64xbf16>, tensor<2x64x48xbf16>) -> tensor<2x32x48xbf16>
    %3 = "ttir.permute"(%y) <{permutation = array<i64: 1, 0, 2>}> : (tensor<64x2x48xbf16>) -> tensor<2x64x48xbf16>
    %4 = "ttir.matmul"(%3, %1) <{transpose_a = false, transpose_b = true}> : (tensor<2x64x48xbf16>, tensor<2x64x48xbf16>) -> tensor<2x64x64xbf16>
    return %2, %4 : tensor<2x32x48xbf16>, tensor<2x64x64xbf16>
  }
  func.func @factors(%x: tensor<1x16x16x32xbf16>, %w: tensor<64x32x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b: tensor<1x1x1x64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %f: tensor<1x1x1x64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x16x16x64xbf16> {
    %0 = "ttir.conv2d"(%x, %w, %b) <{dilation = array<i32: 1, 1>, groups = 1 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x16x16x32xbf16>, tensor<64x32x3x3xbf16>, tensor<1x1x1x64xbf16>) -> tensor<1x16x16x64xbf16>
    %1 = "ttir.multiply"(%0, %f) : (tensor<1x16x16x64xbf16>, tensor<1x1x1x64xbf16>) -> tensor<1x16x16x64xbf16>
    return %1 : tensor<1x16x16x64xbf16>
  }
}
