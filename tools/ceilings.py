"""Checks that folders have no more lines of code than pyproject.toml allows, nor tests more than the package's Python.

    python -m tools.ceilings

Before a ceiling is raised, see what can be taken out behind it.
"""

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CODE = {".py", ".js", ".css", ".html"}


def lines(place: str) -> int:
    """Returns how many lines of code a folder has, or the files that a pattern such as `folder/*.py` names."""
    paths = ROOT.glob(place if "*" in place else f"{place}/**/*")
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths if path.suffix in CODE)


if __name__ == "__main__":
    ceilings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ceilings"]
    ceilings["tests"] = min(ceilings["tests"], lines("nmt_attention/**/*.py"))
    counts = {place: lines(place) for place in ceilings}
    over = [f"{place}: {n:,} lines, {ceilings[place]:,} allowed" for place, n in counts.items() if n > ceilings[place]]
    sys.exit("\n".join(over) or 0)
