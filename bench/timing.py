"""How the scripts of this folder measure: CPU time of commands in turn, and ratios of pairs.

Whatever else the machine does meets all commands of a round alike, so a ratio is that of two
times of the same round, and what is reported is the median over the rounds.
"""

import os
import platform
import re
import resource
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TORCH = os.environ.get("TORCH_INCLUDE", "/usr/include/torch/csrc/api/include")
FLAGS = ["-std=c++17", "-isystem", TORCH]

WITH_PEAK = """import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)"""


def tool(build):
    return os.path.join(build, "bin", "tensorleak")


def finish(command, env, accepted=(0, 1)):
    """Runs it to its end; what it printed. A command that fails measures nothing."""
    result = subprocess.run(command, env=env, capture_output=True, text=True, errors="replace")
    if result.returncode not in accepted:
        sys.exit(f"bench: '{' '.join(map(str, command))}' failed:\n{result.stderr}")
    return result.stdout


def user_seconds(command, env, accepted=(0, 1)):
    """The user CPU time of a command and all that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    finish(command, env, accepted)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def peak_mib(command, env, accepted=(0, 1)):
    """The most that one process of a command and of all that it starts had in memory."""
    return int(finish([sys.executable, "-c", WITH_PEAK, *command], env, accepted)) / 1024


class Rounds:
    """What each of several commands took, round by round."""

    def __init__(self):
        self.times = {}

    def add(self, name, seconds):
        self.times.setdefault(name, []).append(seconds)

    def median(self, name):
        return statistics.median(self.times[name])

    def ratio(self, name, to):
        return statistics.median(a / b for a, b in zip(self.times[name], self.times[to]))


def machine():
    with open("/proc/cpuinfo") as info:
        model = re.search(r"model name\s*: (.*)", info.read())
    return f"{model.group(1) if model else platform.machine()}, {os.cpu_count()} cores"


def versions(build, llvm):
    """Of what takes part."""
    first_lines = [finish(command, os.environ).split("\n")[0].strip()
                   for command in ([tool(build), "--version"], [f"clang++-{llvm}", "--version"])]
    return "; ".join([*first_lines, f"LibTorch {torch_version()}"])


def torch_version():
    with open(os.path.join(TORCH, "torch", "version.h")) as text:
        found = re.findall(r"#define TORCH_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text.read())
    return ".".join(found[:3])
