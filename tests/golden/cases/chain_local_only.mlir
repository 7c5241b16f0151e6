// ttnn-optimizer.md 3.3.9, 4: chains are optimized one at a time. Each relu alone goes into L1 and out again, which costs more than DRAM.
//! policy: DFSharding, DRAM
func.func @main(%a: tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> {
  %0 = "ttnn.relu"(%a) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
  %1 = "ttnn.exp"(%0) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
  %2 = "ttnn.relu"(%1) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
  return %2 : tensor<2048x2048xbf16>
}
