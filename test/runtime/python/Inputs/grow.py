"""grow.py LIBRARY MODE: a program on the fake caching allocator, without LibTorch."""

import ctypes
import sys
import threading

free_lock = ctypes.CDLL(sys.argv[1])  # gives Python's lock up for each call
keep_lock = ctypes.PyDLL(sys.argv[1])
for library in (free_lock, keep_lock):
    library.fakeAllocate.restype = ctypes.c_void_p
    library.fakeAllocate.argtypes = [ctypes.c_size_t]
    library.fakeFree.argtypes = [ctypes.c_void_p]
free_lock.fakeImport()
step = ctypes.CDLL(None).tensorleak_probe_step


class Cache:
    def __init__(self):
        self.kept = []

    def keep(self, library):
        self.kept.append(library.fakeAllocate(4096))  # finding: keep retention plain 4096

    def first(self):
        self.kept.append(free_lock.fakeAllocate(12288))  # finding: first_of_all ownership plain

    def drop(self, library):
        data = library.fakeAllocate(1 << 16)  # finding: drop retention plain 65536
        library.fakeFree(data)


def deep(depth, call):
    return deep(depth - 1, call) if depth else call()


def in_thread(call):
    thread = threading.Thread(target=call)
    thread.start()
    thread.join()


def lines(steps):
    """Two lines of one function, that call the same helper."""
    a, b = [], []
    for _ in range(steps):
        a.append(helper())  # finding: first retention plain
        data = helper()  # finding: second retention plain
        b.append(data)
        free_lock.fakeFree(b.pop())
        step()


def helper():
    return free_lock.fakeAllocate(1024)


def never():
    return helper()  # finding: never retention plain


def main(mode, steps=64):
    cache = Cache()
    if mode == "first":
        return cache.first()
    if mode == "lines":
        return lines(steps)
    for _ in range(steps):
        if mode == "freed":
            cache.keep(free_lock)
        elif mode == "kept":
            cache.keep(keep_lock)
        elif mode == "deep":
            deep(100, lambda: cache.keep(free_lock))
        elif mode == "thread":
            in_thread(lambda: cache.keep(free_lock))
        elif mode == "error":
            try:
                raise ValueError("an error is being handled")
            except ValueError:
                cache.keep(free_lock)
        cache.drop(free_lock)
        step()


main(sys.argv[2])
print("done", sys.gettrace(), sys.getprofile())
