"""What is kept of a project's results: results.test says which lines to expect.

    results.py TENSORLEAK PROJECT
"""

import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

TOOL, PROJECT = sys.argv[1], pathlib.Path(sys.argv[2])
CACHE, HELD = PROJECT / "cache", PROJECT / "held"
os.chdir(PROJECT)
os.environ["TENSORLEAK_CACHE_DIR"] = str(CACHE)


def command(*args):
    return [TOOL, "check", "-p", ".", *args]


def told(*args, **how):
    """All that a check says, but how long it took."""
    done = subprocess.run(command(*args), capture_output=True, text=True, **how)
    assert done.returncode in (0, 1, 3), done
    output = f"{done.returncode} {done.stdout}{done.stderr}"
    return re.sub(r"checked in [\d.]+ s", "checked", output)


def entries():
    """A result that is kept gets a file of its own; one that is used keeps its file."""
    return {path.name: path.stat().st_ino for path in CACHE.glob("*.result")}


def hold_inodes():
    """The files of now keep their numbers from others until the next call."""
    shutil.rmtree(HELD, ignore_errors=True)
    HELD.mkdir()
    for path in CACHE.glob("*.result"):
        os.link(path, HELD / path.name)


def analysed(*args):
    """The number of files that a check analysed; its output is that without a cache."""
    hold_inodes()
    before = entries()
    output = told(*args)
    after = entries()
    uncached = told("--no-cache", *args)
    assert output == uncached, f"with the cache:\n{output}\nwithout:\n{uncached}"
    return sum(before.get(name) != inode for name, inode in after.items()), output


def step(what, *args):
    print(f"{what}: {analysed(*args)[0]} analysed")


LAST = ""


def change(what):
    """The same, and whether the output is that of the step before."""
    global LAST
    count, output = analysed("--stats")
    print(f"{what}: {count} analysed, {'same' if output == LAST else 'other'} output")
    LAST = output


def edit(path, old, new, keep_time=False):
    path = PROJECT / path
    times = path.stat()
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    if keep_time:
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        assert path.stat().st_size == times.st_size


def spoil(what, how):
    for path in sorted(CACHE.glob("*.result")):
        how(path)
    change(what)


def kill_some():
    """At any moment, also while entries are written."""
    for _ in range(8):
        (CACHE / random.choice(sorted(entries()))).unlink()
        running = subprocess.Popen(command("-q"), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        time.sleep(random.random() * 0.3)
        running.send_signal(signal.SIGKILL)
        running.wait()
    print(f"killed 8 times: {'same' if told('--stats') == LAST else 'other'} output")


def two_at_once():
    for path in CACHE.glob("*.result"):
        path.unlink()
    both = [subprocess.Popen(command("--stats"), stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True) for _ in range(2)]
    outputs = {re.sub(r"checked in [\d.]+ s", "", one.communicate()[0]) for one in both}
    print(f"two at once: {'same' if len(outputs) == 1 else 'other'} output")
    change_nothing = analysed("--stats")
    assert change_nothing == (0, LAST), change_nothing


def no_room():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))


def expect_sentence(what, sentence, **how):
    """Nothing is kept, and the check says so, but for that sentence as always."""
    lines = told("--stats", **how).splitlines(keepends=True)
    said = [line for line in lines if sentence in line]
    same = "".join(line for line in lines if line not in said) == LAST
    print(f"{what}: {'same' if same else 'other'} output, and {'says so' if said else 'is silent'}")


def clear():
    subprocess.run([TOOL, "cache", "clear"], stdout=subprocess.DEVNULL, check=True)


def shown():
    output = subprocess.run([TOOL, "cache", "show"], capture_output=True, text=True, check=True)
    return re.search(r"(\d+) results?", output.stdout).group(1)


step("cold")
step("unchanged")
step("one file of four", "other.cpp")
step("with statistics", "--stats")
for form in ("sarif", "json"):
    step(f"as {form}", "--format", form)
LAST = told("--stats")
edit("second/helpers.h", "LOSES 1", "LOSES 0", keep_time=True)
change("a header edited, same size and time")
edit("second/helpers.h", "LOSES 0", "LOSES 1", keep_time=True)
change("edited back")
for name in ("use.cpp", "second/helpers.h", "device.h"):
    os.utime(name)
change("touched only")
shadow = PROJECT / "first" / "helpers.h"
shadow.write_text('#include "../device.h"\ninline void give(void *P) { cudaFree(P); }\n')
HELPERS = (PROJECT / "helpers.cpp").read_text()
(PROJECT / "helpers.cpp").write_text("#include <helpers.h>\n")
change("a header appears earlier on the search path")
shadow.unlink()
(PROJECT / "helpers.cpp").write_text(HELPERS)
change("and goes")
(PROJECT / "gone.h").write_text("void unknown(void *);\n")
change("the missing header appears")
edit("compile_commands.json", "-c other.cpp", "-DFREES -c other.cpp")
change("another flag")
edit("compile_commands.json", "-DFREES -c other.cpp", "-c other.cpp")
change("the flag as before")
edit("other.cpp", "}\n", "} // the end\n")
change("a comment in a body")
FREED, USED = "cudaFree(P)        ", "cudaMemset(P, 0, 1)"
edit("helpers.cpp", FREED, USED, keep_time=True)
change("what a body tells the other files")
edit("helpers.cpp", USED, FREED, keep_time=True)
change("told as before, same size and time")
config = PROJECT / ".clang-tidy"
config.write_text("Checks: '-tensor-unfreed-device-memory'\n")
change(".clang-tidy")
config.unlink()
change("no .clang-tidy")
spoil("garbage in the entries", lambda path: path.write_bytes(b"\xa2garbage"))
spoil("entries cut", lambda path: os.truncate(path, path.stat().st_size // 2))
newest = max(CACHE.glob("*.result"), key=lambda path: path.stat().st_mtime_ns)
content = bytearray(newest.read_bytes())
content[len(content) // 2] ^= 1
newest.write_bytes(content)
change("one bit of an entry")
content = newest.read_bytes()
spoil("an entry of another file",
      lambda path: path.write_bytes(content if path != newest else b""))
kill_some()
two_at_once()
clear()
expect_sentence("disk full", "cannot be written: File too large", preexec_fn=no_room)
expect_sentence("cache not writable", "cannot be used: ",
                env={**os.environ, "TENSORLEAK_CACHE_DIR": "/proc/no/cache"})
told(env={**os.environ, "TENSORLEAK_CACHE_MIB": "0"})
print(f"nothing kept: {shown()} results")
told()
print(f"{shown()} results shown")
clear()
print(f"cleared: {shown()} results")
