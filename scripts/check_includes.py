#!/usr/bin/env python3
"""Checks what the compiler does not: who may include whom, and that no text names a machine.

    scripts/check_includes.py [root]

Prints "file:line: what is wrong" for every offence and exits 1 when there is one.
Rules:
  1. A folder of core/ includes only itself and the folders before it in LAYERS.
     A subfolder listed in SUBFOLDERS includes only itself and those of groups before its own; all but the first may
     include headers that lie in the folder itself.
  2. core/policy does not include core/sim: a policy that looks at the simulator could not be judged by it.
  3. Only core/support/json_value.cpp includes the JSON library.
  4. wasm/ includes only core/driver and core/study; nothing in core/ includes wasm/, web/ or tests/.
  5. Project headers are included as "core/...", from the repository's root, and exist.
  6. No file holds an absolute path of one person's machine, and no lock file a download address.
  7. A folder of web/src imports only itself and what WEB_ROOMS lists for it, and no imports form a circle.
"""
import pathlib
import posixpath
import re
import subprocess
import sys

LAYERS = ["support", "solve", "device", "text", "ir", "ops", "profile", "import", "lowering", "analysis", "plan",
          "policy", "transform", "execute", "sim", "machine", "report", "lab", "driver",
          "study", "instances", "evaluate", "batch", "cli"]
FORBIDDEN = {("policy", "sim"), ("sim", "execute"), ("lab", "report")}
SUBFOLDERS = {
    "ops": [{"table"}, {"shapes"}, {"rules"}, {"times"}, {"model"}],
    "policy": [{"kit"}, {"chain", "propagate", "exact"}],
}
NATIVE_ONLY = {"instances", "evaluate", "batch", "cli"}  # no module of the page links them
JSON_READER = "core/support/json_value.cpp"
CPP_ENDINGS = {".h", ".cpp", ".def"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# Written with classes of one letter so that the pattern does not match itself.
MACHINE_PATH = re.compile(r"(?<![\w.$}~-])/(?:[w]ork|[r]oot|[f]arm|[h]ome/\w+)/[\w.]")
# Folder of web/src -> the folders it may import, in the order in which they build on each other. The views,
# WEB_VIEWS, do not know each other; "app" puts them together, "lab" is a page of its own. "certificate"
# checks what the engine proved and shares nothing with the rest. "report" shows a run where there is no engine, "embed"
# puts it into other people's pages.
WEB_VIEWS = ["source", "why", "graph", "compare", "steps", "beam", "passes", "optimum", "compiled", "handedit",
             "measured"]
WEB_ROOMS = {"certificate": [], "model": [], "engine": ["model"], "view": ["model"],
             **{room: ["model", "view"] for room in WEB_VIEWS},
             "policylab": ["model", "view", "source"],
             "study": ["model", "engine", "view", "policylab"],
             "app": ["policylab", "study", "certificate", "model", "engine", "view", *WEB_VIEWS],
             "lab": ["model", "engine", "view"],
             "report": ["model", "view", "why", "graph", "compare", "steps"],
             "embed": ["model", "engine", "view", "report"]}
WEB_IMPORT = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}/[^'"]+)['"]""")
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


def subfolder_offence(name, target):
    """Why a file may not include another file of its own folder, or None."""
    (folder, here), there = name.split("/")[1:3], target.split("/")[2]
    level = {sub: number for number, group in enumerate(SUBFOLDERS.get(folder, [])) for sub in group}
    if here == there or here not in level:
        return None
    if there in level and level[there] < level[here]:
        return None
    if there not in level and there.endswith(".h") and level[here] > 0:
        return None  # the folder's interface
    return f"core/{folder}/{here} may not include core/{folder}/{there}"


def include_offence(root, name, quote, target):
    """Why `name` may not include `target`, or None."""
    if "nlohmann" in target and name != JSON_READER:
        return f"only {JSON_READER} may include the JSON library"
    if quote != '"':
        return None
    if not (root / target).is_file():
        return f'"{target}" is not a file of the repository (include from the root: "core/...")'
    here, there = core_folder(name), core_folder(target)
    if name.startswith("wasm/") and there not in ("driver", "study"):
        return "wasm/ may include only core/driver and core/study"
    if here is None:
        return None
    if there is None:
        return "core/ may include only core/"
    if here not in LAYERS or there not in LAYERS:
        return f"folder core/{here if here not in LAYERS else there} is not in the list of layers"
    if here == there:
        return subfolder_offence(name, target)
    if LAYERS.index(there) > LAYERS.index(here):
        return f"core/{here} comes before core/{there} and may not include it"
    if (here, there) in FORBIDDEN:
        return f"core/{here} may not include core/{there}"
    return None


def web_imports(root):
    """File of web/src -> [(line, imported file)], both from the repository's root."""
    imports = {}
    for name in project_files(root):
        if not name.startswith("web/src/") or not name.endswith(".ts"):
            continue
        text = (root / name).read_text(encoding="utf-8")
        imports[name] = []
        for match in WEB_IMPORT.finditer(text):
            if match[1].endswith(("?raw", "?inline")):  # a text, no module
                continue
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), match[1]))
            target += "" if posixpath.splitext(target)[1] in (".ts", ".css") else ".ts"
            imports[name].append((text.count("\n", 0, match.start(1)) + 1, target))
    return imports


def web_room(name):
    """'web/src/view/badge.ts' -> 'view'; None for the files in web/src itself, which start a page."""
    parts = name.split("/")
    return parts[2] if len(parts) > 3 else None


def web_order_offences(imports):
    for name, targets in imports.items():
        here = web_room(name)
        for line, target in targets:
            there = web_room(target)
            if here is None or here == there:
                continue
            if here not in WEB_ROOMS:
                yield f"{name}:{line}: folder web/src/{here} is not in WEB_ROOMS"
            elif there not in WEB_ROOMS[here]:
                yield f"{name}:{line}: web/src/{here} may not import {target}"


def web_circle_offences(imports):
    """Takes away files that import nothing (left), until none is: what remains has a circle."""
    left = {name: {target for _, target in targets if target in imports} for name, targets in imports.items()}
    while True:
        ends = {name for name, targets in left.items() if not targets}
        if not ends:
            break
        left = {name: targets - ends for name, targets in left.items() if name not in ends}
    if left:  # from any file that remains, imports lead back to one passed before
        path = [min(left)]
        while path[-1] not in path[:-1]:
            path.append(min(left[path[-1]]))
        circle = path[path.index(path[-1]):]
        yield f"{circle[0]}:1: circle of imports: {' -> '.join(circle)}"


def offences(root):
    imports = web_imports(root)
    yield from web_order_offences(imports)
    yield from web_circle_offences(imports)
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
