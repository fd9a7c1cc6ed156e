"""Runs a server, asks it all the time, and attaches to it meanwhile.

client.py TOOL SERVER MODE CLIENTS [ATTACH-OPTIONS...]; "--" begins the options of another
attach, after the first. Prints what each attach said; fails where an answer is wrong or missing,
where the server's code is not what its file says afterwards, or where the server ends otherwise
than it would alone.
"""

import socket
import subprocess
import sys
import tempfile
import threading
import time


class Client(threading.Thread):
    """Asks until it is told to stop, and counts the answers."""

    def __init__(self, path):
        super().__init__()
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.socket.settimeout(30)
        self.stopping, self.answers, self.slowest, self.error = False, 0, 0, None

    def run(self):
        try:
            while not self.stopping:
                before = time.monotonic()
                self.socket.sendall(b"%d" % self.answers)
                answer = float(self.socket.recv(64))
                assert answer == 1024 + self.answers, answer
                self.slowest = max(self.slowest, time.monotonic() - before)
                self.answers += 1
                time.sleep(0.002)
        except Exception as error:
            self.error = error
        self.socket.close()


def connect(path):
    for _ in range(300):
        try:
            return Client(path)
        except OSError:
            time.sleep(0.1)
    sys.exit("the server does not listen")


def answered_more(clients):
    """Whether each client gets answers now."""
    before = [c.answers for c in clients]
    for _ in range(100):
        time.sleep(0.1)
        if all(c.answers > b + 3 for c, b in zip(clients, before)):
            return
    sys.exit(f"no answers: {[(c.answers, c.error) for c in clients]}")


def groups(options):
    out = [[]]
    for option in options:
        if option == "--":
            out.append([])
        else:
            out[-1].append(option)
    return out


def check_code(process, program):
    """All that can be executed of it is as in the file, and nobody can write to it."""
    with open(f"/proc/{process}/maps") as maps:
        parts = [line.split() for line in maps if line.rstrip().endswith(program)]
    for where, rights, offset, *_ in [part for part in parts if "x" in part[1]]:
        begin, end = (int(address, 16) for address in where.split("-"))
        with open(f"/proc/{process}/mem", "rb") as memory, open(program, "rb") as file:
            memory.seek(begin)
            file.seek(int(offset, 16))
            want = file.read(end - begin)
            if rights != "r-xp" or memory.read(end - begin)[: len(want)] != want:
                sys.exit(f"the code at {where} ({rights}) is not what it was")


def main():
    tool, server, mode, count, *options = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/s"
        process = subprocess.Popen([server, mode, path, count], stdout=subprocess.PIPE, text=True)
        clients = [connect(path) for _ in range(int(count))]
        for client in clients:
            client.start()
        answered_more(clients)
        code = 0
        for group in groups(options):
            attach = subprocess.Popen([tool, "attach", str(process.pid), *group],
                                      stderr=subprocess.PIPE, text=True)
            answered_more(clients)
            print(attach.communicate()[1], end="")
            code = code or attach.returncode
            print("attach:", attach.returncode)
            answered_more(clients)
            check_code(process.pid, server)
        for client in clients:
            client.stopping = True
        for client in clients:
            client.join()
        out = process.communicate(timeout=60)[0]
        total = sum(c.answers for c in clients)
        print("slowest:", max(c.slowest for c in clients))
        if [c.error for c in clients if c.error]:
            sys.exit(str([c.error for c in clients]))
        if process.returncode != 7 or out != f"served {total}\n":
            sys.exit(f"the server ended with {process.returncode}: {out!r}, not {total}")
        print("the server ended as ever")


main()
