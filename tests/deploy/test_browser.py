import base64
import functools
import hashlib
import re

import keras
import numpy as np
import py_mini_racer
import pytest

from nmt_attention.bundle import is_matrix, quantize, save_bundle
from nmt_attention.cli.main import main
from nmt_attention.config import ModelConfig
from nmt_attention.deploy import browser
from nmt_attention.deploy.browser import export_page, page_html, page_model
from nmt_attention.model import Seq2Seq
from nmt_attention.text import CharacterTokenizer, SubwordTokenizer, WordTokenizer
from nmt_attention.translate import Translator
from tools.javascript import Engine, differs

ENGLISH = ["The boy goes to school.", "The girl reads a book.", "Where is the school?", "I read books."]
MARATHI = ["मुलगा शाळेत जातो.", "मुलगी पुस्तक वाचते.", "शाळा कुठे आहे?", '"मी" पुस्तकं वाचतो.']
SENTENCES = [
    *(
        *ENGLISH,
        "the school",
        "",
        " \t\u200b",
        "cafe\u0301 ’tis",
        "It’s 1,000.50 … at 2:30—no!",
        "STRASSE Straße ﬁne İ ΣΑΣ",
    ),
    *(
        "😀🎉 漢字",
        "\x00 school \x1b",
        "<end> <unk> ▁",
        "मी शाळेत जातो",
        "\ue000 goes \uf8ff\U000f0000 to \ue001.",
        "school " * 40,
    ),
]
MODELS = {  # every part that the page has; some matrices are square, so that rows are not taken for columns
    "conditional": (SubwordTokenizer, {"decoder": "conditional", "attention": "general"}),
    "scaled-dot": (WordTokenizer, {"decoder": "conditional", "attention": "scaled-dot", "cell": "lstm"}),
    "bahdanau": (SubwordTokenizer, {"encoder_layers": 2, "decoder_layers": 2, "cell": "lstm"}),
    "luong": (WordTokenizer, {"decoder": "luong", "attention": "none", "bidirectional": False, "encoder_layers": 2}),
    "concat": (WordTokenizer, {"decoder": "luong", "attention": "concat"}),
    "input-feeding": (CharacterTokenizer, {"decoder": "luong-input-feeding", "attention": "dot", "decoder_layers": 2}),
}


def untrained(tokenizer, settings):
    """A model whose distributions are nearly flat, with its tokenisers: the hardest case for equal answers."""
    keras.utils.set_random_seed(0)
    source, target = tokenizer.learn(ENGLISH, 60, fold_case=True), tokenizer.learn(MARATHI, 60)
    model = Seq2Seq(ModelConfig(len(source), len(target), units=16, embedding_units=16, **settings))
    for weight in model.weights:
        weight.assign(weight * 3.0 if "kernel" in weight.path or "embeddings" in weight.path else weight + 0.1)
    return model, source, target


@functools.cache  # a fixture would be made again for many tests, because their order is random
def made(name):
    model, *tokenizers = untrained(*MODELS[name])
    for weight in model.weights:
        if is_matrix(weight.path):
            numbers, scale = quantize(weight.path, np.asarray(weight))
            weight.assign(numbers * scale)
    return Engine(model, *tokenizers), Translator(model, *tokenizers)


@pytest.fixture(params=MODELS)
def both(request):
    """A model as the page has it, and as a `Translator` that has the same 8-bit numbers."""
    return made(request.param)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    directory = tmp_path_factory.mktemp("page") / "run"
    save_bundle(directory, *untrained(*MODELS["conditional"]))
    return directory


@pytest.mark.parametrize("beam_size", [1, 4])
def test_the_page_translates_as_python_does(both, beam_size):
    engine, translator = both
    expected = translator.n_best(SENTENCES, beam_size=beam_size)
    for sentence, translations in zip(SENTENCES, expected, strict=True):
        assert differs(engine.translate(sentence, beamSize=beam_size), translations) == "", sentence


def test_the_page_merges_pieces_into_words_as_python_does(both):
    engine, translator = both
    for sentence, merged in zip(SENTENCES, translator.translate(SENTENCES, merge_subwords=True), strict=True):
        if merged.source_tokens:
            (found,) = engine.translate(sentence)
            for side in ("source", "target"):
                words = [word["text"] for word in found["words"][f"{side}Words"]]
                assert words == getattr(merged, f"{side}_tokens")
            np.testing.assert_allclose(found["words"]["weights"], merged.attention, atol=1e-3)


def test_differences_are_found():
    engine, translator = made("conditional")
    (found,), (expected,) = engine.translate("I read books."), translator.n_best(["I read books."])
    assert differs([found], expected) == ""
    assert differs([], expected) and differs([found | {"text": "x"}], expected)
    assert differs([found | {"score": found["score"] + 1}], expected)
    weights = np.array(found["attention"]) + 0.01
    assert "a weight is off by 0.01" in differs([found | {"attention": weights.tolist()}], expected)


def test_a_translation_goes_on_from_words_that_are_given():
    engine, translator = made("conditional")
    (own,) = engine.translate("I read books.")
    (same,) = engine.translate("I read books.", prefix=own["ids"])
    assert same == own
    other = next(i for i in range(5, 20) if i != own["ids"][0])
    (found,) = engine.translate("I read books.", prefix=[other])
    assert found["ids"][0] == other
    target = translator.target_tokenizer
    if found["targetTokens"][-1] == "<end>" and target.tokenize(found["text"]) == found["targetTokens"][:-1]:
        (forced,) = translator.attend([("I read books.", found["text"])])
        np.testing.assert_allclose(found["attention"], forced.attention, atol=1e-3)
    for hypothesis in engine.translate("I read books.", prefix=[other], beamSize=3):
        assert hypothesis["ids"][0] == other


def test_attention_can_be_made_uniform_or_shuffled():
    engine, _ = made("conditional")
    own, uniform, shuffled = (
        engine.translate("The girl reads", attention=kind)[0]["attention"] for kind in ("own", "uniform", "shuffled")
    )
    np.testing.assert_allclose(uniform, 1 / len(own[0]))
    np.testing.assert_allclose(np.sum(shuffled, axis=1), 1)
    # before the first token nothing differs, so the weights of the first step are the same ones elsewhere
    np.testing.assert_allclose(sorted(shuffled[0]), sorted(own[0]))
    assert all(abs(a - b) > 0 for a, b in zip(shuffled[0], own[0], strict=True))


def test_a_part_that_the_page_lacks_is_refused():
    parts = untrained(WordTokenizer, {"attention": "multi-head"})
    with pytest.raises(ValueError, match="attention: a page has bahdanau, .* this model has multi-head"):
        page_model(*parts)


@pytest.mark.parametrize("setting, table", [("attention", "KEYS"), ("decoder", "DECODERS")])
def test_every_part_is_had_or_refused(setting, table):
    script = (browser._PAGE / "model.js").read_text(encoding="utf-8")
    (parts,) = re.findall(rf"const {table} = \{{.*?\n\}};", script, re.DOTALL)
    assert sorted(re.findall(r"^  '?([a-z-]+)'?[:(]", parts, re.MULTILINE)) == sorted(browser.PARTS[setting])


def test_export_writes_one_page_that_loads_nothing(run, tmp_path, capsys, read_html):
    path = tmp_path / "new" / "page.html"
    assert main(["export", "--run", str(run), "--page", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}\n" and list(path.parent.iterdir()) == [path]
    page = path.read_text(encoding="utf-8")
    found = read_html(page)
    (policy,) = [a["content"] for a, _ in found.all("meta") if a.get("http-equiv") == "Content-Security-Policy"]
    scripts = [text for attributes, text in found.all("script") if "type" not in attributes]
    (style,) = [text for _, text in found.all("style")]
    for directive, text in (("script-src", *scripts), ("style-src", style)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}';" in policy
    assert policy.startswith("default-src 'none';") and "unsafe" not in policy
    addresses = [a[name] for _, a, _ in found.found for name in ("src", "href", "action") if name in a]
    assert addresses == ["data:,"]
    assert "@font-face" in style and "url(data:font/woff;base64," in style
    for danger in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "fetch(", "Function("):
        assert danger not in scripts[0]
    for word in ("{{", "}}"):
        assert word not in style + policy
    identifiers = [a["id"] for _, a, _ in found.found if "id" in a]
    assert len(identifiers) == len(set(identifiers))
    ui = (browser._PAGE / "ui.js").read_text(encoding="utf-8")
    wanted = set(re.findall(r"find\('([\w-]+)'\)", ui))
    assert len(wanted) > 15 and wanted - {"whatif-title"} <= set(identifiers)  # that one is made by the script


def test_a_token_of_html_ends_no_script(tmp_path, read_html):
    words = WordTokenizer.learn(["</script><script>alert(1)</script> <!-- x"], 20)
    parts = Seq2Seq(ModelConfig(len(words), len(words), units=8, embedding_units=8)), words, words
    assert len(read_html(page_html(*parts)).all("script")) == 2


def test_a_page_that_would_be_too_large_is_refused(run, tmp_path, monkeypatch):
    monkeypatch.setattr(browser, "MOST_BYTES", 1000)
    with pytest.raises(ValueError, match=r"a page of [\d,]+ bytes, more than 1,000; train a smaller model"):
        export_page(run, tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []


WORDS = {
    "मुलगा": "mulagā",
    "शाळेत": "śāḷēta",
    "क्षण": "kṣaṇa",
    "बँक": "bam̐ka",
    "दुःख": "duḥkha",
    "ऑफिस": "ôphisa",
    "ॲप": "êpa",
    "ज़रा": "zarā",
    "तऱ्हा": "taṟhā",
    "आई, १०.५ km": "āī, 10.5 km",
    "": "",
}


def test_marathi_is_written_in_latin_letters():
    context = py_mini_racer.MiniRacer()
    context.eval((browser._PAGE / "romanize.js").read_text(encoding="utf-8"))
    assert {word: context.call("romanize", word) for word in WORDS} == WORDS
