"""The font Mukta for web pages that bring their own letters."""

import base64
import functools
import importlib.util
import io
from pathlib import Path

DEVANAGARI = ((0x0900, 0x097F), (0x200C, 0x200D), (0x25CC, 0x25CC))
LATIN = ((0x0020, 0x017F), (0x1E00, 0x1EFF), (0x2010, 0x203F), (0x2212, 0x2212))


def mukta_file(style: str = "Regular") -> Path | None:
    """Returns the path of a style of Mukta, or None if its package is not installed."""
    package = importlib.util.find_spec("fontpkg_mukta")
    return Path(package.origin).parent / "files" / f"Mukta-{style}.ttf" if package and package.origin else None


@functools.cache
def font_face(latin: bool = False) -> str:
    """Returns the rule for Mukta's Devanagari letters, or nothing if the font is not installed.

    With `latin` its rules hold Latin letters, too, and both regular and semibold, for a page in one typeface.
    """
    if not latin:
        return _rule("Regular", "400", DEVANAGARI)
    return _rule("Regular", "400", DEVANAGARI + LATIN) + _rule("SemiBold", "600 800", DEVANAGARI + LATIN)


def _rule(style: str, weight: str, ranges: tuple[tuple[int, int], ...]) -> str:
    file = mukta_file(style)
    if file is None:
        return ""
    from fontTools import subset
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    options = subset.Options(flavor="woff", hinting=False, recalc_bounds=True)  # its default features shape Devanagari
    data = io.BytesIO()
    with subset.load_font(file, options) as font:
        pen, metrics = TTGlyphPen(font.getGlyphSet()), font["hmtx"]  # adds ṁ, which Mukta lacks: an m with a dot above
        pen.addComponent("m", (1, 0, 0, 1, 0, 0))
        pen.addComponent("dotaccent", (1, 0, 0, 1, (metrics["m"][0] - metrics["dotaccent"][0]) // 2, 0))
        font["glyf"]["mdotaccent"], metrics["mdotaccent"] = pen.glyph(), metrics["m"]
        for table in font["cmap"].tables:
            table.cmap[ord("ṁ")] = "mdotaccent"
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=[letter for first, last in ranges for letter in range(first, last + 1)])
        subsetter.subset(font)
        subset.save_font(font, data, options)
    source = f"url(data:font/woff;base64,{base64.b64encode(data.getvalue()).decode('ascii')})"
    letters = ", ".join(f"U+{first:X}-{last:X}" for first, last in ranges)
    return f"@font-face {{ font-family: Mukta; font-weight: {weight}; src: {source}; unicode-range: {letters}; }}\n"
