//! policy: DRAM
// 64 columns times 128 rows.
func.func @main(%arg0: tensor<32x64xbf16>, %arg1: tensor<128x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = false}> : (tensor<32x64xbf16>, tensor<128x32xbf16>) -> tensor<32x32xbf16>
  return %0 : tensor<32x32xbf16>
}
