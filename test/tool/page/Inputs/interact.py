"""Uses a page as a reader does, with keys and a mouse: interact.py CHROMIUM PAGE

Prints one line for each thing tried: what it was, and what the page then shows. The browser is
driven through the DevTools protocol on a pipe.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time


class Browser:
    def __init__(self, program, folder):
        (theirs_in, self.to), (self.back, theirs_out) = os.pipe(), os.pipe()

        def take_pipe():  # the protocol has fixed numbers for it
            copies = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(copies[0], 3)
            os.dup2(copies[1], 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             f"--user-data-dir={folder}", "--window-size=1280,2000", "about:blank"],
            preexec_fn=take_pipe, close_fds=False, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.number, self.session, self.rest = 0, None, b""

    def read(self):
        while b"\0" not in self.rest:
            self.rest += os.read(self.back, 1 << 16)
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while (answer := self.read()).get("id") != self.number:
            pass
        return answer["result"]

    def open(self, address):
        target = self.call("Target.createTarget", url=address)["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        self.wait_for("document.documentElement.dataset.ready")

    def value(self, expression):
        return self.call("Runtime.evaluate", expression=expression)["result"].get("value")

    def wait_for(self, expression):
        end = time.monotonic() + 60
        while not self.value(f"Boolean({expression})"):
            if time.monotonic() > end:
                sys.exit(f"never came true: {expression}")
            time.sleep(0.05)

    def press(self, key, **more):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **more)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def drag(self, begin, end):
        for kind, (x, y) in (("mouseMoved", begin), ("mousePressed", begin), ("mouseMoved", end),
                             ("mouseReleased", end)):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left",
                      buttons=1, clickCount=1)


CANVAS = "document.querySelector('canvas').toDataURL()"
TOLD = "document.querySelector('.told').textContent"


def use_chart(page):
    page.value("document.querySelector('.chart').focus()")
    page.press("ArrowLeft")
    print("left:", page.value("document.querySelector('.spoken').textContent"))
    page.value(f"window.whole = {CANVAS}")
    page.press("+")
    page.wait_for(f"whole !== {CANVAS}")
    print("plus: zoomed")
    page.press("Escape")
    page.wait_for(f"whole === {CANVAS}")
    print("escape: as before")
    box = json.loads(page.value("JSON.stringify(document.querySelector('.u-over')"
                                ".getBoundingClientRect())"))
    y = box["y"] + 50
    page.drag((box["x"] + 100, y), (box["x"] + 300, y))
    page.wait_for(f"whole !== {CANVAS}")
    print("drag: zoomed")


def use_flames(page):
    frames = "[...document.querySelectorAll('.flame g')]"
    linear = f"{frames}.find(g => g.textContent.includes('aten::linear'))"
    page.value(f"{linear}.dispatchEvent(new MouseEvent('mouseover', {{bubbles: true}}))")
    print("hover:", page.value(TOLD))
    width = f"Number({linear}.querySelector('rect').getAttribute('width'))"
    page.value(f"window.before = {width}")
    page.value(f"{linear}.dispatchEvent(new MouseEvent('click', {{bubbles: true}}))")
    page.wait_for(f"{width} > before")
    print("click: zoomed")


def use_search(page):
    rows = "document.querySelectorAll('#places tbody tr').length"
    print("places:", page.value(rows))
    page.value("document.getElementById('search').focus()")
    page.type("aten::LIN")
    page.wait_for(f"{rows} === 1")
    print("found:", page.value("document.querySelector('#places tbody').textContent"))


def sort_places(page):
    page.value("document.getElementById('search').value = ''; document.getElementById('search')"
               ".dispatchEvent(new Event('input'))")
    page.wait_for("document.querySelectorAll('#places tbody tr').length > 1")
    page.value("[...document.querySelectorAll('#places .sort')].find(b => "
               "b.textContent === 'operator').click()")
    print("sorted:", page.value("document.querySelector('#places [aria-sort]').textContent"),
          page.value("document.querySelector('#places td:nth-child(2)').textContent"))


def change_scheme(page):
    page.value(f"window.light = {CANVAS}")
    page.call("Emulation.setEmulatedMedia",
              features=[{"name": "prefers-color-scheme", "value": "dark"}])
    page.wait_for(f"light !== {CANVAS}")
    print("dark:", page.value("getComputedStyle(document.body).backgroundColor"))


with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
    browser = Browser(sys.argv[1], profile)
    try:
        browser.open(pathlib.Path(sys.argv[2]).resolve().as_uri())
        for use in (use_chart, use_flames, use_search, sort_places, change_scheme):
            use(browser)
    finally:
        browser.process.kill()
        browser.process.wait()
