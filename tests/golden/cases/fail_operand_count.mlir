//! policy: DRAM
// Two operands and a type for one.
func.func @main(%arg0: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.add"(%arg0, %arg0) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0 : tensor<32x32xbf16>
}
