"""Runs of Tessera in Python and in notebooks, by the native program. Copy this file beside your own.

    import tessera
    run = tessera.run("resnet50.mlir", policy="Greedy", device="n150")
    run.time, run.totals["spills"]      # figures of the report
    run                                 # in a notebook: the report itself
    tessera.compare("resnet50.mlir", policies=["DRAM", "Greedy", "Exact"])

The program is found in $TESSERA, on the PATH, or as scripts/tessera above this file.
"""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile


class TesseraError(Exception):
    """The graph or the call has mistakes; the text says which and where."""


def program():
    """The native program."""
    for parent in pathlib.Path(__file__).resolve().parents:
        if (parent / "scripts" / "tessera").is_file() and not os.environ.get("TESSERA"):
            return shutil.which("tessera") or str(parent / "scripts" / "tessera")
    found = os.environ.get("TESSERA") or shutil.which("tessera")
    if not found:
        raise TesseraError("the program `tessera` is not found: put it on the PATH or name it in $TESSERA")
    return found


def _words(options):
    for name, value in options.items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        yield f"--{name.replace('_', '-')}={text}"


def _call(command, graph, *words):
    """Answers (reports, page): what the program gives as JSON, and the page that shows it."""
    is_text = "\n" in str(graph)
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "report.html"
        arguments = [program(), command, "-" if is_text else str(graph), *words, f"--html={page}"]
        done = subprocess.run(arguments, input=str(graph) if is_text else "", capture_output=True, encoding="utf-8",
                              check=False)
        if not page.exists():
            raise TesseraError(done.stderr.split("\nusage:")[0].strip() or f"{command} failed ({done.returncode})")
        html = page.read_text(encoding="utf-8")
    data = html.rpartition('id="report-data">')[2].partition("</script>")[0]
    return json.loads(data)["runs"], html


class Shown:
    """A page that a notebook shows inline, in a frame of its own."""

    def __init__(self, html, height=640):
        self.html, self.height = html, height

    def save(self, path):
        """Writes the page: one file that opens from disk."""
        pathlib.Path(path).write_text(self.html, encoding="utf-8")

    def _repr_html_(self):
        source = "data:text/html;base64," + base64.b64encode(self.html.encode("utf-8")).decode("ascii")
        return (f'<iframe title="Tessera report" src="{source}" width="100%" height="{self.height}" '
                'sandbox="allow-scripts" style="border: 1px solid #8888; border-radius: 6px"></iframe>')


class Run(Shown):
    """A run: `report` is what `tessera run --json` prints, docs/report.md describes it."""

    def __init__(self, report, html):
        super().__init__(html)
        self.report, self.totals, self.time = report, report["run"]["totals"], report["run"]["totals"]["time"]


class Comparison(Shown):
    """Runs of one graph: `reports`, one per run."""

    def __init__(self, reports, html):
        super().__init__(html)
        self.reports = reports
        self.times = {report["options"]["policy"]: report["run"]["totals"]["time"] for report in reports}


def run(graph, **options):
    """One policy on one graph: a path, or the text of a dump. Options: `tessera help` lists them."""
    reports, html = _call("run", graph, *_words(options))
    return Run(reports[0], html)


def compare(graph, policies, **options):
    """One graph under several policies."""
    return Comparison(*_call("compare", graph, f"--policies={','.join(policies)}", *_words(options)))
