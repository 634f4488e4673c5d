"""What learners touch in the lessons: the same numbers as in Python, and harmless on any page."""

import json
import re

import numpy as np
import py_mini_racer
import pytest
import tensorflow as tf

from nmt_attention import attention_widget, beam_widget, bugs_widget, predict_widget, push_widget, step_player
from nmt_attention.figures.trace import BeamNode
from nmt_attention.lesson.widgets import steps as steps_module
from nmt_attention.lesson.widgets.widget import make_widget, softmax
from nmt_attention.translate import Translation
from tools.teaching import course

QUERY = [10.0, 5.0, 10.0]
VALUES = [[0.0, 1.0, 1.0], [5.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 5.0, 1.0]]
REVERSED = Translation("the cat", "eht▁tac", list("the▁cat"), list("eht▁tac"), np.eye(7)[[2, 1, 0, 3, 6, 5, 4]], 0.0)
SOURCE = ["vijay", "is", "opening", "a", "cupboard", "<pad>", "<pad>"]
TARGET = ["विजय vijay", "कपाट kapāṭ", "उघडत ughḍat", "आहे āhe", "<end>"]
SCORES = [
    [3, 1, 0, 0, 1, 1, 1],
    [0, 0, 1, 2, 3, 1, 1],
    [0, 1, 3, 0, 1, 1, 1],
    [0, 3, 1, 0, 0, 1, 1],
    [1, 1, 1, 1, 2, 1, 1],
]
VECTORS = [[2, 0], [0, 2], [2, 2], [1, 1], [4, 0], [-2, -2], [-2, -2]]
HOSTILE = ["<script>alert(1)</script>", '"', "'", "&amp;", "</table>", '" onclick="x']
NODES = [
    BeamNode(None, 0, "मुलगी", -0.51, -0.51, True, False),
    BeamNode(None, 0, "ती", -0.92, -0.92, True, True),
    BeamNode(None, 0, "गाते", -np.inf, -np.inf, False, False),
    BeamNode(0, 1, "गाते", -1.05, -1.56, False, False),
    BeamNode(1, 1, "वाचते", -0.105, -1.025, True, True),
    BeamNode(0, 1, "वाचते", -0.92, -1.43, True, False),
]


def script(piece, read_html):
    ((_, text),) = read_html(piece.html).all("script")
    return text


@pytest.fixture
def function(read_html):
    """Returns a function of a widget's script, as its page calls it."""

    def find(piece, name):
        block = script(piece, read_html).strip()
        assert block.startswith("{") and block.endswith("}")
        context = py_mini_racer.MiniRacer()
        context.eval("const document = {querySelectorAll: () => []}; let found")
        context.eval(f"{block[:-1]}found = {name}}}")
        return lambda *arguments: json.loads(context.eval(f"JSON.stringify(found(...{json.dumps(arguments)}))"))

    return find


@pytest.mark.parametrize("seed", range(3))
def test_the_browser_computes_the_same_scores_weights_and_context(function, seed):
    attend = function(attention_widget(QUERY, VALUES, "abcd"), "attend")
    rng = np.random.default_rng(seed)
    q, h = rng.integers(-20, 21, 3) / 2, rng.integers(-20, 21, (4, 3)) / 2
    q, h = (np.array(QUERY), np.array(VALUES)) if seed == 0 else (q, h)
    q = q / 20 if seed == 1 else q  # soft weights
    found = attend(q.tolist(), h.tolist())
    weights = softmax(h @ q)
    for name, wanted in (("scores", h @ q), ("weights", weights), ("context", weights @ h)):
        assert np.allclose(found[name], wanted, rtol=0, atol=1e-9)


def test_a_push_is_the_gradient_of_the_tape_turned_around(function):
    scores, g = tf.Variable([0.3, -1.0, 2.0, 0.0], dtype=tf.float64), [1.0, -2.0, 0.5]
    with tf.GradientTape() as tape:
        loss = tf.tensordot(tf.linalg.matvec(np.array(VALUES).T, tf.nn.softmax(scores)), np.array(g), 1)
    found = function(push_widget(VALUES, "abcd"), "push")(scores.numpy().tolist(), VALUES, g)
    assert np.allclose(found["pushes"], -tape.gradient(loss, scores), rtol=0, atol=1e-9)


TWO = Translation("a b", "ब", ["a", "b"], ["ब", "<end>"], np.array([[0.25, 0.75], [0.5, 0.5]]), 0.0)


@pytest.mark.parametrize(
    ("widget", "name", "texts"),
    [
        (attention_widget(QUERY, VALUES, "abcd"), "score", ["15", "60", "15", "35"]),
        (attention_widget(QUERY, VALUES, "abcd"), "weight", ["2.9e−20", "1.000", "2.9e−20", "1.4e−11"]),
        (attention_widget(QUERY, VALUES, "abcd"), "context", ["5", "0", "1"]),
        (predict_widget(TWO), "weight", ["0.25", "0.75"]),  # without the end marker
        (bugs_widget(SCORES, VECTORS, SOURCE, TARGET), "sum", ["1.00"] * 5),
        (push_widget([[1, 0], [0, 1]], ["a", "b"]), "push", ["0.250", "−0.250"]),
    ],
)
def test_the_table_without_a_script_has_its_numbers(widget, name, texts, read_html):
    assert [text for a, text in read_html(widget.html).all("td") if a.get("class") == name] == texts


def test_the_tree_says_what_was_kept_what_was_dropped_and_what_won(read_html):
    page = read_html(beam_widget(NODES).html)
    nodes = [(a["class"].split()[1], a["data-parent"]) for a, _ in page.all("div") if "data-parent" in a]
    assert nodes == [("kept", ""), ("best", ""), ("kept", "0"), ("dropped", "0"), ("best", "1")]  # best first
    spans = page.all("span")
    assert [t for a, t in spans if a["class"] == "fate"] == ["✓ kept", "★ best", "✓ kept", "✕ dropped", "★ best"]
    assert [t for a, t in spans if a["class"] == "numbers"][3:] == ["−1.05, sum −1.56", "−0.10, sum −1.02"]
    before = [t.strip() for a, t in spans if a["class"] == "before"]  # for readers without lines
    assert before == ["मुलगी", "मुलगी", "ती"]
    assert all(a["lang"] == "mr" for a, _ in page.all("b"))


def small(page):
    return [(attributes["lang"], text) for attributes, text in page.all("small")]


def test_a_tree_has_latin_letters_and_of_whole_words_an_english_word(read_html):
    first, second = BeamNode(None, 0, "पुस्तक", -0.5, -0.5, True, True), BeamNode(0, 1, ".", -0.1, -0.6, True, True)
    assert small(read_html(beam_widget([first, second]).html)) == [("mr-Latn", "pustak"), ("en", "(book)")]
    pieces = [first._replace(token="▁पुस्तक"), second._replace(token="ांनी")]  # a sign of the letter before it
    assert small(read_html(beam_widget(pieces).html)) == [("mr-Latn", "pustak")]


def test_a_row_is_right_if_its_greatest_weight_is_framed(function):
    judge = function(predict_widget(REVERSED), "judge")
    weights = [[0.1, 0.7, 0.2], [0.5, 0.5, 0.0], [0.6, 0.3, 0.1]]
    assert judge(weights, [1, 0, 0]) == [True, True, True]
    assert judge(weights, [2, 1, None]) == [False, True, None]  # of two that are equal, either
    assert judge(REVERSED.attention.tolist(), REVERSED.attention.argmax(axis=1).tolist()) == [True] * 7


BUGS = {"unmasked": False, "wrongAxis": False, "late": False, "tidied": False}


@pytest.mark.parametrize("bugs", [[], ["unmasked"], ["wrongAxis"], ["unmasked", "wrongAxis"], ["late"]], ids=str)
def test_the_browser_computes_what_a_program_with_the_bug_computes_and_says_what_changes(function, bugs):
    block = bugs_widget(SCORES, VECTORS, SOURCE, TARGET)
    attend, describe, labels = (function(block, name) for name in ("attend", "describe", "labels"))
    real, switches = [token != "<pad>" for token in SOURCE], BUGS | dict.fromkeys(bugs, True)
    right, found = (attend(SCORES, VECTORS, real, each) for each in (BUGS, switches))
    said = describe(TARGET, real, switches, found, right)
    assert ("Padding gets 0.14 to 0.23 of the weight" in said) == (bugs == ["unmasked"])
    assert ("Columns sum to 1, and rows to 1.12 to 1.72" in said) == ("wrongAxis" in bugs)
    masked = SCORES if "unmasked" in bugs else np.where(real, SCORES, -1e9)
    weights = tf.nn.softmax(np.asarray(masked, np.float64), axis=0 if "wrongAxis" in bugs else 1).numpy()
    assert np.allclose(found["weights"], weights, rtol=0, atol=1e-9)
    assert np.allclose(found["contexts"], weights @ VECTORS, rtol=0, atol=1e-9)
    assert labels(TARGET, switches) == (["<start>", *TARGET[:-1]] if "late" in bugs else TARGET)


NUMBERS = {  # of `step_numbers`
    "sources": ["go", "."],
    "keys": [[0.5, -0.5], [1.0, 0.0]],
    "units": 2,
    "size": 4000,
    "attention": "dot",
    "decoder": "luong",
    "steps": [
        {
            "before": " ".join(["जा"] * t),
            "query": [1.0, 0.0],
            "scores": [0.5, 1.0],
            "weights": [0.3775, 0.6225],
            "context": [0.81, -0.19],
            "words": [{"text": "x", "share": 0.5, "written": False}, {"text": word, "share": 0.25, "written": True}],
        }
        for t, word in enumerate(["जा", "<end>"])
    ],
}


@pytest.fixture
def player(monkeypatch):
    """Returns the step player of given numbers."""

    def make(**numbers):
        monkeypatch.setattr(steps_module, "step_numbers", lambda translator, sentence: NUMBERS | numbers)
        return step_player(None, "Go.")

    return make


def test_the_step_player_without_a_script_is_a_heatmap_with_probabilities(player, read_html):
    page = read_html(player().html)
    cells = [(a.get("class"), text) for a, text in page.all("td") if a.get("class")]
    assert cells == [("weight", "0.38"), ("weight", "0.62"), ("share", "25%")] * 2
    assert [json.loads(a["data-numbers"]) for a, _ in page.all("table")] == [NUMBERS]


def test_the_step_player_has_latin_letters_and_english_words_in_small_type(player, read_html):
    step = NUMBERS["steps"][0]
    read = {"text": "पुस्तक", "share": 1.0, "written": True, "latin": "pustak", "gloss": "<book>"}
    page = read_html(player(steps=[{**step, "words": [read]}]).html)
    assert small(page) == [("mr-Latn", "pustak"), ("en", "(<book>)")]
    assert [(a["lang"], text) for a, text in page.all("th") if a["scope"] == "row"] == [("mr", "पुस्तक  ")]


def test_the_step_player_goes_through_five_stages_of_each_token(player, function):
    following, before = (function(player(), name) for name in ("nextStage", "stageBefore"))
    places = [{"t": t, "stage": stage} for t in range(3) for stage in range(5)]
    assert [following(place) for place in places[:-1]] == places[1:]
    assert [before(place) for place in places[1:]] == places[:-1]


def tree(words):
    return [BeamNode(i - 1 if i else None, i, word, -1.0, -1.0 - i, True, True) for i, word in enumerate(words)]


def step_of(word):
    return {**NUMBERS["steps"][0], "words": [{"text": word, "share": 1.0, "written": True}]}


WIDGETS = {  # of any six words
    "attention": lambda player, words: attention_widget(QUERY, [VALUES[0]] * 6, words),
    "beam": lambda player, words: beam_widget(tree(words)),
    "predict": lambda player, words: predict_widget(Translation("", "", ["a"], words, np.ones((6, 1)), 0.0)),
    "bugs": lambda player, words: bugs_widget([[0.0]] * 6, [[1.0]], ["a"], words),
    "push": lambda player, words: push_widget([[1.0]] * 6, words),
    "steps": lambda player, words: player(steps=[step_of(word) for word in words]),
}


@pytest.mark.parametrize("name", WIDGETS)
def test_a_widget_loads_nothing_takes_any_text_for_text_and_fits_beside_another(name, player, read_html):
    widget = WIDGETS[name](player, HOSTILE)
    page = read_html(widget.html)
    texts = [text for tag in ("th", "b") for _, text in page.all(tag)]
    assert [text for text in texts if text in HOSTILE] == HOSTILE
    ((attributes, text),) = page.all("script")
    assert not attributes and "alert" not in text
    assert not {key for _, attributes, _ in page.found for key in attributes if key.startswith("on") or key == "id"}
    harmless = WIDGETS[name](player, list("abcdef")).html
    for word in ("http", "//cdn", "@import", "url(", "src=", "href=", "fetch(", "innerHTML +="):
        assert word not in harmless
    context = py_mini_racer.MiniRacer()
    context.eval("const document = {querySelectorAll: () => []}; const before = Object.keys(globalThis).length")
    for _ in range(2):  # names are the block's own, or the second would be refused
        context.eval(text)
    assert context.eval("Object.keys(globalThis).length === before && typeof attend === 'undefined'")
    assert ":not([data-ready])" in widget.html


def stored_widgets():
    found = []
    for path in course.lesson_paths():
        name = course.short_name(path)
        for cell in course.read(path).cells:
            pieces = [output.get("data", {}).get("text/html", "") for output in cell.get("outputs", [])]
            found += [pytest.param(piece, id=f"{name}-{cell.id}") for piece in pieces if 'class="nmt-widget' in piece]
    return found


@pytest.mark.parametrize("piece", stored_widgets())
def test_a_stored_widget_is_small_and_has_the_style_and_script_of_now(piece, read_html):
    assert len(piece.encode()) < 60_000
    page = read_html(piece)
    ((attributes, _), *_) = page.all("div")
    (name,) = re.findall(r"nmt-widget nmt-([\w-]+)", attributes["class"])
    now = read_html(make_widget(name, "", [], [], shared="steps" if name == "step-player" else "").html)
    for tag in ("style", "script"):
        assert page.all(tag) == now.all(tag)
