"""Installs what the package needs and this Python lacks, and leaves the rest alone; the lessons run it in Colab.

Colab's own TensorFlow and matplotlib stay, even if they are older than pyproject.toml asks: other versions would need a
restart.
"""

import importlib.metadata
import re
import subprocess
import sys
import tomllib
from pathlib import Path


def missing_requirements() -> list[str]:
    """Returns those of the package's requirements of which no version is installed."""
    path = Path(__file__).resolve().parents[2] / "pyproject.toml"
    found = {_plain(d.metadata["Name"]) for d in importlib.metadata.distributions()}
    needs = tomllib.loads(path.read_text(encoding="utf-8"))["project"]["dependencies"]
    return [need for need in needs if _plain(re.match(r"[\w.-]+", need)[0]) not in found]


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    missing = missing_requirements()
    if missing:
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", *missing], check=True)
