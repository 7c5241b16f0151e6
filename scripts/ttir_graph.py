"""Builder of TTIR text: one function whose ops are appended by methods, in the spelling of TTIR dumps.

Each result's shape is derived from its operands, so a graph cannot contradict itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

Shape = tuple[int, ...]
Attributes = dict[str, str]

# Decimal spellings of the float nearest to 1e-5 and 1e-12, as MLIR prints them.
EPSILON_1E5 = "9.99999974E-6 : f32"
EPSILON_1E12 = "9.99999996E-13 : f32"


def i32_array(values: Sequence[int]) -> str:
    return f"array<i32: {', '.join(map(str, values))}>"


def i64_array(values: Sequence[int]) -> str:
    return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"


def i32_list(values: Sequence[int]) -> str:
    return "[" + ", ".join(f"{value} : i32" for value in values) + "]"


@dataclass(frozen=True)
class Value:
    name: str
    shape: Shape
    dtype: str

    @property
    def type(self) -> str:
        return f"tensor<{''.join(f'{dim}x' for dim in self.shape)}{self.dtype}>"


def broadcast(*shapes: Shape) -> Shape:
    """Shape of an element-wise result: dims aligned at the right, a dim of 1 stretches."""
    rank = max(map(len, shapes))
    padded = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    for dims in zip(*padded):
        assert len(set(dims) - {1}) <= 1, f"cannot broadcast {shapes}"
    return tuple(max(dims) for dims in zip(*padded))


@dataclass
class Graph:
    """One function in TTIR text. Methods append an op and return its result; `loc` becomes the op's location name."""

    name: str
    arguments: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)
    result_count: int = 0

    # -- plumbing

    def argument(self, role: str, label: str, shape: Shape, dtype: str = "bf16", extra: str = "") -> Value:
        value = Value(f"%arg{len(self.arguments)}", shape, dtype)
        self.arguments.append(f"{value.name}: {value.type} {{ttcore.argument_type = #ttcore.argument_type<{role}>, "
                              f"{extra}ttir.name = \"{label}\"}}")
        return value

    def input(self, label: str, *shape: int, dtype: str = "bf16") -> Value:
        return self.argument("input", label, shape, dtype)

    def parameter(self, label: str, *shape: int, dtype: str = "bf16") -> Value:
        return self.argument("parameter", label, shape, dtype)

    def constant_argument(self, label: str, *shape: int, dtype: str = "bf16") -> Value:
        return self.argument("constant", label, shape, dtype)

    def kv_cache(self, label: str, *shape: int) -> Value:
        return self.argument("input", label, shape, extra="ttcore.kv_cache, ")

    def ops(self, name: str, operands: Sequence[Value], results: Sequence[tuple[Shape, str]],
            attributes: Attributes, loc: str) -> list[Value]:
        properties = ", ".join(f"{key} = {attributes[key]}" for key in sorted(attributes))
        properties = f" <{{{properties}}}>" if properties else ""
        first = f"%{self.result_count}"
        if len(results) == 1:
            values = [Value(first, *results[0])]
        else:
            values = [Value(f"{first}#{index}", *result) for index, result in enumerate(results)]
        types = [value.type for value in values]
        type_text = types[0] if len(types) == 1 else f"({', '.join(types)})"
        count = f":{len(results)}" if len(results) > 1 else ""
        head = f"{first}{count} = " if results else ""
        self.body.append(f'{head}"ttir.{name}"({", ".join(v.name for v in operands)}){properties} : '
                         f'({", ".join(v.type for v in operands)}) -> {type_text} loc("{loc}")')
        self.result_count += 1 if results else 0
        return values

    def op(self, name: str, operands: Sequence[Value], shape: Shape, attributes: Attributes | None = None, *,
           loc: str, dtype: str | None = None) -> Value:
        result_dtype = dtype or operands[0].dtype
        return self.ops(name, operands, [(shape, result_dtype)], attributes or {}, loc)[0]

    def text(self, comment: Sequence[str], *results: Value) -> str:
        types = [value.type for value in results]
        returns = types[0] if len(types) == 1 else f"({', '.join(types)})"
        names = ", ".join(value.name for value in results)
        arguments = ",\n      ".join(self.arguments)
        lines = [f"// {line}" for line in comment]
        lines += [f"module @{self.name} {{", f"  func.func @forward(\n      {arguments}) -> {returns} {{"]
        lines += [f"    {line}" for line in self.body]
        lines += [f"    return {names} : {', '.join(types)}", "  }", "}"]
        return "\n".join(lines) + "\n"

    # -- element-wise

    def unary(self, name: str, x: Value, loc: str) -> Value:
        return self.op(name, [x], x.shape, loc=loc)

    def binary(self, name: str, a: Value, b: Value, loc: str) -> Value:
        return self.op(name, [a, b], broadcast(a.shape, b.shape), loc=loc)

    def typecast(self, x: Value, dtype: str, loc: str) -> Value:
        return self.op("typecast", [x], x.shape, {"conservative_folding": "false"}, loc=loc, dtype=dtype)

    def splat(self, value: str, shape: Shape, loc: str, dtype: str = "bf16") -> Value:
        result_type = Value("", shape, dtype).type
        return self.op("constant", [], shape, {"value": f"dense<{value}> : {result_type}"}, loc=loc, dtype=dtype)

    # -- data movement

    def reshape(self, x: Value, *shape: int, loc: str) -> Value:
        assert math.prod(x.shape) == math.prod(shape), f"{loc}: {x.shape} to {shape}"
        return self.op("reshape", [x], shape, {"shape": i32_list(shape)}, loc=loc)

    def permute(self, x: Value, *order: int, loc: str) -> Value:
        shape = tuple(x.shape[dim] for dim in order)
        return self.op("permute", [x], shape, {"permutation": i64_array(order)}, loc=loc)

    def concat(self, values: Sequence[Value], dim: int, loc: str) -> Value:
        shape = list(values[0].shape)
        shape[dim] = sum(value.shape[dim] for value in values)
        return self.op("concat", values, tuple(shape), {"dim": f"{dim} : si32"}, loc=loc)

    def slice_last(self, x: Value, begin: int, end: int, loc: str) -> Value:
        rank = len(x.shape)
        attributes = {"begins": i32_list([0] * (rank - 1) + [begin]), "ends": i32_list([*x.shape[:-1], end]),
                      "step": i32_list([1] * rank)}
        return self.op("slice_static", [x], (*x.shape[:-1], end - begin), attributes, loc=loc)

    # -- matrices

    def matmul(self, a: Value, b: Value, loc: str) -> Value:
        assert a.shape[-1] == b.shape[-2], f"{loc}: {a.shape} times {b.shape}"
        shape = (*broadcast(a.shape[:-2], b.shape[:-2]), a.shape[-2], b.shape[-1])
        return self.op("matmul", [a, b], shape, {"transpose_a": "false", "transpose_b": "false"}, loc=loc)

    def linear(self, x: Value, outputs: int, name: str) -> Value:
        """x times a weight of this name, plus a bias."""
        weight = self.parameter(f"{name}.weight", x.shape[-1], outputs)
        bias = self.parameter(f"{name}.bias", outputs)
        return self.op("linear", [x, weight, bias], (*x.shape[:-1], outputs),
                       {"transpose_a": "false", "transpose_b": "false"}, loc=name)

    def projection(self, x: Value, outputs: int, name: str) -> Value:
        """x times a weight of this name, without a bias."""
        return self.matmul(x, self.parameter(f"{name}.weight", x.shape[-1], outputs), name)

    def softmax(self, x: Value, loc: str) -> Value:
        return self.op("softmax", [x], x.shape, {"dimension": "-1 : si32"}, loc=loc)

    # -- normalisation

    def layer_norm(self, x: Value, name: str, epsilon: str) -> Value:
        weight = self.parameter(f"{name}.weight", x.shape[-1])
        bias = self.parameter(f"{name}.bias", x.shape[-1])
        attributes = {"epsilon": epsilon, "normalized_shape": i64_array([x.shape[-1]]),
                      "operandSegmentSizes": i32_array([1, 1, 1])}
        return self.op("layer_norm", [x, weight, bias], x.shape, attributes, loc=name)

    def rms_norm(self, x: Value, name: str) -> Value:
        weight = self.parameter(f"{name}.weight", x.shape[-1])
        attributes = {"epsilon": EPSILON_1E5, "normalized_shape": i64_array([x.shape[-1]]),
                      "operandSegmentSizes": i32_array([1, 1, 0])}
        return self.op("rms_norm", [x, weight], x.shape, attributes, loc=name)

    def batch_norm(self, x: Value, name: str) -> Value:
        channels = x.shape[-1]
        statistics = [self.parameter(f"{name}.weight", channels), self.parameter(f"{name}.bias", channels),
                      self.constant_argument(f"{name}.running_mean", channels),
                      self.constant_argument(f"{name}.running_var", channels)]
        return self.op("batch_norm_inference", [x, *statistics], x.shape,
                       {"dimension": "3 : i32", "epsilon": EPSILON_1E5}, loc=name)

    # -- sliding windows, NHWC; kernels are square, padding is the same on all sides

    NHWC = {"batch_dim": "0 : i64", "height_dim": "1 : i64", "width_dim": "2 : i64", "channel_dim": "3 : i64"}

    def conv(self, x: Value, channels: int, name: str, kernel: int, stride: int = 1, groups: int = 1) -> Value:
        padding = kernel // 2
        weight = self.parameter(f"{name}.weight", channels, x.shape[3] // groups, kernel, kernel)
        attributes = self.NHWC | {"stride": i32_array([stride] * 2), "padding": i32_array([padding] * 4),
                                  "dilation": i32_array([1, 1]), "groups": f"{groups} : i32"}
        batch, height, width, _ = x.shape
        sides = ((side + 2 * padding - kernel) // stride + 1 for side in (height, width))
        return self.op("conv2d", [x, weight], (batch, *sides, channels), attributes, loc=name)

    def up_conv(self, x: Value, channels: int, name: str) -> Value:
        """The 2x2 transposed convolution that doubles both sides. Its weight has the input channels first."""
        weight = self.parameter(f"{name}.weight", x.shape[3], channels, 2, 2)
        attributes = self.NHWC | {"stride": i32_array([2, 2]), "padding": i32_array([0] * 4),
                                  "output_padding": i32_array([0, 0]), "dilation": i32_array([1, 1]),
                                  "groups": "1 : i32"}
        batch, height, width, _ = x.shape
        return self.op("conv_transpose2d", [x, weight], (batch, 2 * height, 2 * width, channels), attributes, loc=name)

    def max_pool(self, x: Value, kernel: int, stride: int, padding: int, loc: str) -> Value:
        attributes = {"kernel": i32_array([kernel] * 2), "stride": i32_array([stride] * 2),
                      "padding": i32_array([padding] * 4), "dilation": i32_array([1, 1]), "ceil_mode": "false"}
        batch, height, width, channels = x.shape
        sides = ((side + 2 * padding - kernel) // stride + 1 for side in (height, width))
        return self.op("max_pool2d", [x], (batch, *sides, channels), attributes, loc=loc)


# ---- the samples
