"""What the parts of the gate (scripts/checks.d) share."""

import fnmatch
import pathlib
import shutil
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SETTINGS = tomllib.loads((ROOT / "scripts/gate.toml").read_text(encoding="utf-8"))
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


def configured(preset, *packages):
    """The build folder of a preset, configured if it is not yet."""
    install(*packages)
    build = ROOT / ("build" if preset == "default" else f"build-{preset}")
    if not (build / "build.ninja").is_file():
        done = subprocess.run(["cmake", "--preset", preset], cwd=ROOT, check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            print(done.stdout, file=sys.stderr)
            cannot_run(f"the preset {preset} cannot be configured")
    return build


def build_targets(build, targets):
    """Builds the targets; what ninja prints is shown where it fails."""
    done = subprocess.run(["ninja", "-C", build, "-k", "0", *targets], check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
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
