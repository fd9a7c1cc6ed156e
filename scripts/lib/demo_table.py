#!/usr/bin/env python3
"""Prints what the runs in RESULTS said, one row per example, and compares it with
VERDICTS, a table of `program rule verdict`. Exit code 1 where they differ."""

import json
import pathlib
import re
import sys

UNITS = ["B", "KiB", "MiB", "GiB"]


def bytes_text(count):
    unit = 0
    while abs(count) >= 1024 and unit + 1 < len(UNITS):
        count, unit = count / 1024, unit + 1
    return f"{count:.4g} {UNITS[unit]}"


def evidence_text(properties):
    evidence = properties.get("evidence", {})
    parts = []
    if evidence.get("bytesPerStep"):
        parts.append(bytes_text(evidence["bytesPerStep"]) + " per step")
    if evidence.get("peakBytes"):
        parts.append(bytes_text(evidence["peakBytes"]) + " at the peak")
    if evidence.get("steps"):
        parts.append(f"{evidence['steps']} steps")
    return ", ".join(parts)


def read_expected(path):
    """Program to (rule, verdict)."""
    lines = [line.split() for line in path.read_text().splitlines()]
    return {words[0]: tuple(words[1:3]) for words in lines if words and words[0][0] != "#"}


def read_results(path):
    log = json.loads(path.read_text())
    return [result for run in log["runs"] for result in run["results"]]


def is_as_expected(results, expected):
    if not expected:
        return not results
    rule, verdict = expected
    said = {(r["ruleId"], r["properties"].get("verdict")) for r in results}
    return said == {(rule, verdict)}


def clean_text(report):
    """What a run without findings showed: without steps, growth cannot be told."""
    steps = re.search(r"; (\d+) steps \(", report)
    return f"no growth, {steps[1]} steps" if steps else ""


def rows_of(program, results, report, good):
    mark = "as expected" if good else "NOT AS EXPECTED"
    if not results:
        yield program, "no finding", "", clean_text(report), mark
    for result in results:
        properties = result["properties"]
        yield (program, result["ruleId"], properties.get("verdict", "-"),
               evidence_text(properties), mark)


def print_table(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def main():
    folder, expected = pathlib.Path(sys.argv[1]), read_expected(pathlib.Path(sys.argv[2]))
    rows, all_good = [("program", "finding", "verdict", "evidence", "")], True
    for path in sorted(folder.glob("*.verified.sarif")):
        program = path.name.removesuffix(".verified.sarif")
        results = read_results(path)
        good = is_as_expected(results, expected.pop(program, None))
        all_good = all_good and good
        report = (folder / f"{program}.report").read_text()
        rows.extend(rows_of(program, results, report, good))
    for program in expected:
        all_good = False
        rows.append((program, "", "", "", "DID NOT RUN"))
    print_table(rows)
    return 0 if all_good else 1


if __name__ == "__main__":
    sys.exit(main())
