#!/usr/bin/env python3
"""What PyTorch's own memory history costs, beside `tensorleak run`: the launch-bound loop
of overhead.cpp in Python.

    peers.py [none|python|all] [SNAPSHOT]   median milliseconds of a step; with a history
                                            of Python's stacks, or of all stacks
"""
import statistics
import sys
import time

import torch


def step(net, optimizer, x):
    optimizer.zero_grad()
    net(x).pow(2).mean().backward()
    optimizer.step()
    torch.cuda.synchronize()


def main():
    history = sys.argv[1] if len(sys.argv) > 1 else "none"
    layers = [m for _ in range(60) for m in (torch.nn.Linear(64, 64), torch.nn.ReLU())]
    net = torch.nn.Sequential(*layers).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-4, foreach=False)
    x = torch.randn(32, 64, device="cuda")
    if history != "none":
        torch.cuda.memory._record_memory_history(stacks=history)
    times = []
    for _ in range(400):
        start = time.perf_counter()
        step(net, optimizer, x)
        times.append(time.perf_counter() - start)
    print(f"python, history {history}: {1000 * statistics.median(times):.3f} ms per step")
    if len(sys.argv) > 2:
        torch.cuda.memory._dump_snapshot(sys.argv[2])


main()
