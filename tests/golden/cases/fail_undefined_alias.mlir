//! policy: DRAM
// An alias of an attribute that no line defines.
func.func @main(%arg0: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttnn.relu"(%arg0) <{memory_config = #config}> : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0 : tensor<32x32xbf16>
}
