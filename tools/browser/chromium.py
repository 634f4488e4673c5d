"""Chromium, by W3C WebDriver (apt-get install chromium chromium-driver), and the exported page in it."""

import base64
import contextlib
import json
import re
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # WebDriver's name for a reference to an element
FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars"),
]


@contextlib.contextmanager
def chromium():
    """Starts a headless Chromium with a new profile, gives its `Browser`, and ends it afterwards."""
    command, ready = ["chromedriver", "--port=0"], re.compile(r"successfully on port (\d+)")
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile,
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as driver,
    ):
        try:
            port = next((found[1] for found in map(ready.search, driver.stdout) if found), None)
            if port is None:
                raise RuntimeError("chromedriver ended before it was ready")
            browser = Browser(f"http://127.0.0.1:{port}", profile)
            try:
                yield browser
            finally:
                browser("DELETE", "")
        finally:
            driver.terminate()


class Browser:
    """Headless Chromium, by WebDriver."""

    def __init__(self, address, profile):
        self.session = f"{address}/session"
        options = {"args": [*FLAGS, f"--user-data-dir={profile}"]}
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        self.session += "/" + self("POST", "", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        self("POST", "/timeouts", {"script": 600_000, "pageLoad": 600_000})  # milliseconds: a busy machine is slow

    def __call__(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.session}{path}", data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=600) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"the browser says: {json.load(error)['value']['message']}") from None

    def open(self, address):
        self("POST", "/url", {"url": address})

    def script(self, text, *arguments):
        """Runs JavaScript in the page; a promise that it returns is waited for."""
        return self("POST", "/execute/sync", {"script": text, "args": arguments})

    def until(self, condition, seconds=60):
        """Waits until an expression of the page's is true."""
        end = time.monotonic() + seconds
        while not self.script(f"return Boolean({condition})"):
            if time.monotonic() > end:
                raise TimeoutError(f"not within {seconds} seconds: {condition}")
            time.sleep(0.05)

    def emulate(self, command, **parameters):
        """Sends a command such as `setEmulatedMedia` of Chromium's `Emulation`."""
        self("POST", "/goog/cdp/execute", {"cmd": f"Emulation.{command}", "params": parameters})

    def size(self, width, height=900):
        """Makes the screen so many CSS pixels wide, below 600 a phone's."""
        self.emulate("setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def prefer(self, **features):
        """Sets preferences of the reader, such as `prefers_color_scheme="dark"`."""
        named = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.emulate("setEmulatedMedia", features=named)

    def complaints(self):
        """Returns the browser's messages since the last call, but for those that only inform."""
        log = self("POST", "/se/log", {"type": "browser"})
        return [entry["message"] for entry in log if entry["level"] not in ("INFO", "DEBUG")]

    def press(self, *keys):
        """Presses keys, in WebDriver's code, where the focus is."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def type(self, selector, *keys):
        """Types over what stands in a field."""
        self.script("const field = document.querySelector(arguments[0]); field.focus(); field.select()", selector)
        self.press(*keys)

    def drag(self, *selectors, kind="mouse", rest=0, release=True):
        """Presses on an element, rests there for so many milliseconds, moves to that of others, and lets go."""
        places = self.script(
            "return arguments[0].map((selector) => {"
            "  const {x, y, width, height} = document.querySelector(selector).getBoundingClientRect();"
            "  return [Math.round(x + width / 2), Math.round(y + height / 3)]; })",
            selectors,
        )
        moves = [{"type": "pointerMove", "duration": 60, "x": x, "y": y, "origin": "viewport"} for x, y in places]
        actions = [moves[0], {"type": "pointerDown", "button": 0}, {"type": "pause", "duration": rest}, *moves[1:]]
        if release:
            actions.append({"type": "pointerUp", "button": 0})
        pointer = {"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": actions}
        self("POST", "/actions", {"actions": [pointer]})

    def let_go(self):
        """Releases the keys and the pointer that are held."""
        self("DELETE", "/actions")

    def screenshot(self):
        """Returns what stands in the window, as a PNG's bytes."""
        return base64.b64decode(self("GET", "/screenshot"))
