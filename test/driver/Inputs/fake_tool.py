#!/usr/bin/env python3
"""Stands in for the tool in the driver's own tests: one finding on line 2, with a fix-it."""

import json
import os
import sys

path = os.path.realpath(sys.argv[2])


def at(line):
    return {"physicalLocation": {"artifactLocation": {"uri": "file://" + path},
                                 "region": {"startLine": line, "startColumn": 3}}}


result = {"ruleId": "tensor-demo", "level": "warning", "locations": [at(2)],
          "message": {"text": "kept for 4 KiB"}, "properties": {"level": "warning"},
          "relatedLocations": [at(1) | {"message": {"text": "made here"}}],
          "fixes": [{"artifactChanges": [{
              "artifactLocation": {"uri": "file://" + path},
              "replacements": [{"deletedRegion": {"startLine": 2},
                                "insertedContent": {"text": "  free();\n  end();\n"}}]}]}]}
print(json.dumps({"runs": [{"results": [result]}]}))
sys.exit(1)
