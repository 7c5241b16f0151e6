// The short spelling with an output tensor handed in (destination-passing style), as older documents have it.
module {
  func.func @main(%a: tensor<32x64xbf16>, %b: tensor<64x128xbf16>) -> tensor<32x128xbf16> {
    %out = ttir.empty() : tensor<32x128xbf16>
    %c = ttir.matmul %a, %b, %out {
      transpose_a = false,
      transpose_b = false
    } : tensor<32x64xbf16>, tensor<64x128xbf16>, tensor<32x128xbf16>
      -> tensor<32x128xbf16>
    %out2 = ttir.empty() : tensor<32x128xbf16>
    %d = ttir.relu %c, %out2 : tensor<32x128xbf16>, tensor<32x128xbf16> -> tensor<32x128xbf16>
    return %d : tensor<32x128xbf16>
  }
}
