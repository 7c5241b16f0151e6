// ttnn-optimizer.md 4.1: a fork, a concat in width and a merge on operand 1, all of which stay in L1.
//! policy: DFSharding, DFSharding2
func.func @main(%a: tensor<2048x64xbf16>, %b: tensor<2048x64xbf16>, %c: tensor<2048x128xbf16>) -> tensor<2048x128xbf16> {
  %0 = "ttnn.relu"(%a) : (tensor<2048x64xbf16>) -> tensor<2048x64xbf16>
  %1 = "ttnn.gelu"(%b) : (tensor<2048x64xbf16>) -> tensor<2048x64xbf16>
  %2 = "ttnn.concat"(%0, %1) <{dim = 1 : si32}> : (tensor<2048x64xbf16>, tensor<2048x64xbf16>) -> tensor<2048x128xbf16>
  %3 = "ttnn.silu"(%2) : (tensor<2048x128xbf16>) -> tensor<2048x128xbf16>
  %4 = "ttnn.add"(%3, %2) : (tensor<2048x128xbf16>, tensor<2048x128xbf16>) -> tensor<2048x128xbf16>
  %5 = "ttnn.multiply"(%c, %4) : (tensor<2048x128xbf16>, tensor<2048x128xbf16>) -> tensor<2048x128xbf16>
  return %5 : tensor<2048x128xbf16>
}
