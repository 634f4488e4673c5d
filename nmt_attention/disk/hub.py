"""Trained models of the Hugging Face Hub, as directories of this machine."""

import re
from pathlib import Path

from .files import in_brief

_FILES = ["*.json", "*.npz", "NOTICE", "README.md"]  # of a run, whose checkpoints nobody needs


def local_directory(place: Path | str) -> Path:
    """Returns a directory as it is, and for `hf://owner/name` the one that holds this repository's model.

    The package `huggingface_hub` downloads what its cache lacks; it is needed for such an address alone.

    Raises:
        ModuleNotFoundError: the package is not installed.
        OSError: the repository is not there, or cannot be downloaded.
        ValueError: the address is not of that form.
    """
    if not str(place).startswith("hf://"):
        return Path(place)
    if not (address := re.fullmatch(r"hf://([\w.-]+/[\w.-]+)", str(place))):
        raise ValueError(f"{place}: expected hf://owner/name")
    try:
        from huggingface_hub import snapshot_download
    except ModuleNotFoundError:
        raise ModuleNotFoundError(f"{place}: this needs huggingface_hub: pip install huggingface_hub") from None
    try:
        return Path(snapshot_download(address[1], allow_patterns=_FILES))
    except Exception as error:  # of several packages, which that one uses
        raise OSError(f"{place}: {in_brief(error)}") from None
