"""The `serve` command."""

import argparse

from ..runs import quiet
from .options import add_command, add_run


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds the command and its options."""
    parser = add_command(
        subparsers, "serve", run, "translate and show attention on a local web page", "--run runs/mine"
    )
    add_run(parser)
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="address to listen on, such as ::1, or 0.0.0.0 for all; by default only this machine can connect",
    )
    parser.add_argument("--port", type=int, default=8000, metavar="INT", help="port to listen on")
    parser.add_argument(
        "--any-host",
        action="store_true",
        help="answer requests for any host name, as behind a proxy; otherwise only for IP addresses, localhost, "
        "this machine's name and --host",
    )


def run(options: argparse.Namespace) -> None:
    """Shows translations on a web page until Ctrl-C."""
    quiet.import_tensorflow()
    from ..bundle import READY
    from ..deploy.page import serve_page

    serve_page(getattr(options, "run", READY), options.host, options.port, options.any_host)
