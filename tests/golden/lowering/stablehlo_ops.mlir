//! opt: --convert-stablehlo-to-ttir
//! opt: --ttir-to-ttnn-backend-pipeline=optimization-level=1
// Ops of StableHLO in forms of their own: chosen numbers, windows, statistics of batches, picked and placed elements.
module @ops {
  func.func @main(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>, %n: tensor<4x6xi32>, %image: tensor<2x8x8x3xf32>, %kernel: tensor<3x3x3x4xf32>, %table: tensor<10x6xf32>, %places: tensor<4xi32>, %scale: tensor<6xf32>) -> (tensor<4x6xf32>, tensor<4x6xi32>, tensor<2x8x8x4xf32>, tensor<2x4x4x3xf32>, tensor<4x6xf32>, tensor<4xf32>, tensor<6x4xf32>, tensor<10x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<2x4x4x3xf32>, tensor<4x12xf32>, tensor<4x6xf32>, tensor<4xi32>, tensor<3x6xf32>) {
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %one = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %half = stablehlo.constant dense<5.000000e-01> : tensor<4x6xf32>
    %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %i0 = stablehlo.constant dense<0> : tensor<i32>
    %i1 = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.clamp %zero, %x, %one : (tensor<f32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
    %1 = stablehlo.compare GT, %0, %half, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
    %2 = stablehlo.select %1, %x, %y : (tensor<4x6xi1>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %3 = stablehlo.maximum %2, %half : tensor<4x6xf32>
    %4 = stablehlo.atan2 %3, %y : tensor<4x6xf32>
    %5 = stablehlo.power %0, %half : tensor<4x6xf32>
    %6 = stablehlo.add %4, %5 : tensor<4x6xf32>
    %7 = stablehlo.and %n, %n : tensor<4x6xi32>
    %8 = stablehlo.shift_left %7, %n : tensor<4x6xi32>
    %9 = stablehlo.xor %8, %n : tensor<4x6xi32>
    %10 = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<2x8x8x4xf32>
    %11 = "stablehlo.reduce_window"(%image, %least) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.maximum %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2x8x8x3xf32>, tensor<f32>) -> tensor<2x4x4x3xf32>
    %13 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
    %14 = stablehlo.transpose %y, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
    %15 = "stablehlo.scatter"(%table, %places, %x) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<10x6xf32>, tensor<4xi32>, tensor<4x6xf32>) -> tensor<10x6xf32>
    %18 = "stablehlo.gather"(%table, %places) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<10x6xf32>, tensor<4xi32>) -> tensor<4x6xf32>
    %19, %mean, %variance = "stablehlo.batch_norm_training"(%x, %scale, %scale) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>)
    %20 = "stablehlo.reduce_window"(%image, %zero) <{padding = dense<[[0, 0], [1, 0], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2x8x8x3xf32>, tensor<f32>) -> tensor<2x4x4x3xf32>
    %21 = stablehlo.concatenate %x, %y, dim = 1 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x12xf32>
    %row = stablehlo.slice %y [2:3, 0:6] : (tensor<4x6xf32>) -> tensor<1x6xf32>
    %22 = stablehlo.dynamic_update_slice %x, %row, %i1, %i0 : (tensor<4x6xf32>, tensor<1x6xf32>, tensor<i32>, tensor<i32>) -> tensor<4x6xf32>
    %23 = stablehlo.iota dim = 0 : tensor<4xi32>
    %24 = stablehlo.slice %y [1:4, 0:6] : (tensor<4x6xf32>) -> tensor<3x6xf32>
    return %6, %9, %10, %11, %6, %13, %14, %15, %18, %19, %20, %21, %22, %23, %24 : tensor<4x6xf32>, tensor<4x6xi32>, tensor<2x8x8x4xf32>, tensor<2x4x4x3xf32>, tensor<4x6xf32>, tensor<4xf32>, tensor<6x4xf32>, tensor<10x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<2x4x4x3xf32>, tensor<4x12xf32>, tensor<4x6xf32>, tensor<4xi32>, tensor<3x6xf32>
  }
}
