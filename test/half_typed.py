#!/usr/bin/env python3
"""Checks code that is half typed: nothing may be told of it, as a warning, that is not told of
the whole.

    half_typed.py --tool TENSORLEAK [--every 10] [--jobs 2] FILE... -- FLAGS

Each file is cut at every tenth token: all behind it is missing, or the rest of its line, or, of a
name, nothing but that it is spelled as another that nobody declares. What still compiles then is
another program, and is left out. Prints what was wrong, and how many checks there were; exit code
1 if something was.
"""

import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|\w+|[^\w\s]',
                   re.S)
WARNING = re.compile(r":(\d+):(\d+): warning: (.*) \[(tensor-[\w-]+)\]")
BROKEN, ENDED_WELL = 3, (0, 1, 3)


def code_tokens(text):
    return [match for match in TOKEN.finditer(text) if not match[0].startswith(("//", "/*"))]


def cuts(text, every):
    """Half-typed texts, by what is missing."""
    for number, token in list(enumerate(code_tokens(text)))[every::every]:
        yield f"{number}-all", text[:token.start()] + "\n"
        end = text.find("\n", token.start())
        yield f"{number}-line", text[:token.start()] + text[end:]
        if token[0].isidentifier():
            yield f"{number}-name", f"{text[:token.end()]}_unknown{text[token.end():]}"


class Checker:
    def __init__(self, tool, flags):
        self.tool, self.flags = tool, flags

    def run(self, file):
        command = [self.tool, "check", "-q", str(file), "--", *self.flags]
        return subprocess.run(command, capture_output=True, text=True, errors="replace")

    def warnings(self, output):
        return {(int(line), rule): message
                for line, _, message, rule in WARNING.findall(output)}


def problems_of(checker, name, text, whole, folder, suffix):
    file = folder / f"{name}{suffix}"
    file.write_text(text)
    done = checker.run(file)
    file.unlink()
    if done.returncode not in ENDED_WELL or "crashed" in done.stderr:
        return [f"{name}: exit code {done.returncode}: {done.stderr.strip()[-300:]}"]
    if done.returncode != BROKEN:
        return []  # what is left is whole: another program
    return [f"{name}:{line}: {message} [{rule}]"
            for (line, rule), message in checker.warnings(done.stdout).items()
            if (line, rule) not in whole]


def check_file(checker, file, every, folder, pool):
    """The number of checks, and what was wrong."""
    text, done = file.read_text(), checker.run(file)
    if done.returncode == BROKEN:
        return 0, [f"{file} is broken as it is, with these flags"]
    whole = checker.warnings(done.stdout)
    jobs = [pool.submit(problems_of, checker, f"{file.stem}-{name}", cut, whole, folder,
                        file.suffix) for name, cut in cuts(text, every)]
    return len(jobs), [problem for job in jobs for problem in job.result()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", required=True)
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:split])
    checker = Checker(options.tool, sys.argv[split + 1:])
    count, problems = 0, []
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for file in options.files:
            more, found = check_file(checker, file, options.every, pathlib.Path(folder), pool)
            count += more
            problems += found
            for problem in found:
                print(problem, flush=True)
    print(f"{count} half-typed sources, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
