"""Whether the files that teams copy hang together: ready_files.py TOP

The inputs that an action uses are declared, what it and the others run is there, pull-request
documents each variable that they set, and the image has what they call.
"""

import os
import pathlib
import re
import sys

import yaml

top = pathlib.Path(sys.argv[1])
problems = []


def load(name):
    return yaml.safe_load((top / name).read_text(encoding="utf-8"))


def need(holds, what):
    if not holds:
        problems.append(what)


def need_program(path):
    need((top / path).is_file() and os.access(top / path, os.X_OK), f"{path} cannot be run")


action, text = load("action.yml"), (top / "action.yml").read_text(encoding="utf-8")
need(action["runs"]["using"] == "composite", "action.yml is not composite")
for used in re.findall(r"inputs\.([\w-]+)", text):
    need(used in action["inputs"], f"action.yml uses the input {used}, which it has not")
for name, declared in action["inputs"].items():
    need(f"inputs.{name} " in text and declared.get("description"), f"nothing uses {name}")
for step in action["runs"]["steps"]:
    need(("uses" in step) != ("run" in step and "shell" in step), f"no step: {step['name']}")
    for program in re.findall(r"\$GITHUB_ACTION_PATH/([\w/-]+)", step.get("run", "")):
        need_program(program)

script = (top / "ci/pull-request").read_text(encoding="utf-8")
gitlab = load("ci/gitlab/tensorleak.yml")[".tensorleak"]
for line in gitlab["script"]:
    for program in re.findall(r"/usr/share/tensorleak/([\w/-]+)", line):
        need_program(program)
variables = set(re.findall(r"TENSORLEAK\w*", text + " ".join([*gitlab["variables"],
                                                              *gitlab["script"]])))
for variable in variables:
    need(re.search(rf"^#   {variable} ", script, re.M), f"no word of {variable} in pull-request")
    need(re.search(rf"{variable}:?-", script), f"ci/pull-request ignores {variable}")

image = (top / "ci/Dockerfile").read_text(encoding="utf-8")
sourced = "".join((top / path).read_text() for path in re.findall(r"\. (scripts/[\w/]+)", image))
for function in re.findall(r"\b(choose_\w+|install_\w+|packages_\w+)\b", image):
    need(re.search(rf"^{function}\(\)", sourced, re.M), f"no {function} for ci/Dockerfile")
presets = {preset["name"] for preset in load("CMakePresets.json")["configurePresets"]}
need(set(re.findall(r"--preset (\w+)", image)) <= presets, "ci/Dockerfile has no such preset")
options = "".join(path.read_text() for path in [top / "CMakeLists.txt", *top.glob("cmake/*.cmake")])
for option in re.findall(r"-D(TENSORLEAK_\w+)", image):
    need(option in options, f"no {option} for ci/Dockerfile")
# What the scripts for CI call is in the image that they run in.
called = script + (top / "ci/github/comment").read_text(encoding="utf-8")
for program in ("gh", "jq", "python3"):
    need(re.search(rf"\b{program}\b", called), f"nothing calls {program}")
    need(re.search(rf"\b{program}\b", image.split("FROM")[-1]), f"ci/Dockerfile lacks {program}")

for hook in load(".pre-commit-hooks.yaml"):
    need({"id", "name", "entry", "language"} <= hook.keys(), f"no hook: {hook}")
    print(hook["entry"], *hook["args"])
print("\n".join(problems) or "they hang together")
