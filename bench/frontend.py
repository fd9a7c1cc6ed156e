#!/usr/bin/env python3
"""Times `tensorleak check` against the compiler and clang-tidy on one file.

    bench/frontend.py [--build BUILD] [--runs N] [FILE] [-- FLAGS]

All are run in turn, N times over. `cold` starts with an empty cache and so includes making the
prelude; `warm` is a file that was edited since, `unchanged` one that was not. `no check of ours`
is clang-tidy with one of its own, and the plugin's row has ours beside it. bench/run puts this
into the table of docs/performance.md.
"""

import argparse
import os
import shutil
import tempfile

import timing

SMALL = os.path.join(timing.ROOT, "bench", "small.cpp")
COMPILER, TIDY = "clang++ -fsyntax-only", "clang-tidy, our checks"
OWN_CHECK, PLUGIN = "clang-tidy, one check", "clang-tidy, one check and ours"
NO_CACHE = "tensorleak check --no-cache"
COLD, WARM, UNCHANGED = (f"tensorleak check, {how}" for how in ("cold", "warm", "unchanged"))
OFTEN = 5  # what is short is run more often: more of it fits into the same noise


class Contest:
    """The commands that are compared, on a copy of a file."""

    def __init__(self, build, version, folder, file=SMALL, flags=timing.FLAGS):
        self.source = os.path.join(folder, os.path.basename(file))
        shutil.copy(file, self.source)
        self.cache = os.path.join(folder, "cache")
        self.env = dict(os.environ, TENSORLEAK_CACHE_DIR=self.cache)
        check = [timing.tool(build), "check", self.source, "-q"]
        tidy = [f"clang-tidy-{version}", self.source, "--quiet"]
        load = f"--load={os.path.join(build, 'lib', 'libtensorleak-tidy.so')}"
        one = "--checks=-*,bugprone-use-after-move"
        self.commands = {
            COMPILER: [f"clang++-{version}", "-fsyntax-only", *flags, self.source],
            TIDY: [*tidy, load, "--checks=-*,tensor-*", "--", *flags],
            OWN_CHECK: [*tidy, one, "--", *flags],
            PLUGIN: [*tidy, load, one + ",tensor-*", "--", *flags],
            NO_CACHE: [*check, "--no-cache", "--", *flags],
            COLD: [*check, "--", *flags],
            WARM: [*check, "--", *flags],
            UNCHANGED: [*check, "--", *flags],
        }

    def once(self, name):
        if name == COLD:
            shutil.rmtree(self.cache, ignore_errors=True)
        if name == WARM:
            with open(self.source, "a") as source:
                source.write("// edited\n")
        return timing.user_seconds(self.commands[name], self.env)

    def time(self, name):
        """The least of a few, for what is short."""
        return min(self.once(name) for _ in range(OFTEN if name in (WARM, UNCHANGED) else 1))

    def rounds(self, runs, names=None):
        out = timing.Rounds()
        for _ in range(runs):
            for name in names or self.commands:
                out.add(name, self.time(name))
        return out


def table(rounds):
    """The medians as Markdown, with their ratios to the compiler and to clang-tidy."""
    lines = ["| command | user CPU s | of the compiler | of clang-tidy |", "|---|---|---|---|"]
    for name in rounds.times:
        ratios = f"{rounds.ratio(name, COMPILER):.3f} | {rounds.ratio(name, TIDY):.4f}"
        lines.append(f"| `{name}` | {rounds.median(name):.2f} | {ratios} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default=os.path.join(timing.ROOT, "build"))
    parser.add_argument("--llvm", default="22", help="the version that the build is made with")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("file", nargs="?", default=SMALL)
    parser.add_argument("flags", nargs="*", default=timing.FLAGS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        contest = Contest(options.build, options.llvm, folder, options.file, options.flags)
        rounds = contest.rounds(options.runs)
    print(f"Machine: {timing.machine()}; LLVM {options.llvm}; medians of {options.runs} rounds.\n")
    print(table(rounds))


if __name__ == "__main__":
    main()
