"""How the time of a check grows with the size of what is checked: sources of a given size.

A function of n statements is made of the same ten over and over: layers, sums, branches, loops,
tensors that are kept, device memory that is taken and freed. A file of n statements has as many
functions of ten, each of which calls the one before.
"""

import math
import os
import statistics

import timing

HEAD = """#include <torch/torch.h>
extern "C" int cudaMalloc(void **, unsigned long);
extern "C" int cudaFree(void *);
static std::vector<torch::Tensor> Kept;
"""

TEN = """  torch::Tensor a{n} = Net->forward(X);
  torch::Tensor b{n} = torch::relu(a{n}) + X;
  if (Steps > {n})
    b{n} = b{n} * 2;
  for (int i = 0; i < Steps; ++i)
    Kept.push_back(b{n}.detach());
  void *p{n} = nullptr;
  cudaMalloc(&p{n}, 64);
  cudaFree(p{n});
  X = a{n} + b{n};
"""

FUNCTION = """torch::Tensor f{n}(torch::nn::Linear Net, torch::Tensor X, int Steps) {{
{body}  return X;
}}
"""


def one_function(statements):
    body = "".join(TEN.format(n=n) for n in range(statements // 10))
    return HEAD + FUNCTION.format(n=0, body=body)


def many_functions(statements):
    functions = []
    for n in range(statements // 10):
        call = f"  X = f{n - 1}(Net, X, Steps);\n" if n else ""
        functions.append(FUNCTION.format(n=n, body=call + TEN.format(n=n)))
    return HEAD + "".join(functions)


SHAPES = {"function": one_function, "file": many_functions}
SIZES = (0, 10, 100, 500, 1000, 2500, 5000)
LEAST = 0.05  # seconds more than of an empty file: less is the noise of the machine


def seconds(source, build, env, runs):
    command = [timing.tool(build), "check", "-q", str(source), "--", *timing.FLAGS]
    times = []
    for number in range(runs + 1):
        with open(source, "a") as text:
            text.write(f"// edited {number}\n")
        times.append(timing.user_seconds(command, env))
    return statistics.median(times[1:])  # the first may have made the prelude


def slope(points):
    """Of a straight line through them, by least squares."""
    xs, ys = zip(*points)
    x, y = statistics.fmean(xs), statistics.fmean(ys)
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a in xs)


def exponents(build, folder, runs):
    """By shape: the exponent, and the seconds of each size."""
    out = {}
    env = dict(os.environ, TENSORLEAK_CACHE_DIR=os.path.join(folder, "cache"))
    for shape, make in SHAPES.items():
        times = {}
        for size in SIZES:
            source = os.path.join(folder, f"{shape}{size}.cpp")
            with open(source, "w") as text:
                text.write(make(size))
            times[size] = seconds(source, build, env, runs)
        points = [(math.log(size), math.log(time - times[0]))
                  for size, time in times.items() if time - times[0] > LEAST]
        out[shape] = (slope(points) if len(points) > 1 else float("nan"), times)
    return out
