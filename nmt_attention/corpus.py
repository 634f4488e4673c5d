"""Pairs of sentences: read them, and split them without a leak. `fetch` finds or downloads them.

The corpus is the Anki collection of www.manythings.org/anki, made from Tatoeba (CC-BY 2.0 France). One English
sentence has several Marathi ones, so a split by pair would leak most test sentences into training; the split here
keeps every sentence, of either language, on one side.
"""

import hashlib
import io
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from .files import atomic_write, in_brief, read_bytes
from .spelling import PUNCTUATION, is_blank, normalize

_ROOT = Path(__file__).resolve().parent.parent
_IN_CHECKOUT = (_ROOT / "pyproject.toml").is_file()
# Phrasebook, names and gold alignments. An installed package has them inside.
DATA_DIRECTORY = _ROOT / "data" if _IN_CHECKOUT else Path(__file__).resolve().parent / "data"
# In a checkout every notebook shares one download; an installed package must not write into itself.
DOWNLOAD_DIRECTORY = DATA_DIRECTORY if _IN_CHECKOUT else Path(os.path.expanduser("~/.cache/nmt_attention/data"))
BAD_ZIP = (zipfile.BadZipFile, zlib.error, struct.error, RuntimeError, EOFError, OSError, ValueError)
MAX_BYTES = 300_000_000  # of a download, and of a corpus's text
_MAX_PAIRS = 5_000_000
_MAX_LINES = 10_000_000
_MAX_LINE_BYTES = 1_000_000
_WORD = re.compile(f"[^ {re.escape(PUNCTUATION)}'-]+")


class Pair(NamedTuple):
    """An English sentence, its translation, and where the two come from (in the phrasebook, their links)."""

    source: str
    target: str
    attribution: str = ""

    @property
    def tatoeba_ids(self) -> tuple[int, int] | None:
        """The pair's two sentence numbers at tatoeba.org, (English, translation), or None if not given."""
        numbers = re.findall(r"#(\d+)", self.attribution)
        return (int(numbers[0]), int(numbers[1])) if len(numbers) == 2 else None


class Split(NamedTuple):
    """About 90 %, 5 % and 5 % of the pairs."""

    train: list[Pair]
    dev: list[Pair]
    test: list[Pair]


def pairs_member(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    """Returns the one file of pairs; files in folders, with long names or a name that starts with _ do not count."""
    members = [i for i in archive.infolist() if re.fullmatch(r"[^_/\\][^/\\]{0,99}\.(?i:txt|tsv)", i.filename)]
    if len(members) != 1 or not members[0].filename.isprintable():
        raise ValueError(f"expected one .txt file of sentence pairs in the zip, found {len(members)}")
    if members[0].compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # others may use any memory
        raise ValueError(f"{members[0].filename} is packed in an unusual way")
    return members[0]


def read_pairs(path: Path | str) -> list[Pair]:
    """Reads sentence pairs, one per line: English, translation and, if given, attribution, separated by tabs.

    Empty lines and byte order marks at the start of a line are skipped.

    Args:
        path: a UTF-8 .txt or .tsv file, or a .zip that holds one.

    Raises:
        FileNotFoundError: no such file.
        ValueError: what is wrong, with the file and the line number.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"no such corpus file: {path}")
    suffix = path.suffix.lower()
    if suffix == ".zip":
        name, data = _read_zip(path)
    elif suffix in (".txt", ".tsv"):
        name, data = str(path), read_bytes(path, MAX_BYTES)
    else:
        raise ValueError(f"{path}: expected a .zip, .txt or .tsv file")
    pairs: list[Pair] = []
    for number, line in enumerate(io.BytesIO(data), start=1):
        if number > _MAX_LINES:
            raise ValueError(f"{name}: more than {_MAX_LINES:,} lines")
        if len(line) > _MAX_LINE_BYTES:
            raise ValueError(f"{name}, line {number}: longer than {_MAX_LINE_BYTES:,} bytes")
        if b"\0" in line:
            raise ValueError(f"{name}, line {number}: not UTF-8 text (byte {line.index(0) + 1} of the line is 0)")
        try:
            columns = line.decode("utf-8").lstrip("\ufeff").rstrip("\r\n").split("\t")
        except UnicodeDecodeError as error:
            raise ValueError(f"{name}, line {number}: not UTF-8 (byte {error.start + 1} of the line)") from None
        if columns == [""]:
            continue
        if len(columns) not in (2, 3):
            raise ValueError(f"{name}, line {number}: expected 2 or 3 tab-separated columns, found {len(columns)}")
        if is_blank(columns[0]) or is_blank(columns[1]):
            raise ValueError(f"{name}, line {number}: an empty sentence")
        if len(pairs) == _MAX_PAIRS:
            raise ValueError(f"{name}, line {number}: more than {_MAX_PAIRS:,} pairs")
        pairs.append(Pair(*columns))
    if not pairs:
        raise ValueError(f"{name}: holds no sentence pairs")
    return pairs


def _read_zip(path: Path) -> tuple[str, bytes]:
    try:
        with zipfile.ZipFile(path) as archive:
            member = pairs_member(archive)
            return f"{path}:{member.filename}", unpack(archive, member)
    except BAD_ZIP as error:
        raise ValueError(f"{path}: not a readable zip file ({in_brief(error)})") from None


def unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    if member.file_size > MAX_BYTES:
        raise ValueError(f"{member.filename} holds more than {MAX_BYTES:,} bytes")
    with archive.open(member) as file:
        return file.read(member.file_size)  # without the number it would unpack 2 GB before checking the size


def write_pairs(path: Path | str, pairs: Iterable[Sequence[str]]) -> None:
    """Writes pairs as `read_pairs` reads them; the file is complete or absent."""
    with atomic_write(path) as partial, open(partial, "w", encoding="utf-8", newline="\n") as file:
        file.writelines("\t".join(pair) + "\n" for pair in pairs)


def sentence_key(text: str) -> str:
    """Returns what all spellings of a sentence have in common: its words, without case, punctuation and spacing."""
    text = normalize(text, fold_case=True)
    return " ".join(_WORD.findall(text)) or text


def split_pairs(pairs: Iterable[Pair]) -> Split:
    """Splits pairs into train, dev and test so that no sentence of either language is on two sides.

    The hash of its key decides where a group of `group_keys` goes, so that the order and size of the file and repeated
    pairs change nothing, and no seed is involved. The given order is kept.
    """
    pairs = list(pairs)
    return _split_by_hash(pairs, group_keys(pairs))


def group_keys(pairs: Sequence[Pair]) -> list[str]:
    """Returns for each pair the key of its group.

    Pairs that share an English or a translated sentence (by `sentence_key`) are in one group, also if other pairs
    connect them. A group's key is the first, in order of code points, of its English sentences' keys.
    """
    sources = [sentence_key(pair.source) for pair in pairs]
    parent: dict[str, str] = {}  # of a source: another of its group, nearer to the leader
    first_source: dict[str, str] = {}  # of a target

    def leader(source: str) -> str:
        while parent.setdefault(source, source) != source:
            parent[source] = source = parent[parent[source]]
        return source

    for source, pair in zip(sources, pairs, strict=True):
        one, other = leader(source), leader(first_source.setdefault(sentence_key(pair.target), source))
        parent[max(one, other)] = min(one, other)  # the leader depends on the group's content alone
    return [leader(source) for source in sources]


def split_by_pair(pairs: Iterable[Pair]) -> Split:
    """Splits pair by pair, as is usual and wrong: most test sentences then occur in training too.

    It is here so that the harm can be measured.
    """
    pairs = list(pairs)
    return _split_by_hash(pairs, [f"{pair.source}\t{pair.target}" for pair in pairs])


SPLITS = {"group": split_pairs, "pair": split_by_pair}


def _split_by_hash(pairs: Iterable[Pair], keys: Iterable[str]) -> Split:
    split = Split([], [], [])
    for pair, key in zip(pairs, keys, strict=True):
        percentile = int.from_bytes(hashlib.sha256(key.encode()).digest()[:4], "big") % 100
        (split.train if percentile < 90 else split.dev if percentile < 95 else split.test).append(pair)
    return split


def add_training_pairs(split: Split, extra: Iterable[Pair]) -> Split:
    """Returns the split with more training pairs: those of `extra` that training lacks.

    A pair with a sentence of dev or test on either side, by its `sentence_key`, is left out.
    """
    held_out = {sentence_key(pair[side]) for pair in (*split.dev, *split.test) for side in (0, 1)}
    present = {pair[:2] for pair in split.train}
    new = [pair for pair in extra if pair[:2] not in present]
    return split._replace(train=[*split.train, *(p for p in new if held_out.isdisjoint(map(sentence_key, p[:2])))])


def corpus_hash(pairs: Iterable[Pair]) -> str:
    """Returns the sha256, in hexadecimal, of the pairs' sentences in their order."""
    digest = hashlib.sha256()
    for pair in pairs:
        digest.update(f"{pair.source}\t{pair.target}\n".encode())
    return digest.hexdigest()
