"""killed_tool.py RECORD TEMPORARY COMMAND...: kills the command when the program that it runs says
"waiting", then that, and waits for a record and for the folder to be empty."""

import os
import pathlib
import signal
import subprocess
import sys
import time

record, temporary = map(pathlib.Path, sys.argv[1:3])
tool = subprocess.Popen(sys.argv[3:], stdout=subprocess.PIPE, text=True)
program = int(tool.stdout.readline().split()[1])
tool.kill()
end = time.monotonic() + 60
while time.monotonic() < end and (not any(record.glob("*")) or any(temporary.iterdir())):
    time.sleep(0.05)
os.kill(program, signal.SIGKILL)
if any(temporary.iterdir()):
    sys.exit(f"left: {list(temporary.iterdir())}")
