#!/usr/bin/env python3
"""Checks sources of public repositories as they are: no crash, no hang, no text that is not meant.

    bench/sources.py --repos MIRROR --tool build/bin/tensorleak --out sources.jsonl

MIRROR has a folder for each repository, which is a bare clone or has one in it. Of each, some
sources are written out with the headers of the repository, and checked with these folders on the
include path and no other flag of their build. A line of the file OUT is one source: how the tool
ended, what it printed, and its seconds of CPU. The summary is printed.
"""

import argparse
import collections
import json
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

SOURCES = (".c", ".cc", ".cpp", ".cxx", ".cu")
HEADERS = (".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl", ".inc")
LARGEST = 400_000  # bytes of one file: more is data
MOST_HEADERS = 4_000  # of a repository: more take longer to write out than to check
TORCH = "/usr/include/torch/csrc/api/include"


def bare_clone(folder):
    inner = [folder, *(f for f in folder.iterdir() if f.is_dir())]
    return next((f for f in inner if (f / "HEAD").exists()), None)


def files_of(clone):
    """The text files of its newest commit, as name and object."""
    listed = subprocess.run(["git", "--git-dir", clone, "ls-tree", "-r", "-l", "-z", "HEAD"],
                            stdout=subprocess.PIPE, check=False).stdout
    for row in listed.decode("utf-8", "replace").split("\0"):
        head, _, name = row.partition("\t")
        fields = head.split()
        if len(fields) == 4 and fields[0] != "120000" and fields[3].isdigit() \
                and int(fields[3]) <= LARGEST:
            yield name, fields[2]


def write_out(clone, files, folder):
    with subprocess.Popen(["git", "--git-dir", clone, "cat-file", "--batch"],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as git:
        for name, blob in files:
            git.stdin.write(blob.encode() + b"\n")
            git.stdin.flush()
            head = git.stdout.readline().split()
            if len(head) != 3:
                continue  # the mirror lacks it
            text = git.stdout.read(int(head[2]))
            git.stdout.read(1)
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
        git.stdin.close()


def check(tool, source, folder, limit):
    standard = [] if source.suffix == ".c" else ["-std=c++17"]
    folders = [folder / name for name in ("include", "src", ".")]
    includes = [f"-I{each}" for each in folders if each.is_dir()]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(
            [tool, "check", "-q", "--level", "note", source, "--", *standard, *includes, "-isystem",
             TORCH], cwd=folder, capture_output=True, timeout=limit, check=False)
        ended = {"exit": done.returncode, "out": done.stdout.decode("utf-8", "replace"),
                 "err": done.stderr.decode("utf-8", "replace")}
    except subprocess.TimeoutExpired:
        ended = {"exit": "timeout", "out": "", "err": ""}
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended["cpu"] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return ended


def check_some(repository, options, draw, report):
    clone = bare_clone(repository)
    if not clone:
        return
    files = list(files_of(clone))
    sources = [f for f in files if f[0].endswith(SOURCES)]
    headers = [f for f in files if f[0].endswith(HEADERS)]
    if not sources or len(headers) > MOST_HEADERS:
        return
    picked = draw.sample(sources, min(len(sources), options.each))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_out(clone, headers + picked, folder)
        (folder / ".git").mkdir(exist_ok=True)  # the root of the project
        for source, _ in picked:
            if (folder / source).exists():
                report({"repository": repository.name, "source": source,
                        **check(options.tool, folder / source, folder, options.limit)})


def summary(rows):
    ends = collections.Counter(str(row["exit"]) for row in rows)
    seconds = sorted(row["cpu"] for row in rows)
    shares = ", ".join(f"{share}% {seconds[int(len(seconds) * share / 100)]:.2f} s"
                       for share in (50, 90, 95, 99))
    repositories = len({row["repository"] for row in rows})
    return (f"{len(rows)} sources of {repositories} repositories; exit codes {dict(ends)}; "
            f"CPU up to {shares}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repos", type=pathlib.Path, required=True)
    parser.add_argument("--tool", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=3000, help="of sources, at most")
    parser.add_argument("--each", type=int, default=12, help="of one repository, at most")
    parser.add_argument("--limit", type=int, default=300, help="seconds for one source")
    parser.add_argument("--seed", type=int, default=1, help="which ones are drawn")
    options = parser.parse_args()
    options.tool = options.tool.resolve()
    draw = random.Random(options.seed)
    folders = sorted(f for f in options.repos.iterdir() if f.is_dir())
    draw.shuffle(folders)
    rows = []
    with options.out.open("w", encoding="utf-8") as out:
        def report(row):
            rows.append(row)
            print(json.dumps(row), file=out, flush=True)
        for repository in folders:
            if len(rows) >= options.count:
                break
            check_some(repository, options, draw, report)
    if not rows:
        sys.exit(f"no sources in {options.repos}")
    print(summary(rows))


if __name__ == "__main__":
    main()
