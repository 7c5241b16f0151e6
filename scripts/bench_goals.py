#!/usr/bin/env python3
"""Prints what large graphs cost beside what they may cost; `scripts/bench goals` builds what it needs and calls it.

  scripts/bench_goals.py native    release build: every policy on 20,000 ops, 10,000 arguments, gaps of prefill layers
  scripts/bench_goals.py wasm      the page's engine in Node: every policy on 20,000 ops, convolution nets' slider
  scripts/bench_goals.py compiled  the slider in an instance that knows no graph, of code that V8 has optimized before:
                                   as in a page that has been used for a while
  scripts/bench_goals.py nets      the same slider on convolution nets drawn by lot (drawn_nets.py), seeds 1 to 24
  scripts/bench_goals.py growth    how instructions grow from a quarter of the layers to all; takes half an hour

Processor time of a process of its own per run (user and system: other programs do not count) and its peak memory; times
depend on the machine and on what shares its caches. In Node it is the time of the thread that runs the engine, which
is what a person waits for; that of all threads, with V8's compiler of WebAssembly, stands in brackets. Growth is
counted in instructions (Debian's valgrind), which depend on neither: from a quarter to 20,000 ops time grows with an
exponent up to 0.3 higher, by cache misses. Nothing is asserted.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "bench"
NATIVE = ROOT / "build" / "release" / "bin" / "tessera"
LARGE = {"decode": 80, "moe": 61}  # layers that make about 20,000 ops
CONVOLUTION_NETS = ("detector", "pyramid", "unet", "dense", "mobile")  # about 1,000 ops each
DRAWN_NETS = 24
CAPS = [round(1 - 0.02 * step, 2) for step in range(1, 26)]


@dataclass
class Cost:
    seconds: float
    megabytes: float
    gap: str = ""
    all_seconds: float | None = None  # of all threads, where `seconds` is one thread's


@dataclass
class Table:
    missed: list[str] = field(default_factory=list)
    rows: int = 0

    def add(self, what: str, figure: float, unit: str, goal: float, beside: str = "") -> None:
        self.rows += 1
        holds = figure <= goal
        if not holds:
            self.missed.append(what)
        print(f"{what:<60} {figure:9.2f} {unit:<4} of {goal:7.2f}{beside}{'' if holds else '   MISSED'}", flush=True)

    def add_time(self, what: str, cost: Cost, goal: float) -> None:
        beside = "" if cost.all_seconds is None else f"   ({cost.all_seconds:.2f} s in all threads)"
        self.add(what, cost.seconds, "s", goal, beside)

    @staticmethod
    def tell(what: str, cost: Cost) -> None:
        """A time without a goal."""
        print(f"{what:<60} {cost.seconds:9.2f} s", flush=True)

    def end(self) -> None:
        print(f"{self.rows - len(self.missed)} of {self.rows} goals hold")
        for what in self.missed:
            print(f"  not: {what}")


def printed(script: str, *arguments: object) -> Path:
    """What a script prints with these arguments, as a file."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / ("_".join(map(str, arguments)) + ".mlir")
    command = [sys.executable, ROOT / "scripts" / script, *map(str, arguments)]
    path.write_text(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return path


def made(kind: str, *arguments: object) -> Path:
    return printed("bench_graphs.py", kind, *arguments)


def ops_of(path: Path) -> int:
    return path.read_text().count('"ttir.')


def cost_of(command: list[str | Path]) -> Cost:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def instructions_of(path: Path, policy: str) -> int:
    """Everything from text to report, in user space."""
    command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", NATIVE, "run",
               path, "--policy", policy, "--json"]
    said = subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True).stderr
    return next(int(line.split()[-1].replace(",", "")) for line in said.splitlines() if " refs:" in line)


def native_run(path: Path, policy: str, *options: str) -> Cost:
    return cost_of([NATIVE, "run", path, "--policy", policy, "--json", *options])


def wasm_runs(path: Path, runs: list[dict[str, object]], *flags: str) -> list[Cost]:
    """One after the other in one fresh engine; memory is that of the instance."""
    command = ["node", "--no-experimental-fetch", ROOT / "tests" / "wasm" / "costs.mjs", *flags, path]
    done = subprocess.run(command, input=json.dumps(runs), check=True, capture_output=True, text=True)
    return [Cost(each["ms"] / 1000, each["megabytes"], all_seconds=each["all_ms"] / 1000)
            for each in json.loads(done.stdout)]


def policies() -> list[str]:
    catalog = subprocess.run([NATIVE, "catalog"], check=True, capture_output=True, text=True).stdout
    return [policy["id"] for policy in json.loads(catalog)["policies"]]


def growth(table: Table) -> None:
    if shutil.which("valgrind") is None:
        sys.exit("growth is counted by valgrind: apt-get install valgrind")
    for kind, layers in LARGE.items():
        whole, quarter = made(kind, layers), made(kind, layers // 4)
        ratio = ops_of(whole) / ops_of(quarter)
        for policy in policies():
            exponent = math.log(instructions_of(whole, policy) / instructions_of(quarter, policy)) / math.log(ratio)
            table.add(f"{kind}, {ops_of(whole)} ops, {policy}, exponent of instructions", exponent, "", 1.15)


def scale(table: Table, part: str) -> None:
    for kind, layers in LARGE.items():
        whole = made(kind, layers)
        for policy in policies():
            name = f"{kind}, {ops_of(whole)} ops, {policy}"
            if part == "wasm":
                cost = wasm_runs(whole, [{"policy": policy}])[0]
                table.add_time(f"{name}, Node", cost, 8)
                table.add(f"{name}, Node, memory", cost.megabytes, "MB", 400)
                continue
            cost = native_run(whole, policy)
            table.add(name, cost.seconds, "s", 4)
            table.add(f"{name}, memory", cost.megabytes, "MB", 400)


def ordered(costs: list[Cost]) -> list[Cost]:
    return sorted(costs, key=lambda cost: cost.seconds)


def middle(costs: list[Cost]) -> Cost:
    return ordered(costs)[len(costs) // 2]


def slider(table: Table, net: str, path: Path, *flags: str) -> None:
    runs: list[dict[str, object]] = [{"policy": "Exact"}]
    for rounds in (0, 60):
        runs += [{"policy": "Exact", "tensor-l1-usage-cap": cap, "exact-rounds": rounds} for cap in CAPS]
    costs = wasm_runs(path, runs, *flags)
    first, whole = costs[1:1 + len(CAPS)], costs[1 + len(CAPS):]
    table.add_time(f"{net}, Exact, cold, Node", costs[0], 0.8)
    for what, taken, goal in (("first picture of a moved cap", first, 0.2), ("its whole answer", whole, 0.6)):
        table.add_time(f"{net}, Exact, {what}, Node, median", middle(taken), goal)
        table.add_time(f"{net}, Exact, {what}, Node, slowest", ordered(taken)[-1], goal)
    moved = [{"policy": "Beam", "tensor-l1-usage-cap": cap} for cap in CAPS]
    beam = wasm_runs(path, [{"policy": "Beam"}] * 3 + moved, *flags)
    table.tell(f"{net}, Beam, cold, Node", beam[0])
    table.add_time(f"{net}, Beam, a moved cap, Node, median", middle(beam[3:]), 0.1)


def gap(table: Table) -> None:
    shared = Path(os.environ.get("TESSERA_SHARED", ROOT.parent / "shared")) / "corpus"
    for path in [made("prefill", 16), made("prefill", 32), *sorted(shared.glob("*prefill*.mlir"))]:
        command = [NATIVE, "run", path, "--policy", "Exact", "--json"]
        report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        table.add(f"{path.stem}, Exact, above its bound", report["run"]["exact"]["gapPpm"] / 1e4, "%", 1)


def arguments(table: Table) -> None:
    few, many = (native_run(made("arguments", count), "DRAM", "--check") for count in (2500, 10000))
    table.add("10,000 arguments", native_run(made("arguments", 10000), "DRAM").seconds, "s", 2)
    exponent = math.log(many.seconds / few.seconds) / math.log(4)
    table.add("10,000 arguments, executed and checked, exponent from 2,500", exponent, "", 1.15)


def main() -> None:
    if sys.argv[1:] not in (["native"], ["wasm"], ["compiled"], ["nets"], ["growth"]):
        sys.exit(__doc__)
    table = Table()
    if sys.argv[1] == "growth":
        growth(table)
    elif sys.argv[1] == "nets":
        for seed in range(1, DRAWN_NETS + 1):
            path = printed("drawn_nets.py", "net", seed)
            slider(table, path.read_text().splitlines()[0].removeprefix("// "), path)
    elif sys.argv[1] == "compiled":
        for net in CONVOLUTION_NETS:
            slider(table, net, made(net), "--compiled")
    elif sys.argv[1] == "wasm":
        for net in CONVOLUTION_NETS:
            slider(table, net, made(net))
        scale(table, "wasm")
    else:
        gap(table)
        arguments(table)
        scale(table, "native")
    table.end()


if __name__ == "__main__":
    main()
