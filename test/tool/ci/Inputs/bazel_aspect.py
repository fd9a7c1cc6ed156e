#!/usr/bin/env python3
"""Runs a Bazel aspect on one target, without Bazel: bazel_aspect.py BZL ASPECT SOURCE FLAGS...

What the aspect asks of Bazel is answered for a cc_library of that source whose toolchain compiles
with the flags. Prints the command of each action, runs it, and exits as the last one did.
"""

import pathlib
import subprocess
import sys
from types import SimpleNamespace as Made

CC_INFO = "CcInfo"


class Depset:
    def __init__(self, direct=(), transitive=()):
        self.members = [*direct, *(member for more in transitive for member in more.members)]

    def to_list(self):
        return self.members


class Actions:
    def __init__(self):
        self.exit = 0

    def declare_file(self, name):
        return Made(path=name)

    def run_shell(self, command, arguments, inputs, outputs, **_):
        print("inputs:", *(file.path for file in inputs.to_list()))
        print("arguments:", *arguments, flush=True)
        self.exit = subprocess.run(["bash", "-c", command, "bash", *arguments],
                                   check=False).returncode
        for file in outputs:
            assert pathlib.Path(file.path).is_file(), f"{file.path} was not made"


def file_of(path):
    path = pathlib.Path(path)
    return Made(path=str(path), short_path=str(path), basename=path.name,
                extension=path.suffix[1:])


def cc_common(flags):
    def command_line(variables, **_):
        return [*flags, *variables["user_compile_flags"],
                *("-D" + define for define in variables["preprocessor_defines"].to_list()),
                *("-isystem" + folder
                  for folder in variables["system_include_directories"].to_list())]

    return Made(configure_features=lambda **_: None, create_compile_variables=lambda **all: all,
                get_memory_inefficient_command_line=command_line)


def aspects_of(bzl, flags):
    scope = {
        "load": lambda *_: None, "ACTION_NAMES": Made(cpp_compile="c++-compile"),
        "find_cpp_toolchain": lambda ctx: Made(all_files=Depset([file_of("bin/toolchain")])),
        "cc_common": cc_common(flags), "CcInfo": CC_INFO, "depset": Depset, "Label": str,
        "OutputGroupInfo": lambda **groups: groups, "aspect": lambda **all: all,
        "attr": Made(string=lambda default, **_: default, label=lambda default: default),
    }
    exec(compile(bzl.read_text(encoding="utf-8"), bzl, "exec"), scope)  # it is Python, too
    return scope


def main():
    bzl, name, source, *flags = sys.argv[1:]
    aspect = aspects_of(pathlib.Path(bzl), flags)[name]
    actions = Actions()
    context = Made(includes=Depset(), quote_includes=Depset(["."]), system_includes=Depset(["sys"]),
                   defines=Depset(["PUBLIC=1"]), local_defines=Depset(["OWN"]),
                   headers=Depset([file_of("own.h")]))
    rule = Made(attr=Made(srcs=[Made(files=Depset([file_of(source), file_of("own.h")]))],
                          copts=["-DCOPT"]))
    ctx = Made(actions=actions, rule=rule, label=Made(name="lib"), features=[],
               disabled_features=[], attr=Made(fail_level=aspect["attrs"]["fail_level"]),
               fragments=Made(cpp=Made(copts=["-O1"], cxxopts=[])))
    target = {CC_INFO: Made(compilation_context=context)}
    made = aspect["implementation"](target, ctx)[0]["tensorleak"].to_list()
    print("made:", *(file.path for file in made))
    assert aspect["implementation"]({}, ctx)[0]["tensorleak"].to_list() == [], "no C++ at all"
    return actions.exit


if __name__ == "__main__":
    sys.exit(main())
