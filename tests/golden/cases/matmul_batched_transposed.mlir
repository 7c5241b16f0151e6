// A product per head with the second operand transposed, as in attention.
func.func @main(%arg0: tensor<8x128x64xbf16>, %arg1: tensor<8x256x64xbf16>) -> tensor<8x128x256xbf16> {
  %0 = "ttir.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = true}> : (tensor<8x128x64xbf16>, tensor<8x256x64xbf16>) -> tensor<8x128x256xbf16>
  return %0 : tensor<8x128x256xbf16>
}
