#!/usr/bin/env python3
"""Reads what the test runners wrote and prints "passed failed skipped".

    scripts/count_results.py gtest <folder> <junit.xml>   one JSON file per GoogleTest program, and ctest's own summary
    scripts/count_results.py vitest <file.json>           vitest's JSON report
    scripts/count_results.py tap <log>                    the closing lines of node --test
    scripts/count_results.py line <log>                   the last "N passed, N failed[, N skipped]" line of a log

A program that ctest calls failed and that left no result (it crashed) counts as one failed test. A missing or
unreadable file prints nothing and exits 1: "no result" must never look like "no failure".
"""
import json
import pathlib
import re
import sys
import xml.etree.ElementTree


def gtest(folder, junit):
    passed = failed = skipped = 0
    reported_failure = set()
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        try:
            report = json.loads(path.read_text(encoding="utf-8", errors="replace"))
        except json.JSONDecodeError:
            continue  # cut off by a crash: ctest's summary below counts it
        for suite in report.get("testsuites", []):
            for case in suite.get("testsuite", []):
                if case.get("failures"):
                    failed += 1
                    reported_failure.add(path.stem)
                elif case.get("status") == "NOTRUN" or case.get("result") in ("SKIPPED", "SUPPRESSED"):
                    skipped += 1
                else:
                    passed += 1
    programs = list(xml.etree.ElementTree.parse(junit).getroot().iter("testcase"))
    for program in programs:
        broken = program.get("status") != "run"
        if broken and program.get("name") not in reported_failure:
            failed += 1
    if not programs:
        raise ValueError("ctest ran no program")
    return passed, failed, skipped


def vitest(path):
    report = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    failed = report["numFailedTests"]
    # A file that does not even load has no failed tests of its own.
    failed += sum(1 for suite in report["testResults"] if suite["status"] == "failed" and not suite["assertionResults"])
    return report["numPassedTests"], failed, report["numPendingTests"] + report.get("numTodoTests", 0)


def tap(path):
    text = pathlib.Path(path).read_text(encoding="utf-8", errors="replace")

    def total(name):
        return int(re.findall(rf"^(?:#|ℹ) {name} (\d+)$", text, re.MULTILINE)[-1])

    return total("pass"), total("fail") + total("cancelled"), total("skipped") + total("todo")


def line(path):
    text = pathlib.Path(path).read_text(encoding="utf-8", errors="replace")
    found = re.findall(r"(\d+) passed, (\d+) failed(?:, (\d+) skipped)?", text)
    return tuple(int(number or 0) for number in found[-1])


READERS = {"gtest": gtest, "vitest": vitest, "tap": tap, "line": line}


def read(reader, *arguments):
    """(passed, failed, skipped), or None with a line on standard error when there is no result."""
    try:
        return READERS[reader](*arguments)
    except (OSError, ValueError, KeyError, IndexError, xml.etree.ElementTree.ParseError) as error:
        print(f"count_results: no result in {arguments[0]}: {error!r}", file=sys.stderr)
        return None


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in READERS:
        sys.exit(__doc__)
    counts = read(*sys.argv[1:])
    if counts is None:
        sys.exit(1)
    print(*counts)


if __name__ == "__main__":
    main()
