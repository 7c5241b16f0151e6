#!/usr/bin/env python3
"""Checks what the compiler does not: who may include whom, and that no text names a machine.

    scripts/check_includes.py [root]

Prints "file:line: what is wrong" for every offence and exits 1 when there is one.
Rules:
  1. A folder of core/ includes only itself and the folders before it in LAYERS.
  2. core/policy does not include core/sim: a policy that looks at the simulator could not be judged by it.
  3. Only core/support/json_value.cpp includes the JSON library.
  4. wasm/ includes only core/driver; nothing in core/ includes wasm/, web/ or tests/.
  5. Project headers are included as "core/...", from the repository's root, and exist.
  6. No file holds an absolute path of one person's machine, and no lock file a download address.
"""
import pathlib
import re
import subprocess
import sys

LAYERS = ["support", "solve", "device", "text", "ir", "ops", "import", "lowering", "analysis", "plan", "policy", "transform",
          "sim", "report", "driver"]
FORBIDDEN = {("policy", "sim")}
JSON_READER = "core/support/json_value.cpp"
CPP_ENDINGS = {".h", ".cpp", ".def"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# Written with classes of one letter so that the pattern does not match itself.
MACHINE_PATH = re.compile(r"(?<![\w.$}~-])/(?:[w]ork|[r]oot|[f]arm|[h]ome/\w+)/[\w.]")
BINARY_ENDINGS = {".png", ".jpg", ".ico", ".woff", ".woff2", ".wasm", ".gz"}


def project_files(root):
    """Files git tracks or would add; a tree without git is walked."""
    git = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                         capture_output=True, check=False)
    if git.returncode == 0:
        names = git.stdout.decode("utf-8", "surrogateescape").split("\0")
    else:
        skip = {"build", "node_modules", ".git", ".tools", "dist"}
        names = [str(path.relative_to(root)) for path in root.rglob("*")
                 if path.is_file() and not skip.intersection(path.relative_to(root).parts)]
    return sorted(name for name in set(names) if name and (root / name).is_file())


def core_folder(name):
    """'core/text/lexer.cpp' -> 'text'; None outside of core/<folder>/."""
    parts = name.split("/")
    return parts[1] if len(parts) > 2 and parts[0] == "core" else None


def include_offence(root, name, quote, target):
    """Why `name` may not include `target`, or None."""
    if "nlohmann" in target and name != JSON_READER:
        return f"only {JSON_READER} may include the JSON library"
    if quote != '"':
        return None
    if not (root / target).is_file():
        return f'"{target}" is not a file of the repository (include from the root: "core/...")'
    here, there = core_folder(name), core_folder(target)
    if name.startswith("wasm/") and there != "driver":
        return "wasm/ may include only core/driver"
    if here is None:
        return None
    if there is None:
        return "core/ may include only core/"
    if here not in LAYERS or there not in LAYERS:
        return f"folder core/{here if here not in LAYERS else there} is not in the list of layers"
    if LAYERS.index(there) > LAYERS.index(here):
        return f"core/{here} comes before core/{there} and may not include it"
    if (here, there) in FORBIDDEN:
        return f"core/{here} may not include core/{there}"
    return None


def offences(root):
    for name in project_files(root):
        path = root / name
        if path.suffix in BINARY_ENDINGS:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        is_cpp = path.suffix in CPP_ENDINGS
        is_lock = path.name == "package-lock.json"
        for number, line in enumerate(text.splitlines(), 1):
            place = f"{name}:{number}"
            if MACHINE_PATH.search(line):
                yield f"{place}: absolute path of a machine: {line.strip()[:100]}"
            if is_lock and '"resolved": "http' in line:
                yield f"{place}: the lock file records a download address: {line.strip()[:100]}"
            match = INCLUDE.match(line) if is_cpp else None
            why = match and include_offence(root, name, match[1], match[2])
            if why:
                yield f"{place}: {line.strip()}: {why}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    if not (root / "core").is_dir():
        sys.exit(f"check_includes: no core/ in {root}")
    found = list(offences(root))
    for line in found:
        print(line)
    if found:
        print(f"check_includes: {len(found)} offence(s)")
        sys.exit(1)
    print("check_includes: fine")


if __name__ == "__main__":
    main()
