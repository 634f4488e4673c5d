"""The spoken scripts and the errata: their length, their links, and what they say of the model in the package."""

import re
from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

from nmt_attention import END_ID, START_ID, Translator
from nmt_attention.cli.main import make_parser
from nmt_attention.variants.transformer import sinusoids
from tools import course
from tools.javascript import Engine

ROOT = Path(__file__).parent.parent
SCRIPTS = (ROOT / "notebooks" / "SCRIPTS.md").read_text(encoding="utf-8")
*LESSONS, PAGE = SCRIPTS.split("\n## ")[1:]
DAD = "Dad bought me a camera."


@pytest.fixture(scope="module")
def translator():
    return Translator.load()


def test_each_lesson_has_ninety_seconds():
    numbers = [course.number(path) for path in course.lesson_paths()]
    assert [re.match(r"Lesson (\w+): ", script)[1] for script in LESSONS] == numbers
    for script in LESSONS:
        title, text = script.split("\n", 1)
        assert "**Show the title picture.**" in text
        said = re.sub(r"\*\*.*?\*\*", "", text).split()
        assert 180 <= len(said) <= 230, f"{title}: {len(said)} words, of which a teacher says 120 to 150 a minute"


def test_the_scripts_and_the_errata_lead_to_files_that_exist():
    for path in (ROOT / "notebooks" / "SCRIPTS.md", ROOT / "ERRATA.md"):
        for link in re.findall(r"\]\((?!https?:)([^)#]+)", path.read_text(encoding="utf-8")):
            assert (path.parent / link).is_file(), link


def test_what_lesson_10_s_script_says_of_the_stripes():
    notebook = (ROOT / "notebooks" / "10_the_transformer.ipynb").read_text(encoding="utf-8")
    assert "sinusoids(0, 50, 64)" in notebook and "Fifty rows, sixty-four columns" in LESSONS[-2]
    stripes = sinusoids(0, 50, 64).numpy()
    assert "it repeats after about six" in LESSONS[-2] and round(2 * np.pi) == 6
    np.testing.assert_allclose(stripes[:, 0], np.sin(np.arange(50)), atol=1e-5)  # so its period is 2π
    assert "**Move to the middle.** Here the sines end and the cosines begin." in LESSONS[-2]
    assert not stripes[0, :32].any() and (stripes[0, 32:] == 1).all()
    assert "the last ones hardly change" in LESSONS[-2] and (np.ptp(stripes[:, [31, 63]], axis=0) < 0.01).all()


def test_what_lesson_10b_s_script_says_of_the_boxes():
    names: dict = {}
    exec(next(c.source for c in course.read(course.lesson_paths()[-1]).cells if c.id == "count-steps"), names)
    recurrent, transformer = names["steps"].values()
    assert "reads from one to five" in LESSONS[-1] and recurrent[0].tolist() == [1, 2, 3, 4, 5]
    assert "writes from six to ten" in LESSONS[-1] and recurrent[1].tolist() == [6, 7, 8, 9, 10]
    assert "five boxes of a row have the same number" in LESSONS[-1] and (np.ptp(transformer, axis=1) == 0).all()
    assert "A hundred, and still six." in LESSONS[-1] and recurrent.max() == 2 * 5 and transformer.max() == 6


def test_commands_and_buttons_of_the_page_s_script_exist():
    commands = [*re.findall(r"python -m nmt_attention ([^\n`]+)", PAGE), "export --run runs/mine --page page.html"]
    assert len(commands) == 3
    for command in commands:
        make_parser().parse_args(command.split())
    web = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "nmt_attention/deploy/web").glob("*.[hj]*"))
    for name in (
        "Write it again",
        "Step",
        "Next token",
        "Show all",
        "uniform",
        "the model's own choice",
        "Beam",
        "Translate",
    ):
        assert f"*{name}*" in PAGE
        assert re.search(rf"> ?{name} ?<", web), name


def test_what_the_page_s_script_says_of_a_camera(translator):
    (found,) = translator.translate([DAD])
    tokens = [token.replace("▁", "") for token in found.target_tokens]
    assert tokens[0] == "बाबा" in PAGE
    source_ids = [translator.source_tokenizer.encode(DAD)]
    target_in = [[START_ID, *translator.target_tokenizer.encode(found.text)]]
    logits, _ = translator.teacher_force(np.array(source_ids, np.int32), np.array(target_in, np.int32))
    likely = 100 * float(tf.reduce_max(tf.nn.softmax(logits[0, 0])))
    assert "with 97.5 per cent" in PAGE and likely == pytest.approx(97.5, abs=0.2)
    assert "5.42 becomes 0.997" in PAGE and found.attention[0].max() == pytest.approx(0.997, abs=0.001)
    assert "*camera* with 0.922 and *a* with 0.065" in PAGE and tokens[3] == "कॅमेरा"
    assert found.attention[3][[4, 3]] == pytest.approx([0.922, 0.065], abs=0.003)
    _, second = np.argsort(-logits[0, 3])[:2]
    assert "The runner-up in the list is एक" in PAGE and translator.target_tokenizer.vocabulary[second] == "▁एक"
    verb = [t for t, token in enumerate(tokens) if token in ("विकत", "घेतला")]
    assert len(verb) == 2 and {found.source_tokens[found.attention[t].argmax()] for t in verb} == {"▁bought"}
    assert found.target_tokens[-1] == translator.target_tokenizer.vocabulary[END_ID]


def test_what_the_page_s_script_says_of_uniform_attention(translator):
    (found,) = Engine(translator).translate(DAD, attention="uniform")
    assert "Something is still bought, विकत घेतलं." in PAGE and found["text"].endswith("विकत घेतलं.")
    assert "twice it writes मही" in PAGE and found["text"].count("मही") == 2
    for gone in ("बाबा", "माझ्या", "कॅमेरा"):
        assert gone not in found["text"]


def test_what_the_page_s_script_says_of_a_book(translator):
    (best,) = translator.n_best(["Where is my book?"], beam_size=5)
    first = [translation.text.split()[0] for translation in best]
    assert f"{first[0]} and {first[1]}. Both mean *my*" in PAGE
    assert len({tuple(translation.text.split()[1:]) for translation in best[:2]}) == 1
