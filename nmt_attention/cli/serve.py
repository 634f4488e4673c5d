"""The `serve` command."""

import argparse
import functools
import hashlib
import http.server
import os
import shutil
import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import Any

from ..disk.pairs import DATA_DIRECTORY
from ..runs.machine import import_tensorflow
from .common import models
from .console import note, say

PAGES = Path(os.path.expanduser("~/.cache/nmt_attention/pages"))
_KEPT = 4  # pages, the newest
_PACKAGE = Path(__file__).parent.parent
_SHOWN = ("*.py", "*.js", "*.css", "*.html", "*.tsv", "*.json")  # files of the package that a page is made of
_DATA = ("glosses.tsv", "demo_alignments.tsv")  # so are these, which may stand beside it


def run(options: argparse.Namespace) -> None:
    """Serves the one-file page to this machine alone, until Ctrl-C. A page that was written before is there at once."""
    if not 0 <= options.port < 65_536:
        raise ValueError(f"--port: expected from 0 to 65,535, got {options.port:,}")
    try:
        server = _Server(("127.0.0.1", options.port), _Handler)
    except OSError as error:
        raise OSError(f"--port {options.port}: {error.strerror}; choose another, or 0 for a free one") from None
    with server, tempfile.TemporaryDirectory() as spare:
        (model,) = models(options)
        server.RequestHandlerClass = functools.partial(_Handler, directory=_page(model, Path(spare)))
        address = f"http://127.0.0.1:{server.server_port}"
        say(f"{address} (Ctrl-C stops)")
        if not options.no_open and sys.stdout.isatty():
            webbrowser.open(address)
        server.serve_forever()


def _page(model: Path, spare: Path) -> Path:
    """Returns a directory whose index.html is the page of a model: that of the cache, or `spare` if it keeps none."""
    kept = PAGES / _hash(model)
    if kept.is_dir():
        return kept
    note("writing the page of the model; the next time it is there at once …")
    import_tensorflow()
    from ..deploy.browser import export_page
    from ..deploy.export import new_directory

    export_page(model, spare / "index.html")
    try:
        with new_directory(kept) as partial:
            shutil.copytree(spare, partial)
        for old in sorted(PAGES.iterdir(), key=os.path.getmtime)[:-_KEPT]:
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        return kept
    except OSError as error:
        note(f"the page is not kept for the next time: {error}")
        return spare


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

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Says nothing about a reader who has gone, for which `socketserver` prints a traceback."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class _Handler(http.server.SimpleHTTPRequestHandler):
    """Answers with the page, and writes no line for a request."""

    timeout = 10  # seconds for which a reader may keep silent

    def log_message(self, format: str, *values: object) -> None:
        pass
