"""Sentence pairs in files: read, checked and written."""

import io
import logging
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..corpus import Pair, as_pairs
from ..preprocess.rules import unescape
from ..spelling import is_blank
from .files import atomic_write, read_bytes
from .zips import MAX_BYTES, read_zip

_ROOT = Path(__file__).resolve().parent.parent.parent
_IN_CHECKOUT = (_ROOT / "pyproject.toml").is_file()
# Phrasebook, names and gold alignments. An installed package has them inside.
DATA_DIRECTORY = _ROOT / "data" if _IN_CHECKOUT else Path(__file__).resolve().parent.parent / "data"
# In a checkout every notebook shares one download; an installed package must not write into itself.
DOWNLOAD_DIRECTORY = DATA_DIRECTORY if _IN_CHECKOUT else Path(os.path.expanduser("~/.cache/nmt_attention/data"))

_MAX_PAIRS = 5_000_000
_MAX_LINES = 10_000_000
_MAX_LINE_BYTES = 1_000_000
_HEADER = {  # what a table's first line may call its columns
    *("english", "eng", "en", "source", "src", "input", "sentence", "text"),
    *("marathi", "mar", "mr", "target", "tgt", "output", "translation", "मराठी", "इंग्रजी"),
}
_HOW = {  # what to do with a file of another kind, by its suffix
    **dict.fromkeys((".csv", ".xls", ".xlsx", ".ods"), "save the table as text with tabs, in UTF-8, without a header"),
    **dict.fromkeys((".json", ".jsonl", ".tmx", ".xml"), "write a line for each pair: source, tab, target"),
    **dict.fromkeys((".gz", ".xz", ".bz2"), "unpack it first"),
    **dict.fromkeys((".apkg", ".colpkg"), "in Anki, export the notes as plain text"),
}
_FORMS = (  # what a line without tabs looks like, and what to do
    (re.compile(r"\s*[\[{]"), "this looks like JSON; write source, tab, target"),
    (re.compile(r"\s*<"), "this looks like HTML or XML; write source, tab, target"),
    (re.compile(r".*\|\|\|"), "write a tab for |||"),
    (re.compile(r".*[;,]"), "if ; or , separates them, save the table as text with tabs"),
    (re.compile(""), "write source, tab, target"),
)
_ANKI = re.compile(r"#(?:separator|html|tags|columns|notetype|deck|\w+ column):.*")  # with which an export begins
_MARKUP = (  # of Anki's notes and of web pages
    (re.compile(r"\[sound:[^\]]*\]"), ""),
    (re.compile(r"\{\{c\d+::(.*?)(?:::[^{}]*)?\}\}"), r"\1"),
    (re.compile(r"(?i)<(?:br|/?(?:div|p|li|ul|ol|tr|td))\b[^<>]*>"), " "),
    (re.compile(r"(?i)</?(?:b|i|u|em|strong|span|font|a|img|sub|sup)\b[^<>]*>"), ""),
)
_QUOTED = re.compile(r'"([^"]*(?:""[^"]*)+)"')  # a spreadsheet's cell with quotation marks inside
_UNWRITABLE = re.compile("\r?\n|[\t\r\0\ud800-\udfff]")  # what a sentence in a file cannot hold
logger = logging.getLogger(__name__)


def read_pairs(path: Path | str) -> list[Pair]:
    """Reads sentence pairs, one per line: English, translation and, if given, attribution, separated by tabs.

    Blank lines, byte order marks at the start of a line, a header (`English`, tab, `Marathi`) and the lines with which
    Anki begins an export (`#separator:tab`) are skipped. A spreadsheet's `"A ""quoted"" one."` loses the marks around
    it, and its doubled ones become single. Markup (`<br>`, `[sound:a.mp3]`, `{{c1::…}}`) is taken off and HTML entities
    (`&apos;`) are written out, which is logged.

    Args:
        path: a UTF-8 .txt or .tsv file, or a .zip that holds one, or a text of each language.

    Raises:
        FileNotFoundError: no such file.
        ValueError: what is wrong, with the file and the line number.
    """
    return [pair for pair in read_rows(path) if pair]


def read_rows(path: Path | str, one_sided: bool = False) -> list[Pair | None]:
    """Returns for each line of a file its pair, None if it is blank or a header; otherwise as `read_pairs`.

    With `one_sided` a line without one of its sentences is None, too, and no error.
    """
    return parse_rows(*_read_text(Path(path)), one_sided)


def parse_rows(name: str, data: bytes, one_sided: bool = False) -> list[Pair | None]:
    """Returns what `read_rows` does, of the bytes of a file; messages call it by this name."""
    data = data if b"\n" in data else data.replace(b"\r", b"\n")  # lines of an old Mac
    if data.count(b"\n") > _MAX_LINES:
        raise ValueError(f"{name}: more than {_MAX_LINES:,} lines")
    rows: list[Pair | None] = []
    lacking: list[int] = []
    pairs = marked_up = 0
    for number, line in enumerate(io.BytesIO(data), start=1):
        where = f"{name}, line {number}"
        text = "" if line.isspace() else _decoded(where, line)
        skipped = is_blank(text) or (not pairs and _ANKI.fullmatch(text))
        columns = [] if skipped else _columns(where, text)
        if not pairs and _is_header(columns):
            logger.info("%s: taken for a header and left out: %s", where, " ".join(columns))
            columns = []
        sentences = [_plain(column) for column in columns[:2]]
        if any(map(is_blank, sentences)):
            if not one_sided:
                raise ValueError(f"{where}: an empty sentence")
            sentences, columns = [], []
            lacking.append(number)
        marked_up += sentences != columns[:2]
        rows.append(Pair(*sentences, *columns[2:]) if columns else None)
        pairs += bool(columns)
        if pairs > _MAX_PAIRS:
            raise ValueError(f"{where}: more than {_MAX_PAIRS:,} pairs")
    if not pairs:
        raise ValueError(f"{name}: holds no sentence pairs")
    if lacking:
        more = f" and {len(lacking) - 1:,} more" if len(lacking) > 1 else ""
        logger.warning("%s, line %d%s: a sentence is missing, so the line stays blank", name, lacking[0], more)
    if marked_up:
        what = "markup is taken off (<br>, [sound:…], {{c1::…}}) and HTML entities are written out (&apos; is ')"
        logger.warning("%s: in %s pairs %s", name, f"{marked_up:,}", what)
    return rows


def _plain(text: str) -> str:
    """Returns a sentence without markup and HTML entities, also if what is taken off leaves some."""
    before = ""
    while text != before and any(sign in text for sign in ("<", "&", "[sound:", "{{c")):
        before, text = text, unescape(text)
        for pattern, replacement in _MARKUP:
            text = pattern.sub(replacement, text)
    return text


def _read_text(path: Path) -> tuple[str, bytes]:
    """Returns the lines of a corpus file, and what messages should call them."""
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no such file of sentence pairs")
    suffix = path.suffix.lower()
    if suffix == ".zip":
        return read_zip(path, MAX_BYTES)
    if suffix not in (".txt", ".tsv"):
        how = _HOW.get(suffix, f"if it holds one language: paste {path.name} OTHER > pairs.tsv")
        raise ValueError(f"{path}: expected a .zip, .txt or .tsv file; {how}")
    data = read_bytes(path, MAX_BYTES)
    for start, what in ((b"\x1f\x8b", "gzip"), (b"PK\x03\x04", "zip")):
        if data.startswith(start):
            raise ValueError(f"{path}: this is a {what} file with another name; unpack it first")
    return str(path), data


def _decoded(where: str, line: bytes) -> str:
    """Returns the text of a line, without byte order mark and line end."""
    if len(line) > _MAX_LINE_BYTES:
        raise ValueError(f"{where}: longer than {_MAX_LINE_BYTES:,} bytes")
    if b"\0" in line:
        how = "save it as UTF-8, or: iconv -f UTF-16 -t UTF-8 FILE > pairs.tsv"
        raise ValueError(f"{where}: not UTF-8 text (byte {line.index(0) + 1} of the line is 0); {how}")
    try:
        return line.decode("utf-8").lstrip("\ufeff").rstrip("\r\n")
    except UnicodeDecodeError as error:
        how = "save it as UTF-8; from an old Windows program: iconv -f WINDOWS-1252 -t UTF-8 FILE > pairs.tsv"
        raise ValueError(f"{where}: not UTF-8 (byte {error.start + 1} of the line); {how}") from None


def _columns(where: str, text: str) -> list[str]:
    """Returns the two or three columns of a line."""
    columns = [_unquoted(column) for column in text.split("\t")]
    if len(columns) in (2, 3):
        return columns
    what = "2 or 3 tab-separated columns (source, translation, perhaps links)"
    raise ValueError(f"{where}: expected {what}, found {len(columns)}; {_how_to_mend(columns)}")


def _how_to_mend(columns: list[str]) -> str:
    if len(columns) == 1:
        return next(hint for form, hint in _FORMS if form.match(columns[0]))
    if len(columns) == 4 and columns[0].isdecimal() and columns[2].isdecimal():
        return "without the numbers it can be read: cut -f2,4 FILE > pairs.tsv"
    if len(columns) >= 5 and " " not in columns[0].strip():  # an id, the type of note, the deck
        return "to keep the sentences of Anki's notes: cut -f4,5 FILE > pairs.tsv"
    return "to keep the first two: cut -f1,2 FILE > pairs.tsv"


def _unquoted(column: str) -> str:
    """Returns what a cell of a spreadsheet says."""
    return cell[1].replace('""', '"') if (cell := _QUOTED.fullmatch(column)) else column


def _writable(pair: Pair) -> Pair:
    columns = (_UNWRITABLE.sub(" ", column.lstrip("\ufeff").rstrip("\r")) for column in pair)
    source, target, attribution = map(_unquoted, columns)
    return Pair(_plain(source), _plain(target), attribution)


def _is_header(columns: Sequence[str]) -> bool:
    names = {column.strip().casefold() for column in columns[:2]}
    return len(names) == 2 and names <= _HEADER


def writable_pairs(pairs: Iterable[Sequence[str]], name: str = "pairs") -> list[Pair]:
    """Returns pairs as a file can hold them, so that they are read back: a tab or line end in a sentence is a space.

    Raises:
        TypeError: an element is no pair.
        ValueError: a sentence is empty, or longer than `read_pairs` accepts; the message has the pair's number.
    """
    pairs = as_pairs(pairs, name)
    result = [_writable(pair) for pair in pairs]
    for number, pair in enumerate(result, 1):
        if is_blank(pair.source) or is_blank(pair.target):
            raise ValueError(f"{name}: pair {number} has an empty sentence: {pair.source!r:.60}, {pair.target!r:.60}")
        if len("\t".join(pair).encode()) >= _MAX_LINE_BYTES:
            raise ValueError(f"{name}: pair {number} is longer than {_MAX_LINE_BYTES:,} bytes: {pair.source:.60}")
    if changed := sum(before[:2] != after[:2] for before, after in zip(pairs, result, strict=True)):
        what = "without tabs, line ends, markup and marks that a spreadsheet has added"
        logger.info("%s: %s of %s pairs are read %s", name, changed, len(pairs), what)
    return result


def write_pairs(path: Path | str, pairs: Iterable[Sequence[str]]) -> None:
    """Writes pairs as `read_pairs` reads them; the file is complete or absent."""
    with atomic_write(path) as partial, open(partial, "w", encoding="utf-8", newline="\n") as file:
        file.writelines("\t".join(pair) + "\n" for pair in writable_pairs(pairs))
