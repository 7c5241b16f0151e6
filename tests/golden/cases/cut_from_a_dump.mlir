//! policy: Greedy
// A function cut out of a dump: the layouts of its tensors are defined elsewhere.
func.func @main(%arg0: tensor<32x32xbf16, #layout>) -> tensor<32x32xbf16, #layout> {
  %0 = "ttnn.relu"(%arg0) : (tensor<32x32xbf16, #layout>) -> tensor<32x32xbf16, #layout>
  return %0 : tensor<32x32xbf16, #layout>
}
