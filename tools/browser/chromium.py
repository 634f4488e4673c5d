"""Chromium, by W3C WebDriver (apt-get install chromium chromium-driver), and what its checks share."""

import contextlib
import json
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # WebDriver's name for a reference to an element
FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


@contextlib.contextmanager
def chromium():
    """Starts a headless Chromium with a new profile, gives its `Browser`, and ends it afterwards."""
    command, ready = ["chromedriver", "--port=0"], re.compile(r"successfully on port (\d+)")
    with (
        tempfile.TemporaryDirectory() as profile,
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as driver,
    ):
        try:
            port = next((found[1] for found in map(ready.search, driver.stdout) if found), None)
            if port is None:
                sys.exit("chromedriver ended before it was ready")
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

    def __call__(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.session}{path}", data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            sys.exit(f"the browser says: {json.load(error)['value']['message']}")

    def script(self, text, *arguments):
        return self("POST", "/execute/sync", {"script": text, "args": arguments})

    def find(self, selector):
        return self("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def open(self, address):
        self("POST", "/url", {"url": address})

    def emulate(self, command, **parameters):
        """Sends a command such as `setEmulatedMedia` of Chromium's `Emulation`."""
        self("POST", "/goog/cdp/execute", {"cmd": f"Emulation.{command}", "params": parameters})

    def size(self, width, height=900):
        """Makes the screen so many CSS pixels wide, below 600 a phone's."""
        self.emulate("setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def prefer(self, feature, value):
        """Sets a preference of the reader, such as `prefers-color-scheme`."""
        self.emulate("setEmulatedMedia", features=[{"name": feature, "value": value}])

    def complaints(self):
        """Returns the browser's messages since the last call, but for those that only inform."""
        log = self("POST", "/se/log", {"type": "browser"})
        return [entry["message"] for entry in log if entry["level"] not in ("INFO", "DEBUG")]

    def type(self, selector, text):
        self("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def point_at(self, selector):
        there = {"type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": {ELEMENT: self.find(selector)}}
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [there]}
        self("POST", "/actions", {"actions": [mouse]})


def check(what, holds):
    print("ok  " if holds else "FAIL", what)
    return bool(holds)
