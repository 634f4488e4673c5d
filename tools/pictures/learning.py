"""Lesson 9b: the heatmap of one sentence before training and after every epoch, by the lesson's own cells."""

from nmt_attention.figures.animation import Animation
from nmt_attention.figures.film import animate_attentions

from .lesson_cells import run_cells
from .scene import SECONDS, complete_at_both_ends

CELLS = ("crossings-again", "cell-23", "cell-24")


def draw() -> Animation:
    """Trains the lesson's small model, a minute, and draws what it looks at after each epoch."""
    names = run_cells("09b", CELLS)
    films = {f"after epoch {epoch}" if epoch else "before training": shown for epoch, shown in enumerate(names["film"])}
    return complete_at_both_ends(
        animate_attentions(films, gold=names["film_gold"], romanize=True, glosses=True, seconds=SECONDS)
    )
