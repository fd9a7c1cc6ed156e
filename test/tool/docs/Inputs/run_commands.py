#!/usr/bin/env python3
"""Executes what pages show in `sh` blocks, in a project that has all that they name.

    run_commands.py PROJECT TENSORLEAK CLANG_TIDY FLAGS PAGE...

Each page starts with a project of its own, a copy of the folder PROJECT. FLAGS are those of its
sources, also where a page has `-I...`. A command of tensorleak has to end with 0, or with 1 where
it reports findings. What cannot be executed here stands in ELSEWHERE, with the test that does.
"""

import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[4]
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.M | re.S)
PID = "4711"

INSTALL = "scripts/checks.d/install"
# A command of a page or how it begins, the file that executes it, and how it stands there.
ELSEWHERE = [
    ("scripts/test", ".ci/run", "scripts/test"),
    ("scripts/demo", INSTALL, '"scripts/demo"'),
    # The same two, with another LibTorch.
    ("TORCH_ROOT=$HOME/libtorch scripts/test", ".ci/run", "scripts/test"),
    ("TORCH_ROOT=$HOME/libtorch scripts/demo", INSTALL, '"scripts/demo"'),
    ("cmake --preset default", INSTALL, '"cmake --preset default"'),
    ("cmake --build build", INSTALL, '"cmake --build build"'),
    ("cmake --preset verifier", INSTALL, '"cmake --preset verifier"'),
    ("cmake --build build-verifier", INSTALL, '"cmake --build build-verifier"'),
    ("cmake --install build --prefix /usr/local", INSTALL, '"cmake --install build --prefix '),
    ("cd build && cpack -G DEB", INSTALL, '"cd build && cpack -G DEB"'),
    ("cd build && cpack -G TGZ", INSTALL, '"cd build && cpack -G TGZ"'),
    ("apt-get install ./tensorleak_*.deb", INSTALL, "tensorleak_*.deb"),
    ("apt-get install g++ cmake", "scripts/test", "install_missing $(packages_to_build"),
    # Without Bazel: what it would run.
    ("bazel build", "test/tool/ci/bazel.test", "ci/bazel/tensorleak.bzl"),
]


def commands_of(page):
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        for line in block.replace("\\\n", " ").splitlines():
            if words := shlex.split(line, comments=True, posix=False):
                yield " ".join(words)


def executed_elsewhere(command):
    """The problem with what ELSEWHERE says of the command, "" without one; None if it is not
    there."""
    for begins, file, how in ELSEWHERE:
        if command == begins or command.startswith(begins + " "):
            there = ROOT / file
            found = there.is_file() and how in there.read_text(encoding="utf-8")
            return "" if found else f"{file} does not execute '{how}'"
    return None


class Project:
    """The copy in which a page's commands are executed, with a server that runs meanwhile."""

    def __init__(self, source, folder, tools, flags):
        self.folder = pathlib.Path(shutil.copytree(source, pathlib.Path(folder) / "project"))
        commands = self.folder / "build/compile_commands.json"
        commands.write_text(commands.read_text().replace("DIR", str(self.folder))
                            .replace("FLAGS", flags))
        self.replaced = [("-I...", flags), ("--for 5m", "--for 1s")] + tools
        self.environment = dict(os.environ, RANK="0", WORLD_SIZE="1")

    def run(self, command):
        for shown, real in self.replaced:
            command = command.replace(shown, real)
        server = subprocess.Popen([self.folder / "build/train", "serve"]) \
            if PID in command else None
        try:
            command = re.sub(rf"\b{PID}\b", str(server.pid) if server else PID, command)
            return subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment,
                                  text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  check=False, timeout=120)
        finally:
            if server:
                server.send_signal(signal.SIGKILL)
                server.wait()


def problems_of(page, project):
    for command in commands_of(page):
        problem = executed_elsewhere(command)
        if problem is not None:
            if problem:
                yield f"{command}: {problem}"
            continue
        done = project.run(command)
        print(f"{done.returncode}: {command}", flush=True)
        if done.returncode not in (0, 1):
            yield f"{command}: it ends with {done.returncode}\n{done.stdout}"


def main():
    source, tensorleak, clang_tidy, flags, *pages = sys.argv[1:]
    tools = [("build/lib/libtensorleak-tidy.so",
              str(pathlib.Path(tensorleak).parent.parent / "lib/libtensorleak-tidy.so")),
             ("clang-tidy-22", clang_tidy.split()[0]), ("tensorleak ", tensorleak + " ")]
    problems = []
    for page in map(pathlib.Path, pages):
        with tempfile.TemporaryDirectory() as folder:
            project = Project(source, folder, tools, flags)
            problems += [f"{page.name}: {problem}" for problem in problems_of(page, project)]
    print("\n".join(problems) or "all of it can be done as it is shown")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
