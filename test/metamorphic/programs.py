"""The programs that the metamorphic tests rewrite: the rule tests, and cases like them.

Each expected finding gets a number in its comment, "@@7", which no rewriting changes: wherever
the statement goes, its number goes along.
"""

import hashlib
import json
import pathlib
import re
import subprocess
import sys
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from check_tensor import EXPECTATION  # noqa: E402

CASE = re.compile(r"// EXPECT (?P<what>warning|note)(?P<or> or note)?:? (?P<rule>tensor-[\w-]+)")
NUMBER = re.compile(r"@@(\d+)")


@dataclass(frozen=True)
class Expected:
    number: int
    line: int  # in the unchanged file
    rule: str
    warns: bool
    text: str


@dataclass
class Program:
    path: pathlib.Path
    name: str  # folder/file
    rule: str  # "" for all rules
    flags: list
    tool_flags: list
    expected: list = field(default_factory=list)
    numbered: str = ""
    hears_all: bool = True  # every warning that is not expected is false

    def suffix(self):
        return self.path.suffix

    def is_picked(self, what, share):
        """Whether this share of all pairs of program and rewriting has this one."""
        digest = hashlib.sha256(f"{self.name} {what}".encode()).digest()
        return int.from_bytes(digest[:4], "big") < share * 2**32


def expectations_of(line, rule):
    for match in EXPECTATION.finditer(line):
        if match["what"] in ("warning", "note") and (not rule or match["rule"] == rule):
            text = "" if match["re"] else match["text"] or ""
            yield match["rule"], match["what"] == "warning", text
    match = CASE.search(line)
    if match:
        yield match["rule"], match["what"] == "warning" and not match["or"], ""


def number(program):
    """Fills in what the comments expect, and the text with numbers."""
    lines = program.path.read_text(encoding="utf-8").split("\n")
    for at, line in enumerate(lines):
        for rule, warns, text in expectations_of(line, program.rule):
            count = len(program.expected)
            program.expected.append(Expected(count, at + 1, rule, warns, text))
            lines[at] += f" @@{count}"
    program.numbered = "\n".join(lines)
    return program


def rule_tests(mock):
    for path in sorted((HERE.parent / "checks").glob("*/*.c*")):
        if not re.search(r"RUN: %check_tensor %s$", path.read_text(encoding="utf-8"), re.M):
            continue
        cuda = ["--cuda-path", "none"] if path.suffix == ".cu" else []
        rule = "tensor-" + path.parent.name
        yield number(Program(path, f"{path.parent.name}/{path.name}", rule,
                             ["-std=c++17", f"-I{path.parent}", "-isystem", str(mock)],
                             [f"--checks=-*,{rule}", *cuda]))


def cases(folder):
    for path in sorted(folder.rglob("*.c*")):
        torch = [] if path.suffix == ".cu" else ["-I/usr/include/torch/csrc/api/include"]
        program = number(Program(path, f"{path.parent.name}/{path.name}", "",
                                 ["-std=c++17", f"-I{path.parent}", *torch], []))
        program.hears_all = "// ALSO FINE" not in program.numbered
        yield program


@dataclass(frozen=True)
class Finding:
    line: int
    rule: str
    warns: bool
    text: str
    notes: tuple

    def meets(self, expected, line):
        """Told at the expected line, or elsewhere of the same thing."""
        if self.rule != expected.rule:
            return False
        return line in (self.line, *self.notes)


class BrokenRewriting(Exception):
    pass


def check(tool, path, tool_flags, flags):
    """The findings in the file; raises BrokenRewriting where it does not parse."""
    done = subprocess.run([tool, "check", str(path), "--level", "note", "--format", "sarif", "-q",
                           *tool_flags, "--", *flags, "-w"], capture_output=True, text=True,
                          check=False)
    if done.returncode not in (0, 1):
        raise BrokenRewriting(done.stderr.strip().split("\n")[0])
    return [finding_of(r, path) for r in json.loads(done.stdout)["runs"][0]["results"]]


def finding_of(result, path):
    def line(location):
        physical = location["physicalLocation"]
        file = physical["artifactLocation"]["uri"].removeprefix("file://")
        return physical["region"]["startLine"] if pathlib.Path(file).name == path.name else 0
    notes = tuple(line(note) for note in result.get("relatedLocations", []))
    return Finding(line(result["locations"][0]), result["ruleId"],
                   result["properties"]["level"] == "warning", result["message"]["text"], notes)
