//! opt: --ttir-fold-constant-reshape-broadcast
//! opt: --ttir-move-reshape-to-constant
//! opt: --ttir-reduction-force-keep-dim
// Views of constants become constants; a reshape comes behind an op with a constant; reductions keep their dims.
module {
  func.func @main(%x: tensor<4x6xf32>) -> (tensor<4x1x6xf32>, tensor<4xf32>) {
    %0 = "ttir.constant"() <{value = dense<2.0> : tensor<1x6xf32>}> : () -> tensor<1x6xf32>
    %1 = "ttir.reshape"(%0) <{shape = [1 : i32, 1 : i32, 6 : i32]}> : (tensor<1x6xf32>) -> tensor<1x1x6xf32>
    %2 = "ttir.reshape"(%x) <{shape = [4 : i32, 1 : i32, 6 : i32]}> : (tensor<4x6xf32>) -> tensor<4x1x6xf32>
    %3 = "ttir.pow"(%2, %1) : (tensor<4x1x6xf32>, tensor<1x1x6xf32>) -> tensor<4x1x6xf32>
    %4 = "ttir.max"(%x) <{dim_arg = [-1 : i32], keep_dim = false}> : (tensor<4x6xf32>) -> tensor<4xf32>
    return %3, %4 : tensor<4x1x6xf32>, tensor<4xf32>
  }
}
