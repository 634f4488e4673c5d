"""Animated attention: one picture per decoding step, as a GIF or as a player in a web page."""

import base64
import html
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.container import BarContainer
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.text import Text
from PIL import Image, ImageSequence

from ..disk.files import atomic_write
from ..marathi.gloss import annotate
from .diagram import check_steps
from .fonts import can_shape, check_shaping, text_style
from .palette import ATTENTION, BELOW_ZERO, DARK, DECODER, ENCODER, PALE

if TYPE_CHECKING:
    from .trace import DecodingSteps

_HEAD = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>Attention, step by step</title>"""
_PLAYER = """
<style>
.nmt-player { margin: 0; max-width: 100%; font: 14px/1.5 system-ui, sans-serif; }
.nmt-player img { display: block; max-width: 100%; background: white; }
.nmt-player p { display: flex; gap: 8px; align-items: center; margin: 8px 0 0; }
.nmt-player button { font: inherit; color: inherit; background: none; border: 1px solid rgb(128 128 128 / .6);
  border-radius: 6px; padding: 2px 10px; cursor: pointer; min-width: 5em; }
.nmt-player input { flex: 1; max-width: 24em; }
</style>
"""
# Makes every player on the page that is not ready yet show one picture at a time.
_SCRIPT = """
<script>
for (const player of document.querySelectorAll('.nmt-player:not([data-ready])')) {
  player.dataset.ready = '';
  const images = [...player.querySelectorAll('img')], controls = player.querySelector('p');
  player.querySelector('details')?.replaceWith(...images.slice(1));
  const button = player.querySelector('button'), slider = player.querySelector('input');
  let timer = null;
  const show = (step) => {
    images.forEach((image, i) => { image.hidden = i !== step; image.style.display = i === step ? '' : 'none'; });
    slider.value = step + 1;
    slider.setAttribute('aria-valuetext', images[step].alt);
  };
  const stop = () => { clearInterval(timer); timer = null; button.textContent = 'Play'; };
  button.addEventListener('click', () => {
    if (timer) return stop();
    if (+slider.value === images.length) show(0);
    button.textContent = 'Pause';
    timer = setInterval(() => {
      if (!player.isConnected || +slider.value === images.length) return stop();
      show(+slider.value);
    }, +player.dataset.milliseconds);
  });
  slider.addEventListener('input', () => { stop(); show(slider.value - 1); });
  controls.hidden = false;
  controls.style.display = '';
  show(0);
}
</script>
"""
_LABEL_SIZE = 10  # font size in points
_NUMBERS = LinearSegmentedColormap.from_list("numbers", [BELOW_ZERO, "white", DARK])
_OWNERS = {"query": DECODER, "values": ENCODER, "context": ATTENTION, "state": DECODER}


class Animation:
    """Pictures to be shown one after another; a notebook shows an animation that ends a cell as a player.

    frames: list of `PIL.Image.Image` of one size; where matplotlib cannot shape the letters, of str: SVG, and the
        browser shapes them.
    captions: list of str. Description of each picture, for readers who cannot see it.
    seconds: float. How long each picture is shown.
    """

    def __init__(self, frames: Sequence[Image.Image | str], captions: Sequence[str], seconds: float) -> None:
        self.frames, self.captions, self.seconds = frames, captions, seconds

    def __repr__(self) -> str:
        return f"<Animation of {len(self.frames)} pictures>"

    def to_html(self) -> str:
        """Returns a player as a piece of HTML: a button, a slider, and the pictures inside it; it loads nothing.

        Without JavaScript, as in a notebook that JupyterLab does not trust yet, the first picture is shown and the
        others unfold below it.
        """
        lines = [f'<figure class="nmt-player" data-milliseconds="{1000 * self.seconds:.0f}">', _PLAYER.strip()]
        for i, (frame, caption) in enumerate(zip(self.frames, self.captions, strict=True)):
            if i == 1:
                lines.append("<details><summary>The other steps</summary>")
            if isinstance(frame, str):
                kind, content = "svg+xml", frame.encode()
            else:
                data = io.BytesIO()
                frame.save(data, format="png", optimize=True)
                kind, content = "png", data.getvalue()
            encoded = base64.b64encode(content).decode("ascii")
            lines.append(f'<img src="data:image/{kind};base64,{encoded}" alt="{html.escape(caption)}">')
        if len(self.frames) > 1:
            lines.append("</details>")
        lines.append('<p hidden style="display: none"><button type="button">Play</button>')
        lines.append(f'<input type="range" min="1" max="{len(self.frames)}" value="1" aria-label="step"></p>')
        return "\n".join([*lines, _SCRIPT.strip(), "</figure>"])

    _repr_html_ = to_html

    def save(self, path: Path | str) -> None:
        """Writes a looping .gif, or an .html page with the player, and makes the file's directory.

        A .gif keeps the captions in its comment, for `read_animation`. Equal pictures in a row become one that lasts
        longer.

        Raises:
            ValueError: unsupported file extension.
            RuntimeError: a .gif of Devanagari that this matplotlib cannot shape.
        """
        path = Path(path)
        if path.suffix.lower() not in (".gif", ".html"):
            raise ValueError(f"{path}: expected a file name that ends in .gif or .html")
        if path.suffix.lower() == ".gif":
            check_shaping("".join(frame for frame in self.frames if isinstance(frame, str)))
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as partial:
            if path.suffix.lower() == ".gif":
                self._write_gif(partial)
            else:
                partial.write_text(f"{_HEAD}\n{self.to_html()}\n</html>\n", encoding="utf-8", newline="\n")

    def _write_gif(self, path: Path) -> None:
        frames: list[Image.Image] = []
        captions: list[str] = []
        durations: list[int] = []
        for frame, caption in zip(self.frames, self.captions, strict=True):
            assert not isinstance(frame, str), "SVG is no GIF"
            if frames and frame.tobytes() == frames[-1].tobytes():
                durations[-1] += round(1000 * self.seconds)
            else:
                frames.append(frame)
                captions.append(caption)
                durations.append(round(1000 * self.seconds))
        comment = "\n".join(" ".join(caption.split()) for caption in captions).encode()
        options: dict[str, Any] = {"save_all": True, "append_images": frames[1:], "loop": 0, "comment": comment}
        frames[0].save(path, format="gif", duration=durations, **options)


def read_animation(path: Path | str) -> Animation:
    """Returns the animation of a .gif that `Animation.save` wrote, to be stepped through in a notebook.

    Raises:
        ValueError: the file is none that `save` wrote.
        OSError: it is not there, or no picture.
    """
    with Image.open(path) as picture:
        captions = picture.info.get("comment", b"").decode().splitlines()
        seconds = picture.info.get("duration", 0) / 1000
        frames = [frame.convert("RGB").quantize(128) for frame in ImageSequence.Iterator(picture)]
    if len(captions) != len(frames):
        raise ValueError(f"{path}: has {len(frames)} pictures and {len(captions)} captions; expected one for each")
    return Animation(frames, captions, seconds)


def take_frame(figure: Figure, dpi: int) -> Image.Image | str:
    """Returns what a figure shows now, for `Animation`: a picture, or SVG if matplotlib cannot shape its letters."""
    data = io.BytesIO()
    if can_shape("".join(text.get_text() for text in figure.findobj(Text))):
        figure.savefig(data, format="png", dpi=dpi)
        return Image.open(data).convert("RGB").quantize(128)  # a third of the bytes, and no visible difference
    figure.savefig(data, format="svg")
    return data.getvalue().decode("utf-8")


def animate_attention(steps: "DecodingSteps", units: int = 16, seconds: float = 1.5) -> Animation:
    """Shows how a translation is written: query, scores, weights, context, state and token of every step.

    Read a picture by its numbers; cells are orange below 0, dark above. The query (1) is compared with the value of
    every source position, which gives the scores (2). Their softmax is the weights (3). The mean of the values under
    these weights is the context (4). From it the decoder computes its state after the step (5) and writes a token
    (6). A Luong decoder computes its new state before attention, which is its query. With several heads, the
    weights of each head replace the scores, above their mean. Plain seq2seq has neither query nor scores.

    Args:
        steps: `DecodingSteps`, of `trace_steps`.
        units: int. How many numbers of each vector are drawn, from the first on.
        seconds: float. How long each step is shown.

    Returns:
        `Animation`, one picture per step.

    Raises:
        ValueError: the arrays do not fit the tokens, or no installed font has the glyphs of a token.
        RuntimeError: this matplotlib cannot shape Devanagari.
    """
    check_steps(steps)
    figure, show = _make_scene(steps, units)
    frames: list[Image.Image | str] = []
    captions = []
    for t, token in enumerate(steps.target_tokens):
        show(t)
        frames.append(take_frame(figure, 100))
        most = steps.source_tokens[int(np.argmax(steps.weights[t]))]
        captions.append(f"Step {t + 1} of {len(steps.target_tokens)}: looked most at {most}, wrote {token}")
    return Animation(frames, captions, seconds)


def _make_scene(steps: "DecodingSteps", units: int) -> tuple[Figure, Callable[[int], None]]:
    """Returns a figure and a function that makes it show step t."""
    sources, rows = len(steps.source_tokens), _numbers_of_positions(steps)
    numbered = [*([] if steps.plain else ["query"]), *rows, "context", "state", "word"]
    width = np.shape(steps.values)[1]
    titles = {"values": f"values ({min(units, width)} of {width} units)"}
    titles |= {name: f"{i} {name}" for i, name in enumerate(numbered, 1)}
    figure = Figure(figsize=(2.9 + 0.75 * sources, 3.1 + 1.1 * len(rows)))
    figure.set_layout_engine(ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.06))
    places: list[Any] = [[numbered[0] if numbered[0] == "query" else ".", "values", "context", "state"]]
    places += [[".", row, "word", "word"] for row in rows] + [["sentence"] * 4]
    ratios: dict[str, Any] = {
        "width_ratios": [1, 0.8 * sources, 1, 1],
        "height_ratios": [2.0, *[1.0] * len(rows), 0.35],
    }
    axes = figure.subplot_mosaic(places, **ratios)
    written = annotate(steps.target_tokens, True, True, "\n")
    style = {"color": DARK, **text_style("".join([*steps.source_tokens, *written]).replace("\n", ""))}
    vectors = {"query": steps.queries, "values": steps.values, "context": steps.contexts, "state": steps.states[1:]}
    vectors = {name: np.asarray(vectors[name])[:, :units] for name in vectors if name in axes}
    limit = max(float(np.abs(v).max()) for v in vectors.values()) or 1.0

    cells: dict[str, QuadMesh] = {}
    bars: dict[str, tuple[BarContainer, list[Text]]] = {}
    for name, ax in axes.items():
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
        if name in vectors:
            shown = vectors[name].T if name == "values" else vectors[name][:1].T
            colours: dict[str, Any] = {"cmap": _NUMBERS, "vmin": -limit, "vmax": limit, "edgecolors": "white"}
            cells[name] = ax.pcolormesh(shown[::-1], linewidth=0.5, **colours)
            ax.set_title(titles[name], fontsize=_LABEL_SIZE, **{**style, "color": _OWNERS[name]})
        elif name in rows:
            bars[name] = _draw_bars(ax, np.asarray(rows[name]), titles[name], style)
    axes["values"].set_xticks(np.arange(sources) + 0.5, steps.source_tokens, **style)
    axes["values"].tick_params(length=0)
    axes["word"].text(0.5, 1.0, titles["word"], ha="center", va="top", fontsize=_LABEL_SIZE, **style)
    word = axes["word"].text(
        0.5, 0.6, "", ha="center", va="center", fontsize=16, linespacing=0.75, **{**style, "color": DECODER}
    )
    sentence = axes["sentence"].text(0.0, 0.5, "", va="center", fontsize=12, **{**style, "color": PALE})

    def show(t: int) -> None:
        for name in {"query", "context", "state"} & set(cells):
            cells[name].set_array(vectors[name][t, ::-1, np.newaxis])
        for name, (rectangles, labels) in bars.items():
            for rectangle, label, number in zip(rectangles, labels, rows[name][t], strict=True):
                rectangle.set_height(number)
                label.set(text=f"{number:.2f}".replace("-", "−"), y=number, va="bottom" if number >= 0 else "top")
        word.set_text(written[t])
        sentence.set_text(" ".join(steps.target_tokens[: t + 1]))

    show(0)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # everything stays where it is from the first picture on
    return figure, show


def _numbers_of_positions(steps: "DecodingSteps") -> dict[str, np.ndarray]:
    """Returns a dict from a name to numbers `(T, S)`: what is drawn as bars, one row of bars per name."""
    if steps.scores is None:
        return {"weights": steps.weights}
    if np.ndim(steps.scores) == 3:
        return {f"head {n}": weights for n, weights in enumerate(steps.head_weights, 1)} | {"weights": steps.weights}
    return {"scores": steps.scores, "weights": steps.weights}


def _draw_bars(
    axes: Axes, numbers: np.ndarray, title: str, style: Mapping[str, Any]
) -> tuple[BarContainer, list[Text]]:
    """Makes room for the numbers of all steps; returns a bar and a label for each source position."""
    positions = range(numbers.shape[1])
    low, high = min(0.0, float(numbers.min())), max(0.0, float(numbers.max()))
    margin = 0.25 * (high - low)  # for the labels
    axes.set(xlim=(-0.5, len(positions) - 0.5), ylim=(low - margin * (low < 0), high + margin))
    axes.axhline(0, color=PALE, linewidth=0.8)
    axes.set_ylabel(title, fontsize=_LABEL_SIZE, **style)
    labels = [axes.text(j, 0, "", ha="center", fontsize=8, **style) for j in positions]
    return axes.bar(positions, [0] * len(positions), width=0.7, color=ATTENTION), labels
