"""Opens a page in a browser without a window: browse.py CHROMIUM PAGE[#FRAGMENT] [OPTIONS...]

Prints the document as it is after its scripts ran, an element a line. Exit code 1
where a script wrote to the console or asked for anything but the page itself.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

BROWSER, PAGE = sys.argv[1:3]
FILE, _, FRAGMENT = PAGE.partition("#")
ADDRESS = pathlib.Path(FILE).resolve().as_uri() + (f"#{FRAGMENT}" if FRAGMENT else "")


def complaints(log):
    return [line for line in log.splitlines() if "CONSOLE" in line]


def is_of_a_page(params):
    return params.get("initiator", "").startswith("null") or "127.0.0.1" in params["url"]


def requests(net_log):
    """What was asked of the network for a page; the browser's own errands are not."""
    text = pathlib.Path(net_log).read_text(encoding="utf-8")
    try:
        events = json.loads(text)["events"]
    except json.JSONDecodeError:  # a browser that ends in a hurry leaves out the end
        events = json.loads(text.rstrip().rstrip(",") + "]}")["events"]
    asked = [event["params"] for event in events if "url" in event.get("params", {})]
    return sorted({params["url"] for params in asked
                   if is_of_a_page(params)})


with tempfile.TemporaryDirectory() as folder:
    net_log = folder + "/net.json"
    done = subprocess.run(
        [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
         f"--user-data-dir={folder}/profile", f"--log-net-log={net_log}", "--enable-logging=stderr",
         "--virtual-time-budget=5000", "--window-size=1280,2400", "--dump-dom", *sys.argv[3:],
         ADDRESS],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=240, check=False)
    problems = complaints(done.stderr) + ["asked for " + url for url in requests(net_log)]
print(done.stdout.replace("><", ">\n<"))
if done.returncode or problems or "data-ready" not in done.stdout:
    print("\n".join(problems) or done.stderr, file=sys.stderr)
    sys.exit(1)
