"""cost.py gpu|cpu|deep: the time of a step, to compare alone and under `tensorleak run`."""

import sys
import time

import torch

torch.manual_seed(0)
torch.set_num_threads(1)


def gpu():
    layers = []
    for _ in range(24):
        layers += [torch.nn.Linear(256, 256), torch.nn.LayerNorm(256), torch.nn.GELU()]
    net = torch.nn.Sequential(*layers).to("cuda")
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-3, foreach=False)
    x = torch.randn(64, 256, device="cuda")

    def step():
        optimizer.zero_grad()
        net(x).pow(2).mean().backward()
        optimizer.step()
        torch.cuda.synchronize()

    return step, 1


def cpu():
    a, b = torch.ones(8), torch.ones(8)

    def step():
        for _ in range(1000):
            a + b

    return step, 1000


def deep():
    a, b = torch.ones(8), torch.ones(8)

    def call(depth):
        return call(depth - 1) if depth else a + b

    def step():
        for _ in range(200):
            call(20)

    return step, 200


step, rounds = {"gpu": gpu, "cpu": cpu, "deep": deep}[sys.argv[1]]()
times = []
for _ in range(220):
    begin = time.perf_counter()
    step()
    times.append((time.perf_counter() - begin) / rounds)
times = sorted(times[20:])
print(f"{sys.argv[1]}: least {times[0] * 1e6:.2f} us, median {times[100] * 1e6:.2f} us")
