"""The `export` command."""

import argparse

from ..runs.machine import import_tensorflow
from .options import add_command, add_run, check_page, path, run_or


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds the command and its options."""
    parser = add_command(
        subparsers,
        "export",
        run,
        "write a page that translates in a browser; or a SavedModel, strings in, translations out, for TensorFlow",
        "--page page.html",
    )
    add_run(parser)
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument(
        "--quantized",
        action="store_true",
        help="write the model for this program, with 8-bit matrices: less than a quarter of the size",
    )
    forms.add_argument(
        "--page",
        action="store_true",
        help="write one HTML file that translates in the browser, without a server or a network",
    )
    parser.add_argument(
        "--beside",
        type=path,
        action="append",
        default=[],
        metavar="DIRECTORY",
        help="with --page: another run, to compare with the first one in the page; repeat for more",
    )
    parser.add_argument("output", type=path, metavar="OUT", help="directory to write, new or empty; or a page's file")


def run(options: argparse.Namespace) -> None:
    """Writes a trained model in the form that is asked for and prints where it is."""
    if options.beside and not options.page:
        raise ValueError("--beside: only a page (--page) has several models")
    if options.output.suffix == ".html" and not options.page:
        raise ValueError(f"{options.output}: a page needs --page; without it a directory is written")
    if options.page:
        check_page(options.output)
    import_tensorflow()
    from ..runs.bundle import READY

    model = run_or(options, READY)
    if options.page:
        from ..deploy.browser import export_page

        export_page(model, options.output, options.beside)
    else:
        from ..deploy.export import export_quantized, export_saved_model

        write = export_quantized if options.quantized else export_saved_model
        write(model, options.output)
    print(options.output)
