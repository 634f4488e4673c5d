"""Imported by the first cell of every lesson: finds the package and sets up figures.

Colab and Kaggle start in an empty directory. There it first fetches the course and installs what is missing; without a
repository it installs the course's wheel, uploaded beside the notebook.
"""

import importlib.metadata
import importlib.util
import logging
import re
import subprocess
import sys
import warnings
from pathlib import Path


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
    subprocess.run([sys.executable, "course/tools/teaching/colab.py"], check=True)


def install_wheel() -> None:
    """Installs the wheel in this directory, and what it needs and this Python lacks; other packages stay as they are.

    Raises:
        subprocess.CalledProcessError: one of the two failed; run the cell again.
    """
    pip = [sys.executable, "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", *map(str, Path().glob("*.whl"))], check=True)
    importlib.invalidate_caches()
    found = {re.sub(r"[-_.]+", "-", each.metadata["Name"]).lower() for each in importlib.metadata.distributions()}
    needs = [need for need in importlib.metadata.requires("nmt_attention") if "extra ==" not in need]
    if missing := [need for need in needs if re.match(r"[\w-]+", need)[0] not in found]:
        subprocess.run([*pip, *missing], check=True)


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


repository = getattr(sys.modules["__main__"], "REPOSITORY", None)  # the lesson's first cell has it, where it has to
if repository:
    fetch_course(repository)
elif repository == "" and not importlib.util.find_spec("nmt_attention"):
    install_wheel()
sys.path[:0] = find_package()

from nmt_attention import set_up_figures  # noqa: E402

set_up_figures()
# Lessons score weak models on thousands of sentences: no line for each name that a translation lacks.
logging.getLogger("nmt_attention.preprocess.verify").addFilter(lambda line: "translation lacks" not in line.msg)
# Lessons give each layer its mask. Keras 3.16 warns that a recurrent layer, which obeys its mask, does not pass it on.
warnings.filterwarnings("ignore", r"Layer '\w+' \(of type (GRU|LSTM|Bidirectional)\) was passed an input with a mask")
# Keras tries each layer without numbers first, and says so where a learner's layer computes with NumPy.
warnings.filterwarnings("ignore", r"Layer '\w+' looks like it has unbuilt state|`build\(\)` was called on layer")
