"""shapes.py MODE [STEPS]: shapes of docs/patterns.md in Python, a mode each, and clean-MODE, its
clean twin. Comments mark findings as in the C++ programs of test/tool/run."""

import sys

import torch

clean = sys.argv[1].startswith("clean-")
mode = sys.argv[1].removeprefix("clean-")
steps = int(sys.argv[2]) if len(sys.argv) > 2 else 60


def add():
    """Row 28: the input dies at once."""
    with torch.no_grad():
        x = torch.ones(1024, 1024)
        for _ in range(30):
            if clean:
                x.add_(1)
            else:
                x = x + 1  # finding: add peak plain 4194304
    return x.numel()


class Net(torch.nn.Module):
    """Row 16: intermediates in a member."""

    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(64, 256)
        self.outer = torch.nn.Linear(256, 1)
        self.seen = []

    def forward(self, x):
        hidden = torch.tanh(self.inner(x))  # producer: seen
        if not clean:
            self.seen.append(hidden)  # finding: seen retention graph
        return self.outer(hidden)


def batch():
    return torch.ones(128, 64)


def members():
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = net(batch()).pow(2).mean()
        loss.backward()
        optimizer.step()
    return len(net.seen)


def gradients():
    """Row 26: wrong gradients, and no growth."""
    net = torch.nn.Linear(64, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.0001)
    for _ in range(steps):
        if clean:
            optimizer.zero_grad()
        loss = net(batch()).pow(2).mean()
        loss.backward()  # finding: nozero correctness plain
        optimizer.step()
    return steps


def after():
    """Row 29: a tensor outlives its last use."""
    with torch.no_grad():
        big = torch.ones(1024, 1024)  # producer: big
        total = 0.0
        for _ in range(3):
            total += big.sum().item()  # finding: big peak lastuse
        if clean:
            del big
        bigger = torch.ones(1024, 2048)
        return total + bigger.sum().item()


shapes = {"add": add, "members": members, "gradients": gradients, "after": after}
print(shapes[mode]())
