// One decode step of a decoder layer for 32 users: rotary embedding spelled out, key/value cache, grouped queries.
// Architecture: Llama 3.2 1B, Meta, 2024 (hidden 2048, 32 query and 8 key heads of 64, feed-forward 8192).
module @llama_decode_layer {
  func.func @forward(
      %arg0: tensor<32x1x2048xbf16> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "hidden_states"},
      %arg1: tensor<1xi32> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "cache_position"},
      %arg2: tensor<32x8x128x64xbf16> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.kv_cache, ttir.name = "key_cache"},
      %arg3: tensor<32x8x128x64xbf16> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.kv_cache, ttir.name = "value_cache"},
      %arg4: tensor<1x32x1xf32> {ttcore.argument_type = #ttcore.argument_type<constant>, ttir.name = "rotary_emb.inv_freq"},
      %arg5: tensor<2048xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "input_layernorm.weight"},
      %arg6: tensor<2048x2048xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "self_attn.q_proj.weight"},
      %arg7: tensor<2048x512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "self_attn.k_proj.weight"},
      %arg8: tensor<2048x512xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "self_attn.v_proj.weight"},
      %arg9: tensor<2048x2048xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "self_attn.o_proj.weight"},
      %arg10: tensor<2048xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "post_attention_layernorm.weight"},
      %arg11: tensor<2048x8192xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "mlp.gate_proj.weight"},
      %arg12: tensor<2048x8192xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "mlp.up_proj.weight"},
      %arg13: tensor<8192x2048xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "mlp.down_proj.weight"}) -> (tensor<32x8x128x64xbf16>, tensor<32x8x128x64xbf16>, tensor<32x1x2048xbf16>) {
    %0 = "ttir.typecast"(%arg1) <{conservative_folding = false}> : (tensor<1xi32>) -> tensor<1xf32> loc("rotary.position")
    %1 = "ttir.reshape"(%0) <{shape = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<1xf32>) -> tensor<1x1x1xf32> loc("rotary.position3d")
    %2 = "ttir.matmul"(%arg4, %1) <{transpose_a = false, transpose_b = false}> : (tensor<1x32x1xf32>, tensor<1x1x1xf32>) -> tensor<1x32x1xf32> loc("rotary.angles")
    %3 = "ttir.permute"(%2) <{permutation = array<i64: 0, 2, 1>}> : (tensor<1x32x1xf32>) -> tensor<1x1x32xf32> loc("rotary.permute")
    %4 = "ttir.concat"(%3, %3) <{dim = 2 : si32}> : (tensor<1x1x32xf32>, tensor<1x1x32xf32>) -> tensor<1x1x64xf32> loc("rotary.concat")
    %5 = "ttir.reshape"(%4) <{shape = [1 : i32, 1 : i32, 1 : i32, 64 : i32]}> : (tensor<1x1x64xf32>) -> tensor<1x1x1x64xf32> loc("rotary.angles4d")
    %6 = "ttir.cos"(%5) : (tensor<1x1x1x64xf32>) -> tensor<1x1x1x64xf32> loc("rotary.cos")
    %7 = "ttir.typecast"(%6) <{conservative_folding = false}> : (tensor<1x1x1x64xf32>) -> tensor<1x1x1x64xbf16> loc("rotary.cos.bf16")
    %8 = "ttir.sin"(%5) : (tensor<1x1x1x64xf32>) -> tensor<1x1x1x64xf32> loc("rotary.sin")
    %9 = "ttir.typecast"(%8) <{conservative_folding = false}> : (tensor<1x1x1x64xf32>) -> tensor<1x1x1x64xbf16> loc("rotary.sin.bf16")
    %10 = "ttir.rms_norm"(%arg0, %arg5) <{epsilon = 9.99999974E-6 : f32, normalized_shape = array<i64: 2048>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<32x1x2048xbf16>, tensor<2048xbf16>) -> tensor<32x1x2048xbf16> loc("input_layernorm")
    %11 = "ttir.reshape"(%10) <{shape = [32 : i32, 2048 : i32]}> : (tensor<32x1x2048xbf16>) -> tensor<32x2048xbf16> loc("self_attn.flat")
    %12 = "ttir.matmul"(%11, %arg6) <{transpose_a = false, transpose_b = false}> : (tensor<32x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<32x2048xbf16> loc("self_attn.q_proj")
    %13 = "ttir.reshape"(%12) <{shape = [32 : i32, 32 : i32, 1 : i32, 64 : i32]}> : (tensor<32x2048xbf16>) -> tensor<32x32x1x64xbf16> loc("self_attn.q.heads")
    %14 = "ttir.slice_static"(%13) <{begins = [0 : i32, 0 : i32, 0 : i32, 32 : i32], ends = [32 : i32, 32 : i32, 1 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<32x32x1x64xbf16>) -> tensor<32x32x1x32xbf16> loc("self_attn.q.upper")
    %15 = "ttir.neg"(%14) : (tensor<32x32x1x32xbf16>) -> tensor<32x32x1x32xbf16> loc("self_attn.q.neg")
    %16 = "ttir.slice_static"(%13) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [32 : i32, 32 : i32, 1 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<32x32x1x64xbf16>) -> tensor<32x32x1x32xbf16> loc("self_attn.q.lower")
    %17 = "ttir.concat"(%15, %16) <{dim = 3 : si32}> : (tensor<32x32x1x32xbf16>, tensor<32x32x1x32xbf16>) -> tensor<32x32x1x64xbf16> loc("self_attn.q.half")
    %18 = "ttir.multiply"(%13, %7) : (tensor<32x32x1x64xbf16>, tensor<1x1x1x64xbf16>) -> tensor<32x32x1x64xbf16> loc("self_attn.q.cos")
    %19 = "ttir.multiply"(%17, %9) : (tensor<32x32x1x64xbf16>, tensor<1x1x1x64xbf16>) -> tensor<32x32x1x64xbf16> loc("self_attn.q.sin")
    %20 = "ttir.add"(%18, %19) : (tensor<32x32x1x64xbf16>, tensor<32x32x1x64xbf16>) -> tensor<32x32x1x64xbf16> loc("self_attn.q.rotary")
    %21 = "ttir.matmul"(%11, %arg7) <{transpose_a = false, transpose_b = false}> : (tensor<32x2048xbf16>, tensor<2048x512xbf16>) -> tensor<32x512xbf16> loc("self_attn.k_proj")
    %22 = "ttir.reshape"(%21) <{shape = [32 : i32, 8 : i32, 1 : i32, 64 : i32]}> : (tensor<32x512xbf16>) -> tensor<32x8x1x64xbf16> loc("self_attn.k.heads")
    %23 = "ttir.slice_static"(%22) <{begins = [0 : i32, 0 : i32, 0 : i32, 32 : i32], ends = [32 : i32, 8 : i32, 1 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<32x8x1x64xbf16>) -> tensor<32x8x1x32xbf16> loc("self_attn.k.upper")
    %24 = "ttir.neg"(%23) : (tensor<32x8x1x32xbf16>) -> tensor<32x8x1x32xbf16> loc("self_attn.k.neg")
    %25 = "ttir.slice_static"(%22) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [32 : i32, 8 : i32, 1 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<32x8x1x64xbf16>) -> tensor<32x8x1x32xbf16> loc("self_attn.k.lower")
    %26 = "ttir.concat"(%24, %25) <{dim = 3 : si32}> : (tensor<32x8x1x32xbf16>, tensor<32x8x1x32xbf16>) -> tensor<32x8x1x64xbf16> loc("self_attn.k.half")
    %27 = "ttir.multiply"(%22, %7) : (tensor<32x8x1x64xbf16>, tensor<1x1x1x64xbf16>) -> tensor<32x8x1x64xbf16> loc("self_attn.k.cos")
    %28 = "ttir.multiply"(%26, %9) : (tensor<32x8x1x64xbf16>, tensor<1x1x1x64xbf16>) -> tensor<32x8x1x64xbf16> loc("self_attn.k.sin")
    %29 = "ttir.add"(%27, %28) : (tensor<32x8x1x64xbf16>, tensor<32x8x1x64xbf16>) -> tensor<32x8x1x64xbf16> loc("self_attn.k.rotary")
    %30 = "ttir.matmul"(%11, %arg8) <{transpose_a = false, transpose_b = false}> : (tensor<32x2048xbf16>, tensor<2048x512xbf16>) -> tensor<32x512xbf16> loc("self_attn.v_proj")
    %31 = "ttir.reshape"(%30) <{shape = [32 : i32, 8 : i32, 1 : i32, 64 : i32]}> : (tensor<32x512xbf16>) -> tensor<32x8x1x64xbf16> loc("self_attn.v.heads")
    %32 = "ttir.permute"(%29) <{permutation = array<i64: 2, 1, 0, 3>}> : (tensor<32x8x1x64xbf16>) -> tensor<1x8x32x64xbf16> loc("self_attn.k.users")
    "ttir.update_cache"(%arg2, %32, %arg1) <{batch_offset = 0 : i32}> : (tensor<32x8x128x64xbf16>, tensor<1x8x32x64xbf16>, tensor<1xi32>) -> () loc("self_attn.k_cache")
    %33 = "ttir.permute"(%31) <{permutation = array<i64: 2, 1, 0, 3>}> : (tensor<32x8x1x64xbf16>) -> tensor<1x8x32x64xbf16> loc("self_attn.v.users")
    "ttir.update_cache"(%arg3, %33, %arg1) <{batch_offset = 0 : i32}> : (tensor<32x8x128x64xbf16>, tensor<1x8x32x64xbf16>, tensor<1xi32>) -> () loc("self_attn.v_cache")
    %34 = "ttir.reshape"(%20) <{shape = [32 : i32, 8 : i32, 4 : i32, 64 : i32]}> : (tensor<32x32x1x64xbf16>) -> tensor<32x8x4x64xbf16> loc("self_attn.q.groups")
    %35 = "ttir.permute"(%arg2) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<32x8x128x64xbf16>) -> tensor<32x8x64x128xbf16> loc("self_attn.k.transpose")
    %36 = "ttir.matmul"(%34, %35) <{transpose_a = false, transpose_b = false}> : (tensor<32x8x4x64xbf16>, tensor<32x8x64x128xbf16>) -> tensor<32x8x4x128xbf16> loc("self_attn.scores")
    %37 = "ttir.constant"() <{value = dense<1.250000e-01> : tensor<1x1x1x1xbf16>}> : () -> tensor<1x1x1x1xbf16> loc("self_attn.scale")
    %38 = "ttir.multiply"(%36, %37) : (tensor<32x8x4x128xbf16>, tensor<1x1x1x1xbf16>) -> tensor<32x8x4x128xbf16> loc("self_attn.scaled")
    %39 = "ttir.arange"() <{arange_dimension = 3 : i64, end = 128 : si64, start = 0 : si64, step = 1 : si64}> : () -> tensor<1x1x1x128xi32> loc("self_attn.steps")
    %40 = "ttir.reshape"(%arg1) <{shape = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1xi32>) -> tensor<1x1x1x1xi32> loc("self_attn.position4d")
    %41 = "ttir.le"(%39, %40) : (tensor<1x1x1x128xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x1x128xi1> loc("self_attn.visible")
    %42 = "ttir.constant"() <{value = dense<0xFF80> : tensor<1x1x1x1xbf16>}> : () -> tensor<1x1x1x1xbf16> loc("self_attn.minus_infinity")
    %43 = "ttir.where"(%41, %38, %42) : (tensor<1x1x1x128xi1>, tensor<32x8x4x128xbf16>, tensor<1x1x1x1xbf16>) -> tensor<32x8x4x128xbf16> loc("self_attn.masked")
    %44 = "ttir.softmax"(%43) <{dimension = -1 : si32}> : (tensor<32x8x4x128xbf16>) -> tensor<32x8x4x128xbf16> loc("self_attn.softmax")
    %45 = "ttir.matmul"(%44, %arg3) <{transpose_a = false, transpose_b = false}> : (tensor<32x8x4x128xbf16>, tensor<32x8x128x64xbf16>) -> tensor<32x8x4x64xbf16> loc("self_attn.context")
    %46 = "ttir.reshape"(%45) <{shape = [32 : i32, 2048 : i32]}> : (tensor<32x8x4x64xbf16>) -> tensor<32x2048xbf16> loc("self_attn.merge")
    %47 = "ttir.matmul"(%46, %arg9) <{transpose_a = false, transpose_b = false}> : (tensor<32x2048xbf16>, tensor<2048x2048xbf16>) -> tensor<32x2048xbf16> loc("self_attn.o_proj")
    %48 = "ttir.reshape"(%47) <{shape = [32 : i32, 1 : i32, 2048 : i32]}> : (tensor<32x2048xbf16>) -> tensor<32x1x2048xbf16> loc("self_attn.output")
    %49 = "ttir.add"(%arg0, %48) : (tensor<32x1x2048xbf16>, tensor<32x1x2048xbf16>) -> tensor<32x1x2048xbf16> loc("self_attn.residual")
    %50 = "ttir.rms_norm"(%49, %arg10) <{epsilon = 9.99999974E-6 : f32, normalized_shape = array<i64: 2048>, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<32x1x2048xbf16>, tensor<2048xbf16>) -> tensor<32x1x2048xbf16> loc("post_attention_layernorm")
    %51 = "ttir.reshape"(%50) <{shape = [32 : i32, 2048 : i32]}> : (tensor<32x1x2048xbf16>) -> tensor<32x2048xbf16> loc("mlp.flat")
    %52 = "ttir.matmul"(%51, %arg11) <{transpose_a = false, transpose_b = false}> : (tensor<32x2048xbf16>, tensor<2048x8192xbf16>) -> tensor<32x8192xbf16> loc("mlp.gate_proj")
    %53 = "ttir.silu"(%52) : (tensor<32x8192xbf16>) -> tensor<32x8192xbf16> loc("mlp.silu")
    %54 = "ttir.matmul"(%51, %arg12) <{transpose_a = false, transpose_b = false}> : (tensor<32x2048xbf16>, tensor<2048x8192xbf16>) -> tensor<32x8192xbf16> loc("mlp.up_proj")
    %55 = "ttir.multiply"(%53, %54) : (tensor<32x8192xbf16>, tensor<32x8192xbf16>) -> tensor<32x8192xbf16> loc("mlp.gated")
    %56 = "ttir.matmul"(%55, %arg13) <{transpose_a = false, transpose_b = false}> : (tensor<32x8192xbf16>, tensor<8192x2048xbf16>) -> tensor<32x2048xbf16> loc("mlp.down_proj")
    %57 = "ttir.reshape"(%56) <{shape = [32 : i32, 1 : i32, 2048 : i32]}> : (tensor<32x2048xbf16>) -> tensor<32x1x2048xbf16> loc("mlp.output")
    %58 = "ttir.add"(%49, %57) : (tensor<32x1x2048xbf16>, tensor<32x1x2048xbf16>) -> tensor<32x1x2048xbf16> loc("mlp.residual")
    return %arg2, %arg3, %58 : tensor<32x8x128x64xbf16>, tensor<32x8x128x64xbf16>, tensor<32x1x2048xbf16>
  }
}
