// The activation of the second matmul comes from a relu in L1 and may stay sharded.
func.func @main(%arg0: tensor<512x512xbf16>, %arg1: tensor<512x1024xbf16>, %arg2: tensor<1024x512xbf16>) -> tensor<512x512xbf16> {
  %0 = "ttir.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = false}> : (tensor<512x512xbf16>, tensor<512x1024xbf16>) -> tensor<512x1024xbf16>
  %1 = "ttir.relu"(%0) : (tensor<512x1024xbf16>) -> tensor<512x1024xbf16>
  %2 = "ttir.matmul"(%1, %arg2) <{transpose_a = false, transpose_b = false}> : (tensor<512x1024xbf16>, tensor<1024x512xbf16>) -> tensor<512x512xbf16>
  return %2 : tensor<512x512xbf16>
}
