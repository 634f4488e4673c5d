"""HTML entities in texts, such as `&apos;` and `&amp;`, which web pages and corpora of tokenised text are full of."""

import re
from html.entities import name2codepoint

# HTML 4's names, XML's, and those that the Moses tokeniser wrote.
_OTHERS = {"apos": "'", "bar": "|", "bra": "[", "ket": "]"}
ENTITIES = {name: chr(code) for name, code in name2codepoint.items()} | _OTHERS
ENTITY = re.compile("&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z]+[0-9]*));")
ESCAPED_TWICE = re.compile("&(?:(?:amp|#38|#[xX]26);)+(?=#?[A-Za-z0-9]+;)")
APART = re.compile(r"([A-Za-z]) ('(?:s|t|m|d|re|ve|ll))(?![A-Za-z])")


def unescape(text: str) -> str:
    """Returns a text with its HTML entities written out, also those escaped twice (`&amp;apos;`).

    Where there were any, a tokenised `don 't` becomes `don't` again. What is no entity stays.
    """
    if not ENTITY.search(text):
        return text
    return APART.sub(r"\1\2", ENTITY.sub(_written, ESCAPED_TWICE.sub("&", text)))


def _written(match: re.Match[str]) -> str:
    if match[3]:
        return ENTITIES.get(match[3], match[0])
    code = int(match[1] or match[2], 10 if match[1] else 16)
    return chr(code) if 32 <= code <= 0x10FFFF and not 0xD800 <= code < 0xE000 else " "
