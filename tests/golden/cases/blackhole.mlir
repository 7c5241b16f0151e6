//! device: p150
// The same kind of chain on 10x13 cores.
func.func @main(%arg0: tensor<1280x1664xbf16>) -> tensor<1280x1664xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<1280x1664xbf16>) -> tensor<1280x1664xbf16>
  %1 = "ttir.exp"(%0) : (tensor<1280x1664xbf16>) -> tensor<1280x1664xbf16>
  return %1 : tensor<1280x1664xbf16>
}
