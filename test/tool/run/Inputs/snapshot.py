"""snapshot.py PICKLE CATEGORY=COUNT...: checks a snapshot for PyTorch's memory viewer: its
members are what the viewer reads, births, deaths and blocks fit together, and so many
pieces of each category named are alive at the end, each of 32 KiB from train()."""

import pickle
import sys

snapshot = pickle.load(open(sys.argv[1], "rb"))
blocks = {}
for segment in snapshot["segments"]:
    assert segment["total_size"] == sum(b["size"] for b in segment["blocks"])
    for block in segment["blocks"]:
        assert block["address"] not in blocks, "two blocks at one address"
        blocks[block["address"]] = block

alive, categories = {}, set()
for trace in snapshot["device_traces"]:
    for event in trace:
        categories.add(event["category"])
        if event["action"] == "alloc":
            assert event["addr"] not in alive and event["frames"][0]["name"]
            alive[event["addr"]] = event
        elif event["action"] == "free_completed":
            born = alive.pop(event["addr"])
            assert (born["size"], born["frames"]) == (event["size"], event["frames"])
        else:
            assert event["action"] == "snapshot"
assert "unknown" in categories, "the viewer fails without it"
held = {a for a, b in blocks.items() if b["state"] == "active_allocated"}
assert held == set(alive), "what is alive is not what the segments hold"

for expected in sys.argv[2:]:
    category, count = expected.rsplit("=", 1)
    found = [e for e in alive.values() if e["category"] == category]
    assert len(found) == int(count), f"{len(found)} of {category}"
    assert all(e["size"] == 32768 for e in found)
    assert all(e["frames"][0]["filename"].endswith("annotated.cpp") for e in found)
    assert all(e["frames"][0]["line"] > 0 for e in found)
if len(sys.argv) == 2:
    leaks = [c for c in categories if c.startswith("confirmed") or c == "expected"]
    assert not leaks, leaks
