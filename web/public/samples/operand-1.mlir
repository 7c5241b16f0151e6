// The add's operand 0 comes from a permute and stays in DRAM, its operand 1 could stay sharded in L1.
// Pattern of the pass-based refactor proposal of tt-mlir (2026), Operand 0 Limitation.
module @operand_1 {
  func.func @forward(
      %arg0: tensor<1024x512xbf16> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "a"},
      %arg1: tensor<512x1024xbf16> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "b"},
      %arg2: tensor<1024x1024xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "matmul_b.weight"},
      %arg3: tensor<1024x1024xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "matmul_out.weight"}) -> tensor<512x1024xbf16> {
    %0 = "ttir.permute"(%arg0) <{permutation = array<i64: 1, 0>}> : (tensor<1024x512xbf16>) -> tensor<512x1024xbf16> loc("permute_a")
    %1 = "ttir.matmul"(%arg1, %arg2) <{transpose_a = false, transpose_b = false}> : (tensor<512x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<512x1024xbf16> loc("matmul_b")
    %2 = "ttir.relu"(%1) : (tensor<512x1024xbf16>) -> tensor<512x1024xbf16> loc("relu_b")
    %3 = "ttir.add"(%0, %2) : (tensor<512x1024xbf16>, tensor<512x1024xbf16>) -> tensor<512x1024xbf16> loc("add")
    %4 = "ttir.matmul"(%3, %arg3) <{transpose_a = false, transpose_b = false}> : (tensor<512x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<512x1024xbf16> loc("matmul_out")
    return %4 : tensor<512x1024xbf16>
  }
}
