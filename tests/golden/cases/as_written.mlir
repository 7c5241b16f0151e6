//! policy: AsWritten
// A TTNN graph as it stands: its moves, its order and its deallocations are steps; %1 is never given back.
#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#d = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#s = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<4x4x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>>
func.func @main(%a: tensor<1024x1024xbf16, #d>) -> tensor<1024x1024xbf16, #d> {
  %0 = "ttnn.to_memory_config"(%a) : (tensor<1024x1024xbf16, #d>) -> tensor<1024x1024xbf16, #s>
  %1 = "ttnn.relu"(%0) : (tensor<1024x1024xbf16, #s>) -> tensor<1024x1024xbf16, #s>
  "ttnn.deallocate"(%0) <{force = false}> : (tensor<1024x1024xbf16, #s>) -> ()
  %2 = "ttnn.gelu"(%1) : (tensor<1024x1024xbf16, #s>) -> tensor<1024x1024xbf16, #s>
  %3 = "ttnn.to_memory_config"(%2) : (tensor<1024x1024xbf16, #s>) -> tensor<1024x1024xbf16, #d>
  "ttnn.deallocate"(%2) <{force = false}> : (tensor<1024x1024xbf16, #s>) -> ()
  return %3 : tensor<1024x1024xbf16, #d>
}
