#!/usr/bin/env python3
"""table.py SARIF: the findings of a check or a run as a table in Markdown, for a comment."""

import json
import sys

# What is true comes first. Findings that are set aside for another reason are left out.
ORDER = ["confirmed", "inconclusive", "not-reached", None, "refuted"]
MOST = 50  # rows: a comment has a limit


def cell(text):
    """One line that Markdown takes as text."""
    for special in "\\|`*_<>[]":
        text = text.replace(special, "\\" + special)
    return " ".join(text.split())


def size(count):
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if abs(count) < 1024 or unit == "TiB":
            return f"{count:.0f} {unit}" if count == int(count) else f"{count:.1f} {unit}"
        count /= 1024


def cost(evidence):
    for key, what in (("bytesPerStep", " per step"), ("peakBytes", " at the peak"),
                      ("totalBytes", " in all")):
        if evidence.get(key):
            return size(evidence[key]) + what
    return ""


def why(said):
    """What kept the run from deciding."""
    is_open = said.get("verdict") in ("inconclusive", "not-reached")
    reason = said.get("evidence", {}).get("reason", "") if is_open else ""
    return reason and f": {cell(reason)}"


def is_set_aside(result):
    return any(not s.get("properties", {}).get("byVerdict") for s in result.get("suppressions", []))


def row(result):
    place = result["locations"][0]["physicalLocation"]
    line = place.get("region", {}).get("startLine", 0)
    said = result["properties"]
    verdict = (said.get("verdict") or "not run").replace("-", " ")
    message = said.get("message") or result["message"]["text"]
    return (f"| {verdict} | {cell(cost(said.get('evidence', {})))} "
            f"| {cell(place['artifactLocation']['uri'])}:{line} "
            f"| {cell(message)} ({result['ruleId']}){why(said)} |")


def main():
    with open(sys.argv[1], encoding="utf-8") as log:
        results = json.load(log)["runs"][0]["results"]
    results = [result for result in results if not is_set_aside(result)]
    results.sort(key=lambda result: ORDER.index(result["properties"].get("verdict")))
    print("### tensorleak\n")
    if not results:
        print("No findings.")
        return
    print("| verdict | cost | where | what |\n|---|---|---|---|")
    for result in results[:MOST]:
        print(row(result))
    if len(results) > MOST:
        print(f"\nand {len(results) - MOST} more.")


main()
