"""The `align` command."""

import argparse
import sys
from pathlib import Path
from typing import Any

from ..disk.columns import doubts_about
from ..disk.files import atomic_write
from ..disk.pairs import parse_rows, read_lines, read_pairs
from ..preprocess.language import script_of
from ..runs.machine import import_tensorflow
from ..vocabulary import SPECIAL_TOKENS
from .common import PAGE, check_output, models
from .console import note, say

# Of real pairs, by `data/anki_alignments.tsv`: error rate 0.76 with 2, 0.48 with 50, 0.28 with 500, 0.23 with 1,000.
_ENOUGH = 500


def run(options: argparse.Namespace) -> None:
    """Prints the links of each line's pair, and writes their heatmaps if asked to; a blank line stays blank."""
    if options.by == "attention" and options.direction != "both":
        raise ValueError("--direction: expected --by statistics with it; attention has one direction")
    if options.html:
        check_output(options.html, *PAGE)
    name, lines = "standard input", b""
    if options.pairs not in (None, Path("-")):
        name, lines = read_lines(options.pairs)
    elif sys.stdin is None or (options.pairs is None and sys.stdin.isatty()):
        raise ValueError("align: expected a file of pairs; - is standard input")
    else:
        lines = sys.stdin.buffer.read()
    rows = parse_rows(name, lines, one_sided=True)
    pairs = [pair for pair in rows if pair]
    if doubt := next(doubts_about(pairs), ""):
        note(f"{name}: {doubt}")
    import_tensorflow()
    if options.by == "attention":
        from ..alignment.scores import align_by_attention
        from ..translate import Translator

        translator = Translator.load(*models(options))
        vocabulary = translator.target_tokenizer.vocabulary[len(SPECIAL_TOKENS) :]
        given, written = script_of([pair.target for pair in pairs]), script_of(vocabulary)
        if given != written:
            note(f"{name}: the second column has {given} letters, the model writes {written}: links are guesses")
        alignments = align_by_attention(translator, pairs)
    else:
        from ..alignment.aligner import Aligner
        from ..alignment.scores import align_by_statistics

        known = read_pairs(options.run / "train.tsv") if options.run else []
        if (count := len({*known, *pairs})) < _ENOUGH:
            wrong = "of links learned from 50 about half are wrong, from 1,000 a quarter"
            more = "--run adds a run's pairs, --by attention asks a model"
            note(f"{name}: {count} pairs are too few: {wrong}; {more}")
        alignments = align_by_statistics(Aligner([*known, *pairs]), pairs, options.direction)
    if options.html:
        from ..figures.html import ATTENTION, LINKS, attention_page

        with atomic_write(options.html) as partial:
            heatmaps = [alignment.heatmap for alignment in alignments]
            page = attention_page(heatmaps, ATTENTION if options.by == "attention" else LINKS)
            partial.write_text(page, encoding="utf-8", newline="\n")
    aligned = iter(alignments)
    for pair in rows:
        say("\t".join(_columns(next(aligned), options.tokens)) if pair else "")


def _columns(alignment: Any, tokens: bool) -> list[str]:
    links = " ".join(f"{source}-{target}" for source, target in sorted(alignment.links))
    heatmap = alignment.heatmap
    return [links, *map(" ".join, (heatmap.source_tokens, heatmap.target_tokens))] if tokens else [links]
