//! opt: --ttnn-rm-layout-propagation
// docs/rules/lowering.md#row-major-propagation: the indices come in rows and gather reads rows, so the to_layout goes. neg wants tiles and keeps one;
// the reshape hands the rows on to the return, which gets tiles as before.
#rm = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4xsi32, #ttnn.buffer_type<dram>>, <interleaved>>
#tile = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #ttnn.buffer_type<dram>>, <interleaved>>
#flat = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #ttnn.buffer_type<dram>>, <interleaved>>
#table = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<16x4x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
#out = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
module {
  func.func @forward(%indices: tensor<2x4xsi32, #rm> {ttcore.argument_type = #ttcore.argument_type<input>}, %weight: tensor<512x128xbf16, #table>)
      -> (tensor<2x4xbf16, #out>, tensor<2x4xsi32, #tile>, tensor<1x8xsi32, #flat>) {
    %0 = "ttnn.to_layout"(%indices) <{layout = #ttnn.layout<tile>}> : (tensor<2x4xsi32, #rm>) -> tensor<2x4xsi32, #tile>
    %1 = "ttnn.gather"(%weight, %0) <{dim = 0 : i32}> : (tensor<512x128xbf16, #table>, tensor<2x4xsi32, #tile>) -> tensor<2x4xbf16, #out>
    %2 = "ttnn.neg"(%0) : (tensor<2x4xsi32, #tile>) -> tensor<2x4xsi32, #tile>
    %3 = "ttnn.reshape"(%0) <{shape = [1 : i32, 8 : i32]}> : (tensor<2x4xsi32, #tile>) -> tensor<1x8xsi32, #flat>
    return %1, %2, %3 : tensor<2x4xbf16, #out>, tensor<2x4xsi32, #tile>, tensor<1x8xsi32, #flat>
  }
}
