#!/usr/bin/env python3
"""ratio.py NAME ALONE WATCHED: one row of a table, of two files with a time in each line."""
import re
import statistics
import sys


def times(path):
    """The first number with a decimal point of each line, or the last number."""
    with open(path, encoding="utf-8") as lines:
        return [float((re.findall(r"\d+\.\d+", line) or re.findall(r"\d+", line))[0])
                for line in lines]


name, alone, watched = sys.argv[1], times(sys.argv[2]), times(sys.argv[3])
ratios = [b / a for a, b in zip(alone, watched)]
print(f"| {name} | {statistics.median(alone):.2f} | {statistics.median(watched):.2f} "
      f"| {min(ratios):.3f} to {max(ratios):.3f} | {statistics.median(ratios):.3f} |")
