"""The `align` command."""

import argparse
import sys
from typing import TYPE_CHECKING

from ..runs.machine import import_tensorflow
from ..vocabulary import SPECIAL_TOKENS
from .console import say
from .options import add_command, check_page, path, run_or

if TYPE_CHECKING:
    from ..alignment.scores import Alignment

# Of real pairs, by `data/anki_alignments.tsv`: error rate 0.76 with 2, 0.48 with 50, 0.28 with 500, 0.23 with 1,000.
_ENOUGH = 500


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds the command and its options."""
    parser = add_command(
        subparsers,
        "align",
        run,
        "align the words of sentence pairs; one line in, one line of links such as 0-0 1-2 out",
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
        "--tokens",
        action="store_true",
        help="print after the links, in two more columns, the words that they count from 0: a punctuation mark is one, "
        "however the file separates it",
    )
    parser.add_argument(
        "--html", type=path, default=argparse.SUPPRESS, metavar="FILE", help="also write the heatmaps to a web page"
    )


def run(options: argparse.Namespace) -> None:
    """Prints the links of each line's pair, and writes their heatmaps if asked to; a blank line stays blank."""
    if options.by == "attention" and options.direction != "both":
        raise ValueError("--direction: expected --by statistics with it; attention has one direction")
    if options.by == "statistics" and hasattr(options, "run") and not (options.run / "train.tsv").is_file():
        raise FileNotFoundError(f"{options.run}: not a run directory, which has a train.tsv")
    if hasattr(options, "html"):
        check_page(options.html)
    from ..disk.columns import doubts_about
    from ..disk.pairs import read_pairs, read_rows

    rows = read_rows(options.pairs)
    pairs = [pair for pair in rows if pair]
    if doubt := next(doubts_about(pairs), ""):
        _warn(options, doubt)
    import_tensorflow()
    if options.by == "attention":
        from ..alignment.scores import align_by_attention
        from ..decoding.languages import script_of
        from ..runs.bundle import READY
        from ..translate import Translator

        translator = Translator.load(run_or(options, READY))
        vocabulary = translator.target_tokenizer.vocabulary[len(SPECIAL_TOKENS) :]
        given, written = script_of([pair.target for pair in pairs]), script_of(vocabulary)
        if given != written:
            _warn(options, f"the second column has {given} letters, the model writes {written}: links are guesses")
        alignments = align_by_attention(translator, pairs)
    else:
        from ..alignment.aligner import Aligner
        from ..alignment.scores import align_by_statistics

        known = read_pairs(options.run / "train.tsv") if hasattr(options, "run") else []
        if (count := len({*known, *pairs})) < _ENOUGH:
            wrong = "of links learned from 50 about half are wrong, from 1,000 a quarter"
            more = "--run adds a run's pairs, --by attention asks a model"
            _warn(options, f"{count} pairs are too few: {wrong}; {more}")
        alignments = align_by_statistics(Aligner([*known, *pairs]), pairs, options.direction)
    if hasattr(options, "html"):
        from ..disk.files import atomic_write, make_parent
        from ..figures.html import ATTENTION, LINKS, attention_page

        wording = ATTENTION if options.by == "attention" else LINKS
        make_parent(options.html)
        with atomic_write(options.html) as partial:
            page = attention_page([alignment.heatmap for alignment in alignments], wording)
            partial.write_text(page, encoding="utf-8", newline="\n")
    aligned = iter(alignments)
    for pair in rows:
        say(_line(next(aligned), options.tokens) if pair else "")


def _warn(options: argparse.Namespace, what: str) -> None:
    print(f"{options.pairs}: {what}", file=sys.stderr)


def _line(alignment: "Alignment", tokens: bool) -> str:
    links = " ".join(f"{source}-{target}" for source, target in sorted(alignment.links))
    heatmap = alignment.heatmap
    return "\t".join([links, *(map(" ".join, (heatmap.source_tokens, heatmap.target_tokens)) if tokens else [])])
