"""The `translate` command."""

import argparse
import collections
import contextlib
import io
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ..decoding.words import in_words
from ..disk.files import atomic_write
from ..preprocess.terms import read_terms
from ..runs.machine import import_tensorflow
from ..vocabulary import END_ID, SPECIAL_TOKENS
from .common import as_sentences, models, search_settings
from .console import file_lines, lines_as_they_come, note, say, to_json
from .options import BEAM_SIZE

if TYPE_CHECKING:
    from ..translate import Translation, Translator

_TIMING = re.compile(r"\ufeff?(?:\s*\d+\s*|.*-->.*|WEBVTT.*)")  # lines of subtitles that a player reads
Doubtful = list[tuple[int, str, tuple[str, ...]]]  # number, source and doubts of each line that has any


def run(options: argparse.Namespace) -> None:
    """Prints the translation of each sentence, or all hypotheses of it, as text or as JSON with attention."""
    if options.sentences and options.file:
        raise ValueError("translate: give sentences or --file, not both")
    if options.sentences and options.paragraphs:
        raise ValueError("--paragraphs: no effect on sentences; it joins lines of --file or standard input")
    given = as_sentences(options.sentences)
    search = search_settings(options, BEAM_SIZE)
    file = options.file if options.file != Path("-") else None
    if file:
        open(file, "rb").close()  # before a model is loaded in vain
    terms = read_terms(options.terms) if options.terms else None
    if options.doubts and options.doubts.is_file() and not re.match(rb"\d+\t|$", options.doubts.read_bytes()):
        raise ValueError(f"--doubts {options.doubts}: a file of something else; choose another name, or move it away")

    import_tensorflow()
    from ..marathi.romanize import romanize
    from ..preprocess.segment import paragraphs
    from ..preprocess.verify import unwarned
    from ..runs.bundle import check_marathi
    from ..translate import Translator

    runs = models(options)
    translator = Translator.load(*runs, terms=terms)
    if options.romanize:
        check_marathi(translator.preprocessor, runs[0], "--romanize")
    for_people = sys.stdout.isatty() and not options.json
    in_latin = options.romanize or (for_people and getattr(translator.preprocessor, "marathi", False))
    typed = not (given or file) and sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
    if given:
        batches: Iterable[list[str]] = [given]
    elif file:
        batches = file_lines(file)
    elif sys.stdin is None:
        raise ValueError("translate: expected sentences, --file or standard input, which is closed")
    elif typed:
        batches = _prompted()
    else:
        batches = lines_as_they_come("standard input", cast(io.BufferedReader, sys.stdin.buffer))
    if options.paragraphs:
        batches = paragraphs(batches)
    timing = _TIMING if str(file).lower().endswith((".srt", ".vtt")) else re.compile("(?!)")
    number = 0
    doubtful: Doubtful = []
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
                doubtful.append((number, source, hypotheses[0].doubts))
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
        if typed or given:
            note(*dict.fromkeys(doubt for each in found for doubt in each[0].doubts))
    if options.doubts:
        with atomic_write(options.doubts) as partial:
            rows = [f"{n}\t{' '.join(source.split())}\t{'; '.join(lines)}\n" for n, source, lines in doubtful]
            partial.write_text("".join(rows), encoding="utf-8", newline="\n")
    if not typed and not given:
        note(*_in_short(doubtful, options.doubts))


def _prompted() -> Iterator[list[str]]:
    """Yields each sentence that is typed, until an empty line or the end of the file."""
    note("Type a sentence; an empty line or Ctrl-D ends.")
    with contextlib.suppress(EOFError):
        while sentence := input("> ").strip():
            yield [sentence]


def _in_short(doubtful: Doubtful, file: Path | None) -> list[str]:
    """Returns a line about the commonest doubts, each with the first line that has it, and how many more there are."""
    from ..preprocess.doubts import SHOWN

    counts = collections.Counter(doubt for *_, doubts in doubtful for doubt in doubts)
    first = {doubt: number for number, _, doubts in reversed(doubtful) for doubt in doubts}
    more = {doubt: f" and {count - 1:,} more" if count > 1 else "" for doubt, count in counts.items()}
    lines = [f"line {first[doubt]:,}{more[doubt]}: {doubt}" for doubt, _ in counts.most_common(SHOWN)]
    if (left := len(counts) - SHOWN) > 0:
        where = f"{file} has" if file else "--doubts FILE writes"
        lines.append(f"and {left:,} more such {'doubt' if left == 1 else 'doubts'}; {where} all of them")
    return lines


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
    value = translation._asdict() | about | more
    del value["probabilities"]
    return to_json(value)
