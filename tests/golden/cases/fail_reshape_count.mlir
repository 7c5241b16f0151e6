//! policy: DRAM
// A reshape cannot change the number of elements.
func.func @main(%arg0: tensor<32x64xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.reshape"(%arg0) <{shape = [32 : i32, 32 : i32]}> : (tensor<32x64xbf16>) -> tensor<32x32xbf16>
  return %0 : tensor<32x32xbf16>
}
