"""What the page says of a light that was moved: cause and effect, from what the model wrote."""

import json

import py_mini_racer
import pytest

from nmt_attention.deploy import browser
from nmt_attention.figures.palette import read

PLAIN = """
const made = () => ({setAttribute() {}, append(...parts) { this.textContent = parts.join(''); }});
globalThis.document = {createElement: made};
const look = (words, seen) => ({
  source: ['Dad', 'saw', 'it'].map((text) => ({text})), fresh: new Set(),
  target: [...words].map((text) => ({text, gloss: text.toLowerCase()})),
  weights: seen.map((at) => [0, 1, 2].map((s) => +(s === at))),
});
const before = look('ABC', [0, 2, 1]);
const told = (words, seen) => asText(tellHand(look(words, seen), before, 1));
"""


@pytest.fixture(scope="module")
def told():
    context = py_mini_racer.MiniRacer()
    context.eval("\n".join([read("figures/steps.js"), *map(browser._read, ("stage.js", "story.js")), PLAIN, "0"]))
    return lambda words, seen: json.loads(context.eval(f"JSON.stringify(told({words!r}, {seen}))"))


@pytest.mark.parametrize(
    ("words", "seen", "expected"),
    [  # the second of the words A, B and C looked at *it*, and is made to look at *Dad*
        ("AXBC", [0, 0, 2, 1], ", so it wrote X (x). Then it looked at it again."),
        ("AXC", [0, 0, 1], ", so it wrote X (x). No word looks mainly at it now."),
        ("ABC", [0, 0, 1], ", but it still wrote B (b). No word looks mainly at it now."),
        ("AB", [2, 0], ", but it still wrote B (b)."),
        ("AC", [2, 0], ", so it wrote C (c)."),
        ("A", [0], ", and it stopped."),
    ],
)
def test_a_moved_light_is_told_in_cause_and_effect(told, words, seen, expected):
    assert told(words, seen) == expected
