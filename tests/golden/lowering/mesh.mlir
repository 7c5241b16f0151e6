//! opt: --ttir-to-ttnn-backend-pipeline="mesh-shape=1,2"
// A tensor is spread over two chips, gathered and put together again; over one chip nothing is exchanged.
module {
  func.func @main(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
    %0 = "ttir.mesh_shard"(%a) <{shard_dims = array<i64: -1, 1>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 1, 2>, shard_type = #ttcore.shard_type<devices>}> : (tensor<64x128xf32>) -> tensor<64x64xf32>
    %1 = "ttir.all_gather"(%0) <{all_gather_dim = 1 : si32, cluster_axis = 1 : ui32}> : (tensor<64x64xf32>) -> tensor<64x128xf32>
    %2 = "ttir.all_reduce"(%1) <{cluster_axis = 0 : ui32, reduce_type = #ttcore.reduce_type<sum>}> : (tensor<64x128xf32>) -> tensor<64x128xf32>
    %3 = "ttir.mesh_shard"(%2) <{shard_dims = array<i64: -1>, shard_direction = #ttcore.shard_direction<shard_to_full>, shard_shape = array<i64: 1>, shard_type = #ttcore.shard_type<replicate>}> : (tensor<64x128xf32>) -> tensor<64x128xf32>
    return %3 : tensor<64x128xf32>
  }
}
