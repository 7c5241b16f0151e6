//! opt: --ttir-fusing-first
// What is fused as it was written, before anything is decomposed: an activation, but no product with its bias.
module {
  func.func @forward(%x: tensor<32x64xbf16>, %w: tensor<64x128xbf16>, %b: tensor<128xbf16>) -> tensor<32x128xbf16> {
    %0 = "ttir.sigmoid"(%x) : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
    %1 = "ttir.multiply"(%x, %0) : (tensor<32x64xbf16>, tensor<32x64xbf16>) -> tensor<32x64xbf16>
    %2 = "ttir.matmul"(%1, %w) : (tensor<32x64xbf16>, tensor<64x128xbf16>) -> tensor<32x128xbf16>
    %3 = "ttir.add"(%2, %b) : (tensor<32x128xbf16>, tensor<128xbf16>) -> tensor<32x128xbf16>
    return %3 : tensor<32x128xbf16>
  }
}
