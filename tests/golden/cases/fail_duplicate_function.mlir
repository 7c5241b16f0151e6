//! policy: DRAM
// Two functions of one name.
module {
  func.func @main(%arg0: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
    return %arg0 : tensor<32x32xbf16>
  }
  func.func @main(%arg0: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
    return %arg0 : tensor<64x64xbf16>
  }
}
