"""Writes records as `tensorleak run --record` does: records.py FOLDER STEPS [RANKS] [--hostile]

The run keeps 1 KiB of each step at line 7 of a source that is written too, and has one step that
needs 8 MiB for a moment. With --hostile every name tries to become a part of the page.
"""

import json
import pathlib
import sys

FOLDER, STEPS = pathlib.Path(sys.argv[1]), int(sys.argv[2])
RANKS = int(sys.argv[3]) if sys.argv[3:] and sys.argv[3].isdigit() else 1
HOSTILE = ("</script><script>document.title='broken'</script>"
           "<img src=http://127.0.0.1:9/x onerror=document.title='broken'>")
NAME = HOSTILE if "--hostile" in sys.argv else "Trainer::step"
SOURCE = FOLDER / "train.cpp"
LINES = ["#include <torch/torch.h>", "", "void Trainer::step() {", "  auto Batch = next();",
         "  auto Loss = criterion(model(Batch));", "  Loss.backward();",
         "  history_.push_back(Loss); // " + NAME, "  optimizer_.step();", "}"]


def frame(line, function=NAME):
    return {"function": function, "file": str(SOURCE), "line": line, "column": 3}


def site(lines, operators, per_step, peak, before, earlier, count):
    total = per_step * STEPS
    return {"frames": [frame(line) for line in lines], "ops": operators, "onDevice": False,
            "growth": "growing" if per_step else "bounded", "bytesPerStep": per_step,
            "totalBytes": total or before, "peakBytes": peak, "peakBefore": before,
            "peakEarlier": earlier, "peakCount": count, "allocations": STEPS,
            "objects": [[1024, step, None, False] for step in range(50 if per_step else 0)],
            **({"holder": {"text": f"'history_' (a member of {NAME})",
                           "way": ["AddBackward0 (train.cpp:5)", "SavedVariable", NAME]}}
               if per_step else {})}


def point(step):
    kept, standing = 1024 * step, 4 << 20
    high = standing + kept + (1 << 20) + (8 << 20 if step == STEPS // 3 else 0)
    live = standing + kept + 2048
    return [step, step * 10_000, live, standing + kept, high, standing, 0, 0, kept, step]


def finding():
    place = {"physicalLocation": {"artifactLocation": {"uri": SOURCE.resolve().as_uri()},
                                  "region": {"startLine": 7, "startColumn": 3}}}
    return {"ruleId": "tensor-retained-activation", "level": "warning", "locations": [place],
            "message": {"text": "what is added to 'history_' keeps its graph; " + NAME},
            "properties": {"kind": "retention", "level": "warning", "verdict": "confirmed",
                           "evidence": {"bytesPerStep": 1024, "totalBytes": 1024 * STEPS,
                                        "holder": f"'history_' (a member of {NAME})",
                                        "reason": "live tensor memory grows with the steps"}}}


def record(rank):
    part = {"host": "node-1", "pid": 100 + rank, "parentPid": 1}
    if RANKS > 1:
        part.update(rank=rank, worldSize=RANKS)
    rule = {"id": "tensor-retained-activation", "shortDescription": {"text": "kept activations"}}
    return {"format": "tensorleak-record", "version": 1, "tool": "test", "command": ["./" + NAME],
            "part": part, "steps": STEPS, "clock": "step of " + NAME,
            "peakBytes": (13 << 20) + 1024 * (STEPS // 3), "nodesPerStep": 2.0,
            "heapBytesPerStep": 0, "allocations": 10 * STEPS, "remarks": ["remark " + NAME],
            "advice": ["at its highest " + NAME],
            "sites": [site([7, 3], ["aten::add", NAME], 1024, 1024 * (STEPS // 3), 0,
                           1024 * (STEPS // 3), STEPS // 3),
                      site([5], ["aten::linear"], 0, 9 << 20, 4 << 20, 0, 12)],
            "memory": [{"device": "CPU", "points": [point(s) for s in range(1, STEPS + 1)],
                        "reserved": [[1, 20 << 20], [STEPS // 2, 24 << 20]]}],
            "findings": {"version": "2.1.0",
                         "runs": [{"tool": {"driver": {"name": "tensorleak", "rules": [rule]}},
                                   "results": [finding()]}]}}


FOLDER.mkdir(parents=True, exist_ok=True)
SOURCE.write_text("\n".join(LINES) + "\n", encoding="utf-8")
for number in range(RANKS):
    (FOLDER / f"rank-{number}.record.json").write_text(json.dumps(record(number)), encoding="utf-8")
