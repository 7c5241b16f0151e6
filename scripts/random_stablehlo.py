"""Random StableHLO, as front ends write it: reductions with their bodies, dot_general over any dims, convolutions of
any arrangement, gathers, scatters, windows, and the groups of ops that the passes look for.
"""
import math

from random_stablehlo_moves import StablehloMoves, body, listed
from random_stablehlo_rare import StablehloRare
from random_writer import FLOATS, GraphWriter
from ttir_graph import i64_array

UNARY = ("abs", "exponential", "log", "logistic", "negate", "rsqrt", "sqrt", "tanh", "cosine", "sine", "floor", "ceil",
         "sign", "cbrt", "tan", "exponential_minus_one", "log_plus_one", "round_nearest_afz", "chlo.erf", "chlo.erfc",
         "chlo.acos", "chlo.acosh", "chlo.asin", "chlo.asinh", "chlo.atan", "chlo.atanh", "chlo.cosh", "chlo.sinh",
         "chlo.square")
PAIRS = ("add", "subtract", "multiply", "divide", "maximum", "minimum", "power", "remainder", "atan2", "add",
         "multiply")
INTEGER_PAIRS = ("and", "or", "xor", "add", "subtract", "multiply", "maximum", "minimum", "shift_left",
                 "shift_right_logical", "remainder", "divide")
COMPARISONS = ("EQ", "NE", "GE", "GT", "LE", "LT")
ORDERED = ("i32", "i32", "i64", "ui8")
INTEGERS = ORDERED + ("i8",)
# The compiler's preset stores i8 as ui8: only where the sign makes no difference to the bits does a pass keep them.
BY_BITS = ("and", "or", "xor", "add", "subtract", "multiply", "shift_left")
# Body of a reduction and the number that changes nothing, as reals.
REDUCTIONS = {"add": "0.0", "maximum": "0xFF800000", "minimum": "0x7F800000", "multiply": "1.0"}
INTEGER_REDUCTIONS = {"add": "0", "maximum": "-2147483648", "minimum": "2147483647"}
INFINITIES = {"0xFF800000": "0xFF80", "0x7F800000": "0x7F80"}  # in bf16


def pairs(numbers):
    """Padding: low and high of every dim."""
    return f"dense<{listed([listed(pair) for pair in numbers])}> : tensor<{len(numbers)}x2xi64>"


def compare(direction, dtype):
    kind = "FLOAT" if dtype in FLOATS else "SIGNED"
    return f"comparison_direction = #stablehlo<comparison_direction {direction}>, " \
           f"compare_type = #stablehlo<comparison_type {kind}>"


class StablehloWriter(StablehloMoves, StablehloRare, GraphWriter):
    DIALECT = "stablehlo."

    # --- values ------------------------------------------------------------------------------------------------------

    def constant(self, text, shape=(), dtype=None):
        dtype = dtype or self.dtype
        number = self.emit("constant", [], [shape], f"value = dense<{text}> : {self.typed(shape, dtype)}", [dtype])
        self.live.remove(number)  # nobody asks for it by chance
        return number

    @staticmethod
    def typed(shape, dtype):
        return f"tensor<{''.join(f'{dim}x' for dim in shape)}{dtype}>"

    def real(self, text, dtype):
        return self.constant(INFINITIES.get(text, text) if dtype == "bf16" else text, (), dtype)

    def spread(self, number, dims, shape):
        """broadcast_in_dim."""
        return self.emit("broadcast_in_dim", [number], [shape], f"broadcast_dimensions = {i64_array(dims)}",
                         [self.of(number).dtype])

    def along(self, number, shape):
        """A scalar in every element."""
        return self.spread(number, [], shape)

    def integers(self, dtypes=INTEGERS):
        fitting = [v for v in self.live if self.of(v).dtype in dtypes and self.of(v).shape]
        if fitting and self.draw.random() < 0.7:
            return self.draw.choice(fitting[-4:])
        if self.draw.random() < 0.3:
            return self.argument(self.shape(), self.draw.choice(dtypes))
        a = self.pick()
        return self.emit("convert", [a], [self.of(a).shape], dtypes=["i32"])

    # --- element-wise ------------------------------------------------------------------------------------------------

    def add_unary(self):
        a = self.pick()
        self.emit(self.draw.choice(UNARY), [a], [self.of(a).shape])

    def add_pair(self):
        a = self.pick()
        b = self.alike(a)
        if self.draw.random() < 0.4:
            b = self.wide(self.of(a).shape, self.of(a).dtype)
        self.emit(self.draw.choice(PAIRS), [a, b] if self.draw.random() < 0.7 else [b, a], [self.of(a).shape])

    def wide(self, shape, dtype):
        """A smaller argument, or a number, broadcast to the shape."""
        if self.draw.random() < 0.3:
            return self.along(self.real(self.draw.choice(("0.5", "2.0", "-1.0", "1.0e-5", "0.0")), dtype), shape)
        dims = sorted(self.draw.sample(range(len(shape)), self.draw.randint(1, len(shape))))
        small = [shape[d] if self.draw.random() < 0.7 else 1 for d in dims]
        return self.spread(self.argument(small, dtype), dims, shape)

    def add_chlo_broadcast(self):
        a = self.pick()
        x = self.of(a)
        b = self.argument(x.shape[self.draw.randrange(len(x.shape)):], x.dtype)
        op = self.draw.choice(("add", "multiply", "maximum", "divide", "subtract"))
        self.emit(f"chlo.broadcast_{op}", [a, b], [x.shape])

    def add_integer_pair(self):
        a = self.integers()
        x = self.of(a)
        op = self.draw.choice(BY_BITS if x.dtype == "i8" else INTEGER_PAIRS)
        # What a division by zero gives is nobody's promise, nor what is left of 64 bits on a device of 32.
        known = op in ("remainder", "divide", "shift_left")
        b = self.along(self.constant(self.draw.choice(("3", "7")), (), x.dtype), x.shape) if known else self.alike(a)
        self.emit(op, [a, b], [x.shape])

    def add_select(self):
        a = self.pick() if self.draw.random() < 0.8 else self.integers(ORDERED)
        x = self.of(a)
        choice = self.emit("compare", [a, self.alike(a)], [x.shape], compare(self.draw.choice(COMPARISONS), x.dtype),
                           ["i1"])
        if self.draw.random() < 0.3:
            choice = self.emit(self.draw.choice(("and", "or", "xor")), [choice, self.alike(choice)], [x.shape])
        if self.draw.random() < 0.3:
            choice = self.emit("not", [choice], [x.shape])
        self.emit("select", [choice, a, self.alike(a)], [x.shape], dtypes=[x.dtype])

    def add_clamp(self):
        a = self.pick()
        x = self.of(a)
        if self.draw.random() < 0.6:
            low, high = self.real("0.0", x.dtype), self.real("6.0", x.dtype)
        else:
            low, high = self.alike(a), self.alike(a)
        self.emit("clamp", [low, a, high], [x.shape], dtypes=[x.dtype])

    def add_convert(self):
        """Front ends compare with zero where they want a truth value."""
        a = self.pick(floats=False)
        if self.of(a).dtype == "i8":
            return
        self.emit("convert", [a], [self.of(a).shape],
                  dtypes=[self.draw.choice(("f32", "bf16", "bf16", "i32", "i64", "ui8"))])

    def add_is_finite(self):
        a = self.pick()
        self.emit("is_finite", [a], [self.of(a).shape], dtypes=["i1"])

    # --- along dims --------------------------------------------------------------------------------------------------

    def reduce(self, a, dims, op, start=None):
        x = self.of(a)
        start = start if start is not None else self.real(REDUCTIONS[op], x.dtype)
        return self.emit("reduce", [a, start], [[d for i, d in enumerate(x.shape) if i not in dims]],
                         f"dimensions = {i64_array(dims)}", [x.dtype], body(op, x.dtype))

    def some_dims(self, shape):
        return sorted(self.draw.sample(range(len(shape)), self.draw.randint(1, min(3, len(shape)))))

    def add_reduce(self):
        a = self.pick()
        x = self.of(a)
        start = self.real(self.draw.choice(("0.0", "2.0", "-3.0")), x.dtype) if self.draw.random() < 0.15 else None
        dims = self.some_dims(x.shape)
        out = self.reduce(a, dims, self.draw.choice(list(REDUCTIONS)), start)
        if self.draw.random() < 0.5:  # as a mean, or back to where it was
            kept = [i for i in range(len(x.shape)) if i not in dims]
            self.spread(out, kept, x.shape)
        if not self.of(out).shape:
            self.live.remove(out)

    def add_reduce_integers(self):
        a = self.integers()
        x = self.of(a)
        op = "add" if x.dtype == "i8" else self.draw.choice(list(INTEGER_REDUCTIONS))
        number = INTEGER_REDUCTIONS[op] if x.dtype in ("i32", "i64") else "0"
        start = self.constant(number, (), x.dtype)
        self.reduce(a, self.some_dims(x.shape), op, start)

    def add_reduce_truth(self):
        a = self.pick()
        shape = self.of(a).shape
        truth = self.emit("compare", [a, self.alike(a)], [shape],
                          compare(self.draw.choice(COMPARISONS), self.of(a).dtype), ["i1"])
        op = self.draw.choice(("and", "or"))
        self.reduce(truth, self.some_dims(shape), op, self.constant("true" if op == "and" else "false", (), "i1"))

    def add_softmax(self):
        a = self.pick()
        x = self.of(a)
        dim = len(x.shape) - 1 if self.draw.random() < 0.8 else self.draw.randrange(len(x.shape))
        kept = [i for i in range(len(x.shape)) if i != dim]
        most = self.spread(self.reduce(a, [dim], "maximum"), kept, x.shape)
        power = self.emit("exponential", [self.emit("subtract", [a, most], [x.shape])], [x.shape])
        total = self.spread(self.reduce(power, [dim], "add"), kept, x.shape)
        self.emit("divide", [power, total], [x.shape])

    def add_norm(self):
        a = self.pick()
        x = self.of(a)
        dim = len(x.shape) - 1
        kept = list(range(dim))
        mean = lambda v: self.emit("divide", [self.spread(self.reduce(v, [dim], "add"), kept, x.shape), self.along(
            self.real(f"{float(x.shape[dim])}", x.dtype), x.shape)], [x.shape])
        if self.draw.random() < 0.5:  # layer norm, else RMS norm
            a = self.emit("subtract", [a, mean(a)], [x.shape])
        spread = mean(self.emit("multiply", [a, a], [x.shape]))
        spread = self.emit("add", [spread, self.along(self.real("1.0e-5", x.dtype), x.shape)], [x.shape])
        out = self.emit("multiply", [a, self.emit("rsqrt", [spread], [x.shape])], [x.shape])
        weight = self.spread(self.argument((x.shape[-1],), x.dtype, "parameter"), [dim], x.shape)
        self.emit("multiply", [out, weight], [x.shape])

    def add_gelu(self):
        a = self.pick()
        x = self.of(a)
        number = lambda text: self.along(self.real(text, x.dtype), x.shape)
        inner = self.emit("multiply", [a, number("0.70710678")], [x.shape])
        inner = self.emit("add", [self.emit("chlo.erf", [inner], [x.shape]), number("1.0")], [x.shape])
        half = self.emit("multiply", [a, number("0.5")], [x.shape])
        self.emit("multiply", [half, inner], [x.shape])

    def add_sort(self):
        a = self.pick_uneven()
        x = self.of(a)
        dim = self.draw.randrange(len(x.shape))
        direction = self.draw.choice(("LT", "GT"))
        iota = self.emit("iota", [], [x.shape], f"iota_dimension = {dim} : i64", ["i32"])
        region = (f"  ^bb0(%x: tensor<{x.dtype}>, %y: tensor<{x.dtype}>, %p: tensor<i32>, %q: tensor<i32>):\n"
                  f'    %z = "stablehlo.compare"(%x, %y) <{{{compare(direction, x.dtype)}}}> : '
                  f"(tensor<{x.dtype}>, tensor<{x.dtype}>) -> tensor<i1>\n"
                  f'    "stablehlo.return"(%z) : (tensor<i1>) -> ()')
        self.emit("sort", [a, iota], [x.shape] * 2, f"dimension = {dim} : i64, is_stable = true", [x.dtype, "i32"],
                  region)

    def add_top_k(self):
        a = self.pick_uneven()
        shape = list(self.of(a).shape)
        shape[-1] = k = self.draw.randint(1, min(shape[-1], 16))
        self.emit("chlo.top_k", [a], [shape] * 2, f"k = {k} : i64", [self.of(a).dtype, "i32"])

    # --- products ----------------------------------------------------------------------------------------------------

    def add_dot_general(self):
        a = self.pick(self.draw.choice((2, 3, 4)))
        x = self.of(a)
        dims = list(range(len(x.shape)))
        self.draw.shuffle(dims)
        batch = dims[:self.draw.choice((0, 0, 1, 2)) if len(dims) > 2 else 0]
        contracted = dims[len(batch):len(batch) + self.draw.choice((1, 1, 2) if len(dims) > len(batch) + 2 else (1,))]
        free = [self.draw.choice((1, 8, 32, 64, 100)) for _ in range(self.draw.choice((0, 1, 1, 1, 2)))]
        # The other operand's dims in a drawn order: (kind, number within the kind).
        places = [("batch", i) for i in range(len(batch))] + [("sum", i) for i in range(len(contracted))] + \
                 [("free", i) for i in range(len(free))]
        if self.draw.random() < 0.6:
            self.draw.shuffle(places)
        sizes = {"batch": [x.shape[d] for d in batch], "sum": [x.shape[d] for d in contracted], "free": free}
        b = self.argument([sizes[kind][i] for kind, i in places], x.dtype, self.draw.choice(("parameter", "")))
        at = lambda kind, count: [places.index((kind, i)) for i in range(count)]
        left = [x.shape[d] for d in range(len(x.shape)) if d not in batch + contracted]
        out = [x.shape[d] for d in batch] + left + [free[i] for kind, i in places if kind == "free"]
        numbers = (("lhs_batching_dimensions", batch), ("rhs_batching_dimensions", at("batch", len(batch))),
                   ("lhs_contracting_dimensions", contracted),
                   ("rhs_contracting_dimensions", at("sum", len(contracted))))
        text = ", ".join(f"{name} = {listed(dims)}" for name, dims in numbers if dims)
        made = self.emit("dot_general", [a, b], [out], f"dot_dimension_numbers = #stablehlo.dot<{text}>", [x.dtype])
        if not out:
            self.live.remove(made)

    def image(self, channels_last):
        """An image, and its dims: batch, channels, and those of space."""
        side = self.draw.choice((5, 7, 14, 17, 28))
        spatial = [side, self.draw.choice((side, side, 1, 9))]
        if self.draw.random() < 0.15:
            spatial = spatial[:1]
        n, c = self.draw.choice((1, 1, 2)), self.draw.choice((3, 8, 16, 32, 64))
        shape = [n, *spatial, c] if channels_last else [n, c, *spatial]
        last = len(shape) - 1
        dims = (0, last, list(range(1, last))) if channels_last else (0, 1, list(range(2, last + 1)))
        fitting = [v for v in self.live if len(self.of(v).shape) == len(shape) and self.of(v).dtype in FLOATS
                   and all(self.of(v).shape[d] >= 3 for d in dims[2]) and self.of(v).shape[dims[1]] >= 4]
        if fitting and self.draw.random() < 0.7:
            return fitting[-1], dims
        return self.argument(shape), dims

    def add_convolution(self):
        last = self.draw.random() < 0.5
        a, (_, channel, space) = self.image(last)
        x = self.of(a)
        count, c = len(space), x.shape[channel]
        groups = c if self.draw.random() < 0.2 else 1
        out = c if groups > 1 else self.draw.choice((8, 16, 32, 100))
        kernel = [self.draw.choice((1, 3, 3, 5)) for _ in space]
        dilated = self.draw.random() < 0.15  # of the input: a transposed convolution
        strides = [1 if dilated else self.draw.choice((1, 1, 2)) for _ in space]
        inner = [2 if dilated else 1 for _ in space]
        outer = [self.draw.choice((1, 1, 1, 2)) for _ in space]
        pads = [[self.draw.randint(0, (k - 1) * d) for _ in range(2)] if self.draw.random() < 0.3 else
                [(k - 1) * d // 2] * 2 for k, d in zip(kernel, outer)]
        sizes = [((x.shape[d] - 1) * inner[i] + 1 + sum(pads[i]) - (kernel[i] - 1) * outer[i] - 1) // strides[i] + 1
                 for i, d in enumerate(space)]
        if min(sizes) < 1:
            return
        order = self.draw.choice(("io0", "oi0", "0io"))
        places = {"0": kernel, "i": [c // groups], "o": [out]}
        weight = [size for letter in order for size in places[letter]]
        letters = {"0": [str(i) for i in range(count)], "i": ["i"], "o": ["o"]}
        named = listed([text for letter in order for text in letters[letter]])
        image = listed(["b", *letters["0"], "f"] if last else ["b", "f", *letters["0"]])
        shape = [x.shape[0], *sizes, out] if last else [x.shape[0], out, *sizes]
        self.emit("convolution", [a, self.argument(weight, x.dtype, "parameter")], [shape],
                  f"batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<{image}x{named}->{image}>, "
                  f"feature_group_count = {groups} : i64, lhs_dilation = {i64_array(inner)}, padding = {pairs(pads)}, "
                  f"rhs_dilation = {i64_array(outer)}, window_strides = {i64_array(strides)}")

    def add_window(self):
        """A pool over an image, or running sums."""
        if self.draw.random() < 0.3:
            return self.running_sum()
        a, (_, _, space) = self.image(self.draw.random() < 0.5)
        x = self.of(a)
        rank, op = len(x.shape), self.draw.choice(("maximum", "add", "maximum", "add", "minimum"))
        side = lambda values: [self.draw.choice(values) if d in space else 1 for d in range(rank)]
        window, strides = side((2, 3)), side((1, 2))
        pads = [[self.draw.choice((0, 0, 1)) for _ in range(2)] if d in space else [0, 0] for d in range(rank)]
        shape = [(d + sum(p) - w) // s + 1 for d, p, w, s in zip(x.shape, pads, window, strides)]
        if min(shape) < 1:
            return
        out = self.emit("reduce_window", [a, self.real(REDUCTIONS[op], x.dtype)], [shape],
                        f"padding = {pairs(pads)}, window_dimensions = {i64_array(window)}, "
                        f"window_strides = {i64_array(strides)}", [x.dtype], body(op, x.dtype))
        if op == "add" and self.draw.random() < 0.7:
            self.emit("divide", [out, self.along(self.real(f"{float(math.prod(window))}", x.dtype), shape)], [shape])

    def running_sum(self):
        a = self.pick()
        x = self.of(a)
        dim, rank = self.draw.randrange(len(x.shape)), len(x.shape)
        window = [x.shape[dim] if d == dim else 1 for d in range(rank)]
        pads = [[x.shape[dim] - 1, 0] if d == dim else [0, 0] for d in range(rank)]
        self.emit("reduce_window", [a, self.real("0.0", x.dtype)], [x.shape],
                  f"padding = {pairs(pads)}, window_dimensions = {i64_array(window)}", [x.dtype], body("add", x.dtype))

    def add_batch_norm(self):
        a, (_, channel, _) = self.image(self.draw.random() < 0.5)
        x = self.of(a)
        scale, offset, mean, variance = (self.argument((x.shape[channel],), x.dtype, "parameter") for _ in range(4))
        variance = self.emit("abs", [variance], [(x.shape[channel],)])
        self.emit("batch_norm_inference", [a, scale, offset, mean, variance], [x.shape],
                  f"epsilon = 1.000000e-03 : f32, feature_index = {channel} : i64")

    # --- the rest ----------------------------------------------------------------------------------------------------

    def add_barrier(self):
        a, b = self.pick(), self.pick(floats=False)
        self.emit("optimization_barrier", [a, b], [self.of(a).shape, self.of(b).shape],
                  dtypes=[self.of(a).dtype, self.of(b).dtype])

    def add_call(self):
        a = self.pick()
        x = self.of(a)
        name = f"@part{len(self.graph.helpers)}"
        self.graph.helpers[name] = (f"func.func private {name}(%x: {x.type}) -> {x.type} {{\n"
                                    f'  %y = "stablehlo.exponential"(%x) : ({x.type}) -> {x.type}\n'
                                    f'  %z = "stablehlo.add"(%x, %y) : ({x.type}, {x.type}) -> {x.type}\n'
                                    f"  return %z : {x.type}\n}}")
        self.emit("call", [a], [x.shape], name)
