"""What the lessons share: presets, their corpus, models trained once, figures that show everywhere."""

import base64
import shutil
import types
from random import Random

import matplotlib
import nbformat
import numpy as np
import portalocker
import pytest
import tensorflow as tf
from IPython.core.formatters import DisplayFormatter
from IPython.core.pylabtools import select_figure_formats
from matplotlib.figure import Figure
from nbconvert import HTMLExporter

import nmt_attention.runs.run
from nmt_attention import lesson
from nmt_attention.corpus import corpus_hash, split_pairs
from nmt_attention.disk.fetch import load_corpus
from nmt_attention.disk.files import read_json, write_json
from nmt_attention.disk.pairs import DATA_DIRECTORY, read_pairs
from nmt_attention.figures.fonts import text_style
from nmt_attention.lesson.by_hand import layers_by_hand
from nmt_attention.lesson.reversal import some_words
from nmt_attention.runs import bundle
from nmt_attention.runs.bundle import READY
from nmt_attention.runs.settings import make_settings
from nmt_attention.text import WordTokenizer
from nmt_attention.translate import Translator
from nmt_attention.vocabulary import SPECIAL_TOKENS


@pytest.fixture
def quick(monkeypatch, tmp_path):
    """Quick lessons, quicker still, with their runs in an empty directory."""
    monkeypatch.setenv("NMT_PRESET", "quick")
    monkeypatch.setattr(lesson, "RUNS", tmp_path)
    monkeypatch.setattr(lesson, "QUICK_PAIRS", 150)
    tiny = {"units": 8, "embedding_units": 8, "epochs": 1, "vocabulary_size": 300, "tokenizer": "word"}
    monkeypatch.setattr(lesson, "QUICK_SETTINGS", tiny)


def test_preset(monkeypatch):
    for value, expected in (("quick", "quick"), ("full", "full"), ("", "full")):
        monkeypatch.setenv("NMT_PRESET", value)
        assert lesson.preset() == expected
    monkeypatch.delenv("NMT_PRESET")
    assert lesson.preset() == "full"
    monkeypatch.setenv("NMT_PRESET", "fast")
    with pytest.raises(ValueError, match="NMT_PRESET: expected quick or full, got 'fast'"):
        lesson.preset()


def test_corpus_is_short_and_embedded_when_quick(monkeypatch, tmp_path):
    other = tmp_path / "other.tsv"
    other.write_text("Go.\tजा.\n", encoding="utf-8")
    monkeypatch.setenv("NMT_ATTENTION_CORPUS", str(other))
    monkeypatch.setenv("NMT_PRESET", "full")
    assert [tuple(pair) for pair in lesson.lesson_corpus()] == [("Go.", "जा.", "")]
    monkeypatch.setenv("NMT_PRESET", "quick")
    assert lesson.lesson_corpus() == load_corpus("phrasebook")[: lesson.QUICK_PAIRS]


def test_run_directories(monkeypatch):
    monkeypatch.setenv("NMT_PRESET", "full")
    assert lesson.run_directory("plain") == DATA_DIRECTORY.parent / "runs" / "plain"
    monkeypatch.setenv("NMT_PRESET", "quick")
    assert lesson.run_directory("plain") == DATA_DIRECTORY.parent / "runs" / "lessons-quick" / "plain"


def test_a_model_is_trained_once(quick, monkeypatch, capsys):
    first = lesson.trained("plain", attention="none")
    assert first.models[0].config.attention == "none"
    weights = lesson.run_directory("plain") / "weights.npz"
    written = weights.stat().st_mtime_ns
    again = lesson.trained("plain", attention="none")
    assert weights.stat().st_mtime_ns == written
    assert [t.text for t in again.translate(["I am ill."])] == [t.text for t in first.translate(["I am ill."])]
    with pytest.raises(ValueError, match="attention is none, asked for dot"):
        lesson.trained("plain", attention="dot")


def test_the_ready_model_needs_no_training_and_warns_of_another_corpus(quick, capsys):
    translator, run = lesson.trained("ready"), lesson.run_directory("ready")
    assert (run / "weights.npz").read_bytes() == (READY / "weights.npz").read_bytes()
    assert [found.text for found in translator.translate(["Go."])] == [
        found.text for found in Translator.load().translate(["Go."])
    ]
    split = split_pairs(lesson.lesson_corpus())
    found = [[pair[:2] for pair in read_pairs(run / f"{part}.tsv")] for part in ("train", "dev", "test")]
    assert found == [[pair[:2] for pair in pairs] for pairs in split]
    card = read_json(READY / "scores.json")
    assert read_json(run / "scores.json") == {"test": card["eight_bits"]}
    assert "another copy of the corpus" in capsys.readouterr().err


def test_the_ready_model_does_not_warn_of_its_own_corpus(quick, monkeypatch, tmp_path, capsys):
    split = split_pairs(lesson.lesson_corpus())
    hashes = {f"{part}.tsv": corpus_hash(pairs) for part, pairs in split._asdict().items()}
    hashes["train.tsv"] = "with extra pairs"
    package = shutil.copytree(READY, tmp_path / "package")
    write_json(package / "scores.json", {"eight_bits": {}, "training": {"split_sha256": hashes}})
    monkeypatch.setattr(bundle, "READY", package)
    lesson.trained("ready")
    assert capsys.readouterr().err == ""


def test_the_ready_model_takes_no_settings_and_leaves_a_run_of_this_name_alone(quick):
    with pytest.raises(ValueError, match="attention: no effect on the model that comes with the package"):
        lesson.trained("ready", attention="dot")
    own = lesson.run_directory("ready") / "run.json"
    own.parent.mkdir(parents=True)
    own.write_text("{}", encoding="utf-8")
    with pytest.raises(ValueError, match="holds a run of your own"):
        lesson.trained("ready")
    assert [path.name for path in own.parent.iterdir()] == ["run.json"]


def test_a_model_is_trained_by_one_lesson_at_a_time(quick, monkeypatch):
    def run_training(directory, pairs, settings):
        lock = portalocker.Lock(directory.with_name("plain.lock"), timeout=0)
        with pytest.raises(portalocker.LockException):
            lock.acquire()
        raise KeyboardInterrupt  # as when the learner stops the cell

    monkeypatch.setattr(nmt_attention.runs.run, "run_training", run_training)
    with pytest.raises(KeyboardInterrupt):
        lesson.trained("plain")
    with portalocker.Lock(lesson.run_directory("plain.lock"), timeout=0):
        pass  # free again


def test_settings_are_those_of_a_preset_without_guidance(quick, monkeypatch):
    asked = []

    def run_training(directory, pairs, settings):
        asked.append(settings)
        raise KeyboardInterrupt

    monkeypatch.setattr(nmt_attention.runs.run, "run_training", run_training)
    for base in ("quick", "transformer"):
        with pytest.raises(KeyboardInterrupt):
            lesson.trained(base, base)
        changes = lesson.UNGUIDED | lesson.QUICK_SETTINGS | {"learning_rate": lesson.QUICK_RATES[base]}
        expected = make_settings(base, changes, 150)
        assert asked.pop() == expected and expected["guidance"] == 0.0
    assert expected["architecture"] == "transformer"


def test_figures_are_png_or_where_letters_need_a_browser_svg(monkeypatch):
    formats = []
    monkeypatch.setattr("matplotlib_inline.backend_inline.set_matplotlib_formats", formats.append)
    now = dict(matplotlib.rcParams)
    monkeypatch.setattr(matplotlib, "rcParams", now)
    lesson.set_up_figures()
    assert formats == ["retina"] and now["svg.fonttype"] == "path"
    del now["text.language"]  # matplotlib before 3.11
    with pytest.raises(RuntimeError, match="cannot shape"):
        text_style("कॅमेरा")
    lesson.set_up_figures()
    assert formats == ["retina", "svg"]
    assert text_style("कॅमेरा") == {"family": ["Mukta", "sans-serif"], "parse_math": False}


def test_pictures_are_retina_unless_svg_is_asked_for(monkeypatch):
    formats = []
    monkeypatch.setattr("matplotlib_inline.backend_inline.set_matplotlib_formats", formats.append)
    monkeypatch.setattr(matplotlib, "rcParams", dict(matplotlib.rcParams))
    for value in ("", "svg"):
        monkeypatch.setenv("NMT_FIGURES", value)
        lesson.set_up_figures()
    assert formats == ["retina", "svg"]
    assert matplotlib.rcParams["svg.fonttype"] == "path"  # letters as curves


@pytest.fixture
def shown(monkeypatch):
    """Returns what a notebook stores of a figure in a format, as (data, metadata)."""

    def show(figure, kind):
        shell = types.SimpleNamespace(display_formatter=DisplayFormatter())
        select_figure_formats(shell, kind)
        monkeypatch.setattr("IPython.get_ipython", lambda: shell)
        lesson._describe_figures()
        return shell.display_formatter.format(figure)

    return show


def drawn(label=""):
    figure = Figure(figsize=(2, 1))
    figure.add_subplot().plot([1, 2])
    figure.set_label(label)
    return figure


def test_a_label_becomes_the_alternative_text_beside_the_size(shown):
    data, metadata = shown(drawn('a line, "rising"'), "retina")
    assert base64.b64decode(data["image/png"]).startswith(b"\x89PNG")
    about = metadata["image/png"]
    assert about["alt"] == 'a line, "rising"' and about["width"] > about["height"] > 0
    output = nbformat.v4.new_output("display_data", data, metadata=metadata)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("f", outputs=[output])])
    page, _ = HTMLExporter(template_name="classic").from_notebook_node(notebook)
    assert 'alt="a line, &quot;rising&quot;"' in page or "alt='a line, \"rising\"'" in page
    data, metadata = shown(drawn("a line"), "svg")
    assert "<svg" in data["image/svg+xml"] and metadata == {"image/svg+xml": {"alt": "a line"}}


def test_a_figure_without_a_label_has_no_alternative_text_and_an_empty_one_no_picture(shown):
    data, metadata = shown(drawn(), "retina")
    assert set(metadata["image/png"]) == {"width", "height"}
    data, metadata = shown(drawn(), "svg")
    assert "<svg" in data["image/svg+xml"] and not metadata
    empty = Figure()
    empty.set_label("nothing")
    data, metadata = shown(empty, "retina")
    assert "image/png" not in data and not metadata


def test_an_empty_heatmap_has_all_words_and_no_weight():
    figure = lesson.plot_empty_heatmap(["where", "is", "it"], ["ते", "<end>"], ["dot", "concat"])
    assert all(image.colorbar is None for axes in figure.axes for image in axes.images)
    assert [axes.get_title() for axes in figure.axes] == ["dot", "concat"]  # and no bar of colours
    assert figure.get_label() == "Empty tables dot, concat: columns where, is, it; rows ते, <end>."
    for axes in figure.axes:
        assert [label.get_text() for label in axes.get_xticklabels()] == ["where", "is", "it"]
        assert [label.get_text() for label in axes.get_yticklabels()] == ["ते", "<end>"]
        assert axes.images[0].get_array().shape == (2, 3) and not axes.images[0].get_array().any()


def test_a_batch_is_drawn_cell_by_cell():
    tokenizer = WordTokenizer([*SPECIAL_TOKENS, "जा", "."])
    figure = lesson.plot_batch(np.array([[1, 4, 5], [1, 5, 0]]), tokenizer)
    (axes,) = figure.axes
    rows = "<start> 1 जा 4 . 5; <start> 1 . 5 <pad> 0"
    assert figure.get_label() == f"Table of tokens and their ids, 2 by 3: {rows}."
    assert [text.get_text() for text in axes.texts[::2]] == ["<start>", "जा", ".", "<start>", ".", "<pad>"]
    assert [text.get_text() for text in axes.texts[1::2]] == list("145150")
    start, word, _, _, _, padding = (patch.get_facecolor() for patch in axes.patches)
    assert len({start, word, padding}) == 3


def test_jumbled_words_are_no_real_ones_and_the_same_twice():
    random, real = Random(1), {"a", "on", "cat", "act"}
    for _ in range(50):
        words = some_words("a cat on a cat", 5, real, random).split(" ")
        assert 1 <= len(words) <= 5 and not real & set(words)
        assert len(words) < 5 or words[:2] == words[3:]


def test_layers_by_hand_have_the_weights_that_they_are_given():
    W, U, v, places = np.eye(3)[[1, 0, 2]], 0.1 * np.eye(3), np.array([4.0, 0, 4]), np.arange(6.0).reshape(3, 2)
    q, h = np.array([10.0, 5, 10]), np.array([[5.0, 0, 1], [0, 5, 1]])
    wanted = {"dot": h @ q, "general": h @ W.T @ q / 3**0.5, "location": q @ places}
    wanted |= dict.fromkeys(("additive", "concat"), np.tanh(U @ q + h @ U) @ v)
    layers = layers_by_hand(W, U, v, places)
    query, values = (tf.constant(one, tf.float32) for one in (q[np.newaxis, np.newaxis], h[np.newaxis]))
    for name, scores in wanted.items():
        memory = layers[name].memory(values, tf.ones((1, 2), tf.bool), None)
        assert np.allclose(layers[name].score(query, memory)[0, 0, :2], scores, atol=1e-4), name


def test_a_moving_picture_can_be_stepped_through_without_its_complete_picture_first():
    moving = lesson.step_through("07-beam")
    assert moving.captions[0] == "A number is the probability of all words up to it"
    assert moving.captions[-1] == "The most probable sentence: ती वाचते, 0.324" and len(moving.frames) == 8
    with pytest.raises(FileNotFoundError):
        lesson.step_through("no-such-picture")
