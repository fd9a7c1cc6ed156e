"""harmless.py TENSORLEAK FINDINGS PROGRAM [SEEDS]: runs each mode of harmless.cpp with so
many seeds, and says how often growth that ends by itself is called a leak. Fails above
1%."""

import collections
import os
import subprocess
import sys
import tempfile
import json

tensorleak, findings, program = sys.argv[1:4]
seeds = int(sys.argv[4]) if len(sys.argv) > 4 else 3
MODES = ("ring", "shapes", "state", "best")


def leaks(mode, seed):
    """What a run calls a leak."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.sarif")
        run = [tensorleak, "run", "--findings", findings, "-o", out, "--", program, mode, str(seed)]
        subprocess.run(run, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        results = json.load(open(out))["runs"][0]["results"]
    judged = [r for r in results if r["properties"].get("message", r["message"]["text"]) == mode]
    if len(judged) != 1 or judged[0]["properties"]["verdict"] not in (
        "confirmed", "refuted", "inconclusive"):
        sys.exit(f"mode {mode}, seed {seed}: the line was not judged: {judged}")
    return [r for r in results if r["properties"].get("verdict") == "confirmed"]


wrong = collections.Counter()
for mode in MODES:
    for seed in range(1, seeds + 1):
        for r in leaks(mode, seed)[:1]:
            wrong[mode] += 1
            print(f"{mode}, seed {seed}: {r['message']['text']}: {r['properties']['evidence']}")
    print(f"{mode}: {wrong[mode]} of {seeds} runs")
sys.exit(100 * sum(wrong.values()) > seeds * len(MODES))
