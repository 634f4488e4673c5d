"""Firefox, by its own protocol Marionette, so that no driver has to be installed (apt-get install firefox-esr)."""

import contextlib
import json
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

COMMAND = next(filter(shutil.which, ("firefox-esr", "firefox")), None)
PREFERENCES = 'user_pref("marionette.port", 0);\n'  # any free port; Firefox writes which one into its profile


class Firefox:
    """A headless Firefox that shows one page.

    Args:
        port: int. Where its Marionette listens.
    """

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.stream = self.socket.makefile("rb")
        self._receive()  # it says which protocol it speaks
        self.sent = 0
        self("WebDriver:NewSession")

    def __call__(self, command, **parameters):
        """Sends a command of WebDriver and returns its answer."""
        self.sent += 1
        message = json.dumps([0, self.sent, command, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, answer = self._receive()
        if error:
            sys.exit(f"Firefox says: {error['message']}")
        return answer

    def _receive(self):
        length = b""
        while (digit := self.stream.read(1)) not in (b":", b""):
            length += digit
        return json.loads(self.stream.read(int(length)))

    def open(self, path):
        self("WebDriver:Navigate", url=path.resolve().as_uri())

    def script(self, text, *arguments):
        return self("WebDriver:ExecuteScript", script=text, args=list(arguments))["value"]


@contextlib.contextmanager
def firefox(profile):
    """Starts Firefox with a new profile in this directory, and ends it afterwards."""
    profile = Path(profile)
    profile.mkdir(parents=True)
    (profile / "user.js").write_text(PREFERENCES, encoding="utf-8", newline="\n")
    command = [COMMAND, "--headless", "--marionette", "--no-remote", "--profile", str(profile)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield Firefox(_port(profile / "MarionetteActivePort"))
        finally:
            process.terminate()


def _port(path):
    """Returns the port that Firefox writes once it listens."""
    end = time.monotonic() + 60
    while not (path.is_file() and re.fullmatch(r"\d+", path.read_text(encoding="ascii").strip())):
        if time.monotonic() > end:
            sys.exit("Firefox does not listen within 60 seconds")
        time.sleep(0.1)
    return int(path.read_text(encoding="ascii"))
