//  1  import jax, jax.numpy as jnp
//  2
//  3  def conv(x, kernel, stride):
//  4      return jax.lax.conv_general_dilated(
//  5          x, kernel, (stride, stride), [(kernel.shape[0] // 2,) * 2] * 2, dimension_numbers=("NHWC", "HWIO", "NHWC"))
//  6
//  7  def norm(x, scale, shift):
//  8      return x * scale + shift
//  9
// 10  @jax.jit
// 11  def block(x, k1, k2, k3, s1, s2, s3, t1, t2, t3):
// 12      y = jax.nn.relu(norm(conv(x, k1, 1), s1, t1))
// 13      y = jax.nn.relu(norm(conv(y, k2, 1), s2, t2))
// 14      y = norm(conv(y, k3, 1), s3, t3)
// 15      return jax.nn.relu(x + y)
module @jit_block attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x56x56x256xbf16> loc("x"), %arg1: tensor<1x1x256x64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "k1"} loc("k1"), %arg2: tensor<3x3x64x64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "k2"} loc("k2"), %arg3: tensor<1x1x64x256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "k3"} loc("k3"), %arg4: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "s1"} loc("s1"), %arg5: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "s2"} loc("s2"), %arg6: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "s3"} loc("s3"), %arg7: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "t1"} loc("t1"), %arg8: tensor<64xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "t2"} loc("t2"), %arg9: tensor<256xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "t3"} loc("t3")) -> (tensor<1x56x56x256xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x56x56x256xbf16>, tensor<1x1x256x64xbf16>) -> tensor<1x56x56x64xbf16> loc(#loc2)
    %1 = stablehlo.broadcast_in_dim %arg4, dims = [3] : (tensor<64xbf16>) -> tensor<1x56x56x64xbf16> loc(#loc4)
    %2 = stablehlo.multiply %0, %1 : tensor<1x56x56x64xbf16> loc(#loc5)
    %3 = stablehlo.broadcast_in_dim %arg7, dims = [3] : (tensor<64xbf16>) -> tensor<1x56x56x64xbf16> loc(#loc4)
    %4 = stablehlo.add %2, %3 : tensor<1x56x56x64xbf16> loc(#loc6)
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16> loc(#loc)
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<1x56x56x64xbf16> loc(#loc8)
    %6 = stablehlo.maximum %4, %5 : tensor<1x56x56x64xbf16> loc(#loc9)
    %7 = stablehlo.convolution(%6, %arg2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x56x56x64xbf16>, tensor<3x3x64x64xbf16>) -> tensor<1x56x56x64xbf16> loc(#loc2)
    %8 = stablehlo.broadcast_in_dim %arg5, dims = [3] : (tensor<64xbf16>) -> tensor<1x56x56x64xbf16> loc(#loc4)
    %9 = stablehlo.multiply %7, %8 : tensor<1x56x56x64xbf16> loc(#loc5)
    %10 = stablehlo.broadcast_in_dim %arg8, dims = [3] : (tensor<64xbf16>) -> tensor<1x56x56x64xbf16> loc(#loc4)
    %11 = stablehlo.add %9, %10 : tensor<1x56x56x64xbf16> loc(#loc6)
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<bf16> loc(#loc)
    %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<1x56x56x64xbf16> loc(#loc11)
    %13 = stablehlo.maximum %11, %12 : tensor<1x56x56x64xbf16> loc(#loc12)
    %14 = stablehlo.convolution(%13, %arg3) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x56x56x64xbf16>, tensor<1x1x64x256xbf16>) -> tensor<1x56x56x256xbf16> loc(#loc2)
    %15 = stablehlo.broadcast_in_dim %arg6, dims = [3] : (tensor<256xbf16>) -> tensor<1x56x56x256xbf16> loc(#loc4)
    %16 = stablehlo.multiply %14, %15 : tensor<1x56x56x256xbf16> loc(#loc5)
    %17 = stablehlo.broadcast_in_dim %arg9, dims = [3] : (tensor<256xbf16>) -> tensor<1x56x56x256xbf16> loc(#loc4)
    %18 = stablehlo.add %16, %17 : tensor<1x56x56x256xbf16> loc(#loc6)
    %19 = stablehlo.add %arg0, %18 : tensor<1x56x56x256xbf16> loc(#loc14)
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<bf16> loc(#loc)
    %20 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<1x56x56x256xbf16> loc(#loc15)
    %21 = stablehlo.maximum %19, %20 : tensor<1x56x56x256xbf16> loc(#loc16)
    return %21 : tensor<1x56x56x256xbf16> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
#loc1 = loc("resnet.py":4:0)
#loc2 = loc("jit(block)/jit(main)/conv_general_dilated"(#loc1))
#loc3 = loc("resnet.py":8:0)
#loc4 = loc("jit(block)/jit(main)/broadcast_in_dim"(#loc3))
#loc5 = loc("jit(block)/jit(main)/mul"(#loc3))
#loc6 = loc("jit(block)/jit(main)/add"(#loc3))
#loc7 = loc("resnet.py":12:0)
#loc8 = loc("jit(block)/jit(main)/broadcast_in_dim"(#loc7))
#loc9 = loc("jit(block)/jit(main)/max"(#loc7))
#loc10 = loc("resnet.py":13:0)
#loc11 = loc("jit(block)/jit(main)/broadcast_in_dim"(#loc10))
#loc12 = loc("jit(block)/jit(main)/max"(#loc10))
#loc13 = loc("resnet.py":15:0)
#loc14 = loc("jit(block)/jit(main)/add"(#loc13))
#loc15 = loc("jit(block)/jit(main)/broadcast_in_dim"(#loc13))
#loc16 = loc("jit(block)/jit(main)/max"(#loc13))
