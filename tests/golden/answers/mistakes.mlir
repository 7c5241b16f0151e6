// Mistakes of several kinds, with their places.
//! ask: lint {}
//! ask: run {}
//! ask: passes {}
//! ask: regret {}
func.func @main(%a: tensor<32x64xbf16>, %b: tensor<64x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.add"(%a, %c) : (tensor<32x64xbf16>, tensor<32x64xbf16>) -> tensor<32x64xbf16>
  %1 = "ttir.matmul"(%a, %a) : (tensor<32x64xbf16>, tensor<32x64xbf16>) -> tensor<32x64xbf16>
  %1 = "ttir.relu"(%b) : (tensor<32x64xbf16>) -> tensor<64x32xbf16>
  %2 = "ttir.permute"(%b) <{permutation = array<i64: 0, 2>}> : (tensor<64x32xbf16>) -> tensor<32x64xbf16>
  return %0 : tensor<32x64xbf16>
}
