#!/usr/bin/env python3
"""Names functions that headers of core/ declare and nothing but tests calls.

Reads the text only: comments and strings are left out, and the layout that scripts/format gives (`T* name`, spaces
around operators) tells declarations from calls. A call is any other mention of the name in core/ or wasm/.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SKIP = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
RAW = re.compile(r'R"(\w*)\(.*?\)\1"', re.S)
NAME = re.compile(r"[A-Za-z_]\w*")
# Words in front of a call that look like the type in front of a declaration.
BEFORE_CALL = {"return", "else", "case", "new", "delete", "throw", "goto", "operator", "co_return", "and", "or", "not"}
# Called by the language or the library, never by name.
IMPLICIT = {"begin", "end", "main", "defined", "operator", "alignof", "sizeof", "decltype", "static_assert", "noexcept"}


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def plain(path):
    text = RAW.sub(blank, path.read_text(encoding="utf-8"))
    if path.suffix == ".def":  # the rows are code
        return SKIP.sub(lambda m: blank(m) if m.group().startswith("/") else m.group(), text)
    return SKIP.sub(blank, text)


def declares(text, start):
    """Is the name that begins at `start` declared or defined there, by what stands in front of it?"""
    at = start
    while text[:at].endswith("::"):  # Class::name
        at -= 2
        while at > 0 and (text[at - 1].isalnum() or text[at - 1] == "_"):
            at -= 1
    before = text[max(0, at - 80) : at]
    bare = before.rstrip()
    if not bare or not before[-1:].isspace():
        return False
    if bare[-1] in "*&>":
        glued = not bare[-2:-1].isspace() and bare[-2:] not in ("->", ">>", "&&")
        return glued or bare[-2:] == ">>" and bare[-3:-2] != " "
    word = re.search(r"[A-Za-z_]\w*$", bare)
    return bool(word) and word.group() not in BEFORE_CALL


def main():
    paths = [p for room in ("core", "wasm") for p in sorted((ROOT / room).rglob("*"))]
    files = {p: plain(p) for p in paths if p.suffix in {".h", ".cpp", ".def"}}
    declared = {}
    for path, text in files.items():
        if path.suffix != ".h":
            continue
        for match in re.finditer(r"\b([A-Za-z_]\w*)\(", text):
            name = match.group(1)
            if name in IMPLICIT or name.isupper() or not name[0].islower():
                continue
            if declares(text, match.start()):
                line = text.count("\n", 0, match.start()) + 1
                declared.setdefault(name, f"{path.relative_to(ROOT)}:{line}")
    used = set()
    for text in files.values():
        for match in NAME.finditer(text):
            name = match.group()
            if name not in declared or name in used:
                continue
            called = text[match.end() : match.end() + 1] == "("
            if not called or not declares(text, match.start()):
                used.add(name)
    unused = sorted((where, name) for name, where in declared.items() if name not in used)
    for where, name in unused:
        print(f"{where}: `{name}` is called by nothing in core/ and wasm/")
    return 1 if unused else 0


if __name__ == "__main__":
    sys.exit(main())
