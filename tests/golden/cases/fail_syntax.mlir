//! policy: DRAM
// A missing comma and a missing bracket: both are reported, each at its place.
func.func @main(%arg0: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.add"(%arg0 %arg0) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %1 = "ttir.relu"(%0) : (tensor<32x32xbf16> -> tensor<32x32xbf16>
  return %1 : tensor<32x32xbf16>
}
