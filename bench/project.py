#!/usr/bin/env python3
"""Times `tensorleak check` on a project, against the compiler and run-clang-tidy.

    bench/project.py [--build BUILD] [--sources N] [--targets N] [--sample N]

The project is made for it: LibTorch sources of several targets, each with -I and -D lists of its
own, headers and templates of the project's, and more or less of the standard library. It is
checked with an empty cache, unchanged, after an edit of a header that two sources read, and after
an edit of a body that tells other files nothing new. The compiler and run-clang-tidy read every
N/sample-th source, in the same run: what counts are the ratios, of user CPU time per source. How
many sources were analysed again is seen in the cache, which gets a new entry for each. bench/run
puts this into the table of docs/performance.md.
"""

import argparse
import json
import os
import pathlib
import shutil
import sys
import tempfile

import timing

STANDARD = ["algorithm", "map", "memory", "string", "vector", "fstream", "regex", "thread",
            "unordered_map", "random"]

HEADER = """#pragma once
#include <torch/torch.h>
namespace target{target} {{
template <typename T> struct Window{number} {{
  std::vector<T> Items;
  void add(T Item) {{
    if (Items.size() > {number}u + SIZE_{target})
      Items.erase(Items.begin());
    Items.push_back(std::move(Item));
  }}
}};
torch::Tensor step{number}(torch::nn::Linear Net, torch::Tensor Input);
}}
"""

SOURCE = """{includes}
#include "parts/part{number}.h"
#include "parts/part{next}.h"
namespace target{target} {{
torch::Tensor step{number}(torch::nn::Linear Net, torch::Tensor Input) {{
  torch::Tensor Output = Net->forward(Input); // body
  return torch::relu(Output).mean();
}}
double train{number}(torch::nn::Linear Net, int Steps) {{
  torch::optim::SGD Optimizer(Net->parameters(), 0.1);
  Window{number}<torch::Tensor> Recent;
  std::vector<torch::Tensor> Losses;
  for (int I = 0; I < Steps; ++I) {{
    Optimizer.zero_grad();
    torch::Tensor Loss = step{next}(Net, torch::ones({{8, 8}}));
    Loss.backward();
    Optimizer.step();
    Recent.add(Loss.detach());
    Losses.push_back(Loss);
  }}
  return Losses.back().item<double>();
}}
}}
"""


class Project:
    """The sources, headers and compile commands in a folder."""

    def __init__(self, folder, sources, targets):
        self.folder = pathlib.Path(folder)
        self.targets = targets
        self.commands = []
        per_target = max(1, sources // targets)
        for target in range(targets):
            for number in range(per_target):
                self.add(target, number, (number + 1) % per_target)
        (self.folder / "compile_commands.json").write_text(json.dumps(self.commands, indent=1))
        (self.folder / ".git").mkdir()

    def add(self, target, number, next_number):
        base = self.folder / f"target{target}"
        header = base / "include" / "parts" / f"part{number}.h"
        header.parent.mkdir(parents=True, exist_ok=True)
        header.write_text(HEADER.format(target=target, number=number))
        chosen = [STANDARD[(target + number + i) % len(STANDARD)] for i in range(5)]
        includes = "\n".join(f"#include <{name}>" for name in chosen)
        source = base / f"source{number}.cpp"
        source.write_text(SOURCE.format(includes=includes, target=target, number=number,
                                        next=next_number))
        flags = [f"-I{base}/include", f"-DTARGET_{target}", f"-DSIZE_{target}={target}",
                 "-std=c++17", "-isystem", timing.TORCH]
        self.commands.append({"directory": str(self.folder), "file": str(source),
                              "arguments": ["clang++", *flags, "-c", str(source)]})

    def files(self):
        return [command["file"] for command in self.commands]

    def edit_header(self):
        with open(self.folder / "target0" / "include" / "parts" / "part0.h", "a") as header:
            header.write("// edited\n")

    def edit_body(self):
        source = self.folder / "target0" / "source0.cpp"
        source.write_text(source.read_text().replace("// body", "// body again"))


def sample_of(project, count):
    files = project.files()
    return files[:: max(1, len(files) // count)][:count]


def compiler_seconds(project, version, files):
    arguments = {c["file"]: c["arguments"][1:] for c in project.commands}
    return sum(timing.user_seconds(
        [f"clang++-{version}", *arguments[file], "-fsyntax-only"], os.environ) for file in files)


def tidy_seconds(project, version, files):
    return timing.user_seconds(
        [f"run-clang-tidy-{version}", "-quiet", "-p", str(project.folder),
         "-checks=-*,bugprone-use-after-move", *files], os.environ)


class Checks:
    """Checks of a project, one after the other, with a cache of their own."""

    def __init__(self, project, build):
        self.cache = project.folder / "cache"
        self.env = dict(os.environ, TENSORLEAK_CACHE_DIR=str(self.cache))
        self.command = [timing.tool(build), "check", "-p", str(project.folder), "-q"]
        self.sources = len(project.files())

    def entries(self):
        """Each result that is kept gets a file of its own."""
        return {path.name: path.stat().st_ino for path in self.cache.glob("*.result")}

    def hold_inodes(self):
        """The files of now keep their numbers from others until the next call."""
        held = self.cache.parent / "held"
        shutil.rmtree(held, ignore_errors=True)
        held.mkdir()
        for path in self.cache.glob("*.result"):
            os.link(path, held / path.name)

    def once(self):
        """Seconds for each source, and how many sources were analysed."""
        self.hold_inodes()
        before = self.entries()
        seconds = timing.user_seconds(self.command, self.env)
        new = sum(before.get(name) != inode for name, inode in self.entries().items())
        return seconds / self.sources, new


class Figures:
    """What the project takes, in seconds of each source, and what was analysed again."""

    def __init__(self, project, build, version, sample):
        files = sample_of(project, sample)
        self.compiler = compiler_seconds(project, version, files) / len(files)
        self.tidy = tidy_seconds(project, version, files) / len(files)
        checks = Checks(project, build)
        self.cold, self.all = checks.once()
        self.unchanged, self.after_nothing = checks.once()
        project.edit_header()
        self.header, self.after_header = checks.once()
        project.edit_body()
        self.body, self.after_body = checks.once()

    def table(self):
        rows = {"clang++ -fsyntax-only": (self.compiler, ""),
                "run-clang-tidy, one check": (self.tidy, ""),
                "tensorleak check, cold": (self.cold, self.all),
                "tensorleak check, nothing changed": (self.unchanged, self.after_nothing),
                "tensorleak check, one header changed": (self.header, self.after_header),
                "tensorleak check, one body changed": (self.body, self.after_body)}
        lines = ["| command | user CPU ms per source | of the compiler | of clang-tidy "
                 "| analysed |", "|---|---|---|---|---|"]
        for name, (seconds, analysed) in rows.items():
            lines.append(f"| `{name}` | {seconds * 1000:.1f} | {seconds / self.compiler:.4f} "
                         f"| {seconds / self.tidy:.4f} | {analysed} |")
        return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", default=os.path.join(timing.ROOT, "build"))
    parser.add_argument("--llvm", default="22", help="the version that the build is made with")
    parser.add_argument("--sources", type=int, default=60)
    parser.add_argument("--targets", type=int, default=10)
    parser.add_argument("--sample", type=int, default=4)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        project = Project(folder, options.sources, options.targets)
        figures = Figures(project, options.build, options.llvm, options.sample)
    print(f"Machine: {timing.machine()}; LLVM {options.llvm}; {len(project.files())} sources of "
          f"{options.targets} targets, {options.sample} of them read by the compiler and "
          f"clang-tidy.\n\n{figures.table()}")


if __name__ == "__main__":
    sys.exit(main())
