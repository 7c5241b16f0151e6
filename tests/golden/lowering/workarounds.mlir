//! opt: --preset=seed --ttnn-layout --convert-ttir-to-ttnn --ttnn-decomposition-workarounds --ttnn-layout-workarounds --remove-dead-values
// Indices as unsigned rows, argmax from rows, a predicate like its values, sums dim by dim.
module {
  func.func @main(%ids: tensor<1x32xi32> {ttcore.argument_type = #ttcore.argument_type<input>}, %table: tensor<512x128xf32>, %mask: tensor<1x32x128xi1>)
      -> (tensor<1x32xi32>, tensor<128xf32>) {
    %0 = "ttir.embedding"(%ids, %table) : (tensor<1x32xi32>, tensor<512x128xf32>) -> tensor<1x32x128xf32>
    %1 = "ttir.where"(%mask, %0, %0) : (tensor<1x32x128xi1>, tensor<1x32x128xf32>, tensor<1x32x128xf32>) -> tensor<1x32x128xf32>
    %2 = "ttir.argmax"(%1) <{dim_arg = [2 : i32], keep_dim = false}> : (tensor<1x32x128xf32>) -> tensor<1x32xi32>
    %3 = "ttir.sum"(%1) <{dim_arg = [0 : i32, 1 : i32], keep_dim = false}> : (tensor<1x32x128xf32>) -> tensor<128xf32>
    return %2, %3 : tensor<1x32xi32>, tensor<128xf32>
  }
}
