"""Whether SARIF logs are valid, and what GitHub's code scanning wants of them.

    validate.py LOG...

Against the schema of SARIF 2.1.0 and what GitHub documents (docs.github.com, "SARIF support for
code scanning"): the properties that it calls required, and the limits over which it refuses a log.
"""

import gzip
import json
import pathlib
import sys

import jsonschema

SCHEMA = pathlib.Path(__file__).parent / "sarif-schema-2.1.0.json.gz"
REGION = ("startLine", "startColumn", "endLine", "endColumn")


def at(value, path):
    for part in path.split("/"):
        value = value[int(part)] if part.isdigit() else value.get(part, {})
    return value


def problems_of_rule(rule):
    for path in ("id", "shortDescription/text", "fullDescription/text", "help/text",
                 "defaultConfiguration/level", "properties/precision", "properties/tags"):
        if not at(rule, path):
            yield f"no {path}"
    if max(len(at(rule, "shortDescription/text")), len(at(rule, "fullDescription/text"))) > 1024:
        yield "a description of more than 1024 characters"
    if len(rule["id"]) > 255 or len(rule["properties"]["tags"]) > 10:
        yield "more than GitHub shows"


def problems_of_place(place):
    where = at(place, "physicalLocation")
    uri = at(where, "artifactLocation/uri")
    if not uri or ("://" in uri) == ("uriBaseId" in where["artifactLocation"]):
        yield f"'{uri}' is neither relative to something nor absolute"
    if uri.startswith("/") or ".." in uri.split("/"):
        yield f"'{uri}' leaves the root"
    region = where.get("region")
    if region is None:
        return
    yield from (f"no {key}" for key in REGION if key not in region)
    begin, end = [(region["startLine"], region["startColumn"]),
                  (region["endLine"], region["endColumn"])]
    if begin >= end:
        yield f"an empty region {begin}"


def places_of(result):
    yield from result["locations"] + result.get("relatedLocations", [])
    for flow in result.get("codeFlows", []):
        for thread in flow["threadFlows"]:
            yield from (step["location"] for step in thread["locations"])


def problems_of_result(result, rules):
    if not at(result, "message/text"):
        yield "no message"
    if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
        yield "ruleIndex is of another rule"
    has_line = at(result["locations"][0], "physicalLocation/region")  # else: in a program
    if has_line and not at(result, "partialFingerprints/primaryLocationLineHash"):
        yield "no primaryLocationLineHash"
    places = list(places_of(result))
    if len(result["locations"]) != 1 or len(places) > 1000:
        yield f"{len(places)} places"
    for place in places:
        yield from problems_of_place(place)


def problems_of_run(run):
    driver = run["tool"]["driver"]
    if not driver.get("name") or not driver.get("semanticVersion"):
        yield "no name or version"
    if not at(run, "automationDetails/id").endswith("/"):
        yield "automationDetails.id names no category"
    if not at(run, "originalUriBaseIds/%SRCROOT%/uri").endswith("/"):
        yield "%SRCROOT% is no folder"
    if len(run["results"]) > 25000:
        yield "more than 25000 results"
    for rule in driver["rules"]:
        yield from (f"{rule['id']}: {what}" for what in problems_of_rule(rule))
    for number, result in enumerate(run["results"]):
        for what in problems_of_result(result, driver["rules"]):
            yield f"result {number}: {what}"


def problems_of(log):
    schema = json.loads(gzip.open(SCHEMA).read())
    for error in jsonschema.Draft4Validator(schema).iter_errors(log):
        yield "/".join(map(str, error.path)) + ": " + error.message
    if len(log["runs"]) > 20:
        yield "more than 20 runs"
    for run in log["runs"]:
        yield from problems_of_run(run)


def main():
    found = 0
    for name in sys.argv[1:]:
        log = json.loads(pathlib.Path(name).read_text(encoding="utf-8"))
        for problem in problems_of(log):
            found += 1
            print(f"{name}: {problem}")
        results = sum(len(run["results"]) for run in log["runs"])
        print(f"{pathlib.Path(name).name}: {results} results read")
    sys.exit(found > 0)


main()
