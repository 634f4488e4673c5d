"""A heatmap to predict: readers frame a cell in each row, then see the weights."""

from typing import TYPE_CHECKING

from .widget import Widget, make_widget

if TYPE_CHECKING:
    from ...translate import Translation


def predict_widget(translation: "Translation") -> Widget:
    """Shows attention only after readers have chosen, in each row, the cell that they expect to be the darkest.

    The choices stay as frames on the heatmap, and a count says in how many rows they are right. The row of the end
    marker is left out.

    Args:
        translation: `Translation`, of `Translator.attend`, or made by hand.

    Raises:
        ValueError: the translation is empty, or its attention does not fit its tokens.
    """
    from ...figures.labels import attention_table

    rows, columns, attention = attention_table(translation)
    body = []
    for word, weights in zip(rows, attention, strict=True):
        cells = "".join(f'<td class="weight" data-weight="{x:.4f}">{x:.2f}</td>' for x in weights)
        body.append((word, f'{cells}<td class="sign"></td>'))
    text, buttons = "Attention to predict: a row for each token written", ("Show the weights", "Start again")
    return make_widget("predict", text, columns, body, buttons=buttons)
