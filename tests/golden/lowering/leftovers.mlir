//! opt: --ttir-decompose-rest
//! opt: --cse
//! opt: --ttnn-layout --convert-ttir-to-ttnn --ttnn-canonicalize
// A batch norm that follows no convolution and a logical reduction are spelled out; ops that are alike become one; a
// view that changes nothing goes.
module {
  func.func @forward(%x: tensor<2x8x4x4xbf16>, %scale: tensor<8xbf16>, %offset: tensor<8xbf16>, %mean: tensor<8xbf16>, %variance: tensor<8xbf16>) -> (tensor<2x8x4x4xbf16>, tensor<2x8x4xbf16>) {
    %0 = "ttir.batch_norm_inference"(%x, %scale, %offset, %mean, %variance) <{dimension = 1 : i32, epsilon = 1.000000e-05 : f32}> : (tensor<2x8x4x4xbf16>, tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>) -> tensor<2x8x4x4xbf16>
    %1 = "ttir.exp"(%x) : (tensor<2x8x4x4xbf16>) -> tensor<2x8x4x4xbf16>
    %2 = "ttir.exp"(%x) : (tensor<2x8x4x4xbf16>) -> tensor<2x8x4x4xbf16>
    %3 = "ttir.reshape"(%2) <{shape = [2 : i32, 8 : i32, 4 : i32, 4 : i32]}> : (tensor<2x8x4x4xbf16>) -> tensor<2x8x4x4xbf16>
    %4 = "ttir.add"(%1, %3) : (tensor<2x8x4x4xbf16>, tensor<2x8x4x4xbf16>) -> tensor<2x8x4x4xbf16>
    %5 = "ttir.add"(%0, %4) : (tensor<2x8x4x4xbf16>, tensor<2x8x4x4xbf16>) -> tensor<2x8x4x4xbf16>
    %6 = "ttir.reduce_and"(%4) <{dim_arg = [3 : i32], keep_dim = false}> : (tensor<2x8x4x4xbf16>) -> tensor<2x8x4xbf16>
    return %5, %6 : tensor<2x8x4x4xbf16>, tensor<2x8x4xbf16>
  }
}
