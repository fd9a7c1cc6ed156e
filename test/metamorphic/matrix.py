#!/usr/bin/env python3
"""Rewrites the rule tests, and prints what becomes of their findings.

    matrix.py --tool build/bin/tensorleak --rewriter build/bin/tensorleak-rewriter
              [--cases FOLDER] [--only TEXT] [--rewritings a,b] [--list] [--markdown]
    matrix.py ... --share 0.05 --floor floor.json       a part of it, held against a floor
    matrix.py ... --pairs 300                           pairs of rewritings, one after the other

Each rewriting keeps what a program does, so every expected finding must stay and nothing else may
be reported. Of each rewriting and rule: how many findings are kept of those whose functions it
changed, how many fell from warning to note, and how many functions without a finding stay
silent. A rewritten file that does not parse is an error of the rewriter. Which part --share and
--pairs take depends on the names alone. Exit code 1: below the floor, or an error.
"""

import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from programs import HERE, NUMBER, BrokenRewriting, cases, check, rule_tests


# Rewritings that change what happens, for these rules.
ON_DEVICE = "the tensor is on the device then, and its transfer copies nothing"
NOT_NEUTRAL = {("repeated-transfer", name): ON_DEVICE
               for name in ("to-device", "cuda-after", "device-variable")}


class Counts(collections.Counter):
    def share(self):
        return 100 * self["kept"] / self["positives"] if self["positives"] else 100.0

    def cell(self):
        if not self["positives"]:
            return "-"
        fell = f" ({self['fell']})" if self["fell"] else ""
        return f"{self['kept']}/{self['positives']}{fell}"


class Matrix:
    """Counts by (rule's folder, rewriting), and what to list."""

    def __init__(self):
        self.counts = collections.defaultdict(Counts)
        self.lines = []

    def add(self, other):
        for key, counts in other.counts.items():
            self.counts[key].update(counts)
        self.lines += other.lines

    def say(self, what, program, rewriting, text):
        self.lines.append((what, program.name, rewriting, text))

    def total(self, folder=None, rewriting=None):
        out = Counts()
        for (of, name), counts in self.counts.items():
            if folder in (None, of) and rewriting in (None, name):
                out.update(counts)
        return out


class Rewriter:
    def __init__(self, options):
        self.options = options

    def rewrite(self, names, path, into, program):
        """(rewritings, functions) as the rewriter tells them."""
        into.mkdir(parents=True, exist_ok=True)
        cuda = [f"--cuda-path={program.tool_flags[-1]}"] if program.suffix() == ".cu" else []
        done = subprocess.run([self.options.rewriter, names, str(path), "--into", str(into), *cuda,
                               "--", *program.flags, "-w"], capture_output=True, text=True,
                              check=False)
        if done.returncode not in (0, 3):
            raise BrokenRewriting(done.stderr.strip().split("\n")[0])
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        return [r for r in rows if "rewriting" in r], rows[-1].get("functions", []) if rows else []


def function_at(functions, line):
    return next((f["name"] for f in functions if f["first"] <= line <= f["last"]), "")


class Judge:
    """What one rewriting did to one program."""

    def __init__(self, program, functions, changed_lines):
        self.program = program
        self.functions = functions
        self.changed = {function_at(functions, line) for line in changed_lines}
        self.everywhere = not changed_lines or "" in self.changed

    def is_changed(self, line):
        where = function_at(self.functions, line)
        return self.everywhere or not where or where in self.changed

    def negatives(self):
        """Functions of which nothing is expected."""
        speaking = {function_at(self.functions, e.line) for e in self.program.expected}
        names = {f["name"] for f in self.functions} - speaking
        return names if self.everywhere else names & self.changed

    def judge(self, text, findings, before, matrix, rewriting):
        counts = matrix.counts[self.program.path.parent.name, rewriting]
        lines = {int(n): at for at, line in enumerate(text.split("\n"), 1)
                 for n in NUMBER.findall(line)}
        left = list(findings)
        for expected in self.program.expected:
            met = next((f for f in left if f.meets(expected, lines.get(expected.number, 0))), None)
            if met:
                left.remove(met)
            if expected.number in before and self.is_changed(expected.line):
                self.count(counts, matrix, rewriting, expected, met)
        counts["negatives"] += len(self.negatives())
        self.count_others(counts, matrix, rewriting, left, lines.values())

    def count(self, counts, matrix, rewriting, expected, met):
        counts["positives"] += 1
        counts["kept"] += bool(met)
        where = f"{expected.line}: {expected.rule}"
        if not met:
            matrix.say("lost", self.program, rewriting, where)
        elif expected.warns and not met.warns and before_warned(self.program, expected):
            counts["fell"] += 1
            matrix.say("fell", self.program, rewriting, where)

    def count_others(self, counts, matrix, rewriting, left, expected_lines):
        for finding in left:
            if not self.program.hears_all or finding.line in expected_lines:
                continue
            what = "spoke" if finding.warns else "noted"
            counts[what] += 1
            matrix.say(what, self.program, rewriting,
                       f"{finding.line} of the rewritten file: {finding.rule}: {finding.text}")


def before_warned(program, expected):
    return expected.warns and expected.number in program.warned


def baseline(options, program, folder):
    """The numbers of the expectations that the unchanged file meets."""
    path = folder / ("unchanged" + program.suffix())
    path.write_text(program.numbered, encoding="utf-8")
    findings = check(options.tool, path, program.tool_flags, program.flags)
    met = {e.number: f for e in program.expected for f in findings if f.meets(e, e.line)}
    program.warned = {number for number, finding in met.items() if finding.warns}
    known = {id(f) for e in program.expected for f in findings if f.meets(e, e.line)}
    if any(f.warns and id(f) not in known for f in findings):
        program.hears_all = False
    return path, set(met)


def picked_names(options, program):
    """The rewritings of this program that --share takes; pairs begin with any."""
    folder = program.path.parent.name
    names = [name for name in options.names if (folder, name) not in NOT_NEUTRAL]
    return [name for name in names if options.pairs or program.is_picked(name, options.share)]


def run_program(options, program):
    matrix = Matrix()
    names = picked_names(options, program)
    if not names:
        return matrix
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        try:
            path, before = baseline(options, program, folder)
            rows, functions = Rewriter(options).rewrite(",".join(names), path, folder / "out",
                                                        program)
        except BrokenRewriting as error:
            matrix.say("broken", program, "unchanged", str(error))
            return matrix
        run = run_pairs if options.pairs else run_single
        run(options, program, rows, functions, before, matrix)
    return matrix


def judge_file(options, program, path, judge, before, matrix, rewriting):
    try:
        findings = check(options.tool, path, program.tool_flags, program.flags)
    except BrokenRewriting as error:
        matrix.counts[program.path.parent.name, rewriting]["broken"] += 1
        matrix.say("broken", program, rewriting, str(error))
        return
    judge.judge(path.read_text(encoding="utf-8"), findings, before, matrix, rewriting)


def run_single(options, program, rows, functions, before, matrix):
    for row in rows:
        judge_file(options, program, pathlib.Path(row["file"]),
                   Judge(program, functions, row["lines"]), before, matrix, row["rewriting"])


def run_pairs(options, program, rows, functions, before, matrix):
    names = [row["rewriting"] for row in rows]
    for row, second in itertools.product(rows, names):
        pair = f"{row['rewriting']} {second}"
        if row["rewriting"] == second or not program.is_picked(pair, options.pair_share):
            continue
        path = pathlib.Path(row["file"])
        try:
            again, _ = Rewriter(options).rewrite(second, path, path.parent / pair, program)
        except BrokenRewriting as error:
            matrix.say("broken", program, pair, str(error))
            continue
        for other in again:
            judge_file(options, program, pathlib.Path(other["file"]),
                       Judge(program, functions, row["lines"]), before, matrix, pair)


def run_all(options, programs):
    matrix = Matrix()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for part in pool.map(lambda program: run_program(options, program), programs):
            matrix.add(part)
    return matrix


#===-- What is printed ----------------------------------------------------===#

def print_matrix(matrix, markdown):
    folders = sorted({folder for folder, _ in matrix.counts})
    names = list(dict.fromkeys(name for _, name in matrix.counts))
    table = [["rewriting", *folders, "all", "fell", "silent", "spoke", "noted"]]
    for name in [*sorted(names), None]:
        total = matrix.total(rewriting=name)
        cells = [matrix.total(folder, name).cell() for folder in folders]
        table.append([name or "all", *cells, f"{total.share():.0f}%", str(total["fell"]),
                      str(total["negatives"]), str(total["spoke"]), str(total["noted"])])
    if markdown:
        table.insert(1, ["---"] * len(table[0]))
    widths = [max(len(row[at]) for row in table) for at in range(len(table[0]))]
    for row in table:
        cells = [cell if markdown else cell.ljust(width) for cell, width in zip(row, widths)]
        print("| " + " | ".join(cells) + " |" if markdown else "  ".join(cells).rstrip())


def summary(matrix):
    total = matrix.total()
    broken = sum(1 for line in matrix.lines if line[0] == "broken")
    return (f"{total['kept']} of {total['positives']} findings kept ({total.share():.1f}%), "
            f"{total['fell']} as a note only; {total['spoke']} false warnings and "
            f"{total['noted']} notes in {total['negatives']} silent functions; "
            f"{broken} files do not parse")


def hold(matrix, path):
    """Messages where the matrix is below the floor."""
    floor = json.loads(path.read_text(encoding="utf-8"))
    allowed = {(row["program"], row["rewriting"]) for row in floor["speaking"]}
    for what, program, rewriting, text in matrix.lines:
        if what == "broken" or (what == "spoke" and (program, rewriting) not in allowed):
            yield f"{what}: {program}, {rewriting}: {text}"
    for folder in sorted({folder for folder, _ in matrix.counts}):
        share, least = matrix.total(folder).share(), floor["kept"].get(folder, 100)
        if share + 0.05 < least:
            yield f"{folder}: {share:.1f}% of the findings are kept; the floor is {least}%"


def write_floor(matrix, path):
    """Today's figures become the floor; what may speak, and why, stays."""
    floor = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"speaking": []}
    floor["kept"] = {folder: int(10 * matrix.total(folder).share()) / 10
                     for folder in sorted({folder for folder, _ in matrix.counts})}
    path.write_text(json.dumps(floor, indent=1) + "\n", encoding="utf-8")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--rewriter", required=True)
    parser.add_argument("--mock", type=pathlib.Path, default=HERE.parent / "mock")
    parser.add_argument("--cases", type=pathlib.Path, help="in the place of the rule tests")
    parser.add_argument("--only", default="", help="programs whose name contains this")
    parser.add_argument("--rewritings", default="", help="names, separated by commas")
    parser.add_argument("--share", type=float, default=1, help="of all programs and rewritings")
    parser.add_argument("--pairs", action="store_true", help="apply two rewritings")
    parser.add_argument("--pair-share", type=float, default=0.01)
    parser.add_argument("--floor", type=pathlib.Path)
    parser.add_argument("--write-floor", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true", help="list what was not kept")
    parser.add_argument("--markdown", action="store_true")
    return parser.parse_args()


def names_of(options):
    """The rewritings that were asked for; all of them, without the seeds of bugs."""
    listed = subprocess.run([options.rewriter, "--list"], stdout=subprocess.PIPE, text=True,
                            check=True)
    names = [line.split(":")[0] for line in listed.stdout.splitlines()]
    wanted = options.rewritings.split(",") if options.rewritings else names
    return [name for name in names if name in wanted and not name.startswith("seed-")]


def main():
    options = parse_arguments()
    options.names = names_of(options)
    programs = cases(options.cases) if options.cases else rule_tests(options.mock.resolve())
    matrix = run_all(options, [p for p in programs if options.only in p.name])
    if not options.pairs:
        print_matrix(matrix, options.markdown)
    shown = matrix.lines if options.list else [x for x in matrix.lines if x[0] == "broken"]
    for what, program, rewriting, text in sorted(shown):
        print(f"{what}: {program}, {rewriting}: {text}")
    print(summary(matrix))
    if options.write_floor:
        write_floor(matrix, options.floor)
    problems = list(hold(matrix, options.floor)) if options.floor else []
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
