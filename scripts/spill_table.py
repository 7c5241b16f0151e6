#!/usr/bin/env python3
"""Simulated time of the spill search beside every rule of thumb, for graphs under shrinking L1.

    scripts/spill_table.py build/dev/bin/tessera GRAPH.mlir ... [--policy Greedy] [--caps 0.1,0.2,...,1.0]

One line per graph and cap: the time of the search in microseconds, of the certified optimum carried out, of the fastest
rule, and how much faster the search is. Exits 1 when the search is slower than a rule anywhere.
"""
import argparse
import itertools
import json
import pathlib
import subprocess
import sys

VICTIMS = ["longest-lifetime", "farthest-last-use", "farthest-next-use", "cost-per-byte"]
POINTS = ["late", "early"]


def simulated_ns(program, graph, policy, cap, options):
    call = [program, "run", graph, "--policy", policy, "--tensor-l1-usage-cap", cap, "--json", *options]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(call)}: exit code {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)["run"]["totals"]["time"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--policy", default="Greedy")
    parser.add_argument("--caps", default=",".join(f"{i / 10:.1f}" for i in range(1, 11)))
    args = parser.parse_args()
    slower = 0
    print("| graph | cap | search us | certified us | best rule us | rule | gain |\n|---|---|---|---|---|---|---|")
    for graph, cap in itertools.product(args.graphs, args.caps.split(",")):
        def time(*options):
            return simulated_ns(args.program, graph, args.policy, cap, options)
        search, certified = time("--spill-search", "true"), time("--spill-strategy", "certified")
        rules = {f"{v} {p}": time("--spill-victim", v, "--spill-point", p) for v in VICTIMS for p in POINTS}
        rule = min(rules, key=rules.get)
        slower += search > rules[rule] or certified > rules[rule]
        print(f"| {pathlib.Path(graph).stem} | {cap} | {search / 1000:.1f} | {certified / 1000:.1f} | "
              f"{rules[rule] / 1000:.1f} | {rule} | {100 * (1 - search / rules[rule]):.1f} % |", flush=True)
    print(f"\n{slower} lines where a rule is faster")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
