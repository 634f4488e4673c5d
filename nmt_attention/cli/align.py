"""The `align` command."""

import argparse

from ..runs.machine import import_tensorflow
from .console import say
from .options import add_command, path


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds the command and its options."""
    parser = add_command(
        subparsers,
        "align",
        run,
        "align the words of sentence pairs; one pair in, one line of links such as 0-0 1-2 out",
        "--run runs/mine pairs.tsv --html heatmaps.html",
    )
    parser.add_argument("pairs", type=path, metavar="PAIRS", help=".tsv, .txt or .zip of sentence pairs")
    parser.add_argument(
        "--run",
        type=path,
        default=argparse.SUPPRESS,
        metavar="DIRECTORY",
        help="run directory: its training pairs teach the aligner too, or its model is that of --by attention (default "
        "of the latter: the model that comes with the package)",
    )
    parser.add_argument(
        "--by",
        choices=("statistics", "attention"),
        default="statistics",
        help="statistics: IBM model 1 and a hidden Markov model; attention: a trained model writes the translations",
    )
    parser.add_argument(
        "--direction",
        choices=("both", "forward", "backward"),
        default="both",
        help="of statistics: which source word each target word comes from, what each source word becomes, or the mean",
    )
    parser.add_argument(
        "--html", type=path, default=argparse.SUPPRESS, metavar="FILE", help="also write the heatmaps to a web page"
    )


def run(options: argparse.Namespace) -> None:
    """Prints the links of each pair, and writes their heatmaps if asked to."""
    if options.by == "attention" and options.direction != "both":
        raise ValueError("--direction: expected --by statistics with it; attention has one direction")
    if options.by == "statistics" and hasattr(options, "run") and not (options.run / "train.tsv").is_file():
        raise FileNotFoundError(f"{options.run}: not a run directory, which has a train.tsv")
    if hasattr(options, "html") and options.html.exists() and options.html.samefile(options.pairs):
        raise ValueError(f"--html {options.html}: expected a file other than the pairs")
    from ..disk.pairs import read_pairs

    pairs = read_pairs(options.pairs)
    import_tensorflow()
    if options.by == "attention":
        from ..alignment.scores import align_by_attention
        from ..runs.bundle import READY
        from ..translate import Translator

        alignments = align_by_attention(Translator.load(getattr(options, "run", READY)), pairs)
    else:
        from ..alignment.aligner import Aligner
        from ..alignment.scores import align_by_statistics

        known = read_pairs(options.run / "train.tsv") if hasattr(options, "run") else []
        alignments = align_by_statistics(Aligner([*known, *pairs]), pairs, options.direction)
    if hasattr(options, "html"):
        from ..disk.files import atomic_write
        from ..figures.html import ATTENTION, LINKS, attention_page

        wording = ATTENTION if options.by == "attention" else LINKS
        with atomic_write(options.html) as partial:
            page = attention_page([alignment.heatmap for alignment in alignments], wording)
            partial.write_text(page, encoding="utf-8")
    for alignment in alignments:
        say(" ".join(f"{source}-{target}" for source, target in sorted(alignment.links)))
