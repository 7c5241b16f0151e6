//! opt: --ttir-element-type-normalization
//! opt: --ttir-to-ttnn-backend-pipeline
// Element types that the device lacks: i64 becomes si32 (numbers that do not fit the nearest), i1 bf16, f64 f32.
module {
  func.func @main(%a: tensor<4xi64>, %b: tensor<4xf64>) -> (tensor<4xi1>, tensor<4xi64>, tensor<4xf64>) {
    %0 = "ttir.constant"() <{value = dense<[0, -1, 9000000000, 3]> : tensor<4xi64>}> : () -> tensor<4xi64>
    %1 = "ttir.constant"() <{value = dense<[true, false, true, true]> : tensor<4xi1>}> : () -> tensor<4xi1>
    %2 = "ttir.constant"() <{value = dense<2.5> : tensor<4xf64>}> : () -> tensor<4xf64>
    %3 = "ttir.lt"(%a, %0) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
    %4 = "ttir.logical_and"(%3, %1) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %5 = "ttir.where"(%4, %a, %0) : (tensor<4xi1>, tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
    %6 = "ttir.multiply"(%b, %2) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
    return %4, %5, %6 : tensor<4xi1>, tensor<4xi64>, tensor<4xf64>
  }
}
