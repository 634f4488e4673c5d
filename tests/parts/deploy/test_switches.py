"""The page's switches, against arithmetic and against Python."""

import json
import re

import numpy as np
import pytest
from page_models import MODELS, made

from nmt_attention.deploy import browser
from nmt_attention.vocabulary import END_ID, PAD_ID, START_ID

SENTENCE = "The girl reads"


@pytest.mark.parametrize("name", MODELS)
def test_masked_padding_changes_nothing(name):
    engine, _ = made(name)
    length = len(engine.tokenize(SENTENCE, "source"))
    for normal, padded in zip(
        engine.translate(SENTENCE, beamSize=2), engine.translate(SENTENCE, beamSize=2, padding=10), strict=True
    ):
        assert padded["sourceTokens"] == [*normal["sourceTokens"], *["<pad>"] * 10]
        for tokens, words in ((normal, normal["words"]), (padded, padded["words"])):
            for each in (tokens, words):
                each["attention"] = np.array(each["attention"])
        assert not padded["attention"][:, length:].any() and not padded["words"]["attention"][:, -10:].any()
        np.testing.assert_array_equal(padded["attention"][:, :length], normal["attention"])
        np.testing.assert_array_equal(padded["words"]["attention"][:, :-10], normal["words"]["attention"])
        for same in ("text", "ids", "targetTokens", "score"):
            assert padded[same] == normal[same]


@pytest.mark.parametrize("name", MODELS)
def test_without_the_mask_padding_is_read_as_python_would_read_it(name):
    engine, translator = made(name)
    model, tokenizer = translator.model, translator.source_tokenizer
    for padding in (1, 4):
        (found,) = engine.translate(SENTENCE, padding=padding, paddingMask=False)
        ids = np.array([tokenizer.encode(SENTENCE) + [PAD_ID] * padding], np.int32)
        mask = np.ones(ids.shape, bool)
        values, state = model.encoder(ids, mask)
        target_in = np.array([[START_ID, *found["ids"][:-1]]], np.int32)
        memory = model.decoder.memory(values, mask, state)
        if model.config.lexical:
            memory = memory._replace(tokens=model.encoder.embed(ids))
        _, expected = model.decoder.features(target_in, model.decoder.initial_state(state), memory)
        np.testing.assert_allclose(found["attention"], expected[0], atol=1e-3)
        np.testing.assert_allclose(np.sum(found["words"]["attention"], axis=1), 1)


def test_attention_can_be_made_uniform_or_shuffled():
    engine, _ = made("conditional")
    own, uniform, shuffled = (
        engine.translate(SENTENCE, attention=kind)[0]["attention"] for kind in ("own", "uniform", "shuffled")
    )
    np.testing.assert_allclose(uniform, 1 / len(own[0]))
    np.testing.assert_allclose(np.sum(shuffled, axis=1), 1)
    # before the first token nothing differs, so the weights of the first step are the same ones elsewhere
    np.testing.assert_allclose(sorted(shuffled[0]), sorted(own[0]))
    assert all(abs(a - b) > 0 for a, b in zip(shuffled[0], own[0], strict=True))


@pytest.mark.parametrize("kind", ["uniform", "shuffled"])
def test_padding_gets_other_weights_only_without_the_mask(kind):
    engine, _ = made("conditional")
    length = len(engine.tokenize(SENTENCE, "source"))
    for mask in (True, False):
        (found,) = engine.translate(SENTENCE, attention=kind, padding=3, paddingMask=mask)
        attention = np.array(found["attention"])
        np.testing.assert_allclose(attention.sum(1), 1)
        assert attention[:, length:].any() != mask
        if kind == "uniform":
            np.testing.assert_allclose(attention[:, :length], 1 / (length if mask else length + 3))


def test_weights_by_hand_replace_those_of_one_step_and_the_model_goes_on_from_there():
    engine, _ = made("conditional")
    prefix = [20, 21, 22, 23]
    (own,) = engine.translate(SENTENCE, prefix=prefix)
    given = [0.75, 0.25, *[0.0] * (len(own["sourceTokens"]) - 2)]
    (found,) = engine.translate(SENTENCE, prefix=prefix, attention="hand", given=given, step=1)
    before, after = np.array(own["attention"][:4]), np.array(found["attention"][:4])
    np.testing.assert_array_equal(after[0], before[0])
    np.testing.assert_array_equal(after[1], given)
    assert (np.abs(after[2:] - before[2:]).max(1) > 0).all()  # another context, so other states ask
    assert (np.abs(after[2:] - given).max(1) > 0).all()
    (same,) = engine.translate(SENTENCE, prefix=prefix, attention="hand", given=own["attention"][1], step=1)
    assert same == own


@pytest.mark.parametrize(
    "weights, j, weight, expected",
    [
        ([0.5, 0.3, 0.2], 0, 0.75, [0.75, 0.15, 0.1]),  # the others keep their proportions
        ([0.5, 0.3, 0.2], 2, 1, [0, 0, 1]),
        ([0, 0, 1], 2, 0.5, [0.25, 0.25, 0.5]),
        ([0.4, 0.6], 1, 0, [1, 0]),
        ([1], 0, 0.3, [1]),
    ],
)
def test_a_weight_set_by_hand_leaves_the_rest_to_the_others(weights, j, weight, expected):
    engine, _ = made("conditional")
    found = json.loads(engine.context.eval(f"JSON.stringify(setWeight({weights}, {j}, {weight}))"))
    np.testing.assert_allclose(found, expected)


ENDED = [5, END_ID]  # a whole translation, so that each switch leaves the words alone


@pytest.mark.parametrize(
    "name, switches, expected",
    [
        (
            "conditional",
            {"padding": 2},
            "Every word and every weight stays the same. The mask hides the padding from .* attention.",
        ),
        ("conditional", {"padding": 2, "paddingMask": False}, r".* as if it were words, and \d.*% of the attention .*"),
        ("luong", {"padding": 2, "paddingMask": False}, r".* as if it were words\."),  # without attention
        (
            "conditional",
            {"attention": "uniform"},
            r"The words stay the same; weights in the table change by up to 0\.\d+\.",
        ),
        ("conditional", {"prefix": [41, END_ID]}, r"None of \d words is gone, 1 is new:"),
    ],
)
def test_the_page_says_what_a_switch_changes(name, switches, expected):
    engine, _ = made(name)
    files = browser._FIGURES / "steps.js", browser._PAGE / "view.js", browser._PAGE / "controls.js"
    scripts = "\n".join(path.read_text(encoding="utf-8") for path in files)
    switches = {"prefix": ENDED, **switches}
    said = engine.context.eval(
        f"(() => {{ {scripts} const document = {{createElement: () => ({{setAttribute() {{}}, append() {{}}}})}};"
        f"const piece = protect(model, '{SENTENCE}');"
        f"const [normal] = translate(model, piece, {{prefix: {ENDED}}}).hypotheses;"
        f"const {{source, hypotheses: [found]}} = translate(model, piece, {json.dumps(switches)});"
        "const words = (each) => withoutEnd(mergeSubwords(model, source, each), each);"
        "const merged = words(found), before = {...words(normal), text: normal.text};"
        "return `${effectOf({model, first: model, found, merged, before})[0]} "
        "${paddingEffect(model, [{part: {source}, found}])}`; })()"
    )
    assert re.fullmatch(expected, said.strip())
    if most := re.search(
        r"by up to ([\d.]+)\.$", said.strip()
    ):  # in a row that the table shows: that of the end is not
        (own,), (other,) = (engine.translate(SENTENCE, prefix=ENDED, **each) for each in ({}, {"attention": "uniform"}))
        own, other = (np.array(each["words"]["attention"])[:-1] for each in (own, other))
        assert float(most[1]) == pytest.approx(np.abs(own - other).max(), rel=0.05)
