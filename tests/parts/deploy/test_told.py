"""What the page says of a light that was moved, and of one that is learned: cause and effect, and what was found."""

import base64
import json
import re

import numpy as np
import py_mini_racer
import pytest

from nmt_attention.cli.options import BEAM_SIZE
from nmt_attention.deploy import browser
from nmt_attention.deploy.browser import EXAMPLE, PAGE_BEAM_SIZE
from nmt_attention.figures.palette import read
from nmt_attention.runs.bundle import LEARNING, PRETRAINED
from nmt_attention.translate import Translator
from tools.data.glosses import CASES, ENDINGS

PLAIN = """
const made = () => ({setAttribute() {}, append(...parts) { this.textContent = parts.join(''); }});
globalThis.document = {createElement: made};
const look = (words, seen) => ({
  source: ['Dad', 'saw', 'it'].map((text) => ({text})), fresh: new Set(),
  target: [...words].map((text) => ({text, gloss: text.toLowerCase()})),
  weights: seen.map((at) => [0, 1, 2].map((s) => +(s === at))), text: words,
});
const told = (words, seen, at) => asText(tellHand(look(words, seen), look('ABC', [0, 2, 1]), 1, at));
"""


@pytest.fixture(scope="module")
def evaluate():
    context, scripts = py_mini_racer.MiniRacer(), ("stage.js", "story.js", "learning.js")
    context.eval("\n".join([read("figures/steps.js"), *map(browser._read, scripts), PLAIN, "0"]))
    return lambda script: json.loads(context.eval(f"JSON.stringify({script})"))


@pytest.mark.parametrize(
    ("words", "seen", "at", "expected"),
    [  # the second of the words A, B and C looked at *it*, and is made to look at *Dad*
        ("AXBC", [0, 0, 2, 1], 1, ", so it wrote X (x). Then it looked at it again."),
        ("AXC", [0, 0, 1], 1, ", so it wrote X (x). No word looks mainly at it now."),
        ("ABD", [0, 0, 1], 1, ", but it still wrote B (b). No word looks mainly at it now."),
        ("AB", [2, 0], 1, ", but it still wrote B (b)."),
        ("XBC", [0, 2, 1], 0, ", so it wrote X (x). Then it looked at it again."),  # the piece became a part of A
        ("ABC", [0, 0, 1], 1, ", and it still writes B: nothing changes."),
        ("A", [0], -1, ", and it stopped."),
    ],
)
def test_a_moved_light_is_told_in_cause_and_effect(evaluate, words, seen, at, expected):
    assert evaluate(f"told({words!r}, {seen}, {at})") == expected


@pytest.mark.parametrize(
    ("words", "seen", "is_marathi", "expected"),
    [
        ("The cat saw the dog", [1, 3, 4], True, "It never looked at saw. Drag a light there!"),  # but at “the”
        ("The cat saw the dog", [1, 2, 4], False, "It never looked at the. Drag a light there!"),
        ("The cat saw the dog", [1, 2, 4], True, "Marathi has no separate word for the."),
        ("The cat saw the dog", [1, 2, 3, 4], True, "Your turn: drag the light of a word to another English word."),
        ("The book for Dad", [1, 3], True, "for became an ending: Dad."),
        ("The book is in school", [1, 2, 4], True, "in became an ending: school."),
    ],
)
def test_a_dark_word_is_named_unless_its_equal_was_looked_at(evaluate, words, seen, is_marathi, expected):
    source = [{"text": word} for word in words.split()]
    target = [{"text": source[s]["text"], "gloss": " ".join(words.split()[s - 1 : s + 1])} for s in seen]
    look = {"source": source, "target": target, "weights": np.eye(len(source))[seen].tolist()}
    about = {"looks": True, "isMarathi": is_marathi}
    assert evaluate(f"asText(tellEnd({json.dumps(look)}, false, {json.dumps(about)}))") == expected
    endings = " ".join([*ENDINGS.values(), *CASES.values()]).split()  # as glosses say them
    assert evaluate(f"{endings}.every((word) => ENDINGS.test(word))")


@pytest.mark.parametrize(
    ("english", "marathi", "seen", "verbs", "asks"),
    [  # Marathi words with meanings, and the verb that the line names
        (
            "Dad bought me a camera .",
            "बाबांनी माझ्यासाठी कॅमेरा विकत/bought घेतला/took .",
            [0, 2, 4, 1, 1, 5],
            [3],
            [3, True],
        ),
        ("Where is my book ?", "माझं पुस्तक कुठे/where आहे/is ?", [2, 3, 0, 1, 4], [], [2, False]),  # no verb
        ("My book is here .", "माझं पुस्तक इथे/here आहे/is .", [0, 1, 3, 2, 4], [3], [3, True]),
        ("I am here .", "मी इथे/here आहे/am .", [0, 1, 1, 3], [], [None, False]),
        ("He drinks tea with milk .", "तो दूध घेऊन चहा/tea पितो/drinks .", [0, 4, 3, 2, 1, 5], [4], [4, True]),
        ("I met Zorba yesterday .", "मी काल झोरबाला/Zorba भेटलो/met .", [0, 3, 2, 1, 4], [3], [3, True]),
        ("He gave it to Tom now .", "त्याने ते आता टॉमला/Tom .", [0, 2, 5, 4, 6], [], [2, False]),
        ("Where are you going ?", "तू कुठे/where जात/going आहेस/are ?", [2, 0, 3, 1, 4], [3], [2, False]),
    ],
)
def test_the_light_jumps_back_for_a_verb_and_not_for_another_word(evaluate, english, marathi, seen, verbs, asks):
    target = [dict(zip(("text", "gloss"), f"{word}/".split("/"), strict=False)) for word in marathi.split()]
    source = [{"text": word} for word in english.split()]
    look = json.dumps({"source": source, "target": target, "weights": np.eye(len(source))[seen].tolist()})
    told = evaluate(f"(look => look.target.map((_, t) => asText(tell(look, t, true) ?? [])))({look})")
    assert [t for t, line in enumerate(told) if line.endswith(": Marathi puts its verb last.")] == verbs
    assert evaluate(f"Object.values(puzzleOf({look}))") == asks


def test_each_step_of_a_training_is_told_in_twelve_words_and_counts_the_words_that_look_right(evaluate):
    record = json.loads((PRETRAINED / LEARNING).read_text(encoding="utf-8"))
    sentences = record["sentences"][:30]
    sizes = [(len(sentence["target"]), len(sentence["source"])) for sentence in sentences]
    ends = np.cumsum([rows * columns for rows, columns in sizes])
    steps = [
        [part.reshape(size) for part, size in zip(np.split(numbers, ends), sizes, strict=False)]
        for numbers in (np.frombuffer(base64.b64decode(step["weights"]), np.uint8) for step in record["steps"])
    ]
    shares = [{"weights": [(weights / 255).tolist() for weights in each]} for each in steps]
    known = json.dumps({"sentences": sentences, "steps": shares})
    told = evaluate(
        f"(learning => learning.steps.map((_, step) => learning.sentences.map((_, sentence) => "
        f"asText(tellLearned(learning, {{sentence, step}})))))({known})"
    )
    assert set(told[0]) == {"It knows nothing: where its light falls is chance."}
    for weights, lines in zip(steps[1:], told[1:], strict=True):
        for sentence, seen, line in zip(sentences, weights, lines, strict=True):
            linked = {t for _, t in sentence["links"] if any(map(str.isalnum, sentence["target"][t]))}
            right = [t for t in linked if [int(seen[t].argmax()), t] in sentence["links"]]
            assert line.endswith(f": right for {len(right)} of {len(linked)} words.") and len(line.split()) <= 12


def test_what_the_page_says_of_the_model_in_the_package_is_so():
    pretrained = Translator.load()

    def looked(sentence):
        [best] = pretrained.translate([sentence], beam_size=BEAM_SIZE, merge_subwords=True)
        words = [best.source_tokens[j] for j in best.attention.argmax(1)][:-1]
        return list(zip(best.target_tokens, words, strict=False)), best

    text = browser._read("doubt.html")
    bank, school, name, long = re.findall('data-sentence="([^"]+)"', text)
    assert [english for _, english in looked(EXAMPLE)[0]][-3:] == ["bought", "bought", "."]
    assert [english for _, english in looked(school)[0]] == ["we", "tomorrow", "school", "going", "are", "."]
    assert ("बँक", "bank") in looked(bank)[0] and looked(bank)[1].text == "नदीची बँक लांब आहे."
    preprocessor = pretrained.preprocessor
    assert preprocessor.protect([name])[0].words and "Zorba" not in preprocessor.placeholders.known
    most = zip(looked(long)[1].source_tokens, looked(long)[1].attention[:-1].max(0), strict=True)
    assert {"will", "at", "with"} <= {word for word, weight in most if weight < 0.5}
    assert preprocessor.certainty, "run python -m tools.measure.certainty"
    bands = preprocessor.certainty["bands"]
    for part, whole in (("matched", "sentences"), ("found", "words")):
        shares = [band[part] / band[whole] for band in bands]
        assert shares == sorted(shares, reverse=True)
    assert BEAM_SIZE == PAGE_BEAM_SIZE
