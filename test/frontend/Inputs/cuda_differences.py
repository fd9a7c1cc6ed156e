"""Holds our declarations of CUDA against the headers of a toolkit.

    cuda_differences.py CLANG OURS THEIRS ALLOWED

Reads what OURS declares in C (functions, fields, enumerators, macros that are numbers) and
prints where THEIRS lacks the name, or gives it another canonical type or value, and which
of THEIRS' include guards OURS lacks. ALLOWED lists the differences that are meant, by
patterns under headings that give the reason. Exits with 1 if a difference is not listed
there, or if a pattern fits no difference. Names come and go with releases: a toolkit of
another major version than REVIEWED is asked only for types and values.

Canonical types come from the compiler: for each name it gets a function whose parameter has
the name's type, and the mangled name of that function spells the type out.
"""

import fnmatch
import json
import os
import re
import subprocess
import sys
import tempfile

REVIEWED = 13
HEADERS = """cuComplex.h cublasLt.h cublasXt.h cublas_v2.h cuda.h cudaProfiler.h cuda_bf16.h
    cuda_fp16.h cuda_profiler_api.h cuda_runtime.h cuda_runtime_api.h cudnn.h cufft.h cufftXt.h
    curand.h cusolverDn.h cusolverSp.h cusparse.h driver_types.h library_types.h
    math_constants.h nccl.h nvrtc.h nvtx3/nvToolsExt.h nvtx3/nvToolsExtCudaRt.h surface_types.h
    texture_types.h vector_functions.h vector_types.h""".split()


class Toolkit:
    """A folder of headers, and a compiler that reads some of them as C."""

    def __init__(self, clang, folder, headers):
        self.clang, self.folder, self.headers = clang, folder, headers

    def compile(self, lines, *flags):
        """What the compiler prints for the lines after the headers; line 1 is the first."""
        text = [f"#include <{header}>" for header in self.headers] + ['#line 1 "probes"'] + lines
        with tempfile.NamedTemporaryFile("w", suffix=".c") as source:
            source.write("\n".join(text) + "\n")
            source.flush()
            return subprocess.run(
                [self.clang, "-x", "c", "-w", "-ferror-limit=0", f"-I{self.folder}", *flags,
                 source.name], capture_output=True, text=True)

    def printed(self, lines, *flags):
        done = self.compile(lines, *flags)
        if done.returncode:
            sys.exit(done.stderr)
        return done.stdout

    def meanings(self, probes):
        """By name, its type as the compiler mangles it, or its value; without those that
        the headers do not declare."""
        names = list(probes)
        lines = [probes[name].format(f"probe{n}_") for n, name in enumerate(names)]
        errors = self.compile(lines, "-fsyntax-only").stderr
        for number in re.findall(r"^probes:(\d+):\d+: error", errors, re.M):
            lines[int(number) - 1] = ""
        code = self.printed(lines, "-S", "-emit-llvm", "-o", "-")
        types = re.findall(r"@_Z\d+probe(\d+)_(\w+)\(", code)
        values = re.findall(r"@probe(\d+)_ = .*constant i64 (-?\d+)", code)
        return {names[int(n)]: what for n, what in types + values}

    def text(self, header):
        with open(os.path.join(self.folder, header), errors="replace") as file:
            return file.read()

    def guard(self, header):
        """The macro that is set once the header was read; '' if it uses none."""
        found = re.search(r"^\s*#\s*if(?:ndef\s+|\s+!\s*defined\s*\(\s*)(\w+)\s*\)?\s*\n"
                          r"\s*#\s*define\s+\1\s*$", self.text(header), re.M)
        return found[1] if found else ""


class Declarations:
    """The names that the headers of a folder declare, from clang's dump of the AST."""

    def __init__(self, toolkit):
        self.toolkit, self.file, self.probes = toolkit, "", {}
        dump = toolkit.printed([], "-fsyntax-only", "-Xclang", "-ast-dump=json")
        for node in json.loads(dump)["inner"]:
            self.read(node)

    def move_to(self, location):
        """The dump names a file only where it is another than the last one's."""
        self.move_to(location["spellingLoc"]) if "spellingLoc" in location else None
        self.move_to(location["expansionLoc"]) if "expansionLoc" in location else None
        self.file = location.get("file", self.file)

    def read(self, node):
        self.move_to(node.get("loc", {}))
        if self.file.startswith(self.toolkit.folder):
            self.add(node)
        for end in ("begin", "end"):
            self.move_to(node.get("range", {}).get(end, {}))
        for child in node.get("inner", []):
            self.read(child)

    def add(self, node):
        kind, name = node.get("kind"), node.get("name")
        if kind == "FunctionDecl":
            self.add_type(f"function {name}", f"&{name}")
        elif kind == "EnumConstantDecl":
            self.add_value(f"enumerator {name}", name)
        elif kind == "RecordDecl" and name:
            tag = f"{node['tagUsed']} {name}"
            for field in node.get("inner", []):
                if field.get("kind") == "FieldDecl" and "name" in field:
                    self.add_type(f"field {name}.{field['name']}",
                                  f"&(({tag} *)0)->{field['name']}")

    def add_macros(self):
        """Those that stand for a number."""
        file = ""
        for line in self.toolkit.printed([], "-E", "-dD").splitlines():
            if marker := re.match(r'# \d+ "(.*?)"', line):
                file = marker[1]
            elif macro := re.match(r"#define (\w+) \(?-?(0[xX])?[0-9a-fA-F]+[uUlL]*\)?$", line):
                if file.startswith(self.toolkit.folder):
                    self.add_value(f"macro {macro[1]}", macro[1])

    def add_type(self, key, expression):
        self.probes[key] = ("__attribute__((overloadable)) void {}(__typeof__("
                            + expression + ") p) {{}}")

    def add_value(self, key, expression):
        self.probes[key] = "const long long {} = " + expression + ";"


def demangled(clang, what):
    if re.fullmatch(r"-?\d+", what):
        return what
    tool = os.path.join(os.path.dirname(clang), "llvm-cxxfilt")
    done = subprocess.run([tool, f"_Z1f{what}"], capture_output=True, text=True)
    return done.stdout.strip()[2:-1]


def differences(ours, theirs):
    """Pairs of a name and what is different."""
    declared = Declarations(ours)
    declared.add_macros()
    mine, other = ours.meanings(declared.probes), theirs.meanings(declared.probes)
    for name in sorted(declared.probes):
        if name not in mine:
            sys.exit(f"{name}: our own declaration gives no type or value")
        if name not in other:
            yield name, "not there"
        elif mine[name] != other[name]:
            there = demangled(theirs.clang, other[name])
            yield name, f"{demangled(ours.clang, mine[name])}, there {there}"
    for header in sorted(os.listdir(ours.folder)):
        if os.path.isfile(os.path.join(theirs.folder, header)):
            guard = theirs.guard(header)
            if guard and f"#define {guard}\n" not in ours.text(header):
                yield f"guard {header}", f"{guard} is not there"


def is_reviewed(toolkit):
    version = toolkit.meanings({"version": "const long long {} = CUDART_VERSION;"})
    return int(version["version"]) // 1000 == REVIEWED


def main(clang, ours, theirs, allowed):
    headers = [h for h in HEADERS if os.path.exists(os.path.join(theirs, h))]
    toolkit = Toolkit(clang, theirs, headers)
    reviewed = is_reviewed(toolkit)
    with open(allowed) as file:
        patterns = {line.strip() for line in file if line.strip() and not line.startswith("#")}
    unused, failed = set(patterns), False
    for name, what in differences(Toolkit(clang, ours, headers), toolkit):
        fitting = {p for p in patterns if fnmatch.fnmatchcase(name, p)}
        unused -= fitting
        if not fitting and (reviewed or not what.endswith("not there")):
            print(f"{name}: {what}")
            failed = True
    for pattern in sorted(unused if reviewed else []):
        print(f"'{pattern}' fits no difference: remove it from {allowed}")
        failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
