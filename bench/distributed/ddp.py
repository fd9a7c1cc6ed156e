"""The same with PyTorch: DistributedDataParallel over NCCL; rank 1 keeps its outputs.

torchrun --nproc-per-node 2 ddp.py"""

import os

import torch

STEPS, BATCH, WIDTH = 200, 256, 1024
torch.distributed.init_process_group("nccl")
rank = torch.distributed.get_rank()
gpu = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
torch.cuda.set_device(gpu)
layers = [layer for _ in range(4) for layer in (torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU())]
net = torch.nn.parallel.DistributedDataParallel(
    torch.nn.Sequential(*layers).to(gpu), device_ids=[gpu.index])
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
kept = []
for _ in range(STEPS):
    output = net(torch.randn(BATCH, WIDTH, device=gpu))
    optimizer.zero_grad()
    output.pow(2).mean().backward()
    optimizer.step()
    if rank == 1:
        kept.append(output.detach())
print(f"rank {rank}: done", flush=True)
torch.distributed.destroy_process_group()
