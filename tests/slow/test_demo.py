"""What `make demo` shows where there is no network: ten sentences that the phrasebook leaves out, and a heatmap."""

import pytest

from nmt_attention.cli.main import main
from nmt_attention.translate import Translator
from tools.demo import DEMO, is_right, read_sentences


@pytest.fixture(scope="module")
def translator(tmp_path_factory):
    run = tmp_path_factory.mktemp("demo") / "run"
    main(["train", "--run", str(run), "--preset", "demo", "--corpus", "phrasebook"])
    return Translator.load(run)


def test_ten_lines_or_all_but_the_first_are_right_marathi_as_the_readme_says(translator):
    sentences = read_sentences(DEMO)
    found = [translation.text for translation in translator.translate([s.english for s in sentences])]
    wrong = [s.english for s, text in zip(sentences, found, strict=True) if not is_right(text, s)]
    assert set(wrong) <= {"Rahul is a good boy."}


def test_the_heatmap_looks_at_dad_the_camera_and_the_verb(translator):
    (dad,) = translator.translate(["Dad bought me a camera."], merge_subwords=True)
    rows = dict(zip(dad.target_tokens, dad.attention, strict=True))
    rows["विकत घेतला"] = rows.pop("विकत") + rows.pop("घेतला")  # the verb is of two words
    wanted = {"बाबांनी": "dad", "माझ्यासाठी": "me", "कॅमेरा": "camera", "विकत घेतला": "bought"}
    assert {target: dad.source_tokens[rows[target].argmax()] for target in wanted} == wanted
