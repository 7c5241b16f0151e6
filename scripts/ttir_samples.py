"""The samples in TTIR, each from the published shape of its architecture, named in its text's head."""

from __future__ import annotations

from ttir_graph import EPSILON_1E5, EPSILON_1E12, Graph, Value, i32_list


def bottleneck(g: Graph, x: Value, width: int, stride: int, name: str) -> Value:
    """ResNet's block of three convolutions. As in torchvision ("v1.5") the stride is in the 3x3 convolution."""
    y = g.unary("relu", g.batch_norm(g.conv(x, width, f"{name}.conv1", 1), f"{name}.bn1"), f"{name}.relu1")
    y = g.unary("relu", g.batch_norm(g.conv(y, width, f"{name}.conv2", 3, stride), f"{name}.bn2"), f"{name}.relu2")
    y = g.batch_norm(g.conv(y, 4 * width, f"{name}.conv3", 1), f"{name}.bn3")
    shortcut = x
    if stride != 1 or x.shape[3] != 4 * width:
        shortcut = g.batch_norm(g.conv(x, 4 * width, f"{name}.downsample.0", 1, stride), f"{name}.downsample.1")
    return g.unary("relu", g.binary("add", y, shortcut, f"{name}.add"), f"{name}.relu3")


def resnet50() -> str:
    g = Graph("resnet50")
    x = g.conv(g.input("image", 1, 224, 224, 3), 64, "conv1", 7, 2)
    x = g.max_pool(g.unary("relu", g.batch_norm(x, "bn1"), "relu"), 3, 2, 1, "maxpool")
    for stage, (width, blocks) in enumerate([(64, 3), (128, 4), (256, 6), (512, 3)], start=1):
        for block in range(blocks):
            stride = 2 if stage > 1 and block == 0 else 1
            x = bottleneck(g, x, width, stride, f"layer{stage}.{block}")
    x = g.op("mean", [x], (1, x.shape[3]), {"dim_arg": i32_list([1, 2]), "keep_dim": "false"}, loc="avgpool")
    x = g.projection(x, 1000, "fc")
    x = g.binary("add", x, g.parameter("fc.bias", 1, 1000), "fc.add")
    return g.text(["ResNet-50 whole, one 224x224 image: 53 convolutions, 16 residual blocks that fork and join.",
                   "Architecture: He et al., Deep Residual Learning for Image Recognition, 2015; strides as in "
                   "torchvision."],
                  x)


def residual_block() -> str:
    g = Graph("residual_block")
    x = g.unary("relu", g.input("x", 1, 56, 56, 256), "layer1.0.relu3")
    x = bottleneck(g, x, 64, 1, "layer1.1")
    return g.text(["One bottleneck block of ResNet-50: what enters it must outlive three convolutions until the add.",
                   "Architecture: He et al., Deep Residual Learning for Image Recognition, 2015 (layer1.1)."], x)


def conv_relu() -> str:
    g = Graph("conv_relu")
    x = g.conv(g.input("x", 1, 64, 64, 128), 128, "conv", 3)
    return g.text(["A convolution and its relu: the smallest L1 chain, with a spill at the end because it is returned.",
                   "Example of the TTNN optimizer specification of tt-mlir (2025), 3.5.2."], g.unary("relu", x, "relu"))


def mlp() -> str:
    g = Graph("mlp")
    x = g.input("pixels", 256, 784)
    x = g.unary("relu", g.linear(x, 300, "fc1"), "relu1")
    x = g.unary("relu", g.linear(x, 100, "fc2"), "relu2")
    return g.text(["Three linear layers with relu, batch 256: one chain from end to end; 300 and 100 are padded to "
                   "whole tiles.",
                   "Architecture: LeNet-300-100, LeCun et al., Gradient-Based Learning Applied to Document "
                   "Recognition, 1998."],
                  g.linear(x, 10, "fc3"))


def transformer_layer() -> str:
    batch, sequence, hidden, heads = 8, 384, 768, 12
    head = hidden // heads
    g = Graph("transformer_layer")
    x = g.input("hidden_states", batch, sequence, hidden)
    mask = g.input("attention_mask", batch, 1, 1, sequence)
    name = "encoder.0.attention"

    def split_heads(part: str, *order: int) -> Value:
        y = g.linear(x, hidden, f"{name}.{part}")
        y = g.reshape(y, batch, sequence, heads, head, loc=f"{name}.{part}.heads")
        return g.permute(y, *order, loc=f"{name}.{part}.permute")

    query, key = split_heads("query", 0, 2, 1, 3), split_heads("key", 0, 2, 3, 1)
    value = split_heads("value", 0, 2, 1, 3)
    scores = g.matmul(query, key, f"{name}.scores")
    scores = g.binary("multiply", scores, g.splat("1.250000e-01", (1, 1, 1, 1), f"{name}.scale"), f"{name}.scaled")
    scores = g.binary("add", scores, mask, f"{name}.masked")
    y = g.matmul(g.softmax(scores, f"{name}.softmax"), value, f"{name}.context")
    y = g.permute(y, 0, 2, 1, 3, loc=f"{name}.context.permute")
    y = g.linear(g.reshape(y, batch, sequence, hidden, loc=f"{name}.context.merge"), hidden, f"{name}.output")
    x = g.layer_norm(g.binary("add", y, x, f"{name}.residual"), f"{name}.norm", EPSILON_1E12)
    y = g.unary("gelu", g.linear(x, 4 * hidden, "encoder.0.mlp.up"), "encoder.0.mlp.gelu")
    y = g.linear(y, hidden, "encoder.0.mlp.down")
    y = g.layer_norm(g.binary("add", y, x, "encoder.0.mlp.residual"), "encoder.0.mlp.norm", EPSILON_1E12)
    return g.text(["One transformer encoder layer, batch 8, 384 tokens: permutes and softmax break the chains of "
                   "linears.",
                   "Architecture: BERT-base, Devlin et al., 2018 (hidden 768, 12 heads, feed-forward 3072)."], y)


def llama_decode_layer() -> str:
    batch, hidden, heads, kv_heads, head, cached, feed_forward = 32, 2048, 32, 8, 64, 128, 8192
    g = Graph("llama_decode_layer")
    x = g.input("hidden_states", batch, 1, hidden)
    position = g.input("cache_position", 1, dtype="i32")
    caches = [g.kv_cache(f"{part}_cache", batch, kv_heads, cached, head) for part in ("key", "value")]

    def rotary_tables() -> tuple[Value, Value]:
        frequencies = g.constant_argument("rotary_emb.inv_freq", 1, head // 2, 1, dtype="f32")
        step = g.reshape(g.typecast(position, "f32", "rotary.position"), 1, 1, 1, loc="rotary.position3d")
        angles = g.permute(g.matmul(frequencies, step, "rotary.angles"), 0, 2, 1, loc="rotary.permute")
        angles = g.concat([angles, angles], 2, "rotary.concat")
        angles = g.reshape(angles, 1, 1, 1, head, loc="rotary.angles4d")
        return (g.typecast(g.unary("cos", angles, "rotary.cos"), "bf16", "rotary.cos.bf16"),
                g.typecast(g.unary("sin", angles, "rotary.sin"), "bf16", "rotary.sin.bf16"))

    cosine, sine = rotary_tables()

    def rotate(y: Value, name: str) -> Value:
        upper = g.unary("neg", g.slice_last(y, head // 2, head, f"{name}.upper"), f"{name}.neg")
        turned = g.concat([upper, g.slice_last(y, 0, head // 2, f"{name}.lower")], 3, f"{name}.half")
        return g.binary("add", g.binary("multiply", y, cosine, f"{name}.cos"),
                        g.binary("multiply", turned, sine, f"{name}.sin"), f"{name}.rotary")

    def project(part: str, count: int) -> Value:
        y = g.projection(flat, count * head, f"self_attn.{part}_proj")
        return g.reshape(y, batch, count, 1, head, loc=f"self_attn.{part}.heads")

    flat = g.reshape(g.rms_norm(x, "input_layernorm"), batch, hidden, loc="self_attn.flat")
    query = rotate(project("q", heads), "self_attn.q")
    for part, cache, y in (("k", caches[0], rotate(project("k", kv_heads), "self_attn.k")),
                           ("v", caches[1], project("v", kv_heads))):
        users_last = g.permute(y, 2, 1, 0, 3, loc=f"self_attn.{part}.users")
        g.ops("update_cache", [cache, users_last, position], [], {"batch_offset": "0 : i32"}, f"self_attn.{part}_cache")

    # Grouped queries: the four query heads of one key head become four rows of one product.
    group = heads // kv_heads
    query = g.reshape(query, batch, kv_heads, group, head, loc="self_attn.q.groups")
    scores = g.matmul(query, g.permute(caches[0], 0, 1, 3, 2, loc="self_attn.k.transpose"), "self_attn.scores")
    scores = g.binary("multiply", scores, g.splat("1.250000e-01", (1, 1, 1, 1), "self_attn.scale"), "self_attn.scaled")
    steps = g.op("arange", [], (1, 1, 1, cached), {"arange_dimension": "3 : i64", "start": "0 : si64",
                                                   "end": f"{cached} : si64", "step": "1 : si64"},
                 loc="self_attn.steps", dtype="i32")
    limit = g.reshape(position, 1, 1, 1, 1, loc="self_attn.position4d")
    visible = g.op("le", [steps, limit], steps.shape, loc="self_attn.visible", dtype="i1")
    hidden_score = g.splat("0xFF80", (1, 1, 1, 1), "self_attn.minus_infinity")
    scores = g.op("where", [visible, scores, hidden_score], scores.shape, loc="self_attn.masked", dtype="bf16")
    y = g.matmul(g.softmax(scores, "self_attn.softmax"), caches[1], "self_attn.context")
    y = g.projection(g.reshape(y, batch, hidden, loc="self_attn.merge"), hidden, "self_attn.o_proj")
    x = g.binary("add", x, g.reshape(y, batch, 1, hidden, loc="self_attn.output"), "self_attn.residual")

    flat = g.reshape(g.rms_norm(x, "post_attention_layernorm"), batch, hidden, loc="mlp.flat")
    gate = g.unary("silu", g.projection(flat, feed_forward, "mlp.gate_proj"), "mlp.silu")
    y = g.binary("multiply", gate, g.projection(flat, feed_forward, "mlp.up_proj"), "mlp.gated")
    y = g.reshape(g.projection(y, hidden, "mlp.down_proj"), batch, 1, hidden, loc="mlp.output")
    y = g.binary("add", x, y, "mlp.residual")
    return g.text(["One decode step of a decoder layer for 32 users: rotary embedding spelled out, key/value cache, "
                   "grouped queries.",
                   "Architecture: Llama 3.2 1B, Meta, 2024 (hidden 2048, 32 query and 8 key heads of 64, "
                   "feed-forward 8192)."],
                  caches[0], caches[1], y)


def fused_qkv() -> str:
    sequence, hidden, heads = 512, 768, 12
    head = hidden // heads
    g = Graph("fused_qkv")
    x = g.input("hidden_states", 1, sequence, hidden)
    mask = g.input("causal_mask", 1, 1, sequence, sequence)
    fused = g.linear(g.layer_norm(x, "h.0.ln_1", EPSILON_1E5), 3 * hidden, "h.0.attn.c_attn")
    each = ((1, heads, sequence, head), "bf16")
    query, key, value = g.ops("split_query_key_value_and_split_heads", [fused], [each, each, each],
                              {"num_heads": f"{heads} : ui32", "transpose_key": "false"}, "h.0.attn.split")
    scores = g.matmul(query, g.permute(key, 0, 1, 3, 2, loc="h.0.attn.k.transpose"), "h.0.attn.scores")
    scores = g.binary("multiply", scores, g.splat("1.250000e-01", (1, 1, 1, 1), "h.0.attn.scale"), "h.0.attn.scaled")
    scores = g.binary("add", scores, mask, "h.0.attn.masked")
    y = g.matmul(g.softmax(scores, "h.0.attn.softmax"), value, "h.0.attn.context")
    y = g.op("concatenate_heads", [y], (1, sequence, hidden), loc="h.0.attn.merge")
    y = g.binary("add", g.linear(y, hidden, "h.0.attn.c_proj"), x, "h.0.attn.residual")
    return g.text(["Attention with one fused linear for q, k and v, split by an op with three results.",
                   "Architecture: GPT-2 small, Radford et al., 2019 (hidden 768, 12 heads), 512 tokens."], y)


def operand_1() -> str:
    g = Graph("operand_1")
    image = g.input("a", 1024, 512)
    hidden = g.input("b", 512, 1024)
    turned = g.permute(image, 1, 0, loc="permute_a")
    y = g.projection(hidden, 1024, "matmul_b")
    y = g.binary("add", turned, g.unary("relu", y, "relu_b"), "add")
    y = g.projection(y, 1024, "matmul_out")
    return g.text(["The add's operand 0 comes from a permute and stays in DRAM, its operand 1 could stay sharded in "
                   "L1.",
                   "Pattern of the pass-based refactor proposal of tt-mlir (2026), Operand 0 Limitation."], y)


def fork_join() -> str:
    g = Graph("fork_join")
    x = g.projection(g.input("x", 512, 512), 512, "op0.matmul")
    fork = g.unary("relu", x, "op1.relu")
    left = g.projection(fork, 512, "op2.matmul")
    right = g.unary("gelu", fork, "op3.gelu")
    join = g.binary("add", left, right, "op4.add")
    return g.text(["The diamond Op0..Op4: op1 has two users, op4 joins them, so a chain that may not fork breaks "
                   "twice.",
                   "Example of the TTNN optimizer specification of tt-mlir (2025), 3.3.8, with real ops."], join)


def concat_unet() -> str:
    g = Graph("concat_unet")

    def double_conv(x: Value, channels: int, name: str) -> Value:
        for number in (1, 2):
            x = g.unary("relu", g.conv(x, channels, f"{name}.conv{number}", 3), f"{name}.relu{number}")
        return x

    x = g.input("image", 1, 128, 128, 32)
    skips: list[Value] = []
    for level, channels in enumerate([32, 64], start=1):
        skips.append(double_conv(x, channels, f"down{level}"))
        x = g.max_pool(skips[-1], 2, 2, 0, f"down{level}.pool")
    x = double_conv(x, 128, "bottom")
    for level, channels in ((2, 64), (1, 32)):
        x = g.up_conv(x, channels, f"up{level}.upconv")
        x = g.concat([skips.pop(), x], 3, f"up{level}.concat")
        x = double_conv(x, channels, f"up{level}")
    return g.text(["Encoder and decoder with skip connections: each concat joins a long-lived skip with the "
                   "decoder's chain.",
                   "Architecture: U-Net, Ronneberger et al., 2015, here with padded convolutions, three levels, 32 "
                   "to 128 channels."],
                  g.conv(x, 32, "head", 1))


def l1_pressure() -> str:
    """Sizes: 224*224*128 bf16 elements are 200,704 bytes on each of 64 cores, so eight skips exceed one core's L1."""
    g = Graph("l1_pressure")
    x = g.input("image", 1, 224, 224, 128)
    skips: list[Value] = []
    for number in range(1, 9):
        x = g.unary("relu", g.conv(x, 128, f"encoder{number}.conv", 3), f"encoder{number}.relu")
        skips.append(x)
    for number in range(8, 0, -1):
        x = g.conv(x, 128, f"decoder{number}.conv", 3)
        x = g.unary("relu", g.binary("add", x, skips.pop(), f"decoder{number}.add"), f"decoder{number}.relu")
    return g.text(["Eight skips of 200,704 bytes per core live at once: more than one core's L1, so something has "
                   "to leave.",
                   "Architecture: symmetric skips without downsampling as in RED-Net, Mao et al., 2016, with 128 "
                   "channels."], x)


def d2m_dispatch() -> str:
    """Written out by hand because it is TTNN, with layouts, not TTIR. On 8x8 cores every tensor here has at most 64
    tiles, so one L1 interleaved layout of one tile per core describes all of them."""
    return """\
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
"""
