"""One heatmap after another: attention as it changes from epoch to epoch, or from model to model."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .animation import Animation, take_frame
from .describe import looked_most
from .heatmap import plot_attention
from .html import attention_table

if TYPE_CHECKING:
    from ..alignment.scores import GoldAlignment
    from ..translate import Translation

_DPI = 120


def animate_attentions(
    translations: "Mapping[str, Translation]",
    show_end: bool = False,
    gold: "GoldAlignment | None" = None,
    romanize: bool = False,
    glosses: bool = False,
    seconds: float = 1.0,
) -> Animation:
    """Shows heatmaps of the same tokens one after another; `plot_attentions` draws them side by side.

    Args:
        translations: dict from a heatmap's title, such as "epoch 3", to its `Translation`.
        show_end, gold, romanize, glosses: as in `plot_attention`, the same for all.
        seconds: float. How long each heatmap is shown.

    Returns:
        `Animation`, one picture per heatmap.

    Raises:
        ValueError: there is nothing to draw, or the heatmaps differ in their tokens; and as `plot_attention`.
        RuntimeError: as `plot_attention`.
    """
    if not isinstance(translations, Mapping):
        raise TypeError(f"translations: expected a dict, {{title: translation}}, got {type(translations).__name__}")
    if not translations:
        raise ValueError("translations: expected at least one")
    tables = {title: attention_table(translation, show_end) for title, translation in translations.items()}
    tokens = next(iter(tables.values()))[:2]
    for title, table in tables.items():
        if table[:2] != tokens:
            raise ValueError(f"translations: {title!r} has other tokens than the first; `attend` keeps them the same")
    frames, captions = [], []
    for title, translation in translations.items():
        figure = plot_attention(translation, show_end, title, gold, romanize, glosses)
        frames.append(take_frame(figure, _DPI))
        captions.append(f"{title}: {looked_most(*tables[title])}")
    return Animation(frames, captions, seconds)
