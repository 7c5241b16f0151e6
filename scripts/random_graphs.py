"""Random graphs over the families of ops: forks, concats, several results and functions, caches written in place, odd
shapes and types. The same seed gives the same graph: TTIR, and StableHLO in one of three (random_stablehlo.py).
"""
import random

from random_rare import RareOps
from random_serving import ServingOps
from random_stablehlo import StablehloWriter
from random_writer import FLOATS, GraphWriter


class TtirWriter(RareOps, ServingOps, GraphWriter):
    DIALECT = "ttir."

    # --- one method per family -------------------------------------------------------------------------------------

    def add_unary(self):
        a = self.pick()
        name = self.draw.choice(("relu", "exp", "gelu", "sqrt", "sigmoid", "tanh", "neg", "abs", "silu", "rsqrt", "log",
                                 "cos", "floor", "reciprocal", "erf", "sign", "hardsigmoid", "log1p", "expm1", "atan"))
        self.emit(name, [a], [self.of(a).shape])

    def add_activation(self):
        a = self.pick()
        name, attrs = self.draw.choice((("leaky_relu", "parameter = 1.000000e-01 : f32"),
                                        ("clamp_scalar", "max = 6.0 : f32, min = 0.0 : f32")))
        self.emit(name, [a], [self.of(a).shape], attrs)

    def add_binary(self):
        a = self.pick()
        x = self.of(a)
        b = self.alike(a)
        if self.draw.random() < 0.3:
            b = self.argument(tuple(d if self.draw.random() < 0.5 else 1 for d in x.shape), x.dtype)
        operands = [a, b] if self.draw.random() < 0.7 else [b, a]
        self.emit(self.draw.choice(("add", "subtract", "multiply", "maximum", "minimum", "div", "add", "multiply")),
                  operands, [x.shape], dtypes=[x.dtype])

    def add_where(self):
        a = self.pick()
        x = self.of(a)
        condition = self.emit(self.draw.choice(("gt", "lt", "ge", "eq", "ne")), [a, a], [x.shape])
        self.emit("where", [condition, a, a], [x.shape], dtypes=[x.dtype])

    def add_reduction(self):
        a = self.pick()
        shape = list(self.of(a).shape)
        dims = self.draw.sample(range(len(shape)), self.draw.randint(1, min(2, len(shape))))
        keep = self.draw.random() < 0.6 or len(dims) == len(shape)
        out = [1 if i in dims else d for i, d in enumerate(shape)] if keep else \
              [d for i, d in enumerate(shape) if i not in dims]
        listed = ", ".join(f"{d} : i32" for d in sorted(dims))
        self.emit(self.draw.choice(("sum", "mean", "max", "min")), [a], [out],
                  f"dim_arg = [{listed}], keep_dim = {str(keep).lower()}")

    def add_argmax(self):
        a = self.pick_uneven()
        shape = list(self.of(a).shape)
        shape[-1] = 1
        self.emit("argmax", [a], [shape], f"dim_arg = [{len(shape) - 1} : i32], keep_dim = true", ["si32"])

    def add_cumsum(self):
        a = self.pick()
        self.emit("cumsum", [a], [self.of(a).shape], f"dim = {self.draw.randrange(len(self.of(a).shape))} : i64")

    def add_matmul(self):
        a = self.pick(self.draw.choice((2, 3, 4)))
        x = self.of(a)
        n = self.draw.choice((1, 32, 64, 100, 256, 768))
        flip = self.draw.random() < 0.2
        batch = x.shape[:-2] if self.draw.random() < 0.2 else ()
        b = self.argument(batch + ((n, x.shape[-1]) if flip else (x.shape[-1], n)), x.dtype, "parameter")
        if self.draw.random() < 0.2:
            b = self.emit("relu", [b], [self.of(b).shape])
        attrs = f"transpose_a = false, transpose_b = {str(flip).lower()}"
        out = x.shape[:-1] + (n,)
        if not batch and self.draw.random() < 0.3:
            bias = self.argument((n,), x.dtype, "parameter")
            self.emit("linear", [a, b, bias], [out], attrs)
        else:
            self.emit("matmul", [a, b], [out], attrs)

    def image(self):
        fitting = [v for v in self.live if len(self.of(v).shape) == 4 and min(self.of(v).shape[1:3]) >= 3
                   and self.of(v).dtype in FLOATS and self.of(v).shape[3] >= 8]
        if fitting and self.draw.random() < 0.8:
            return fitting[-1]
        side = self.draw.choice((7, 14, 17, 28, 56))
        return self.argument((self.draw.choice((1, 1, 2)), side, side, self.draw.choice((8, 16, 32, 64, 100))))

    def add_convolution(self):
        a = self.image()
        n, h, w, c = self.of(a).shape
        out, k, s = self.draw.choice((16, 32, 64, 96)), self.draw.choice((1, 3)), self.draw.choice((1, 1, 2))
        weight = self.argument((out, c, k, k), self.of(a).dtype, "parameter")
        p = k // 2
        place = lambda d: (d + 2 * p - k) // s + 1
        self.emit("conv2d", [a, weight], [(n, place(h), place(w), out)],
                  "batch_dim = 0 : i64, channel_dim = 3 : i64, dilation = array<i32: 1, 1>, groups = 1 : i32, "
                  f"height_dim = 1 : i64, padding = array<i32: {p}, {p}, {p}, {p}>, stride = array<i32: {s}, {s}>, "
                  "width_dim = 2 : i64")

    def add_pool(self):
        a = self.image()
        n, h, w, c = self.of(a).shape
        k, s = self.draw.choice((2, 3)), self.draw.choice((1, 2))
        place = lambda d: (d - k) // s + 1
        self.emit(self.draw.choice(("max_pool2d", "avg_pool2d")), [a], [(n, place(h), place(w), c)],
                  f"ceil_mode = false, dilation = array<i32: 1, 1>, kernel = array<i32: {k}, {k}>, "
                  f"padding = array<i32: 0, 0, 0, 0>, stride = array<i32: {s}, {s}>")

    def add_upsample(self):
        a = self.image()
        n, h, w, c = self.of(a).shape
        self.emit("upsample2d", [a], [(n, 2 * h, 2 * w, c)], 'mode = "nearest", scale_factor = 2 : si32')

    def add_softmax(self):
        a = self.pick()
        self.emit("softmax", [a], [self.of(a).shape], "dimension = -1 : si32")

    def add_norm(self):
        a = self.pick()
        x = self.of(a)
        weight = self.argument((x.shape[-1],), x.dtype, "parameter")
        if self.draw.random() < 0.5:
            self.emit("rms_norm", [a, weight], [x.shape],
                      f"epsilon = 1.000000e-05 : f32, normalized_shape = array<i64: {x.shape[-1]}>, "
                      "operandSegmentSizes = array<i32: 1, 1, 0>")
        else:
            bias = self.argument((x.shape[-1],), x.dtype, "parameter")
            self.emit("layer_norm", [a, weight, bias], [x.shape],
                      f"epsilon = 1.000000e-05 : f32, normalized_shape = array<i64: {x.shape[-1]}>, "
                      "operandSegmentSizes = array<i32: 1, 1, 1>")

    def add_concat(self):
        a = self.pick()
        x = self.of(a)
        dim = self.draw.randrange(len(x.shape))
        fits = [v for v in self.live if self.of(v).dtype == x.dtype and len(self.of(v).shape) == len(x.shape)
                and all(p == q or i == dim for i, (p, q) in enumerate(zip(self.of(v).shape, x.shape)))]
        operands = [self.draw.choice(fits) for _ in range(self.draw.randint(2, 4))]
        shape = list(x.shape)
        shape[dim] = sum(self.of(v).shape[dim] for v in operands)
        self.emit("concat", operands, [shape], f"dim = {dim} : si32", [x.dtype])

    def add_reshape(self):
        a = self.pick()
        shape = list(self.of(a).shape)
        way = self.draw.randrange(3)
        if way == 0 and len(shape) > 1:
            i = self.draw.randrange(len(shape) - 1)
            shape[i:i + 2] = [shape[i] * shape[i + 1]]
        elif way == 1 and len(shape) < 5:
            i = self.draw.randrange(len(shape))
            part = self.draw.choice([d for d in range(1, min(shape[i], 64) + 1) if shape[i] % d == 0])
            shape[i:i + 1] = [part, shape[i] // part]
        elif len(shape) < 5:
            shape.insert(0, 1)
        self.emit("reshape", [a], [shape], f"shape = [{', '.join(f'{d} : i32' for d in shape)}]")

    def add_permute(self):
        a = self.pick()
        shape = self.of(a).shape
        order = list(range(len(shape)))
        self.draw.shuffle(order)
        self.emit("permute", [a], [[shape[d] for d in order]],
                  f"permutation = array<i64: {', '.join(map(str, order))}>")

    def add_transpose(self):
        a = self.pick(self.draw.choice((2, 3, 4)))
        shape = list(self.of(a).shape)
        shape[-1], shape[-2] = shape[-2], shape[-1]
        self.emit("transpose", [a], [shape], "dim0 = -2 : si32, dim1 = -1 : si32")

    def add_slice(self):
        a = self.pick()
        shape = self.of(a).shape
        begins = [self.draw.randrange(d) for d in shape]
        ends = [self.draw.randint(b + 1, d) for b, d in zip(begins, shape)]
        numbers = lambda values: "[" + ", ".join(f"{v} : i32" for v in values) + "]"
        self.emit("slice_static", [a], [[e - b for b, e in zip(begins, ends)]],
                  f"begins = {numbers(begins)}, ends = {numbers(ends)}, step = {numbers([1] * len(shape))}")

    def add_pad(self):
        a = self.pick()
        shape = self.of(a).shape
        pads = [self.draw.choice((0, 0, 1, 5, 31)) for _ in range(2 * len(shape))]
        self.emit("pad", [a], [[d + pads[2 * i] + pads[2 * i + 1] for i, d in enumerate(shape)]],
                  f"padding = array<i32: {', '.join(map(str, pads))}>, value = 0.000000e+00 : f32")

    def add_repeat(self):
        a = self.pick()
        shape = self.of(a).shape
        times = [self.draw.choice((1, 1, 2, 3)) for _ in shape]
        self.emit("repeat", [a], [[d * t for d, t in zip(shape, times)]],
                  f"repeat_dimensions = array<i64: {', '.join(map(str, times))}>")

    def add_broadcast(self):
        a = self.argument(tuple(1 for _ in range(self.draw.randint(2, 4))))
        times = self.shape(len(self.of(a).shape))
        self.emit("broadcast", [a], [times], f"broadcast_dimensions = array<i64: {', '.join(map(str, times))}>")

    def add_typecast(self):
        a = self.pick(floats=False)
        to = self.draw.choice(("f32", "bf16", "bf16", "si32"))
        self.emit("typecast", [a], [self.of(a).shape], dtypes=[to])

    def add_embedding(self):
        ids = self.argument((self.draw.choice((1, 2, 8)), self.draw.choice((1, 7, 32, 128))), "ui32")
        width = self.draw.choice((32, 64, 100, 256))
        table = self.argument((self.draw.choice((32, 100, 512)), width), "bf16", "parameter")
        self.emit("embedding", [ids, table], [self.of(ids).shape + (width,)], dtypes=["bf16"])

    def add_created(self):
        shape = self.shape()
        numbers = ", ".join(map(str, shape))
        self.emit(self.draw.choice(("zeros", "ones")), [], [shape], f"shape = array<i32: {numbers}>")

    def add_full(self):
        shape = self.shape()
        self.emit("full", [], [shape], f"fill_value = 5.000000e-01 : f32, shape = array<i32: "
                                       f"{', '.join(map(str, shape))}>")

    def add_arange(self):
        count = self.draw.choice((7, 32, 100))
        self.emit("arange", [], [(count,)], f"arange_dimension = 0 : i64, end = {count} : si64, start = 0 : si64, "
                                            "step = 1 : si64")

    def add_heads(self):
        heads, width = self.draw.choice((1, 4, 12)), self.draw.choice((32, 64))
        rows = self.draw.choice((1, 32, 50, 128))
        x = self.argument((self.draw.choice((1, 2)), rows, 3 * heads * width))
        shape = (self.of(x).shape[0], heads, rows, width)
        self.emit("split_query_key_value_and_split_heads", [x], [shape] * 3,
                  f"num_heads = {heads} : ui32, transpose_key = false")
        q, k, v = self.live[-3:]
        if self.draw.random() < 0.7:
            out = self.emit("scaled_dot_product_attention", [q, k, v], [shape],
                            "is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, scale = 0.125 : f32")
            self.emit("concatenate_heads", [out], [(shape[0], rows, heads * width)])

    def add_topk(self):
        a = self.pick_uneven(2)
        shape = self.of(a).shape
        k = self.draw.randint(1, min(shape[-1], 32))
        self.emit("topk", [a], [(shape[0], k)] * 2,
                  f"dim = 1 : i32, k = {k} : i32, largest = true, sorted = true", [self.of(a).dtype, "si32"])

    def add_sort(self):
        a = self.pick_uneven(2)
        shape = self.of(a).shape
        self.emit("sort", [a], [shape] * 2, "dim = 1 : si32, descending = true, stable = false",
                  [self.of(a).dtype, "si32"])

    def add_cache(self):
        heads, width, rows = self.draw.choice((1, 8)), self.draw.choice((32, 64)), self.draw.choice((32, 128))
        batch = self.draw.choice((1, 8, 32))
        cache = self.argument((batch, heads, rows, width), "bf16", "kv_cache")
        if self.draw.random() < 0.5:
            new = self.emit("relu", [self.argument((1, heads, batch, width), "bf16")], [(1, heads, batch, width)])
            self.emit("update_cache", [cache, new, self.argument((1,), "si32", "input")], [], "batch_offset = 0 : i32")
        else:
            length = self.draw.choice((7, 18, 32))
            new = self.emit("relu", [self.argument((1, heads, length, width), "bf16")], [(1, heads, length, width)])
            self.emit("fill_cache", [cache, new], [], "batch_offset = 0 : i32")
        if self.draw.random() < 0.6:
            self.emit("relu", [cache], [self.of(cache).shape])

    def add_call(self):
        a = self.pick()
        x = self.of(a)
        name = f"@part{len(self.graph.helpers)}"
        self.graph.helpers[name] = (f"func.func private {name}(%x: {x.type}) -> {x.type} {{\n"
                                    f'  %y = "ttir.exp"(%x) : ({x.type}) -> {x.type}\n'
                                    f'  %z = "ttir.add"(%x, %y) : ({x.type}, {x.type}) -> {x.type}\n'
                                    f"  return %z : {x.type}\n}}")
        self.emit("call", [a], [x.shape], name)


def random_graph(seed):
    draw = random.Random(f"size {seed}")
    ops = draw.choice((3, 5, 8, 12, 20, 30, 45))
    return (StablehloWriter if draw.random() < 1 / 3 else TtirWriter)(seed, ops).graph
