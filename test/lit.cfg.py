"""How lit runs tensorleak's tests.

Substitutions:
  %tensorleak     the tensorleak command
  %build          the folder that it is built in
  %check_tensor   check_tensor.py: findings against the comments in the test
  %check_facts    check_facts.py: --dump-facts against the comments in the test
  %rewriter       the rewriter of the metamorphic tests
  %matrix         what runs it over the rule tests
  %seeded         what puts bugs into real sources
  %mock_flags     the flags that make the stand-in LibTorch headers visible
  %torch_flags    the same for the real LibTorch
  %torch_include  its include folders, for a program of the test's own
  %torch_link     what links such a program with it
  %clangxx        the compiler of the LLVM that the tool is built on
  %python         the Python that runs the scripts
  %browse         opens a page in a headless Chromium and prints what became of it
  %interact       uses the report's page there with keys and a mouse
  %tidy           clang-tidy with our plugin loaded
  %clangd         our clangd
Features:
  llvm-22, llvm-19   the LLVM that the tool is built on
  clangd             our clangd is built
  tidy               the plugin is built, and its clang-tidy is installed
  clang              that compiler is there
  check              the source checks are built, not the verifier alone
  torch              there is a real LibTorch: TORCH_ROOT, or the installed one
  cuda-toolkit       a CUDA toolkit is installed in the usual place
  no-python-headers  the compiler finds no Python.h by itself
  gpu                an NVIDIA driver answers
  python-torch       that Python has PyTorch
  jsonschema, yaml   that Python has these modules
  chromium           there is a Chromium, which the report's page is opened in
  dpkg-dev, jq, groff, zsh  their programs are installed
"""

import os
import shutil
import subprocess

import lit.formats

config.name = "tensorleak"
config.test_format = lit.formats.ShTest(execute_external=False)
config.test_source_root = os.path.dirname(__file__)
config.suffixes = [".cpp", ".cu", ".c", ".test"]
config.excludes = ["mock", "Inputs", "rewriter"]

build = config.tensorleak_build_root
mock = os.path.join(config.test_source_root, "mock")
tensorleak = os.path.join(build, "bin", "tensorleak")
rewriter = os.path.join(build, "bin", "tensorleak-rewriter")
clangd = os.path.join(build, "bin", "tensorleak-clangd")
plugin = os.path.join(build, "lib", "libtensorleak-tidy.so")
clang_tidy = os.path.join(config.llvm_tools_dir, "clang-tidy")
torch_root = config.torch_root or "/usr"
torch_include = os.path.join(torch_root, "include", "torch", "csrc", "api", "include")
torch_includes, torch_link = [torch_include], ["-ltorch", "-ltorch_cpu", "-lc10"]
if config.torch_root:
    torch_includes.append(os.path.join(torch_root, "include"))
    lib = os.path.join(torch_root, "lib")
    torch_link[:0] = [f"-L{lib}", f"-Wl,-rpath,{lib}", "-Wl,--no-as-needed"]
check_tensor = os.path.join(config.test_source_root, "check_tensor.py")

config.substitutions += [
    ("%tensorleak", tensorleak),
    ("%build", build),
    ("%check_tensor", f"{config.python} {check_tensor} --tool {tensorleak} --mock {mock}"
                     f" --torch {torch_root}"),
    ("%check_facts", f"{config.python} {os.path.join(config.test_source_root, 'check_facts.py')}"
                     f" --tool {tensorleak} --torch {torch_root}"),
    ("%rewriter", rewriter),
    ("%matrix", f"{config.python} {os.path.join(config.test_source_root, 'metamorphic/matrix.py')}"
                f" --tool {tensorleak} --rewriter {rewriter}"),
    ("%seeded", f"{config.python} {os.path.join(config.test_source_root, '../bench/seeded/run')}"
                f" --tool {tensorleak} --rewriter {rewriter}"),
    ("%mock_flags", f"-std=c++17 -isystem {mock}"),
    ("%torch_flags", " ".join(["-std=c++17"] + ["-isystem " + i for i in torch_includes])),
    ("%torch_include", " ".join("-isystem " + i for i in torch_includes)),
    ("%torch_link", " ".join(torch_link)),
    ("%clangxx", os.path.join(config.llvm_tools_dir, "clang++")),
    ("%python", config.python),
    ("%clangd", clangd),
    ("%tidy", f"{clang_tidy} --load={plugin}"),
]

config.available_features.add("llvm-" + config.llvm_version_major)
if os.path.exists(os.path.join(config.llvm_tools_dir, "clang++")):
    config.available_features.add("clang")
if subprocess.run([tensorleak, "check", "--help"], capture_output=True).returncode == 0:
    config.available_features.add("check")
if os.path.exists(clangd):
    config.available_features.add("clangd")
if os.path.exists(plugin) and os.path.exists(clang_tidy):
    config.available_features.add("tidy")
if os.path.exists(os.path.join(torch_include, "torch", "torch.h")):
    config.available_features.add("torch")
if os.path.exists("/usr/local/cuda/include/cuda_runtime.h"):
    config.available_features.add("cuda-toolkit")
usual = ("/usr/include", "/usr/local/include")
if not any(os.path.exists(os.path.join(folder, "Python.h")) for folder in usual):
    config.available_features.add("no-python-headers")
for module, feature in (("torch", "python-torch"), ("jsonschema", "jsonschema"), ("yaml", "yaml")):
    find = f"import importlib.util, sys; sys.exit(not importlib.util.find_spec('{module}'))"
    if subprocess.run([config.python, "-c", find]).returncode == 0:
        config.available_features.add(feature)
chromium = shutil.which("chromium") or shutil.which("google-chrome")
page_tests = os.path.join(config.test_source_root, "tool", "page", "Inputs")
if chromium:
    config.available_features.add("chromium")
    for use in ("browse", "interact"):
        config.substitutions.append(
            (f"%{use}", f"{config.python} {os.path.join(page_tests, use)}.py {chromium}"))
else:
    lit_config.note("no Chromium is installed: the report's page is not tested in a browser")
for program, feature in (("dpkg-shlibdeps", "dpkg-dev"), ("jq", "jq"), ("groff", "groff"),
                         ("zsh", "zsh")):
    if shutil.which(program):
        config.available_features.add(feature)
if shutil.which("nvidia-smi"):
    config.available_features.add("gpu")

path = os.pathsep.join([config.llvm_tools_dir, config.environment["PATH"]])
config.environment["PATH"] = path
# Tests share one cache with each other and none with the user.
# What failed on another machine must be seen in its log.
config.environment["FILECHECK_OPTS"] = "--dump-input=fail --dump-input-context=60"
config.environment["XDG_CACHE_HOME"] = os.path.join(config.test_exec_root, "cache")

# The repository's own .clang-tidy is for its sources, not for what tests write below the build.
with open(os.path.join(config.test_exec_root, ".clang-tidy"), "w", encoding="utf-8") as own:
    own.write("Checks: ''\n")
