#!/usr/bin/env python3
"""Counts how many leaks of programs with several phases `tensorleak run` lists.

usage: measure.py TENSORLEAK FOLDER PROGRAM... ; each PROGRAM is a source beside this script.
Prints for each program what was listed of the leak and of its clean twin.
"""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FAKES = os.path.join(HERE, "../../test/runtime/cuda")


def compile_source(name, folder):
    out = os.path.join(folder, os.path.splitext(name)[0])
    source = os.path.join(HERE, name)
    if os.path.exists(out) and os.path.getmtime(out) >= os.path.getmtime(source):
        return out
    common = ["g++", "-std=c++17", "-g", "-O0"]
    if "torch/torch.h" in open(source).read():
        include = "/usr/include/torch/csrc/api/include"
        libraries = ["-ltorch", "-ltorch_cpu", "-lc10", "-pthread"]
        subprocess.run([*common, "-isystem", include, source, "-o", out, *libraries], check=True)
        return out
    cuda = os.path.join(folder, "libcudart.so")
    subprocess.run(["g++", "-std=c++17", "-shared", "-fPIC", FAKES + "/FakeRuntime.cpp", "-o", cuda,
                    "-Wl,-soname,libcudart.so", "-ldl"], check=True)
    subprocess.run([*common, source, "-o", out, "-L" + folder, "-lcudart",
                    "-Wl,-rpath," + folder], check=True)
    return out


def run(tool, program, mode, folder):
    """The confirmed lines, and the remarks of what could not be judged."""
    log = os.path.join(folder, "log")
    sarif = os.path.join(folder, "out.sarif")
    with open(log, "w") as out:
        subprocess.run([tool, "run", "-o", sarif, "--", *program, mode], stdout=subprocess.DEVNULL,
                       stderr=out)
    results = json.load(open(sarif))["runs"][0]["results"]
    lines = []
    for result in results:
        if result.get("properties", {}).get("tensorleak/verdict", "") == "confirmed" or \
                "tensor-observed-" in result["ruleId"]:
            place = result["locations"][0]["physicalLocation"]
            lines.append(place["region"]["startLine"])
    unjudged = [line for line in open(log) if "judged by no rounds" in line]
    return lines, unjudged


def main():
    tool, folder, sources = sys.argv[1], sys.argv[2], sys.argv[3:]
    os.makedirs(folder, exist_ok=True)
    listed = said = false = noisy = total = 0
    for source in sources:
        binary = compile_source(source, folder)
        names = subprocess.run([binary], capture_output=True, text=True, check=True).stdout.split()
        for name in names:
            leak, remark = run(tool, [binary, name], "leak", folder)
            clean, noise = run(tool, [binary, name], "clean", folder)
            total += 1
            listed += bool(leak)
            said += bool(not leak and remark)
            false += bool(clean)
            noisy += bool(noise)
            print(f"{name:24} leak {leak or ('said' if remark else '-')}  "
                  f"clean {clean or ('said' if noise else '-')}", flush=True)
    print(f"{listed} of {total} leaks listed, {said} more said to be judged by no rounds; "
          f"{false} clean twins listed, {noisy} with a remark")


if __name__ == "__main__":
    main()
