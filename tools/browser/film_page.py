"""Films the page of the model in the package for README: how light moves over the sentence while each word is written.

python -m tools.browser.film_page docs/page.gif
"""

import io
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image

from nmt_attention.deploy.browser import export_page
from nmt_attention.runs.bundle import PRETRAINED
from tools.browser.chromium import chromium

SIZE = (960, 540)
PER_SECOND = 12
SPEED = 2.0  # of the film, against the page
ALONE = ".do, .hint, #note { display: none } #one { padding-bottom: 0 }"  # the stage has the whole picture
CLOCK = """
let now = 0, queue = [];  // the film's own time: a frame is drawn when it is asked for, however long a picture takes
performance.now = () => now;
window.requestAnimationFrame = (draw) => queue.push([now, () => draw(now)]);
window.setTimeout = (act, wait = 0) => queue.push([now + wait, act]);
window.goOn = (milliseconds) => {
  now += milliseconds;
  const due = queue.filter(([at]) => at <= now);
  queue = queue.filter(([at]) => at > now);
  for (const [, act] of due) act();
};
"""


def film(path: Path) -> None:
    """Writes the film, as a GIF that repeats: the example is written, and then one light is dragged to another word."""
    pictures: list[Image.Image] = []
    with tempfile.TemporaryDirectory() as directory, chromium() as browser:
        export_page(PRETRAINED, page := Path(directory) / "page.html")
        browser.size(*SIZE)
        browser.prefer(prefers_color_scheme="dark", prefers_reduced_motion="reduce")
        browser.open(page.as_uri())
        browser.until("state.steps")

        def take(seconds: float) -> None:
            for _ in range(round(PER_SECOND * seconds)):
                browser.script("goOn(arguments[0])", 1000 * SPEED / PER_SECOND)
                time.sleep(0.05)  # promises, and the transitions of words
                pictures.append(Image.open(io.BytesIO(browser.screenshot())).convert("RGB"))

        browser.prefer(prefers_color_scheme="dark", prefers_reduced_motion="no-preference")
        adopt = "new CSSStyleSheet().replace(arguments[0]).then((alone) => { document.adoptedStyleSheets = [alone]; })"
        browser.script(adopt, ALONE)
        browser.script(CLOCK + "guessed.has = () => true; play()")  # without the question before the verb
        time.sleep(1)  # what was written before fades
        while browser.script("return state.playing"):
            take(1 / PER_SECOND)
        take(0.7)
        browser.drag("[data-t='2']", "[data-s='3']", "[data-s='1']", "[data-s='0']", release=False)
        take(0.3)
        release = {"type": "pointer", "id": "mouse", "actions": [{"type": "pointerUp", "button": 0}]}
        browser("POST", "/actions", {"actions": [release]})  # `let_go` lets go where it was pressed
        browser.until("state.look !== state.own")
        take(2.4)  # the line that says what came of it is read
    some = pictures[:: len(pictures) // 12]
    palette = Image.new("RGB", (SIZE[0], len(some) * SIZE[1]))
    for place, picture in enumerate(some):
        palette.paste(picture, (0, place * SIZE[1]))
    colours = palette.quantize(256, method=Image.Quantize.FASTOCTREE)  # the light has no stripes
    frames = [picture.quantize(palette=colours, dither=Image.Dither.NONE) for picture in pictures]
    length = round(1000 / PER_SECOND)
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=length, loop=0, optimize=True)


if __name__ == "__main__":
    film(Path(sys.argv[1]))
