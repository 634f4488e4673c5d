"""The `translate` command."""

import argparse
import collections
import io
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ..decoding.words import in_words
from ..disk.files import atomic_write, make_parent
from ..preprocess.terms import read_terms
from ..runs.machine import import_tensorflow
from ..vocabulary import END_ID, SPECIAL_TOKENS
from .common import as_sentences, models, search_settings
from .console import note, say, to_json
from .lines import file_lines, lines_as_they_come
from .options import BEAM_SIZE

if TYPE_CHECKING:
    from ..translate import Translation, Translator

_TIMING = re.compile(r"\ufeff?(?:\s*\d+\s*|.*-->.*|WEBVTT.*)")  # lines of subtitles that a player reads
_SHOWN = 3  # doubts about the lines of a file


class Doubtful(NamedTuple):
    """A line of which something is doubtful; without its attention, because a file may have a million of them."""

    number: int
    source: str
    doubts: tuple[str, ...]


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
    if options.doubts:
        _check_doubts(options.doubts)

    import_tensorflow()
    from ..marathi.romanize import romanize
    from ..preprocess.segment import paragraphs
    from ..preprocess.verify import unwarned
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
    timing = _TIMING if str(file).lower().endswith((".srt", ".vtt")) else re.compile("(?!)")
    number, noted = 0, 0
    doubtful: list[Doubtful] = []
    asked = {"merge_subwords": options.merge_subwords, "probabilities": options.json, **search}
    for sentences in batches:
        lines = []
        with unwarned():
            found = translator.n_best(sentences, **asked)
        for hypotheses in found:
            number += 1
            if timing.fullmatch(source := hypotheses[0].source):
                hypotheses = [hypotheses[0]._replace(text=source, doubts=())]
            if hypotheses[0].doubts:
                doubtful.append(Doubtful(number, source, hypotheses[0].doubts))
            for rank, translation in enumerate(hypotheses if options.n_best else hypotheses[:1], start=1):
                latin = {"romanized": romanize(translation.text)} if in_latin else {}
                if options.json:
                    ranked = {"rank": rank} if options.n_best else {}
                    is_merged = options.merge_subwords or not translation.target_tokens
                    words = translation if is_merged else in_words(translator, translation)
                    lines.append(_as_json(translator, translation, words, **ranked, **latin))
                    continue
                columns = [str(number), f"{translation.score:.4f}"] if options.n_best else []
                lines.append("\t".join([*columns, translation.text, *latin.values()]))
        say(*lines)
        if typed:
            note(*_lines(doubtful[noted:]))
            noted = len(doubtful)
    if options.doubts:
        make_parent(options.doubts)
        with atomic_write(options.doubts) as partial:
            rows = [f"{n}\t{' '.join(source.split())}\t{'; '.join(lines)}\n" for n, source, lines in doubtful]
            partial.write_text("".join(rows), encoding="utf-8", newline="\n")
    if not typed:
        note(*(_lines(doubtful) if given else _in_short(doubtful, options.doubts)))


def _lines(doubtful: list[Doubtful]) -> list[str]:
    """Returns each doubt once."""
    return list(dict.fromkeys(doubt for each in doubtful for doubt in each.doubts))


def _in_short(doubtful: list[Doubtful], file: Path | None) -> list[str]:
    """Returns a line about the commonest doubts, each with the first line that has it, and how many more there are."""
    numbers = collections.defaultdict(list)
    for each in doubtful:
        for doubt in each.doubts:
            numbers[doubt].append(each.number)
    often = sorted(numbers, key=lambda doubt: -len(numbers[doubt]))
    lines = []
    for doubt in often[:_SHOWN]:
        first, *others = numbers[doubt]
        more = f" and {len(others):,} more" if others else ""
        lines.append(f"line {first:,}{more}: {doubt}")
    if (left := len(often) - _SHOWN) > 0:
        where = f"{file} has" if file else "--doubts FILE writes"
        lines.append(f"and {left:,} more such {'doubt' if left == 1 else 'doubts'}; {where} all of them")
    return lines


def _check_doubts(file: Path) -> None:
    """Raises a ValueError if a file is there that is none of doubts."""
    if file.is_file() and not re.match(rb"\d+\t|$", file.read_bytes()):
        raise ValueError(f"--doubts {file}: a file of something else; choose another name, or move it away")


def _as_json(translator: "Translator", translation: "Translation", in_words: "Translation", **more: Any) -> str:
    from ..preprocess.doubts import band_of

    certainty: Any = getattr(translator.preprocessor, "certainty", None)
    end = SPECIAL_TOKENS[END_ID]
    words = [each for each in zip(in_words.target_tokens, in_words.probabilities, strict=True) if each[0] != end]
    about = {
        "attention": [[round(float(weight), 6) for weight in row] for row in translation.attention],
        "certainty": translation.certainty if translation.target_tokens else None,
        "band": band_of(certainty, translation.certainty) if translation.target_tokens else None,
        "words": [{"text": w, "probability": round(p, 6), "band": band_of(certainty, p)} for w, p in words],
    }
    value = {name: each for name, each in translation._asdict().items() if name != "probabilities"}
    return to_json({**value, **about, **more})


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
