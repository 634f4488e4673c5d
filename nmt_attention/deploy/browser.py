"""A trained model as one HTML file that translates in the browser: no server, no network, nothing to install.

`web/` holds the page. Its engine computes what the package computes, in files of the same names, and runs in a worker,
where `answers.js` asks it what the page wants to know; the other files draw. Here they are put together with the 8-bit
numbers of models, their tokenisers, an example that stands there before these are read, and the letters of a font.
"""

import base64
import dataclasses
import functools
import hashlib
import html
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from .. import spelling
from ..alignment.links import pair_words
from ..alignment.scores import read_alignments
from ..disk.files import atomic_write
from ..disk.pairs import DATA_DIRECTORY
from ..figures.labels import attention_table
from ..figures.palette import LEAST_WEIGHT, read
from ..figures.web_font import font_face
from ..marathi.gloss import gloss, read_glosses
from ..marathi.romanize import scheme, to_latin
from ..preprocess.doubts import UNSEEN
from ..preprocess.language import ENOUGH, MOSTLY
from ..preprocess.preprocessor import Preprocessor
from ..preprocess.protect import ASKING, LENDERS, LIST, SYMBOL, SYMBOLS, Placeholders
from ..preprocess.rules import ACRONYMS, DIGITS, ENTITIES, LETTER_NAMES, OBLIQUES, PLACES, TITLED, read_rules
from ..preprocess.transliterator import KINDS, PLAIN
from ..preprocess.verify import LOSS, WIDER, unwarned
from ..runs.bundle import LEARNING, NOTICE, is_matrix, quantize, read_as
from ..text import UNSPACED, SubwordTokenizer, Tokenizer
from ..translate import Translator
from .text_graph import LETTERS, listed, more_marks, piece_scores, ranges, word_pattern

GOLD = DATA_DIRECTORY / "demo_alignments.tsv"
MOST_BYTES = 12_000_000
PARTS = {  # what the JavaScript has of each setting's choices; the other attentions are for lessons
    "architecture": ("rnn", "transformer"),
    "attention": ("bahdanau", "concat", "dot", "general", "none", "scaled-dot"),
    "decoder": ("bahdanau", "conditional", "luong", "luong-input-feeding"),
    "cell": ("gru", "lstm"),
}
_PAGE = resources.files("nmt_attention.deploy") / "web"
_ENGINE = "text vectors model transformer search segment protect transliterator preprocessor romanize answers"
ENGINE = tuple(f"{name}.js" for name in _ENGINE.split())
_REST = ("stage.js", "story.js", "scenes.js", "learning.js", "explore.js", "ui.js")
PAGE_BEAM_SIZE = 5  # as `translate` on the command line
EXAMPLE = "Dad bought me a camera."  # what the page opens with


def export_page(run: Path | str, path: Path | str, beside: Sequence[Path | str] = ()) -> None:
    """Writes a run's trained model as a page that translates in the browser, one self-contained HTML file.

    A `NOTICE` of a run stands at the end of the page, and what the first one recorded of a training is a scene of it.

    Args:
        run: directory of the run.
        path: the file to write; one that exists is replaced.
        beside: directories of more runs, whose models one can choose in the page and compare with the first. They are
            called by the names of their directories.

    Raises:
        FileNotFoundError, ValueError: as `Translator.load`; also if the page lacks a part of a model, if two runs have
            the same name, or if the page would be larger than `MOST_BYTES` for each model.
    """
    runs: dict[str, Path] = {}
    for directory in map(Path, (run, *beside)):
        name = directory.resolve().name
        if name in runs:
            raise ValueError(f"{runs[name]} and {directory}: two models of a page would be called {name}")
        runs[name] = directory
    notices = [text.read_text(encoding="utf-8") for r in runs.values() if (text := r / NOTICE).is_file()]
    translators = {name: Translator.load(directory) for name, directory in runs.items()}
    scene = ""
    if (record := Path(run) / LEARNING).is_file():
        with read_as(record, "a record of a training") as learning:
            scene = _learning(learning)
    page = page_html(translators, "\n".join(dict.fromkeys(notices)), scene).encode()
    most = MOST_BYTES * len(runs)
    if len(page) > most:
        raise ValueError(f"{run}: a page of {len(page):,} bytes, more than {most:,}; train a smaller model")
    with atomic_write(Path(path)) as partial:
        partial.write_bytes(page)


def page_html(translators: Mapping[str, Translator], notice: str = "", learning: str = "") -> str:
    """Returns the page of the translators' models by their names, with a notice at its end. The first is in use.

    `learning` is the scene of a training, HTML.

    Its Content-Security-Policy allows this script and these styles, by their hashes, and no connection to anywhere.

    Raises:
        ValueError: the page lacks a part of the model.
    """
    first = next(iter(translators.values()))
    steps, style = read("figures/steps.js"), _read("style.css") + font_face(latin=True)
    numbers = f"const LEAST = {LEAST_WEIGHT}, BEAM_SIZE = {PAGE_BEAM_SIZE};"
    script = "\n".join(["'use strict';", numbers, steps, *map(_read, _REST)])
    policy = f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; font-src data:; img-src data:"
    look = example_look(first, EXAMPLE)
    models = [_packed(page_model(t), f'class=model data-name="{html.escape(name)}"') for name, t in translators.items()]
    parts = {
        "policy": f"{policy}; worker-src blob:; base-uri 'none'; form-action 'none'",
        "style": style,
        "english": _words(look["source"]),
        "marathi": _words(look["target"]),
        "doubt": _doubt(first),
        "learning": learning,
        "notice": html.escape(notice),
        "example": _json({"sentence": EXAMPLE, "look": look}),
        "gold": _json(_gold()),
        "engine": f"'use strict';\n{engine()}",
        "net": "\n".join(["'use strict';", _read("vectors.js"), _read("reversal.js")]),
        "models": "\n".join(models),
        "script": script,
    }
    return re.sub(r"\{\{ (\w+) \}\}", lambda match: parts[match[1]], _read("index.html"))


def example_look(translator: Translator, sentence: str) -> dict[str, Any]:
    """Returns a translated sentence as the stage shows it; see `answers.js`."""
    with unwarned():
        [found] = translator.translate([sentence], beam_size=PAGE_BEAM_SIZE, merge_subwords=True)
    target, source, weights = attention_table(found) if found.text else ([], found.source_tokens, np.zeros((0, 0)))
    is_marathi = getattr(translator.preprocessor, "marathi", True)
    return {
        **{"ids": [], "way": {}, "text": found.text, "weights": weights.round(4).tolist()},
        "source": [{"text": word, "positions": [j]} for j, word in enumerate(source)],
        "target": [
            {"text": word, "latin": to_latin(word), "gloss": gloss(word, source, row) * is_marathi, "positions": [t]}
            for t, (word, row) in enumerate(zip(target, weights, strict=True))
        ],
    }


def _words(words: Sequence[Mapping[str, str]]) -> str:
    """Returns words as elements, which stand on the stage until the script draws it."""
    return " ".join(f'<span class="w">{html.escape(word["text"])}</span>' for word in words)


def _doubt(translator: Translator) -> str:
    """Returns what the page says of clean light over a wrong word, and of how often a sure translation is right.

    All of it is said of the model in the package: of any other one nothing.
    """
    certainty = getattr(translator.preprocessor, "certainty", None)
    if certainty is None:
        return ""
    best, _, fair, worst = certainty["bands"]
    counts = _count(best, f"{best['from']}% sure or more") + _count(worst, f"less than {fair['from']}% sure")
    return _read("doubt.html").replace("{{ counts }}", counts)


def _count(band: Mapping[str, int], how_sure: str) -> str:
    """Returns a hundred dots, of which as many shine as sentences of a hundred were right."""
    count = band["sentences"]
    right = round(100 * band["matched"] / count)
    dots = "".join(
        f'<circle{" class=yes" if i < right else ""} cx="{i % 20 + 0.5}" cy="{i // 20 + 0.5}" r=".38"/>'
        for i in range(100)
    )
    return (
        f'<p class="big">{right}<small> of 100</small></p>'
        f'<p class="counted">are right where it is {how_sure} (of {count} unseen sentences)</p>'
        f'<svg class="dots" viewBox="0 0 20 5" aria-hidden="true">{dots}</svg>'
    )


def _learning(learning: Mapping[str, Any]) -> str:
    """Returns the scene of a training, which says what training it was, and its record."""
    training, minutes = learning["training"], round(learning["seconds"] / 60)
    settings = training["settings"]
    taught, aligner = "Nobody showed it where to look", ""
    if settings["guidance"]:
        taught = "It was also shown where to look; the next net is not"
        aligner = "A program that counts which words occur together, an aligner, showed it which belong together. "
    about = (
        f"This network has {settings['units']} units and {training['parameters'] / 1e6:.1f} million numbers. "
        f"It learned from {training['pairs']:,} pairs of sentences (seed {settings['seed']}). "
        f"That took {minutes} minutes, with the time in which its light was recorded."
    )
    steps = [
        {**step, "weights": np.frombuffer(base64.b64decode(step["weights"]), np.uint8)} for step in learning["steps"]
    ]
    said = {"about": html.escape(about), "taught": taught, "aligner": aligner}
    said |= {name: f"{count:,}" for name, count in learning["counts"].items()}
    scene = re.sub(r"\{\{ (\w+) \}\}", lambda match: said[match[1]], _read("learning.html"))
    return scene + _packed({"sentences": learning["sentences"], "steps": steps}, 'id="record"')


def _packed(value: Any, attributes: str) -> str:
    """Returns an element of the page that is data and not run; `unpack` of vectors.js reads it."""
    text, numbers = with_arrays(value)
    letters = as_letters(zlib.compress(f"{text}\n".encode() + numbers, 9))
    return f'<script type="text/plain" {attributes}>{letters}</script>'


def with_arrays(value: Any) -> tuple[str, bytes]:
    """Returns what JSON and NumPy can hold as JSON on one line, and the bytes of the arrays that it names."""
    numbers = bytearray()

    def name(array: np.ndarray) -> dict[str, Any]:
        begin = len(numbers)
        numbers.extend(array.tobytes())
        return {"array": str(array.dtype), "begin": begin, "end": len(numbers)}

    return json.dumps(value, ensure_ascii=False, default=name), bytes(numbers)


def as_letters(data: bytes) -> str:
    """Returns bytes as text of seven bits a letter. HTML would change or read three letters: they have the eighth."""
    bits = np.unpackbits(np.frombuffer(data, np.uint8))
    sevens = np.pad(bits, (0, -len(bits) % 7)).reshape(-1, 7)
    letters = np.packbits(sevens, axis=1)[:, 0] >> 1
    return np.where(np.isin(letters, [*b"\0\r<"]), letters | 128, letters).astype(np.uint8).tobytes().decode("latin-1")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


def _gold() -> dict[str, dict[str, str]]:
    """Returns the links of the sentences whose links are known, by the words of both sides with a tab between."""
    gold = {}
    for alignment in read_alignments(GOLD, [])[0]:
        source, target = pair_words(alignment.pair)
        kinds = {f"{i}-{j}": "sure" if (i, j) in alignment.sure else "possible" for i, j in sorted(alignment.possible)}
        gold[" ".join(source) + "\t" + " ".join(target)] = kinds
    return gold


def engine() -> str:
    """Returns the JavaScript that translates: `makeModel` of `page_model`'s dict, `translateText` and `romanize`."""
    return "\n".join(map(_read, ENGINE))


def page_model(translator: Translator) -> dict[str, Any]:
    """Returns a translator's model, tokenisers, placeholders, Latin letters and glosses, for `makeModel`.

    It holds what JSON can hold, and NumPy arrays.

    Raises:
        ValueError: the page lacks a part of the model.
    """
    preprocessor = translator.preprocessor if isinstance(translator.preprocessor, Preprocessor) else None
    placeholders = preprocessor.placeholders if preprocessor else None
    translators = [translator, placeholders.transliterator.translator] if placeholders else [translator]
    tokenizers = [tokenizer for each in translators for tokenizer in (each.source_tokenizer, each.target_tokenizer)]
    return {
        "rules": _rules(any(t.fold_case for t in tokenizers), any(t.kind == "character" for t in tokenizers)),
        **_model(translator),
        "preprocessor": _preprocessor(preprocessor) if preprocessor else None,
        "names": _names(placeholders) if placeholders else None,
        "latin": scheme(),
        "certainty": preprocessor.certainty if preprocessor else None,
        "glosses": read_glosses() if getattr(translator.preprocessor, "marathi", True) else {},
    }


def _model(translator: Translator) -> dict[str, Any]:
    model, source, target = translator.model, translator.source_tokenizer, translator.target_tokenizer
    for name, has in PARTS.items():
        if getattr(model.config, name) not in has:
            raise ValueError(f"{name}: a page has {', '.join(has)}; this model has {getattr(model.config, name)}")
    return {
        "config": dataclasses.asdict(model.config),
        "source": _tokenizer(source),
        "target": _tokenizer(target),
        "weights": {w.path.removeprefix("seq2seq/"): _weight(w.path, np.asarray(w)) for w in model.weights},
    }


def _names(placeholders: Placeholders) -> dict[str, Any]:
    """Returns the words that are known or listed, and the model that writes others; see `transliterator.py`."""
    transliterator = placeholders.transliterator
    return {
        "model": _model(transliterator.translator),
        "beamSize": transliterator.beam_size,
        "kinds": KINDS,
        "listed": transliterator.listed,
        "known": sorted(placeholders.known),
        "unwritten": sorted(placeholders.unwritten),
        "plain": PLAIN,
        "syllables": spelling.SYLLABLES.pattern,
    }


def _preprocessor(preprocessor: Preprocessor) -> dict[str, Any]:
    """Returns the rules of texts as people type them, as `rules.tsv` has them, and what of a model they depend on."""
    rules, titled = read_rules(), {title: each.split() for title, each in TITLED.items()}
    return {
        "patterns": {name: _javascript(listed(pattern)) for name, pattern in rules.patterns.items()},
        "tables": {name: [(_javascript(listed(a)), b) for a, b in table] for name, table in rules.tables.items()},
        "words": rules.words,
        "classes": _classes(),
        "entities": ENTITIES,
        "whole": {place: ("place", text) for place, text in PLACES.items()} | titled,
        "acronyms": ACRONYMS,
        "numerals": {number: _javascript(listed(pattern)) for number, pattern in rules.names["numerals"].items()},
        "letterNames": LETTER_NAMES,
        "splits": preprocessor.splits,
        "spellings": preprocessor.spellings,
        "letters": "".join(sorted(preprocessor.letters)),
        "digits": "0123456789".translate(preprocessor.digits),
        "devanagari": "0123456789".translate(DIGITS),
        "mostly": MOSTLY,
        "enough": ENOUGH,
        "wider": WIDER,
        "loss": LOSS,
        "unseen": UNSEEN,
        "list": LIST,
        "asking": ASKING,
        "symbols": SYMBOLS,
        "lenders": LENDERS,
        "obliques": OBLIQUES,
        "titled": titled,
    }


@functools.cache  # as `_rules`
def _classes() -> dict[str, str]:
    """Returns the letters of Python's classes, of which JavaScript's differ."""
    return {name: _javascript(ranges(re.findall(name, "".join(LETTERS)))) for name in (r"\w", r"\d", r"\s")}


def _javascript(pattern: str) -> str:
    return pattern.replace(r"\x{", r"\u{")


def _weight(name: str, array: np.ndarray) -> dict[str, Any]:
    if not is_matrix(name):
        return _floats(array)
    numbers, scale = quantize(name, array)
    return {"shape": array.shape, "numbers": numbers, "scale": scale.astype("<f4"), "perRow": len(scale) > 1}


def _floats(array: np.ndarray) -> dict[str, Any]:
    return {"shape": array.shape, "numbers": array.astype("<f4")}


def _tokenizer(tokenizer: Tokenizer) -> dict[str, Any]:
    saved = {"kind": tokenizer.kind, "foldCase": tokenizer.fold_case, "vocabulary": tokenizer.vocabulary}
    if isinstance(tokenizer, SubwordTokenizer):
        saved["scores"] = _floats(np.nan_to_num(piece_scores(tokenizer)))
    return saved


@functools.cache  # it looks at all letters of Unicode
def _rules(fold_case: bool, characters: bool) -> dict[str, Any]:
    """Returns what tokens depend on; see `spelling.py` and `text.py`."""
    patterns = {
        "invisible": spelling.INVISIBLE.pattern,
        "blank": spelling.BLANK.pattern,
        "apostrophe": spelling.APOSTROPHE.pattern,
        "moreMarks": more_marks(),
        "word": word_pattern(),
        "linked": f"[{UNSPACED}]" + listed(r"[\p{M}]") + "*|" + word_pattern(UNSPACED),
        "letter": listed(spelling.GRAPHEME) if characters else "",
        "symbol": SYMBOL.pattern,
    }
    return {
        # JavaScript has lower case, and no case folding
        "folded": {c: c.casefold() for c in LETTERS if c.casefold() != c.lower()} if fold_case else {},
        "patterns": {name: _javascript(pattern) for name, pattern in patterns.items()},
        "spellings": spelling.SPELLINGS,
        "opening": spelling.OPENING,
        "closing": "".join(
            c for c in spelling.PUNCTUATION if c not in spelling.OPENING + spelling.QUOTE + spelling.DASHES
        ),
        "quote": spelling.QUOTE,
    }


def _read(name: str) -> str:
    return (_PAGE / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
