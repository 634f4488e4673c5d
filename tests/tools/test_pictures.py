"""The moving pictures: that they show what is so, and that every reader sees it."""

import numpy as np
import pytest
from PIL import Image

from nmt_attention.translate import Translation
from tools import course
from tools.pictures import __main__ as pictures
from tools.pictures import attention_step, beam, encoder_decoder, reordering, side_by_side, titles
from tools.pictures.lesson_cells import run_cells
from tools.pictures.scene import BLUE, DARK, Scene

STORED = sorted((course.NOTEBOOKS / "pictures").glob("*.gif"))
WRITTEN = ["ती", "पुस्तक", "वाचत", "आहे"]
WORDS = ["she", "is", "reading", "a", "book"]


@pytest.fixture
def translation():
    weights = np.array([[1, 0, 0, 0, 0], [0, 0, 0, 0.3, 0.7], [0, 0, 1, 0, 0], [0, 1, 0, 0, 0]])
    return Translation("She is reading a book", " ".join(WRITTEN), WORDS, WRITTEN, weights, 0.0)


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
def test_a_stored_picture_loops_on_white_and_is_complete_where_it_does_not_move(path):
    with Image.open(path) as picture:
        assert picture.info["loop"] == 0 and picture.n_frames > 5
        first = picture.convert("RGB")
        picture.seek(picture.n_frames - 1)
        assert picture.convert("RGB").tobytes() == first.tobytes()
        assert picture.info["duration"] > 5000, "time to read it"
    assert first.getpixel((0, 0)) == (255, 255, 255)


def test_stored_pictures_are_small():
    assert len(STORED) == 6 and sum(path.stat().st_size for path in STORED) < 700_000


def test_the_encoder_computes_what_lesson_2_works_out():
    assert encoder_decoder.read(encoder_decoder.NUMBERS) == [("dog", 0, 1), ("bites", 1, 2.5), ("man", 2.5, 4.25)]
    scene = encoder_decoder.draw()
    assert {"1", "dog"} <= shown(scene, 0) and not {"2.5", "कुत्रा"} & shown(scene, 0)
    assert "thought vector 4.25" in shown(scene, 3) - shown(scene, 2)
    assert {"कुत्रा", "माणसाला", "चावतो", "<end>"} <= shown(scene, 8)


def test_attention_is_that_of_the_package_on_the_vectors_of_lesson_3():
    names = run_cells("03")
    scores, weights, context = attention_step.attend(np.array([0, 0, 4, 3, 0, 0]), names["values"])
    assert scores.tolist() == [0, 0, 0, 4, 3] and weights.round(2).tolist() == pytest.approx([0.01] * 3 + [0.70, 0.26])
    _, _, _, by_hand, _, _ = names["step"]("राहुल", names["values"])
    assert context == pytest.approx(by_hand, abs=1e-6)
    scene = attention_step.draw()
    assert {"4", "3", "score"} <= shown(scene, 2) and "0.70" in shown(scene, 3) - shown(scene, 2)
    assert ".27" in shown(scene, 4) - shown(scene, 3) and "चांगला chāṅglā · good" in shown(scene, 6) - shown(scene, 5)


def test_side_by_side_has_a_line_from_the_vector_and_one_for_each_weight(translation):
    scene = side_by_side.draw(translation)
    lines = [sum(first == step for _, first, _ in scene.parts) for step in range(6)]
    # headline; each word and its letters twice, a line from the vector, and one for each weight
    assert lines[1:] == [1 + 4 + 1 + 1, 1 + 4 + 1 + 2, 7, 7, 1]


def test_lines_cross_where_the_order_changes(translation):
    scene = reordering.draw(translation)
    assert scene.headlines[-1] == "Where the order changes, lines cross: 3 pairs here"
    assert "पुस्तक" in shown(scene, 2) - shown(scene, 1)


def texts_from(scene, step, color):
    """Returns the texts of a colour that appear at a step."""
    texts = [part for part, first, _ in scene.parts if first == step and hasattr(part, "get_text")]
    return [part for part in texts if part.get_color() == color]


def test_the_beam_is_that_of_lesson_7_and_keeps_two_beginnings_until_one_wins():
    scene = beam.draw()
    assert {"मुलगी  0.600", "ती  0.400", "mulgī · the girl"} <= shown(scene, 1)
    second = {"वाचते  0.240", "गाते  0.210", "वाचते  0.360", "गाते  0.040"}
    assert second <= shown(scene, 3) and not second & shown(scene, 2)
    kept = {part.get_text() for part in texts_from(scene, 4, DARK)}
    assert {"वाचते  0.240", "वाचते  0.360"} == kept & second
    last = len(scene.headlines) - 1
    best = [part.get_text() for part in texts_from(scene, last, BLUE)]
    assert best == ["ती  0.400", "वाचते  0.360", "end  0.324"]
    assert scene.headlines[-1] == "The most probable sentence: ती वाचते, 0.324"


def test_a_cell_that_a_picture_needs_and_its_lesson_lacks_is_named():
    with pytest.raises(ValueError, match=r"07_decoding\.ipynb: has no cell no-such-cell"):
        run_cells("07", ["cell-05", "no-such-cell"])


class Wrong:
    """A model that always says the same."""

    def translate(self, sentences, merge_subwords):
        return [Translation(sentences[0], "ती वाचते.", ["she"], ["ती"], np.ones((1, 1)), 0.0)]


def test_a_wrong_translation_is_not_drawn():
    with pytest.raises(ValueError, match=r"She is reading a book\.: the model wrote ती वाचते\., which is no reference"):
        pictures.translate(side_by_side.SENTENCE, Wrong())


def texts(figure):
    return {text.get_text() for text in figure.axes[0].texts}


def test_title_pictures_ask_and_do_not_answer(monkeypatch, tmp_path):
    halves = {"02": titles.halves_of_lesson_2(), "04": titles.halves_of_lesson_4()}
    for figure in halves.values():
        assert {"?", "encoder", "decoder"} <= texts(figure) and not any("thought" in text for text in texts(figure))
    assert "कपाट" in texts(halves["02"]) and "पुस्तक" in texts(halves["04"])
    beam = titles.first_words_of_lesson_7()
    assert texts(beam) == {"<start>", "मुलगी  −0.51", "ती  −0.92"}
    assert len({line.get_color() for line in beam.axes[0].lines}) == 1, "neither has won"
    monkeypatch.setattr(course, "ROOT", tmp_path)
    monkeypatch.setattr(course, "NOTEBOOKS", tmp_path / "notebooks")
    (tmp_path / "notebooks" / "pictures").mkdir(parents=True)
    pictures.draw_titles()
    assert {path.stem for path in tmp_path.rglob("*.png")} == set(pictures.TITLES)
