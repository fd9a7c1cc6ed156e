#!/usr/bin/env python3
"""Holds the commands that pages show against the tool: each command is one of its own, and has
the options that it is shown with.

    check_options.py TENSORLEAK PAGE...
"""

import functools
import pathlib
import re
import shlex
import subprocess
import sys

BLOCK = re.compile(r"^```(?:sh|text)?\n(.*?)^```$", re.M | re.S)
SHOWN = re.compile(r"^(?:\$ )?((?:\w+ )*tensorleak [a-z-].*)$", re.M)


@functools.lru_cache
def options_of(tool, *command):
    shown = subprocess.run([tool, *command, "--help"], text=True, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, check=False)
    if shown.returncode:
        return None
    return set(re.findall(r"^ +(-\w)?,?(--[\w-]+)", shown.stdout, re.M))


def problems_of(tool, line):
    words = shlex.split(line.split(" | ")[0], comments=True)
    words = words[words.index("tensorleak") + 1:]
    command, *rest = words[:words.index("--")] if "--" in words else words
    if command.startswith("-"): # of the tool itself
        return
    known = options_of(tool, command)
    if known is None:
        yield f"there is no command '{command}'"
        return
    if rest and rest[0].isalpha(): # `baseline create`, if that has options of its own
        known = known | (options_of(tool, command, rest[0]) or set())
    for word in rest:
        option = word.split("=")[0]
        if re.match(r"--?[a-z]", option) and not any(option in pair for pair in known):
            yield f"'{command}' has no option '{option}'"


def main():
    tool, *pages = sys.argv[1:]
    found, count = [], 0
    for page in map(pathlib.Path, pages):
        for block in BLOCK.findall(page.read_text()):
            for line in SHOWN.findall(block):
                count += 1
                found += [f"{page.name}: {problem}: {line}" for problem in problems_of(tool, line)]
    print("\n".join(found) or f"{count} commands have the options that they are shown with")
    return 1 if found or not count else 0


if __name__ == "__main__":
    sys.exit(main())
