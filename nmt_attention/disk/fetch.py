"""Where the corpus comes from: a file you name, an earlier download, a new download, or the embedded phrasebook."""

import http.client
import logging
import os
import re
import ssl
import time
import urllib.request
from pathlib import Path

from ..corpus import Pair
from .files import atomic_write, in_brief
from .pairs import DATA_DIRECTORY, DOWNLOAD_DIRECTORY, read_pairs
from .zips import MAX_BYTES, open_zip, read_zip, unpack

SITE = "https://www.manythings.org/anki"
_BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"  # else the site answers 406
logger = logging.getLogger(__name__)


def load_corpus(path: Path | str | None = None, language: str = "mar") -> list[Pair]:
    """Returns the corpus, read from the file that `find_corpus` finds; arguments and errors are its own."""
    return read_pairs(find_corpus(path, language))


def find_corpus(path: Path | str | None = None, language: str = "mar") -> Path:
    """Returns the corpus file: `path`, else `NMT_ATTENTION_CORPUS`, else the cached download, else a new download.

    If no Marathi corpus can be found or downloaded, it is the phrasebook, and a warning is logged.

    Args:
        path: a .zip, .txt or .tsv file (see `read_pairs`), "phrasebook" for the embedded corpus, or None.
        language: three-letter code of an Anki language, for the download.

    Raises:
        FileNotFoundError: the file named by the argument or by the environment variable does not exist.
        ValueError: a language other than Marathi is requested while the environment variable is set.
        OSError: nothing was found and the download of a language other than Marathi failed.
    """
    named = os.environ.get("NMT_ATTENTION_CORPUS")
    if named and not path and language != "mar":
        raise ValueError(f"language: NMT_ATTENTION_CORPUS names the corpus, {named}; unset it to train on {language}")
    for name, value in (("", path), ("NMT_ATTENTION_CORPUS: ", named)):
        if value == "phrasebook":
            return DATA_DIRECTORY / "phrasebook.tsv"
        if value:
            if not Path(value).is_file():
                raise FileNotFoundError(f"{name}no such file: {value}")
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
        how = "for real sentences run `nmt-attention fetch` where there is a network"
        why = f"NMT_ATTENTION_CORPUS is not set, there is no {cached}, and {error}"
        logger.warning("no corpus: %s. Continuing with the embedded phrasebook; %s.", why, how)
        return DATA_DIRECTORY / "phrasebook.tsv"


def download_anki(language: str = "mar", timeout: float = 30.0, attempts: int = 4, pause: float = 1.0) -> Path:
    """Downloads one language's pairs from www.manythings.org/anki, and their licence; returns the path of the zip.

    The zip, `LANGUAGE-eng.zip` in `DOWNLOAD_DIRECTORY`, gets its name only when it is complete and has been checked to
    hold sentence pairs. Its licence is beside it.

    Args:
        language: three-letter code, as in the site's file names (`mar`, `fra`, `deu` …).
        timeout: seconds for which the server may be silent.
        attempts: maximum number of attempts; a definite answer (404, 406) ends them.
        pause: seconds before the second attempt, doubled before each later one.

    Raises:
        ValueError: `language` is not a code, or the download is not a zip of sentence pairs.
        OSError: the download failed; the message names the address and what to do.
    """
    if not re.fullmatch(r"[a-z]{3}", language):
        raise ValueError(f"language: expected a three-letter code such as 'mar', got {language!r}")
    DOWNLOAD_DIRECTORY.mkdir(parents=True, exist_ok=True)
    url, path = f"{SITE}/{language}-eng.zip", DOWNLOAD_DIRECTORY / f"{language}-eng.zip"
    with atomic_write(path) as partial:
        for attempt in range(attempts):
            try:
                _fetch(url, partial, timeout)
                break
            except (OSError, http.client.HTTPException) as error:
                definite = isinstance(error, urllib.error.HTTPError) and error.code < 500
                if definite or attempt == attempts - 1:
                    raise OSError(f"{url}: {in_brief(error)}; fetch it with a browser and pass --corpus FILE") from None
                time.sleep(pause * 2**attempt)
        read_zip(partial, MAX_BYTES, url)  # makes sure that it can be read as pairs
        with open_zip(partial, url) as archive:
            about = unpack(archive, archive.getinfo("_about.txt")) if "_about.txt" in archive.namelist() else b""
        if about:
            with atomic_write(path.with_name(f"{path.stem}_about.txt")) as licence:
                licence.write_bytes(about)
    return path


def _fetch(url: str, path: Path, timeout: float) -> None:
    request = urllib.request.Request(url, headers={"User-Agent": _BROWSER})
    with (
        urllib.request.urlopen(request, timeout=timeout, context=ssl.create_default_context()) as answer,
        open(path, "wb") as file,
    ):
        expected, received = int(answer.headers.get("Content-Length") or 0), 0
        while block := answer.read(1 << 16):
            received += len(block)
            if received > MAX_BYTES:
                raise OSError(f"the server sends more than {MAX_BYTES:,} bytes")
            file.write(block)
            of = f" of {expected:,}" if expected else ""
            logger.info("%s: %s%s bytes", url, f"{received:,}", of, extra={"transient": True})
    if expected and received != expected:
        raise OSError(f"the connection closed after {received:,} of {expected:,} bytes")
