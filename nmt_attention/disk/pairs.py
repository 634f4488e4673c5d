"""Sentence pairs in files: read, checked and written."""

import io
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..corpus import Pair
from ..spelling import is_blank
from .files import atomic_write, in_brief, read_bytes

_ROOT = Path(__file__).resolve().parent.parent.parent

_IN_CHECKOUT = (_ROOT / "pyproject.toml").is_file()
# Phrasebook, names and gold alignments. An installed package has them inside.
DATA_DIRECTORY = _ROOT / "data" if _IN_CHECKOUT else Path(__file__).resolve().parent.parent / "data"
# In a checkout every notebook shares one download; an installed package must not write into itself.
DOWNLOAD_DIRECTORY = DATA_DIRECTORY if _IN_CHECKOUT else Path(os.path.expanduser("~/.cache/nmt_attention/data"))
BAD_ZIP = (zipfile.BadZipFile, zlib.error, struct.error, RuntimeError, EOFError, OSError, ValueError)
MAX_BYTES = 300_000_000  # of a download, and of a corpus's text

_MAX_PAIRS = 5_000_000
_MAX_LINES = 10_000_000
_MAX_LINE_BYTES = 1_000_000


def pairs_member(archive: zipfile.ZipFile) -> zipfile.ZipInfo:
    """Returns the one file of pairs; files in folders, with long names or a name that starts with _ do not count."""
    members = [i for i in archive.infolist() if re.fullmatch(r"[^_/\\][^/\\]{0,99}\.(?i:txt|tsv)", i.filename)]
    if len(members) != 1 or not members[0].filename.isprintable():
        raise ValueError(f"expected one .txt file of sentence pairs in the zip, found {len(members)}")
    if members[0].compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # others may use any memory
        raise ValueError(f"{members[0].filename} uses an unsupported compression method")
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
