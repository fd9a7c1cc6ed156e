"""places.py SARIF FILE:LINE...: the places of all results, and no others."""

import json
import sys

found = []
run = json.load(open(sys.argv[1]))["runs"][0]
root = run["originalUriBaseIds"]["%SRCROOT%"]["uri"]
for result in run["results"]:
    place = result["locations"][0]["physicalLocation"]
    file = place["artifactLocation"]
    path = ((root if "uriBaseId" in file else "") + file["uri"]).removeprefix("file://")
    found.append(f"{path}:{place['region']['startLine']}")
if sorted(found) != sorted(sys.argv[2:]):
    sys.exit(f"results at {found}, expected {sys.argv[2:]}")
