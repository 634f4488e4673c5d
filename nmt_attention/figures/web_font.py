"""The font Mukta for web pages that bring their own Devanagari letters."""

import base64
import functools
import importlib.util
import io
from pathlib import Path

DEVANAGARI = [*range(0x0900, 0x0980), 0x200C, 0x200D, 0x25CC]


def mukta_file() -> Path | None:
    """Returns the path of Mukta's regular style, or None if its package is not installed."""
    package = importlib.util.find_spec("fontpkg_mukta")
    return Path(package.origin).parent / "files" / "Mukta-Regular.ttf" if package and package.origin else None


@functools.cache
def font_face() -> str:
    """Returns the rule for the font Mukta, with its Devanagari letters alone, or nothing if it is not installed."""
    file = mukta_file()
    if file is None:
        return ""
    from fontTools import subset

    options = subset.Options(layout_features=["*"], flavor="woff")
    data = io.BytesIO()
    with subset.load_font(file, options) as font:
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=DEVANAGARI)
        subsetter.subset(font)
        subset.save_font(font, data, options)
    source = f"url(data:font/woff;base64,{base64.b64encode(data.getvalue()).decode('ascii')})"
    return f"@font-face {{ font-family: Mukta; src: {source}; unicode-range: U+0900-097F, U+200C-200D, U+25CC; }}\n"
