"""A trained model as one HTML file that translates in the browser: no server, no network, nothing to install.

`web/` holds the page. Its JavaScript computes what the package computes, and its files are named after what they do:
`text.js` (spelling, tokens), `vectors.js` (arithmetic), `model.js` (encoder, attention, decoder), `transformer.js` (the
same of a Transformer), `names.js` (placeholders and the model that writes names), `switches.js` (other weights,
padding), `search.js` (greedy and beam search), `sentences.js` (texts of several sentences, missing marks),
`romanize.js`, `view.js` (what is drawn), `heads.js` (a Transformer's heads), `controls.js` (how one sets switches),
`share.js` (links, pictures, larger type), `tour.js` (a guided tour) and `ui.js` (what happens at a click). One step is
drawn by `steps.js` of the figures, which the lessons share. Here they are put together with the models' 8-bit numbers,
their tokenisers and the letters of a font.
"""

import base64
import dataclasses
import functools
import hashlib
import html
import json
import re
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from ..alignment.links import pair_words
from ..alignment.scores import read_alignments
from ..decoding import signs, typed
from ..decoding.foreign import ENOUGH, FOREIGN, MOSTLY, letters_of
from ..decoding.foreign import WORD as FOREIGN_WORD
from ..decoding.languages import MARATHI
from ..decoding.sentences import (
    BEAM_SIZE,
    BOUNDARY,
    COUNTER,
    FINAL_MARKS,
    HAS_FINAL_MARK,
    LETTER,
    NO_END,
    NOT_AT_END,
    QUESTION,
    QUOTED,
    TextTranslator,
    digits_of,
)
from ..decoding.sentences import OPENING as OPENING_MARKS
from ..disk.entities import APART, ENTITIES, ENTITY, ESCAPED_TWICE
from ..disk.files import atomic_write, make_parent, read_json
from ..disk.pairs import DATA_DIRECTORY
from ..figures.palette import LEAST_WEIGHT
from ..figures.palette import STYLE as PALETTE
from ..figures.web_font import font_face
from ..marathi.gloss import read_glosses
from ..marathi.romanize import scheme
from ..names import tokens
from ..names.finding import AFTER_VERBS, ASKING, BEFORE_SENTENCE, FOLLOWING, LIST, WORDS_TOO
from ..names.obliques import ENDING, OBLIQUES
from ..names.placeholders import AMPERSAND, COPIED_END, LENDERS, SYMBOL, SYMBOLS, WORD_START, Placeholders
from ..names.transliterator import KINDS, LATIN, PLAIN
from ..runs.bundle import NOTICE, is_matrix, quantize
from ..spelling import (
    APOSTROPHE,
    BLANK,
    DASHES,
    GRAPHEME,
    INVISIBLE,
    MARK,
    MAX_MARKS,
    OPENING,
    PUNCTUATION,
    QUOTE,
    SPELLINGS,
    SYLLABLES,
)
from ..text import UNSPACED, SubwordTokenizer, Tokenizer
from ..translate import Translator
from .text_graph import LETTERS, listed, piece_scores, ranges, word_pattern

GOLD = DATA_DIRECTORY / "demo_alignments.tsv"
MOST_BYTES = 12_000_000
CERTAINTY = Path(__file__).parent / "web" / "certainty.json"  # written by tools.measure.certainty
PARTS = {  # what the JavaScript has of each setting's choices; the other attentions are for lessons
    "architecture": ("rnn", "transformer"),
    "attention": ("bahdanau", "concat", "dot", "general", "none", "scaled-dot"),
    "decoder": ("bahdanau", "conditional", "luong", "luong-input-feeding"),
    "cell": ("gru", "lstm"),
}
_PAGE = resources.files("nmt_attention.deploy") / "web"
_FIGURES = resources.files("nmt_attention.figures")
_MODULES = ("text", "vectors", "model", "transformer", "names", "switches", "search", "sentences", "romanize")
ENGINE = tuple(f"{name}.js" for name in _MODULES)
_REST = ("view.js", "heads.js", "controls.js", "share.js", "tour.js", "ui.js")


def export_page(run: Path | str, path: Path | str, beside: Sequence[Path | str] = ()) -> None:
    """Writes a run's trained model as a page that translates in the browser, one self-contained HTML file.

    A `NOTICE` of a run stands at the end of the page.

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
    page, most = page_html(translators, "\n".join(dict.fromkeys(notices))).encode(), MOST_BYTES * len(runs)
    if len(page) > most:
        raise ValueError(f"{run}: a page of {len(page):,} bytes, more than {most:,}; train a smaller model")
    path = Path(path)
    make_parent(path)
    with atomic_write(path) as partial:
        partial.write_bytes(page)


def page_html(translators: Mapping[str, Translator], notice: str = "") -> str:
    """Returns the page of the translators' models by their names, with a notice at its end. The first is in use.

    Its Content-Security-Policy allows this script and these styles, by their hashes, and no connection to anywhere.

    Raises:
        ValueError: the page lacks a part of the model.
    """
    styles, (steps, light) = (
        [_FIGURES.joinpath(f"{name}.{kind}").read_text(encoding="utf-8") for name in ("steps", "attention")]
        for kind in ("css", "js")
    )
    style = "".join([PALETTE, *styles, _read("style.css"), font_face(latin=True)])
    constants = f"const LEAST = {LEAST_WEIGHT};  // weight of a line that is drawn, as in Python's figures"
    script = "\n".join(
        [
            "'use strict';",
            constants,
            engine(),
            steps,
            *map(_read, _REST),
            f"function lightUpWords() {{\n{light}}}",
            "start();",
        ]
    )
    policy = f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; font-src data:; img-src data:"
    parts = {
        "policy": f"{policy}; base-uri 'none'; form-action 'none'",
        "style": style,
        "notice": html.escape(notice),
        "gold": _json(_gold()),
        "models": "\n".join(_script(name, translator) for name, translator in translators.items()),
        "script": script,
    }
    return re.sub(r"\{\{ (\w+) \}\}", lambda match: parts[match[1]], _read("index.html"))


def _script(name: str, translator: Translator) -> str:
    """Returns a model as an element of the page, which is data and not run."""
    model = _json(page_model(translator))
    return f'<script type="application/json" class="model" data-name="{html.escape(name)}">{model}</script>'


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


def _gold() -> list[dict[str, Any]]:
    """Returns the words of the sentences whose links are known, and the links, for the heatmap."""
    gold = []
    for alignment in read_alignments(GOLD, [])[0]:
        source, target = pair_words(alignment.pair)
        kinds = {f"{i}-{j}": "sure" if (i, j) in alignment.sure else "possible" for i, j in sorted(alignment.possible)}
        gold.append({"source": source, "target": target, "links": kinds})
    return gold


def engine() -> str:
    """Returns the JavaScript that translates: `makeModel` of `page_model`'s dict, `translateText` and `romanize`."""
    return "\n".join(map(_read, ENGINE))


def page_model(translator: Translator) -> dict[str, Any]:
    """Returns a translator's model, tokenisers, placeholders, Latin letters and glosses, for JSON and `makeModel`.

    Raises:
        ValueError: the page lacks a part of the model.
    """
    placeholders = translator.around if isinstance(translator.around, Placeholders) else None
    translators = [translator, placeholders.transliterator.translator] if placeholders else [translator]
    tokenizers = [tokenizer for each in translators for tokenizer in (each.source_tokenizer, each.target_tokenizer)]
    return {
        "rules": _rules(any(t.fold_case for t in tokenizers), any(t.kind == "character" for t in tokenizers)),
        **_model(translator),
        "sentences": _sentences(translator) if isinstance(translator, TextTranslator) else None,
        "names": _names(placeholders) if placeholders else None,
        "latin": scheme(),
        "certainty": _certainty(translator),
        "glosses": read_glosses() if getattr(translator, "language", "") in ("", MARATHI) else {},
    }


def weights_hash(translator: Translator) -> str:
    """Returns the sha256 of a model's 8-bit numbers."""
    return hashlib.sha256(_json(_model(translator)["weights"]).encode()).hexdigest()


def _certainty(translator: Translator) -> dict[str, Any] | None:
    """Returns the thresholds of the model that they were measured with, and None for any other model."""
    measured = read_json(CERTAINTY)
    return measured if measured["weights_sha256"] == weights_hash(translator) else None


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
    """Returns what masking, transliterating and unmasking depend on; see `placeholders.py` and `transliterator.py`."""
    transliterator = placeholders.transliterator
    patterns = {
        "token": tokens.TOKEN.pattern,
        "listedBy": tokens.LISTED_BY.pattern,
        "ordinal": tokens.ORDINAL.pattern,
        "afterMonth": tokens.AFTER_MONTH,
        "beforeMonth": tokens.BEFORE_MONTH,
        "afterPreposition": tokens.AFTER_PREPOSITION,
        "thing": tokens.THING.pattern,
        "letters": f"[{LATIN}]+",
        "ampersand": AMPERSAND.pattern,
        "copiedEnd": COPIED_END.pattern,
        "beforeSentence": BEFORE_SENTENCE.pattern,
        "following": FOLLOWING.pattern,
        "wordStart": WORD_START,
        "ending": ENDING.pattern,
        "syllables": SYLLABLES.pattern,
    }
    return {
        "model": _model(transliterator.translator),
        "beamSize": transliterator.beam_size,
        "kinds": KINDS,
        "listed": transliterator.listed,
        "known": sorted(placeholders.known),
        "symbols": SYMBOLS,
        "lenders": LENDERS,
        "list": LIST,
        "plain": PLAIN,
        "digits": "0123456789".translate(tokens.DIGITS),
        "respelled": tokens.RESPELLED,
        "joined": tokens.JOINED,
        "afterVerbs": AFTER_VERBS.split(),
        "wordsToo": WORDS_TOO.split(),
        "asking": ASKING,
        "obliques": OBLIQUES,
        "patterns": patterns,
        "classes": _classes(),
    }


def _sentences(translator: TextTranslator) -> dict[str, Any]:
    """Returns what splitting a text into sentences and their marks depend on; see `sentences.py`."""
    patterns = {
        "boundary": BOUNDARY.pattern,
        "notAtEnd": NOT_AT_END.pattern,
        "question": QUESTION.pattern,
        "hasFinalMark": HAS_FINAL_MARK.pattern,
        "letter": LETTER.pattern,
        "counter": COUNTER.pattern,
        "word": FOREIGN_WORD.pattern,
        "before": signs.BEFORE,
        "last": signs.LAST,
        "anyLetter": signs.LETTER,
    }
    spellings = typed.spellings_for(translator.source_tokenizer.vocabulary, isinstance(translator.around, Placeholders))
    tables = {"markup": signs.MARKUP, "among": signs.AMONG, "spacing": typed.SPACING, "spellings": spellings}
    return {
        "patterns": {name: _javascript(listed(pattern)) for name, pattern in patterns.items()},
        "tables": {name: [[_javascript(listed(a)), b] for a, b in table] for name, table in tables.items()},
        "foreign": FOREIGN.split(),
        "letters": "".join(sorted(letters_of(translator.source_tokenizer.vocabulary))),
        "mostly": MOSTLY,
        "enough": ENOUGH,
        "beamSize": BEAM_SIZE,
        "finalMarks": FINAL_MARKS,
        "opening": OPENING_MARKS,
        "noEnd": NO_END,
        "quoted": QUOTED,
        "digits": "0123456789".translate(digits_of(translator.target_tokenizer, translator.language)),
        "classes": _classes(),
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
    saved = {"shape": array.shape, "bytes": _base64(numbers.tobytes()), "scale": _base64(scale.astype("<f4").tobytes())}
    return saved | {"perRow": len(scale) > 1}


def _floats(array: np.ndarray) -> dict[str, Any]:
    return {"shape": array.shape, "floats": _base64(array.astype("<f4").tobytes())}


def _tokenizer(tokenizer: Tokenizer) -> dict[str, Any]:
    saved = {"kind": tokenizer.kind, "foldCase": tokenizer.fold_case, "vocabulary": tokenizer.vocabulary}
    if isinstance(tokenizer, SubwordTokenizer):
        saved["scores"] = _floats(np.nan_to_num(piece_scores(tokenizer)))
    return saved


_MARKS = r"[\p{M}]"


@functools.cache  # it looks at all letters of Unicode
def _rules(fold_case: bool, characters: bool) -> dict[str, Any]:
    """Returns what tokens depend on; see `spelling.py` and `text.py`."""
    patterns = {
        "invisible": INVISIBLE.pattern,
        "blank": BLANK.pattern,
        "apostrophe": APOSTROPHE.pattern,
        "moreMarks": f"({listed(MARK)}{{{MAX_MARKS}}}){listed(MARK)}+",
        "word": word_pattern(),
        "linked": f"[{UNSPACED}]{listed(_MARKS)}*|" + word_pattern().replace("[^", f"[^{UNSPACED}", 1),
        "letter": listed(GRAPHEME) if characters else "",
        "symbol": SYMBOL.pattern,
        "entity": ENTITY.pattern,
        "escapedTwice": ESCAPED_TWICE.pattern,
        "apart": APART.pattern,
    }
    return {
        # JavaScript has lower case, and no case folding
        "folded": {c: c.casefold() for c in LETTERS if c.casefold() != c.lower()} if fold_case else {},
        **{name: _javascript(pattern) for name, pattern in patterns.items()},
        "entities": ENTITIES,
        "spellings": SPELLINGS,
        "opening": OPENING,
        "closing": "".join(c for c in PUNCTUATION if c not in OPENING + QUOTE + DASHES),
        "quote": QUOTE,
    }


def _read(name: str) -> str:
    return (_PAGE / name).read_text(encoding="utf-8")


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _hash(text: str) -> str:
    return f"'sha256-{_base64(hashlib.sha256(text.encode()).digest())}'"
