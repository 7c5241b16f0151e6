"""Random graphs of whatever dialect. A graph can be written with other names, in another order of what does not depend
on each other, and without some of its ops, whose results become arguments (to shrink it).
"""
import math
import random
from dataclasses import dataclass, field

DIMS = (1, 1, 2, 3, 5, 7, 8, 16, 31, 32, 32, 33, 48, 64, 64, 96, 100, 128, 160, 224, 256, 384, 512, 1024)
MOST_ELEMENTS = 1 << 21
FLOATS = ("bf16", "bf16", "bf16", "f32")


@dataclass
class Value:
    shape: tuple
    dtype: str

    @property
    def type(self):
        return f"tensor<{''.join(f'{dim}x' for dim in self.shape)}{self.dtype}>"


@dataclass
class Op:
    name: str             # "call" for a call of another function of the file
    operands: list        # numbers of values
    results: list
    attrs: str = ""
    region: str = ""      # its body


@dataclass
class Graph:
    values: list = field(default_factory=list)
    ops: list = field(default_factory=list)
    roles: dict = field(default_factory=dict)     # of arguments that are no inputs
    helpers: dict = field(default_factory=dict)   # name -> text of a function that is called

    def users(self):
        users = {}
        for op in self.ops:
            for operand in op.operands:
                users.setdefault(operand, []).append(op)
        return users

    def text(self, prefix="v", drawn_order=None):
        ops = self.ops if drawn_order is None else self.reordered(drawn_order)
        made = {result for op in ops for result in op.results}
        used = [operand for op in ops for operand in op.operands]
        arguments = list(dict.fromkeys(v for v in used if v not in made))
        arguments.sort()
        users = self.users()
        returned = sorted(v for v in made if v not in users)[:8]
        name = lambda value: f"%{prefix}{value}"
        lines = [text for key, text in sorted(self.helpers.items()) if any(key in op.attrs for op in ops)]
        heads = [f"{name(v)}: {self.values[v].type}{self.roles.get(v, '')}" for v in arguments]
        types = ", ".join(self.values[v].type for v in returned)
        lines.append(f"func.func @main({', '.join(heads)}) -> ({types}) {{")
        for op in ops:
            left = ", ".join(map(name, op.results)) + " = " if op.results else ""
            ins = ", ".join(self.values[v].type for v in op.operands)
            outs = ", ".join(self.values[v].type for v in op.results)
            operands = ", ".join(map(name, op.operands))
            if op.name == "call":
                lines.append(f"  {left}call {op.attrs}({operands}) : ({ins}) -> {outs}")
            else:
                attrs = f" <{{{op.attrs}}}>" if op.attrs else ""
                region = f" ({{\n{op.region}\n  }})" if op.region else ""
                lines.append(f'  {left}"{op.name}"({operands}){attrs}{region} : ({ins}) -> '
                             f"{outs if len(op.results) == 1 else f'({outs})'}")
        lines.append(f"  return {', '.join(map(name, returned))}{' : ' if returned else ''}{types}")
        return "\n".join(lines) + "\n}\n"

    def reordered(self, seed):
        """Another order in which every value is made before it is read; what touches a cache keeps its order."""
        draw = random.Random(seed)
        caches = {op.operands[0] for op in self.ops if not op.results}
        open_ops, ready, out = list(self.ops), set(), []
        made = {result for op in self.ops for result in op.results}
        while open_ops:
            free, touched = [], set()
            for op in open_ops:
                own = caches & set(op.operands)
                if all(v in ready or v not in made for v in op.operands) and not own & touched:
                    free.append(op)
                touched |= own
            op = draw.choice(free)
            open_ops.remove(op)
            ready |= set(op.results)
            out.append(op)
        return out

    def without(self, numbers):
        return Graph(self.values, [op for i, op in enumerate(self.ops) if i not in numbers], self.roles, self.helpers)


class TooLarge(Exception):
    """A result would have more than MOST_ELEMENTS."""


class GraphWriter:
    """Draws a graph op by op: a subclass has the ops of a dialect, in methods add_*."""

    DIALECT = ""  # before the names of its ops

    def __init__(self, seed, ops):
        self.draw = random.Random(seed)
        self.graph = Graph()
        self.live = []
        self.dtype = self.draw.choice(FLOATS)
        for _ in range(self.draw.randint(1, 4)):
            self.argument(self.shape())
        kinds = [getattr(self, name) for name in sorted(dir(type(self))) if name.startswith("add_")]
        # Some graphs are of a few families only, so that these meet each other.
        if self.draw.random() < 0.5:
            kinds = self.draw.sample(kinds, self.draw.randint(2, 8))
        while len(self.graph.ops) < ops:
            before = len(self.graph.ops)
            try:
                self.draw.choice(kinds)()
                if len(self.graph.ops) == before:
                    self.add_unary()
            except TooLarge:
                pass  # what was made before it stays

    def shape(self, rank=None):
        rank = rank or self.draw.choice((1, 2, 2, 2, 3, 3, 4, 4, 5))
        while True:
            shape = tuple(self.draw.choice(DIMS) if i >= rank - 2 else self.draw.choice((1, 1, 2, 3, 8, 12, 32))
                          for i in range(rank))
            if math.prod(shape) <= MOST_ELEMENTS:
                return shape

    def value(self, shape, dtype):
        self.graph.values.append(Value(tuple(shape), dtype))
        return len(self.graph.values) - 1

    def argument(self, shape, dtype=None, role=None):
        number = self.value(shape, dtype or self.dtype)
        role = role or self.draw.choice(("", "", "", "parameter", "constant"))
        if role:
            self.graph.roles[number] = f" {{ttcore.argument_type = #ttcore.argument_type<{role}>}}"
        self.live.append(number)
        return number

    def of(self, number):
        return self.graph.values[number]

    def emit(self, name, operands, shapes, attrs="", dtypes=None, region=""):
        if any(math.prod(shape) > MOST_ELEMENTS for shape in shapes):
            raise TooLarge
        dtypes = dtypes or [self.of(operands[0]).dtype if operands else self.dtype] * len(shapes)
        results = [self.value(shape, dtype) for shape, dtype in zip(shapes, dtypes)]
        self.graph.ops.append(Op(name if name == "call" or "." in name else self.DIALECT + name,
                                 list(operands), results, attrs, region))
        self.live += results
        return results[0] if results else None

    def pick(self, rank=None, floats=True, most=None):
        """A value, recent ones likelier; a new argument where none fits."""
        fitting = [v for v in self.live if (rank is None or len(self.of(v).shape) == rank)
                   and (not floats or self.of(v).dtype in FLOATS) and len(self.of(v).shape) > 0]
        if not fitting or self.draw.random() < 0.05:
            return self.argument(self.shape(rank))
        recent = fitting[-4:] if self.draw.random() < 0.6 else fitting
        return self.draw.choice(recent)

    def pick_uneven(self, rank=None):
        """A value whose places in an order may be asked for: sums of numbers that were quantized are often equal but
        for what rounding leaves, which a pass may change."""
        quantized = any("quant" in op.name for op in self.graph.ops)
        return self.argument(self.shape(rank)) if quantized else self.pick(rank)

    def alike(self, number):
        """A value of the same shape and type, or this one."""
        return self.draw.choice([v for v in self.live if self.of(v) == self.of(number)])
