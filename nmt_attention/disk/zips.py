"""The zip files that corpora come in: one file of pairs, or a file for each language, perhaps in a folder."""

import contextlib
import logging
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
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


@contextlib.contextmanager
def open_zip(path: Path, name: str) -> Iterator[zipfile.ZipFile]:
    """Opens a zip for a block; what the block finds wrong with it is a ValueError that starts with `name`."""
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except _BAD as error:
        raise ValueError(f"{name}: not a readable zip file of pairs ({in_brief(error)})") from None


def read_zip(path: Path, max_bytes: int = MAX_BYTES, name: str = "") -> tuple[str, bytes]:
    """Returns the lines of pairs in a zip, and what messages should call them.

    Args:
        path: of a zip that holds one file of pairs, or two texts of a language each, which are put beside each other.
        max_bytes: of each text.
        name: what messages call the zip; default `path`.

    Raises:
        ValueError: what is wrong, in a line that starts with `name`.
    """
    name = name or str(path)
    with open_zip(path, name) as archive:
        members = _members(archive)
        texts = [unpack(archive, member, max_bytes) for member in members[:2]]
        columns = sum(b"\t" in text and b"\0" not in text for text in texts)
        if len(members) not in (1, 2) or (columns and len(members) == 2):
            two = "or two of a language each, such as talks.en and talks.mr"
            raise ValueError(f"expected one .txt file of sentence pairs in the zip, found {len(members)}; {two}")
    names = [member.filename for member in members]
    return f"{name}:{' and '.join(names)}", texts[0] if len(texts) == 1 else _beside(name, names, texts)


def _members(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Returns the files that may hold pairs; of two languages English first."""
    files = {info.filename: info for info in archive.infolist() if info.filename.isprintable()}
    languages: dict[str, list[str]] = {}
    for match in filter(None, map(_ONE_LANGUAGE.fullmatch, files)):
        languages.setdefault(match[1], []).append(match[0])
    couples = [names for names in languages.values() if len(names) == 2]
    names = couples[0] if len(couples) == 1 else list(filter(_PAIRS.fullmatch, files))
    return [files[name] for name in sorted(names, key=lambda name: (not _NAMES_ENGLISH.search(name), name))]


def _beside(path: str, names: list[str], texts: list[bytes]) -> bytes:
    """Returns the lines of two texts beside each other, as `paste` does."""
    sources, targets = (text.removeprefix(b"\xef\xbb\xbf").removesuffix(b"\n").split(b"\n") for text in texts)
    if len(sources) != len(targets):
        counts = f"{names[0]} has {len(sources):,} lines and {names[1]} {len(targets):,}"
        raise ValueError(f"{path}: {counts}; mend them, then write one file: paste {' '.join(names)} > pairs.tsv")
    logger.info("%s: each line of %s is translated by that of %s", path, *names)
    lines = [(source.rstrip(b"\r"), target) for source, target in zip(sources, targets, strict=True)]
    return b"\n".join(b"\t".join(line) if any(line) else b"" for line in lines)


def unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo, max_bytes: int = MAX_BYTES) -> bytes:
    """Returns a file in a zip; more than `max_bytes`, or packing that may use any memory, are a ValueError."""
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"{member.filename} uses an unsupported compression method")
    if member.file_size > max_bytes:
        raise ValueError(f"{member.filename} holds more than {max_bytes:,} bytes")
    with archive.open(member) as file:
        return file.read(member.file_size)  # without the number it would unpack 2 GB before checking the size
