"""The zip files that corpora come in: one file of pairs, or a file for each language, perhaps in a folder."""

import logging
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path

from .files import in_brief

_BAD = (zipfile.BadZipFile, zlib.error, struct.error, RuntimeError, EOFError, OSError, ValueError)
MAX_BYTES = 300_000_000  # of a download, and of a corpus's text

# Files two folders deep, with long names, or in a folder or of a name that starts with _ or . do not count.
_PAIRS = re.compile(r"(?:[^_./\\][^/\\]{0,99}/)?(?!(?i:readme|licen[sc]e))[^_./\\][^/\\]{0,99}\.(?i:txt|tsv)")
_ONE_LANGUAGE = re.compile(  # OPUS: corpus.en-mr.en and corpus.en-mr.mr, beside other files
    r"((?:[^_./\\][^/\\]{0,99}/)?[^_./\\][^/\\]{0,99})\.(?!(?i:txt|tsv|csv|xml|ids|log|pdf|doc|md))([a-z]{2,3}(?:_\w+)?)"
)
_NAMES_ENGLISH = re.compile(r"(?i)(?:^|[^a-z])(?:en|eng|english)(?:\.txt|\.tsv)?$")
logger = logging.getLogger(__name__)


def read_zip(path: Path, name: str = "") -> tuple[str, bytes]:
    """Returns the lines of pairs in a zip, and what messages should call them.

    Args:
        path: of a zip that holds one file of pairs, or two texts of a language each, which are put beside each other.
        name: what messages call the zip; default `path`.

    Raises:
        ValueError: what is wrong, in a line that starts with `name`.
    """
    name = name or str(path)
    try:
        with zipfile.ZipFile(path) as archive:
            files = {file.filename: file for file in archive.infolist() if file.filename.isprintable()}
            names = sorted(_of_pairs(files), key=lambda file: (not _NAMES_ENGLISH.search(file), file))
            texts = [_unpacked(archive, files[file]) for file in names[:2]]
    except _BAD as error:
        raise ValueError(f"{name}: not a readable zip file of pairs ({in_brief(error)})") from None
    if len(names) not in (1, 2) or (len(names) == 2 and any(b"\t" in text for text in texts)):
        two = "or two of a language each, such as talks.en and talks.mr"
        raise ValueError(f"{name}: expected one .txt file of sentence pairs in the zip, found {len(names)}; {two}")
    return f"{name}:{' and '.join(names)}", texts[0] if len(texts) == 1 else _beside(name, names, texts)


def _of_pairs(files: Iterable[str]) -> list[str]:
    """Returns the files that may hold pairs: the only two that differ in their ending, a language, else all of text."""
    languages: dict[str, list[str]] = {}
    for match in filter(None, map(_ONE_LANGUAGE.fullmatch, files)):
        languages.setdefault(match[1], []).append(match[0])
    couples = [names for names in languages.values() if len(names) == 2]
    return couples[0] if len(couples) == 1 else [*filter(_PAIRS.fullmatch, files)]


def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # others may use any memory
        raise ValueError(f"{member.filename} uses an unsupported compression method")
    if member.file_size > MAX_BYTES:
        raise ValueError(f"{member.filename} holds more than {MAX_BYTES:,} bytes")
    with archive.open(member) as file:
        return file.read(member.file_size)  # without the number it would unpack 2 GB before checking the size


def _beside(path: str, names: list[str], texts: list[bytes]) -> bytes:
    """Returns the lines of two texts beside each other, as `paste` does."""
    sources, targets = (text.removeprefix(b"\xef\xbb\xbf").removesuffix(b"\n").split(b"\n") for text in texts)
    if len(sources) != len(targets):
        counts = f"{names[0]} has {len(sources):,} lines and {names[1]} {len(targets):,}"
        raise ValueError(f"{path}: {counts}; mend them, then write one file: paste {' '.join(names)} > pairs.tsv")
    logger.info("%s: each line of %s is translated by that of %s", path, *names)
    lines = [(source.rstrip(b"\r"), target) for source, target in zip(sources, targets, strict=True)]
    return b"\n".join(b"\t".join(line) if any(line) else b"" for line in lines)
