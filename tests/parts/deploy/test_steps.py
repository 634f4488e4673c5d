"""What is drawn inside a step: by the page from its own numbers, and by the lessons' step player from Python's."""

import json

import numpy as np
import pytest
from page_models import ENGLISH, made, named, untrained

from nmt_attention.decoding.ensemble import Ensemble
from nmt_attention.figures.palette import read
from nmt_attention.lesson.widgets.steps import step_numbers
from nmt_attention.text import WordTokenizer
from nmt_attention.translate import Translator

STAGES = 5
FAKE_PAGE = """
const document = {createElement: (name) => ({
  name, attributes: {}, children: [], style: {setProperty() {}},
  setAttribute(key, value) { this.attributes[key] = String(value); },
  append(...children) { this.children.push(...children); },
})};
const textOfNode = (node) => (typeof node === 'string' ? node : node.children.map(textOfNode).join(' '));
"""
SCRIPT = read("figures/steps.js")


def page_steps(engine, sentence):
    """Returns the steps of a greedy translation as the page's worker tells them."""
    [part] = engine.answer("translate", sentence=sentence, beamSize=1)["parts"]
    return engine.answer("steps", part=0, way={}, ids=part["look"]["ids"])


@pytest.mark.parametrize("name", ["conditional", "bahdanau", "luong", "concat"])
def test_page_and_step_player_show_the_same_numbers(name):
    engine, translator = made(name)
    expected, found = step_numbers(translator, ENGLISH[0]), page_steps(engine, ENGLISH[0])
    assert len(found) == len(expected["steps"]) > 1
    for ours, step in zip(found, expected["steps"], strict=True):
        assert [token.replace("␣", "▁") for token in ours["sources"]] == expected["sources"]
        for name in ("attention", "decoder", "units", "size"):
            assert ours[name] == expected[name]
        np.testing.assert_allclose([key[:24] for key in ours["keys"]], expected["keys"], atol=0.011)
        for name, tolerance in (("query", 0.011), ("context", 0.011), ("weights", 1e-3), ("scores", 5e-3)):
            if step[name] is None:
                assert ours[name] is None and expected["attention"] == "none"
            else:
                np.testing.assert_allclose(ours[name][: len(step[name])], step[name], atol=tolerance)
        assert [word["written"] for word in ours["words"]] == [word["written"] for word in step["words"]]
        shares = ([word["share"] for word in each["words"]] for each in (ours, step))
        np.testing.assert_allclose(*shares, atol=1e-3)


def test_names_stay_masked_in_the_step_player():
    _, translator = named("untrained")
    numbers = step_numbers(translator, "Rahul goes to school.")
    (masked,) = translator.preprocessor.protect(["Rahul goes to school."])
    assert masked.words and numbers["sources"] == translator.source_tokenizer.tokenize(masked.read)
    written = [word["text"] for step in numbers["steps"] for word in step["words"] if word["written"]]
    assert [step["before"] for step in numbers["steps"]] == [" ".join(written[:t]) for t in range(len(written))]


@pytest.mark.parametrize("name", ["conditional", "luong"])  # the second has no attention
def test_each_stage_shows_one_part_more(name):
    engine, translator = made(name)
    numbers = step_numbers(translator, ENGLISH[0])
    step = {**numbers, **numbers["steps"][0]}
    stages = f"[...Array({STAGES}).keys()].map((stage) => drawStep(step, stage).map(textOfNode))"
    script = f"{FAKE_PAGE} {SCRIPT} const step = {json.dumps(step)}; return JSON.stringify({stages});"
    drawn = json.loads(engine.context.eval(f"(() => {{ {script} }})()"))
    scores = [] if numbers["attention"] == "none" else ["score"]
    for parts, more in zip(drawn, ([], scores, *[[*scores, "weight"]] * 3), strict=True):
        heads = ["source token key", *more, numbers["sources"][0]]
        assert " ".join(parts[4].split()).startswith(" ".join(heads))
    assert [len(parts) for parts in drawn] == [5, 5, 5, 6, 7]
    assert "– written" in drawn[4][6] and "nothing yet" in drawn[0][0]
    says = [parts[2] for parts in drawn]
    assert says[4].startswith(f"Word: state, token and context give each of the {numbers['size']} tokens")
    if scores:
        assert says[1].startswith("Scores: how well the query fits each key, ")


def test_the_words_of_a_step_have_their_latin_letters_and_english_in_their_own_languages():
    engine, translator = made("conditional")
    numbers = step_numbers(translator, ENGLISH[0])
    word = {"text": "पुस्तक", "share": 0.5, "written": False, "latin": "pustak", "gloss": "book"}
    step = {**numbers, **numbers["steps"][0], "words": [word]}
    find = "const find = (node) => (node.name === 'small' ? [[node.attributes.lang, textOfNode(node)]]"
    find += " : (node.children ?? []).flatMap(find));"
    script = f"{FAKE_PAGE} {SCRIPT} {find} const drawn = drawStep({json.dumps(step)}, {STAGES - 1});"
    found = engine.context.eval(f"(() => {{ {script} return JSON.stringify(drawn.flatMap(find)); }})()")
    assert json.loads(found) == [["mr-Latn", "pustak"], ["en", "(book)"]]


@pytest.mark.parametrize(
    "settings, problem",
    [
        ({"attention": "multi-head"}, "translator: expected attention with one head, got 4 heads"),
        ({"architecture": "transformer"}, "model: expected a recurrent one, got a transformer"),
    ],
)
def test_a_model_whose_steps_cannot_be_shown_is_refused(settings, problem):
    with pytest.raises(ValueError, match=problem):
        step_numbers(Translator(*untrained(WordTokenizer, settings)), ENGLISH[0])


def test_an_ensemble_and_an_empty_sentence_are_refused():
    _, translator = made("conditional")
    tokenizers = translator.source_tokenizer, translator.target_tokenizer
    with pytest.raises(ValueError, match="translator: expected one model, got an ensemble of 2"):
        step_numbers(Translator(Ensemble([translator.model] * 2), *tokenizers), ENGLISH[0])
    with pytest.raises(ValueError, match="sentence: expected at least one token, got ' '"):
        step_numbers(translator, " ")
