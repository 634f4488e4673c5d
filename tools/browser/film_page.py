"""Films the page of the model in the package for README: what a reader sees who points at one word after another.

python -m tools.browser.film_page docs/page.gif
"""

import base64
import io
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image

from nmt_attention.deploy.browser import export_page
from nmt_attention.runs.bundle import READY
from tools.browser.check_exported_page import Page
from tools.browser.chromium import chromium

SIZE = (1000, 640)
POINT = (
    "document.querySelector(`#picture button[data-t='${arguments[0]}']`)"
    ".dispatchEvent(new PointerEvent(arguments[1], {bubbles: true, pointerType: 'mouse'}))"
)


def film(path: Path) -> None:
    """Writes the film, as a GIF that repeats."""
    frames: list[tuple[Image.Image, int]] = []
    with tempfile.TemporaryDirectory() as directory, chromium() as browser:
        export_page(READY, page_file := Path(directory) / "page.html")
        browser.prefer("prefers-reduced-motion", "reduce")
        browser.size(*SIZE)
        page = Page(browser, page_file)
        page.script("document.documentElement.style.overflow = 'hidden'")

        def take(seconds):
            time.sleep(0.2)
            picture = Image.open(io.BytesIO(base64.b64decode(browser("GET", "/screenshot"))))
            frames.append((picture.convert("RGB"), round(1000 * seconds)))

        for sentence in ("Dad bought me a camera.", "We are going to school tomorrow."):
            page.translate(sentence)
            page.script("document.activeElement.blur()")
            take(2.5)
            for t in range(page.script("return document.querySelectorAll('#picture button[data-t]').length") - 1):
                page.script(POINT, t, "pointerover")
                take(1.2)
            page.script(POINT, 0, "pointerleave")
    colours = frames[0][0].quantize(128)
    pictures = [picture.quantize(palette=colours, dither=Image.Dither.NONE) for picture, _ in frames]
    pictures[0].save(
        path, save_all=True, append_images=pictures[1:], duration=[shown for _, shown in frames], loop=0, optimize=True
    )


if __name__ == "__main__":
    film(Path(sys.argv[1]))
