// Attention with one fused linear for q, k and v, split by an op with three results.
// Architecture: GPT-2 small, Radford et al., 2019 (hidden 768, 12 heads), 512 tokens.
module @fused_qkv {
  func.func @forward(
      %arg0: tensor<1x512x768xbf16> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "hidden_states"},
      %arg1: tensor<1x1x512x512xbf16> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "causal_mask"},
      %arg2: tensor<768xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "h.0.ln_1.weight"},
      %arg3: tensor<768xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "h.0.ln_1.bias"},
      %arg4: tensor<768x2304xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "h.0.attn.c_attn.weight"},
      %arg5: tensor<2304xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "h.0.attn.c_attn.bias"},
      %arg6: tensor<768x768xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "h.0.attn.c_proj.weight"},
      %arg7: tensor<768xbf16> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "h.0.attn.c_proj.bias"}) -> tensor<1x512x768xbf16> {
    %0 = "ttir.layer_norm"(%arg0, %arg2, %arg3) <{epsilon = 9.99999974E-6 : f32, normalized_shape = array<i64: 768>, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<1x512x768xbf16>, tensor<768xbf16>, tensor<768xbf16>) -> tensor<1x512x768xbf16> loc("h.0.ln_1")
    %1 = "ttir.linear"(%0, %arg4, %arg5) <{transpose_a = false, transpose_b = false}> : (tensor<1x512x768xbf16>, tensor<768x2304xbf16>, tensor<2304xbf16>) -> tensor<1x512x2304xbf16> loc("h.0.attn.c_attn")
    %2:3 = "ttir.split_query_key_value_and_split_heads"(%1) <{num_heads = 12 : ui32, transpose_key = false}> : (tensor<1x512x2304xbf16>) -> (tensor<1x12x512x64xbf16>, tensor<1x12x512x64xbf16>, tensor<1x12x512x64xbf16>) loc("h.0.attn.split")
    %3 = "ttir.permute"(%2#1) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<1x12x512x64xbf16>) -> tensor<1x12x64x512xbf16> loc("h.0.attn.k.transpose")
    %4 = "ttir.matmul"(%2#0, %3) <{transpose_a = false, transpose_b = false}> : (tensor<1x12x512x64xbf16>, tensor<1x12x64x512xbf16>) -> tensor<1x12x512x512xbf16> loc("h.0.attn.scores")
    %5 = "ttir.constant"() <{value = dense<1.250000e-01> : tensor<1x1x1x1xbf16>}> : () -> tensor<1x1x1x1xbf16> loc("h.0.attn.scale")
    %6 = "ttir.multiply"(%4, %5) : (tensor<1x12x512x512xbf16>, tensor<1x1x1x1xbf16>) -> tensor<1x12x512x512xbf16> loc("h.0.attn.scaled")
    %7 = "ttir.add"(%6, %arg1) : (tensor<1x12x512x512xbf16>, tensor<1x1x512x512xbf16>) -> tensor<1x12x512x512xbf16> loc("h.0.attn.masked")
    %8 = "ttir.softmax"(%7) <{dimension = -1 : si32}> : (tensor<1x12x512x512xbf16>) -> tensor<1x12x512x512xbf16> loc("h.0.attn.softmax")
    %9 = "ttir.matmul"(%8, %2#2) <{transpose_a = false, transpose_b = false}> : (tensor<1x12x512x512xbf16>, tensor<1x12x512x64xbf16>) -> tensor<1x12x512x64xbf16> loc("h.0.attn.context")
    %10 = "ttir.concatenate_heads"(%9) : (tensor<1x12x512x64xbf16>) -> tensor<1x512x768xbf16> loc("h.0.attn.merge")
    %11 = "ttir.linear"(%10, %arg6, %arg7) <{transpose_a = false, transpose_b = false}> : (tensor<1x512x768xbf16>, tensor<768x768xbf16>, tensor<768xbf16>) -> tensor<1x512x768xbf16> loc("h.0.attn.c_proj")
    %12 = "ttir.add"(%11, %arg0) : (tensor<1x512x768xbf16>, tensor<1x512x768xbf16>) -> tensor<1x512x768xbf16> loc("h.0.attn.residual")
    return %12 : tensor<1x512x768xbf16>
  }
}
