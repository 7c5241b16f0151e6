// ttnn-optimizer.md 3.5.1: results in DRAM whose only reader runs next move to L1 interleaved when the fallback is on.
//! policy: DFSharding
//! l1-interleaved-fallback-analysis-enabled: true
func.func @main(%a: tensor<512x512xbf16>) -> tensor<512x512xbf16> {
  %0 = "ttnn.exp"(%a) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>
  %1 = "ttnn.neg"(%0) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>
  %2 = "ttnn.abs"(%1) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>
  return %2 : tensor<512x512xbf16>
}
