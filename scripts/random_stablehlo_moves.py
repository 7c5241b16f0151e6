"""Ops of random StableHLO that only move elements: views, slices, joins, paddings, gathers and scatters."""
import math

from ttir_graph import i64_array


def listed(numbers):
    return "[" + ", ".join(map(str, numbers)) + "]"


def body(op, dtype):
    return (f"  ^bb0(%x: tensor<{dtype}>, %y: tensor<{dtype}>):\n"
            f'    %z = "stablehlo.{op}"(%x, %y) : (tensor<{dtype}>, tensor<{dtype}>) -> tensor<{dtype}>\n'
            f'    "stablehlo.return"(%z) : (tensor<{dtype}>) -> ()')


class StablehloMoves:
    """Methods of a StablehloWriter, one per kind of op."""

    # --- moves -------------------------------------------------------------------------------------------------------

    def add_transpose(self):
        a = self.pick(floats=False)
        shape = self.of(a).shape
        order = list(range(len(shape)))
        self.draw.shuffle(order)
        self.emit("transpose", [a], [[shape[d] for d in order]], f"permutation = {i64_array(order)}")

    def add_reshape(self):
        a = self.pick(floats=False)
        shape = list(self.of(a).shape)
        if len(shape) > 1 and self.draw.random() < 0.4:
            i = self.draw.randrange(len(shape) - 1)
            shape[i:i + 2] = [shape[i] * shape[i + 1]]
        elif len(shape) < 5:
            i = self.draw.randrange(len(shape))
            part = self.draw.choice([d for d in range(1, min(shape[i], 64) + 1) if shape[i] % d == 0])
            shape[i:i + 1] = [part, shape[i] // part]
        self.emit("reshape", [a], [shape])

    def add_broadcast(self):
        a = self.pick(floats=False)
        shape = self.of(a).shape
        added = self.draw.randint(0, max(0, 4 - len(shape)))
        dims = sorted(self.draw.sample(range(len(shape) + added), len(shape)))
        out = [self.draw.choice((1, 2, 5, 32)) for _ in range(len(shape) + added)]
        for from_dim, to_dim in enumerate(dims):
            if shape[from_dim] != 1:
                out[to_dim] = shape[from_dim]
        self.spread(a, dims, out)

    def add_slice(self):
        a = self.pick(floats=False)
        shape = self.of(a).shape
        begins = [self.draw.randrange(d) for d in shape]
        ends = [self.draw.randint(b + 1, d) for b, d in zip(begins, shape)]
        steps = [self.draw.choice((1, 1, 1, 2, 3)) for _ in shape]
        self.emit("slice", [a], [[-(-(e - b) // s) for b, e, s in zip(begins, ends, steps)]],
                  f"limit_indices = {i64_array(ends)}, start_indices = {i64_array(begins)}, "
                  f"strides = {i64_array(steps)}")

    def add_halves(self):
        """Rotary embeddings: halves that change places, one of them negated."""
        a = self.pick()
        x = self.of(a)
        half = x.shape[-1] // 2
        if x.shape[-1] % 2 or half == 0:
            return
        part = lambda begin: self.emit(
            "slice", [a], [x.shape[:-1] + (half,)], f"limit_indices = {i64_array(x.shape[:-1] + (begin + half,))}, "
            f"start_indices = {i64_array([0] * (len(x.shape) - 1) + [begin])}, "
            f"strides = {i64_array([1] * len(x.shape))}")
        first, second = part(0), part(half)
        self.emit("concatenate", [self.emit("negate", [second], [self.of(second).shape]), first], [x.shape],
                  f"dimension = {len(x.shape) - 1} : i64")

    def add_concatenate(self):
        a = self.pick(floats=False)
        x = self.of(a)
        dim = self.draw.randrange(len(x.shape))
        fits = [v for v in self.live if self.of(v).dtype == x.dtype and len(self.of(v).shape) == len(x.shape)
                and all(p == q or i == dim for i, (p, q) in enumerate(zip(self.of(v).shape, x.shape)))]
        operands = [self.draw.choice(fits) for _ in range(self.draw.randint(2, 4))]
        shape = list(x.shape)
        shape[dim] = sum(self.of(v).shape[dim] for v in operands)
        self.emit("concatenate", operands, [shape], f"dimension = {dim} : i64", [x.dtype])

    def add_pad(self):
        a = self.pick()
        x = self.of(a)
        low, high = ([self.draw.choice((0, 0, 1, 5, -1)) for _ in x.shape] for _ in range(2))
        inner = [self.draw.choice((0, 0, 0, 0, 1)) for _ in x.shape]
        shape = [b + e + d + (d - 1) * i for b, e, d, i in zip(low, high, x.shape, inner)]
        if min(shape) < 1:
            return
        number = self.real(self.draw.choice(("0.0", "0.0", "1.5")), x.dtype)
        self.emit("pad", [a, number], [shape],
                  f"edge_padding_high = {i64_array(high)}, edge_padding_low = {i64_array(low)}, "
                  f"interior_padding = {i64_array(inner)}", [x.dtype])

    def add_reverse(self):
        a = self.pick()
        self.emit("reverse", [a], [self.of(a).shape], f"dimensions = {i64_array(self.some_dims(self.of(a).shape))}")

    def add_iota(self):
        shape = self.shape()
        self.emit("iota", [], [shape], f"iota_dimension = {self.draw.randrange(len(shape))} : i64",
                  [self.draw.choice(("i32", "i64", "f32", "bf16"))])

    def starts(self, shape, sizes):
        """Scalars where a slice begins: known, or arguments; some lie behind the end. The compiler does not clamp those
        in front of the beginning."""
        known = self.draw.random() < 0.6
        return [self.constant(self.draw.choice((0, max(d - s, 0), d + 3)), (), "i32") if known
                else self.argument((), "i32", "input") for d, s in zip(shape, sizes)]

    def add_dynamic_slice(self):
        a = self.pick()
        shape = self.of(a).shape
        sizes = [self.draw.randint(1, d) for d in shape]
        self.emit("dynamic_slice", [a, *self.starts(shape, sizes)], [sizes], f"slice_sizes = {i64_array(sizes)}")
        self.forget_scalars()

    def add_dynamic_update_slice(self):
        a = self.pick()
        x = self.of(a)
        sizes = [self.draw.randint(1, d) for d in x.shape]
        part = self.argument(sizes, x.dtype)
        self.emit("dynamic_update_slice", [a, part, *self.starts(x.shape, sizes)], [x.shape])
        self.forget_scalars()

    def forget_scalars(self):
        self.live = [v for v in self.live if self.of(v).shape]

    # --- gathers and scatters ----------------------------------------------------------------------------------------

    def indices(self, shape, most):
        """Numbers of what there is, in an argument, or a list of constants below `most`."""
        return self.argument(shape, "i32", "input") if self.draw.random() < 0.5 else self.known(shape, most)

    def known(self, shape, most):
        drawn = [str(self.draw.randrange(most)) for _ in range(math.prod(shape))]
        for size in reversed(shape):
            drawn = [listed(drawn[i:i + size]) for i in range(0, len(drawn), size)]
        return self.constant(drawn[0], shape, "i32")

    def add_gather(self):
        a = self.pick()
        x = self.of(a)
        rank, dim = len(x.shape), self.draw.randrange(len(x.shape))
        shape = self.draw.choice(((4,), (2, 3), (7,), (1,)))
        ids = self.indices((*shape, 1), x.shape[dim])
        kept = [d for d in range(rank) if d != dim]
        before = dim if self.draw.random() < 0.5 else 0  # where the indices' dims stand in the result
        out = [x.shape[d] for d in kept]
        offsets = [i if i < before else i + len(shape) for i in range(len(kept))]
        sizes = [1 if d == dim else size for d, size in enumerate(x.shape)]
        self.emit("gather", [a, ids], [[*out[:before], *shape, *out[before:]]],
                  f"dimension_numbers = #stablehlo.gather<offset_dims = {listed(offsets)}, collapsed_slice_dims = "
                  f"[{dim}], start_index_map = [{dim}], index_vector_dim = {len(shape)}>, indices_are_sorted = false, "
                  f"slice_sizes = {i64_array(sizes)}", [x.dtype])

    def add_embedding(self):
        ids = self.argument((self.draw.choice((1, 2, 8)), self.draw.choice((1, 7, 32, 128)), 1), "i32", "input")
        width = self.draw.choice((32, 64, 100, 256))
        table = self.argument((self.draw.choice((32, 100, 512)), width), None, "parameter")
        self.emit("gather", [table, ids], [self.of(ids).shape[:2] + (width,)],
                  "dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], "
                  "start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, "
                  f"slice_sizes = {i64_array([1, width])}")

    def add_scatter(self):
        a = self.pick(self.draw.choice((2, 3)))
        x = self.of(a)
        count = self.draw.choice((1, 4, 7))
        ids = self.indices((count, 1), x.shape[0])
        updates = self.argument((count, *x.shape[1:]), x.dtype)
        op = self.draw.choice(("add", "maximum", None, None))
        region = body(op, x.dtype) if op else (
            f"  ^bb0(%x: tensor<{x.dtype}>, %y: tensor<{x.dtype}>):\n"
            f'    "stablehlo.return"(%y) : (tensor<{x.dtype}>) -> ()')
        windows = listed(range(1, len(x.shape)))
        self.emit("scatter", [a, ids, updates], [x.shape],
                  f"indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = "
                  f"{windows}, inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, "
                  f"unique_indices = false", [x.dtype], region)
