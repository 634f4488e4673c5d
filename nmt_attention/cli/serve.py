"""The `serve` command."""

import argparse
import functools
import http.server
import os
import tempfile
from pathlib import Path

from ..runs.machine import import_tensorflow
from .common import models
from .console import say


def run(options: argparse.Namespace) -> None:
    """Writes the one-file page and serves it to this machine alone, until Ctrl-C."""
    if not 0 <= options.port < 65_536:
        raise ValueError(f"--port: expected from 0 to 65,535, got {options.port:,}")
    import_tensorflow()
    from ..deploy.browser import export_page

    with tempfile.TemporaryDirectory() as directory:
        pages = functools.partial(_Quiet, directory=directory)
        try:
            server = _Server(("127.0.0.1", options.port), pages)
        except OSError as error:
            raise OSError(f"--port {options.port}: {error.strerror}; choose another, or 0 for a free one") from None
        with server:
            (model,) = models(options)
            export_page(model, Path(directory) / "index.html")
            say(f"http://127.0.0.1:{server.server_port} (Ctrl-C stops)")
            server.serve_forever()


class _Server(http.server.ThreadingHTTPServer):
    allow_reuse_address = os.name == "posix"  # on Windows it would let two programs have one port


class _Quiet(http.server.SimpleHTTPRequestHandler):
    """Writes no line for a request."""

    def log_message(self, format: str, *values: object) -> None:
        pass
