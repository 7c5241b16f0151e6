// Operand 0 comes from a permute and operand 1 from a relu: only a policy that looks at both keeps the relu's result in L1.
func.func @main(%arg0: tensor<512x256xbf16>, %arg1: tensor<256x512xbf16>) -> tensor<256x512xbf16> {
  %0 = "ttir.permute"(%arg0) <{permutation = array<i64: 1, 0>}> : (tensor<512x256xbf16>) -> tensor<256x512xbf16>
  %1 = "ttir.relu"(%arg1) : (tensor<256x512xbf16>) -> tensor<256x512xbf16>
  %2 = "ttir.add"(%0, %1) : (tensor<256x512xbf16>, tensor<256x512xbf16>) -> tensor<256x512xbf16>
  return %2 : tensor<256x512xbf16>
}
