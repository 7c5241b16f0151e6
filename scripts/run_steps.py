#!/usr/bin/env python3
"""The steps of scripts/test: what each runs, what it needs, what it counts.

Two steps run side by side, and a third beside them when it is one that mostly waits, as a browser's tests do.

    scripts/run_steps.py [--setup ok|failed] [part...]
    scripts/run_steps.py --needs [part...]               prints what scripts/setup has to install for the parts

A step starts when the steps it needs went well; when one of them failed it is not run and counts as one failed. Its
output goes to build/logs/; the end of the log is shown when it fails.
"""
import argparse
import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time

import count_results

ROOT = pathlib.Path(__file__).resolve().parent.parent
LOGS = ROOT / "build" / "logs"
JOBS = os.environ.get("TESSERA_JOBS", "2")
PARTS = {  # part -> what scripts/setup installs for it
    "lint": ["native", "sanitize", "lint", "web"],
    "native": ["native"],
    "asan": ["native", "sanitize"],
    "fuzz": ["native", "sanitize"],
    "wasm": ["native", "wasm", "web"],
    "web": ["wasm", "web"],
    "browser": ["wasm", "web", "browser"],
}


@dataclasses.dataclass
class Step:
    name: str
    parts: str             # the parts that want it, separated by blanks
    command: str           # for bash, in the repository's root
    seconds: int           # it takes on two cores with nothing built, beside the other steps; for the estimate only
    needs: tuple = ()
    count: tuple = ()      # a reader of count_results and its arguments; without one the step counts only when it fails
    waits: bool = False    # keeps less than one core busy


# A build for one run of the tests: without the lines of the sources, a tenth of the time.
WITHOUT_LINES = "'-DCMAKE_CXX_FLAGS_DEBUG=-O1 {}' -DTESSERA_TEST_FLAGS=-O0"
SANITIZED = WITHOUT_LINES.format("") + " -DTESSERA_TRACE_COMPARISONS=OFF"


def build(preset, options="", target=""):
    launcher = ""
    if not preset.startswith("wasm") and shutil.which("ccache"):
        launcher = "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"
    return (f"cmake --preset {preset} {launcher} {options} && "
            f"cmake --build --preset {preset} -j {JOBS}" + (f" --target {target}" if target else ""))


def ctest(preset, environment=""):
    folder = LOGS / f"gtest-{preset}"
    return (f"mkdir -p {folder} && {environment} GTEST_BRIEF=1 GTEST_OUTPUT=json:{folder}/ "
            f"ctest --preset {preset} -j {JOBS} --no-tests=error --output-junit {LOGS}/ctest-{preset}.xml")


def gtest_count(preset):
    return ("gtest", str(LOGS / f"gtest-{preset}"), str(LOGS / f"ctest-{preset}.xml"))


def log_of(step):
    return LOGS / (step.name.replace(" ", "_") + ".log")


# In the order in which they are started. The longest chains come first, so that no core idles at the end.
STEPS = [
    Step("include check", "lint native", "scripts/check_includes.py", 1),
    Step("unused functions", "lint native", "scripts/check_unused.py", 1),
    Step("list of faults", "lint native", "scripts/mutate --check", 1),
    Step("C++ layout", "lint", "scripts/format --check", 8),
    Step("samples as generated", "native", "scripts/gen_samples.py --check", 1),
    Step("wasm build", "wasm web browser", build("wasm"), 270),
    Step("native build", "native wasm web asan",
         build("dev", WITHOUT_LINES.format("-D_GLIBCXX_ASSERTIONS"), "all bench_exact"), 430),
    Step("page build", "web browser", "cd web && npm run --silent build", 15, ("wasm build",)),
    Step("guide", "web browser", "scripts/docs_site", 12, ("page build",)),
    Step("native tests", "native", ctest("dev"), 460, ("native build",), gtest_count("dev")),
    Step("compiler's tests", "native", "scripts/compiler_suite", 15, ("native build",), ("line",)),
    Step("random graphs", "native", "scripts/soak --graphs 60 --seed 1", 12, ("native build",), ("line",)),
    Step("sanitizer build", "asan fuzz", build("asan", SANITIZED, "tessera_cli tessera_fuzz"), 590),
    Step("sanitizer link", "asan",
         build("asan", f"{SANITIZED} -DTESSERA_TEST_OBJECTS={ROOT}/build/dev"), 30,
         ("native build", "sanitizer build")),
    Step("browser tests", "browser",
         "(test -d packages/hosts/node_modules || npm ci --prefix packages/hosts --silent) && "
         "cd web && npm run --silent test:browser", 510, ("page build", "guide"), ("line",), True),
    Step("Firefox tests", "browser", "cd web && npm run --silent test:firefox", 20, ("page build",), ("line",),
         True),
    Step("sanitizer tests", "asan", ctest("asan", "TESSERA_TEST_SIZE=small UBSAN_OPTIONS=print_stacktrace=1"), 165,
         ("sanitizer link",), gtest_count("asan")),
    Step("native equals wasm", "wasm", "node tests/wasm/run_golden.mjs", 60, ("wasm build", "native build"), ("line",)),
    Step("written again in wasm", "wasm", "node tests/wasm/round_trip.mjs --slice 3", 20, ("wasm build",), ("line",)),
    Step("fuzzers", "fuzz", "scripts/run_fuzzers build/asan/bin", 75, ("sanitizer build",), ("line",)),
    Step("page tests", "web",
         f"cd web && npm test -- --reporter=default --reporter=json --outputFile.json={LOGS}/vitest.json", 60,
         ("native build",), ("vitest", str(LOGS / "vitest.json"))),
    Step("package tests", "web", "(test -d packages/tools/node_modules || npm ci --prefix packages/tools --silent) && "
         "node packages/test.mjs", 25, ("page build", "native build"), ("line",)),
    Step("page lint", "lint", "cd web && npm run --silent lint", 40),
    Step("C++ lint", "lint", "scripts/lint", 120),
    Step("C++ by g++", "lint", "scripts/check_gcc", 60),
    Step("page types", "web", "cd web && npm run --silent check", 6, ("page build",)),
    Step("Python example", "native", "TESSERA=build/dev/bin/tessera examples/python/test_tessera.py", 1,
         ("native build",)),
    Step("figures in documents", "native",
         "scripts/stablehlo_coverage.py --check && scripts/fidelity --check build/dev/bin/tessera && "
         "scripts/as_written --check && scripts/optimality --check build/dev/bin/bench_exact", 20, ("native build",)),
    Step("causes of losses", "native", "scripts/check_losses.py", 3, ("native build",), ("line",)),
    Step("server tests", "web", "node --test --test-reporter=tap tests/wasm/serve_test.mjs", 2, (), ("tap",)),
    Step("size budget", "web", "scripts/size_report", 2, ("page build",)),
]


def run_command(step):
    """The exit status of a step and the processor time in seconds, of it and of all that it waited for."""
    with open(log_of(step), "w", encoding="utf-8") as log:
        process = subprocess.Popen([sys.executable, ROOT / "scripts" / "with_orphans.py", step.command], cwd=ROOT,
                                   stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime


class Run:
    def __init__(self, steps):
        self.steps = steps
        self.state = {}                  # name -> "running", "ok", "FAILED" or "not run"
        self.counts = [0, 0, 0]          # passed, failed, skipped
        self.rows = []                   # of the summary
        self.begin = time.monotonic()
        self.changed = threading.Condition()

    def next_step(self, waits):
        """A step that can start now, None when all of its kind are started; blocks while running steps decide."""
        while True:
            waiting = [step for step in self.steps if step.name not in self.state and step.waits == waits]
            if not waiting:
                return None
            for step in waiting:
                states = [self.state.get(need, "absent") for need in step.needs if need in self.names()]
                if any(state in ("FAILED", "not run") for state in states):
                    self.finish(step, "not run", (0, 1, 0), 0)
                    break
                if all(state == "ok" for state in states):
                    self.state[step.name] = "running"
                    return step
            else:
                self.changed.wait()

    def names(self):
        return {step.name for step in self.steps}

    def finish(self, step, state, counts, seconds, cpu=0):
        self.state[step.name] = state
        for i, count in enumerate(counts):
            self.counts[i] += count
        detail = "" if sum(counts) == 0 or state == "not run" else "{} passed, {} failed, {} skipped".format(*counts)
        self.rows.append(f"{step.name:22} {state:8} {seconds:5.0f} s {cpu:5.0f} cpu s  {detail}")
        done = sum(1 for name in self.state if self.state[name] != "running")
        print(f"[{done:2}/{len(self.steps)}] {self.rows[-1].rstrip()}{self.left()}", flush=True)
        if state == "FAILED":
            lines = log_of(step).read_text(encoding="utf-8", errors="replace").splitlines()
            print("\n".join("   | " + line for line in lines[-80:]))
            print(f"   (whole log: {log_of(step).relative_to(ROOT)})", flush=True)

    def left(self):
        """The estimate of what is left, from how long the finished steps took against their usual time."""
        open_seconds = sum(s.seconds for s in self.steps if self.state.get(s.name, "running") == "running") / 2
        finished = sum(s.seconds for s in self.steps if self.state.get(s.name) in ("ok", "FAILED")) / 2
        if open_seconds == 0 or finished < 20:
            return ""
        pace = (time.monotonic() - self.begin) / finished
        return f"   (about {max(1, round(open_seconds * pace / 60))} min left)"

    def work(self, waits):
        while True:
            with self.changed:
                step = self.next_step(waits)
            if step is None:
                return
            begin = time.monotonic()
            status, cpu = run_command(step)
            counts = (0, 0, 0)
            if step.count:
                reader, *arguments = step.count
                counts = count_results.read(reader, *(arguments or [str(log_of(step))])) or (0, 1, 0)
            if status != 0 and counts[1] == 0:
                counts = (counts[0], 1, counts[2])
            with self.changed:
                self.finish(step, "FAILED" if counts[1] else "ok", counts, time.monotonic() - begin, cpu)
                self.changed.notify_all()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--needs", action="store_true")
    parser.add_argument("--setup", choices=["ok", "failed"], default="ok")
    parser.add_argument("parts", nargs="*", metavar="part", help=" ".join(PARTS))
    arguments = parser.parse_args()
    unknown = [part for part in arguments.parts if part not in PARTS]
    if unknown:
        parser.error(f"unknown part '{unknown[0]}' (known: {' '.join(PARTS)})")
    parts = arguments.parts or list(PARTS)
    if arguments.needs:
        print(*sorted({need for part in parts for need in PARTS[part]}))
        return
    steps = [step for step in STEPS if set(step.parts.split()) & set(parts)]
    shutil.rmtree(LOGS, ignore_errors=True)
    LOGS.mkdir(parents=True)
    print(f"== {len(steps)} steps; with nothing built they take about "
          f"{max(1, round(sum(step.seconds for step in steps) / 120))} minutes on two cores", flush=True)
    run = Run(steps)
    if arguments.setup == "failed":
        run.counts[1] += 1
        run.rows.append("set-up                 FAILED")
    workers = [threading.Thread(target=run.work, args=[waits]) for waits in (False, False, True)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    times = os.times()
    print("\n" + "\n".join(run.rows))
    budget = LOGS / "size_budget.log"
    if budget.exists():
        heads = ("engine:", "first:", "later:")
        print("\n".join(line for line in budget.read_text().splitlines() if line.startswith(heads)))
    print(f"{(time.monotonic() - run.begin) / 60:.1f} minutes, "
          f"{(times.children_user + times.children_system) / 60:.1f} of processor time\n")
    print("{} passed, {} failed, {} skipped".format(*run.counts))
    sys.exit(1 if run.counts[1] else 0)


if __name__ == "__main__":
    main()
