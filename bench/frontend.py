#!/usr/bin/env python3
"""Times `tensorleak check` against the compiler and clang-tidy on one small file.

    bench/frontend.py [--build BUILD] [--runs N] [--write]

All are run in turn, N times over, so that whatever else the machine does meets
each of them; the least user CPU time of each counts, and the ratios are what to
read. `cold` starts with an empty cache and so includes making the prelude; `warm` is a
file that was edited since, `unchanged` one that was not.
--write puts the table into docs/benchmarks.md.
"""

import argparse
import os
import platform
import re
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SMALL = os.path.join(ROOT, "bench", "small.cpp")
TORCH = "/usr/include/torch/csrc/api/include"
BEGIN, END = "<!-- bench/frontend.py -->", "<!-- end -->"


def user_seconds(command, env):
    """The user CPU time of a command and all that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    result = subprocess.run(command, env=env, capture_output=True, text=True)
    if result.returncode not in (0, 1):
        sys.exit(f"bench: '{' '.join(command)}' failed:\n{result.stderr}")
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


class Contest:
    """The commands that are compared, each with a cache of its own."""

    def __init__(self, build, version, folder):
        self.source = os.path.join(folder, "small.cpp")
        shutil.copy(SMALL, self.source)
        flags = ["-std=c++17", "-isystem", TORCH]
        check = [os.path.join(build, "bin", "tensorleak"), "check", self.source, "-q"]
        plugin = os.path.join(build, "lib", "libtensorleak-tidy.so")
        self.cache = os.path.join(folder, "cache")
        self.env = dict(os.environ, TENSORLEAK_CACHE_DIR=self.cache)
        self.commands = {
            f"clang++-{version} -fsyntax-only": [
                f"clang++-{version}", "-fsyntax-only", *flags, self.source],
            f"clang-tidy-{version} with the plugin": [
                f"clang-tidy-{version}", f"--load={plugin}", "--checks=-*,tensor-*",
                self.source, "--", *flags],
            "tensorleak check --no-cache": [*check, "--no-cache", "--", *flags],
            "tensorleak check, cold": [*check, "--", *flags],
            "tensorleak check, warm": [*check, "--", *flags],
            "tensorleak check, unchanged": [*check, "--", *flags],
        }

    def time(self, name):
        if name.endswith("cold"):
            shutil.rmtree(self.cache, ignore_errors=True)
        if name.endswith("warm"):
            with open(self.source, "a") as source:
                source.write("// edited\n")
        return user_seconds(self.commands[name], self.env)

    def least_times(self, runs):
        times = {name: [] for name in self.commands}
        for _ in range(runs):
            for name in self.commands:
                # These are short: more of them fit into the same noise.
                for _ in range(5 if name.endswith(("warm", "unchanged")) else 1):
                    times[name].append(self.time(name))
        return {name: min(values) for name, values in times.items()}


def table(times):
    """The times as Markdown, with their ratios to the compiler and to clang-tidy."""
    compiler, tidy, *_ = times.values()
    lines = ["| command | user CPU s | of the compiler | of clang-tidy |", "|---|---|---|---|"]
    for name, seconds in times.items():
        ratios = f"{seconds / compiler:.3f} | {seconds / tidy:.4f}"
        lines.append(f"| `{name}` | {seconds:.2f} | {ratios} |")
    return "\n".join(lines)


def machine():
    with open("/proc/cpuinfo") as info:
        model = re.search(r"model name\s*: (.*)", info.read())
    return f"{model.group(1) if model else platform.machine()}, {os.cpu_count()} cores"


def write(text, begin_mark=BEGIN):
    path = os.path.join(ROOT, "docs", "benchmarks.md")
    with open(path) as page:
        old = page.read()
    begin = old.index(begin_mark) + len(begin_mark)
    end = old.index(END, begin)
    with open(path, "w") as page:
        page.write(f"{old[:begin]}\n{text}\n{old[end:]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--llvm", default="22", help="the version that the build is made with")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="update docs/benchmarks.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        times = Contest(options.build, options.llvm, folder).least_times(options.runs)
    head = f"Machine: {machine()}; LLVM {options.llvm}; the least of {options.runs} runs."
    text = f"{head}\n\n{table(times)}"
    print(text)
    if options.write:
        write(text)


if __name__ == "__main__":
    main()
