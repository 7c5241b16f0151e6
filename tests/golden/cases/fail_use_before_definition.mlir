//! policy: DRAM
// %1 is read one line before it is defined, %nowhere is defined nowhere.
func.func @main(%arg0: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.relu"(%1) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %1 = "ttir.relu"(%arg0) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %2 = "ttir.add"(%0, %nowhere) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %2 : tensor<32x32xbf16>
}
