#!/usr/bin/env python3
"""Does what a page of the documentation says.

    run_page.py PAGE FOLDER_OF_TENSORLEAK

In the working folder: a block whose first line names a file (```cpp train.cpp) is that file,
one in `sh` is run, and one in `text` below is what it has to print, line by line in this order,
where `...` stands for anything.
"""

import os
import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.M | re.S)


def run(commands, folder):
    environment = dict(os.environ, PATH=folder + os.pathsep + os.environ["PATH"])
    shown = subprocess.run(["bash"], input=commands, text=True, env=environment,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    print(f"$ {commands}{shown.stdout}", flush=True)
    return shown


def missing(expected, printed):
    """The first line that is not there, after those before it."""
    at = 0
    for line in expected.splitlines():
        pattern = ".*".join(re.escape(part) for part in line.strip().split("..."))
        found = re.compile(pattern).search(printed, at)
        if not found:
            return line
        at = found.end()
    return None


def main():
    page, folder = pathlib.Path(sys.argv[1]), sys.argv[2]
    printed, judged = None, True
    for language, name, text in BLOCK.findall(page.read_text()):
        if name:
            pathlib.Path(name).write_text(text)
        elif language == "sh":
            if not judged and printed.returncode:
                sys.exit(f"that ended with {printed.returncode}")
            printed, judged = run(text, folder), False
        elif language == "text":
            judged = True
            if line := missing(text, printed.stdout):
                sys.exit(f"{page.name} promises what is not there: {line}")
    print("all of it is as the page says" if printed else "there is nothing to do")


if __name__ == "__main__":
    main()
