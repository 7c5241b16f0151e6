//! opt: --ttnn-ccl-activation-dtype-lowering
// What a product sends to the other chips goes in block floats: up to the sum with the residual; through a gate to the
// next product; to rotations and caches, in front of which it is unpacked; to the largest score, which reads rows. A
// product that nobody sends on stays, and so does one that a second reader wants.
#dram = #ttnn.buffer_type<dram>
#l = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#w = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#r = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#i = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x1xui32, #dram>, <interleaved>>
module {
  func.func @residual(%x: tensor<32x64xbf16, #l>, %w: tensor<64x64xbf16, #w>) -> tensor<32x64xbf16, #l> {
    %0 = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<32x64xbf16, #l>, tensor<64x64xbf16, #w>) -> tensor<32x64xbf16, #l>
    %1 = "ttnn.all_reduce"(%0) <{cluster_axis = 1 : ui32, reduce_type = #ttcore.reduce_type<sum>}> : (tensor<32x64xbf16, #l>) -> tensor<32x64xbf16, #l>
    %2 = "ttnn.add"(%1, %x) : (tensor<32x64xbf16, #l>, tensor<32x64xbf16, #l>) -> tensor<32x64xbf16, #l>
    return %2 : tensor<32x64xbf16, #l>
  }
  func.func @gate(%x: tensor<32x64xbf16, #l>, %w: tensor<64x64xbf16, #w>) -> tensor<32x64xbf16, #l> {
    %0 = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<32x64xbf16, #l>, tensor<64x64xbf16, #w>) -> tensor<32x64xbf16, #l>
    %1 = "ttnn.all_reduce"(%0) <{cluster_axis = 1 : ui32, reduce_type = #ttcore.reduce_type<sum>}> : (tensor<32x64xbf16, #l>) -> tensor<32x64xbf16, #l>
    %2 = "ttnn.silu"(%1) : (tensor<32x64xbf16, #l>) -> tensor<32x64xbf16, #l>
    %3 = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<32x64xbf16, #l>, tensor<64x64xbf16, #w>) -> tensor<32x64xbf16, #l>
    %4 = "ttnn.all_reduce"(%3) <{cluster_axis = 1 : ui32, reduce_type = #ttcore.reduce_type<sum>}> : (tensor<32x64xbf16, #l>) -> tensor<32x64xbf16, #l>
    %5 = "ttnn.multiply"(%2, %4) : (tensor<32x64xbf16, #l>, tensor<32x64xbf16, #l>) -> tensor<32x64xbf16, #l>
    %6 = "ttnn.matmul"(%5, %w) <{transpose_a = false, transpose_b = false}> : (tensor<32x64xbf16, #l>, tensor<64x64xbf16, #w>) -> tensor<32x64xbf16, #l>
    %7 = "ttnn.all_reduce"(%6) <{cluster_axis = 1 : ui32, reduce_type = #ttcore.reduce_type<sum>}> : (tensor<32x64xbf16, #l>) -> tensor<32x64xbf16, #l>
    %8 = "ttnn.add"(%x, %7) : (tensor<32x64xbf16, #l>, tensor<32x64xbf16, #l>) -> tensor<32x64xbf16, #l>
    return %8 : tensor<32x64xbf16, #l>
  }
  func.func @scores(%x: tensor<32x64xbf16, #l>, %w: tensor<64x64xbf16, #w>) -> tensor<32x1xui32, #i> {
    %0 = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<32x64xbf16, #l>, tensor<64x64xbf16, #w>) -> tensor<32x64xbf16, #l>
    %1 = "ttnn.all_reduce"(%0) <{cluster_axis = 1 : ui32, reduce_type = #ttcore.reduce_type<sum>}> : (tensor<32x64xbf16, #l>) -> tensor<32x64xbf16, #l>
    %2 = "ttnn.argmax"(%1) <{dim = 1 : i32, keep_dim = true, use_multicore = false}> : (tensor<32x64xbf16, #l>) -> tensor<32x1xui32, #i>
    return %2 : tensor<32x1xui32, #i>
  }
  func.func @rotated(%x: tensor<32x64xbf16, #l>, %w: tensor<64x64xbf16, #w>, %cos: tensor<1x1x32x64xbf16, #r>) -> tensor<1x1x32x64xbf16, #r> {
    %0 = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<32x64xbf16, #l>, tensor<64x64xbf16, #w>) -> tensor<32x64xbf16, #l>
    %1 = "ttnn.all_reduce"(%0) <{cluster_axis = 1 : ui32, reduce_type = #ttcore.reduce_type<sum>}> : (tensor<32x64xbf16, #l>) -> tensor<32x64xbf16, #l>
    %2 = "ttnn.reshape"(%1) <{shape = [1 : i32, 1 : i32, 32 : i32, 64 : i32]}> : (tensor<32x64xbf16, #l>) -> tensor<1x1x32x64xbf16, #r>
    %3 = "ttnn.rotary_embedding"(%2, %cos, %cos) : (tensor<1x1x32x64xbf16, #r>, tensor<1x1x32x64xbf16, #r>, tensor<1x1x32x64xbf16, #r>) -> tensor<1x1x32x64xbf16, #r>
    return %3 : tensor<1x1x32x64xbf16, #r>
  }
  func.func @stays(%x: tensor<32x64xbf16, #l>, %w: tensor<64x64xbf16, #w>) -> (tensor<32x64xbf16, #l>, tensor<32x64xbf16, #l>) {
    %0 = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<32x64xbf16, #l>, tensor<64x64xbf16, #w>) -> tensor<32x64xbf16, #l>
    %1 = "ttnn.add"(%0, %x) : (tensor<32x64xbf16, #l>, tensor<32x64xbf16, #l>) -> tensor<32x64xbf16, #l>
    %2 = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<32x64xbf16, #l>, tensor<64x64xbf16, #w>) -> tensor<32x64xbf16, #l>
    %3 = "ttnn.all_reduce"(%2) <{cluster_axis = 1 : ui32, reduce_type = #ttcore.reduce_type<sum>}> : (tensor<32x64xbf16, #l>) -> tensor<32x64xbf16, #l>
    %4 = "ttnn.add"(%3, %2) : (tensor<32x64xbf16, #l>, tensor<32x64xbf16, #l>) -> tensor<32x64xbf16, #l>
    return %1, %4 : tensor<32x64xbf16, #l>, tensor<32x64xbf16, #l>
  }
}
