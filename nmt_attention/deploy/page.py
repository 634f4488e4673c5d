"""A local web page: type a sentence, see its translations and, word by word, where the model looked.

One page, rendered completely at every request; without JavaScript only the lighting up of words is missing. The server
provides the page's Devanagari font, because some machines have none.
"""

import ipaddress
import logging
import re
import secrets
import socket
import threading
from collections.abc import Collection, Sequence
from pathlib import Path

from ..figures.html import attention_html
from ..figures.web_font import mukta_file
from ..spelling import has_devanagari
from ..translate import MAX_SOURCE_LENGTH, Translation, Translator

try:
    import flask
    import waitress
    from markupsafe import Markup
    from waitress.channel import HTTPChannel
    from werkzeug.exceptions import HTTPException
except ModuleNotFoundError as error:
    raise RuntimeError(f"serve needs Flask and waitress, {error.name} is missing: pip install flask waitress") from None

MOST_CHARACTERS = MAX_SOURCE_LENGTH  # so that no sentence is cut, even if tokens are letters
BEAM_SIZE = 5
_LIMITS = {
    "max_request_header_size": 65_536,  # bytes
    "max_request_body_size": 65_536,
    "connection_limit": 200,  # at a time; others wait
    "channel_timeout": 10,  # seconds that a request may take to arrive
    "cleanup_interval": 1,  # seconds
    "asyncore_use_poll": True,  # select() knows no files above number 1,023
}


def make_app(translator: Translator, names: Collection[str] | None = ()) -> flask.Flask:
    """Returns the page as a Flask application.

    Requests may come in many threads; the model translates one sentence at a time.

    A request must address the page by an IP address, as localhost or by one of the names. A foreign page whose name was
    made to point at this machine (DNS rebinding) sends its own name, so it cannot read translations here.

    Args:
        translator: `Translator`, or what has its `n_best`.
        names: iterable of str, the names of this server in lower case; None allows any.
    """
    app = flask.Flask(__name__, static_folder=None, template_folder=".")
    one_at_a_time = threading.Lock()

    def page(
        sentence: str = "", found: Sequence[Translation] = (), error: str | None = None, status: int | None = 200
    ) -> flask.Response:
        nonce = secrets.token_urlsafe(16)  # the browser runs only the script that has it
        attention = attention_html(found[0], nonce=nonce) if found else ""
        devanagari = any(has_devanagari(translation.text) for translation in found)
        text = flask.render_template(
            "page.html",
            sentence=sentence[:MOST_CHARACTERS],
            most=MOST_CHARACTERS,
            found=found,
            attention=Markup(attention),
            language=Markup(' lang="mr"' if devanagari else ""),
            error=error,
        )
        response = flask.Response(text, status)
        response.headers["Content-Security-Policy"] = (
            f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; font-src 'self'; "
            "img-src data:; form-action 'self'; base-uri 'none'"
        )
        return response

    @app.before_request
    def check_name() -> None:
        if names is not None and not _is_ours(flask.request.host, names):
            flask.abort(403, "This server is not known by that name; its options --host and --any-host change that.")

    @app.get("/")
    def translate() -> flask.Response:
        sentence = flask.request.args.get("sentence", "")
        if not sentence.strip():
            return page()
        if len(sentence) > MOST_CHARACTERS:
            return page(
                sentence,
                error=f"At most {MOST_CHARACTERS} characters, please: these are {len(sentence):,}.",
                status=400,
            )
        with one_at_a_time:
            (found,) = translator.n_best([sentence], merge_subwords=True, beam_size=BEAM_SIZE)
        return page(sentence, found) if found[0].text else page(sentence, error="The model wrote nothing.")

    @app.get("/mukta.ttf")
    def font() -> flask.Response:
        return flask.send_file(mukta_file() or flask.abort(404), "font/ttf", max_age=86_400)

    @app.errorhandler(HTTPException)
    def refuse(error: HTTPException) -> flask.Response:
        return page(error=f"{error.name}. {error.description}", status=error.code)

    @app.errorhandler(Exception)
    def fail(error: Exception) -> flask.Response:
        app.logger.exception("a request failed")
        return page(error=f"The translation failed: {type(error).__name__}: {error}", status=500)

    return app


def _is_ours(host: str, names: Collection[str]) -> bool:
    """Returns whether a Host header is an IP address, localhost or one of the names, with or without a port."""
    name = re.sub(r":\d*$", "", host.lower()).rstrip(".")
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return name == "localhost" or name in names
    return True


class _Channel(HTTPChannel):
    """A connection that is closed if a request does not arrive in time, even if bytes of it keep coming."""

    last_activity: float  # seconds since the epoch

    def handle_read(self) -> None:
        begun, last_activity = self.request, self.last_activity
        super().handle_read()
        if begun is not None and self.request is begun:
            self.last_activity = last_activity


def make_server(app: flask.Flask, listening: socket.socket) -> waitress.server.BaseWSGIServer:
    """Returns a waitress server of an application that listens on a socket; its `run` serves.

    At most 200 connections are open at a time. One whose request has not arrived after ten seconds, or which reads
    nothing of its answer for as long, is closed, so that half-open requests cannot keep others out.
    """
    server = waitress.create_server(app, sockets=[listening], **_LIMITS)
    server.channel_class = _Channel
    return server


def serve_page(run: Path | str, host: str, port: int, any_host: bool = False) -> None:
    """Serves the page with a run's trained model until Ctrl-C.

    Args:
        run: directory of the run.
        host: str. Address to listen on: a name, IPv4 or IPv6.
        port: int. 0 chooses a free port; the address is printed.
        any_host: bool. Whether requests may address the page by any name, as behind a proxy, instead of only by an
            IP address, localhost, this machine's name or `host`.

    Raises:
        FileNotFoundError, ValueError: as `load_bundle`; and if `host` is empty or `port` out of range.
        OSError: the server cannot listen on this address.
    """
    if not host.strip():
        raise ValueError("host: expected an address such as 127.0.0.1, or 0.0.0.0 for all of this machine, got none")
    if not 0 <= port < 65_536:
        raise ValueError(f"port: expected from 0 to 65,535, got {port:,}")
    try:
        family, *_, (address, _, *scope) = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0]
        listening = socket.create_server((address, port, *scope), family=family)
    except (OSError, UnicodeError) as error:
        raise OSError(f"cannot listen on {host}, port {port}: {error}") from None
    here = socket.gethostname().lower()
    names = None if any_host else {host.lower(), here, f"{here.partition('.')[0]}.local"}
    with listening:  # clients that connect while the model is being loaded wait
        translator = Translator.load(run)
        translator.n_best(["."], beam_size=BEAM_SIZE)  # the first search is slow, because it is traced
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it is normal that clients wait
        server = make_server(make_app(translator, names), listening)
        shown = f"[{host}]" if ":" in host else host
        print(f"http://{shown}:{listening.getsockname()[1]} (Ctrl-C stops)", flush=True)
        server.run()
