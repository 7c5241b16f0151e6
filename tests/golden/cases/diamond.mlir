// docs/rules/pass-generation.md#what-it-replaces: fork and join need no special case. Everything stays where it was made.
//! policy: DFSharding, Greedy, Beam
func.func @main(%x: tensor<1024x1024xbf16>, %y: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  %top = "ttir.add"(%x, %y) : (tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>
  %left = "ttir.relu"(%top) : (tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>
  %right = "ttir.exp"(%top) : (tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>
  %join = "ttir.multiply"(%left, %right) : (tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>
  return %join : tensor<1024x1024xbf16>
}
