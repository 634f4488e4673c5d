"""The `export` command."""

import argparse

from ..runs import quiet
from .options import add_command, add_run, path


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds the command and its options."""
    parser = add_command(
        subparsers,
        "export",
        run,
        "write a model as a SavedModel, strings in, translations out, for programs with TensorFlow alone",
        "--run runs/mine exported/mine/1",
    )
    add_run(parser)
    parser.add_argument("output", type=path, metavar="OUT", help="directory to write, new or empty")


def run(options: argparse.Namespace) -> None:
    """Writes a trained model as a SavedModel and prints where it is."""
    quiet.import_tensorflow()
    from ..deploy.export import export_saved_model

    export_saved_model(options.run, options.output)
    print(options.output)
