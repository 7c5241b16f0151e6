"""Ops of random StableHLO that few models have: reductions of pairs, gradients of pools and norms, loops, composites,
quantized numbers, gathers and scatters of points.
"""
from random_stablehlo_moves import body, listed
from ttir_graph import i64_array


def compared(direction, left, right, dtype, kind, name):
    return (f'    {name} = "stablehlo.compare"({left}, {right}) <{{comparison_direction = #stablehlo<'
            f"comparison_direction {direction}>, compare_type = #stablehlo<comparison_type {kind}>}}> : "
            f"(tensor<{dtype}>, tensor<{dtype}>) -> tensor<i1>\n")


def both(op, left, right, name):
    return f'    {name} = "stablehlo.{op}"({left}, {right}) : (tensor<i1>, tensor<i1>) -> tensor<i1>\n'


def chosen(condition, left, right, dtype, name):
    return (f'    {name} = "stablehlo.select"({condition}, {left}, {right}) : '
            f"(tensor<i1>, tensor<{dtype}>, tensor<{dtype}>) -> tensor<{dtype}>\n")


class StablehloRare:
    """Methods of a StablehloWriter, one per kind of op."""

    # --- reductions of values with their places ----------------------------------------------------------------------

    def add_arg_reduce(self):
        """As JAX writes argmax and argmin; of numbers, as the library has its own answer where there are none."""
        a = self.argument(self.shape())
        x = self.of(a)
        dim = self.draw.randrange(len(x.shape))
        direction, worst = self.draw.choice((("GT", "0xFF800000"), ("LT", "0x7F800000")))
        iota = self.emit("iota", [], [x.shape], f"iota_dimension = {dim} : i64", ["i32"])
        region = (f"  ^bb0(%x: tensor<{x.dtype}>, %p: tensor<i32>, %y: tensor<{x.dtype}>, %q: tensor<i32>):\n"
                  + compared(direction, "%x", "%y", x.dtype, "FLOAT", "%a")
                  + compared("NE", "%x", "%x", x.dtype, "FLOAT", "%b") + both("or", "%a", "%b", "%c")
                  + compared("EQ", "%x", "%y", x.dtype, "FLOAT", "%d")
                  + compared("LT", "%p", "%q", "i32", "SIGNED", "%e") + both("and", "%d", "%e", "%f")
                  + both("or", "%c", "%f", "%g") + chosen("%c", "%x", "%y", x.dtype, "%h")
                  + chosen("%g", "%p", "%q", "i32", "%i")
                  + f'    "stablehlo.return"(%h, %i) : (tensor<{x.dtype}>, tensor<i32>) -> ()')
        out = [d for i, d in enumerate(x.shape) if i != dim]
        self.emit("reduce", [a, iota, self.real(worst, x.dtype), self.constant("0", (), "i32")], [out, out],
                  f"dimensions = {i64_array([dim])}", [x.dtype, "i32"], region)
        self.forget_scalars()

    def add_pool_gradient(self):
        """Of numbers, too."""
        a, (_, _, space) = self.image(self.draw.random() < 0.5)
        x = self.of(a)
        a = self.argument(x.shape, x.dtype)
        side = self.draw.choice((2, 2, 3))
        window = [side if d in space and x.shape[d] >= side else 1 for d in range(len(x.shape))]
        strides = [min(w, 2) for w in window]
        shape = [(d - w) // s + 1 for d, w, s in zip(x.shape, window, strides)]
        source = self.argument(shape, x.dtype)
        region = (f"  ^bb0(%x: tensor<{x.dtype}>, %y: tensor<{x.dtype}>):\n"
                  + compared("GE", "%x", "%y", x.dtype, "FLOAT", "%z")
                  + '    "stablehlo.return"(%z) : (tensor<i1>) -> ()\n  }, {\n' + body("add", x.dtype))
        self.emit("select_and_scatter", [a, source, self.real("0.0", x.dtype)], [x.shape],
                  f"window_dimensions = {i64_array(window)}, window_strides = {i64_array(strides)}", [x.dtype], region)

    def add_batch_norm_training(self):
        a = self.pick(self.draw.choice((2, 3, 4)))
        x = self.of(a)
        feature = self.draw.randrange(len(x.shape))
        stats = (x.shape[feature],)
        scale, offset = (self.argument(stats, x.dtype, "parameter") for _ in range(2))
        attrs = f"epsilon = 1.000000e-03 : f32, feature_index = {feature} : i64"
        self.emit("batch_norm_training", [a, scale, offset], [x.shape, stats, stats], attrs)
        if self.draw.random() < 0.4:
            mean, variance = self.argument(stats, x.dtype), self.argument(stats, x.dtype)
            variance = self.emit("abs", [variance], [stats])
            self.emit("batch_norm_grad", [a, scale, mean, variance, self.alike(a)], [x.shape, stats, stats], attrs)

    # --- bodies that the compiler has no op for: they stay, with their functions --------------------------------------

    def own_body(self, dtype):
        """Of the size of its arguments, so that numbers do not grow; begins with an op that no reduction has."""
        kind = f"tensor<{dtype}>"
        join = self.draw.choice(("add", "maximum", "minimum"))
        return (f'  ^bb0(%x: {kind}, %y: {kind}):\n    %a = "stablehlo.abs"(%x) : ({kind}) -> {kind}\n'
                f'    %b = "stablehlo.tanh"(%y) : ({kind}) -> {kind}\n'
                f'    %c = "stablehlo.{join}"(%a, %b) : ({kind}, {kind}) -> {kind}\n'
                f'    "stablehlo.return"(%c) : ({kind}) -> ()')

    def add_own_reduce(self):
        a = self.pick()
        x = self.of(a)
        if not x.shape:
            return
        dim = self.draw.randrange(len(x.shape))
        out = [d for i, d in enumerate(x.shape) if i != dim]
        self.emit("reduce", [a, self.real("0.0", x.dtype)], [out], f"dimensions = {i64_array([dim])}", [x.dtype],
                  self.own_body(x.dtype))
        self.forget_scalars()

    def add_own_map(self):
        a = self.pick()
        x = self.of(a)
        self.emit("map", [a, self.alike(a)], [x.shape], f"dimensions = {i64_array(range(len(x.shape)))}", [x.dtype],
                  self.own_body(x.dtype))

    # --- control flow and composites ---------------------------------------------------------------------------------

    def add_loop(self):
        """A few turns that add the value to itself, counted by a number that is carried."""
        a = self.pick()
        x = self.of(a)
        zero = self.constant("0", (), "i32")
        turns = self.draw.choice((1, 2, 3, 5))
        number = lambda name, value: f'    {name} = "stablehlo.constant"() <{{value = dense<{value}> : ' \
                                     f"tensor<i32>}}> : () -> tensor<i32>\n"
        region = (f"  ^bb0(%i: tensor<i32>, %x: {x.type}):\n" + number("%n", turns)
                  + compared("LT", "%i", "%n", "i32", "SIGNED", "%z")
                  + '    "stablehlo.return"(%z) : (tensor<i1>) -> ()\n  }, {\n'
                  + f"  ^bb0(%i: tensor<i32>, %x: {x.type}):\n" + number("%n", 1)
                  + '    %j = "stablehlo.add"(%i, %n) : (tensor<i32>, tensor<i32>) -> tensor<i32>\n'
                  + f'    %y = "stablehlo.{self.draw.choice(("add", "maximum"))}"(%x, %x) : ({x.type}, {x.type}) -> '
                  + f"{x.type}\n" + f'    "stablehlo.return"(%j, %y) : (tensor<i32>, {x.type}) -> ()')
        self.emit("while", [zero, a], [(), x.shape], "", ["i32", x.dtype], region)
        self.forget_scalars()

    def add_composite(self):
        a = self.pick()
        x = self.of(a)
        name = f"@part{len(self.graph.helpers)}"
        self.graph.helpers[name] = (f"func.func private {name}(%x: {x.type}) -> {x.type} {{\n"
                                    f'  %y = "stablehlo.logistic"(%x) : ({x.type}) -> {x.type}\n'
                                    f'  %z = "stablehlo.multiply"(%x, %y) : ({x.type}, {x.type}) -> {x.type}\n'
                                    f"  return %z : {x.type}\n}}")
        self.emit("composite", [a], [x.shape], f'composite_attributes = {{}}, decomposition = {name}, name = "my.silu"')

    # --- quantized numbers -------------------------------------------------------------------------------------------

    def add_quantization(self):
        a = self.pick()
        x = self.of(a)
        if x.dtype != "f32":
            a = self.emit("convert", [a], [x.shape], dtypes=["f32"])
        a = self.emit("tanh", [a], [x.shape])  # within 8 bits: beyond them the pass that widens types does not saturate
        kind = self.draw.choice(("!quant.uniform<i8:f32, 5.000000e-02>", "!quant.uniform<i8:f32, 1.000000e-01:3>"))
        quantized = self.emit("uniform_quantize", [a], [x.shape], dtypes=[kind])
        self.live.remove(quantized)
        self.emit("uniform_dequantize", [quantized], [x.shape], dtypes=["f32"])

    # --- points ------------------------------------------------------------------------------------------------------

    def add_gather_of_points(self):
        a = self.pick(self.draw.choice((2, 3)))
        x = self.of(a)
        count, rank = self.draw.choice((1, 5, 8)), len(x.shape)
        ids = self.indices((count, 2), min(x.shape[:2]))
        kept = list(range(2, rank))
        sizes = [1, 1, *x.shape[2:]]
        self.emit("gather", [a, ids], [(count, *x.shape[2:])],
                  f"dimension_numbers = #stablehlo.gather<offset_dims = {listed(d - 1 for d in kept)}, "
                  "collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, "
                  f"indices_are_sorted = false, slice_sizes = {i64_array(sizes)}", [x.dtype])

    def add_gather_of_windows(self):
        """A window of every row, at places that leave room for it."""
        a = self.pick(2)
        x = self.of(a)
        size = self.draw.randint(1, x.shape[1])
        ids = self.known((3, 1), x.shape[1] - size + 1)
        self.emit("gather", [a, ids], [(3, x.shape[0], size)],
                  "dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [1], index_vector_dim "
                  f"= 1>, indices_are_sorted = false, slice_sizes = {i64_array([x.shape[0], size])}", [x.dtype])

    def add_scatter_of_points(self):
        a = self.pick(2)
        x = self.of(a)
        count = self.draw.choice((1, 5, 8))
        updates = self.argument((count,), x.dtype)
        self.emit("scatter", [a, self.indices((count, 2), min(x.shape)), updates], [x.shape],
                  "indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = "
                  "[0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false",
                  [x.dtype], body("add", x.dtype))
