"""What the parts of the gate (scripts/checks.d) share."""

import argparse
import fnmatch
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SETTINGS = tomllib.loads((ROOT / "scripts/gate.toml").read_text(encoding="utf-8"))
INCLUDE = re.compile(rb'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
CXX = (".cpp", ".h", ".cu", ".cuh", ".c")


def tracked(*folders):
    """The files of the repository in these folders; all without any."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others",
                             "--exclude-standard", "--", *folders],
                            cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True).stdout
    return sorted(path for path in listed.split("\0") if path and (ROOT / path).is_file())


def matches(path, globs):
    """Whether one of the globs is the path; `*` passes over slashes too."""
    return any(fnmatch.fnmatchcase(path, glob) for glob in globs)


def lines_of(path):
    """The file's lines, or None where it is no text."""
    try:
        return (ROOT / path).read_text(encoding="utf-8").split("\n")
    except UnicodeDecodeError:
        return None


class Contents:
    """What stands in files and in all of ours that they include, as one hash for each."""

    def __init__(self):
        self.read = {}  # path: (hash, paths that are included)

    def own(self, path):
        if path not in self.read:
            text = (ROOT / path).read_bytes()
            names = {name.decode() for name in INCLUDE.findall(text)}
            self.read[path] = (hashlib.sha256(text).hexdigest(),
                               sorted(name for name in names if (ROOT / name).is_file()))
        return self.read[path]

    def hash(self, path):
        seen, waiting = {path}, [path]
        while waiting:
            new = set(self.own(waiting.pop())[1]) - seen
            seen |= new
            waiting += new
        lines = (f"{each} {self.own(each)[0]}" for each in sorted(seen))
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def install(*packages):
    """Installs what is missing, where packages are Debian's; elsewhere that is left to the user."""
    command = f". scripts/lib/packages && install_missing {' '.join(packages)}"
    if shutil.which("apt-get") and \
            subprocess.run(["bash", "-c", command], cwd=ROOT, check=False).returncode:
        cannot_run(f"it needs {', '.join(packages)}")


def require(tool, package):
    """The tool's path; its package is installed where it is missing."""
    if not shutil.which(tool):
        install(package)
    return shutil.which(tool) or cannot_run(f"{tool} is needed, of the package {package}")


def command_line(says):
    """The parser of a part's arguments; --help prints the head of its file."""
    return argparse.ArgumentParser(description=says,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)


def jobs():
    """How many programs may run at once: as CMAKE_BUILD_PARALLEL_LEVEL says, or one a processor."""
    return int(os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or len(os.sched_getaffinity(0)))


def cannot_run(why):
    print(f"{pathlib.Path(sys.argv[0]).name}: error: {why}", file=sys.stderr)
    sys.exit(2)


def verdict(problems, advice):
    """Prints the problems, then in one line how many and what to do; returns the exit code."""
    for problem in problems:
        print(problem)
    if problems:
        print(f"{pathlib.Path(sys.argv[0]).name}: {len(problems)} to fix: {advice}", flush=True)
    return 1 if problems else 0


# What the presets need beside what scripts/test installs: the runtime libraries are for coverage,
# sanitizers and fuzzers.
PACKAGES = {
    "default": [],
    "lint": ["clang-22"],
    "dev": ["clang-22", "libclang-rt-22-dev"],
    "asan": ["clang-22", "libclang-rt-22-dev"],
    "fuzz": ["clang-22", "libclang-rt-22-dev"],
}


def configured(preset):
    """The build folder of a preset, configured anew where files were added or settings changed."""
    install(*PACKAGES[preset])
    build = ROOT / ("build" if preset == "default" else f"build-{preset}")
    is_new = not (build / "build.ninja").is_file()
    configure = ["cmake", "--preset", preset] if is_new else ["ninja", "-C", build, "build.ninja"]
    done = subprocess.run(configure, cwd=ROOT, check=False, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode:
        print(done.stdout, file=sys.stderr)
        cannot_run(f"the preset {preset} cannot be configured")
    return build


def build_targets(build, targets):
    """Builds the targets; what ninja prints is shown where it fails."""
    done = subprocess.run(["ninja", "-C", build, "-j", str(jobs()), "-k", "0", *targets],
                          check=False, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode:
        print(done.stdout[-4000:])
        cannot_run(f"the build in {build.name} fails")


def unit_tests(build):
    """Name to program, of the unit tests that the build can make."""
    listed = subprocess.run(["ninja", "-C", build, "-t", "targets", "all"], check=True, text=True,
                            stdout=subprocess.PIPE).stdout
    paths = [line.split(":")[0] for line in listed.splitlines()
             if "CXX_EXECUTABLE_LINKER" in line]
    return {pathlib.Path(path).name: build / path for path in paths if path.endswith("Test")}
