"""What figures, widgets and pages have in common: a colour for each part of the network, and the least weight shown.

palette.css defines them. The colour-blind tell them apart, and they stand out on white and on nearly black.
"""

import itertools
import re
from collections.abc import Iterable
from importlib import resources


def read(*names: str) -> str:
    """Returns style sheets or scripts of the package, one after the other, such as `figures/palette.css`."""
    return "".join((resources.files("nmt_attention") / name).read_text(encoding="utf-8") for name in names)


STYLE = read("figures/palette.css")
_DEFINED = {
    name: "#" + "".join(f"{int(number):02x}" for number in numbers.split())
    for name, numbers in re.findall(r"--([a-z-]+): ([\d ]+);", STYLE)
}
ENCODER, DECODER, ATTENTION = (_DEFINED[name] for name in ("encoder", "decoder", "attention"))
PLAIN, GUIDED = _DEFINED["plain"], _DEFINED["guided"]  # seq2seq without attention, and attention taught by an aligner
GOLD = _DEFINED["gold"]  # links that are right
BELOW_ZERO = _DEFINED["below-zero"]
DARK, PALE = "#333333", "#767676"  # texts, and what matters less
PAPER = "#eeece7"  # below moving pictures, on light and dark pages
OTHERS = (ATTENTION, BELOW_ZERO, DARK, "#56b4e9")  # lines and bars of no such part
WEIGHTS = "Blues"  # colour map of weights, 0 to 1
LEAST_WEIGHT = 0.05  # a smaller one draws no line, and on the page, whose script is given this, names no word


def of_systems(names: Iterable[str]) -> list[str]:
    """Returns a colour for each line or point of a plot, by its name."""
    others = itertools.cycle(OTHERS)
    return [PLAIN if "plain" in name else GUIDED if "guided" in name else next(others) for name in names]
