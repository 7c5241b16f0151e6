#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#ttnn_layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout2 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout3 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x2>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (1,1)>]>>
module {
  func.func @main(%a: tensor<64x32xbf16, #ttnn_layout>, %b: tensor<32x64xbf16, #ttnn_layout1>) -> tensor<64x64xbf16, #ttnn_layout2> {
    %1 = "ttnn.matmul"(%a, %b) <{activation = "relu", matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_program_config<compute_with_storage_grid_size = #ttnn.core_coord<2, 2>, in0_block_w = 1, out_subblock_h = 1, out_subblock_w = 1, out_block_h = 1, out_block_w = 1, per_core_m = 1, per_core_n = 1, transpose_mcast = false, fuse_batch = true>, memory_config = #ttnn.memory_config<#l1, <block_sharded>, #ttnn.shard_spec<<[#ttnn.core_range<(0,0), (1,1)>]>, <32x32>, <row_major>>>, transpose_a = false, transpose_b = false}> : (tensor<64x32xbf16, #ttnn_layout>, tensor<32x64xbf16, #ttnn_layout1>) -> tensor<64x64xbf16, #ttnn_layout3>
    "ttnn.deallocate"(%a) <{force = false}> : (tensor<64x32xbf16, #ttnn_layout>) -> ()
    "ttnn.deallocate"(%b) <{force = false}> : (tensor<32x64xbf16, #ttnn_layout1>) -> ()
    %v1_return = "ttnn.to_memory_config"(%1) <{memory_config = #ttnn.memory_config<#dram, <interleaved>>}> : (tensor<64x64xbf16, #ttnn_layout3>) -> tensor<64x64xbf16, #ttnn_layout2>
    "ttnn.deallocate"(%1) <{force = false}> : (tensor<64x64xbf16, #ttnn_layout3>) -> ()
    return %v1_return : tensor<64x64xbf16, #ttnn_layout2>
  }
}
