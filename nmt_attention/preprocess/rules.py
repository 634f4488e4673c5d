"""What `rules.tsv` says: patterns, tables of replacements and words, as Python and the page's JavaScript read them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from html.entities import name2codepoint
from pathlib import Path
from typing import Any, NamedTuple

import regex

RULES = Path(__file__).parent / "rules.tsv"
_WORDS = ("foreign", "afterVerbs", "afterNames", "withoutArticle", "wordsToo", "smallToo", "particles", "grammar")
_NAMES = ("places", "acronyms", "letterNames", "obliques", "titled", "numerals", "entities")
_NAME = re.compile(r"(?<!\\p)\{([A-Z_]+|[a-z][A-Za-z]*)\}")  # a fragment or a section, no \p{L}
_CAPITALS = "".join(filter(str.isupper, map(chr, (*range(0x41, 0x250), *range(0x1E00, 0x1F00)))))

Table = Sequence[tuple[str, str]]  # patterns and what replaces them, in this order


class Rules(NamedTuple):
    """What is said of typed text."""

    patterns: dict[str, str]  # regular expressions by their name
    tables: Mapping[str, Table]
    words: dict[str, list[str]]
    names: dict[str, dict[str, str]]  # what is looked up whole


def read_rules(path: Path = RULES) -> Rules:
    """Reads the rules; fragments and templates are written out."""
    sections, templates = read_sections(path)
    fragments = {"UPPER": _CAPITALS, "SPACE": " "}
    fragments |= {name: "|".join(row[0] for row in rows) for name, rows in sections.items()}
    fragments |= {name: text for name, text in sections.pop("fragments")}

    patterns = {name: expand(pattern, fragments) for name, pattern in sections.pop("patterns")}
    words = {name: " ".join(row[0] for row in sections.pop(name)).split() for name in _WORDS}
    tables = {name: [(row[0], row[1]) for row in rows if len(row) == 2] for name, rows in sections.items()}
    for name, (pattern, replacement) in templates.items():
        tables[name] = [(fill(pattern, row), fill(replacement, row)) for row in sections[name]]
    words["haste"] = [typed for typed, _ in tables["haste"]]
    tables["haste"] = [_in_haste(*row) for row in tables["haste"]]
    tables = {name: [(expand(a, fragments), expand(b, fragments)) for a, b in table] for name, table in tables.items()}
    names = {name: dict(tables.pop(name)) for name in _NAMES}
    return Rules(patterns, {name: table for name, table in tables.items() if table}, words, names)


def expand(text: str, fragments: Mapping[str, str]) -> str:
    """Returns a text in which fragments are written out, and those that stand in them."""
    while (expanded := _NAME.sub(lambda match: fragments[match[1]], text)) != text:
        text = expanded
    return text


def read_sections(path: Path) -> tuple[dict[str, list[list[str]]], dict[str, list[str]]]:
    """Returns the rows of each section, as columns, and the templates of those that have one."""
    sections: dict[str, list[list[str]]] = {}
    templates = {}
    for line in path.read_text(encoding="utf-8").split("\n"):
        if header := re.match(r"\[([A-Za-z]+)\](?:$|\t)", line):
            rows = sections.setdefault(header[1], [])
            if template := line.split("\t")[1:]:
                templates[header[1]] = template
        elif line and not re.match("#( |$)", line):
            rows.append(line.split("\t"))
    return sections, templates


def fill(template: str, row: Sequence[str]) -> str:
    """Returns a template with a row's columns in the places {1}, {2} …"""
    for i, column in enumerate(row, start=1):
        template = template.replace(f"{{{i}}}", column)
    return template


def _in_haste(typed: str, meant: str) -> tuple[str, str]:
    """Returns a pattern of a whole word and its replacement, which keeps the case of a first letter that stays."""
    if len(typed) < 3 and typed != "im":  # a capital may be a name's; an initial's point ends no sentence (r. k. Rao)
        return rf"{{EDGE}}{typed}{'{END}' if len(typed) > 1 else '{LETTER_END}'}", rf"\1{meant}\2"
    letters = "".join(f"[{letter}{letter.upper()}]" if letter != " " else letter for letter in typed)
    if typed[0] == meant[0]:
        return rf"{{EDGE}}({letters[:4]}){letters[4:]}{{END}}", rf"\1\2{meant[1:]}\3"
    return rf"{{EDGE}}{letters}{{END}}", rf"\1{meant}\2"


def compiled(pattern: str) -> Any:
    """Returns a compiled pattern, in which `$` is the end of the text, as in JavaScript."""
    pattern = re.sub(r"(?<![\[\\])\$", r"\\Z", pattern)
    return regex.compile(pattern) if r"\p{" in pattern else re.compile(pattern)


_rules = read_rules()
PLACES, ACRONYMS, LETTER_NAMES, OBLIQUES, TITLED, _numerals, _entities = (_rules.names[name] for name in _NAMES)
ENTITIES = {name: chr(code) for name, code in name2codepoint.items()} | _entities
PATTERNS: Mapping[str, Any] = {name: compiled(pattern) for name, pattern in _rules.patterns.items()}
NUMERALS: Mapping[str, Any] = {number: compiled(pattern) for number, pattern in _numerals.items()}
TABLES: Mapping[str, Any] = {
    name: [(compiled(pattern), replacement) for pattern, replacement in table] for name, table in _rules.tables.items()
}
WORDS: Mapping[str, frozenset[str]] = {name: frozenset(words) for name, words in _rules.words.items()}
DIGITS = str.maketrans("0123456789", "०१२३४५६७८९")


def rewrite(text: str, tables: Iterable[str]) -> str:
    """Returns a text with the patterns of tables replaced, in their order."""
    for name in tables:
        for pattern, replacement in TABLES[name]:
            text = pattern.sub(replacement, text)
    return text


def unescape(text: str) -> str:
    """Returns a text with its HTML entities written out, also those escaped twice (`&amp;apos;`).

    Where there were any, a tokenised `don 't` becomes `don't` again. What is no entity stays.
    """
    if not PATTERNS["entity"].search(text):
        return text
    return rewrite(PATTERNS["entity"].sub(_written, PATTERNS["escapedTwice"].sub("&", text)), ["apart"])


def _written(match: re.Match[str]) -> str:
    if match[3]:
        return ENTITIES.get(match[3], match[0])
    code = int(match[1] or match[2], 10 if match[1] else 16)
    return chr(code) if 32 <= code <= 0x10FFFF and not 0xD800 <= code < 0xE000 else " "
