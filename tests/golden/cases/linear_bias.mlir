// A linear layer is one op: the product and its bias.
func.func @main(%arg0: tensor<256x512xbf16>, %arg1: tensor<512x768xbf16>, %arg2: tensor<768xbf16>) -> tensor<256x768xbf16> {
  %0 = "ttir.linear"(%arg0, %arg1, %arg2) <{transpose_a = false, transpose_b = false}> : (tensor<256x512xbf16>, tensor<512x768xbf16>, tensor<768xbf16>) -> tensor<256x768xbf16>
  %1 = "ttir.gelu"(%0) : (tensor<256x768xbf16>) -> tensor<256x768xbf16>
  return %1 : tensor<256x768xbf16>
}
