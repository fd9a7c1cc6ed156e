#!/usr/bin/env python3
"""Measures recall and false alarms on repositories with known bugs and clean files.

    bench/corpus.py --corpus dev.json --repos DIR [--tool build/bin/tensorleak] [--only REGEX]

The corpus file lists bugs (repo, path, commit before and after the fix, lines), live
findings and clean files. DIR holds git directories, OWNER+NAME/repo or OWNER+NAME. A source is
checked by itself, and with the entry's extra_paths. A header is checked as its users would: the
sources that include it and those beside them, in one `check`. Sources of CUDA need no toolkit.
corpus-flags.json, beside this script, holds the flags that the build of a repository passes and
that cannot be seen from its sources.
Nothing is fetched; what is not in DIR is left out and counted. Sources are unpacked
into a temporary folder, never into the repository.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

TEMPLATE = re.compile(r"(.+\.(?:h|hpp|hh|cuh))\.(?:in|cmake|cmake\.in)$")
SOURCE = re.compile(r"\.(cpp|cc|cxx|c|h|hpp|hh|cuh|cu|inl|ipp)$")
SYSTEM = pathlib.Path("/usr/include")
SOURCES = {".cpp", ".cc", ".cxx", ".c", ".cu"}
FLAGS = pathlib.Path(__file__).with_name("corpus-flags.json")
NEAR = 3  # a finding this many lines from the expected one is the same finding


def git(repo, *args):
    command = ["git", f"--git-dir={repo}", *args]
    return subprocess.run(command, capture_output=True, check=True).stdout


class Checkouts:
    """Source files of a repository at a commit, unpacked once."""

    def __init__(self, repos, root):
        self.repos, self.root, self.done = pathlib.Path(repos), pathlib.Path(root), {}

    def git_dir(self, name):
        base = self.repos / name.replace("/", "+")
        return next((d for d in (base / "repo", base) if (d / "HEAD").exists()), None)

    def get(self, name, commit):
        key = (name, commit)
        if key not in self.done:
            repo = self.git_dir(name)
            self.done[key] = self.unpack(repo, commit, name) if repo else None
        return self.done[key]

    def unpack(self, repo, commit, name):
        out = self.root / name.replace("/", "+") / commit[:12]
        for line in git(repo, "ls-tree", "-r", commit).decode(errors="replace").splitlines():
            meta, path = line.split("\t", 1)
            template = TEMPLATE.match(path)
            if not (SOURCE.search(path) or template) or meta.split()[1] != "blob":
                continue
            target = out / (template[1] if template else path)
            target.parent.mkdir(parents=True, exist_ok=True)
            content = git(repo, "cat-file", "blob", meta.split()[2])
            target.write_bytes(configured(content) if template else content)
        (out / ".git").mkdir(parents=True, exist_ok=True)  # what marks a project's folder
        return out


def configured(template):
    """The header that CMake makes of a template when every option is off."""
    text = re.sub(rb"(#\s*define\s+\w+\s+)(@\w+@|\$\{\w+\})", rb"\g<1>0", template)
    text = re.sub(rb"@\w+@|\$\{\w+\}", b"", text)
    return re.sub(rb"(?m)^\s*#\s*cmakedefine(01)?\s+(\w+).*$",
                  lambda m: b"#define " + m[2] + b" 0" if m[1] else b"", text)


def include_dirs(root):
    """The folders that hold headers, and those above them; a folder that would hide a
    header of the system (a unistd.h for Windows) is not one that a build searches."""
    headers = [p for p in root.rglob("*") if p.suffix in (".h", ".hpp", ".cuh", ".hh")]
    dirs = {h.parent for h in headers} | {h.parent.parent for h in headers}
    hiding = {h.parent for h in headers if (SYSTEM / h.name).exists()}
    return sorted(str(d) for d in dirs - hiding)


def users(root, path):
    """The sources that include the header, and those in the same folders, which hold
    the bodies of what it declares. The header itself where nothing includes it."""
    name = re.escape(path.name).encode()
    include = re.compile(rb'#\s*include\s+["<]([^">]*/)?' + name + rb'[">]')
    direct = [p for p in root.rglob("*") if p.suffix in SOURCES and include.search(p.read_bytes())]
    folders = {p.parent for p in direct}
    beside = {p for d in folders for p in d.iterdir() if p.suffix in SOURCES - {".c"}}
    return sorted(beside | set(direct)) or [root / path]


def sources_of(root, entry):
    path = pathlib.Path(entry["path"])
    if path.suffix not in SOURCES:
        return users(root, path)
    extra = [root / p for p in entry.get("extra_paths", []) if pathlib.Path(p).suffix in SOURCES]
    return [root / path] + [p for p in extra if p.exists()]


def build_flags(entry):
    """What the build of the repository passes, from corpus-flags.json."""
    return [flag for row in json.loads(FLAGS.read_text())
            if row["repo"] == entry["repo"] and row["path"] == entry["path"]
            for flag in row["flags"]]


def torch_flags(arguments):
    api = pathlib.Path(arguments.torch) / "torch/csrc/api/include"
    # A compiler's own directory given once more would hide its other headers.
    own = [] if arguments.torch == "/usr/include" else [f"-isystem{arguments.torch}"]
    return ["-std=c++17", *own, f"-isystem{api}", *arguments.flag]


def lines_in(path, result, root):
    """The lines of the file where the finding or one of its notes stands; the finding's
    own line first, None where that is in another file."""
    def line(location):
        place = location["physicalLocation"]
        artifact = place["artifactLocation"]
        file = ((root if "uriBaseId" in artifact else "") + artifact["uri"]).removeprefix("file://")
        return place["region"]["startLine"] if pathlib.Path(file) == path else None
    notes = [line(n) for n in result.get("relatedLocations", [])]
    return [line(result["locations"][0])] + [n for n in notes if n is not None]


def check(arguments, root, entry):
    flags = torch_flags(arguments) + build_flags(entry)
    flags += [f"-I{d}" for d in include_dirs(root)] + ["-w"]
    sources = [str(s) for s in sources_of(root, entry)]
    run = subprocess.run([arguments.tool, "check", *sources, "--level", "note", "--format",
                          "sarif", "--", *flags], capture_output=True, text=True)
    try:
        log = json.loads(run.stdout)
    except json.JSONDecodeError:
        return None, run.stderr.strip()[-200:]
    results = []
    top = log["runs"][0]["originalUriBaseIds"]["%SRCROOT%"]["uri"]
    for r in log["runs"][0]["results"]:
        lines = lines_in(root / entry["path"], r, top)
        if any(lines):
            results.append((lines, r["level"], r["ruleId"], r["message"]["text"]))
    return results, "incomplete: " + run.stderr.strip()[:150] if run.returncode == 3 else ""


def hits(results, lines):
    return [r for r in results
            if any(at and abs(at - line) <= NEAR for at in r[0] for line in lines)]


def in_file(results):
    """Without the findings of other files that only mention this one in a note."""
    return [r for r in results if r[0][0] is not None]


class Table:
    def __init__(self):
        self.counts = collections.Counter()

    def row(self, what, good, entry, path, results, problem):
        self.counts[what, "all"] += 1
        self.counts[what, "good"] += good
        mark = "ok  " if good else "MISS" if what in ("before", "live") else "FALSE"
        print(f"{mark} {what:6} {entry} {path} {problem}")
        for lines, level, rule, text in results or []:
            where = lines[0] or f"(note at {lines[1]})"
            print(f"         {where}: {level}: {text[:110]} [{rule}]")

    def summary(self):
        for what in ("before", "after", "live", "clean"):
            print(f"{what:6}: {self.counts[what, 'good']} of {self.counts[what, 'all']}")
        print(f"left out: {self.counts['left out']}")


def measure(arguments, corpus, checkouts, table):
    def run(entry, commit, what, judge):
        label = entry.get("id", entry["repo"])
        if arguments.only and not re.search(arguments.only, label + " " + entry["path"]):
            return
        root = checkouts.get(entry["repo"], commit)
        if root is None or not (root / entry["path"]).exists():
            table.counts["left out"] += 1
            return
        results, problem = check(arguments, root, entry)
        good = results is not None and judge(results)
        table.row(what, good, label, entry["path"], results, problem)

    for e in corpus["bugs"]:
        run(e, e["before_commit"], "before", lambda r: bool(hits(r, e["lines_before"])))
        run(e, e["after_commit"], "after", lambda r: not [x for x in hits(r, e["lines_before"])
                                                         if x[1] == "warning"])
    for e in corpus["live"]:
        run(e, e["commit"], "live", lambda r: bool(hits(r, e["lines"])))
    for e in corpus["clean"]:
        run(e, e["commit"], "clean", lambda r: not [x for x in in_file(r) if x[1] == "warning"])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--repos", required=True)
    parser.add_argument("--tool", default="build/bin/tensorleak")
    parser.add_argument("--torch", default="/usr/include",
                        help="the folder that holds torch/ and ATen/")
    parser.add_argument("--flag", action="append", default=[],
                        help="one more compiler flag, such as --flag=-isystem/usr/include/eigen3")
    parser.add_argument("--only", help="a regular expression on id, repository and path")
    arguments = parser.parse_args()
    corpus = json.loads(pathlib.Path(arguments.corpus).read_text())
    table = Table()
    with tempfile.TemporaryDirectory() as root:
        measure(arguments, corpus, Checkouts(arguments.repos, root), table)
    table.summary()
    return 0


if __name__ == "__main__":
    sys.exit(main())
