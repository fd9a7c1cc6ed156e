#!/usr/bin/env python3
"""Edits two files of a project in a language server that checks the project by itself.

    background.py SERVER ASKED SAVED OLD NEW

Types in ASKED until the server knows what SAVED does, then saves SAVED with NEW in the place of
OLD, and types until that is known, too. Prints how many findings ASKED has each time.
"""

import os
import pathlib
import sys
import time

from lsp import Server

PATIENCE = 300  # seconds, for a machine that has other things to do


class Editor:
    def __init__(self, command):
        self.server = Server(command)
        self.version = 0
        self.server.call("initialize", {"processId": os.getpid(), "rootUri": None,
                                        "capabilities": {}})

    def open(self, path):
        self.server.send("textDocument/didOpen", {"textDocument": {
            "uri": path.as_uri(), "languageId": "cpp", "version": 1, "text": path.read_text()}})
        return self.findings(path)

    def findings(self, path):
        said = self.server.wait_for(
            lambda m: m.get("method") == "textDocument/publishDiagnostics"
            and m["params"]["uri"] == path.as_uri())
        return sum(d["severity"] <= 2 for d in said["params"]["diagnostics"])  # no notes

    def type_in(self, path):
        self.version += 1
        self.server.send("textDocument/didChange", {
            "textDocument": {"uri": path.as_uri(), "version": self.version + 1},
            "contentChanges": [{"text": f"{path.read_text()}// {self.version}\n"}]})
        return self.findings(path)

    def type_until(self, path, count):
        begin = time.monotonic()
        while self.type_in(path) != count:
            if time.monotonic() - begin > PATIENCE:
                sys.exit(f"{path.name} does not get {count} findings")
            time.sleep(0.5)
        print(f"{path.name}: {count} findings", flush=True)


def main():
    command, asked, saved, old, new = sys.argv[1:]
    asked, saved = pathlib.Path(asked).resolve(), pathlib.Path(saved).resolve()
    editor = Editor([command, "--background-index=false"])
    editor.open(saved)
    editor.open(asked)
    editor.type_until(asked, 0)
    saved.write_text(saved.read_text().replace(old, new))
    editor.server.send("textDocument/didSave", {"textDocument": {"uri": saved.as_uri()}})
    editor.type_until(asked, 1)
    editor.server.call("shutdown", None)
    editor.server.send("exit", None)
    return editor.server.process.wait()


if __name__ == "__main__":
    sys.exit(main())
