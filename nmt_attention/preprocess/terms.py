"""A user's own terms: words and phrases that are translated as a list says, or stay as they are.

Before a text is split into sentences, a letter of a script that nobody types takes the place of each term, so that no
rule of spelling reads what the term consists of. `protect` then hides that letter behind a placeholder, as a name.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import regex

from ..disk.files import decoded, read_bytes

_MARKS = range(0x17000, 0x187F8)  # Tangut; `token` in rules.tsv has the same
_MAX_BYTES, _LONGEST = 10_000_000, 200  # of a file, and letters of a term


class Term(NamedTuple):
    """A term in a text: as it is typed, and what the translation writes."""

    typed: str
    written: str


class Terms:
    """Finds terms in texts: whole words, the longest first, in any case unless the list has capitals.

    Args:
        targets: for each term what the translation writes; "" leaves it as it is typed.
    """

    def __init__(self, targets: Mapping[str, str] | None = None) -> None:
        self.targets = dict(targets or {})
        for source in self.targets:
            check_term(source, "terms")
        longest_first = sorted(self.targets, key=len, reverse=True)
        self._written = [self.targets[source] for source in longest_first]
        terms = "|".join(f"({_pattern(source)})" for source in longest_first)
        self._pattern = regex.compile(rf"(?<![\w\p{{M}}])(?:{terms})(?![\w\p{{M}}])") if terms else None

    def mark(self, texts: Sequence[str]) -> tuple[list[str], dict[str, Term]]:
        """Returns texts with a mark for each term, and what each mark stands for."""
        found: dict[str, Term] = {}
        if not self._pattern:
            return list(texts), found
        marks: dict[tuple[str, str], str] = {}

        def mark(match: re.Match[str]) -> str:
            typed = match[0]
            written = self._written[(match.lastindex or 1) - 1] or typed
            if (typed, written) not in marks:
                if len(marks) == len(_MARKS):
                    raise ValueError(f"terms: more than {len(_MARKS):,} in these texts; translate fewer at a time")
                marks[typed, written] = symbol = chr(_MARKS[len(marks)])
                found[symbol] = Term(typed, written)
            return marks[typed, written]

        return [self._pattern.sub(mark, unicodedata.normalize("NFC", text)) for text in texts], found


def typed_again(text: str, terms: Mapping[str, Term]) -> str:
    """Returns a text with its terms as they are typed."""
    return text.translate({ord(mark): term.typed for mark, term in terms.items()}) if terms else text


def _pattern(source: str) -> str:
    words = [re.escape(word).replace("'", "['’]") for word in unicodedata.normalize("NFC", source).split()]
    pattern = r"\s+".join(words)
    return pattern if any(map(str.isupper, source)) else f"(?i:{pattern})"


def check_term(source: str, where: str) -> None:
    """Raises a ValueError if a term has no letter and no digit, by which it could be found."""
    if not isinstance(source, str) or not any(map(str.isalnum, source)):
        raise ValueError(f"{where}: expected a term with a letter or a digit, got {source!r:.80}")
    if len(source) > _LONGEST:
        raise ValueError(f"{where}: expected a term of at most {_LONGEST} letters, got {len(source):,}")


def read_terms(path: Path | str) -> dict[str, str]:
    """Reads terms: a row for each, its translation after a tab; without one the term stays as it is.

    Raises:
        FileNotFoundError: no such file.
        ValueError: what is wrong, with the file and the line.
    """
    lines: dict[str, int] = {}
    targets: dict[str, str] = {}
    for number, line in enumerate(read_bytes(path, _MAX_BYTES).split(b"\n"), start=1):
        where = f"{path}, line {number}"
        columns = [" ".join(column.split()) for column in decoded(path, number, line).split("\t")]
        if not any(columns):
            continue
        source, target, *more = [*columns, ""]
        if any(more):
            raise ValueError(f"{where}: expected a term, a tab and its translation, found {len(columns)} columns")
        check_term(source, where)
        if targets.setdefault(source, target) != target:
            raise ValueError(f"{where}: {source!r} has another translation in line {lines[source]}")
        lines.setdefault(source, number)
    if not targets:
        raise ValueError(f"{path}: holds no terms")
    if all(re.search(".[=,;|].", source) for source in targets) and not any(targets.values()):
        raise ValueError(f"{path}, line {min(lines.values())}: expected a tab between a term and its translation")
    return targets
