#!/usr/bin/env python3
"""Opens files in a language server and prints what it says of them.

    lsp.py SERVER FILE [FILE...] [-- SERVER ARGS]

One line per diagnostic, "NAME:LINE:COLUMN: LEVEL: MESSAGE [CODE]", two per fix that it
offers, "  action: TITLE" and "  fix: NEW TEXT", and one for the page that its code links to,
"  page: ADDRESS".
Files are opened one after the other in one server.
"""

import json
import os
import subprocess
import sys

LEVELS = {1: "error", 2: "warning", 3: "information", 4: "hint"}


class Server:
    def __init__(self, command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.requests = 0

    def send(self, method, parameters, is_request=False):
        message = {"jsonrpc": "2.0", "method": method, "params": parameters}
        if is_request:
            self.requests += 1
            message["id"] = self.requests
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit("the server ended")
            if line in (b"\r\n", b"\n"):
                return json.loads(self.process.stdout.read(length))
            name, value = line.decode().split(":", 1)
            if name.lower() == "content-length":
                length = int(value)

    def wait_for(self, wanted):
        while True:
            message = self.receive()
            if wanted(message):
                return message

    def call(self, method, parameters):
        self.send(method, parameters, is_request=True)
        number = self.requests
        return self.wait_for(lambda m: m.get("id") == number)


def edits_of(action):
    for changes in action.get("edit", {}).get("changes", {}).values():
        yield from changes


def show(path, diagnostic):
    start = diagnostic["range"]["start"]
    message = diagnostic["message"].split("\n")[0]
    print(
        f"{os.path.basename(path)}:{start['line'] + 1}:{start['character'] + 1}: "
        f"{LEVELS[diagnostic['severity']]}: {message} [{diagnostic.get('code', '')}]"
    )
    for action in diagnostic.get("codeActions", []):
        print(f"  action: {action['title']}")
        for edit in edits_of(action):
            print(f"  fix: {edit['newText']}")
    if "codeDescription" in diagnostic:
        print(f"  page: {diagnostic['codeDescription']['href']}")


def check(server, path):
    uri = "file://" + os.path.realpath(path)
    with open(path, encoding="utf-8") as source:
        document = {"uri": uri, "languageId": "cpp", "version": 1, "text": source.read()}
    server.send("textDocument/didOpen", {"textDocument": document})
    said = server.wait_for(
        lambda m: m.get("method") == "textDocument/publishDiagnostics"
        and m["params"]["uri"] == uri
    )
    for diagnostic in said["params"]["diagnostics"]:
        show(path, diagnostic)


def main():
    own, _, extra = " ".join(sys.argv[1:]).partition(" -- ")
    server_path, *files = own.split()
    server = Server([server_path, "--background-index=false", "--project-check=false",
                     *extra.split()])
    published = {"codeActionsInline": True, "codeDescriptionSupport": True}
    capabilities = {"textDocument": {"publishDiagnostics": published}}
    server.call("initialize", {"processId": os.getpid(), "rootUri": None,
                               "capabilities": capabilities})
    for path in files:
        check(server, path)
    server.call("shutdown", None)
    server.send("exit", None)
    return server.process.wait()


if __name__ == "__main__":
    sys.exit(main())
