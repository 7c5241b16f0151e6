//! opt: --ttnn-fusing
module {
  func.func @main(%image: tensor<1x1x64x32xbf16>, %kernel: tensor<32x32x1x1xbf16>, %x: tensor<32x64xbf16>, %w: tensor<64x32xbf16>, %device: !ttnn.device) -> (tensor<1x8x8x32xbf16>, tensor<1x1x64x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) {
    // Through the reshape behind a flattened convolution.
    %0 = "ttnn.conv2d"(%image, %kernel, %device) <{in_channels = 32 : i32, out_channels = 32 : i32, batch_size = 1 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 1, 1>, stride = array<i32: 1, 1>, padding = array<i32: 0, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32, conv2d_config = #ttnn.conv2d_config<deallocate_activation = true, act_block_h_override = 32>}> : (tensor<1x1x64x32xbf16>, tensor<32x32x1x1xbf16>, !ttnn.device) -> tensor<1x1x64x32xbf16>
    %1 = "ttnn.reshape"(%0) <{shape = [1 : i32, 8 : i32, 8 : i32, 32 : i32]}> : (tensor<1x1x64x32xbf16>) -> tensor<1x8x8x32xbf16>
    %2 = "ttnn.relu6"(%1) : (tensor<1x8x8x32xbf16>) -> tensor<1x8x8x32xbf16>
    // One activation only.
    %3 = "ttnn.conv2d"(%image, %kernel, %device) <{in_channels = 32 : i32, out_channels = 32 : i32, batch_size = 1 : i32, input_height = 8 : i32, input_width = 8 : i32, kernel_size = array<i32: 1, 1>, stride = array<i32: 1, 1>, padding = array<i32: 0, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32}> : (tensor<1x1x64x32xbf16>, tensor<32x32x1x1xbf16>, !ttnn.device) -> tensor<1x1x64x32xbf16>
    %4 = "ttnn.silu"(%3) : (tensor<1x1x64x32xbf16>) -> tensor<1x1x64x32xbf16>
    %5 = "ttnn.relu"(%4) : (tensor<1x1x64x32xbf16>) -> tensor<1x1x64x32xbf16>
    // A product takes a sigmoid, when nobody else reads it.
    %6 = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<32x64xbf16>, tensor<64x32xbf16>) -> tensor<32x32xbf16>
    %7 = "ttnn.sigmoid"(%6) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %8 = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<32x64xbf16>, tensor<64x32xbf16>) -> tensor<32x32xbf16>
    %9 = "ttnn.sigmoid"(%8) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
    %10 = "ttnn.add"(%8, %9) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
    return %2, %5, %7, %10 : tensor<1x8x8x32xbf16>, tensor<1x1x64x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>
  }
}
