#!/usr/bin/env python3
"""Times `tensorleak check` on a project, against the compiler and run-clang-tidy.

    bench/project.py [--build BUILD]... [--sources N] [--targets N] [--sample N] [--write]

The project is made for it: LibTorch sources of several targets, each with -I and -D lists of its
own, headers and templates of the project's, and more or less of the standard library. It is
checked with an empty cache, unchanged, after an edit of a header that every third source of a
target reads, and after an edit of a body that tells other files nothing new. The compiler and
run-clang-tidy read every N/sample-th source, in the same run: what counts are the ratios, of user
CPU time per source.
Several builds are measured one after the other, and must say the same.
--write puts the table into docs/benchmarks.md.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import frontend

BEGIN = "<!-- bench/project.py -->"
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
                 "-std=c++17", "-isystem", frontend.TORCH]
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
    return sum(frontend.user_seconds(
        [f"clang++-{version}", *arguments[file], "-fsyntax-only"], os.environ) for file in files)


def tidy_seconds(project, version, files):
    return frontend.user_seconds(
        [f"run-clang-tidy-{version}", "-quiet", "-p", str(project.folder),
         "-checks=-*,bugprone-use-after-move", *files], os.environ)


def check_rows(project, build, env):
    """The rows of one build."""
    check = [os.path.join(build, "bin", "tensorleak"), "check", "-p", str(project.folder), "-q"]
    rows = {}
    for name, before in (("cold", None), ("nothing changed", None),
                         ("one header changed", project.edit_header),
                         ("one body changed", project.edit_body)):
        if before:
            before()
        seconds = frontend.user_seconds(check, env)
        rows[f"`tensorleak check`, {name}"] = seconds / len(project.files())
    return rows, subprocess.run(check, env=env, capture_output=True, text=True).stdout


def table(project, builds, version, sample):
    files = sample_of(project, sample)
    rows = {
        f"`clang++-{version} -fsyntax-only`":
            compiler_seconds(project, version, files) / len(files),
        f"`run-clang-tidy-{version}`, one check":
            tidy_seconds(project, version, files) / len(files),
    }
    said = set()
    for number, build in enumerate(builds):
        cache = project.folder / "cache"
        shutil.rmtree(cache, ignore_errors=True)
        of_build, text = check_rows(project, build, dict(os.environ, TENSORLEAK_CACHE_DIR=cache))
        suffix = f" (build {number + 1})" if len(builds) > 1 else ""
        rows.update({name + suffix: seconds for name, seconds in of_build.items()})
        said.add(text)
    if len(said) > 1:
        sys.exit("bench: the builds say different things")
    return formatted(rows)


def formatted(rows):
    compiler, tidy, *_ = rows.values()
    lines = ["| command | user CPU ms per source | of the compiler | of clang-tidy |",
             "|---|---|---|---|"]
    for name, seconds in rows.items():
        lines.append(f"| {name} | {seconds * 1000:.1f} | {seconds / compiler:.4f} "
                     f"| {seconds / tidy:.4f} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", action="append", help="a build's folder, by default build")
    parser.add_argument("--llvm", default="22", help="the version that the build is made with")
    parser.add_argument("--sources", type=int, default=60)
    parser.add_argument("--targets", type=int, default=10)
    parser.add_argument("--sample", type=int, default=4)
    parser.add_argument("--write", action="store_true", help="update docs/benchmarks.md")
    options = parser.parse_args()
    builds = options.build or [os.path.join(frontend.ROOT, "build")]
    with tempfile.TemporaryDirectory() as folder:
        project = Project(folder, options.sources, options.targets)
        text = table(project, builds, options.llvm, options.sample)
        head = (f"Machine: {frontend.machine()}; LLVM {options.llvm}; {len(project.files())} "
                f"sources of {options.targets} targets, {options.sample} of them read by the "
                f"compiler and clang-tidy.")
    print(f"{head}\n\n{text}")
    if options.write:
        frontend.write(f"{head}\n\n{text}", BEGIN)


if __name__ == "__main__":
    sys.exit(main())
