"""Lesson 2: the encoder reads word by word, one vector is handed over, the decoder writes word by word."""

from matplotlib.figure import Figure

from nmt_attention.figures.palette import DECODER, ENCODER, PALE, PLAIN

from .scene import Scene

NUMBERS = {"dog": 1.0, "bites": 2.0, "man": 3.0}  # of lesson 2, section 1
WRITTEN = {"कुत्रा": "dog", "माणसाला": "to-man", "चावतो": "bites", "<end>": ""}


def read(numbers: dict[str, float]) -> list[tuple[str, float, float]]:
    """Returns each word with the state before it and after it: the smallest network halves the state, then adds."""
    rows, state = [], 0.0
    for word, number in numbers.items():
        rows.append((word, state, state / 2 + number))
        state = state / 2 + number
    return rows


def title() -> Figure:
    """Returns the complete picture without states, and without what leads from the encoder to the decoder."""
    return draw(answers=False).figure


def draw(answers: bool = True) -> Scene:
    """Draws a step for each word read, one for what is handed over, one for each word written, and the end."""
    states = read(NUMBERS)
    headlines = [f"The encoder reads “{word}”: {a:g} / 2 + {NUMBERS[word]:g} = {b:g}" for word, a, b in states]
    headlines.append("One vector is handed over: the thought vector")
    headlines += [f"The decoder writes {word}" for word in WRITTEN]
    headlines.append("Nothing else connects encoder and decoder")
    scene = Scene(4.6, headlines if answers else ["What leads from the encoder to the decoder?"])
    for name, color, y in (("decoder", DECODER, 1.77), ("encoder", ENCODER, 3.57)):
        scene.text(0.2, y, name, color=color, rotation=90)

    handed, end = len(states), 0.6 + 1.45 * len(states)  # the step, and where the encoder's last box ends
    for i, (word, _, after) in enumerate(states):
        x = 0.6 + 1.45 * i
        scene.text(x + 0.5, 4.35, word)
        scene.box(x, 3.32, 1.0, 0.5, PALE, "white")
        scene.box(x, 3.32, 1.0, 0.5, ENCODER, step=i)
        scene.line((x + 0.5, 4.2), (x + 0.5, 3.84), step=i, color=ENCODER, head=True)
        if answers:
            scene.text(x + 0.5, 3.57, f"{after:g}", i, size=13)
        if i:
            scene.line((x - 0.45, 3.57), (x - 0.02, 3.57), step=i, color=ENCODER, head=True)
    left, top = end - 2.05, 2.45  # of the thought vector
    if answers:
        scene.line((end - 0.95, 3.32), (end - 0.95, top + 0.42), step=handed, color=PLAIN, width=2, head=True)
        scene.box(left, top, 1.6, 0.4, PLAIN, step=handed)
        scene.text(left + 0.8, top + 0.2, f"thought vector {states[-1][-1]:g}", handed)
    else:
        scene.text(2.4, 2.67, "?", size=40, color=PALE)

    scene.text(0.33, 0.85, "<start>", handed + 1, size=9, color=PALE)
    for i, (word, gloss) in enumerate(WRITTEN.items()):
        x, step = 0.6 + 1.1 * i, handed + 1 + i
        middle = x + 0.4
        scene.box(x, 1.52, 0.8, 0.5, PALE, "white")
        scene.box(x, 1.52, 0.8, 0.5, DECODER, step=step)
        scene.text(middle, 1.77, "state", step)
        if answers:
            corners = (left + 0.8, top), (left + 0.8, 2.24), (middle, 2.24), (middle, 2.05)
            scene.line(*corners, step=step, color=PLAIN, width=2, head=True)
        if i:
            scene.line((x - 0.3, 1.77), (x - 0.02, 1.77), step=step, color=DECODER, head=True)
        before = middle - 1.1 if i else 0.15
        scene.line((before + 0.2, 1.2 if i else 0.97), (x + 0.15, 1.5), step=step, color=PALE, width=1, head=True)
        scene.line((middle, 1.5), (middle, 1.18), step=step, color=DECODER, head=True)
        scene.word(middle, 0.78, word, gloss, step)
    return scene
