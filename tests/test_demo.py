"""What `make demo` ends with where there is no network: ten sentences that the phrasebook leaves out, and a heatmap."""

from pathlib import Path

import pytest

from nmt_attention.cli.main import main
from nmt_attention.translate import Translator

pytestmark = pytest.mark.marathon  # one training of the quick preset, four minutes of a processor
DEMO = Path("data/demo.txt")
# What a reader of Marathi accepts, sentence by sentence.
RIGHT = {
    "Rahul is a good boy.": ["राहुल चांगला मुलगा आहे."],
    "Dad bought me a camera.": ["बाबांनी माझ्यासाठी कॅमेरा विकत घेतला."],
    "Where is my book?": ["माझं पुस्तक कुठे आहे?"],
    "I don't know his name.": ["मला त्याचं नाव माहीत नाही."],
    "She is reading a book.": ["ती पुस्तक वाचत आहे."],
    "We are going to school tomorrow.": ["आम्ही उद्या शाळेत जाणार आहोत.", "आम्ही उद्या शाळेत जात आहोत."],
    "What did you eat?": ["तुम्ही काय खाल्लंत?", "तुम्ही काय खाल्लं?", "तू काय खाल्लंस?"],
    "Tom can't swim.": ["टॉमला पोहता येत नाही.", "टॉम पोहू शकत नाही."],
    "The dog is under the table.": ["कुत्रा टेबलाखाली आहे."],
    "They live in Mumbai.": ["ते मुंबईत राहतात.", "त्या मुंबईत राहतात."],
}


@pytest.fixture(scope="module")
def translator(tmp_path_factory):
    run = tmp_path_factory.mktemp("demo") / "run"
    main(["train", "--run", str(run), "--preset", "quick", "--corpus", "phrasebook"])
    return Translator.load(run)


def test_all_ten_lines_are_right_marathi(translator):
    sentences = DEMO.read_text(encoding="utf-8").splitlines()
    assert sentences == list(RIGHT)
    found = {translation.source: translation.text for translation in translator.translate(sentences)}
    assert {source: text for source, text in found.items() if text not in RIGHT[source]} == {}


def test_the_heatmap_looks_at_dad_the_camera_and_the_verb(translator):
    (dad,) = translator.translate(["Dad bought me a camera."], merge_subwords=True)
    rows = dict(zip(dad.target_tokens, dad.attention, strict=True))
    rows["विकत घेतला"] = rows.pop("विकत") + rows.pop("घेतला")  # the verb is of two words
    wanted = {"बाबांनी": "dad", "माझ्यासाठी": "me", "कॅमेरा": "camera", "विकत घेतला": "bought"}
    assert {target: dad.source_tokens[rows[target].argmax()] for target in wanted} == wanted
