//! policy: DRAM
// A location's string is not closed: the rest of its line is lost, the next line is read.
func.func @main(%arg0: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<32x32xbf16>) -> tensor<32x32xbf16> loc("relu)
  return %0 : tensor<32x32xbf16>
}
