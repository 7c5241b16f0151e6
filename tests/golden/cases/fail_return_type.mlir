//! policy: DRAM
// The function declares another result than it returns.
func.func @main(%arg0: tensor<32x32xbf16>) -> tensor<64x64xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0 : tensor<32x32xbf16>
}
