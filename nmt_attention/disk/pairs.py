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
from .files import MAX_LINE_BYTES, atomic_write, decoded, read_bytes
from .zips import MAX_BYTES, read_zip

_ROOT = Path(__file__).resolve().parent.parent.parent
_IN_CHECKOUT = (_ROOT / "pyproject.toml").is_file()
# Phrasebook, names and gold alignments. An installed package has them inside.
DATA_DIRECTORY = _ROOT / "data" if _IN_CHECKOUT else Path(__file__).resolve().parent.parent / "data"
# In a checkout every notebook shares one download; an installed package must not write into itself.
DOWNLOAD_DIRECTORY = DATA_DIRECTORY if _IN_CHECKOUT else Path(os.path.expanduser("~/.cache/nmt_attention/data"))

_MAX_LINES = 5_000_000
_HEADER = {  # what a table's first line may call its columns
    *("english", "eng", "en", "source", "src", "input", "sentence", "text"),
    *("marathi", "mar", "mr", "target", "tgt", "output", "translation", "मराठी", "इंग्रजी"),
}
_ANKI = re.compile(r"#(?:separator|html|tags|columns|notetype|deck|\w+ column):.*")  # with which an export begins
_MARKUP = (  # of Anki's notes and of web pages
    (re.compile(r"\[sound:[^\]]*\]"), ""),
    (re.compile(r"\{\{c\d+::(.*?)(?:::[^{}]*)?\}\}"), r"\1"),
    (re.compile(r"(?i)<(?:br|/?(?:div|p|li|ul|ol|tr|td))\b[^<>]*>"), " "),
    (re.compile(r"(?i)</?(?:b|i|u|em|strong|span|font|a|img|sub|sup)\b[^<>]*>"), ""),
)
_QUOTED = re.compile(r'"([^"]*(?:""[^"]*)+)"')  # a spreadsheet's cell with quotation marks inside
# A line that is read as it stands: both texts begin with a letter or digit, and no cell, tag or entity is in them.
_TEXT = r"[^\W_][^\t\r\n\0\"<&\[{\ud800-\udfff]*"
_AS_IT_STANDS = re.compile(rf"{_TEXT}\t{_TEXT}(?:\t[^\t\r\n\0\"\ufeff\ud800-\udfff]*)?")
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
    return [pair for pair in parse_rows(*read_lines(path)) if pair]


def read_lines(path: Path | str) -> tuple[str, bytes]:
    """Returns what messages call the lines of a file of pairs, and these lines."""
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no such file of sentence pairs")
    if path.suffix.lower() == ".zip":
        return read_zip(path)
    if path.suffix.lower() not in (".txt", ".tsv"):
        how = "save a table as text with tabs, unpack an archive; of two languages: paste ONE OTHER > pairs.tsv"
        raise ValueError(f"{path}: expected a .zip, .txt or .tsv file; {how}")
    return str(path), read_bytes(path, MAX_BYTES)


def parse_rows(name: str, data: bytes, one_sided: bool = False) -> list[Pair | None]:
    """Returns for each line of `data` its pair, None if it is blank or a header; otherwise as `read_pairs`.

    With `one_sided` a line without one of its sentences is None, too, and no error. Messages call the data by `name`.
    """
    data = data if b"\n" in data else data.replace(b"\r", b"\n")  # lines of an old Mac
    if data.count(b"\n") > _MAX_LINES:
        raise ValueError(f"{name}: more than {_MAX_LINES:,} lines")
    rows: list[Pair | None] = []
    lacking: list[int] = []
    marked_up, first = 0, True
    for number, line in enumerate(io.BytesIO(data), start=1):
        text = decoded(name, number, line)
        if not first and _AS_IT_STANDS.fullmatch(text):
            rows.append(Pair(*text.split("\t")))
            continue
        rows.append(None)
        if is_blank(text) or (first and _ANKI.fullmatch(text)):
            continue
        where = f"{name}, line {number}"
        columns = _columns(where, text)
        if first and {column.strip().casefold() for column in columns[:2]} <= _HEADER:
            logger.info("%s: taken for a header and left out: %s", where, " ".join(columns))
            continue
        pair = _plain_pair(columns)
        if not _is_blank(pair):
            rows[-1], first = pair, False
            marked_up += [*pair[:2]] != columns[:2]
        elif one_sided:
            lacking.append(number)
        else:
            raise ValueError(f"{where}: an empty sentence")
    if not any(rows):
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


def _plain_pair(columns: Sequence[str]) -> Pair:
    return Pair(_plain(columns[0]), _plain(columns[1]), *columns[2:])


def _is_blank(pair: Pair) -> bool:
    return is_blank(pair.source) or is_blank(pair.target)


def _columns(where: str, text: str) -> list[str]:
    """Returns the two or three columns of a line."""
    columns = [_unquoted(column) for column in text.split("\t")]
    if len(columns) in (2, 3):
        return columns
    what = "2 or 3 tab-separated columns (source, translation, perhaps links)"
    how = "save it as text with tabs" if len(columns) < 2 else "to keep the first two: cut -f1,2 FILE > pairs.tsv"
    raise ValueError(f"{where}: expected {what}, found {len(columns)}; {how}")


def _unquoted(column: str) -> str:
    """Returns what a cell of a spreadsheet says."""
    return cell[1].replace('""', '"') if (cell := _QUOTED.fullmatch(column)) else column


def writable_pairs(pairs: Iterable[Sequence[str]], name: str = "pairs") -> list[Pair]:
    """Returns pairs as a file can hold them, so that they are read back: a tab or line end in a sentence is a space.

    Raises:
        TypeError: an element is no pair.
        ValueError: a sentence is empty, or longer than `read_pairs` accepts; the message has the pair's number.
    """
    pairs, result = as_pairs(pairs, name), []
    for number, pair in enumerate(pairs, 1):
        line = "\t".join(pair)
        if len(line) < MAX_LINE_BYTES // 4 and _AS_IT_STANDS.fullmatch(line):
            result.append(pair)
            continue
        cells = (_UNWRITABLE.sub(" ", text.lstrip("\ufeff").rstrip("\r")) for text in pair)
        result.append(pair := _plain_pair([*map(_unquoted, cells)]))
        if _is_blank(pair):
            raise ValueError(f"{name}: pair {number} has an empty sentence: {pair.source!r:.60}, {pair.target!r:.60}")
        if len("\t".join(pair).encode()) >= MAX_LINE_BYTES:
            raise ValueError(f"{name}: pair {number} is longer than {MAX_LINE_BYTES:,} bytes: {pair.source:.60}")
    both = zip(pairs, result, strict=True)
    if changed := sum(before is not after and before[:2] != after[:2] for before, after in both):
        what = "without tabs, line ends, markup and marks that a spreadsheet has added"
        logger.info("%s: %s of %s pairs are read %s", name, changed, len(pairs), what)
    return result


def write_pairs(path: Path | str, pairs: Iterable[Sequence[str]]) -> None:
    """Writes pairs that were read, or checked by `writable_pairs`; the file is complete or absent."""
    with atomic_write(path) as partial, open(partial, "w", encoding="utf-8", newline="\n") as file:
        file.writelines("\t".join(pair) + "\n" for pair in pairs)
