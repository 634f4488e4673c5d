"""The `serve` command."""

import argparse
import gzip
import hashlib
import http.server
import os
import sys
import tempfile
import threading
import webbrowser
from pathlib import Path
from typing import Any

from ..disk.files import atomic_write
from ..disk.pairs import DATA_DIRECTORY
from ..runs.machine import import_tensorflow
from .common import models
from .console import note, say

PAGES = Path(os.path.expanduser("~/.cache/nmt_attention/pages"))
_KEPT = 4  # pages, the newest
_PACKAGE = Path(__file__).parent.parent
_SHOWN = ("*.py", "*.js", "*.css", "*.html", "*.tsv", "*.json")  # files of the package that a page is made of
_DATA = ("glosses.tsv", "demo_alignments.tsv")  # so are these, which may stand beside it
_AT_ONCE, _SECONDS = 32, 10  # requests that are answered at the same time, and how long one may keep silent


def run(options: argparse.Namespace) -> None:
    """Serves the one-file page to this machine alone, until Ctrl-C. A page that was written before is there at once."""
    if not 0 <= options.port < 65_536:
        raise ValueError(f"--port: expected from 0 to 65,535, got {options.port:,}")
    try:
        server = _Server(("127.0.0.1", options.port), _Handler)
    except OSError as error:
        raise OSError(f"--port {options.port}: {error.strerror}; choose another, or 0 for a free one") from None
    with server:
        (model,) = models(options)
        _Handler.page = _page(model)
        address = f"http://127.0.0.1:{server.server_port}"
        say(f"{address} (Ctrl-C stops)")
        if not options.no_open and sys.stdout.isatty():
            webbrowser.open(address)
        server.serve_forever()


def _page(model: Path) -> bytes:
    """Returns the gzipped page of a model, from the cache if it is there."""
    kept = PAGES / f"{_hash(model)}.html.gz"
    if kept.is_file():
        return kept.read_bytes()
    note("writing the page of the model; the next time it is there at once …")
    import_tensorflow()
    from ..deploy.browser import export_page

    with tempfile.TemporaryDirectory() as directory:
        export_page(model, path := Path(directory) / "index.html")
        page = gzip.compress(path.read_bytes(), 6, mtime=0)
    try:
        PAGES.mkdir(parents=True, exist_ok=True)
        with atomic_write(kept) as partial:
            partial.write_bytes(page)
        for old in sorted(PAGES.glob("*.html.gz"), key=os.path.getmtime)[:-_KEPT]:
            old.unlink(missing_ok=True)
    except OSError as error:
        note(f"the page is not kept for the next time: {error}")
    return page


def _hash(model: Path) -> str:
    """Returns a hash of what a page is made of: the files of the model, and those of the package."""
    found = hashlib.sha256()
    sources = (file for pattern in _SHOWN for file in _PACKAGE.rglob(pattern))
    of_model = (file for pattern in ("*.json", "*.npz", "NOTICE", "transliterator/*") for file in model.glob(pattern))
    for file in sorted([*sources, *of_model, *(DATA_DIRECTORY / name for name in _DATA)]):
        found.update(hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()


class _Server(http.server.ThreadingHTTPServer):
    allow_reuse_address = os.name == "posix"  # on Windows it would let two programs have one port
    request_queue_size = _AT_ONCE
    free = threading.BoundedSemaphore(_AT_ONCE)

    def process_request(self, request: Any, client_address: Any) -> None:
        if self.free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Says nothing about a reader who has gone, for which `socketserver` prints a traceback."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class _Handler(http.server.BaseHTTPRequestHandler):
    """Answers with the page, gzipped for who can read that, and writes no line for a request."""

    page: bytes
    timeout = _SECONDS

    def do_GET(self) -> None:
        if self.path.partition("?")[0] not in ("/", "/index.html"):
            return self.send_error(404)
        zipped = "gzip" in self.headers.get("Accept-Encoding", "")
        page = self.page if zipped else gzip.decompress(self.page)
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        if zipped:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, format: str, *values: object) -> None:
        pass
