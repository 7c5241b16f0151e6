//! opt: --ttir-to-ttir-decomposition
//! opt: --ttir-to-ttir-decomposition --ttnn-layout --convert-ttir-to-ttnn --ttnn-workaround
// Slices by one dim, places of the largest over several dims; the library counts places in 16 bits and sorts bf16.
module {
  func.func @main(%a: tensor<4x6x8xf32>, %i: tensor<4x6x8xsi32>) -> (tensor<2x6x8xf32>, tensor<1x6x1xsi32>, tensor<4x6x8xf32>, tensor<4x6x8xsi32>, tensor<4x8xsi32>, tensor<1xsi32>) {
    %0 = "ttir.index"(%a) <{begin = -3 : i32, dim = 0 : i32, end = 3 : i32, step = 1 : i32}> : (tensor<4x6x8xf32>) -> tensor<2x6x8xf32>
    %1 = "ttir.argmax"(%a) <{dim_arg = [0 : i32, -1 : i32], keep_dim = true}> : (tensor<4x6x8xf32>) -> tensor<1x6x1xsi32>
    %2, %3 = "ttir.sort"(%a) <{descending = true, dim = 2 : si32, stable = false}> : (tensor<4x6x8xf32>) -> (tensor<4x6x8xf32>, tensor<4x6x8xsi32>)
    %4 = "ttir.sum"(%i) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<4x6x8xsi32>) -> tensor<4x8xsi32>
    %5 = "ttir.get_dimension_size"(%a) <{dimension = 2 : i32}> : (tensor<4x6x8xf32>) -> tensor<1xsi32>
    return %0, %1, %2, %3, %4, %5 : tensor<2x6x8xf32>, tensor<1x6x1xsi32>, tensor<4x6x8xf32>, tensor<4x6x8xsi32>, tensor<4x8xsi32>, tensor<1xsi32>
  }
}
