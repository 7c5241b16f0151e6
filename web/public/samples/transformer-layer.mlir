// One transformer encoder layer, batch 8, 384 tokens: permutes and softmax break the chains of linears.
// Architecture: BERT-base, Devlin et al., 2018 (hidden 768, 12 heads, feed-forward 3072).
module @transformer_layer {
  func.func @forward(
      %arg0: tensor<8x384x768xbf16> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "hidden_states"},
      %arg1: tensor<8x1x1x384xbf16> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "attention_mask"},
      %arg2: tensor<768x768xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "encoder.0.attention.query.weight"},
      %arg3: tensor<768xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "encoder.0.attention.query.bias"},
      %arg4: tensor<768x768xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "encoder.0.attention.key.weight"},
      %arg5: tensor<768xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "encoder.0.attention.key.bias"},
      %arg6: tensor<768x768xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "encoder.0.attention.value.weight"},
      %arg7: tensor<768xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "encoder.0.attention.value.bias"},
      %arg8: tensor<768x768xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "encoder.0.attention.output.weight"},
      %arg9: tensor<768xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "encoder.0.attention.output.bias"},
      %arg10: tensor<768xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "encoder.0.attention.norm.weight"},
      %arg11: tensor<768xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "encoder.0.attention.norm.bias"},
      %arg12: tensor<768x3072xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "encoder.0.mlp.up.weight"},
      %arg13: tensor<3072xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "encoder.0.mlp.up.bias"},
      %arg14: tensor<3072x768xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "encoder.0.mlp.down.weight"},
      %arg15: tensor<768xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "encoder.0.mlp.down.bias"},
      %arg16: tensor<768xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "encoder.0.mlp.norm.weight"},
      %arg17: tensor<768xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "encoder.0.mlp.norm.bias"}) -> tensor<8x384x768xbf16> {
    %0 = "ttir.linear"(%arg0, %arg2, %arg3) <{transpose_a = false, transpose_b = false}> : (tensor<8x384x768xbf16>, tensor<768x768xbf16>, tensor<768xbf16>) -> tensor<8x384x768xbf16> loc("encoder.0.attention.query")
    %1 = "ttir.reshape"(%0) <{shape = [8 : i32, 384 : i32, 12 : i32, 64 : i32]}> : (tensor<8x384x768xbf16>) -> tensor<8x384x12x64xbf16> loc("encoder.0.attention.query.heads")
    %2 = "ttir.permute"(%1) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<8x384x12x64xbf16>) -> tensor<8x12x384x64xbf16> loc("encoder.0.attention.query.permute")
    %3 = "ttir.linear"(%arg0, %arg4, %arg5) <{transpose_a = false, transpose_b = false}> : (tensor<8x384x768xbf16>, tensor<768x768xbf16>, tensor<768xbf16>) -> tensor<8x384x768xbf16> loc("encoder.0.attention.key")
    %4 = "ttir.reshape"(%3) <{shape = [8 : i32, 384 : i32, 12 : i32, 64 : i32]}> : (tensor<8x384x768xbf16>) -> tensor<8x384x12x64xbf16> loc("encoder.0.attention.key.heads")
    %5 = "ttir.permute"(%4) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<8x384x12x64xbf16>) -> tensor<8x12x64x384xbf16> loc("encoder.0.attention.key.permute")
    %6 = "ttir.linear"(%arg0, %arg6, %arg7) <{transpose_a = false, transpose_b = false}> : (tensor<8x384x768xbf16>, tensor<768x768xbf16>, tensor<768xbf16>) -> tensor<8x384x768xbf16> loc("encoder.0.attention.value")
    %7 = "ttir.reshape"(%6) <{shape = [8 : i32, 384 : i32, 12 : i32, 64 : i32]}> : (tensor<8x384x768xbf16>) -> tensor<8x384x12x64xbf16> loc("encoder.0.attention.value.heads")
    %8 = "ttir.permute"(%7) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<8x384x12x64xbf16>) -> tensor<8x12x384x64xbf16> loc("encoder.0.attention.value.permute")
    %9 = "ttir.matmul"(%2, %5) <{transpose_a = false, transpose_b = false}> : (tensor<8x12x384x64xbf16>, tensor<8x12x64x384xbf16>) -> tensor<8x12x384x384xbf16> loc("encoder.0.attention.scores")
    %10 = "ttir.constant"() <{value = dense<1.250000e-01> : tensor<1x1x1x1xbf16>}> : () -> tensor<1x1x1x1xbf16> loc("encoder.0.attention.scale")
    %11 = "ttir.multiply"(%9, %10) : (tensor<8x12x384x384xbf16>, tensor<1x1x1x1xbf16>) -> tensor<8x12x384x384xbf16> loc("encoder.0.attention.scaled")
    %12 = "ttir.add"(%11, %arg1) : (tensor<8x12x384x384xbf16>, tensor<8x1x1x384xbf16>) -> tensor<8x12x384x384xbf16> loc("encoder.0.attention.masked")
    %13 = "ttir.softmax"(%12) <{dimension = -1 : si32}> : (tensor<8x12x384x384xbf16>) -> tensor<8x12x384x384xbf16> loc("encoder.0.attention.softmax")
    %14 = "ttir.matmul"(%13, %8) <{transpose_a = false, transpose_b = false}> : (tensor<8x12x384x384xbf16>, tensor<8x12x384x64xbf16>) -> tensor<8x12x384x64xbf16> loc("encoder.0.attention.context")
    %15 = "ttir.permute"(%14) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<8x12x384x64xbf16>) -> tensor<8x384x12x64xbf16> loc("encoder.0.attention.context.permute")
    %16 = "ttir.reshape"(%15) <{shape = [8 : i32, 384 : i32, 768 : i32]}> : (tensor<8x384x12x64xbf16>) -> tensor<8x384x768xbf16> loc("encoder.0.attention.context.merge")
    %17 = "ttir.linear"(%16, %arg8, %arg9) <{transpose_a = false, transpose_b = false}> : (tensor<8x384x768xbf16>, tensor<768x768xbf16>, tensor<768xbf16>) -> tensor<8x384x768xbf16> loc("encoder.0.attention.output")
    %18 = "ttir.add"(%17, %arg0) : (tensor<8x384x768xbf16>, tensor<8x384x768xbf16>) -> tensor<8x384x768xbf16> loc("encoder.0.attention.residual")
    %19 = "ttir.layer_norm"(%18, %arg10, %arg11) <{epsilon = 9.99999996E-13 : f32, normalized_shape = array<i64: 768>, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<8x384x768xbf16>, tensor<768xbf16>, tensor<768xbf16>) -> tensor<8x384x768xbf16> loc("encoder.0.attention.norm")
    %20 = "ttir.linear"(%19, %arg12, %arg13) <{transpose_a = false, transpose_b = false}> : (tensor<8x384x768xbf16>, tensor<768x3072xbf16>, tensor<3072xbf16>) -> tensor<8x384x3072xbf16> loc("encoder.0.mlp.up")
    %21 = "ttir.gelu"(%20) : (tensor<8x384x3072xbf16>) -> tensor<8x384x3072xbf16> loc("encoder.0.mlp.gelu")
    %22 = "ttir.linear"(%21, %arg14, %arg15) <{transpose_a = false, transpose_b = false}> : (tensor<8x384x3072xbf16>, tensor<3072x768xbf16>, tensor<768xbf16>) -> tensor<8x384x768xbf16> loc("encoder.0.mlp.down")
    %23 = "ttir.add"(%22, %19) : (tensor<8x384x768xbf16>, tensor<8x384x768xbf16>) -> tensor<8x384x768xbf16> loc("encoder.0.mlp.residual")
    %24 = "ttir.layer_norm"(%23, %arg16, %arg17) <{epsilon = 9.99999996E-13 : f32, normalized_shape = array<i64: 768>, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<8x384x768xbf16>, tensor<768xbf16>, tensor<768xbf16>) -> tensor<8x384x768xbf16> loc("encoder.0.mlp.norm")
    return %24 : tensor<8x384x768xbf16>
  }
}
