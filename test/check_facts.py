#!/usr/bin/env python3
"""Compares what `tensorleak check --dump-facts` says of each line of a test file with what the
line's comment expects:

    x.add_(y); // FACTS: call add_: InPlace Accumulates, shape Same; Compute add_(x, y); ...

All that is said of a line must be expected, in its order, but for reads (Use), variables that
end (ScopeEnd), and in a .cu file what happens to tensors; a line without a comment says nothing
of what it expects. `--write` writes the comments of all lines that have one: add the call with an
empty `// FACTS:` after it, and look at what was written.

    check_facts.py --entries FILE.def... --tests TEST... --except LIST

holds the tables of the API model against the tests instead: each name of an entry is called on
a line with an expectation, in a section `//===-- scope --===//` that is named after the entry's
class or namespace (any other title: the ops), or stands in LIST with the reason why not.
"""

import argparse
import os
import re
import subprocess
import sys
from collections import defaultdict

EXPECTATION = re.compile(r"\s*// FACTS:(?P<text>.*)$")
SECTION = re.compile(r"//===-- (?P<title>.*?) -*===//$")
LINE = re.compile(r"(?P<file>[^:]+):(?P<line>\d+):\d+: (?P<text>.*)$")
NOISE = re.compile(r"(Use|ScopeEnd|function|place) |resource Declare ")
LOOP = re.compile(r", loop at \S+$")
SITE = re.compile(r" \(site \d+\)")


#===-- Facts of a file -----------------------------------------------------===#

def compiler_flags(options):
    if options.file.endswith(".cu"):
        return ["-std=c++17"]
    include = options.torch + "/include"
    flags = ["-std=c++17", "-isystem", include + "/torch/csrc/api/include"]
    # The compiler searches /usr/include by itself, in its right place.
    return flags + (["-isystem", include] if options.torch != "/usr" else [])


def dumped_facts(options):
    """By line, in the order of the dump."""
    command = [options.tool, "check", options.file, "--dump-facts", "--cuda-path", "none",
               "--quiet", "--", *compiler_flags(options)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nexit code {done.returncode}\n{done.stderr}")
    facts, of_resources = defaultdict(list), options.file.endswith(".cu")
    for line in done.stdout.splitlines():
        match = LINE.match(line)
        if not match or os.path.basename(match["file"]) != os.path.basename(options.file):
            continue
        text = SITE.sub("", LOOP.sub("", match["text"]))
        if not NOISE.match(text) and (text.startswith(("call", "resource")) or not of_resources):
            facts[int(match["line"])].append(text)
    return facts


def check(options, lines):
    facts = dumped_facts(options)
    wrong = 0
    for number, line in enumerate(lines, 1):
        match = EXPECTATION.search(line)
        said = "; ".join(facts[number]) or "nothing"
        if match and match["text"].strip() != said:
            wrong += 1
            print(f"{options.file}:{number}: expected: {match['text'].strip()}\n"
                  f"{options.file}:{number}:      got: {said}")
    return 1 if wrong else 0


def write(options, lines):
    facts = dumped_facts(options)
    with open(options.file, "w", encoding="utf-8") as out:
        for number, line in enumerate(lines, 1):
            said = "; ".join(facts[number]) or "nothing"
            out.write(EXPECTATION.sub(lambda _: f" // FACTS: {said}", line) + "\n")
    return 0


#===-- Entries of the tables -----------------------------------------------===#

# Macro -> which argument is the scope, and which holds the names.
COLUMNS = {"OPS": (None, -1), "METHODS": (0, -1), "FUNCTIONS": (0, -1), "GUARD": ("GUARD", 0),
           "FIELD": (0, 1), "OPTIMIZER_STATE": ("OPTIMIZER_STATE", -1),
           "PARAMETERLESS_MODULES": ("PARAMETERLESS_MODULES", -1), "OUT": (None, -1),
           "RESULT": (None, -1), "ATTACH": (None, -1), "FREE": (None, -1), "FREE_AT": (None, -1),
           "FREE_ALL": (None, -1), "FILL": (None, -1), "COPY": (None, -1), "LAST_ERROR": (None, -1),
           "END": (None, -1), "BORROW": (0, -1), "MAKE": (1, -1), "FREE_SELF": (1, -1),
           "FREE_OF": (1, -1), "POINTER": (0, -1)}
ENTRY = re.compile(r"^([A-Z_]+)\(((?:[^()\"]|\"[^\"]*\"\s*)*)\)", re.M)


def unquoted(argument):
    return "".join(re.findall(r'"([^"]*)"', argument)) if '"' in argument else argument.strip()


def entries(path):
    """(scope, name) of all that the table names; the scope of ops is ''."""
    with open(path, encoding="utf-8") as table:
        text = re.sub(r"^\s*//.*$|^#.*$", "", table.read(), flags=re.M)
    for macro, arguments in ENTRY.findall(text):
        if macro not in COLUMNS:
            continue
        scope, names = COLUMNS[macro]
        columns = [unquoted(part) for part in re.split(r",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)",
                                                       arguments)]
        scope = columns[scope] if isinstance(scope, int) else scope or ""
        # A call of the C library has the scope of the ops: none.
        yield from ((scope, name) for name in columns[names].split())


def is_called(name, code):
    symbol = name.removeprefix("operator")
    if symbol == name:
        return re.search(rf"(?<![\w:]){re.escape(name)}\b" if "::" in name
                         else rf"\b{re.escape(name)}\b", code)
    if symbol in ("()", "[]"):
        return symbol[0] in code
    operators = r"[-+*/=!<>&|^~]"
    return re.search(f"(?<!{operators}){re.escape(symbol)}(?!{operators})", code)


def exercised_code(paths, scopes):
    """The code of the lines with an expectation, by scope."""
    code = defaultdict(list)
    for path in paths:
        scope = ""
        with open(path, encoding="utf-8") as source:
            for line in source:
                if match := SECTION.match(line):
                    scope = match["title"] if match["title"] in scopes else ""
                elif match := EXPECTATION.search(line):
                    code[scope].append(line[:match.start()])
    return code


def read_exceptions(path):
    """`scope::name name: reason`, and lines that begin with # for remarks."""
    exceptions = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                names, reason = line.strip().split(": ", 1)
                scope, *words = names.split(" ")
                exceptions.update({("" if scope == "-" else scope, w): reason for w in words})
    return exceptions


def check_entries(options):
    known = list(dict.fromkeys(e for path in options.entries for e in entries(path)))
    code = exercised_code(options.tests, {scope for scope, _ in known})
    exceptions = read_exceptions(options.exceptions)
    wrong = 0
    for scope, name in known:
        called = any(is_called(name, line) for line in code[scope])
        if called == ((scope, name) in exceptions):
            wrong += 1
            why = "is excepted, but called" if called else "is called on no line with // FACTS:"
            print(f"{scope or '-'} {name}: {why}")
    for scope, name in exceptions.keys() - set(known):
        wrong += 1
        print(f"{scope or '-'} {name}: is excepted, but in no table")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=os.path.realpath)
    parser.add_argument("--tool", help="the tensorleak command")
    parser.add_argument("--torch", default="/usr", help="the folder with LibTorch's include/")
    parser.add_argument("--write", action="store_true", help="write the expectations")
    parser.add_argument("--entries", nargs="+", help="tables of the API model")
    parser.add_argument("--tests", nargs="+", help="the tests of their entries")
    parser.add_argument("--except", dest="exceptions", help="the list of entries without a test")
    options = parser.parse_args()
    if options.entries:
        return check_entries(options)
    with open(options.file, encoding="utf-8") as source:
        lines = source.read().splitlines()
    return (write if options.write else check)(options, lines)


if __name__ == "__main__":
    sys.exit(main())
