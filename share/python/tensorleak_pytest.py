"""Limits on the memory of a test, for pytest.

    @pytest.mark.limit_memory("24 MB")
    def test_embedding(): ...

    @pytest.mark.limit_leaks("1 MB", warmups=1)
    def test_server(): ...

    tensorleak run -- python3 -m pytest -p tensorleak_pytest

Memory of tensors is counted, on any device. limit_memory: no device may hold more than that
above what it held when the test began. limit_leaks: of what the test allocates, no line may keep
more than that when it has ended; it runs `warmups` times before, uncounted. Without the probe
the tests run as ever, and a line at the end says that nothing was limited.
docs/testing.md has the rest.
"""

import contextlib
import ctypes
import functools
import gc
import re

import pytest

# As in include/tensorleak/expect.h.
PEAK_BELOW, KEPT_BELOW = 2, 3
HOLDS, FAILS = 0, 1

LIMITS = {"limit_leaks": KEPT_BELOW, "limit_memory": PEAK_BELOW}
MARKERS = [
    "limit_memory(limit): no device holds more than `limit` above what it held before the test",
    "limit_leaks(limit, warmups=0): no line keeps more than `limit` of what the test allocates; "
    "it runs `warmups` times before",
]
SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)i?(?:B|bytes?)?\s*", re.IGNORECASE)


def bytes_of(limit):
    """What "24 MB" is, or a plain number. A kilobyte has 1024 bytes, as for pytest-memray."""
    if isinstance(limit, int):
        return limit
    size = SIZE.fullmatch(str(limit))
    if not size:
        raise ValueError(f"{limit!r} is no size; write one as '24 MB'")
    return int(float(size[1]) * 1024 ** "_KMGT".index(size[2].upper() or "_"))


class Probe:
    """What tensorleak's probe offers in this process, if it is there."""

    def __init__(self):
        functions = ctypes.CDLL(None)
        self.is_there = hasattr(functions, "tensorleak_probe_scope_begin")
        if not self.is_there:
            return
        self.begin = functions.tensorleak_probe_scope_begin
        self.begin.argtypes = [ctypes.c_uint, ctypes.c_uint64, ctypes.c_char_p, ctypes.c_uint]
        self.begin.restype = ctypes.c_uint64
        self.end = functions.tensorleak_probe_scope_end
        self.end.argtypes = [ctypes.c_uint64, ctypes.c_char_p, ctypes.c_size_t]
        self.leave = functions.tensorleak_probe_scope_leave
        self.leave.argtypes = [ctypes.c_uint64]

    def judged(self, scope):
        """The answer, and its text."""
        text = ctypes.create_string_buffer(4096)
        return self.end(scope, text, len(text)), text.value.decode(errors="replace")


class Limits:
    """The plugin."""

    def __init__(self):
        self.probe = Probe()
        self.not_judged = {}  # by test: why

    @contextlib.contextmanager
    def limited(self, item, kind, limit):
        """What runs within is one scope; a test that fails by itself is not judged."""
        file, line, _ = item.location
        scope = self.probe.begin(kind, limit, file.encode(), (line or 0) + 1)
        try:
            yield
        except BaseException:
            self.probe.leave(scope)
            raise
        if kind == KEPT_BELOW:
            gc.collect()
        answer, text = self.probe.judged(scope)
        if answer == FAILS:
            pytest.fail(text, pytrace=False)
        if answer != HOLDS:
            self.not_judged[item.nodeid] = text

    # Last of the wrappers: what another one makes of the test, such as a coroutine that is run
    # to its end, is what is watched.
    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_pyfunc_call(self, pyfuncitem):
        limits = {m.name: m for m in map(pyfuncitem.get_closest_marker, LIMITS) if m}
        if limits and self.probe.is_there:
            pyfuncitem.obj = self.watched(pyfuncitem, pyfuncitem.obj, limits)
        elif limits:
            self.not_judged[pyfuncitem.nodeid] = ""
        yield

    def watched(self, item, test, limits):
        @functools.wraps(test)
        def run(*args, **kwargs):
            sizes = {name: arguments_of(marker) for name, marker in limits.items()}
            for _ in range(max(warmups for _, warmups in sizes.values())):
                test(*args, **kwargs)
            with contextlib.ExitStack() as scopes:
                for name, (size, _) in sizes.items():
                    scopes.enter_context(self.limited(item, LIMITS[name], size))
                test(*args, **kwargs)
        return run

    def pytest_terminal_summary(self, terminalreporter):
        if not self.not_judged:
            return
        if not self.probe.is_there:
            terminalreporter.write_line(
                f"tensorleak: the limits of {len(self.not_judged)} tests were not looked at; run "
                "them as 'tensorleak run -- python3 -m pytest'")
            return
        for test, why in self.not_judged.items():
            terminalreporter.write_line(f"tensorleak: {test} could not be judged: {why}")


def arguments_of(marker):
    """The limit in bytes, and the warm-ups."""
    def arguments(limit, warmups=0):
        return bytes_of(limit), warmups
    try:
        return arguments(*marker.args, **marker.kwargs)
    except (TypeError, ValueError) as error:
        return pytest.fail(f"{marker.name}: {error}", pytrace=False)


def pytest_configure(config):
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)
    config.pluginmanager.register(Limits(), "tensorleak-limits")
