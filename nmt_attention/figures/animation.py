"""Pictures one after another, in a player: attention as it changes, and the moving pictures of the lessons."""

import base64
import html
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import Image, ImageSequence

from .fonts import can_shape, find_fonts
from .heatmap import check_translations, plot_attention
from .labels import attention_table, looked_most
from .palette import DECODER, PAPER, read

if TYPE_CHECKING:
    from ..alignment.scores import GoldAlignment
    from ..translate import Translation


_CURVE = 3.2  # inches for a loss curve beside a heatmap


@dataclass(frozen=True, repr=False)
class Animation:
    """Pictures to be shown one after another; a notebook shows an animation that ends a cell as a player.

    frames: list of str. Each picture as a `data:` address.
    captions: list of str. Description of each picture, for readers who cannot see it.
    seconds: float. How long each picture is shown.
    """

    frames: Sequence[str]
    captions: Sequence[str]
    seconds: float

    def __repr__(self) -> str:
        return f"<Animation of {len(self.frames)} pictures>"

    def to_html(self) -> str:
        """Returns a player as a piece of HTML: a button, a slider, and the pictures inside it; it loads nothing.

        Without JavaScript, as in a notebook that JupyterLab does not trust yet, the first picture is shown and the
        others unfold below it.
        """
        images = zip(self.frames, self.captions, strict=True)
        first, *others = (f'<img src="{frame}" alt="{html.escape(caption)}">' for frame, caption in images)
        style, script = (read(f"figures/player.{kind}") for kind in ("css", "js"))
        lines = [f'<figure class="nmt-player" data-milliseconds="{1000 * self.seconds:.0f}">']
        lines += [f"<style>\n{style}</style>", first]
        if others:
            lines += ["<details><summary>The other steps</summary>", *others, "</details>"]
        lines.append('<p hidden style="display: none"><button type="button">Play</button>')
        lines.append(f'<input type="range" min="1" max="{len(self.frames)}" value="1" aria-label="step"></p>')
        return "\n".join([*lines, f"<script>\n{script}</script>", "</figure>"])

    _repr_html_ = to_html


def read_animation(path: Path | str) -> Animation:
    """Returns the animation of a moving picture of the lessons: a .gif whose comment has a caption a line.

    Raises:
        ValueError: the file has not as many captions as pictures.
        OSError: it is not there, or no picture.
    """
    with Image.open(path) as picture:
        captions = picture.info.get("comment", b"").decode().splitlines()
        seconds = picture.info.get("duration", 0) / 1000
        frames = [_as_png(frame) for frame in ImageSequence.Iterator(picture)]
    if len(captions) != len(frames):
        raise ValueError(f"{path}: has {len(frames)} pictures and {len(captions)} captions; expected one for each")
    return Animation(frames, captions, seconds)


def animate_attentions(
    translations: "Mapping[str, Translation]",
    *,
    gold: "GoldAlignment | None" = None,
    losses: Sequence[float] = (),
    seconds: float = 1.0,
    **labels: Any,
) -> Animation:
    """Shows heatmaps of the same tokens one after another; `plot_attentions` draws them side by side.

    Args:
        translations: dict from a heatmap's title, such as "epoch 3", to its `Translation`.
        losses: list of float. The loss at each heatmap, the first at round 0, or none: beside each heatmap stands their
            curve, with a dot where the heatmap belongs.
        gold, labels: as in `plot_attention`, the same for all.
        seconds: float. How long each heatmap is shown.

    Raises:
        ValueError: there is nothing to draw, the heatmaps differ in their tokens, or there are not as many losses;
            and as `plot_attention`.
        TypeError, RuntimeError: as `plot_attention`.
    """
    check_translations(translations)
    tables = {title: attention_table(shown, labels.get("show_end", False)) for title, shown in translations.items()}
    tokens = next(iter(tables.values()))[:2]
    for title, table in tables.items():
        if table[:2] != tokens:
            raise ValueError(f"translations: {title!r} has other tokens than the first; `attend` keeps them the same")
    figures = [plot_attention(shown, title=title, gold=gold, **labels) for title, shown in translations.items()]
    captions = [f"{title}: {looked_most(*table)}" for title, table in tables.items()]
    if losses and len(losses) != len(figures):
        raise ValueError(f"losses: expected one for each of {len(figures)} heatmaps, got {len(losses)}")
    for number, loss in enumerate(losses):
        _add_curve(figures[number], losses, number)
        captions[number] += f"; loss {loss:.2f}"
    return Animation([_as_picture(figure) for figure in figures], captions, seconds)


def _add_curve(figure: Figure, losses: Sequence[float], number: int) -> None:
    """Draws on the right of a heatmap the losses of all rounds, with a dot at one."""
    width, height = figure.get_size_inches()
    whole = width + _CURVE
    figure.set_figwidth(whole)
    figure.set_layout_engine("constrained", rect=(0, 0, width / whole, 1))
    axes = figure.add_axes(((width + 0.5) / whole, 0.65 / height, (_CURVE - 0.6) / whole, 1 - 1 / height))
    axes.set_in_layout(False)
    axes.plot(losses, color=DECODER)
    axes.plot(number, losses[number], "o", color=DECODER)
    axes.set(ylim=(-0.05 * max(losses), None), facecolor="none")  # room for a whole dot at 0
    axes.locator_params(axis="x", integer=True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title("loss", family=find_fonts("loss"))
    axes.set_xlabel("round", family=find_fonts("round"))
    axes.tick_params(labelfontfamily=find_fonts("0"))


def _as_picture(figure: Figure) -> str:
    """Returns a figure as a `data:` address: a .png, or an .svg for the browser to shape letters that we cannot."""
    data = io.BytesIO()
    if can_shape("".join(text.get_text() for text in figure.findobj(Text))):
        figure.savefig(data, format="png", dpi=120, facecolor=PAPER)
        return _as_png(Image.open(data))
    figure.savefig(data, format="svg", facecolor=PAPER)
    return _data_address("svg+xml", data.getvalue())


def _as_png(image: Image.Image) -> str:
    """Returns a picture as a `data:` address, in 128 colours: a third of the bytes, and no visible difference."""
    data = io.BytesIO()
    image.convert("RGBA").convert("RGB").quantize(128).save(data, format="png", optimize=True)
    return _data_address("png", data.getvalue())


def _data_address(kind: str, content: bytes) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(content).decode('ascii')}"
