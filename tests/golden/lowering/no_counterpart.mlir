//! opt: --ttnn-layout --convert-ttir-to-ttnn
// dot_general is decomposed by the preparation passes; without them the conversion says which op it leaves.
module {
  func.func @main(%a: tensor<32x64xbf16>, %b: tensor<64x128xbf16>) -> tensor<32x128xbf16> {
    %0 = "ttir.dot_general"(%a, %b) <{batch_dims_lhs = array<i64>, batch_dims_rhs = array<i64>, contract_dims_lhs = array<i64: 1>, contract_dims_rhs = array<i64: 0>}> : (tensor<32x64xbf16>, tensor<64x128xbf16>) -> tensor<32x128xbf16> loc("dot.1")
    %1 = "ttir.relu"(%0) : (tensor<32x128xbf16>) -> tensor<32x128xbf16>
    return %1 : tensor<32x128xbf16>
  }
}
