//! policy: DRAM
// Two ops give their result the same name.
func.func @main(%arg0: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %0 = "ttir.exp"(%arg0) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0 : tensor<32x32xbf16>
}
