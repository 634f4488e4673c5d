"""The `translate` command."""

import argparse
import io
import re
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, cast

from ..preprocess.terms import read_terms
from ..runs.machine import import_tensorflow
from .common import as_sentences, models, search_settings
from .console import note, say, to_json
from .lines import file_lines, lines_as_they_come
from .options import BEAM_SIZE

if TYPE_CHECKING:
    from ..translate import Translation

_TIMING = re.compile(r"\ufeff?(?:\s*\d+\s*|.*-->.*|WEBVTT.*)")  # lines of subtitles that a player reads
_SHOWN = 3  # doubts about the lines of a file


def run(options: argparse.Namespace) -> None:
    """Prints the translation of each sentence, or all hypotheses of it, as text or as JSON with attention."""
    if options.sentences and options.file:
        raise ValueError("translate: give sentences or --file, not both")
    if options.sentences and options.paragraphs:
        raise ValueError("--paragraphs: no effect on sentences; it joins lines of --file or standard input")
    given = as_sentences(options.sentences)
    search = search_settings(options, BEAM_SIZE)
    file = options.file if options.file != "-" else None
    if file:
        open(file, "rb").close()  # before a model is loaded in vain
    terms = read_terms(options.terms) if options.terms else None

    import_tensorflow()
    from ..marathi.romanize import romanize
    from ..preprocess.doubts import make_doubts
    from ..preprocess.segment import paragraphs
    from ..runs.bundle import check_marathi, writes_marathi
    from ..translate import Translator

    runs = models(options)
    if options.romanize:
        check_marathi(runs, "--romanize")
    translator = Translator.load(*runs, terms=terms)
    in_latin = options.romanize or (sys.stdout.isatty() and not options.json and all(map(writes_marathi, runs)))
    batches: Iterable[list[str]]
    typed = False  # at a prompt
    if given:
        batches = [given]
    elif file:
        batches = file_lines(file)
    elif sys.stdin is None:
        raise ValueError("translate: expected sentences, --file or standard input, which is closed")
    elif sys.stdin.isatty() and sys.stdout.isatty():
        batches, typed = _prompted(), True
    else:
        batches = lines_as_they_come("standard input", cast(io.BufferedReader, sys.stdin.buffer))
    if options.paragraphs:
        batches = paragraphs(batches)
    timing = _TIMING if str(file).endswith((".srt", ".vtt")) else re.compile("(?!)")
    number, doubts, doubtful = 0, make_doubts(translator), dict[str, int]()  # doubtful: number of the first line
    for sentences in batches:
        lines = []
        for hypotheses in translator.n_best(sentences, merge_subwords=options.merge_subwords, **search):
            number += 1
            if timing.fullmatch(source := hypotheses[0].source):
                hypotheses = [hypotheses[0]._replace(text=source)]
            for doubt in doubts(hypotheses[0]):
                doubtful.setdefault(doubt, number)
            for rank, translation in enumerate(hypotheses if options.n_best else hypotheses[:1], start=1):
                latin = {"romanized": romanize(translation.text)} if in_latin else {}
                if options.json:
                    lines.append(_as_json(translation, **({"rank": rank} if options.n_best else {}), **latin))
                    continue
                columns = [str(number), f"{translation.score:.4f}"] if options.n_best else []
                lines.append("\t".join([*columns, translation.text, *latin.values()]))
        say(*lines)
        if given or typed:
            note(*doubtful)
            doubtful.clear()
    for doubt, number in list(doubtful.items())[:_SHOWN]:
        note(f"line {number:,}: {doubt}")
    if len(doubtful) > _SHOWN:
        note(f"and {len(doubtful) - _SHOWN:,} more such doubts")


def _as_json(translation: "Translation", **more: Any) -> str:
    attention = [[round(float(weight), 6) for weight in row] for row in translation.attention]
    return to_json({**translation._asdict(), "attention": attention, **more})


def _prompted() -> Iterator[list[str]]:
    """Yields each sentence that is typed, as a list of one, until end of file or an empty line."""
    print("Type a sentence; an empty line or Ctrl-D ends.", file=sys.stderr)
    while True:
        try:
            sentence = input("> ")
        except EOFError:
            return
        if not sentence.strip():
            return
        yield [sentence]
