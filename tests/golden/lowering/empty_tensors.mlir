//! opt: --canonicalize
// TTNN has no tensors of size 0: what is made of them alone, or changes nothing, goes.
module {
  func.func @main(%arg0: tensor<4x32xf32>, %arg1: tensor<0x32xf32>, %arg2: tensor<0x32xi32>) -> (tensor<4x32xf32>, tensor<4x32xf32>) {
    %0 = "ttir.concat"(%arg1, %arg0, %arg1) <{dim = 0 : si32}> : (tensor<0x32xf32>, tensor<4x32xf32>, tensor<0x32xf32>) -> tensor<4x32xf32>
    %1 = "ttir.scatter"(%arg0, %arg2, %arg1) <{dim = 0 : i32, scatter_reduce_type = #ttcore.reduce_type<invalid>}> : (tensor<4x32xf32>, tensor<0x32xi32>, tensor<0x32xf32>) -> tensor<4x32xf32>
    %2 = "ttir.abs"(%1) : (tensor<4x32xf32>) -> tensor<4x32xf32>
    return %0, %2 : tensor<4x32xf32>, tensor<4x32xf32>
  }
}
