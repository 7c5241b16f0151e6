// Layouts that stand in the text are carried out; one of them does not fit.
//! ask: run {}
//! ask: compare {"runs":[{},{"reoptimize":true},{"policy":"DRAM"}]}
//! ask: plan {}
//! ask: mlir {"reoptimize":true}
#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#d = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#s = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<4x4x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>>
#h = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, memref<16x32x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>>
func.func @main(%a: tensor<1024x1024xbf16, #d>) -> tensor<1024x1024xbf16, #d> {
  %0 = "ttnn.relu"(%a) : (tensor<1024x1024xbf16, #d>) -> tensor<1024x1024xbf16, #s>
  %1 = "ttnn.add"(%0, %a) : (tensor<1024x1024xbf16, #s>, tensor<1024x1024xbf16, #d>) -> tensor<1024x1024xbf16, #s>
  %2 = "ttnn.to_memory_config"(%1) : (tensor<1024x1024xbf16, #s>) -> tensor<1024x1024xbf16, #h>
  %3 = "ttnn.exp"(%2) : (tensor<1024x1024xbf16, #h>) -> tensor<1024x1024xbf16, #d>
  return %3 : tensor<1024x1024xbf16, #d>
}
