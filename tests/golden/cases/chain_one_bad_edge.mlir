// ttnn-optimizer.md 3.3.9, 2: one edge without a solution fails the chain. The last op must lie on one core, where it does not fit; the three
// ops before it go back to DRAM with it.
//! policy: DFSharding, DFSharding2
//! override-output-layout: last=1x1:l1:block_sharded:tile:bf16
func.func @main(%a: tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> {
  %0 = "ttnn.relu"(%a) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
  %1 = "ttnn.gelu"(%0) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
  %2 = "ttnn.silu"(%1) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16>
  %3 = "ttnn.relu"(%2) : (tensor<2048x2048xbf16>) -> tensor<2048x2048xbf16> loc("last")
  return %3 : tensor<2048x2048xbf16>
}
