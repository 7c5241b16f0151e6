//! opt: --ttnn-layout --convert-ttir-to-ttnn --ttnn-create-d2m-subgraphs
// Groups of element-wise ops become kernels.
module {
  func.func @forward(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
    %0 = "ttir.exp"(%a) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
    %1 = "ttir.add"(%0, %b) : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
    %2 = "ttir.abs"(%1) : (tensor<64x64xbf16>) -> tensor<64x64xbf16>
    %3 = "ttir.matmul"(%2, %b) : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
    return %3 : tensor<64x64xbf16>
  }
}
