"""What may happen while a server is watched: ends.py TOOL SERVER WHAT.

killed: the tool is killed without a chance to say goodbye; another attach works, and the server
ends as ever. exits: the server ends by itself. twice: two attaches at once. busy: a program with
one thread that never waits. lingers: it is left while the destructors of the server run.
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time


def ask(client, times=60):
    for _ in range(times):
        client.sendall(b"1")
        assert float(client.recv(64)) == 1025
        time.sleep(0.005)


def attach(pid, *options):
    return subprocess.Popen([tool, "attach", str(pid), *options], stderr=subprocess.PIPE, text=True)


def until(process, text):
    for line in process.stderr:
        print(line, end="")
        if text in line:
            return
    sys.exit(f"the tool did not say '{text}'")


def finish(process, prefix):
    for line in process.communicate()[1].splitlines():
        print(prefix, line)
    print(prefix, "code", process.returncode)


def killed():
    first = attach(server.pid, "--for", "60s")
    until(first, "watching")
    ask(client)
    first.kill()
    time.sleep(2)
    ask(client)
    threads = len(os.listdir(f"/proc/{server.pid}/task"))
    print("threads of the server:", threads)
    second = attach(server.pid, "--for", "2s")
    until(second, "watching")
    ask(client, 200)
    finish(second, "second:")


def exits():
    first = attach(server.pid, "--for", "60s")
    until(first, "watching")
    ask(client, 300)
    client.close()
    finish(first, "first:")


def twice():
    first = attach(server.pid, "--for", "60s")
    until(first, "watching")
    finish(attach(server.pid), "second:")
    ask(client)
    first.send_signal(signal.SIGINT)
    finish(first, "first:")


def busy():
    server.stdout.readline()
    first = attach(server.pid, "--for", "2s")
    until(first, "watching")
    finish(first, "first:")


def lingers():
    server.stdout.readline()
    first = attach(server.pid, "--for", "1s")
    until(first, "watching")
    open("stop", "w").close()
    finish(first, "first:")


tool, program, what = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    modes = {"busy": "leak-busy", "lingers": "leak-busy-linger"}
    clients = [] if what in modes else ["s", "1"]
    mode = modes.get(what, "leak")
    server = subprocess.Popen([program, mode, *clients], stdout=subprocess.PIPE, text=True)
    client = socket.socket(socket.AF_UNIX)
    while clients and not os.path.exists("s"):
        time.sleep(0.1)
    time.sleep(0.2)
    if clients:
        client.connect("s")
        ask(client)
    globals()[what]()
    client.close()
    open("stop", "w").close()
    out = server.communicate(timeout=60)[0]
    print("server:", server.returncode, out, end="")
