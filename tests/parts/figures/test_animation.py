import base64
import io
import re

import numpy as np
import pytest
from PIL import Image

from nmt_attention.figures import animation as animate
from nmt_attention.figures.animation import Animation, animate_attention, read_animation
from nmt_attention.figures.palette import DECODER
from nmt_attention.figures.trace import DecodingSteps

SOURCE, TARGET = ["read", "it", "."], ["ते", "वाचा", ".", "<end>"]


@pytest.fixture
def steps():
    random = np.random.default_rng(0)
    scores = random.normal(size=(4, 3))
    weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    values, states = random.uniform(-1, 1, (3, 6)), random.uniform(-1, 1, (5, 6))
    return DecodingSteps(SOURCE, TARGET, values, states, states[:-1], scores, weights, weights @ values, True)


def test_there_is_a_picture_a_step_and_each_differs(steps):
    animation = animate_attention(steps)
    assert len(animation.frames) == len(animation.captions) == len(TARGET)
    pixels = [np.asarray(frame.convert("RGB")) for frame in animation.frames]
    assert len({array.shape for array in pixels}) == 1
    assert len({array.tobytes() for array in pixels}) == len(TARGET)
    most = SOURCE[steps.weights[1].argmax()]
    assert animation.captions[1] == f"Step 2 of 4: looked most at {most}, wrote वाचा"
    assert repr(animation) == "<Animation of 4 pictures>"


@pytest.mark.parametrize("t", [0, 3])
def test_a_picture_shows_the_numbers_of_its_step(steps, t):
    figure, show = animate._make_scene(steps, units=4)
    before = [(axes.get_position().bounds, axes.get_ylim()) for axes in figure.axes]
    show(t)
    figure.draw_without_rendering()
    assert before == [(axes.get_position().bounds, axes.get_ylim()) for axes in figure.axes]  # nothing moves
    axes = {axes.get_title() or axes.get_ylabel(): axes for axes in figure.axes}
    for name, vector in (
        ("1 query", steps.queries[t]),
        ("4 context", steps.contexts[t]),
        ("5 state", steps.states[t + 1]),
    ):
        np.testing.assert_array_equal(axes[name].collections[0].get_array()[::-1, 0], vector[:4])
    np.testing.assert_array_equal(axes["values (4 of 6 units)"].collections[0].get_array()[::-1], steps.values[:, :4].T)
    for name, numbers in (("2 scores", steps.scores[t]), ("3 weights", steps.weights[t])):
        np.testing.assert_allclose([bar.get_height() for bar in axes[name].patches], numbers)
        assert [text.get_text() for text in axes[name].texts] == [f"{n:.2f}".replace("-", "−") for n in numbers]
    texts = [text.get_text() for a in figure.axes for text in a.texts]
    assert "6 word" in texts and " ".join(TARGET[: t + 1]) in texts
    (word,) = [text for a in figure.axes for text in a.texts if text.get_color() == DECODER]
    assert word.get_text() == {0: "ते\nte\n(they)", 3: "<end>"}[t]


def test_plain_seq2seq_asks_and_scores_nothing(steps):
    figure, _ = animate._make_scene(steps._replace(scores=None, plain=True), units=4)
    titles = {axes.get_title() or axes.get_ylabel() for axes in figure.axes} - {""}
    assert titles == {"values (4 of 6 units)", "1 weights", "2 context", "3 state"}


def test_several_heads_have_their_weights_above_the_mean(steps):
    # two heads: scores (0, 0, ln 2) give 1/4, 1/4, 1/2, and (0, 0, 0) thirds; their mean is 7/24, 7/24, 10/24
    scores = np.zeros((2, 4, 3))
    scores[0, :, 2] = np.log(2.0)
    steps = steps._replace(scores=scores, weights=np.tile([7 / 24, 7 / 24, 10 / 24], (4, 1)))
    figure, show = animate._make_scene(steps, units=4)
    show(1)
    shown = {axes.get_ylabel(): [bar.get_height() for bar in axes.patches] for axes in figure.axes if axes.patches}
    assert list(shown) == ["2 head 1", "3 head 2", "4 weights"]
    np.testing.assert_allclose(list(shown.values()), [[1 / 4, 1 / 4, 1 / 2], [1 / 3] * 3, [7 / 24, 7 / 24, 10 / 24]])


def test_the_player_holds_its_pictures_and_loads_nothing(steps, tmp_path, read_html):
    animation = animate_attention(steps)
    page = read_html(animation.to_html())
    images = [attributes for attributes, _ in page.all("img")]
    assert [image["alt"] for image in images] == animation.captions
    for image, frame in zip(images, animation.frames, strict=True):
        kind, data = image["src"].split(",")
        assert kind == "data:image/png;base64"
        shown = Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")
        np.testing.assert_array_equal(np.asarray(shown), np.asarray(frame.convert("RGB")))
    text = re.sub('data:image/png;base64,[^"]*', "", animation.to_html())
    assert not re.search(r"http|//|@import|url\(|href", text.replace("<!--", ""))
    (slider,) = [attributes for attributes, _ in page.all("input")]
    assert (slider["type"], slider["min"], slider["max"], slider["aria-label"]) == ("range", "1", "4", "step")
    assert animation._repr_html_() == animation.to_html()
    animation.save(tmp_path / "steps.html")
    assert animation.to_html() in (tmp_path / "steps.html").read_text(encoding="utf-8")


def test_where_matplotlib_cannot_shape_the_player_holds_text_and_there_is_no_gif(
    steps, tmp_path, older_matplotlib, read_html
):
    animation = animate_attention(steps)
    kind, data = read_html(animation.to_html()).all("img")[1][0]["src"].split(",")
    assert kind == "data:image/svg+xml;base64" and "वाचा" in base64.b64decode(data).decode()
    with pytest.raises(RuntimeError, match="cannot shape Devanagari"):
        animation.save(tmp_path / "steps.gif")
    assert not list(tmp_path.iterdir())


def test_tokens_in_captions_are_only_text(steps, read_html):
    animation = animate_attention(steps._replace(target_tokens=['"><script>', "&amp;", "'", "<end>"]))
    page = read_html(animation.to_html())
    assert [attributes["alt"] for attributes, _ in page.all("img")] == animation.captions
    assert '"><script>' in animation.captions[0] and len(page.all("script")) == 1


def test_what_does_not_fit_is_refused(steps, tmp_path):
    with pytest.raises(ValueError, match=r"steps\.contexts: expected shape \(4, 6\), got \(3, 6\)"):
        animate_attention(steps._replace(contexts=steps.contexts[1:]))
    with pytest.raises(ValueError, match=r"U\+10FFFF"):
        animate_attention(steps._replace(target_tokens=["\U0010ffff", *TARGET[1:]]))
    with pytest.raises(ValueError, match=r"steps\.mp4: expected a file name that ends in \.gif or \.html"):
        animate_attention(steps).save(tmp_path / "steps.mp4")
    assert not list(tmp_path.iterdir())


def test_a_gif_repeats_has_captions_and_shows_equal_pictures_in_a_row_once(steps, tmp_path):
    animation, path = animate_attention(steps, seconds=0.5), tmp_path / "new" / "steps.gif"
    frames, captions = ([each[i] for i in (0, 1, 1, 2)] for each in (animation.frames, animation.captions))
    Animation(frames, captions, 0.5).save(path)
    assert list(path.parent.iterdir()) == [path]
    again = read_animation(path)
    assert again.captions == animation.captions[:3] and again.seconds == 0.5
    for frame, shown in zip(again.frames, animation.frames[:3], strict=True):
        np.testing.assert_array_equal(np.asarray(frame.convert("RGB")), np.asarray(shown.convert("RGB")))
    with Image.open(path) as gif:
        assert (gif.n_frames, gif.info["duration"], gif.info["loop"]) == (3, 500, 0)
        gif.seek(1)
        assert gif.info["duration"] == 1000
    animation.frames[0].save(tmp_path / "other.gif")
    with pytest.raises(ValueError, match=r"other\.gif: has 1 pictures and 0 captions"):
        read_animation(tmp_path / "other.gif")
