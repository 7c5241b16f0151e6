//! opt: --ttnn-operation-validation-and-fallback --tensor-l1-usage-cap=0.2
// docs/rules/lowering.md#validation-and-fallback: a result in L1 that is too large goes to DRAM (here L1 is made small; on a whole chip it fits).
// relu does not read rows: its operand is converted. What reads the results gets the layout it expects.
#dram = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1024x1024xbf16, #ttnn.buffer_type<dram>>, <interleaved>>
#l1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x16x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <interleaved>>
module {
  func.func @main(%a: tensor<1024x1024xbf16, #dram>, %b: tensor<1024x1024xbf16, #dram>, %c: tensor<1024x1024xbf16, #rows>)
      -> (tensor<1024x1024xbf16, #l1>, tensor<1024x1024xbf16, #dram>) {
    %0 = "ttnn.matmul"(%a, %b) <{transpose_a = false, transpose_b = false}> : (tensor<1024x1024xbf16, #dram>, tensor<1024x1024xbf16, #dram>) -> tensor<1024x1024xbf16, #l1>
    %1 = "ttnn.relu"(%c) : (tensor<1024x1024xbf16, #rows>) -> tensor<1024x1024xbf16, #dram>
    return %0, %1 : tensor<1024x1024xbf16, #l1>, tensor<1024x1024xbf16, #dram>
  }
}
