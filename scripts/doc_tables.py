"""Tables of documents that scripts make, between `<!-- NAME: begin -->` and `<!-- NAME: end -->`."""
import sys


def put_tables(document, tables, check=False):
    """Writes `tables`, name -> text, into the document (a path); with `check` only compares. An exit code: 0 when the
    document says the same, or was written."""
    text = before = document.read_text(encoding="utf-8")
    differing = []
    for name, content in tables.items():
        begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
        if text.count(begin) != 1 or text.count(end) != 1:
            sys.exit(f"{document.name}: the markers of {name} are missing")
        head, _, rest = text.partition(begin)
        old, _, tail = rest.partition(end)
        if old != f"\n{content}\n":
            differing.append(name)
        text = f"{head}{begin}\n{content}\n{end}{tail}"
    if check and differing:
        print(f"docs/{document.name}: {', '.join(differing)}: {sys.argv[0]} says something else now")
        return 1
    if text != before:
        document.write_text(text, encoding="utf-8")
    return 0
