"""A heatmap to predict: readers frame a cell in each row, then see the weights."""

from typing import TYPE_CHECKING

from .widget import Widget, escape, language, make_widget

if TYPE_CHECKING:
    from ...translate import Translation


def predict_widget(translation: "Translation") -> Widget:
    """Shows attention only after readers have chosen, in each row, the cell that they expect to be the darkest.

    The choices stay as frames on the heatmap, and a count says in how many rows they are right. The row of the end
    marker is left out.

    Args:
        translation: `Translation`, of `Translator.attend`, or made by hand.

    Returns:
        `Widget`.

    Raises:
        ValueError: the translation is empty, or its attention does not fit its tokens.
    """
    from ...figures.labels import attention_table

    rows, columns, attention = attention_table(translation)
    heads = "".join(f'<th scope="col"{language(column)}>{escape(column)}</th>' for column in columns)
    body = []
    for row, weights in zip(rows, attention, strict=True):
        cells = "".join(f'<td class="weight" data-weight="{x:.4f}">{x:.2f}</td>' for x in weights)
        body.append(f'<tr><th scope="row"{language(row)}>{escape(row)}</th>{cells}<td class="sign"></td></tr>')
    table = f"<table><thead><tr><td></td>{heads}<td></td></tr></thead><tbody>{''.join(body)}</tbody></table>"
    buttons = '<button type="button">Show the weights</button><button type="button">Start again</button>'
    controls = f'<p class="readout" role="status"></p>{buttons}'
    return make_widget("predict", table, controls, "Attention to predict: a row for each token written")
