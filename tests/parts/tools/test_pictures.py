"""The moving pictures: that they show what is so, and that every reader sees it."""

from unittest import mock

import numpy as np
import pytest
from PIL import Image

from nmt_attention.translate import Translation
from tools.pictures import __main__ as pictures
from tools.pictures import angles, attention_step, beam, decoder_step, encoder_decoder, reordering, side_by_side
from tools.pictures.scene import Scene
from tools.teaching import course

STORED = sorted((course.NOTEBOOKS / "pictures").glob("*.gif"))


def shown(scene, step):
    """Returns the texts of a step."""
    return {part.get_text() for part, first, end in scene.parts if hasattr(part, "get_text") and first <= step < end}


def test_a_part_appears_at_its_step_and_the_complete_picture_comes_first_and_last():
    scene = Scene(1.0, ["one", "two"])
    scene.word(1.0, 0.5, "ती", "she", step=1)
    assert shown(scene, 0) == {"one"} and shown(scene, 1) == {"two", "ती", "tī · she"}
    animation = scene.animation()
    assert animation.captions == ["two", "one", "two", "two", "two"]
    before, first, second, *after = [frame.tobytes() for frame in animation.frames]
    assert first != second and {before, *after} == {second}


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_a_stored_picture_is_small_loops_and_is_complete_where_it_does_not_move(path):
    assert path.stat().st_size < 250_000
    with Image.open(path) as picture:
        assert picture.info["loop"] == 0 and picture.n_frames > 5
        first = picture.convert("RGB").tobytes()
        picture.seek(picture.n_frames - 1)
        assert picture.convert("RGB").tobytes() == first and picture.info["duration"] > 5000, "time to read it"


def test_pictures_show_the_numbers_of_their_lessons():
    assert encoder_decoder.read(encoder_decoder.NUMBERS) == [("dog", 0, 1), ("bites", 1, 2.5), ("man", 2.5, 4.25)]
    assert "thought vector 4.25" in shown(encoder_decoder.draw(), 3)
    assert {"0.70", "0.26"} <= shown(attention_step.draw(), 3)
    assert {"चांगला chāṅglā (good)", "मुलगा mulgā (boy)"} <= shown(attention_step.draw(), 6)
    (axes,) = angles.draw().axes
    labels = {text.get_text() for text in axes.texts}
    assert {"$h_4$   63°, score 35", "$h_2$   38°, score 60", "$h_1, h_3$   45°, score 15", "2.33"} <= labels
    assert beam.draw().headlines[-1] == "The most probable sentence: ती वाचते, 0.324"


def test_lines_are_the_weights_and_cross_where_the_order_changes():
    weights = np.array([[1, 0, 0, 0, 0], [0, 0, 0, 0.3, 0.7], [0, 0, 1, 0, 0], [0, 1, 0, 0, 0]])
    words, written = ["she", "is", "reading", "a", "book"], ["ती", "पुस्तक", "वाचत", "आहे"]
    translation = Translation("She is reading a book", " ".join(written), words, written, weights, 0.0)
    scene = side_by_side.draw(translation)
    # headline; each word and its letters twice, a line from the vector, and one for each weight
    assert [sum(first == step for _, first, _ in scene.parts) for step in range(1, 6)] == [7, 8, 7, 7, 1]
    scene = reordering.draw(translation)
    assert scene.headlines[-1] == "Where the order changes, lines cross: 3 pairs here"


def test_a_step_of_the_decoder_has_three_numbers_and_a_line_for_each_weight():
    figure = decoder_step.draw(["dad", "eats", "."], np.array([0.2, 0.7, 0.1]), ("बाबा", "dad"), ("खातात", "eat"))
    (axes,) = figure.axes
    texts = [text.get_text() for text in axes.texts]
    assert {"1", "2", "3", "look", "step", "read out", "$s_{i-1}$", "$s_i$", "weights (B, S)", "khātāt · eat"} <= {
        *texts
    }
    assert {1.2, 4.2, 0.6} <= {round(patch.get_linewidth(), 6) for patch in axes.patches}
    assert min(text.get_fontsize() for text in axes.texts) / 72 * 640 / 5 >= 11, "pixels in the lesson"


def test_a_wrong_translation_is_not_drawn():
    wrong = mock.Mock(**{"translate.return_value": [mock.Mock(text="ती वाचते.")]})
    with pytest.raises(ValueError, match=r"She is reading a book\.: the model wrote ती वाचते\., which is no reference"):
        pictures.translate(side_by_side.SENTENCE, wrong)
