"""The sample graphs in StableHLO, in the form in which JAX prints a lowered function with its debug information.

Each is written from the Python program it stands for: the numbers in its locations are lines of that program, which is
in the sample's head as a comment. Shapes of results are derived from those of the operands.
"""

from __future__ import annotations

from collections.abc import Sequence

Shape = tuple[int, ...]


class Tensor:
    def __init__(self, name: str, shape: Shape, dtype: str):
        self.name, self.shape, self.dtype = name, tuple(shape), dtype

    @property
    def type(self) -> str:
        return f"tensor<{''.join(f'{dim}x' for dim in self.shape)}{self.dtype}>"


def listed(values: Sequence[int]) -> str:
    return "[" + ", ".join(map(str, values)) + "]"


class Traced:
    """One jitted function. `at` is the line of the program that the next ops come from."""

    def __init__(self, file: str, function: str, program: str, dtype: str = "bf16"):
        self.file, self.function, self.program, self.dtype = file, function, program, dtype
        self.arguments: list[str] = []
        self.body: list[str] = []
        self.count = self.constants = 0
        self.locations: dict[str, int] = {}  # text -> number, in the order of first use
        self.at = 1

    def loc(self, text: str) -> str:
        return f"#loc{self.locations.setdefault(text, len(self.locations) + 1)}"

    def place(self, primitive: str) -> str:
        line = self.loc(f'"{self.file}":{self.at}:0')
        return self.loc(f'"jit({self.function})/jit(main)/{primitive}"({line})')

    def argument(self, label: str, *shape: int, marks: str = "") -> Tensor:
        value = Tensor(f"%arg{len(self.arguments)}", shape, self.dtype)
        self.arguments.append(f'{value.name}: {value.type}{marks} loc("{label}")')
        return value

    def parameter(self, label: str, *shape: int) -> Tensor:
        """A weight, with the mark that tt-xla leaves on it: what only depends on weights is computed once, ahead."""
        return self.argument(label, *shape, marks=" {ttcore.argument_type = #ttcore.argument_type<parameter>, "
                                                  f'ttir.name = "{label}"}}')

    def emit(self, text: str, shape: Shape, primitive: str, dtype: str = "") -> Tensor:
        value = Tensor(f"%{self.count}", shape, dtype or self.dtype)
        self.count += 1
        self.body.append(f"    {value.name} = stablehlo.{text.format(out=value.type)} loc({self.place(primitive)})")
        return value

    # -- ops

    def constant(self, text: str) -> Tensor:
        name = "%cst" + (f"_{self.constants - 1}" if self.constants else "")
        self.constants += 1
        self.body.append(f"    {name} = stablehlo.constant dense<{text}> : tensor<{self.dtype}> loc(#loc)")
        return Tensor(name, (), self.dtype)

    def filled(self, text: str, shape: Shape) -> Tensor:
        return self.broadcast(self.constant(text), shape, ())

    def broadcast(self, x: Tensor, shape: Shape, dims: Sequence[int]) -> Tensor:
        return self.emit(f"broadcast_in_dim {x.name}, dims = {listed(dims)} : ({x.type}) -> {{out}}", shape,
                         "broadcast_in_dim", x.dtype)

    def binary(self, op: str, a: Tensor, b: Tensor, primitive: str) -> Tensor:
        assert a.type == b.type, f"{op} of {a.type} and {b.type}"
        return self.emit(f"{op} {a.name}, {b.name} : {{out}}", a.shape, primitive, a.dtype)

    def add(self, a: Tensor, b: Tensor) -> Tensor: return self.binary("add", a, b, "add")
    def sub(self, a: Tensor, b: Tensor) -> Tensor: return self.binary("subtract", a, b, "sub")
    def mul(self, a: Tensor, b: Tensor) -> Tensor: return self.binary("multiply", a, b, "mul")
    def div(self, a: Tensor, b: Tensor) -> Tensor: return self.binary("divide", a, b, "div")
    def max(self, a: Tensor, b: Tensor) -> Tensor: return self.binary("maximum", a, b, "max")

    def unary(self, op: str, x: Tensor, primitive: str) -> Tensor:
        return self.emit(f"{op} {x.name} : {{out}}", x.shape, primitive)

    def above(self, a: Tensor, b: Tensor) -> Tensor:
        return self.emit(f"compare  GT, {a.name}, {b.name},  FLOAT : ({a.type}, {b.type}) -> {{out}}", a.shape, "gt",
                         "i1")

    def select(self, which: Tensor, a: Tensor, b: Tensor) -> Tensor:
        return self.emit(f"select {which.name}, {a.name}, {b.name} : {which.type}, {{out}}", a.shape, "select_n")

    def transpose(self, x: Tensor, dims: Sequence[int]) -> Tensor:
        return self.emit(f"transpose {x.name}, dims = {listed(dims)} : ({x.type}) -> {{out}}",
                         tuple(x.shape[dim] for dim in dims), "transpose")

    def reshape(self, x: Tensor, *shape: int) -> Tensor:
        return self.emit(f"reshape {x.name} : ({x.type}) -> {{out}}", shape, "reshape")

    def reduce(self, op: str, x: Tensor, dim: int, initial: str, primitive: str) -> Tensor:
        start = self.constant(initial)
        return self.emit(f"reduce({x.name} init: {start.name}) applies stablehlo.{op} across dimensions = [{dim}] : "
                         f"({x.type}, {start.type}) -> {{out}}", x.shape[:dim] + x.shape[dim + 1:], primitive)

    def dot(self, a: Tensor, b: Tensor, contract: tuple[int, int], batch: Sequence[int] = ()) -> Tensor:
        shape = tuple(a.shape[dim] for dim in batch)
        shape += tuple(dim for at, dim in enumerate(a.shape) if at not in batch and at != contract[0])
        shape += tuple(dim for at, dim in enumerate(b.shape) if at not in batch and at != contract[1])
        assert a.shape[contract[0]] == b.shape[contract[1]], f"product of {a.type} and {b.type}"
        batching = f"batching_dims = {listed(batch)} x {listed(batch)}, " if batch else ""
        return self.emit(f"dot_general {a.name}, {b.name}, {batching}"
                         f"contracting_dims = [{contract[0]}] x [{contract[1]}], precision = [DEFAULT, DEFAULT] : "
                         f"({a.type}, {b.type}) -> {{out}}", shape, "dot_general")

    def conv(self, x: Tensor, kernel: Tensor, stride: int, pad: int) -> Tensor:
        size = lambda n, k: (n + 2 * pad - k) // stride + 1
        shape = (x.shape[0], size(x.shape[1], kernel.shape[0]), size(x.shape[2], kernel.shape[1]), kernel.shape[3])
        window = f"stride = [{stride}, {stride}], pad = [[{pad}, {pad}], [{pad}, {pad}]]"
        return self.emit(f"convolution({x.name}, {kernel.name}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
                         f"window = {{{{{window}}}}} {{{{batch_group_count = 1 : i64, feature_group_count = 1 : i64, "
                         "precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}} : "
                         f"({x.type}, {kernel.type}) -> {{out}}", shape, "conv_general_dilated")

    # -- what numpy writes with one operator

    def along(self, op: str, x: Tensor, row: Tensor) -> Tensor:
        """x and a vector over its last dim."""
        return getattr(self, op)(x, self.broadcast(row, x.shape, (len(x.shape) - 1,)))

    def keeping(self, op: str, x: Tensor, reduced: Tensor) -> Tensor:
        """x and what a reduction over its last dim left."""
        return getattr(self, op)(x, self.broadcast(reduced, x.shape, tuple(range(len(x.shape) - 1))))

    def softmax(self, x: Tensor) -> Tensor:
        last = len(x.shape) - 1
        high = self.reduce("maximum", x, last, "0xFF80" if self.dtype == "bf16" else "0xFF800000", "reduce_max")
        grown = self.unary("exponential", self.keeping("sub", x, high), "exp")
        return self.keeping("div", grown, self.reduce("add", grown, last, "0.000000e+00", "reduce_sum"))

    def text(self, results: Sequence[Tensor], labels: Sequence[str]) -> str:
        types = [f'{value.type} {{jax.result_info = "{label}"}}' for value, label in zip(results, labels)]
        head = "".join(f"// {line}".rstrip() + "\n" for line in self.program.strip("\n").split("\n"))
        function = (f"  func.func public @main({', '.join(self.arguments)}) -> ({', '.join(types)}) {{\n"
                    + "\n".join(self.body) + f"\n    return {', '.join(v.name for v in results)} : "
                    f"{', '.join(v.type for v in results)} loc(#loc)\n  }} loc(#loc)\n")
        table = "".join(f"#loc{number} = loc({text})\n" for text, number in self.locations.items())
        return (f"{head}module @jit_{self.function} attributes {{mhlo.num_partitions = 1 : i32, "
                f"mhlo.num_replicas = 1 : i32}} {{\n{function}}} loc(#loc)\n#loc = loc(unknown)\n{table}")


TRAIN = """
 1  import jax, jax.numpy as jnp
 2
 3  def loss(params, x, y):
 4      hidden = jax.nn.relu(x @ params["w1"] + params["b1"])
 5      logits = hidden @ params["w2"] + params["b2"]
 6      return -jnp.mean(jnp.sum(y * jax.nn.log_softmax(logits), axis=-1))
 7
 8  @jax.jit
 9  def step(params, x, y):
10      grads = jax.grad(loss)(params, x, y)
11      return jax.tree.map(lambda p, g: p - 0.01 * g, params, grads)
"""


def jax_train_step() -> str:
    """A step of gradient descent of a network with one hidden layer, batch 128, 1,024 to 512 to 32."""
    batch, inner, hidden_size, classes = 128, 1024, 512, 32
    t = Traced("train.py", "step", TRAIN)
    b1, b2 = t.argument("params['b1']", hidden_size), t.argument("params['b2']", classes)
    w1, w2 = t.argument("params['w1']", inner, hidden_size), t.argument("params['w2']", hidden_size, classes)
    x, y = t.argument("x", batch, inner), t.argument("y", batch, classes)
    t.at = 4
    before = t.along("add", t.dot(x, w1, (1, 0)), b1)
    zeros = t.filled("0.000000e+00", before.shape)
    hidden = t.max(before, zeros)
    t.at = 5
    logits = t.along("add", t.dot(hidden, w2, (1, 0)), b2)
    t.at = 6
    scale = t.filled("7.812500e-03", logits.shape)
    error = t.mul(t.sub(t.softmax(logits), y), scale)
    t.at = 5
    grad_b2 = t.reduce("add", error, 0, "0.000000e+00", "reduce_sum")
    grad_w2 = t.dot(hidden, error, (0, 0))
    back = t.dot(error, w2, (1, 1))
    t.at = 4
    back = t.select(t.above(before, zeros), back, zeros)
    grad_b1 = t.reduce("add", back, 0, "0.000000e+00", "reduce_sum")
    grad_w1 = t.dot(x, back, (0, 0))
    t.at = 11
    new = [t.sub(p, t.mul(t.filled("1.000980e-02", p.shape), g))
           for p, g in ((b1, grad_b1), (b2, grad_b2), (w1, grad_w1), (w2, grad_w2))]
    return t.text(new, [f"result['{name}']" for name in ("b1", "b2", "w1", "w2")])


ATTENTION = """
 1  import jax, jax.numpy as jnp
 2
 3  def split(x, heads):
 4      return x.reshape(*x.shape[:2], heads, -1).transpose(0, 2, 1, 3)
 5
 6  @jax.jit
 7  def attention(x, wq, wk, wv, wo):
 8      q, k, v = (split(x @ w, 8) for w in (wq, wk, wv))
 9      scores = jax.nn.softmax(q @ k.transpose(0, 1, 3, 2) / 8.0)
10      mixed = (scores @ v).transpose(0, 2, 1, 3).reshape(x.shape)
11      return x + mixed @ wo
"""


def jax_attention() -> str:
    """Self-attention with 8 heads of 64 over 256 positions, batch 2, with its residual."""
    batch, length, heads, size = 2, 256, 8, 64
    t = Traced("attention.py", "attention", ATTENTION)
    x = t.argument("x", batch, length, heads * size)
    weights = [t.parameter(name, heads * size, heads * size) for name in ("wq", "wk", "wv", "wo")]
    parts = []
    for weight in weights[:3]:
        t.at = 8
        product = t.dot(x, weight, (2, 0))
        t.at = 4
        parts.append(t.transpose(t.reshape(product, batch, length, heads, size), (0, 2, 1, 3)))
    q, k, v = parts
    t.at = 9
    scores = t.dot(q, t.transpose(k, (0, 1, 3, 2)), (3, 2), (0, 1))
    scores = t.softmax(t.div(scores, t.filled("8.000000e+00", scores.shape)))
    t.at = 10
    mixed = t.transpose(t.dot(scores, v, (3, 2), (0, 1)), (0, 2, 1, 3))
    mixed = t.reshape(mixed, batch, length, heads * size)
    t.at = 11
    return t.text([t.add(x, t.dot(mixed, weights[3], (2, 0)))], ["result"])


BLOCK = """
 1  import jax, jax.numpy as jnp
 2
 3  def conv(x, kernel, stride):
 4      return jax.lax.conv_general_dilated(
 5          x, kernel, (stride, stride), [(kernel.shape[0] // 2,) * 2] * 2, dimension_numbers=("NHWC", "HWIO", "NHWC"))
 6
 7  def norm(x, scale, shift):
 8      return x * scale + shift
 9
10  @jax.jit
11  def block(x, k1, k2, k3, s1, s2, s3, t1, t2, t3):
12      y = jax.nn.relu(norm(conv(x, k1, 1), s1, t1))
13      y = jax.nn.relu(norm(conv(y, k2, 1), s2, t2))
14      y = norm(conv(y, k3, 1), s3, t3)
15      return jax.nn.relu(x + y)
"""


def jax_resnet_block() -> str:
    """A bottleneck block of ResNet-50 (He et al. 2015, arXiv:1512.03385), channels last, norms folded to scale and
    shift."""
    t = Traced("resnet.py", "block", BLOCK)
    x = t.argument("x", 1, 56, 56, 256)
    kernels = [t.parameter(name, *shape) for name, shape in
               (("k1", (1, 1, 256, 64)), ("k2", (3, 3, 64, 64)), ("k3", (1, 1, 64, 256)))]
    scales = [t.parameter(f"s{at + 1}", kernel.shape[3]) for at, kernel in enumerate(kernels)]
    shifts = [t.parameter(f"t{at + 1}", kernel.shape[3]) for at, kernel in enumerate(kernels)]
    y = x
    for at, kernel in enumerate(kernels):
        t.at = 4
        y = t.conv(y, kernel, 1, kernel.shape[0] // 2)
        t.at = 8
        y = t.along("add", t.along("mul", y, scales[at]), shifts[at])
        t.at = 12 + at
        if at < 2:
            y = t.max(y, t.filled("0.000000e+00", y.shape))
    t.at = 15
    y = t.add(x, y)
    return t.text([t.max(y, t.filled("0.000000e+00", y.shape))], ["result"])
