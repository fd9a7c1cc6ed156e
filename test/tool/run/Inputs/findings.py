"""findings.py SOURCE [RULE]: the SARIF file of the findings that a source's comments mark;
of the rule that is usual for their kind, or of RULE.

`// finding: NAME KIND graph|plain|lastuse [LOOP|BYTES|RULE]` marks the line and, as the
column, where the marked statement starts (after `if (...) `). `// producer: NAMES`
marks lines that compute what the named findings keep, `// loop: NAME` and
`// end: NAME` a loop. In a file of Python's, `#` stands for `//`.
"""

import hashlib
import json
import re
import sys

RULES = {
    "retention": "tensor-retained-activation",
    "correctness": "tensor-missing-zero-grad",
    "peak": "tensor-out-of-place-op",
    "ownership": "tensor-undeleted-tensor",
}

path = sys.argv[1]
text = open(path).read()
findings, producers, loops = [], {}, {}
for number, line in enumerate(text.split("\n"), 1):
    statement = re.match(r"\s*(if \([^)]*\) )?", line).end() + 1
    if m := re.search(r"(?://|#) finding: (.*)", line):
        findings.append((number, statement, m[1].split()))
    if m := re.search(r"(?://|#) producer: (.*)", line):
        for name in m[1].split():
            producers.setdefault(name, []).append(number)
    if m := re.search(r"(?://|#) (loop|end): (\w+)", line):
        loops.setdefault(m[2], []).append(number)


def place(line, column=0):
    return {"file": path, "line": line, "column": column}


def result(line, column, words):
    name, kind, form, *more = words
    subject = {"producers": [place(p) for p in producers.get(name, [])]}
    properties = {"kind": kind, "level": "warning", "subject": subject}
    for word in more:
        if word.isdigit():
            properties["bytes"] = int(word)
        elif not word.startswith("tensor-"):
            subject["loop"] = {"file": path, "begin": loops[word][0], "end": loops[word][1]}
    if form == "graph":
        subject["graph"] = True
    if form == "lastuse":
        subject["lastUse"] = place(line, column)
    region = {"startLine": line, "startColumn": column}
    location = {"artifactLocation": {"uri": "file://" + path}, "region": region}
    usual = sys.argv[2] if len(sys.argv) > 2 else RULES[kind]
    return {
        "ruleId": next((w for w in more if w.startswith("tensor-")), usual),
        "message": {"text": name},
        "locations": [{"physicalLocation": location}],
        "properties": properties,
    }


digest = hashlib.sha256(text.encode()).hexdigest()
artifact = {"location": {"uri": "file://" + path}, "hashes": {"sha-256": digest}}
run = {
    "tool": {"driver": {"name": "findings.py"}},
    "artifacts": [artifact],
    "results": [result(*f) for f in findings],
}
json.dump({"version": "2.1.0", "runs": [run]}, sys.stdout)
