// A typecast doubles the bytes of each tile.
func.func @main(%arg0: tensor<512x512xbf16>) -> tensor<512x512xf32> {
  %0 = "ttir.relu"(%arg0) : (tensor<512x512xbf16>) -> tensor<512x512xbf16>
  %1 = "ttir.typecast"(%0) <{conservative_folding = false}> : (tensor<512x512xbf16>) -> tensor<512x512xf32>
  %2 = "ttir.exp"(%1) : (tensor<512x512xf32>) -> tensor<512x512xf32>
  return %2 : tensor<512x512xf32>
}
