#!/usr/bin/env python3
"""The coverage table of docs/stablehlo.md from core/lowering/stablehlo/stablehlo_rules.def; --check compares only."""
import pathlib
import re
import sys

from doc_tables import put_tables

ROOT = pathlib.Path(__file__).resolve().parent.parent


def names():
    """Kind of the op table -> name of the op."""
    files = ("op_kinds.def", "ttir_kinds.def", "ttnn_kinds.def", "stablehlo_kinds.def")
    text = "".join((ROOT / "core/ops/table" / name).read_text() for name in files)
    return dict(re.findall(r'TESSERA_OP\((\w+),\s*"([^"]+)"', text))


def table():
    text = (ROOT / "core/lowering/stablehlo/stablehlo_rules.def").read_text()
    text = "\n".join(line for line in text.splitlines() if not line.startswith("//"))
    name = names()
    lines, converted, refused = [], 0, 0
    text = re.sub(r'_UNKNOWN\("([^"]+)",', r'_REFUSED(\1,', text)
    rows = re.findall(r'TESSERA_STABLEHLO(_REFUSED)?\(([\w.]+),\s*([^"]*)"((?:[^"\\]|"\s*")*)"\)', text)
    for no, kind, rule, note in rows:
        note = re.sub(r'"\s*"', "", note)
        if no:
            refused += 1
            lines.append(f"| `{name.get(kind, kind)}` | refused | {note} |")
        else:
            converted += 1
            target = name[rule.split(",")[1].strip()]
            lines.append(f"| `{name[kind]}` | `{target}` | {note} |")
    head = f"{converted} ops are converted, {refused} are refused.\n\n| op | becomes | note |\n|---|---|---|\n"
    return head + "\n".join(lines)


if __name__ == "__main__":
    sys.exit(put_tables(ROOT / "docs/stablehlo.md", {"coverage": table()}, "--check" in sys.argv))
