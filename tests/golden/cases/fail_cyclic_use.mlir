//! policy: DRAM
// An op reads its own result.
func.func @main(%arg0: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.add"(%arg0, %0) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0 : tensor<32x32xbf16>
}
