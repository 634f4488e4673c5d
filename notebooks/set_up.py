"""Imported by the first cell of every lesson: finds the package and sets up figures.

Colab and Kaggle start in an empty directory. There it first fetches the course and installs what is missing; without a
repository it installs the course's wheel, uploaded beside the notebook.
"""

import importlib.metadata
import importlib.util
import logging
import os
import re
import subprocess
import sys
import tomllib
import warnings
from pathlib import Path

PIP = [sys.executable, "-m", "pip", "install", "--quiet"]


def install_missing(needs: list[str]) -> None:
    """Installs what of these requirements this Python lacks in any version; other packages stay as they are.

    Colab's own TensorFlow and matplotlib stay, even if they are older than the course asks for: other versions would
    need a restart.

    Raises:
        subprocess.CalledProcessError: it failed; run the cell again.
    """
    found = {re.sub(r"[-_.]+", "-", each.metadata["Name"]).lower() for each in importlib.metadata.distributions()}
    if missing := [need for need in needs if re.match(r"[\w-]+", need)[0] not in found]:
        subprocess.run([*PIP, *missing], check=True)


def needs_of(course: Path) -> list[str]:
    """Returns the requirements of the package in a directory."""
    return tomllib.loads((course / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]


def fetch_course(repository: str) -> None:
    """Clones the course into `course`, unless it is there, and installs what it needs and this Python lacks.

    Args:
        repository: `owner/name` at github.com.

    Raises:
        subprocess.CalledProcessError: one of the two failed; run the cell again.
    """
    if not Path("course").is_dir():
        address = f"https://github.com/{repository}"
        subprocess.run(["git", "clone", "--quiet", "--depth=1", address, "course"], check=True)
    install_missing(needs_of(Path("course")))


def install_wheel() -> None:
    """Installs the wheel in this directory, and what it needs and this Python lacks.

    Raises:
        FileNotFoundError: there is none.
        subprocess.CalledProcessError: one of the two failed; run the cell again.
    """
    if not (wheels := [*Path().glob("*.whl")]):
        said = "write the repository's owner/name between the quotes, then run this cell again"
        raise FileNotFoundError(f"{said}; or upload the course's .whl file beside set_up.py")
    subprocess.run([*PIP, "--no-deps", *map(str, wheels)], check=True)
    importlib.invalidate_caches()
    install_missing([need for need in importlib.metadata.requires("nmt_attention") if "extra ==" not in need])


def find_package() -> list[str]:
    """Returns the directory that holds the package, `course`, the notebook's own or one above; none if it is installed.

    Raises:
        FileNotFoundError: none of them does, and it is not installed.
    """
    here = Path.cwd()
    for directory in (here / "course", here, *here.parents):
        if (directory / "nmt_attention").is_dir():
            return [str(directory)]
    if importlib.util.find_spec("nmt_attention"):
        return []
    raise FileNotFoundError(f"nmt_attention is neither installed nor in a directory above {here}")


if "google.colab" in sys.modules or "KAGGLE_KERNEL_RUN_TYPE" in os.environ:  # these have to fetch the course
    if repository := getattr(sys.modules["__main__"], "REPOSITORY", ""):  # the lesson's first cell has it
        fetch_course(repository)
    elif not importlib.util.find_spec("nmt_attention"):
        install_wheel()
elif __name__ == "__main__":  # `make test-colab`, in the repository
    install_missing(needs_of(Path()))
sys.path[:0] = find_package()

from nmt_attention import set_up_figures  # noqa: E402

set_up_figures()
# Lessons score weak models on thousands of sentences: no line for each name that a translation lacks.
logging.getLogger("nmt_attention.preprocess.verify").addFilter(lambda line: "translation lacks" not in line.msg)
# Lessons give each layer its mask. Keras 3.16 warns that a recurrent layer, which obeys its mask, does not pass it on.
warnings.filterwarnings("ignore", r"Layer '\w+' \(of type (GRU|LSTM|Bidirectional)\) was passed an input with a mask")
# Keras tries each layer without numbers first, and says so where a learner's layer computes with NumPy.
warnings.filterwarnings("ignore", r"Layer '\w+' looks like it has unbuilt state|`build\(\)` was called on layer")
