#!/usr/bin/env python3
"""Writes the sample graphs of the page: web/public/samples/*.mlir and their list, index.json.

  scripts/gen_samples.py            write the files
  scripts/gen_samples.py --check    write nothing; exit 1 and say what differs when a file is not what it should be

The graphs are built in ttir_samples.py and jax_samples.py.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from jax_samples import jax_attention, jax_resnet_block, jax_train_step
from ttir_samples import (concat_unet, conv_relu, d2m_dispatch, fork_join, fused_qkv, l1_pressure, llama_decode_layer,
                          mlp, operand_1, residual_block, resnet50, transformer_layer)

OUTPUT_FOLDER = Path(__file__).resolve().parent.parent / "web" / "public" / "samples"


@dataclass(frozen=True)
class Sample:
    id: str
    title: str
    description: str
    make: Callable[[], str]


# Order of the picker; the first is shown when the page opens.
SAMPLES = [
    Sample("resnet50", "ResNet-50", "Whole image classifier, batch 1: convolutions, residual forks and joins.", resnet50),
    Sample("residual-block", "Residual block", "One bottleneck block: a long-lived shortcut beside a chain.",
           residual_block),
    Sample("transformer-layer", "Transformer encoder layer", "BERT-base sizes, batch 8, 384 tokens: attention and MLP.",
           transformer_layer),
    Sample("llama-decode-layer", "Llama decode layer",
           "One decode step for 32 users: rotary embedding, key/value cache, grouped queries.", llama_decode_layer),
    Sample("mlp", "MLP", "Three linear layers with relu: one chain.", mlp),
    Sample("conv-relu", "Convolution and relu", "The smallest L1 chain, spilled at the end.", conv_relu),
    Sample("fork-join", "Fork and join", "A diamond of five ops: what happens to a tensor with two users.", fork_join),
    Sample("operand-1", "Operand 1 in L1", "Operand 0 of an add cannot be sharded, operand 1 can.", operand_1),
    Sample("concat-unet", "U-Net with concats", "Skip connections that meet the decoder in a concat.", concat_unet),
    Sample("fused-qkv", "Fused q, k, v", "One linear, split by an op with three results.", fused_qkv),
    Sample("l1-pressure", "More than L1 holds", "Eight live skips exceed a core's L1: something has to leave.",
           l1_pressure),
    Sample("d2m-dispatch", "D2M dispatch (TTNN)", "Already TTNN, with layouts: a fused D2M kernel between matmuls.",
           d2m_dispatch),
    Sample("jax-train-step", "Training step (JAX)", "StableHLO as JAX prints it: forward, gradients and the update.",
           jax_train_step),
    Sample("jax-attention", "Attention block (JAX)",
           "StableHLO as JAX prints it, weights marked by tt-xla: eight heads.", jax_attention),
    Sample("jax-resnet-block", "ResNet block (JAX)",
           "StableHLO as JAX prints it, weights marked by tt-xla: three convolutions.", jax_resnet_block),
]


def count_ops(text: str) -> int:
    """Ops of the function without its return: those in the generic form, which has quotes, and those of StableHLO."""
    return len(re.findall(r'^ *(?:%\S+ = )?(?:"\w+|stablehlo)\.', text, re.MULTILINE))


def make_files() -> dict[str, str]:
    files: dict[str, str] = {}
    index = []
    for sample in SAMPLES:
        name = f"{sample.id}.mlir"
        files[name] = sample.make()
        index.append({"id": sample.id, "title": sample.title, "file": name, "description": sample.description,
                      "ops": count_ops(files[name])})
    files["index.json"] = json.dumps(index, indent=2) + "\n"
    return files


def difference(path: Path, wanted: str) -> str | None:
    """One line that says how the file differs, or None."""
    if not path.exists():
        return "is missing"
    found = path.read_text(encoding="utf-8")
    if found == wanted:
        return None
    found_lines, wanted_lines = found.splitlines(), wanted.splitlines()
    for number, (a, b) in enumerate(zip(found_lines, wanted_lines), start=1):
        if a != b:
            return f"differs first in line {number}:\n    is      {a[:160]}\n    should  {b[:160]}"
    return f"has {len(found_lines)} lines, should have {len(wanted_lines)}"


def check(files: dict[str, str]) -> int:
    problems = [f"{name} {text}" for name in files if (text := difference(OUTPUT_FOLDER / name, files[name]))]
    there = sorted(path.name for path in OUTPUT_FOLDER.glob("*"))
    problems += [f"{name} is made by no sample" for name in there if name not in files]
    for problem in problems:
        print(problem)
    advice = "; run scripts/gen_samples.py" if problems else ""
    print(f"{len(files)} files, {len(problems)} not as generated{advice}")
    return 1 if problems else 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Writes the sample graphs of the page.")
    parser.add_argument("--check", action="store_true", help="write nothing, fail when a file differs")
    files = make_files()
    if parser.parse_args().check:
        return check(files)
    OUTPUT_FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (OUTPUT_FOLDER / name).write_text(text, encoding="utf-8")
    print(f"wrote {len(files)} files to {OUTPUT_FOLDER}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
