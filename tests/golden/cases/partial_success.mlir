// All or nothing (docs/rules/pass-generation.md#what-it-replaces): the sum over a row reads interleaved operands only. Where a chain fails as a whole, the
// passes lose nothing before and after it.
//! policy: DFSharding, Greedy, Beam
func.func @main(%x: tensor<1024x1024xbf16>, %y: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
  %0 = "ttir.add"(%x, %y) : (tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>
  %1 = "ttir.sigmoid"(%0) : (tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>
  %2 = "ttir.sum"(%1) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<1024x1024xbf16>) -> tensor<1024x1xbf16>
  %3 = "ttir.div"(%1, %2) : (tensor<1024x1024xbf16>, tensor<1024x1xbf16>) -> tensor<1024x1024xbf16>
  %4 = "ttir.gelu"(%3) : (tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>
  return %4 : tensor<1024x1024xbf16>
}
