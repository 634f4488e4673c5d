"""A picture that is drawn step by step, and moves."""

import io
from collections.abc import Sequence
from typing import Any

from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.path import Path as Line
from PIL import Image

from nmt_attention.figures.animation import Animation
from nmt_attention.figures.fonts import text_style
from nmt_attention.figures.palette import DARK, PALE
from nmt_attention.marathi.gloss import gloss as gloss_of
from nmt_attention.marathi.romanize import romanize
from nmt_attention.spelling import has_devanagari

WIDTH = 5.0  # of every picture, in inches: letters stay legible on a phone
SECONDS = 1.8  # how long a step is shown
HOLD = 2  # more steps for which the complete picture stays
_COLOURS, _DPI = 32, 160  # few colours make small files


class Scene:
    """A figure whose parts appear at a step, counted from 0, and stay, or vanish at a later one.

    Coordinates are inches from the upper left corner.
    """

    def __init__(self, height: float, headlines: Sequence[str]) -> None:
        """Each step has a headline, which says what happens; the last one also fits the complete picture."""
        self.figure = Figure(figsize=(WIDTH, height))
        self.axes = self.figure.add_axes((0, 0, 1, 1), xlim=(0, WIDTH), ylim=(height, 0))
        self.axes.set_axis_off()
        self.headlines = list(headlines)
        # each with the first step that shows it, and the step after the last one
        self.parts: list[tuple[Artist, int, int]] = []
        for step, headline in enumerate(self.headlines):
            self.text(WIDTH / 2, 0.25, headline, step, step + 1, size=12)

    def text(
        self, x: float, y: float, text: str, step: int = 0, until: int | None = None, size: float = 11, **style: Any
    ) -> None:
        """Writes a text with its middle at x and y, or with `ha="left"` with its beginning there."""
        options = {"ha": "center", "va": "center", "color": DARK, "fontsize": size} | text_style(text) | style
        self._add(self.axes.text(x, y, text, **options), step, until)

    def word(self, x: float, y: float, word: str, gloss: str = "", step: int = 0, **style: Any) -> None:
        """Writes a target word, and below it the same in Latin letters and in English, where that is known."""
        self.text(x, y, word, step, size=13 if has_devanagari(word) else 11, **style)
        self.gloss(x, y + 0.22, word, gloss, step, **style)

    def gloss(
        self, x: float, y: float, word: str, gloss: str = "", step: int = 0, until: int | None = None, **style: Any
    ) -> None:
        """Writes a target word in Latin letters, if it has others, and in English, where that is known."""
        text = " · ".join(filter(None, [romanize(word), gloss or gloss_of(word)])) if has_devanagari(word) else ""
        self.text(x, y, text, step, until, **{"size": 9, "color": PALE} | style)

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        color: str,
        fill: Any = None,
        step: int = 0,
        rounded: bool = True,
    ) -> None:
        """Draws a box with its upper left corner at x and y, filled palely with its own color if with no other."""
        shape = f"round,pad=0,rounding_size={0.06 if rounded else 0}"
        patch = FancyBboxPatch(
            (x, y), width, height, shape, edgecolor=color, facecolor=fill or (color, 0.15), linewidth=1.3
        )
        self._add(self.axes.add_patch(patch), step, None)

    def line(
        self,
        *points: tuple[float, float],
        step: int = 0,
        until: int | None = None,
        color: str = DARK,
        width: float = 1.5,
        head: bool = False,
        dashed: bool = False,
    ) -> None:
        """Draws a line through points, as an arrow where it has a head."""
        style: dict[str, Any] = {"arrowstyle": "-|>" if head else "-", "mutation_scale": 11, "zorder": 0.5}
        style["linestyle"] = "--" if dashed else "-"
        patch = FancyArrowPatch(path=Line(points), color=color, linewidth=width, **style)
        self._add(self.axes.add_patch(patch), step, until)

    def _add(self, artist: Artist, step: int, until: int | None) -> None:
        self.parts.append((artist, step, len(self.headlines) if until is None else until))

    def animation(self) -> Animation:
        """Returns all steps as an `Animation`; see `complete_at_both_ends`."""
        steps = [self._frame(step) for step in range(len(self.headlines))]
        palette = _palette(steps[-1])
        steps = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in steps]
        return complete_at_both_ends(Animation(steps, self.headlines, SECONDS))

    def _frame(self, now: int) -> Image.Image:
        for artist, step, until in self.parts:
            artist.set_visible(step <= now < until)
        data = io.BytesIO()
        self.figure.savefig(data, format="png", dpi=_DPI)
        return Image.open(data).convert("RGB")


def complete_at_both_ends(animation: Animation) -> Animation:
    """Returns the animation with its last picture, the complete one, also before the first, and shown for longer.

    So a reader whose pictures do not move, who sees the first frame, sees the complete picture.
    """
    shown = [-1, *range(len(animation.frames)), *[-1] * HOLD]
    frames, captions = ([each[i] for i in shown] for each in (animation.frames, animation.captions))
    return Animation(frames, captions, animation.seconds)


def _palette(picture: Image.Image) -> Image.Image:
    """Returns a picture in few colours, one of which is white and none nearly white."""
    palette = picture.quantize(_COLOURS)
    colours = palette.getpalette()
    for i in range(0, len(colours), 3):
        if min(colours[i : i + 3]) > 246:
            colours[i : i + 3] = [255] * 3
    palette.putpalette(colours)
    return palette
