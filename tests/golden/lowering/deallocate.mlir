//! opt: --ttnn-deallocate
// After the last use; not what is returned, not weights, not the conv input that the conv frees, not twice; reading what was freed is said.
#dram = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
module {
  func.func @main(%a: tensor<64x128xbf16, #dram> {ttcore.argument_type = #ttcore.argument_type<input>},
                  %w: tensor<64x128xbf16, #dram> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<64x128xbf16, #dram> {
    %0 = "ttnn.relu"(%a) : (tensor<64x128xbf16, #dram>) -> tensor<64x128xbf16, #dram>
    %1 = "ttnn.add"(%0, %w) : (tensor<64x128xbf16, #dram>, tensor<64x128xbf16, #dram>) -> tensor<64x128xbf16, #dram>
    "ttnn.deallocate"(%0) <{force = false}> : (tensor<64x128xbf16, #dram>) -> ()
    %2 = "ttnn.exp"(%1) : (tensor<64x128xbf16, #dram>) -> tensor<64x128xbf16, #dram>
    %3 = "ttnn.neg"(%0) : (tensor<64x128xbf16, #dram>) -> tensor<64x128xbf16, #dram>
    %4 = "ttnn.neg"(%1) : (tensor<64x128xbf16, #dram>) -> tensor<64x128xbf16, #dram>
    return %2 : tensor<64x128xbf16, #dram>
  }
}
