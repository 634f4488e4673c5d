"""Checks the page of `python -m nmt_attention serve` in a real browser: what one types, sees and points at.

Needs chromium and chromedriver (Debian: apt-get install chromium chromium-driver); speaks W3C WebDriver to it.
"""

import argparse
import contextlib
import json
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # WebDriver's name for a reference to an element
FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
HOSTILE = "<img src=x onerror=\"document.title='broken'\"><script>document.title='broken'</script>"
WORDS = "return [...document.querySelectorAll('.nmt-attention .words button')].map((word) => ({" + (
    "side: word.dataset.t === undefined ? 's' : 't', text: word.textContent, on: word.classList.contains('on'),"
    "weight: word.dataset.weight || '', lit: getComputedStyle(word).getPropertyValue('--w') > 0}))"
)


@contextlib.contextmanager
def started(command, pattern):
    """Starts a process and gives what the pattern finds in a line of its output; ends the process afterwards."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield next(found.group(1) for found in map(re.compile(pattern).search, process.stdout) if found), process
        except StopIteration:
            sys.exit(f"{command[0]} ended before it was ready")
        finally:
            process.terminate()


def serving(run):
    """Starts the page for a run at a free port and gives its address and its process."""
    command = [sys.executable, "-m", "nmt_attention", "serve", "--run", run, "--port", "0"]
    return started(command, r"(http://\S+)")


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

    def type(self, text):
        """Types a sentence into the empty form, presses Enter and waits for the answer."""
        self.script("document.querySelector('input').value = ''; window.before = true")
        self("POST", f"/element/{self.find('input')}/value", {"text": text + "\ue007"})
        end = time.monotonic() + 30
        while self.script("return window.before || document.readyState !== 'complete'"):
            if time.monotonic() > end:
                sys.exit("no answer within 30 seconds")
            time.sleep(0.05)

    def point_at(self, selector):
        there = {"type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": {ELEMENT: self.find(selector)}}
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [there]}
        self("POST", "/actions", {"actions": [mouse]})


def check(what, holds):
    print("ok  " if holds else "FAIL", what)
    return bool(holds)


def check_page(browser, address):
    """Returns whether the page does all that it should."""
    browser("POST", "/url", {"url": address})
    browser.type("Where is my book?")
    text = browser.script("return document.querySelector('.translation').textContent")
    good = [check(f"a typed sentence is answered in Marathi: {text}", re.search("[\u0900-\u097f]", text))]
    fonts = browser.script("return document.fonts.ready.then(() => [...document.fonts].map((font) => font.status))")
    good.append(check("Marathi is written in the font that the page brings", fonts == ["loaded"]))
    others = browser.script("return [...document.querySelectorAll('.others li')].map((line) => line.textContent)")
    good.append(check(f"there are {len(others)} translations, the first of them that one", others[0].startswith(text)))
    hint = browser.script("return document.querySelector('.readout').textContent")
    good.append(check("the page says how to use it", hint.startswith("Point at a word")))
    for side, name in (("t", "Marathi"), ("s", "English")):
        browser.point_at(f".words button[data-{side}='0']")
        words = browser.script(WORDS)
        here = [word for word in words if word["side"] == side]
        there = [word for word in words if word["side"] != side]
        weights = [word["weight"] for word in there]
        good.append(
            check(
                f"a word of the {name} sentence pointed at is marked, and no other",
                [w["on"] for w in words].count(True) == 1,
            )
        )
        good.append(check(f"it is the first, {here[0]['text']}", here[0]["on"] and not here[0]["lit"]))
        good.append(
            check(f"words of the other sentence are lit: {weights}", any(w["lit"] for w in there) and all(weights))
        )
        readout = browser.script("return document.querySelector('.readout').textContent")
        good.append(check(f"the weights are said: {readout}", readout.startswith(here[0]["text"])))
    browser.point_at("h1")
    good.append(check("pointing elsewhere, nothing is", not any(w["on"] or w["lit"] for w in browser.script(WORDS))))
    browser.type(HOSTILE)
    shown = browser.script("return [document.title, document.querySelector('input').value, document.images.length]")
    good.append(check("a sentence of HTML is only text", shown == ["nmt_attention", HOSTILE, 0]))
    log = [entry["message"] for entry in browser("POST", "/se/log", {"type": "browser"})]
    good.append(check(f"the browser has nothing to complain of {log or ''}", not log))
    return all(good)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--run", required=True, help="directory of a trained run")
    options = parser.parse_args()
    driver = started(["chromedriver", "--port=0"], r"successfully on port (\d+)")
    with serving(options.run) as (address, _), driver as (port, _), tempfile.TemporaryDirectory() as profile:
        browser = Browser(f"http://127.0.0.1:{port}", profile)
        try:
            good = check_page(browser, address)
        finally:
            browser("DELETE", "")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
