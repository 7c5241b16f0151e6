// The diamond Op0..Op4: op1 has two users, op4 joins them, so a chain that may not fork breaks twice.
// Example of the TTNN optimizer specification of tt-mlir (2025), 3.3.8, with real ops.
module @fork_join {
  func.func @forward(
      %arg0: tensor<512x512xbf16> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "x"},
      %arg1: tensor<512x512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "op0.matmul.weight"},
      %arg2: tensor<512x512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "op2.matmul.weight"}) -> tensor<512x512xbf16> {
    %0 = "ttir.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = false}> : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16> loc("op0.matmul")
    %1 = "ttir.relu"(%0) : (tensor<512x512xbf16>) -> tensor<512x512xbf16> loc("op1.relu")
    %2 = "ttir.matmul"(%1, %arg2) <{transpose_a = false, transpose_b = false}> : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16> loc("op2.matmul")
    %3 = "ttir.gelu"(%1) : (tensor<512x512xbf16>) -> tensor<512x512xbf16> loc("op3.gelu")
    %4 = "ttir.add"(%2, %3) : (tensor<512x512xbf16>, tensor<512x512xbf16>) -> tensor<512x512xbf16> loc("op4.add")
    return %4 : tensor<512x512xbf16>
  }
}
