// Two matmuls around ttnn.dispatch_d2m, which stands for exp, neg and abs fused into one D2M kernel. It ends the chain
// before it, and the chain after it chooses the layout it should write. Already in TTNN, all tensors L1 interleaved.
// Example of the D2M optimization walkthrough of tt-mlir (2026).
#l1 = #ttnn.buffer_type<l1>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
module @d2m_dispatch {
  func.func @dispatch_with_matmul_producer(
      %arg0: tensor<64x128xbf16, #layout> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "x"},
      %arg1: tensor<128x256xbf16, #layout> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "w0"},
      %arg2: tensor<256x64xbf16, #layout> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "w1"},
      %arg3: tensor<64x256xbf16, #layout> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "w2"}) -> tensor<64x256xbf16, #layout> {
    %device = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
    %0 = "ttnn.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = false}> : (tensor<64x128xbf16, #layout>, tensor<128x256xbf16, #layout>) -> tensor<64x256xbf16, #layout> loc("matmul0")
    %empty = "ttnn.empty"(%device) <{dtype = #ttcore.supportedDataTypes<bf16>, layout = #ttnn.layout<tile>, memory_config = #ttnn.memory_config<#l1, <interleaved>>, shape = #ttnn.shape<64x256>}> : (!ttnn.device) -> tensor<64x256xbf16, #layout> loc("empty")
    %dispatch = "ttnn.dispatch_d2m"(%0, %empty) : (tensor<64x256xbf16, #layout>, tensor<64x256xbf16, #layout>) -> tensor<64x256xbf16, #layout> loc("exp_neg_abs")
    %4 = "ttnn.matmul"(%dispatch, %arg2) <{transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16, #layout>, tensor<256x64xbf16, #layout>) -> tensor<64x64xbf16, #layout> loc("matmul1")
    %5 = "ttnn.matmul"(%4, %arg3) <{transpose_a = false, transpose_b = false}> : (tensor<64x64xbf16, #layout>, tensor<64x256xbf16, #layout>) -> tensor<64x256xbf16, #layout> loc("matmul2")
    return %5 : tensor<64x256xbf16, #layout>
  }
}
