"""What the page's worker lets a model look at, against arithmetic and against Python; and what it says of a text."""

import itertools
import json

import numpy as np
import pytest
from page_models import MODELS, made, named

from nmt_attention.preprocess.doubts import unsaid
from nmt_attention.preprocess.preprocessor import Preprocessor
from nmt_attention.translate import Translation, Translator
from nmt_attention.vocabulary import END_ID
from tools.browser.javascript import Engine

SENTENCE = "The girl reads"


def looks(name):
    """Returns a function that makes a model look at a sentence in another way, and its own look."""
    engine, _ = made(name)
    [part] = engine.answer("translate", sentence=SENTENCE, beamSize=1)["parts"]
    return lambda **way: engine.answer("look", part=0, beamSize=1, way=way), part["look"]


@pytest.mark.parametrize("name", MODELS)
def test_a_look_at_what_it_wrote_by_itself_is_its_own(name):
    look, own = looks(name)
    same = look(prefix=own["ids"])
    assert [same[key] for key in ("ids", "text")] == [own[key] for key in ("ids", "text")]
    np.testing.assert_allclose(same["weights"], own["weights"], atol=1e-9)


def test_words_are_told_as_they_are_written():
    engine, _ = made("scaled-dot")
    told, own = json.loads(
        engine.context.eval(
            f"JSON.stringify((() => {{ const told = [], sentence = '{SENTENCE}';"
            " watch = tellFirst(sentence, (look) => told.push(look));"
            " const {parts: [{look}]} = ANSWERS.translate({sentence, beamSize: 1}); return [told, look]; })())"
        )
    )
    words, counts = [word["text"] for word in own["target"]], [len(look["target"]) for look in told]
    assert counts == sorted(counts) and counts[0] == 0 and counts[-1] in (len(words) - 1, len(words))
    for look, count in zip(told, counts, strict=True):
        assert [word["text"] for word in look["target"]] == words[:count] and look["source"] == own["source"]
        np.testing.assert_allclose(look["weights"], own["weights"][:count])


@pytest.mark.parametrize("name", ["conditional", "luong", "transformer"])  # the second has no attention
def test_with_its_eyes_closed_every_word_counts_by_its_pieces(name):
    look, _ = looks(name)
    found, pieces = look(uniform=True), made(name)[0].tokenize(SENTENCE, "source")
    if name != "luong":
        counts = [len(word["positions"]) for word in found["source"]]
        np.testing.assert_allclose(found["weights"], [np.divide(counts, len(pieces))] * len(found["target"]))


@pytest.mark.parametrize("name", ["conditional", "bahdanau", "transformer"])
def test_a_word_that_is_made_to_look_elsewhere_changes_what_follows_and_nothing_before(name):
    look, _ = looks(name)
    prefix = [20, 21, 22, 23]
    own, found = look(prefix=prefix), look(prefix=prefix, hands={"1": 2})
    engine, _ = made(name)
    rows = [
        np.array([step["weights"] for step in engine.answer("steps", part=0, way=each["way"], ids=each["ids"])][:4])
        for each in (own, found)
        if name != "transformer"
    ]
    if rows:
        before, after = rows
        np.testing.assert_array_equal(after[0], before[0])
        positions = found["source"][2]["positions"]
        np.testing.assert_allclose(after[1], [j in positions and 1 / len(positions) for j in range(len(after[1]))])
        assert (np.abs(after[2:] - before[2:]).max(1) > 0).all()  # another context, so other states ask
    held = [t for t, word in enumerate(found["target"]) if word["positions"][0] == 1]
    assert all(found["weights"][t] == [0.0, 0.0, 1.0, *[0.0] * (len(found["source"]) - 3)] for t in held)


def test_each_head_of_a_transformer_can_be_looked_at():
    look, own = looks("transformer")
    engine, _ = made("transformer")
    heads = np.array(engine.answer("heads", part=0, way={}, ids=own["ids"]))  # (L, N, T, S)
    np.testing.assert_allclose(heads[1].mean(0), own["weights"], atol=1e-9)  # of three layers the second
    for layer, n in itertools.product(range(3), range(2)):
        found = look(prefix=own["ids"], head={"layer": layer, "n": n})
        np.testing.assert_allclose(found["weights"], heads[layer, n], atol=1e-9)


def test_a_translation_goes_on_from_a_word_that_is_given_and_offers_others():
    look, own = looks("conditional")
    engine, _ = made("conditional")
    offers = engine.answer("offers", part=0, way={}, kept=[], next=own["ids"][0], old="")
    assert offers and all(offer["ids"][0] != own["ids"][0] and 0 < offer["share"] < 1 for offer in offers)
    assert len({offer["text"] for offer in offers}) == len(offers)
    for offer in offers:
        assert look(prefix=offer["ids"])["ids"][: len(offer["ids"])] == offer["ids"]
    ids = engine.answer("typed", part=0, text="पुस्तक", isMarathi=True)
    assert made("conditional")[1].target_tokenizer.decode(ids) == "पुस्तक"
    assert engine.answer("typed", part=0, text="xqzt", isMarathi=True) is None
    assert look(prefix=[END_ID])["target"] == []


def test_the_tree_has_the_beginnings_that_the_beam_kept():
    engine, _ = made("scaled-dot")
    [part] = engine.answer("translate", sentence=SENTENCE, beamSize=3)["parts"]
    ids = part["look"]["ids"]
    for hands, begun in ({}, []), ({"1": 0}, ids[:1]):  # by itself, and from a light on that was moved
        tree = engine.answer("tree", part=0, way={"hands": hands}, ids=ids, beamSize=3)
        best = engine.answer("look", part=0, way={"hands": hands, "prefix": begun}, beamSize=3)
        assert [other["ids"][: len(begun)] for other in tree["others"]] == [begun] * len(tree["others"])
        assert len({other["text"] for other in tree["others"]}) > 1 and tree["others"][0]["ids"] == best["ids"]
        length = len(best["ids"]) - len(begun)
        assert [sum(node["isBest"] for node in kept) for kept in tree["steps"]][:length] == [1] * length
        for before, kept in itertools.pairwise(tree["steps"]):
            assert all(node["parent"] < len(before) for node in kept)


@pytest.fixture(scope="module")
def of_texts():
    _, plain = named("untrained")
    tokenizers = plain.source_tokenizer, plain.target_tokenizer
    return Engine(Translator(plain.model, *tokenizers, Preprocessor(*tokenizers, plain.preprocessor.placeholders)))


@pytest.mark.parametrize(
    "text, why",
    [("मी शाळेत जातो", "marathi"), ("Bonjour", "foreign"), ("🎉 12", "wordless"), (" ", "empty"), ("a " * 300, "long")],
)
def test_a_text_that_is_not_translated_is_refused_for_a_reason(of_texts, text, why):
    assert of_texts.answer("translate", sentence=text, beamSize=1)["refused"] == why


def test_the_page_says_what_it_does_not_know(of_texts):
    text = "the Boy raeds quantum bookz. Mi casa es tu casa. Go"
    first, kept, last = of_texts.answer("translate", sentence=text, beamSize=1)["parts"]
    assert [word["text"] for word in first["look"]["source"]][:3] == ["the", "Boy", "raeds"]  # as it was typed
    near = {word["text"]: word["near"] for word in first["unknown"]}
    assert near == {"raeds": "reads", "quantum": None, "bookz": "book"}
    assert kept["look"] is None and kept["kept"].startswith("Mi casa") and (first["added"], last["added"]) == ("", ".")


def test_the_page_finds_the_words_that_seem_lacking_as_python_does(of_texts):
    _, plain = named("untrained")
    source, target = plain.source_tokenizer, plain.target_tokenizer
    tokens, found = source.tokenize("The boy and the girl read a good book at home today."), []
    for seed, text in enumerate(["मुलगा पुस्तक वाचतो.", "मुलगी-मुलगी आज घरी.", ""]):
        ids = [*target.encode(text), END_ID]
        attention = np.random.default_rng(seed).dirichlet([0.1] * len(tokens), len(ids))
        asked = {"source": {"sourceTokens": tokens}, "hypotheses": [{"ids": ids, "attention": attention.tolist()}]}
        found.append(json.loads(of_texts.context.eval(f"JSON.stringify(unsaid({json.dumps(asked)}))")))
        written = [target.vocabulary[each] for each in ids]
        assert found[-1] == unsaid((source, target), Translation("", text, tokens, written, attention, 0.0))
    assert any(found)


def test_what_the_worker_is_asked_wrongly_is_answered_with_the_error():
    engine, _ = made("conditional")
    said = engine.context.eval(
        "var postMessage = (said) => { globalThis.said = said; };"
        "onmessage({data: {number: 7, kind: 'look', part: 99, way: {}, beamSize: 1}}); JSON.stringify(said)"
    )
    assert json.loads(said)["number"] == 7 and "Error" in json.loads(said)["error"]
