"""The repositories that bugs are seeded in: unpacked, with the flags that each needs."""

import fnmatch
import hashlib
import json
import pathlib
import re
import subprocess
import sys
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from corpus import SOURCE as CODE, git, include_dirs  # noqa: E402

SOURCES = (".cpp", ".cc", ".cxx", ".cu")
USES = {"libtorch": re.compile(rb'#\s*include\s*[<"](torch|ATen|c10)/|\btorch::'),
        "cuda": re.compile(rb"\bcuda[A-Z]\w+\s*\(|<<<")}


@dataclass
class Source:
    repository: str
    kind: str
    path: pathlib.Path
    name: str  # inside the repository
    flags: list  # alternatives, in the order to try them


def git_dir(repos, name):
    base = repos / name.replace("/", "+")
    return next((d for d in (base / "repo", base / "repo/.git", base) if (d / "HEAD").exists()),
                None)


def is_wanted(name, row):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in row.get("paths", ["*"]))


def unpack(repos, row, into):
    """The folder with the repository's files; None where it was not fetched."""
    repo, out = git_dir(repos, row["name"]), into / row["name"].replace("/", "+")
    if repo is None or out.exists():
        return out if repo else None
    out.mkdir(parents=True)
    # Large files of other kinds may be missing in what was fetched.
    names = git(repo, "ls-tree", "-r", "--name-only", "-z", row["commit"]).decode().split("\0")
    names = [name for name in names if CODE.search(name) and is_wanted(name, row)]
    archive = git(repo, "archive", row["commit"], "--", *names)
    subprocess.run(["tar", "-x", "-C", str(out)], input=archive, check=True)
    (out / ".git").mkdir(exist_ok=True)  # what marks a project's folder
    return out


def rank(text):
    """An order that depends on the name alone."""
    return hashlib.sha256(text.encode()).hexdigest()


def flags_of(row, root, path):
    """What to parse with: first without the repository's folders, since all of LibTorch's
    sources then start from the same prelude, and with them where that is not enough: with those
    beside the source, and, unless the repository holds many programs, with all."""
    own = [flag.replace("ROOT", str(root)) for flag in row.get("flags", [])]
    torch = ["-isystem/usr/include/torch/csrc/api/include"] if row["kind"] == "libtorch" else []
    few = ["-std=c++17", *torch, *own, "-w"]
    roots = [path.parent] if row.get("many programs") else [path.parent, root]
    out = [few]
    for folders in map(include_dirs, roots):
        flags = few + [f"-I{folder}" for folder in folders]
        out += [flags] if flags not in out else []
    return out


def sources_of(row, root, most):
    found = [p for p in sorted(root.rglob("*")) if p.suffix in SOURCES and p.is_file() and
             ".seeded" not in p.name and USES[row["kind"]].search(p.read_bytes())]
    found.sort(key=lambda p: rank(str(p.relative_to(root))))
    return [Source(row["name"], row["kind"], p, str(p.relative_to(root)), flags_of(row, root, p))
            for p in found[:most]]


def all_sources(options):
    """The sources of all repositories that were fetched, and the names of those that were not."""
    rows = json.loads(options.repositories.read_text(encoding="utf-8"))
    out, absent = [], []
    for row in rows:
        if options.only not in row["name"] or options.kind not in row["kind"]:
            continue
        root = unpack(options.repos, row, options.into)
        if root is None:
            absent.append(row["name"])
        else:
            out += sources_of(row, root, options.files)
    return out, absent
