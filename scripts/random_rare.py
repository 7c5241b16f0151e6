"""The families of ops that few networks have, for random graphs (random_graphs.py): element-wise functions of reals and
of integers, windows of other kinds, gathers and scatters, quantized numbers, other norms, collectives.
"""
from ttir_graph import i32_array, i32_list, i64_array

REALS = ("acos", "acosh", "asin", "asinh", "atanh", "cbrt", "ceil", "cosh", "erfc", "exp2", "frac", "hardswish",
         "isfinite", "log10", "log2", "logical_not", "mish", "relu6", "round", "sin", "sinh", "softsign", "square",
         "tan", "trunc")
PAIRS = ("remainder", "atan2", "le", "logical_and", "logical_or", "logical_xor", "pow")
INTEGER_PAIRS = ("bitwise_and", "bitwise_or", "bitwise_xor", "add", "subtract", "multiply", "maximum", "minimum",
                 "remainder", "eq", "lt")
IMAGE_DIMS = "batch_dim = 0 : i64, channel_dim = 3 : i64, height_dim = 1 : i64, width_dim = 2 : i64"


class RareOps:
    """Methods of a Writer, one per kind of op."""

    # --- element-wise ----------------------------------------------------------------------------------------------

    def add_rare_unary(self):
        a = self.pick()
        self.emit(self.draw.choice(REALS), [a], [self.of(a).shape])

    def add_rare_pair(self):
        a = self.pick()
        self.emit(self.draw.choice(PAIRS), [a, self.alike(a)], [self.of(a).shape])

    def add_clamp(self):
        a = self.pick()
        self.emit("clamp_tensor", [a, self.alike(a), self.alike(a)], [self.of(a).shape])

    def integers(self):
        """An integer tensor: one that was made, or converted from a real one."""
        fitting = [v for v in self.live if self.of(v).dtype == "si32" and len(self.of(v).shape) > 0]
        if fitting and self.draw.random() < 0.7:
            return self.draw.choice(fitting[-4:])
        a = self.pick()
        return self.emit("typecast", [a], [self.of(a).shape], dtypes=["si32"])

    def add_integer_pair(self):
        a = self.integers()
        self.emit(self.draw.choice(INTEGER_PAIRS), [a, self.alike(a)], [self.of(a).shape])

    def add_integer_unary(self):
        a = self.integers()
        self.emit(self.draw.choice(("bitwise_not", "neg", "abs", "relu")), [a], [self.of(a).shape])

    # --- along dims ------------------------------------------------------------------------------------------------

    def add_rare_reduction(self):
        a = self.pick()
        shape = list(self.of(a).shape)
        dim = self.draw.randrange(len(shape))
        keep = self.draw.random() < 0.6 or len(shape) == 1
        out = shape[:dim] + ([1] if keep else []) + shape[dim + 1:]
        self.emit(self.draw.choice(("prod", "reduce_and", "reduce_or")), [a], [out],
                  f"dim_arg = {i32_list([dim])}, keep_dim = {str(keep).lower()}")

    def add_cumprod(self):
        a = self.pick()
        self.emit("cumprod", [a], [self.of(a).shape], f"dim = {self.draw.randrange(len(self.of(a).shape))} : i64")

    def add_softmax_of_any_dim(self):
        a = self.pick()
        dim = self.draw.randrange(len(self.of(a).shape))
        self.emit("softmax", [a], [self.of(a).shape], f"dimension = {dim} : si32")

    def add_squeeze(self):
        a = self.pick()
        shape = list(self.of(a).shape)
        ones = [i for i, d in enumerate(shape) if d == 1]
        if ones and len(shape) > 1 and self.draw.random() < 0.6:
            dim = self.draw.choice(ones)
            self.emit("squeeze", [a], [shape[:dim] + shape[dim + 1:]], f"dim = {dim} : si32")
        elif len(shape) < 5:
            dim = self.draw.randrange(len(shape) + 1)
            self.emit("unsqueeze", [a], [shape[:dim] + [1] + shape[dim:]], f"dim = {dim} : si32")

    def add_reverse(self):
        a = self.pick()
        rank = len(self.of(a).shape)
        dims = sorted(self.draw.sample(range(rank), self.draw.randint(1, rank)))
        self.emit("reverse", [a], [self.of(a).shape], f"dimensions = {i64_array(dims)}")

    def add_strided_slice(self):
        a = self.pick()
        shape = self.of(a).shape
        begins = [self.draw.randrange(d) for d in shape]
        ends = [self.draw.randint(b + 1, d) for b, d in zip(begins, shape)]
        steps = [self.draw.choice((1, 1, 2, 3)) for _ in shape]
        self.emit("slice_static", [a], [[(e - b + s - 1) // s for b, e, s in zip(begins, ends, steps)]],
                  f"begins = {i32_list(begins)}, ends = {i32_list(ends)}, step = {i32_list(steps)}")

    def add_repeat_interleave(self):
        a = self.pick()
        shape = list(self.of(a).shape)
        dim, times = self.draw.randrange(len(shape)), self.draw.choice((2, 3))
        shape[dim] *= times
        self.emit("repeat_interleave", [a], [shape], f"dim = {dim} : si32, repeats = {times} : ui32")

    # --- at indexed places -----------------------------------------------------------------------------------------

    def indices(self, shape, most):
        """Numbers below `most`: counted along the last dim, or the same everywhere."""
        count = min(shape[-1], most)
        if self.draw.random() < 0.5 or shape[-1] > most:
            number = self.draw.randrange(most)
            return self.emit("full", [], [shape], f"fill_value = {number} : i32, shape = {i32_array(shape)}",
                             dtypes=["si32"])
        return self.emit("arange", [], [shape], f"arange_dimension = {len(shape) - 1} : i64, end = {count} : si64, "
                                                "start = 0 : si64, step = 1 : si64", dtypes=["si32"])

    def add_gather(self):
        a = self.pick(self.draw.choice((2, 3)))
        shape = list(self.of(a).shape)
        dim = self.draw.randrange(len(shape))
        out = list(shape)
        out[dim] = self.draw.randint(1, shape[dim])
        self.emit("gather", [a, self.indices(out, shape[dim])], [out], f"dim = {dim} : i32",
                  [self.of(a).dtype])

    def add_scatter(self):
        a = self.pick(2)
        shape = list(self.of(a).shape)
        dim = self.draw.randrange(2)
        part = list(shape)
        part[dim] = self.draw.randint(1, shape[dim])
        places = self.indices(part, shape[dim])
        source = self.argument(part, self.of(a).dtype)
        self.emit("scatter", [a, places, source], [shape],
                  f"dim = {dim} : i32, scatter_reduce_type = #ttcore.reduce_type<sum>", [self.of(a).dtype])

    def add_embedding_backward(self):
        rows, width, count = self.draw.choice((32, 100)), self.draw.choice((32, 64)), self.draw.choice((7, 32))
        places = self.indices((1, count), rows)
        table, gradient = self.argument((rows, width), "bf16"), self.argument((1, count, width), "bf16")
        self.emit("embedding_backward", [places, table, gradient], [(rows, width)], dtypes=["bf16"])

    # --- products and windows --------------------------------------------------------------------------------------

    def add_dot_general(self):
        a = self.pick(self.draw.choice((2, 3)))
        x = self.of(a)
        batch = list(range(len(x.shape) - 2))
        summed = self.draw.choice((len(x.shape) - 1, len(x.shape) - 2))
        kept = 2 * len(x.shape) - 3 - summed
        n = self.draw.choice((1, 32, 100))
        b = self.argument([x.shape[d] for d in batch] + [x.shape[summed], n], x.dtype, "parameter")
        out = [x.shape[d] for d in batch] + [x.shape[kept], n]
        self.emit("dot_general", [a, b], [out],
                  f"batch_dims_lhs = {i64_array(batch)}, batch_dims_rhs = {i64_array(batch)}, "
                  f"contract_dims_lhs = {i64_array([summed])}, contract_dims_rhs = {i64_array([len(batch)])}")

    def add_grouped_convolution(self):
        a = self.image()
        n, h, w, c = self.of(a).shape
        groups = self.draw.choice([g for g in (1, 2, 4, c) if c % g == 0])
        out = groups * self.draw.choice((1, 2, 8) if groups < c else (1, 1, 2))
        kernel, dilation = self.draw.choice(((3, 3), (1, 3), (5, 5), (2, 2))), self.draw.choice((1, 1, 2))
        stride = [self.draw.choice((1, 1, 2)) for _ in range(2)]
        pads = [self.draw.choice((0, 1, 2)) for _ in range(4)]  # top, left, bottom, right
        sides = [(side + pads[i] + pads[i + 2] - dilation * (k - 1) - 1) // s + 1
                 for i, (side, k, s) in enumerate(zip((h, w), kernel, stride))]
        if min(sides) < 1:
            return
        operands = [a, self.argument((out, c // groups, *kernel), self.of(a).dtype, "parameter")]
        if self.draw.random() < 0.5:
            operands.append(self.argument((1, 1, 1, out), self.of(a).dtype, "parameter"))
        self.emit("conv2d", operands, [(n, *sides, out)],
                  f"{IMAGE_DIMS}, dilation = {i32_array([dilation] * 2)}, groups = {groups} : i32, "
                  f"padding = {i32_array(pads)}, stride = {i32_array(stride)}")

    def add_transposed_convolution(self):
        a = self.image()
        n, h, w, c = self.of(a).shape
        out, k, s = self.draw.choice((8, 32)), self.draw.choice((2, 3)), self.draw.choice((1, 2))
        weight = self.argument((c, out, k, k), self.of(a).dtype, "parameter")
        self.emit("conv_transpose2d", [a, weight], [(n, (h - 1) * s + k, (w - 1) * s + k, out)],
                  f"{IMAGE_DIMS}, dilation = {i32_array([1, 1])}, groups = 1 : i32, "
                  f"output_padding = {i32_array([0, 0])}, padding = {i32_array([0] * 4)}, "
                  f"stride = {i32_array([s] * 2)}")

    def add_padded_pool(self):
        a = self.image()
        n, h, w, c = self.of(a).shape
        k, s, ceil = self.draw.choice((2, 3, 5)), self.draw.choice((1, 2, 3)), self.draw.random() < 0.5
        pads = [self.draw.randint(0, k // 2) for _ in range(4)]  # top, left, bottom, right

        def place(side, low, high):
            rest = side + low + high - k
            count = -(-rest // s) + 1 if ceil else rest // s + 1
            return count - 1 if ceil and (count - 1) * s >= side + low else count

        sides = [place(h, pads[0], pads[2]), place(w, pads[1], pads[3])]
        if min(sides) < 1 or min(h, w) < k:
            return
        kind = self.draw.choice(("max_pool2d", "avg_pool2d"))
        more = f", count_include_pad = {str(self.draw.random() < 0.5).lower()}" if kind == "avg_pool2d" else ""
        self.emit(kind, [a], [(n, *sides, c)],
                  f"ceil_mode = {str(ceil).lower()}, dilation = {i32_array([1, 1])}, kernel = {i32_array([k] * 2)}, "
                  f"padding = {i32_array(pads)}, stride = {i32_array([s] * 2)}" + more)

    def add_global_pool(self):
        a = self.image()
        n, _, _, c = self.of(a).shape
        self.emit("global_avg_pool2d", [a], [(n, 1, 1, c)])

    def add_rotation(self):
        rows, width = self.draw.choice((32, 64, 128)), self.draw.choice((64, 128))
        x = self.argument((1, self.draw.choice((1, 4, 8)), rows, width), "bf16", "input")
        cos, sin = (self.argument((1, 1, rows, width), "bf16", "input") for _ in range(2))
        self.emit("rotary_embedding", [x, cos, sin], [self.of(x).shape])

    # --- norms, numbers, chips -------------------------------------------------------------------------------------

    def add_batch_norm(self):
        a = self.pick(4)
        x = self.of(a)
        dim = self.draw.choice((1, 3))
        operands = [a] + [self.argument((x.shape[dim],), x.dtype, "parameter") for _ in range(4)]
        self.emit("batch_norm_inference", operands, [x.shape], f"dimension = {dim} : i32, epsilon = 1.000000e-05 : f32")

    def add_group_norm(self):
        channels, groups = self.draw.choice(((32, 2), (64, 4), (96, 3), (64, 1)))
        a = self.argument((1, 1, self.draw.choice((32, 64, 196)), channels))
        x = self.of(a)
        weight, bias = (self.argument((channels,), x.dtype, "parameter") for _ in range(2))
        self.emit("group_norm", [a, weight, bias], [x.shape],
                  f"epsilon = 1.000000e-05 : f32, num_groups = {groups} : i64, "
                  f"operandSegmentSizes = {i32_array([1, 0, 1, 1])}")

    def add_quantized(self):
        a = self.pick()
        shape, dtype = self.of(a).shape, self.of(a).dtype
        if dtype != "f32":
            a = self.emit("typecast", [a], [shape], dtypes=["f32"])
        scales = ["!quant.uniform<i32:f32, 1.000000e-01>", "!quant.uniform<i32:f32, 2.500000e-01:3>"]
        if shape and 1 < shape[-1] <= 64 and self.draw.random() < 0.5:  # a scale for each index of the last dim
            numbers = [",".join(f"{(i + first) / 64:e}" for i in range(shape[-1])) for first in (1, 9)]
            scales = [f"!quant.uniform<i32:f32:{len(shape) - 1}, {{{of_all}}}>" for of_all in numbers]
        whole = self.emit("quantize", [a], [shape], dtypes=[scales[0]])
        if self.draw.random() < 0.5:
            whole = self.emit("requantize", [whole], [shape], dtypes=[scales[1]])
        self.emit("dequantize", [whole], [shape], dtypes=["f32"])

    def add_collective(self):
        a = self.pick()
        shape = list(self.of(a).shape)
        axis = "cluster_axis = 1 : ui32"
        summed = "reduce_type = #ttcore.reduce_type<sum>"
        dim = self.draw.randrange(len(shape))
        kind = self.draw.choice(("all_reduce", "all_gather", "reduce_scatter"))
        if kind == "all_reduce":
            self.emit(kind, [a], [shape], f"{axis}, {summed}")
        elif kind == "all_gather":
            shape[dim] *= 2
            self.emit(kind, [a], [shape], f"all_gather_dim = {dim} : si32, {axis}")
        elif shape[dim] % 2 == 0:
            shape[dim] //= 2
            self.emit(kind, [a], [shape], f"{axis}, {summed}, scatter_dim = {dim} : si32")
