"""The `export` command."""

import argparse

from ..runs.machine import import_tensorflow
from .common import PAGE, check_output, exclude, models
from .console import say


def run(options: argparse.Namespace) -> None:
    """Writes a trained model in the form that is asked for and prints where it is."""
    exclude(options, "page", "quantized", "upload")
    exclude(options, "quantized", "upload")
    if options.beside and not options.page:
        raise ValueError("--beside: only a page (--page) has several models")
    if options.output.suffix == ".html" and not options.page:
        raise ValueError(f"{options.output}: a page needs --page; without it a directory is written")
    if options.page:
        check_output(options.output, *PAGE)
    import_tensorflow()
    (model,) = models(options)
    if options.page:
        from ..deploy.browser import export_page

        export_page(model, options.output, options.beside or [])
    else:
        from ..deploy.export import export_quantized, export_saved_model
        from ..deploy.upload import export_upload

        write = export_quantized if options.quantized else export_upload if options.upload else export_saved_model
        write(model, options.output)
    say(str(options.output))
