"""The `translate` command."""

import argparse
import io
import os
import re
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, cast

from ..runs.machine import import_tensorflow
from .console import say, to_json
from .lines import file_lines, lines_as_they_come
from .options import BEAM_SIZE, add_command, add_runs, add_search, as_sentences, run_or, search_settings

if TYPE_CHECKING:
    from ..translate import Translation, Translator


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds the command and its options."""
    parser = add_command(
        subparsers,
        "translate",
        run,
        "translate sentences; one line in, one line out",
        '"Where is my book?"',
    )
    add_runs(parser)
    parser.add_argument("sentences", nargs="*", help="sentences; without any, lines of --file or standard input")
    parser.add_argument(
        "--file", default=argparse.SUPPRESS, help="text file of sentences to translate, one per line; -: standard input"
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object per line: text, tokens, score, attention"
    )
    parser.add_argument(
        "--n-best",
        action="store_true",
        help="print all hypotheses of a beam or all samples, best first: number of the sentence, log-probability and "
        "text, separated by tabs; with --json also their rank",
    )
    parser.add_argument(
        "--romanize",
        action="store_true",
        help="print each translation in Latin letters too, as on a terminal: a last column, after a tab; with --json, "
        "romanized",
    )
    parser.add_argument(
        "--merge-subwords", action="store_true", help="with --json: attention between words instead of pieces of words"
    )
    add_search(parser, beam_size=BEAM_SIZE)


def run(options: argparse.Namespace) -> None:
    """Prints the translation of each sentence, or all hypotheses of it, as text or as JSON with attention."""
    if options.sentences and hasattr(options, "file"):
        raise ValueError("translate: give sentences or --file, not both")
    if named := next(filter(_names_a_file, options.sentences), ""):
        raise ValueError(f"translate: {named} is the name of a file; write --file {named}")
    search = search_settings(options, BEAM_SIZE)
    if getattr(options, "file", "-") != "-":
        os.stat(options.file)  # before a model is loaded in vain

    import_tensorflow()
    from ..marathi.romanize import romanize
    from ..runs.bundle import READY, check_marathi, writes_marathi
    from ..translate import Translator

    runs = run_or(options, [READY])
    if options.romanize:
        check_marathi(runs, "--romanize")
    translator = Translator.load(*runs)
    in_latin = options.romanize or (sys.stdout.isatty() and not options.json and all(map(writes_marathi, runs)))
    batches: Iterable[list[str]]
    typed = False  # at a prompt
    if options.sentences:
        batches = [as_sentences(options.sentences)]
    elif getattr(options, "file", "-") != "-":
        batches = file_lines(options.file)
    elif sys.stdin is None:
        raise ValueError("translate: expected sentences, --file or standard input, which is closed")
    elif sys.stdin.isatty() and sys.stdout.isatty():
        batches, typed = _prompted(), True
    else:
        batches = lines_as_they_come("standard input", cast(io.BufferedReader, sys.stdin.buffer))
    number = 0
    for sentences in batches:
        lines, read = [], []
        for hypotheses in translator.n_best(sentences, merge_subwords=options.merge_subwords, **search):
            number += 1
            read += hypotheses[:1]
            for rank, translation in enumerate(hypotheses if options.n_best else hypotheses[:1], start=1):
                latin = {"romanized": romanize(translation.text)} if in_latin else {}
                if options.json:
                    lines.append(_as_json(translation, **({"rank": rank} if options.n_best else {}), **latin))
                    continue
                columns = [str(number), f"{translation.score:.4f}"] if options.n_best else []
                lines.append("\t".join([*columns, translation.text, *latin.values()]))
        say(*lines)
        if options.sentences or typed:
            doubt_words(translator, read)


def _names_a_file(text: str) -> bool:
    return os.path.isfile(text) or bool(re.fullmatch(r"\S+\.(?:txt|tsv|csv)", text))


def doubt_words(translator: "Translator", translations: "list[Translation]") -> None:
    """Says which words of sentences that were translated training had not, and which of its words may be meant."""
    from ..decoding.nearest import nearest_word, unknown_words

    around: Any = translator.around
    if not hasattr(around, "known"):  # a model without placeholders
        return
    listed = {name.lower() for name in around.transliterator.listed}
    ids = {token: i for i, token in enumerate(translator.source_tokenizer.vocabulary)}
    texts = [translation.source for translation in translations if translation.target_tokens]
    for word in dict.fromkeys(word for text in texts for word in unknown_words(text, around.known | listed)):
        near = nearest_word(word, around.known, ids)
        meant = f'; did you mean "{near}"?' if near else ""
        print(f'"{word}" is in no sentence that the model learned from{meant}', file=sys.stderr)


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
