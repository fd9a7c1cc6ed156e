"""torch_snapshot.py FILE PROTOCOL PIECES: a pickle as torch.cuda.memory._dump_snapshot()
writes it, with that many pieces of 1 MiB from train.py:31 alive at the end and others that
were freed."""

import pickle
import sys

frames = [
    {"name": "at::empty", "filename": "??", "line": 0},
    {"name": "forward", "filename": "/x/site-packages/torch/nn/linear.py", "line": 12},
    {"name": "train", "filename": "/home/me/train.py", "line": 31},
]
other = [{"name": "load", "filename": "/home/me/train.py", "line": 7}]
MIB, BASE = 1 << 20, 0x7F0000000000


def event(action, address, size, where):
    return {"action": action, "addr": address, "size": size, "stream": 0, "frames": where,
            "time_us": 1_700_000_000_000_000}


pieces = int(sys.argv[3])
trace = [event("segment_alloc", BASE, 64 * MIB, other),
         event("alloc", BASE + 32 * MIB, 8 * MIB, other)]
trace += [event("alloc", BASE + i * MIB, MIB, frames) for i in range(pieces)]
trace += [event(a, BASE + 32 * MIB, 8 * MIB, other) for a in ("free_requested", "free_completed")]
blocks = [{"address": BASE + i * MIB, "size": MIB, "requested_size": MIB - 24,
           "state": "active_allocated", "frames": frames} for i in range(pieces)]
blocks.append({"address": BASE + pieces * MIB, "size": (64 - pieces) * MIB, "state": "inactive",
               "requested_size": 0, "frames": []})
segment = {"device": 0, "address": BASE, "total_size": 64 * MIB, "stream": 0, "blocks": blocks,
           "segment_pool_id": (0, 0), "is_expandable": False, "frames": other}
snapshot = {"segments": [segment], "device_traces": [trace, []],
            "allocator_settings": {"garbage_collection_threshold": 0.5, "last": None}}
pickle.dump(snapshot, open(sys.argv[1], "wb"), protocol=int(sys.argv[2]))
