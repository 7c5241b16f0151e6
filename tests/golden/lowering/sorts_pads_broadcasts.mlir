//! opt: --ttir-implicit-broadcast-fold --ttir-fusing
// A part of what is sorted is a search; padding goes into a convolution of volumes; broadcasts that no operand needs come
// behind the op.
module {
  func.func @largest(%x: tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xsi32>) {
    %values, %indices = "ttir.sort"(%x) <{descending = true, dim = -1 : si32, stable = false}> : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xsi32>)
    %0 = "ttir.slice_static"(%values) <{begins = [0 : i32, 0 : i32], ends = [4 : i32, 3 : i32], step = [1 : i32, 1 : i32]}> : (tensor<4x8xf32>) -> tensor<4x3xf32>
    %1 = "ttir.slice_static"(%indices) <{begins = [0 : i32, 0 : i32], ends = [4 : i32, 3 : i32], step = [1 : i32, 1 : i32]}> : (tensor<4x8xsi32>) -> tensor<4x3xsi32>
    return %0, %1 : tensor<4x3xf32>, tensor<4x3xsi32>
  }
  func.func @middle(%x: tensor<4x8xf32>) -> tensor<4x3xf32> {
    %values, %indices = "ttir.sort"(%x) <{descending = true, dim = 1 : si32, stable = false}> : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xsi32>)
    %0 = "ttir.slice_static"(%values) <{begins = [0 : i32, 1 : i32], ends = [4 : i32, 4 : i32], step = [1 : i32, 1 : i32]}> : (tensor<4x8xf32>) -> tensor<4x3xf32>
    return %0 : tensor<4x3xf32>
  }
  func.func @volume(%x: tensor<1x8x4x6x6xbf16>, %w: tensor<8x8x3x3x3xbf16>) -> tensor<1x8x4x8x8xbf16> {
    %0 = "ttir.pad"(%x) <{padding = array<i32: 0, 0, 0, 0, 1, 1, 1, 1, 1, 1>, value = 0.0 : f32}> : (tensor<1x8x4x6x6xbf16>) -> tensor<1x8x6x8x8xbf16>
    %1 = "ttir.conv3d"(%0, %w) <{batch_dim = 0 : i64, channel_dim = 1 : i64, depth_dim = 2 : i64, groups = 1 : i32, height_dim = 3 : i64, padding = array<i32: 0, 1, 1>, padding_mode = "zeros", stride = array<i32: 1, 1, 1>, width_dim = 4 : i64}> : (tensor<1x8x6x8x8xbf16>, tensor<8x8x3x3x3xbf16>) -> tensor<1x8x4x8x8xbf16>
    return %1 : tensor<1x8x4x8x8xbf16>
  }
  func.func @broadcasts(%a: tensor<32x1x1xf32>, %b: tensor<1x1x8xf32>) -> tensor<32x64x8xf32> {
    %0 = "ttir.broadcast"(%a) <{broadcast_dimensions = array<i64: 1, 64, 8>}> : (tensor<32x1x1xf32>) -> tensor<32x64x8xf32>
    %1 = "ttir.broadcast"(%b) <{broadcast_dimensions = array<i64: 32, 64, 1>}> : (tensor<1x1x8xf32>) -> tensor<32x64x8xf32>
    %2 = "ttir.add"(%0, %1) : (tensor<32x64x8xf32>, tensor<32x64x8xf32>) -> tensor<32x64x8xf32>
    return %2 : tensor<32x64x8xf32>
  }
}
