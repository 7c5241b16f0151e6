//! policy: DRAM
// The use of %0 declares another type than its definition.
func.func @main(%arg0: tensor<32x64xbf16>) -> tensor<64x32xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
  %1 = "ttir.relu"(%0) : (tensor<64x32xbf16>) -> tensor<64x32xbf16>
  return %1 : tensor<64x32xbf16>
}
