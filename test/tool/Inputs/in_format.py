"""in_format.py TENSORLEAK FORMAT FOLDER FLAGS...: reports of one program in a format, in FOLDER:

    checked   of `check`, from the folder that the source is in
    hostile   the same where the file has a name with quotes, markup, control characters and
              bytes that are not UTF-8
    judged    of `run -o`, of a program that never runs the findings' lines
"""

import os
import subprocess
import sys

SOURCE = """\
#include <torch/torch.h>
std::vector<torch::Tensor> Kept;
void keep(torch::nn::Linear Net, torch::Tensor X) {
  for (int I = 0; I < 9; ++I)
    Kept.push_back(Net->forward(X));
}
"""

tool, form, folder, *flags = sys.argv[1:]


def check(name, output, form=form):
    with open(os.path.join(os.fsencode(folder), name), "w", encoding="utf-8") as file:
        file.write(SOURCE)
    # 1: there are findings.
    command = [tool, "check", name, "-q", "--format", form, "-o", output, "--", *flags]
    result = subprocess.run(command, cwd=folder, check=False)
    if result.returncode != 1:
        sys.exit(f"check ends with {result.returncode}")


# A configuration of its own: none above it counts.
with open(os.path.join(folder, ".clang-tidy"), "w", encoding="utf-8") as file:
    file.write("WarningsAsErrors: ''\n")
check(b"leak.cpp", "checked")
check(b"q\"'<&>]]>\\\x01\x1b\xff.cpp", "hostile")
check(b"leak.cpp", "found.sarif", "sarif")
subprocess.run([tool, "run", "--findings", "found.sarif", "--format", form, "-o", "judged", "--",
                "true"], cwd=folder, check=True, stderr=subprocess.PIPE)
