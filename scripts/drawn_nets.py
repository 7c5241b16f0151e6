#!/usr/bin/env python3
"""Prints a convolution net of about 1,000 ops that is drawn by lot: its blocks, widths, depth, sides and skips.

  scripts/drawn_nets.py net SEED [OPS]

For scripts/bench goals nets: nets that nobody chose, beside those of bench_graphs.py.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable

from bench_graphs import channel_gate, silu, split_block, upsample
from ttir_graph import Graph, Value

Block = Callable[["Net", Value, str], Value]


class Net:
    """What all blocks of one net share."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.graph = Graph("drawn")
        self.activation = self.draw.choice(("relu", "silu", "gelu", "tanh"))
        self.kernel = self.draw.choice((3, 3, 3, 5))
        self.normal = self.draw.random() < 0.8

    def act(self, x: Value, name: str) -> Value:
        if self.activation == "silu":
            return silu(self.graph, x, name)
        return self.graph.unary(self.activation, x, f"{name}.{self.activation}")

    def conv(self, x: Value, channels: int, name: str, kernel: int = 1, stride: int = 1, groups: int = 1) -> Value:
        y = self.graph.conv(x, channels, f"{name}.conv", kernel, stride, groups)
        return self.graph.batch_norm(y, f"{name}.bn") if self.normal else y

    def block(self, x: Value, channels: int, name: str, kernel: int = 1, stride: int = 1, groups: int = 1) -> Value:
        return self.act(self.conv(x, channels, name, kernel, stride, groups), name)

    def add(self, x: Value, y: Value, name: str) -> Value:
        return self.graph.binary("add", x, y, f"{name}.add")


def plain(net: Net, x: Value, name: str) -> Value:
    return net.block(x, x.shape[3], name, net.kernel)


def residual(net: Net, x: Value, name: str) -> Value:
    y = net.conv(plain(net, x, f"{name}.1"), x.shape[3], f"{name}.2", net.kernel)
    return net.act(net.add(y, x, name), name)


def bottleneck(net: Net, x: Value, name: str) -> Value:
    y = net.block(x, max(x.shape[3] // 4, 8), f"{name}.in")
    y = net.block(y, y.shape[3], f"{name}.mid", net.kernel)
    return net.act(net.add(net.conv(y, x.shape[3], f"{name}.out"), x, name), name)


def inverted(net: Net, x: Value, name: str) -> Value:
    wide = x.shape[3] * net.draw.choice((2, 4, 6))
    y = net.block(x, wide, f"{name}.expand")
    y = net.block(y, wide, f"{name}.depth", net.kernel, 1, wide)
    if net.draw.random() < 0.5:
        y = channel_gate(net.graph, y, max(x.shape[3] // 4, 8), f"{name}.gate")
    return net.add(net.conv(y, x.shape[3], f"{name}.project"), x, name)


def branches(net: Net, x: Value, name: str) -> Value:
    part = max(x.shape[3] // 4, 8)
    parts = [net.block(x, part, f"{name}.a"),
             net.block(net.block(x, part, f"{name}.b1"), part, f"{name}.b2", 3),
             net.block(net.block(net.block(x, part, f"{name}.c1"), part, f"{name}.c2", 3), part, f"{name}.c3", 3),
             net.block(net.graph.max_pool(x, 3, 1, 1, f"{name}.pool"), x.shape[3] - 3 * part, f"{name}.d")]
    return net.graph.concat(parts, 3, f"{name}.concat")


def growing(net: Net, x: Value, name: str) -> Value:
    """Layers that each add channels to what they read; then as many channels as before."""
    y = x
    for layer in range(net.draw.randint(2, 6)):
        step = net.block(net.block(y, 64, f"{name}.{layer}.in"), 32, f"{name}.{layer}.out", 3)
        y = net.graph.concat([y, step], 3, f"{name}.{layer}.concat")
    return net.block(y, x.shape[3], f"{name}.narrow")


def split(net: Net, x: Value, name: str) -> Value:
    return split_block(net.graph, x, x.shape[3], net.draw.randint(1, 4), name, net.draw.random() < 0.5)


def shuffled(net: Net, x: Value, name: str) -> Value:
    batch, height, width, channels = x.shape
    half, g = channels // 2, net.graph
    left, right = g.slice_last(x, 0, half, f"{name}.left"), g.slice_last(x, half, channels, f"{name}.right")
    right = net.conv(net.block(right, half, f"{name}.1"), half, f"{name}.depth", 3, 1, half)
    x = g.concat([left, net.block(right, half, f"{name}.2")], 3, f"{name}.concat")
    x = g.permute(g.reshape(x, batch, height * width, 2, half, loc=f"{name}.parts"), 0, 1, 3, 2, loc=f"{name}.turn")
    return g.reshape(x, batch, height, width, channels, loc=f"{name}.whole")


def normalised(net: Net, x: Value, name: str) -> Value:
    """A depthwise convolution and two linear layers over all positions."""
    g, channels = net.graph, x.shape[3]
    y = g.layer_norm(g.conv(x, channels, f"{name}.depth", 7, 1, channels), f"{name}.norm", "1.000000e-06 : f32")
    y = g.reshape(y, 1, 1, x.shape[0] * x.shape[1] * x.shape[2], channels, loc=f"{name}.rows")
    y = g.linear(net.act(g.linear(y, 4 * channels, f"{name}.wide"), name), channels, f"{name}.narrow")
    return net.add(g.reshape(y, *x.shape, loc=f"{name}.sides"), x, name)


BLOCKS: tuple[Block, ...] = (plain, residual, bottleneck, inverted, branches, growing, split, shuffled, normalised)


def filled(net: Net, x: Value, kinds: list[Block], until: float, name: str) -> Value:
    """More blocks, until the net has so many ops."""
    block = 0
    while net.graph.result_count < until:
        x = net.draw.choice(kinds)(net, x, f"{name}.{block}")
        block += 1
    return x


def way_up(net: Net, x: Value, kinds: list[Block], skips: list[Value], most: float) -> Value:
    """Back to the sides of the skips, the last of them first, each joined in."""
    g = net.graph
    share = (most - g.result_count) / len(skips)
    for level, skip in enumerate(reversed(skips)):
        x = net.block(upsample(g, x, f"up{level}"), skip.shape[3], f"up{level}.narrow")
        x = net.block(g.concat([x, skip], 3, f"up{level}.concat"), skip.shape[3], f"up{level}.join")
        x = filled(net, x, kinds, g.result_count + share, f"up{level}")
    return x


def drawn(seed: int, most: int = 1000) -> str:
    net = Net(seed)
    draw, g = net.draw, net.graph
    side = draw.choice((96, 128, 160, 224, 256, 320, 384))
    width = draw.choice((32, 40, 48, 64, 88))
    kinds = draw.sample(BLOCKS, draw.randint(1, 3))
    shares = [draw.uniform(0.5, 2) for _ in range(draw.randint(3, 4))]
    goes_up = draw.random() < 0.4
    x = net.block(g.input("image", draw.choice((1, 1, 1, 2, 4)), side, side, 3), width, "stem", 3, 2)
    skips: list[Value] = []
    for stage in range(len(shares)):
        x = net.block(x, min(width * 2**stage, 768), f"stage{stage}", 3, 2 if stage > 0 else 1)
        until = (0.6 if goes_up else 1) * most * sum(shares[:stage + 1]) / sum(shares)
        x = filled(net, x, kinds, until, f"stage{stage}")
        skips.append(x)
    if goes_up:
        x = way_up(net, x, kinds, skips[:-1], most)
    return g.text([f"Drawn by lot, seed {seed}: {', '.join(kind.__name__ for kind in kinds)}."], x)


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] != "net":
        sys.exit(__doc__.strip())
    print(drawn(*map(int, sys.argv[2:])), end="")
