"""Faults for scripts/mutate drawn by lot: a line of the core, and one small change in it.

The changes are those that slip into real code: a bound that is off by one, two operators swapped, a condition turned
around, a part of a condition or a whole statement left out. Nothing is chosen by hand, so the share of them that the
tests notice is an estimate for faults that nobody has thought of; some of them change nothing (a `<` whose sides are
never equal) and lower it.
"""
import random
import re

# A text and what it is changed to. Blanks keep template arguments and stars of pointers apart from operators.
SWAPS = [
    (" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "), (" != ", " == "),
    (" && ", " || "), (" || ", " && "), (" + ", " - "), (" - ", " + "), (" * ", " + "), (" / ", " * "), (" % ", " / "),
    ("std::min", "std::max"), ("std::max", "std::min"), ("true", "false"), ("false", "true"), (".front()", ".back()"),
    (".back()", ".front()"), ("begin()", "rbegin()"), ("++", "--"), (" += ", " -= "), (" -= ", " += "),
    ("ceilDiv", "floorDiv"), ("any_of", "all_of"), ("all_of", "any_of"),
]
NOT = re.compile(r"(?<![\w)])!(?!=)")
NUMBER = re.compile(r"(?<![\w.\"'])(\d+)(?![\w.\"'])")
SKIPPED = ("//", "#", "}", "{", "namespace", "using ", "public", "private", "struct", "class", "enum", "static_assert",
           "template", "[[", "case ", "default:", "for (const auto", "TESSERA_", "check", "constexpr", "static const",
           "friend", "inline constexpr", "*", "/*", "extern")
DECLARATION = re.compile(r"^(const |static |auto |[\w:<>,&* ]+ )[&*]?\w+(\{.*\}|\(.*\))?;$")


def outside_strings(text):
    """The text with what stands in quotes blanked out, of the same length."""
    return re.sub(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])\'', lambda found: "\0" * len(found.group()), text)


def balanced(text, begin):
    """Where the bracket that is open before `begin` closes, or -1."""
    depth = 1
    for at in range(begin, len(text)):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at
    return -1


def expression_of(line):
    """(begin, end) of the one expression of a line that may be changed, None when there is none."""
    plain = outside_strings(line)
    condition = re.search(r"\b(if|while) \((?!const |auto )", plain)
    if condition:
        end = balanced(plain, condition.end())
        return (condition.end(), end) if end > 0 and ";" not in plain[condition.end():end] else None
    loop = re.match(r"for \([^;]*; ([^;]+); ", plain)
    if loop:
        return loop.span(1)
    for pattern in (r"return (.+);$", r"^(?:const )?[\w:<>]+ \w+ = (.+);$", r"^[\w.\[\]>()-]+ [-+*|&]?= (.+);$"):
        found = re.search(pattern, plain)
        if found and "{" not in found.group(1) and ";" not in found.group(1) and "[&]" not in found.group(1):
            return found.span(1)
    return None


def parts_between(text, separator):
    """What stands between the separators that are in no brackets and in no quotes; the whole text where none is."""
    plain = outside_strings(text)
    depth, cuts = 0, [0]
    for at, letter in enumerate(plain):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(letter, 0)
        if depth == 0 and plain.startswith(separator, at):
            cuts.append(at + len(separator))
    return [text[begin:end].removesuffix(separator) for begin, end in zip(cuts, cuts[1:] + [len(text)])]


def without_a_part(text):
    """Conditions with one of their parts left out."""
    for operator in (" && ", " || "):
        parts = parts_between(text, operator)
        if len(parts) < 2:
            continue
        for left_out in range(len(parts)):
            yield operator.join(parts[:left_out] + parts[left_out + 1:])


def changed(text):
    """The expression with one small change, for every place where one is possible."""
    plain = outside_strings(text)
    for old, new in SWAPS:
        at = plain.find(old)
        while at >= 0:
            yield text[:at] + new + text[at + len(old):]
            at = plain.find(old, at + 1)
    for found in NOT.finditer(plain):
        yield text[:found.start()] + text[found.end():]
    for found in NUMBER.finditer(plain):
        yield text[:found.start()] + str(int(found.group()) + 1) + text[found.end():]
    yield from without_a_part(text)


def faults_of(line):
    """(original as a table has it, what stands there instead) for one line of code."""
    faults = []
    spot = expression_of(line)
    if spot:
        begin, end = spot
        expression = line[begin:end]
        faults += [(f"{line[:begin]}`{expression}`{line[end:]}", fault) for fault in changed(expression)]
    plain = outside_strings(line)
    if plain.endswith(";") and "{" not in plain and not plain.startswith(("return", "for ", "if ", "while ", "else")):
        if not DECLARATION.match(plain) and not re.match(r"(const )?[\w:<>,&* ]+ [&*]?(\w+|\[[\w, ]+\]) = ", plain):
            faults.append((line, ""))
    jump = re.search(r"\) (continue|break);$", plain)
    if jump:
        other = {"continue": "break", "break": "continue"}[jump.group(1)]
        faults.append((f"{line[:jump.start() + 2]}`{jump.group(1)};`", f"{other};"))
    return [fault for fault in faults if "`" not in line]


def lines_of(text):
    """The lines that stand once in a file, with the faults that they may have."""
    rows = [line.strip() for line in text.splitlines()]
    for before, line in zip([""] + rows, rows):
        if len(line) < 8 or line.startswith(SKIPPED) or text.count(line) != 1:
            continue
        if before and not before.startswith("//") and before[-1] not in ";{}:":
            continue  # in the middle of a statement
        faults = faults_of(line)
        if faults:
            yield line, faults


def draw(count, seed, root, wanted):
    """`count` faults as (file, line number, original, fault): all lines of the wanted files are as likely."""
    choices = []
    for path in sorted((root / "core").rglob("*.cpp")):
        name, text = str(path.relative_to(root)), path.read_text(encoding="utf-8")
        if wanted(name):
            choices += [(name, text[:text.index(line)].count("\n") + 1, faults) for line, faults in lines_of(text)]
    chance = random.Random(seed)
    drawn = chance.sample(choices, min(count, len(choices)))
    return [(name, row, *chance.choice(faults)) for name, row, faults in drawn]
