// A constant of more than a few bytes keeps its size, not its digits.
func.func @main(%arg0: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = "ttir.constant"() <{value = dense_resource<table> : tensor<32x32xf32>}> : () -> tensor<32x32xf32>
  %1 = "ttir.add"(%arg0, %0) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  return %1 : tensor<32x32xf32>
}
