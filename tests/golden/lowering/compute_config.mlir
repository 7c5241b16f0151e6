//! opt: --ttir-to-ttnn-backend-pipeline="compute-cfg-math-fidelity=hifi2 compute-cfg-fp32-dest-acc-en=true"
// Products and sums compute as the options say; element-wise ops have no such setting.
module {
  func.func @main(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x1xbf16> {
    %0 = "ttir.matmul"(%a, %b) : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
    %1 = "ttir.exp"(%0) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
    %2 = "ttir.sum"(%1) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<64x64xbf16>) -> tensor<64x1xbf16>
    return %2 : tensor<64x1xbf16>
  }
}
