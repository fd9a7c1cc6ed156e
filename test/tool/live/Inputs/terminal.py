"""terminal.py ROWS COMMAND...: runs it on a terminal of its own with 100 columns, and prints
what was written there, escapes as \\e."""

import fcntl
import os
import pty
import struct
import sys
import termios


def main(rows, command):
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 100, 0, 0))
    written = b""
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        written += part
    _, status = os.waitpid(child, 0)
    text = written.decode(errors="replace").replace("\r\n", "\n").replace("\033", "\\e")
    print(text.replace("\\e7", "\n\\e7"))
    return os.waitstatus_to_exitcode(status)


sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
