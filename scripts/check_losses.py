#!/usr/bin/env python3
"""Works out again, from the rows of the runs alone, why tensors are not in L1, and holds spills.csv against it.

    scripts/check_losses.py [--cli BINARY] [GRAPH...]

For each graph (samples when none is named) under Greedy, DFSharding and Beam: `tessera study` says the cause of every
loss; `tessera run --json` of the same run has the rows, from which readers, operands, layouts and L1 are counted here.
What only the op model knows (whether a reader would take another layout) is taken from the study; that a reader which
is said to refuse did read another layout is checked. The last line is "N passed, N failed, 0 skipped".
"""
import argparse
import collections
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
POLICIES = ("Greedy", "DFSharding", "Beam")
SAMPLES = ("transformer-layer", "llama-decode-layer", "residual-block", "fork-join", "operand-1", "l1-pressure")
OUT_OF_MEMORY = re.compile(r"needs (\d+) B of L1 per core, (\d+) B are allowed")


class Rows:
    """Of one run: who reads a value, through copies of it."""

    def __init__(self, run):
        self.run = run
        self.rows = run["rows"]
        self.layouts = run["layouts"]
        self.by_name = {value["name"]: at for at, value in enumerate(run["values"])}

    def copies(self, value):
        """The value and what moves made of it, in the order of the schedule."""
        same = [value]
        for row in self.rows:
            if row["kind"] not in ("op", "terminator") and row["operands"] and row["operands"][0] in same:
                same += row["results"]
        return same

    def reads(self, value):
        """(row, operand number, value that is read) of each reading operand but those of the return."""
        same = set(self.copies(value))
        return [(at, i, operand) for at, row in enumerate(self.rows) if row["kind"] == "op"
                for i, operand in enumerate(row["operands"]) if operand in same]

    def returned(self, value):
        same = set(self.copies(value))
        return any(same & set(row["operands"]) for row in self.rows if row["kind"] == "terminator")

    def in_l1(self, value):
        layout = self.run["values"][value]["layout"]
        return layout >= 0 and self.layouts[layout]["buffer"] == "l1"


def mistakes(loss, rows):
    """What the rows say against a line of spills.csv."""
    value = rows.by_name[loss["value"]]
    reads = rows.reads(value)
    readers, takers, first = (int(loss[key]) for key in ("readers", "takers", "takersFirst"))
    step, cause = int(loss["step"]), loss["cause"]
    at_first = sum(1 for _, operand, _ in reads if operand == 0)
    found = []

    def ask(holds, text):
        if not holds:
            found.append(text)

    ask(len(reads) == readers, f"{len(reads)} operands read it, not {readers}")
    ask(first <= min(at_first, takers) and takers <= readers, f"{at_first} read it as their first operand")
    if loss["fromL1"] == "1":
        moves = rows.rows[step]["operands"][:1]
        ask(moves and moves[0] in rows.copies(value) and rows.in_l1(moves[0]), f"row {step} does not move it out of L1")
        ask(not any(rows.in_l1(result) for result in rows.rows[step]["results"]), f"row {step} leaves it in L1")
    else:
        ask(not rows.in_l1(value), "it is made in L1")
    if cause == "return":
        ask(rows.returned(value), "it is not returned")
        ask(all(rows.in_l1(read) for at, _, read in reads if at < step), "a reader before the return has it from DRAM")
    elif cause == "fork":
        ask(len(reads) > 1 and takers > 0, "it has one reader, or none that takes it")
    elif cause == "operand0":
        ask(takers > 0 and first == 0 and len(reads) > at_first, "it is read as a first operand only")
    elif cause == "chainFailure":
        ask(first > 0 and at_first > 0, "no reader has it as first operand")
    elif cause == "choice":
        ask(takers > 0, "nobody takes it")
    elif cause == "memory":
        need = OUT_OF_MEMORY.search(loss["refusal"])
        short = int(need[1]) > int(need[2]) if need else int(loss["leastFree"]) < int(loss["bytes"]) or (
            loss["fromL1"] == "1")
        ask(short, f"{loss['leastFree']} B are free, it takes {loss['bytes']}")
    elif cause == "constraint":
        ask(takers == 0 or loss["fromL1"] == "1", "a reader takes it")
        ask(loss["refusedBy"] != "" and loss["refusal"] != "", "nobody refuses it")
        names = {rows.rows[at]["op"] for at, _, _ in reads} | {loss["madeBy"]}
        ask(loss["refusedBy"] in names, f"{loss['refusedBy']} neither reads nor makes it")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", default=str(ROOT / "build/dev/bin/tessera"))
    parser.add_argument("graphs", nargs="*")
    arguments = parser.parse_args()
    graphs = arguments.graphs or [str(ROOT / f"web/public/samples/{name}.mlir") for name in SAMPLES]
    counts, failed = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        study = [arguments.cli, "study", *graphs, "--policies", ",".join(POLICIES), "--devices", "n150", "-o", folder]
        subprocess.run(study, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        losses = list(csv.DictReader(open(pathlib.Path(folder) / "spills.csv", encoding="utf-8", newline="")))
    for graph in graphs:
        for policy in POLICIES:
            mine = [loss for loss in losses if (loss["graph"], loss["policy"]) == (pathlib.Path(graph).stem, policy)]
            run = subprocess.run([arguments.cli, "run", graph, "--policy", policy, "--device", "n150", "--json"],
                                 check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
            rows = Rows(json.loads(run)["run"])
            for loss in mine:
                counts[loss["cause"]] += 1
                wrong = mistakes(loss, rows)
                failed += bool(wrong)
                for text in wrong:
                    print(f"{loss['graph']} {policy} {loss['value']} {loss['cause']}: {text}")
    print(", ".join(f"{count} {cause}" for cause, count in sorted(counts.items())))
    print(f"{sum(counts.values()) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed or not counts else 0


if __name__ == "__main__":
    sys.exit(main())
