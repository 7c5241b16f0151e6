//! policy: DRAM
// Sizes that no device holds: the op is refused with that reason, and no figure wraps around.
func.func @main(%arg0: tensor<33554432x33554432xbf16>, %arg1: tensor<33554432x33554432xbf16>) -> tensor<33554432x33554432xbf16> {
  %0 = "ttir.matmul"(%arg0, %arg1) : (tensor<33554432x33554432xbf16>, tensor<33554432x33554432xbf16>) -> tensor<33554432x33554432xbf16>
  return %0 : tensor<33554432x33554432xbf16>
}
