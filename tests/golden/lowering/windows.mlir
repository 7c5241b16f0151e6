//! opt: --ttir-flatten-sliding-window
//! opt: --ttnn-layout --convert-ttir-to-ttnn --ttnn-prepare-conv3d-weights
//! opt: --ttir-flatten-sliding-window --ttnn-layout --convert-ttir-to-ttnn --ttnn-prepare-conv2d-weights-and-bias
//! opt: --ttir-to-ttnn-backend-pipeline="optimization-level=1 override-conv3d-config=volume=c_out_block#64:t_out_block#2"
// Windows over images read (1, 1, N*H*W, C); the library prepares the weights of an image's convolution and cuts the
// work of a volume's into blocks, measured ones with the optimizer, and as told by location.
module {
  func.func @image(%x: tensor<1x16x16x32xbf16>, %w: tensor<64x32x3x3xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b: tensor<1x1x1x64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x8x8x64xbf16> {
    %0 = "ttir.conv2d"(%x, %w, %b) <{dilation = 1 : i32, groups = 1 : i32, padding = 1 : i32, stride = 1 : i32}> : (tensor<1x16x16x32xbf16>, tensor<64x32x3x3xbf16>, tensor<1x1x1x64xbf16>) -> tensor<1x16x16x64xbf16>
    %1 = "ttir.max_pool2d"(%0) <{ceil_mode = false, dilation = array<i32: 1, 1>, kernel = array<i32: 2, 2>, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 2, 2>}> : (tensor<1x16x16x64xbf16>) -> tensor<1x8x8x64xbf16>
    return %1 : tensor<1x8x8x64xbf16>
  }
  func.func @volume(%x: tensor<1x6x8x8x96xbf16>, %w: tensor<96x96x3x3x3xbf16>) -> tensor<1x4x6x6x96xbf16> {
    %0 = "ttir.conv3d"(%x, %w) <{groups = 1 : i32, padding = array<i32: 0, 0, 0>, padding_mode = "zeros", stride = array<i32: 1, 1, 1>}> : (tensor<1x6x8x8x96xbf16>, tensor<96x96x3x3x3xbf16>) -> tensor<1x4x6x6x96xbf16> loc("volume")
    return %0 : tensor<1x4x6x6x96xbf16>
  }
}
