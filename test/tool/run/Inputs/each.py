"""each.py TENSORLEAK FINDINGS PROGRAM... VERDICTS < EXPECTATIONS: runs a program once for
each line `MODE: NAME [--what-if] EXPECTED...` of its input, and compares the verdicts."""

import os
import subprocess
import sys
import tempfile

tensorleak, findings, *program, verdicts = sys.argv[1:]
failed = False
for line in sys.stdin:
    if not line.startswith("MODE: "):
        continue
    mode, *expected = line.split()[1:]
    options = [e for e in expected if e.startswith("--")]
    expected = [e for e in expected if not e.startswith("--")]
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.sarif")
        run = [tensorleak, "run", *options, "--findings", findings, "-o", out, "--", *program, mode]
        subprocess.run(run, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        judged = subprocess.run([sys.executable, verdicts, out, *expected])
    if judged.returncode:
        print("in mode", mode)
        failed = True
sys.exit(failed)
