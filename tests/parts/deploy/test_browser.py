"""The exported page: its JavaScript, run in V8, gives what Python gives; it is one file that loads nothing."""

import base64
import hashlib
import json
import math
import random
import re
import shutil

import numpy as np
import pytest
import tensorflow as tf
from command_line import output, refusal
from page_models import ENGLISH, MARATHI, MODELS, assert_same, made, named, record_training, untrained
from toys import BEAMS

from nmt_attention.config import ModelConfig
from nmt_attention.deploy import browser
from nmt_attention.deploy.browser import as_letters, export_page, page_html, page_model
from nmt_attention.disk.pairs import DATA_DIRECTORY
from nmt_attention.marathi.gloss import gloss, read_glosses
from nmt_attention.marathi.romanize import romanize
from nmt_attention.model import Seq2Seq
from nmt_attention.preprocess.protect import ALL_SYMBOLS, protect_target, reveal
from nmt_attention.runs.bundle import NOTICE, save_bundle
from nmt_attention.text import WordTokenizer
from nmt_attention.translate import MAX_SOURCE_LENGTH, Translation, Translator
from nmt_attention.vocabulary import START_ID
from tools.browser.javascript import differs

WITH_BEAM = "conditional", "luong", "transformer", "input-feeding"  # the others with greedy search
UNUSUAL = ["", " \t\u200b", "cafe\u0301 ’tis", "It’s 1,000.50 … at 2:30—no!", "STRASSE Straße ﬁne İ ΣΑΣ", "😀🎉 漢字"]
UNUSUAL += ["\x00 school \x1b", "<end> <unk> ▁", "मी शाळेत जातो", "\ue000 goes \uf8ff\U000f0000 to \ue001.", "cat漢字"]
SENTENCES = [*ENGLISH, "the school", "school " * 12, *UNUSUAL]


NAMED = [
    "Rahul goes to school.",
    "Is Rahul's scooter the school, Hunt or a hunt?",
    "RAHUL, Scooter, Zorba: constructor toString __proto__",
    "Read! Zorba reads. Zorba's book? “Tilak reads books.” Go. Recite the book. Recite\n",
    "The boy Kiran Wadekar reads Wadekar 20, not 7:45, १२ or ٣.٥; x2 ²3 4² é5 1,000.50.",
    "20 Pune goes to Tilak 7 Zorba-like O'Brien Éva Zoë École NASA McDonald",
    "Tilak, Gokhale, Agarkar, Ranade, Karve and Bhave read 1 2 3 4 5",
    "\ue000 Zorba \ue003\uf8ff reads\ue00e",
    "😀 Zorba 😀😀 Kalpana Chawla 😀. Recite",
    "Scooter! Hunt? hunt. Rahul",
    "  Zorba\u200b \tZorba  Zorba Q Xyzzy Qqq Zzzzzzz Brrr",
    "Rahul goes to Satara, Thane goes to Tilak.",
    "",
]
EXAMPLE_WORDS = ["Dad", "bought", "me", "a", "camera", "."]
NEW = ["Zorba", "Wadekar", "Kiran", "Qqq", "x"]


def test_the_page_writes_names_as_python_does():
    assert_same(*named("trained"), NAMED, 4)


def test_the_page_says_which_names_were_written_and_no_number():
    engine, translator = named("trained")
    listed, spelled = {}, {}
    for sentence in NAMED:
        for part in engine.answer("translate", sentence=sentence, beamSize=1).get("parts", []):
            for name in part["names"]:
                (listed if name["listed"] else spelled)[name["word"]] = name["text"]
    assert listed["Rahul"] == "राहुल" and "Zorba" in spelled and not re.search(r"\d", "".join([*listed, *spelled]))
    (zorba,) = translator.preprocessor.placeholders.transliterator.transliterate(["Zorba"])
    assert spelled["Zorba"] == zorba.text


@pytest.mark.parametrize(("probabilities", "expected"), BEAMS)
def test_the_page_adds_up_the_probabilities_of_a_text(probabilities, expected):
    engine, _ = named("trained")
    hypotheses = [
        {"text": text, "sourceTokens": [], "targetTokens": [], "attention": [], "score": math.log(p)}
        for text, p in probabilities.items()
    ]
    found = engine.context.eval(
        f"""(() => {{
            const search = translate;
            translate = () => ({{hypotheses: {json.dumps(hypotheses)}}});
            try {{ return JSON.stringify(writeWord(model.names, 'zorba')); }} finally {{ translate = search; }}
        }})()"""
    )
    written = json.loads(found)
    assert (written["text"], written["kind"]) == expected


PLACE_FORMS = ["साताऱ्याला", "सातारा", "साताराच", "साताऱ्याची हवा", "सातारा ला.", "साताराला", "ठाणेला", "ठाण्याला"]


def test_places_have_the_oblique_that_python_writes():
    engine, translator = named("trained")
    sentence = "Satara goes to Thane"
    (masked,) = translator.preprocessor.protect([sentence])
    place, man = masked.words
    for text in [*PLACE_FORMS, "साताऱ्यासातारा"]:
        expected = protect_target(masked, text)[1]
        assert engine.mask_target(sentence, text) == expected
        assert engine.unmask(sentence, expected, [expected]) == [text]
    for following in ("ला", "ही", "च्या", " ला", "त.", "", "ला" + man + "त" + place + "त"):
        tokens = [place, following, man, "ला", f"{place}हून"]
        found = reveal(Translation("", "".join(tokens), [], tokens, np.zeros((0, 0)), 0.0), masked)
        assert engine.unmask(sentence, "".join(tokens), tokens) == found.target_tokens
        assert engine.unmask(sentence, "".join(tokens), ["".join(tokens)]) == [found.text]


def test_masked_texts_have_the_pieces_of_sentencepiece():
    engine, translator = named("trained")
    symbol = ALL_SYMBOLS[1]
    for text in NAMED + MARATHI:
        side = "target" if text in MARATHI else "source"
        tokenizer = getattr(translator, f"{side}_tokenizer")
        for masked in (text, text.replace(" ", f" {symbol}"), symbol + text.replace("ा", symbol).replace("e", symbol)):
            assert engine.tokenize(masked, side) == tokenizer.tokenize(masked)


def test_the_page_shows_how_each_letter_was_written():
    engine, translator = named("untrained")
    spelled = translator.preprocessor.placeholders.transliterator.transliterate(NEW)
    for word, expected in zip(NEW, spelled, strict=True):
        found = engine.transliterate(word)
        assert found["kind"] == expected.kind
        assert differs([found], [expected]) == "", word


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    directory = tmp_path_factory.mktemp("page") / "run"
    save_bundle(directory, *untrained(*MODELS["conditional"]))
    record_training(directory / "learning.json")
    return directory


@pytest.mark.parametrize("name", MODELS)
def test_the_page_translates_as_python_does(name):
    assert_same(*made(name), SENTENCES, 4 if name in WITH_BEAM else 1)


@pytest.mark.parametrize(("name", "most"), [("input-feeding", MAX_SOURCE_LENGTH), ("scaled-dot", 100)])
def test_a_page_reads_the_first_letters_or_words_of_a_long_sentence(name, most):
    engine, translator = made(name)
    (expected,) = translator.translate(["school " * (40 if most > 100 else 100)])
    assert differs(engine.translate("school " * 250), [expected]) == "" and len(expected.source_tokens) == most


def test_a_part_that_the_page_lacks_is_refused():
    translator = Translator(*untrained(WordTokenizer, {"attention": "multi-head"}))
    with pytest.raises(ValueError, match="attention: a page has bahdanau, .* this model has multi-head"):
        page_model(translator)


def test_every_head_of_a_transformer_looks_where_pythons_does():
    engine, translator = made("transformer")
    model, (sentence, *_) = translator.model, ENGLISH
    (found,) = engine.translate(sentence)
    steps = f"forced(model, readSource(model, protect(model, {json.dumps(sentence)})), {found['ids']}).steps"
    heads = np.array(
        json.loads(engine.context.eval(f"JSON.stringify({steps}.map((step) => step.heads))"))
    )  # (T, L, N, S)
    target_in = np.array([[START_ID, *found["ids"][:-1]]], np.int32)
    state, source = model.encode(np.array([translator.source_tokenizer.encode(sentence)], np.int32))
    values = model.decoder.embedding(target_in)
    for i, (layer, before, keys) in enumerate(zip(model.decoder.layers, state, source.keys, strict=True)):
        memory, normal = source._replace(keys=keys), layer.self_norm(values)
        seen, _ = layer.self_attention(normal, layer.self_attention.memory(normal, target_in > 0, None))
        scores = layer.cross_attention.score(layer.cross_norm(values + seen), memory)
        np.testing.assert_allclose(heads[:, i].transpose(1, 0, 2), tf.nn.softmax(scores)[0], atol=1e-3)
        values, *_ = layer(values, before, memory)
    assert heads.shape[1:3] == (model.config.decoder_layers, model.config.heads)


@pytest.mark.parametrize("setting, table", [("attention", "SCORES"), ("decoder", "DECODERS")])
def test_every_part_is_had_or_refused(setting, table):
    script = (browser._PAGE / "model.js").read_text(encoding="utf-8")
    (parts,) = re.findall(rf"const {table} = \{{.*?\n\}};", script, re.DOTALL)
    assert sorted(re.findall(r"^  '?([a-z-]+)'?[:(]", parts, re.MULTILINE)) == sorted(browser.PARTS[setting])


def test_export_writes_one_page_that_loads_nothing(run, tmp_path, read_html):
    path = tmp_path / "new" / "page.html"
    path.parent.mkdir()
    assert output("export", "--run", run, "--page", path) == [str(path)] and list(path.parent.iterdir()) == [path]
    page = path.read_text(encoding="utf-8")
    found = read_html(page)
    (policy,) = [a["content"] for a, _ in found.all("meta") if a.get("http-equiv") == "Content-Security-Policy"]
    scripts = [text for attributes, text in found.all("script") if "type" not in attributes]
    (style,) = [text for _, text in found.all("style")]
    for directive, text in (("script-src", *scripts), ("style-src", style)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}';" in policy
    assert policy.startswith("default-src 'none';") and "unsafe" not in policy
    previewed = {a["property"]: a["content"] for a, _ in found.all("meta") if "property" in a}
    assert set(previewed) == {"og:title", "og:description"} and previewed["og:title"] == found.all("title")[0][1]
    addresses = [a[name] for _, a, _ in found.found for name in ("src", "href", "action") if name in a]
    assert {address for address in addresses if address[0] != "#"} == {"data:,"}
    assert "@font-face" in style and "url(data:font/woff;base64," in style
    for danger in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "fetch(", "Function("):
        assert danger not in scripts[0]
    for word in ("{{", "}}"):
        assert word not in style + policy
    identifiers = [a["id"] for _, a, _ in found.found if "id" in a]
    assert len(identifiers) == len(set(identifiers))
    drawn = "".join(map(browser._read, browser._REST))
    assert set(re.findall(r"find\('([\w-]+)'\)", drawn)) <= set(identifiers)
    assert "16 units and 56.8 million numbers" in page and "Nobody showed it where to look" in page
    stage = [text for attributes, text in found.all("span") if attributes.get("class") == "w"]
    assert stage[: len(EXAMPLE_WORDS)] == EXAMPLE_WORDS  # it stands there before a script runs


def test_any_bytes_stand_in_a_page_as_letters():
    data = bytes([*range(256), *range(255, 99, -3)])
    for given in (data, data[:-1], data[3:], b"", b"<"):
        letters = as_letters(given)
        assert not set(letters) & set("\0\r<")
        assert list(given) == json.loads(made("luong")[0].context.call("bytesOf", letters))


def test_a_token_of_html_ends_no_script(tmp_path, read_html):
    words = WordTokenizer.learn(["</script><script>alert(1)</script> <!-- x"], 20)
    parts = Seq2Seq(ModelConfig(len(words), len(words), units=8, embedding_units=8)), words, words
    found = read_html(page_html({'</script> "x': Translator(*parts)})).all("script")
    assert len(found) == 6  # the example, known links, the engine, the net, the code, and the model


def test_what_a_record_of_a_training_says_is_text_and_a_file_of_another_form_is_named(run, tmp_path):
    path = shutil.copytree(run, tmp_path / "run") / "learning.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    record["training"]["settings"]["units"] = "<img>"
    path.write_text(json.dumps(record), encoding="utf-8")
    export_page(path.parent, tmp_path / "page.html")
    assert "has &lt;img&gt; units" in (tmp_path / "page.html").read_text(encoding="utf-8")
    path.write_text("{}", encoding="utf-8")
    line = refusal("export", "--run", path.parent, "--page", tmp_path / "page.html")
    assert f"{path}: not a record of a training (KeyError: " in line


def test_a_page_holds_several_models_by_the_names_of_their_runs(run, tmp_path, read_html):
    other = tmp_path / "other"
    shutil.copytree(run, other)
    (other / NOTICE).write_text("Where the other one is from.", encoding="utf-8")
    export_page(run, tmp_path / "page.html", [other])
    found = read_html((tmp_path / "page.html").read_text(encoding="utf-8"))
    models = [attributes["data-name"] for attributes, _ in found.all("script") if attributes.get("class") == "model"]
    assert models == [run.name, "other"]
    assert any("Where the other one is from." in text for _, text in found.all("p"))


def test_two_models_of_one_name_a_page_too_large_and_models_beside_none_are_refused(run, tmp_path, monkeypatch):
    with pytest.raises(ValueError, match=f"two models of a page would be called {run.name}"):
        export_page(run, tmp_path / "page.html", [run])
    line = refusal("export", "--run", run, "--beside", run, tmp_path / "out")
    assert "--beside: only a page (--page) has several models" in line
    monkeypatch.setattr(browser, "MOST_BYTES", 1000)
    with pytest.raises(ValueError, match=r"a page of [\d,]+ bytes, more than 1,000; train a smaller model"):
        export_page(run, tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []


def test_marathi_is_written_in_latin_letters_as_in_python():
    engine, _ = made("conditional")
    text = "".join((DATA_DIRECTORY / f"{name}.tsv").read_text(encoding="utf-8") for name in ("phrasebook", "names"))
    words = sorted(set(re.findall("[\u0900-\u097f]+", text)))
    assert len(words) > 9000
    letters = [chr(c) for c in range(0x0900, 0x0980)] + [*"कहयरा\u0902््््\u200c\u200d\ufeff a.,"]
    chance = random.Random(0)
    words += ["".join(chance.choices(letters, k=length)) for length in range(1, 16) for _ in range(100)]
    words += ["दुःखदायक, ‘प्रिय’ भारतीय – बँक… १०.५ km।", "▁तऱ्हा", "<end>", "\ue000 😀", ""]
    assert engine.romanize(words) == [romanize(word) for word in words]


def test_of_several_senses_the_page_chooses_the_one_that_python_chooses():
    engine, _ = made("conditional")
    several = {form: senses.split("|") for form, senses in read_glosses().items() if "|" in senses}
    assert len(several) > 250
    chance = random.Random(0)
    for form, senses in several.items():
        chosen = set()
        for _ in senses:
            english = [f"{word}{chance.choice(['', 's', 'ing'])}" for word in ("The", *chance.sample(senses, 2), "END")]
            weights = [chance.random() for _ in english]
            [said] = engine.answer("words", text=form, english=english, weights=weights)
            assert said["gloss"] == gloss(form, english, weights), (form, english, weights)
            chosen.add(said["gloss"])
        assert chosen <= set(senses) and engine.answer("words", text=form)[0]["gloss"] == senses[0]
