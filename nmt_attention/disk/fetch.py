"""Where the corpus comes from: a file you name, an earlier download, a new download, or the embedded phrasebook."""

import http.client
import logging
import os
import re
import urllib.request
from pathlib import Path

from ..corpus import Pair
from .files import atomic_write, in_brief
from .pairs import DATA_DIRECTORY, DOWNLOAD_DIRECTORY, read_pairs
from .zips import MAX_BYTES, read_zip

PHRASEBOOK = DATA_DIRECTORY / "phrasebook.tsv"
SITE = "https://www.manythings.org/anki"
_TIMEOUT = 30.0  # seconds for which the server may be silent
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
        FileNotFoundError, ValueError: the file is not there, or the variable names one and a language is asked for.
        OSError: nothing was found and the download of a language other than Marathi failed.
    """
    named = os.environ.get("NMT_ATTENTION_CORPUS")
    if named and not path and language != "mar":
        raise ValueError(f"language: NMT_ATTENTION_CORPUS names the corpus, {named}; unset it to train on {language}")
    if (value := str(path or named or "")) == "phrasebook":
        return PHRASEBOOK
    if value:
        if not Path(value).is_file():
            raise FileNotFoundError(f"{'' if path else 'NMT_ATTENTION_CORPUS: '}no such file: {value}")
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
        how = "Continuing with the embedded phrasebook; for real sentences run `nmt-attention fetch`"
        logger.warning("no corpus: NMT_ATTENTION_CORPUS is not set, there is no %s, and %s. %s.", cached, error, how)
        return PHRASEBOOK


def download_anki(language: str = "mar") -> Path:
    """Downloads one language's pairs from www.manythings.org/anki; returns the path of the zip.

    The zip, `LANGUAGE-eng.zip` in `DOWNLOAD_DIRECTORY`, gets its name only when it is complete and has been checked to
    hold sentence pairs; the licence is in it.

    Args:
        language: three-letter code, as in the site's file names (`mar`, `fra`, `deu` …).

    Raises:
        ValueError: `language` is not a code, or the download is not a zip of sentence pairs.
        OSError: the download failed; the message names the address and what to do.
    """
    if not re.fullmatch(r"[a-z]{3}", language):
        raise ValueError(f"language: expected a three-letter code such as 'mar', got {language!r}")
    DOWNLOAD_DIRECTORY.mkdir(parents=True, exist_ok=True)
    url, path = f"{SITE}/{language}-eng.zip", DOWNLOAD_DIRECTORY / f"{language}-eng.zip"
    with atomic_write(path) as partial:
        try:
            request = urllib.request.Request(url, headers={"User-Agent": _BROWSER})
            with urllib.request.urlopen(request, timeout=_TIMEOUT) as answer:
                expected, data = int(answer.headers.get("Content-Length") or 0), answer.read(MAX_BYTES + 1)
            if len(data) < expected:
                raise OSError(f"only {len(data):,} of {expected:,} bytes came")
        except (OSError, http.client.HTTPException) as error:
            how = "try again, or fetch it with a browser and pass --corpus FILE"
            raise OSError(f"{url}: {in_brief(error)}; {how}") from None
        partial.write_bytes(data)
        read_zip(partial, url)  # makes sure that it can be read as pairs
    return path
