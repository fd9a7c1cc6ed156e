"""Tests with limits, on the fake caching allocator that FAKE_ALLOCATOR names."""

import ctypes
import os

import pytest

fake = ctypes.CDLL(os.environ["FAKE_ALLOCATOR"])
fake.fakeAllocate.restype = ctypes.c_void_p
fake.fakeAllocate.argtypes = [ctypes.c_size_t]
fake.fakeFree.argtypes = [ctypes.c_void_p]
fake.fakeImport()
runs = []


class Tensor:
    def __init__(self, size):
        self.data = fake.fakeAllocate(size)

    def __del__(self):
        fake.fakeFree(self.data)


@pytest.fixture
def cache():
    return {}


def embed(cache, size):
    cache[len(cache)] = Tensor(size)


@pytest.mark.limit_leaks("1 KB")
def test_keeps(cache):
    embed(cache, 4096)


@pytest.mark.limit_leaks("4 KB")
def test_keeps_what_it_may(cache):
    embed(cache, 4096)


@pytest.mark.limit_leaks("0 B")
def test_frees(cache):
    embed({}, 4096)


@pytest.mark.limit_leaks("0 B")
def test_frees_what_refers_to_itself():
    ring = {}
    ring[1] = Tensor(4096)
    ring[2] = ring


@pytest.mark.limit_leaks("0 B", warmups=2)
def test_after_warmups(cache):
    runs.append(1)
    if not cache:
        embed(cache, 4096)


def test_warmups_were_two():
    assert len(runs) in (1, 3)


@pytest.mark.limit_memory("64 KB")
def test_low():
    for _ in range(8):
        Tensor(32 << 10)


@pytest.mark.limit_memory(limit=40000)
def test_high():
    first = Tensor(32 << 10)
    second = Tensor(16 << 10)
    del first, second


@pytest.mark.limit_leaks("1 KB")
@pytest.mark.limit_memory("1 KB")
@pytest.mark.parametrize("size", [512, 2048])
def test_both(cache, size):
    embed(cache, size)


@pytest.mark.limit_memory("1 KB")
def test_fails_by_itself():
    Tensor(4096)
    assert False, "of its own"


@pytest.mark.limit_memory("many")
def test_no_size():
    pass
