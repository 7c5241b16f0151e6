"""Random cases: a graph (scripts/random_graphs.py) with options and overrides that are drawn for it. A case can be made
smaller, to find the least of it that still shows a defect.

    scripts/random_cases.py FIRST COUNT     prints cases with the policy of a run, for tests that pin answers:
                                            [{"seed": 1, "text": MLIR, "options": "{\"policy\": ...}"}, ...]
"""
import json
import random
import sys
from dataclasses import dataclass, field

from random_graphs import random_graph
from random_writer import Graph

USUAL_CAP = 0.95  # of the option tensor-l1-usage-cap
OVERRIDES = "override-output-layout"


def random_options(seed):
    """Option values of a run, mostly the defaults."""
    draw = random.Random(f"options {seed}")
    drawn = {
        "device": ("n150", "n300", "p100", "p150", "mock-wormhole", "mock-blackhole"),
        "preset": ("seed", "upstream"),
        "tensor-l1-usage-cap": (0, 0.01, 0.03, 0.06, 0.1, 0.25, 0.5, 0.95),
        "max-legal-layouts": (1, 2, 5, 64),
        "l1-release": ("2025-06", "2026-04"),
        "library-release": ("2026-04",),
        "l1-small-size": (1024, 32768),
        "max-grid-rows": (1, 4, 7),
        "max-grid-cols": (1, 3, 8),
        "enable-const-eval": (False,),
        "enable-fusing-pass": (False,),
        "experimental-bfp8-weights": (True,),
        "enable-create-d2m-subgraphs": (True,),
        "compute-cfg-math-fidelity": ("lofi", "hifi4"),
        "compute-cfg-fp32-dest-acc-en": (True,),
        "row-major-enabled": (True,),
        "l1-interleaved-fallback-analysis-enabled": (True,),
        "memreconfig-enabled": (False,),
        "beam-width": (1, 3, 16),
        "layout-score": ("upstream", "time"),
        "fork-rule": ("most-consumers",),
        "spill-victim": ("farthest-last-use", "farthest-next-use", "cost-per-byte"),
        "spill-point": ("early",),
        "spill-search": (True,),
        "spill-strategy": ("farthest-last-use", "farthest-next-use", "cost-aware", "certified"),
        "exact-rounds": (0, 5),
        "op-rules": ("rule-books",),
    }
    return {name: draw.choice(values) for name, values in drawn.items() if draw.random() < 0.12} | (
        {"tensor-l1-usage-cap": draw.choice(drawn["tensor-l1-usage-cap"])} if draw.random() < 0.4 else {})


def random_overrides(seed, graph):
    """Results that are fixed by hand, in one graph of six: (number of the value, its settings)."""
    draw = random.Random(f"overrides {seed}")
    results = [op.results[0] for op in graph.ops if op.results]
    if draw.random() > 1 / 6 or not results:
        return []
    settings = ("dram", "dram:interleaved", "l1", "l1:interleaved", "l1:interleaved", "l1:height_sharded",
                "l1:width_sharded", "l1:block_sharded", "row_major")
    chosen = draw.sample(results, min(len(results), draw.choice((1, 1, 2, 3, 8))))
    return [(value, draw.choice(settings)) for value in chosen]


@dataclass
class Case:
    """A graph with all that is drawn for it."""
    graph: Graph
    drawn: dict
    overrides: list = field(default_factory=list)

    def text(self, prefix="v"):
        return self.graph.text(prefix)

    def options(self, prefix="v"):
        made = {result for op in self.graph.ops for result in op.results}
        named = ",".join(f"%{prefix}{value}={settings}" for value, settings in self.overrides if value in made)
        return {**self.drawn, OVERRIDES: named} if named else dict(self.drawn)

    def without(self, numbers):
        return Case(self.graph.without(numbers), self.drawn, self.overrides)

    def without_overrides(self):
        return Case(self.graph, self.drawn)

    def with_fewer_options(self):
        """Functions from a case to the same with one thing less that was drawn."""
        leave_option = lambda name: lambda case: Case(
            case.graph, {key: value for key, value in case.drawn.items() if key != name}, case.overrides)
        leave_override = lambda one: lambda case: Case(
            case.graph, case.drawn, [other for other in case.overrides if other != one])
        return [leave_option(name) for name in self.drawn] + [leave_override(one) for one in self.overrides]


@dataclass
class KeptCase:
    """A case that was kept as a file."""
    source: str
    kept: dict

    def text(self, _prefix="v"):
        return self.source

    def options(self, _prefix="v"):
        return dict(self.kept)

    @property
    def drawn(self):
        return self.kept


def random_case(seed):
    graph = random_graph(seed)
    return Case(graph, random_options(seed), random_overrides(seed, graph))


def printed_case(seed):
    """With a policy, all traces and little time for the search."""
    case = random_case(seed)
    policies = ("Greedy", "Beam", "DFSharding2", "Exact", "DFSharding", "GreedyL1Interleaved", "BFInterleaved")
    options = {"exact-rounds": 3} | case.options() | {"policy": policies[seed % len(policies)], "trace": True}
    return {"seed": seed, "text": case.text(), "options": json.dumps(options)}


if __name__ == "__main__":
    first, count = map(int, sys.argv[1:])
    print(json.dumps([printed_case(seed) for seed in range(first, first + count)]))
