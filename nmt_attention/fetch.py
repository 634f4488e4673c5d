"""Where the corpus comes from: a file you name, an earlier download, a new download, or the embedded phrasebook."""

import http.client
import logging
import os
import re
import ssl
import time
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

from .corpus import BAD_ZIP, DATA_DIRECTORY, DOWNLOAD_DIRECTORY, MAX_BYTES, pairs_member, read_pairs, unpack
from .files import atomic_write, in_brief

SITE = "https://www.manythings.org/anki"
_BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"  # the site answers 406 to others

logger = logging.getLogger(__name__)


def load_corpus(path=None, language="mar"):
    """Returns the corpus, a list of `Pair`, read from the file that `find_corpus` finds.

    Args:
        path: a .zip, .txt or .tsv file (see `read_pairs`), "phrasebook" for the embedded corpus, or None.
        language: three-letter code of an Anki language, for the download.

    Raises:
        FileNotFoundError, ValueError, OSError: as `find_corpus` and `read_pairs`.
    """
    return read_pairs(find_corpus(path, language))


def find_corpus(path=None, language="mar"):
    """Returns the corpus file: `path`, else `NMT_ATTENTION_CORPUS`, else the cached download, else a new download.

    If no Marathi corpus can be found or downloaded, it is the phrasebook, and a line on standard error says so.

    Raises:
        FileNotFoundError: the file named by the argument or by the environment variable does not exist.
        ValueError: another language than Marathi is asked for while the environment variable is set.
        OSError: nothing was found and the download of another language failed.
    """
    named = os.environ.get("NMT_ATTENTION_CORPUS")
    if named and not path and language != "mar":
        raise ValueError(f"language: NMT_ATTENTION_CORPUS names the corpus, {named}; unset it to train on {language}")
    for name, value in (("corpus", path), ("NMT_ATTENTION_CORPUS", named)):
        if value == "phrasebook":
            return DATA_DIRECTORY / "phrasebook.tsv"
        if value:
            if not Path(value).is_file():
                raise FileNotFoundError(f"{name}: no such file: {value}")
            return Path(value)
    cached = DOWNLOAD_DIRECTORY / f"{language}-eng.zip"
    if cached.is_file():
        return cached
    logger.warning("downloading %s/%s-eng.zip (without a network: --corpus phrasebook)", SITE, language)
    try:
        return download_anki(language)
    except (OSError, ValueError) as error:
        if language != "mar":
            raise
        logger.warning(
            "no corpus: NMT_ATTENTION_CORPUS is not set, there is no %s, and %s. Going on with the embedded "
            "phrasebook; for real sentences run `python -m nmt_attention fetch` where there is a network.",
            cached,
            error,
        )
        return DATA_DIRECTORY / "phrasebook.tsv"


def download_anki(language="mar", directory=None, timeout=30.0, attempts=4, pause=1.0):
    """Downloads one language's pairs from www.manythings.org/anki; the licence file is kept next to them.

    The file appears under its name only when it is complete and proved to be a zip of sentence pairs.

    Args:
        language: three-letter code, as in the site's file names (`mar`, `fra`, `deu` …).
        directory: where to write `LANGUAGE-eng.zip` and `LANGUAGE-eng_about.txt`; default `DOWNLOAD_DIRECTORY`.
        timeout: seconds the server may be silent.
        attempts: how often to try; a definite answer (404, 406) is not asked for twice.
        pause: seconds before the second attempt, doubled before each later one.

    Returns:
        Path of the zip.

    Raises:
        ValueError: `language` is no code, or what came is not a zip of sentence pairs.
        OSError: the download failed; the message names the address and what to do.
    """
    if not re.fullmatch(r"[a-z]{3}", language):
        raise ValueError(f"language: expected a three-letter code such as 'mar', got {language!r}")
    directory = Path(directory or DOWNLOAD_DIRECTORY)
    directory.mkdir(parents=True, exist_ok=True)
    url, path = f"{SITE}/{language}-eng.zip", directory / f"{language}-eng.zip"
    with atomic_write(path) as partial:
        for attempt in range(attempts):
            try:
                _fetch(url, partial, timeout)
                break
            except (OSError, http.client.HTTPException) as error:
                definite = isinstance(error, urllib.error.HTTPError) and error.code < 500
                if definite or attempt == attempts - 1:
                    raise OSError(f"{url}: {_reason(error)}; fetch it with a browser and pass --corpus FILE") from None
                time.sleep(pause * 2**attempt)
        about = _check_zip(partial, url)
        if about:
            with atomic_write(path.with_name(f"{path.stem}_about.txt")) as licence:
                licence.write_bytes(about)
    return path


def _fetch(url, path, timeout):
    request = urllib.request.Request(url, headers={"User-Agent": _BROWSER})
    with (
        urllib.request.urlopen(request, timeout=timeout, context=ssl.create_default_context()) as answer,
        open(path, "wb") as file,
    ):
        expected = int(answer.headers.get("Content-Length") or 0)
        if expected > MAX_BYTES:
            raise OSError(f"the server announces {expected:,} bytes, more than {MAX_BYTES:,}")
        received = 0
        while block := answer.read(1 << 16):
            received += len(block)
            if received > MAX_BYTES:
                raise OSError(f"the server sends more than {MAX_BYTES:,} bytes")
            file.write(block)
            of = f" of {expected:,}" if expected else ""
            logger.info("%s: %s%s bytes", url, f"{received:,}", of, extra={"transient": True})
    if expected and received != expected:
        raise OSError(f"the server broke off after {received:,} of {expected:,} bytes")


def _reason(error):
    if isinstance(error, urllib.error.HTTPError):
        return f"the server answers {error.code} {error.reason}"
    return str(getattr(error, "reason", error)) or type(error).__name__


def _check_zip(path, name):
    """Proves that `path` is an intact zip of pairs; returns its licence text, bytes or None."""
    try:
        with zipfile.ZipFile(path) as archive:
            pairs_member(archive)
            broken = archive.testzip() if sum(i.file_size for i in archive.infolist()) <= MAX_BYTES else "its size"
            if broken:
                raise ValueError(f"damaged: {broken}")
            return unpack(archive, archive.getinfo("_about.txt")) if "_about.txt" in archive.namelist() else None
    except BAD_ZIP as error:
        raise ValueError(f"{name}: not a zip file of sentence pairs ({in_brief(error)})") from None
