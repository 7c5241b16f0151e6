//! policy: DRAM
// A dim that is not concatenated differs.
func.func @main(%arg0: tensor<64x32xbf16>, %arg1: tensor<32x32xbf16>) -> tensor<64x64xbf16> {
  %0 = "ttir.concat"(%arg0, %arg1) <{dim = 1 : si32}> : (tensor<64x32xbf16>, tensor<32x32xbf16>) -> tensor<64x64xbf16>
  return %0 : tensor<64x64xbf16>
}
