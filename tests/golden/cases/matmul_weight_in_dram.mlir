// The weight of a matmul is read interleaved: a parameter stays in DRAM, a computed one does not stay sharded.
func.func @main(%arg0: tensor<256x512xbf16> {ttcore.argument_type = #ttcore.argument_type<input>}, %arg1: tensor<512x512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %arg2: tensor<512x256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<256x256xbf16> {
  %0 = "ttir.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = false}> : (tensor<256x512xbf16>, tensor<512x512xbf16>) -> tensor<256x512xbf16> loc("with_parameter")
  %1 = "ttir.tanh"(%arg2) : (tensor<512x256xbf16>) -> tensor<512x256xbf16> loc("weight")
  %2 = "ttir.matmul"(%0, %1) <{transpose_a = false, transpose_b = false}> : (tensor<256x512xbf16>, tensor<512x256xbf16>) -> tensor<256x256xbf16> loc("with_computed")
  return %2 : tensor<256x256xbf16>
}
