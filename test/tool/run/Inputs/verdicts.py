"""verdicts.py SARIF EXPECTED...: compares the verdicts of a run with what is expected.

EXPECTED is NAME=VERDICT, or NAME=VERDICT,KEY=NUMBER[,...] for figures of the
evidence, which may differ by 5%; KEY=LOW..HIGH gives the bounds for one that
differs between versions of LibTorch. NAME is the finding's message, or its rule;
NAME=absent says that nothing is reported under it. VERDICT may name two, A|B, where
versions of LibTorch, or a GPU, make a difference.
"""

import json
import sys


def is_within(value, wanted):
    if ".." in wanted:
        low, high = map(float, wanted.split(".."))
        return low <= value <= high
    return abs(value - float(wanted)) <= 0.05 * float(wanted)


def said(result):
    """What the finding says, without the verdict."""
    return result["properties"].get("message", result["message"]["text"])


results = json.load(open(sys.argv[1]))["runs"][0]["results"]
failed = False
for expected in sys.argv[2:]:
    name, wanted = expected.split("=", 1)
    verdict, *figures = wanted.split(",")
    found = [r for r in results if name in (said(r), r["ruleId"])]
    if verdict == "absent":
        for r in found:
            print(f"not expected: {r['message']['text']} {json.dumps(r['properties'])}")
        failed |= bool(found)
        continue
    if len(found) != 1:
        print(f"{len(found)} results for {name}, not one")
        failed = True
        continue
    properties = found[0]["properties"]
    evidence = properties.get("evidence", {})
    wrong = properties.get("verdict") not in verdict.split("|")
    for figure in figures:
        key, number = figure.split("=")
        wrong |= not is_within(evidence.get(key, -1), number)
    if wrong:
        print(f"expected {expected}, got {properties.get('verdict')} {json.dumps(evidence)}")
    failed |= wrong
sys.exit(failed)
