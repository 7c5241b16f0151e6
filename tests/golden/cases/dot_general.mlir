// A product given by its contracted dims, as dumps from XLA have it.
func.func @main(%arg0: tensor<32x2048xbf16>, %arg1: tensor<2048x512xbf16>) -> tensor<32x512xbf16> {
  %0 = "ttir.dot_general"(%arg0, %arg1) <{batch_dims_lhs = array<i64>, batch_dims_rhs = array<i64>, contract_dims_lhs = array<i64: 1>, contract_dims_rhs = array<i64: 0>}> : (tensor<32x2048xbf16>, tensor<2048x512xbf16>) -> tensor<32x512xbf16>
  return %0 : tensor<32x512xbf16>
}
