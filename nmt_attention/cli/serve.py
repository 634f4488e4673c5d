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
        help="address to listen at, such as ::1, or 0.0.0.0 for all; the default can be reached from this machine only",
    )
    parser.add_argument("--port", type=int, default=8000, metavar="INT", help="port to listen at")
    parser.add_argument(
        "--any-host",
        action="store_true",
        help="answer by whatever name the page is asked for, as behind a proxy; otherwise by IP address, as localhost, "
        "by this machine's name and by --host",
    )


def run(options: argparse.Namespace) -> None:
    """Shows translations on a web page until Ctrl-C."""
    quiet.import_tensorflow()
    from ..deploy.page import serve_page

    serve_page(options.run, options.host, options.port, options.any_host)
