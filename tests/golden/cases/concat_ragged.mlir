// docs/rules/pass-generation.md: the compiler's rule book for concat (tt-metal issue 41504). 1,568 rows are whole tiles: the first concat keeps
// the shards of its operands. 784 are not: the second one reads and writes DRAM, although its operands are sharded alike.
//! policy: Beam
//! preset: upstream
func.func @main(%a: tensor<1x1x1568x64xbf16>, %b: tensor<1x1x1568x64xbf16>, %c: tensor<1x1x784x64xbf16>, %d: tensor<1x1x784x64xbf16>) -> (tensor<1x1x1568x128xbf16>, tensor<1x1x784x128xbf16>) {
  %0 = "ttnn.relu"(%a) : (tensor<1x1x1568x64xbf16>) -> tensor<1x1x1568x64xbf16>
  %1 = "ttnn.relu"(%b) : (tensor<1x1x1568x64xbf16>) -> tensor<1x1x1568x64xbf16>
  %2 = "ttnn.concat"(%0, %1) <{dim = 3 : si32}> : (tensor<1x1x1568x64xbf16>, tensor<1x1x1568x64xbf16>) -> tensor<1x1x1568x128xbf16>
  %3 = "ttnn.relu"(%2) : (tensor<1x1x1568x128xbf16>) -> tensor<1x1x1568x128xbf16>
  %4 = "ttnn.relu"(%c) : (tensor<1x1x784x64xbf16>) -> tensor<1x1x784x64xbf16>
  %5 = "ttnn.relu"(%d) : (tensor<1x1x784x64xbf16>) -> tensor<1x1x784x64xbf16>
  %6 = "ttnn.concat"(%4, %5) <{dim = 3 : si32}> : (tensor<1x1x784x64xbf16>, tensor<1x1x784x64xbf16>) -> tensor<1x1x784x128xbf16>
  %7 = "ttnn.relu"(%6) : (tensor<1x1x784x128xbf16>) -> tensor<1x1x784x128xbf16>
  return %3, %7 : tensor<1x1x1568x128xbf16>, tensor<1x1x784x128xbf16>
}
