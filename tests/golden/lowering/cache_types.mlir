//! opt: --ttnn-kv-cache-dtype-conversion="target-dtype=bfp_bf8"
//! opt: --ttnn-kv-cache-dtype-conversion
// A cache, what fills it and what it is returned as are block floats.
#dram = #ttnn.buffer_type<dram>
#cache = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#row = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  func.func @main(%c: tensor<1x1x64x64xbf16, #cache> {ttcore.kv_cache}, %x: tensor<1x1x32x64xbf16, #row>) -> tensor<1x1x64x64xbf16, #cache> {
    "ttnn.fill_cache"(%c, %x) <{batch_offset = 0 : i32}> : (tensor<1x1x64x64xbf16, #cache>, tensor<1x1x32x64xbf16, #row>) -> ()
    return %c : tensor<1x1x64x64xbf16, #cache>
  }
}
