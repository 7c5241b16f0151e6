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
  // An updated cache is wanted by the caller even where it came as a plain input; what arrives in L1 is the caller's.
  func.func @kept(%cache: tensor<1x1x32x32xbf16, #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>> {ttcore.argument_type = #ttcore.argument_type<input>},
                  %row: tensor<1x1x1x32xbf16, #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>> {ttcore.argument_type = #ttcore.argument_type<input>},
                  %at: tensor<1xsi32> {ttcore.argument_type = #ttcore.argument_type<input>},
                  %x: tensor<64x128xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <interleaved>>> {ttcore.argument_type = #ttcore.argument_type<input>}) -> tensor<64x128xbf16, #dram> {
    "ttnn.update_cache"(%cache, %row, %at) <{batch_offset = 0 : i32}> : (tensor<1x1x32x32xbf16, #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>>, tensor<1x1x1x32xbf16, #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>>, tensor<1xsi32>) -> ()
    %0 = "ttnn.relu"(%x) : (tensor<64x128xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <interleaved>>>) -> tensor<64x128xbf16, #dram>
    return %0 : tensor<64x128xbf16, #dram>
  }
}
