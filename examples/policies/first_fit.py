#!/usr/bin/env python3
"""First fit: every result stays in L1 interleaved where it fits, in program order; else in DRAM.

    tessera run graph.mlir --policy-command "python3 examples/policies/first_fit.py"

Problem on standard input, plan on standard output: docs/schema/problem.schema.json, docs/schema/plan.schema.json.
"""

import json
import sys

problem = json.load(sys.stdin)
ops, values, types, classes = problem["ops"], problem["values"], problem["types"], problem["classes"]
# Holes between tensors and circular buffers from below take what a sum of bytes does not see.
BUDGET = problem["budget"] // 3

plan = {
    "schema": 1,
    "policy": "first fit (Python)",
    "graph": problem["graph"],
    "options": problem["options"],
    "layouts": problem["layouts"],
    "values": {},
    "configs": [],
    "reshards": [],
    "spills": [],
}


def type_of(value):
    return types[values[value]["type"]]


def bytes_of(value, layout):
    kind = type_of(value)
    return kind["bytes"][kind["layouts"].index(layout)]


def can_convert(value, start, end):
    kind = type_of(value)
    return kind["conversions"][kind["layouts"].index(start)][kind["layouts"].index(end)] >= 0


where, taken = {}, {}  # by value: its layout, and what it takes of L1
for number, value in enumerate(values):
    if value["from"] < 0 and value["type"] >= 0:
        where[number] = value["pinned"]
        taken[number] = bytes_of(number, value["pinned"])


def fits(op, candidate):
    """Whether the candidate runs with what is alive, its operands converted where they must be."""
    need = sum(taken.values()) + candidate["peak"]
    for value, layout in zip(op["operands"], candidate["operands"]):
        if layout < 0 or layout == where[value]:
            continue
        if not can_convert(value, where[value], layout):
            return False
        need += bytes_of(value, layout)
    return need <= BUDGET


for step, op in enumerate(ops[:-1]):
    open_result = next((v for v in op["results"] if values[v]["type"] >= 0), None)
    best = None
    candidates = classes[op["class"]]
    if candidates:
        interleaved = type_of(open_result)["l1Interleaved"] if open_result is not None else -1
        # In L1 interleaved first, then in DRAM; operands where they are before copies of them.
        def rank(candidate):
            copies = sum(l >= 0 and l != where[v] for v, l in zip(op["operands"], candidate["operands"]))
            return (candidate["result"] != interleaved, candidate["settings"] >= 0, copies, candidate["time"])

        allowed = [-1]
        if open_result is not None:
            allowed = [interleaved, type_of(open_result)["dram"], values[open_result]["pinned"]]
        ranked = sorted((c for c in candidates if c["result"] in allowed), key=rank)
        best = next((c for c in ranked if fits(op, c)), ranked[-1] if ranked else candidates[0])
    for index, value in enumerate(op["results"]):
        if values[value]["type"] < 0:
            continue
        layout = values[value]["pinned"]
        if layout < 0:
            layout = best["result"] if best and index == 0 else type_of(value)["dram"]
            plan["values"][values[value]["name"]] = layout
        where[value], taken[value] = layout, bytes_of(value, layout)
    if best:
        if best["settings"] >= 0:
            plan["configs"].append({"op": step, **problem["settings"][best["settings"]]})
        for operand, (value, layout) in enumerate(zip(op["operands"], best["operands"])):
            if layout >= 0 and layout != where[value]:
                plan["reshards"].append({"op": step, "operand": operand, "to": layout})
    for value in set(op["operands"] + op["results"]):
        if values[value]["from"] >= 0 and values[value]["to"] <= step:
            taken.pop(value, None)

for value in dict.fromkeys(ops[-1]["operands"]):
    if values[value]["type"] >= 0 and taken.get(value, 0) > 0:
        plan["spills"].append(
            {"value": values[value]["name"], "before": len(ops) - 1, "to": type_of(value)["dram"], "cause": "return"})

json.dump(plan, sys.stdout)
