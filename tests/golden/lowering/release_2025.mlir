//! opt: --ttir-to-ttnn-backend-pipeline
//! opt: --ttir-to-ttnn-backend-pipeline="compiler-release=2026-08"
// Ops that name the tensor to write are of 2025: no norm is fused, rows scattered into a cache fill it, sums over chips
// are scattered and gathered; the mesh is the module's.
module attributes {ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x2>]>} {
  func.func @main(%x: tensor<1x32x64xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %at: tensor<32xi64> {ttcore.argument_type = #ttcore.argument_type<input>}, %cache: tensor<1x8x64x32xf32> {ttcore.argument_type = #ttcore.argument_type<input>}, %w: tensor<64x128xf32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<1x4x64x32xf32>, tensor<32x128xf32>) {
    %0 = "ttir.mesh_shard"(%cache) <{shard_dims = array<i64: -1, 1>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 1, 2, 1, 1>, shard_type = #ttcore.shard_type<identity>}> : (tensor<1x8x64x32xf32>) -> tensor<1x4x64x32xf32>
    %1 = ttir.empty() : tensor<1x32x64xf32>
    %2 = "ttir.multiply"(%x, %x, %1) : (tensor<1x32x64xf32>, tensor<1x32x64xf32>, tensor<1x32x64xf32>) -> tensor<1x32x64xf32>
    %3 = ttir.empty() : tensor<1x32x1xf32>
    %4 = "ttir.mean"(%2, %3) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<1x32x64xf32>, tensor<1x32x1xf32>) -> tensor<1x32x1xf32>
    %5 = "ttir.constant"() <{value = dense<1.0e-5> : tensor<1x32x1xf32>}> : () -> tensor<1x32x1xf32>
    %6 = ttir.empty() : tensor<1x32x1xf32>
    %7 = "ttir.add"(%4, %5, %6) : (tensor<1x32x1xf32>, tensor<1x32x1xf32>, tensor<1x32x1xf32>) -> tensor<1x32x1xf32>
    %8 = ttir.empty() : tensor<1x32x1xf32>
    %9 = "ttir.rsqrt"(%7, %8) : (tensor<1x32x1xf32>, tensor<1x32x1xf32>) -> tensor<1x32x1xf32>
    %10 = ttir.empty() : tensor<1x32x64xf32>
    %11 = "ttir.multiply"(%x, %9, %10) : (tensor<1x32x64xf32>, tensor<1x32x1xf32>, tensor<1x32x64xf32>) -> tensor<1x32x64xf32>
    %12 = ttir.empty() : tensor<32x64xf32>
    %13 = "ttir.reshape"(%11, %12) <{shape = [32 : i32, 64 : i32]}> : (tensor<1x32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
    %14 = ttir.empty() : tensor<32x128xf32>
    %15 = "ttir.matmul"(%13, %w, %14) : (tensor<32x64xf32>, tensor<64x128xf32>, tensor<32x128xf32>) -> tensor<32x128xf32>
    %16 = ttir.empty() : tensor<1x32x4x32xf32>
    %17 = "ttir.reshape"(%15, %16) <{shape = [1 : i32, 32 : i32, 4 : i32, 32 : i32]}> : (tensor<32x128xf32>, tensor<1x32x4x32xf32>) -> tensor<1x32x4x32xf32>
    %18 = ttir.empty() : tensor<1x4x32x32xf32>
    %19 = "ttir.permute"(%17, %18) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x32x4x32xf32>, tensor<1x4x32x32xf32>) -> tensor<1x4x32x32xf32>
    %20 = ttir.empty() : tensor<32x1xi64>
    %21 = "ttir.reshape"(%at, %20) <{shape = [32 : i32, 1 : i32]}> : (tensor<32xi64>, tensor<32x1xi64>) -> tensor<32x1xi64>
    %22 = ttir.empty() : tensor<1x4x64x32xf32>
    %23 = "ttir.scatter"(%0, %21, %19, %22) <{index_vector_dim = 1 : i32, indices_are_sorted = false, input_batching_dims = array<i32>, inserted_window_dims = array<i32: 2>, scatter_dims_to_operand_dims = array<i32: 2>, scatter_indices_batching_dims = array<i32>, unique_indices = false, update_window_dims = array<i32: 0, 1, 3>}> : (tensor<1x4x64x32xf32>, tensor<32x1xi64>, tensor<1x4x32x32xf32>, tensor<1x4x64x32xf32>) -> tensor<1x4x64x32xf32>
    %24 = ttir.empty() : tensor<1x4x32x32xf32>
    %25 = "ttir.exp"(%19, %24) : (tensor<1x4x32x32xf32>, tensor<1x4x32x32xf32>) -> tensor<1x4x32x32xf32>
    %26 = ttir.empty() : tensor<1x32x4x32xf32>
    %27 = "ttir.permute"(%25, %26) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x4x32x32xf32>, tensor<1x32x4x32xf32>) -> tensor<1x32x4x32xf32>
    %28 = ttir.empty() : tensor<32x128xf32>
    %29 = "ttir.reshape"(%27, %28) <{shape = [32 : i32, 128 : i32]}> : (tensor<1x32x4x32xf32>, tensor<32x128xf32>) -> tensor<32x128xf32>
    %30 = ttir.empty() : tensor<32x128xf32>
    %31 = "ttir.all_reduce"(%29, %30) <{cluster_axis = 1 : ui32, reduce_type = #ttcore.reduce_type<sum>}> : (tensor<32x128xf32>, tensor<32x128xf32>) -> tensor<32x128xf32>
    return %23, %31 : tensor<1x4x64x32xf32>, tensor<32x128xf32>
  }
}
