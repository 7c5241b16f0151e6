// Two results of 384 KiB per core wait while a matmul between them needs room for its own buffers.
func.func @main(%arg0: tensor<4096x3072xbf16>, %arg1: tensor<3072x3072xbf16>) -> tensor<4096x3072xbf16> {
  %0 = "ttir.relu"(%arg0) : (tensor<4096x3072xbf16>) -> tensor<4096x3072xbf16> loc("waits_longest")
  %1 = "ttir.exp"(%0) : (tensor<4096x3072xbf16>) -> tensor<4096x3072xbf16> loc("waits")
  %2 = "ttir.matmul"(%1, %arg1) <{transpose_a = false, transpose_b = false}> : (tensor<4096x3072xbf16>, tensor<3072x3072xbf16>) -> tensor<4096x3072xbf16>
  %3 = "ttir.add"(%2, %1) : (tensor<4096x3072xbf16>, tensor<4096x3072xbf16>) -> tensor<4096x3072xbf16>
  %4 = "ttir.add"(%3, %0) : (tensor<4096x3072xbf16>, tensor<4096x3072xbf16>) -> tensor<4096x3072xbf16>
  return %4 : tensor<4096x3072xbf16>
}
