#!/usr/bin/env python3
"""Runs `tensorleak check` on a test file and compares what it says with what the
file's comments expect, on the line where they stand:

    losses.push_back(loss); // expected-warning {{carries its graph}} [tensor-retained-activation]
    total += loss;          // expected-note {{host nodes}} [tensor-retained-activation]

`expected-warning` and `expected-note` name a finding's level; the text must occur
in its message, and `expected-warning-re {{...}}` takes a regular expression. The
text may be left out: `expected-warning [tensor-missing-zero-grad]`. A comment can
hold several. `expected-path {{...}}` wants a note of some finding's path on that
line; `expected-fix {{...}}` wants a fix-it there that inserts the text (`{{}}` for
one that only deletes), without the blanks around it.

Every finding, note and fix-it must be expected and every expectation met, else each
difference is printed in compiler style and the exit code is 1. Findings need an
expectation each; one serves for all notes with that text on that line. What is said of a
header next to the test is looked for in the header's comments; notes in the stand-in
headers are not compared. With --write, the notes and fix-its that nobody expected are
written into the test: read whether they are right.

A test in test/checks/RULE/ runs the rule tensor-RULE alone; `--tool-arg=--checks=...`
says otherwise. Tests elsewhere run all rules.

The stand-in headers of test/mock are used unless --real is given. Flags for the
compiler follow `--`.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass

EXPECTATION = re.compile(
    r"expected-(?P<what>warning|note|path|fix)(?P<re>-re)?"
    r"(?:\s*\{\{(?P<text>.*?)\}\}(?!\}))?(?:\s*\[(?P<rule>[\w-]+)\])?")


@dataclass(frozen=True)
class Remark:
    """One thing said of one line: a finding, a note of its path, or a fix-it."""
    what: str
    path: str
    line: int
    rule: str
    text: str

    def __str__(self):
        rule = f" [{self.rule}]" if self.rule else ""
        return f"{self.path}:{self.line}: {self.what}: {self.text}{rule}"


@dataclass(frozen=True)
class Expectation:
    remark: Remark
    is_regex: bool

    def met_by(self, said):
        want = self.remark
        if (want.what, want.path, want.line) != (said.what, said.path, said.line):
            return False
        if want.rule and want.rule != said.rule:
            return False
        if self.is_regex:
            return re.search(want.text, said.text) is not None
        return want.text == said.text if want.what == "fix" else want.text in said.text

    def serves_all(self):
        return self.remark.what in ("path", "fix")


def read_expectations(path):
    with open(path, encoding="utf-8") as source:
        for number, line in enumerate(source, 1):
            for match in EXPECTATION.finditer(line):
                if match["what"] in ("warning", "note") and not match["rule"]:
                    sys.exit(f"{path}:{number}: error: expectation without [rule]")
                remark = Remark(match["what"], path, number, match["rule"] or "",
                                match["text"] or "")
                yield Expectation(remark, bool(match["re"]))


def run_of(text):
    """The run of a SARIF log, with absolute URIs."""
    root = json.loads(text)["runs"][0].get("originalUriBaseIds", {}).get("%SRCROOT%", {})

    def absolute(value):
        return {**value, "uri": root["uri"] + value["uri"]} if "uriBaseId" in value else value
    return json.loads(text, object_hook=absolute)["runs"][0]


def place(location):
    physical = location["physicalLocation"]
    path = physical["artifactLocation"]["uri"].removeprefix("file://")
    return os.path.realpath(path), physical["region"]["startLine"]


def remarks_of(result):
    rule = result["ruleId"]
    yield Remark(result["properties"]["level"], *place(result["locations"][0]), rule,
                 result["message"]["text"])
    for note in result.get("relatedLocations", []):
        yield Remark("path", *place(note), rule, note["message"]["text"])
    for fix in result.get("fixes", []):
        for change in fix["artifactChanges"]:
            path = os.path.realpath(change["artifactLocation"]["uri"].removeprefix("file://"))
            for edit in change["replacements"]:
                inserted = edit.get("insertedContent", {}).get("text", "").strip()
                yield Remark("fix", path, edit["deletedRegion"]["startLine"], rule,
                             inserted.replace("\n", "\\n"))


def compiler_flags(options):
    flags = ["-std=c++17", "-I" + os.path.dirname(options.file)]
    if options.real:
        flags += ["-isystem", options.torch + "/include/torch/csrc/api/include"]
        # The compiler searches /usr/include by itself, in its right place.
        flags += ["-isystem", options.torch + "/include"] if options.torch != "/usr" else []
    else:
        flags += ["-isystem", options.mock]
    return flags + options.flags


def rule_of_folder(path):
    folder, parent = path.split(os.sep)[-2], path.split(os.sep)[-3]
    return ["--checks=-*,tensor-" + folder] if parent == "checks" else []


def run_tool(options):
    command = [options.tool, "check", options.file, "--level", "note", "--format", "sarif"]
    chosen = any(argument.startswith("--checks") for argument in options.tool_arg)
    command += [] if chosen else rule_of_folder(options.file)
    # The same declarations of CUDA on every machine, with a toolkit or without.
    if not (options.real and options.file.endswith(".cu")):
        command += ["--cuda-path", "none"]
    command += options.tool_arg + ["--"] + compiler_flags(options)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}\nexit code {done.returncode}\n{done.stderr}")
    results = run_of(done.stdout)["results"]
    if done.returncode != (1 if results else 0):
        sys.exit(f"exit code {done.returncode} with {len(results)} finding(s)")
    return [remark for result in results for remark in remarks_of(result)]


def differences(said, expected):
    """What was expected and not said, and what was said and nobody expected."""
    unmet, unexpected, served = list(expected), [], []
    for remark in said:
        met = next((e for e in unmet + served if e.met_by(remark)), None)
        if not met:
            unexpected.append(remark)
        elif met in unmet:
            unmet.remove(met)
            served += [met] if met.serves_all() else []
    return unmet, unexpected


def write_expectations(remarks):
    """Adds what the notes and fix-its say to the ends of their lines; returns the others."""
    others = []
    for remark in dict.fromkeys(remarks):
        if remark.what not in ("path", "fix"):
            others.append(remark)
            continue
        with open(remark.path, encoding="utf-8") as source:
            lines = source.read().split("\n")
        comment = " " if "//" in lines[remark.line - 1] else " // "
        lines[remark.line - 1] += f"{comment}expected-{remark.what} {{{{{remark.text}}}}}"
        with open(remark.path, "w", encoding="utf-8") as target:
            target.write("\n".join(lines))
    return others


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=os.path.realpath)
    parser.add_argument("--tool", required=True, help="the tensorleak command")
    parser.add_argument("--mock", required=True, help="the folder of the stand-in headers")
    parser.add_argument("--real", action="store_true",
                        help="use the real LibTorch; for a .cu file, the installed CUDA toolkit")
    parser.add_argument("--torch", default="/usr", help="the folder with its include/")
    parser.add_argument("--tool-arg", action="append", default=[],
                        help="one more argument for tensorleak check, as --tool-arg=--no-cache")
    parser.add_argument("--write", action="store_true",
                        help="write unexpected notes and fix-its into the test")
    end = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.parse_args(arguments[:end])
    options.flags = arguments[end + 1:]
    return options


def main():
    options = parse_arguments(sys.argv[1:])
    # Notes inside LibTorch's headers, real or not, have no line that could expect them.
    libraries = tuple(os.path.join(os.path.realpath(folder), "") for folder in
                      (options.mock, os.path.join(options.torch, "include")))
    said = [remark for remark in run_tool(options) if not remark.path.startswith(libraries)]
    files = {options.file} | {remark.path for remark in said}
    expected = [e for path in sorted(files) for e in read_expectations(path)]
    unmet, unexpected = differences(said, expected)
    unexpected = write_expectations(unexpected) if options.write else unexpected
    for expectation in unmet:
        print(f"missing: {expectation.remark}")
    for remark in unexpected:
        print(f"unexpected: {remark}")
    return 1 if unmet or unexpected else 0


if __name__ == "__main__":
    sys.exit(main())
