#!/usr/bin/env python3
"""Prints a large graph in TTIR, for scripts/bench: none of them is kept as a file.

  scripts/bench_graphs.py detector [BLOCKS]     a convolution detector; 12 blocks per stage: about 1,000 ops
  scripts/bench_graphs.py pyramid [BLOCKS]      convolutions at four resolutions that exchange results; 4: 1,200 ops
  scripts/bench_graphs.py unet [BLOCKS]         down and up again, each block's result read on the way up; 12: 1,000 ops
  scripts/bench_graphs.py dense [LAYERS]        each layer reads all before it in its stage of up to 64: 900 ops
  scripts/bench_graphs.py mobile [BLOCKS]       depthwise convolutions with gates over channels; 8 per stage: 1,000 ops
  scripts/bench_graphs.py decode [LAYERS]       a decode step with caches, attention group by group; 80: about 20,000
  scripts/bench_graphs.py moe [LAYERS]          a decoder with experts spelled out; 61: about 20,000
  scripts/bench_graphs.py prefill [HEADS]       a decoder layer over 2,048 tokens and the product over the vocabulary
  scripts/bench_graphs.py arguments [COUNT]     a sum over so many arguments; 10,000
"""

from __future__ import annotations

import sys

from ttir_graph import Graph, Value, i32_list


def silu(g: Graph, x: Value, name: str) -> Value:
    return g.binary("multiply", x, g.unary("sigmoid", x, f"{name}.sigmoid"), f"{name}.silu")


def conv_block(g: Graph, x: Value, channels: int, name: str, kernel: int = 3, stride: int = 1) -> Value:
    x = g.batch_norm(g.conv(x, channels, f"{name}.conv", kernel, stride), f"{name}.bn")
    return silu(g, x, name)


def split_block(g: Graph, x: Value, channels: int, blocks: int, name: str, shortcut: bool = True) -> Value:
    """A cross-stage block with everything concatenated: each bottleneck's result stays live until the end."""
    x = conv_block(g, x, channels, f"{name}.cv1", 1)
    half = channels // 2
    parts = [g.slice_last(x, 0, half, f"{name}.left"), g.slice_last(x, half, channels, f"{name}.right")]
    for block in range(blocks):
        y = conv_block(g, parts[-1], half, f"{name}.m{block}.cv1")
        y = conv_block(g, y, half, f"{name}.m{block}.cv2")
        parts.append(g.binary("add", y, parts[-1], f"{name}.m{block}.add") if shortcut else y)
    return conv_block(g, g.concat(parts, 3, f"{name}.concat"), channels, f"{name}.cv2", 1)


def upsample(g: Graph, x: Value, name: str) -> Value:
    batch, height, width, channels = x.shape
    return g.op("upsample2d", [x], (batch, 2 * height, 2 * width, channels),
                {"scale_factor": "2 : si32", "mode": "\"nearest\""}, loc=name)


def detector(blocks: int = 12) -> str:
    g = Graph("detector")
    x = conv_block(g, g.input("image", 1, 640, 640, 3), 48, "stem", 3, 2)
    levels = []
    for stage, channels in enumerate((96, 192, 384, 576), start=1):
        x = conv_block(g, x, channels, f"down{stage}", 3, 2)
        x = split_block(g, x, channels, blocks, f"stage{stage}")
        levels.append(x)
    pooled = [conv_block(g, x, 288, "sppf.cv1", 1)]
    for step in range(3):
        pooled.append(g.max_pool(pooled[-1], 5, 1, 2, f"sppf.pool{step}"))
    top = conv_block(g, g.concat(pooled, 3, "sppf.concat"), 576, "sppf.cv2", 1)
    middle = g.concat([upsample(g, top, "up1"), levels[2]], 3, "neck1.concat")
    middle = split_block(g, middle, 384, blocks, "neck1", False)
    low = g.concat([upsample(g, middle, "up2"), levels[1]], 3, "neck2.concat")
    low = split_block(g, low, 192, blocks, "neck2", False)
    middle = g.concat([conv_block(g, low, 192, "neck3.down", 3, 2), middle], 3, "neck3.concat")
    middle = split_block(g, middle, 384, blocks, "neck3", False)
    top = g.concat([conv_block(g, middle, 384, "neck4.down", 3, 2), top], 3, "neck4.concat")
    top = split_block(g, top, 576, blocks, "neck4", False)
    found = []
    for scale, x in enumerate((low, middle, top)):
        for part, channels in (("box", 64), ("class", 80)):
            y = conv_block(g, conv_block(g, x, 96, f"{part}{scale}.cv1"), 96, f"{part}{scale}.cv2")
            y = g.conv(y, channels, f"{part}{scale}.cv3", 1)
            found.append(g.reshape(y, 1, y.shape[1] * y.shape[2], channels, loc=f"{part}{scale}.flat"))
    boxes = g.concat(found[0::2], 1, "boxes")
    classes = g.unary("sigmoid", g.concat(found[1::2], 1, "classes"), "scores")
    return g.text(["Detector of YOLOv8's shape, 640x640: cross-stage blocks, a pyramid of three scales, two heads."],
                  boxes, classes)


def residual(g: Graph, x: Value, name: str) -> Value:
    y = conv_block(g, x, x.shape[3], f"{name}.cv1")
    y = g.batch_norm(g.conv(y, x.shape[3], f"{name}.cv2", 3), f"{name}.bn")
    return g.unary("relu", g.binary("add", y, x, f"{name}.add"), f"{name}.relu")


def resized(g: Graph, levels: list[Value], begin: int, end: int, name: str) -> Value:
    """A level's result at another level's resolution and number of channels."""
    x = levels[begin]
    if begin > end:
        x = g.conv(x, levels[end].shape[3], f"{name}.conv", 1)
        for step in range(begin - end):
            x = upsample(g, x, f"{name}.up{step}")
    for level in range(begin + 1, end + 1):
        x = g.conv(x, levels[level].shape[3], f"{name}.down{level}", 3, 2)
    return x


def exchanged(g: Graph, levels: list[Value], name: str) -> list[Value]:
    """Every level becomes the sum of all: each result has a reader per level."""
    sums = []
    for end, x in enumerate(levels):
        for begin in range(len(levels)):
            if begin != end:
                y = resized(g, levels, begin, end, f"{name}.{begin}to{end}")
                x = g.binary("add", x, y, f"{name}.{begin}+{end}")
        sums.append(g.unary("relu", x, f"{name}.relu{end}"))
    return sums


def pyramid(blocks: int = 4) -> str:
    g = Graph("pyramid")
    levels = [conv_block(g, g.input("image", 1, 256, 256, 3), 64, "stem", 3, 2)]
    for stage in range(1, 4):
        levels.append(conv_block(g, levels[-1], 64 * 2**stage, f"down{stage}", 3, 2))
        for block in range(blocks):
            for step in range(3):
                levels = [residual(g, x, f"stage{stage}.{block}.{level}.{step}") for level, x in enumerate(levels)]
            levels = exchanged(g, levels, f"stage{stage}.{block}.mix")
    return g.text(["Convolutions at up to four resolutions side by side, added up after every third block."], *levels)


def unet(blocks: int = 12) -> str:
    g = Graph("unet")
    x = conv_block(g, g.input("latent", 1, 128, 128, 4), 64, "stem")
    kept = []
    widths = (64, 128, 256, 512)
    for level, channels in enumerate(widths):
        if level > 0:
            x = conv_block(g, x, channels, f"down{level}", 3, 2)
        for block in range(blocks):
            x = residual(g, x, f"down{level}.{block}")
            kept.append(x)
    for block in range(blocks // 2):
        x = residual(g, x, f"middle.{block}")
    for level, channels in reversed(list(enumerate(widths))):
        if x.shape[3] != channels:
            x = g.up_conv(x, channels, f"up{level}")
        for block in range(blocks):
            name = f"up{level}.{block}"
            x = g.concat([x, kept.pop()], 3, f"{name}.concat")
            x = residual(g, conv_block(g, x, channels, f"{name}.narrow", 1), name)
    return g.text(["U-Net as diffusion models have it, without attention: a skip from every block on the way down."],
                  g.conv(x, 4, "head", 3))


def dense(layers: int = 64) -> str:
    g = Graph("dense")

    def normal(x: Value, name: str) -> Value:
        return g.unary("relu", g.batch_norm(x, f"{name}.bn"), f"{name}.relu")

    x = normal(g.conv(g.input("image", 1, 224, 224, 3), 64, "stem", 7, 2), "stem")
    x = g.max_pool(x, 3, 2, 1, "stem.pool")
    for stage, count in enumerate((6, 12, 64, 48)):
        features = [x]
        for layer in range(min(count, layers)):
            name = f"stage{stage}.{layer}"
            y = g.concat(features, 3, f"{name}.concat") if layer > 0 else x
            y = g.conv(normal(y, f"{name}.in"), 128, f"{name}.cv1", 1)
            features.append(g.conv(normal(y, f"{name}.mid"), 32, f"{name}.cv2", 3))
        x = normal(g.concat(features, 3, f"stage{stage}.concat"), f"stage{stage}")
        if stage < 3:
            x = g.conv(x, x.shape[3] // 2, f"stage{stage}.half", 1)
            x = g.max_pool(x, 2, 2, 0, f"stage{stage}.pool")
    return g.text(["Densely connected as DenseNet-264: a layer reads the results of all before it in its stage."], x)


def channel_gate(g: Graph, x: Value, channels: int, name: str) -> Value:
    """Squeeze and excite: each channel is weighted by what its mean says."""
    mean = g.op("mean", [x], (x.shape[0], 1, 1, x.shape[3]), {"dim_arg": i32_list([1, 2]), "keep_dim": "true"},
                loc=f"{name}.mean")
    y = silu(g, g.conv(mean, channels, f"{name}.reduce", 1), f"{name}.reduce")
    weight = g.unary("sigmoid", g.conv(y, x.shape[3], f"{name}.expand", 1), f"{name}.weight")
    return g.binary("multiply", x, weight, f"{name}.gated")


def inverted_residual(g: Graph, x: Value, channels: int, name: str, kernel: int, stride: int) -> Value:
    wide = 6 * x.shape[3]
    y = conv_block(g, x, wide, f"{name}.expand", 1)
    y = silu(g, g.batch_norm(g.conv(y, wide, f"{name}.depth", kernel, stride, wide), f"{name}.depth.bn"),
             f"{name}.depth")
    y = channel_gate(g, y, x.shape[3] // 4, f"{name}.gate")
    y = g.batch_norm(g.conv(y, channels, f"{name}.project", 1), f"{name}.project.bn")
    return g.binary("add", y, x, f"{name}.add") if y.shape == x.shape else y


def mobile(blocks: int = 8) -> str:
    g = Graph("mobile")
    x = conv_block(g, g.input("image", 1, 320, 320, 3), 32, "stem", 3, 2)
    stages = ((32, 3, 1), (48, 3, 2), (80, 5, 2), (160, 3, 2), (224, 5, 1), (384, 5, 2), (640, 3, 1))
    for stage, (channels, kernel, stride) in enumerate(stages):
        for block in range(blocks):
            x = inverted_residual(g, x, channels, f"stage{stage}.{block}", kernel, stride if block == 0 else 1)
    return g.text(["Mobile net of EfficientNet-B7's shape: inverted residuals, depthwise convolutions, gates."],
                  conv_block(g, x, 2560, "head", 1))


class Decoder:
    """What the layers of a decoder share: one token for each of `users`."""

    def __init__(self, name: str, users: int, hidden: int, heads: int, kv_heads: int, head: int, cached: int) -> None:
        self.g = Graph(name)
        self.users, self.hidden, self.heads, self.kv_heads, self.head, self.cached = (users, hidden, heads, kv_heads,
                                                                                      head, cached)
        self.x = self.g.input("hidden_states", users, hidden)
        self.position = self.g.input("cache_position", 1, dtype="i32")
        self.cosine, self.sine = (self.g.input(part, 1, 1, 1, head) for part in ("cos", "sin"))
        self.mask = self.g.input("mask", users, 1, 1, cached)
        self.caches: list[Value] = []

    def norm(self, x: Value, name: str) -> Value:
        """Root mean square spelled out in f32, as exporters write it."""
        g = self.g
        wide = g.typecast(x, "f32", f"{name}.wide")
        square = g.binary("multiply", wide, wide, f"{name}.square")
        mean = g.op("mean", [square], (self.users, 1), {"dim_arg": i32_list([1]), "keep_dim": "true"},
                    loc=f"{name}.mean")
        mean = g.binary("add", mean, g.splat("9.99999974E-6", (1, 1), f"{name}.eps", "f32"), f"{name}.shifted")
        wide = g.binary("multiply", wide, g.unary("rsqrt", mean, f"{name}.rsqrt"), f"{name}.normal")
        return g.binary("multiply", g.typecast(wide, "bf16", f"{name}.narrow"),
                        g.parameter(f"{name}.weight", x.shape[-1]), name)

    def rotate(self, y: Value, name: str) -> Value:
        g, half = self.g, self.head // 2
        upper = g.unary("neg", g.slice_last(y, half, self.head, f"{name}.upper"), f"{name}.neg")
        turned = g.concat([upper, g.slice_last(y, 0, half, f"{name}.lower")], 3, f"{name}.half")
        return g.binary("add", g.binary("multiply", y, self.cosine, f"{name}.cos"),
                        g.binary("multiply", turned, self.sine, f"{name}.sin"), f"{name}.rotary")

    def attention(self, name: str, by_group: bool) -> None:
        g, x = self.g, self.norm(self.x, f"{name}.norm")
        groups = self.kv_heads if by_group else 1
        heads, kv_heads = self.heads // groups, self.kv_heads // groups
        parts = [self.group(x, f"{name}.g{group}", heads, kv_heads) for group in range(groups)]
        y = g.concat(parts, 1, f"{name}.merge") if groups > 1 else parts[0]
        self.x = g.binary("add", self.x, g.projection(y, self.hidden, f"{name}.o"), f"{name}.residual")

    def group(self, x: Value, name: str, heads: int, kv_heads: int) -> Value:
        g, each = self.g, heads // kv_heads

        def project(part: str, count: int) -> Value:
            return g.reshape(g.projection(x, count * self.head, f"{name}.{part}"), self.users, count, 1, self.head,
                             loc=f"{name}.{part}.heads")

        query = self.rotate(project("q", heads), f"{name}.q")
        caches = [g.kv_cache(f"{name}.{part}_cache", self.users, kv_heads, self.cached, self.head) for part in "kv"]
        for part, cache, y in (("k", caches[0], self.rotate(project("k", kv_heads), f"{name}.k")),
                               ("v", caches[1], project("v", kv_heads))):
            last = g.permute(y, 2, 1, 0, 3, loc=f"{name}.{part}.users")
            g.ops("update_cache", [cache, last, self.position], [], {"batch_offset": "0 : i32"}, f"{name}.{part}.write")
        query = g.reshape(query, self.users, kv_heads, each, self.head, loc=f"{name}.q.groups")
        scores = g.matmul(query, g.permute(caches[0], 0, 1, 3, 2, loc=f"{name}.k.turned"), f"{name}.scores")
        scale = g.splat("8.837890e-02", (1, 1, 1, 1), f"{name}.scale")
        scores = g.binary("add", g.binary("multiply", scores, scale, f"{name}.scaled"), self.mask, f"{name}.masked")
        y = g.matmul(g.softmax(scores, f"{name}.softmax"), caches[1], f"{name}.context")
        self.caches += caches
        return g.reshape(y, self.users, heads * self.head, loc=f"{name}.flat")

    def gated(self, x: Value, width: int, name: str) -> Value:
        g = self.g
        gate = silu(g, g.projection(x, width, f"{name}.gate"), f"{name}.gate")
        y = g.binary("multiply", gate, g.projection(x, width, f"{name}.up"), f"{name}.gated")
        return g.projection(y, self.hidden, f"{name}.down")

    def feed_forward(self, width: int, name: str) -> None:
        y = self.gated(self.norm(self.x, f"{name}.norm"), width, name)
        self.x = self.g.binary("add", self.x, y, f"{name}.residual")

    def experts(self, count: int, width: int, name: str) -> None:
        g, x = self.g, self.norm(self.x, f"{name}.norm")
        weights = g.softmax(g.projection(x, count, f"{name}.router"), f"{name}.weights")
        total = self.gated(x, width, f"{name}.shared")
        for expert in range(count):
            part = f"{name}.e{expert}"
            share = g.slice_last(weights, expert, expert + 1, f"{part}.share")
            y = g.binary("multiply", self.gated(x, width, part), share, f"{part}.weighted")
            total = g.binary("add", total, y, f"{part}.sum")
        self.x = g.binary("add", self.x, total, f"{name}.residual")

    def text(self, comment: str) -> str:
        return self.g.text([comment], *self.caches, self.norm(self.x, "norm"))


def decode(layers: int = 80) -> str:
    decoder = Decoder("decode", 32, 8192, 64, 8, 128, 128)
    for layer in range(layers):
        decoder.attention(f"layers.{layer}.attn", by_group=True)
        decoder.feed_forward(28672, f"layers.{layer}.mlp")
    return decoder.text("Decode step for 32 users in the sizes of Llama 3 70B: caches and attention per key head.")


def moe(layers: int = 61) -> str:
    decoder = Decoder("moe", 32, 7168, 32, 8, 128, 128)
    for layer in range(layers):
        decoder.attention(f"layers.{layer}.attn", by_group=False)
        decoder.experts(28, 2048, f"layers.{layer}.moe")
    return decoder.text("Decoder with 61 layers of experts, all of a chip's computed, in the widths of DeepSeek-V3.")


def prefill(heads: int = 16, tokens: int = 2048, hidden: int = 2048) -> str:
    g = Graph("prefill")
    x, head = g.input("hidden_states", tokens, hidden), hidden // heads
    mask = g.input("mask", 1, tokens, tokens)

    def norm(x: Value, name: str) -> Value:
        square = g.binary("multiply", x, x, f"{name}.square")
        mean = g.op("mean", [square], (tokens, 1), {"dim_arg": i32_list([1]), "keep_dim": "true"}, loc=f"{name}.mean")
        mean = g.binary("add", mean, g.splat("9.99999974E-6", (1, 1), f"{name}.eps"), f"{name}.shifted")
        x = g.binary("multiply", x, g.unary("rsqrt", mean, f"{name}.rsqrt"), f"{name}.normal")
        return g.binary("multiply", x, g.parameter(f"{name}.weight", hidden), name)

    def project(y: Value, name: str) -> Value:
        y = g.reshape(g.projection(y, hidden, name), tokens, heads, head, loc=f"{name}.split")
        return g.permute(y, 1, 0, 2, loc=f"{name}.heads")

    y = norm(x, "input_norm")
    query, key, value = (project(y, part) for part in "qkv")
    scores = g.matmul(query, g.permute(key, 0, 2, 1, loc="k.turned"), "scores")
    scores = g.binary("multiply", scores, g.splat("2.209710e-02", (1, 1, 1), "scale"), "scaled")
    y = g.matmul(g.softmax(g.binary("add", scores, mask, "masked"), "softmax"), value, "context")
    y = g.reshape(g.permute(y, 1, 0, 2, loc="merge"), tokens, hidden, loc="merged")
    x = g.binary("add", x, g.projection(y, hidden, "o"), "attention")
    y = norm(x, "post_norm")
    y = g.binary("multiply", silu(g, g.projection(y, 4 * hidden, "gate"), "gate"),
                 g.projection(y, 4 * hidden, "up"), "gated")
    x = g.binary("add", x, g.projection(y, hidden, "down"), "layer")
    return g.text([f"Prefill of {tokens} tokens: a decoder layer with {heads} heads, norm and vocabulary."],
                  g.projection(norm(x, "norm"), 64128, "vocabulary"))


def arguments(count: int = 10000) -> str:
    g = Graph("arguments")
    total = g.input("a", 128, 128)
    for index in range(1, count):
        total = g.binary("add", total, g.input(f"a{index}", 128, 128), f"sum{index}")
    return g.text([f"A sum over {count} arguments."], total)


if __name__ == "__main__":
    makers = {"detector": detector, "pyramid": pyramid, "unet": unet, "dense": dense, "mobile": mobile,
              "decode": decode, "moe": moe, "prefill": prefill, "arguments": arguments}
    if not 2 <= len(sys.argv) <= 3 or sys.argv[1] not in makers:
        sys.exit(__doc__)
    print(makers[sys.argv[1]](*map(int, sys.argv[2:])), end="")
