"""The player of pictures one after another: heatmaps, and the moving pictures of the lessons."""

import base64
import io
import re

import numpy as np
import pytest
from PIL import Image

from nmt_attention.figures.animation import animate_attentions, read_animation
from nmt_attention.lesson.figures import PICTURES, step_through
from nmt_attention.translate import Translation

WEIGHTS = np.array([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]])


@pytest.fixture
def films():
    shown = Translation("go home", "घरी जा", ["go", "home"], ["घरी", "जा", "<end>"], WEIGHTS, 0.0)
    return {"epoch 0": shown, "epoch 1": shown._replace(attention=WEIGHTS[::-1])}


def pixels(address):
    """Returns the picture of a `data:` address."""
    kind, data = address.split(",")
    assert kind == "data:image/png;base64"
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"))


def test_there_is_a_picture_for_each_heatmap_of_one_size_with_a_text_that_says_what_it_shows(films):
    animation = animate_attentions(films, seconds=0.5)
    first, second = map(pixels, animation.frames)
    assert first.shape == second.shape and not np.array_equal(first, second)
    assert animation.seconds == 0.5
    assert animation.captions == [
        "epoch 0: घरी looked most at go 0.90, जा at home 0.80",
        "epoch 1: घरी looked most at go 0.50, जा at home 0.80",
    ]
    assert animate_attentions(films, show_end=True).captions[1].endswith(", <end> at go 0.90")


def test_a_loss_curve_stands_beside_each_heatmap_with_its_own_dot(films):
    plain, curves = animate_attentions(films), animate_attentions(films, losses=[2.0, 0.5])
    assert [caption.rpartition("; ")[2] for caption in curves.captions] == ["loss 2.00", "loss 0.50"]
    (_, width, _), (_, wider, _) = pixels(plain.frames[0]).shape, pixels(curves.frames[0]).shape
    first, second = (pixels(frame)[:, width:] for frame in curves.frames)
    assert wider > width and not np.array_equal(first, second)


def test_the_player_holds_its_pictures_and_loads_nothing(films, read_html):
    films['"><script>'] = films.pop("epoch 1")  # in a caption it is only text
    animation = animate_attentions(films)
    page = read_html(animation._repr_html_())
    images = [attributes for attributes, _ in page.all("img")]
    assert [image["src"] for image in images] == animation.frames
    assert [image["alt"] for image in images] == animation.captions
    assert '"><script>' in animation.captions[1] and len(page.all("script")) == 1
    text = re.sub('data:image/png;base64,[^"]*', "", animation.to_html())
    assert not re.search(r"http|//|@import|url\(|href", text)
    (slider,) = [attributes for attributes, _ in page.all("input")]
    assert (slider["type"], slider["min"], slider["max"]) == ("range", "1", "2")


def test_where_matplotlib_cannot_shape_the_player_leaves_letters_to_the_browser(films, older_matplotlib):
    kind, data = animate_attentions(films).frames[1].split(",")
    assert kind == "data:image/svg+xml;base64" and "घरी" in base64.b64decode(data).decode()


@pytest.mark.parametrize("path", sorted(PICTURES.glob("*.gif")), ids=lambda path: path.stem)
def test_a_picture_of_the_lessons_loops_and_is_complete_where_it_does_not_move(path):
    moving, stepped = read_animation(path), step_through(path.stem)
    assert len(moving.frames) == len(moving.captions) > 5
    assert np.array_equal(pixels(moving.frames[0]), pixels(moving.frames[-1]))
    assert (stepped.frames, stepped.captions) == (moving.frames[1:], moving.captions[1:])  # the complete one comes last
    with Image.open(path) as picture:
        assert picture.info["loop"] == 0
        picture.seek(picture.n_frames - 1)
        assert picture.info["duration"] > 5000, "time to read it"


def test_a_learner_s_copy_without_a_repository_has_its_pictures_beside_the_lesson(monkeypatch, tmp_path):
    wanted = step_through("07-beam").captions
    monkeypatch.setattr("nmt_attention.lesson.figures.PICTURES", tmp_path)
    monkeypatch.chdir(PICTURES.parent)
    assert step_through("07-beam").captions == wanted


def test_a_picture_without_captions_is_refused(tmp_path):
    Image.new("RGB", (2, 2)).save(tmp_path / "other.gif")
    with pytest.raises(ValueError, match=r"other\.gif: has 1 pictures and 0 captions"):
        read_animation(tmp_path / "other.gif")
