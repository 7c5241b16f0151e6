//! policy: DRAM
// 96 columns do not stretch to 64.
func.func @main(%arg0: tensor<32x64xbf16>, %arg1: tensor<32x96xbf16>) -> tensor<32x64xbf16> {
  %0 = "ttir.add"(%arg0, %arg1) : (tensor<32x64xbf16>, tensor<32x96xbf16>) -> tensor<32x64xbf16>
  return %0 : tensor<32x64xbf16>
}
