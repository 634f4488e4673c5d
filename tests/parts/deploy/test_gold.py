"""The frames in the page's heatmap: links that somebody has written down, for the very words that are shown."""

import json

import py_mini_racer
import pytest

from nmt_attention.deploy import browser
from tools.demo import DEMO, FREE, read_sentences

GOLD = browser._gold()
SENTENCES = {sentence.english: sentence.references for path in (DEMO, FREE) for sentence in read_sentences(path)}


@pytest.fixture(scope="module")
def page():
    context = py_mini_racer.MiniRacer()
    context.eval("\n".join(browser._read(name) for name in ("stage.js", "explore.js")))
    return lambda text: json.loads(context.eval(f"JSON.stringify({text})"))


def words(texts):
    return json.dumps([{"text": text} for text in texts], ensure_ascii=False)


def merged(source, target, weights):
    return f"{{source: {words(source)}, target: {words(target)}, weights: {json.dumps(weights)}}}"


def test_the_links_are_of_sentences_that_the_demo_has():
    rows = [line.split("\t") for line in browser.GOLD.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    assert len({tuple(row[:2]) for row in rows}) == len(rows) == len(GOLD) >= 30
    assert {english for english, _, _ in rows} <= SENTENCES.keys()
    for english, marathi, _ in rows:
        assert marathi in SENTENCES.get(english, [marathi])


@pytest.mark.parametrize("words", GOLD)
def test_every_word_of_a_translation_has_a_frame(words):
    linked = {int(link.split("-")[1]) for link in GOLD[words]}
    assert linked == set(range(len(words.split("\t")[1].split(" "))))
    assert set(GOLD[words].values()) <= {"sure", "possible"}


def test_frames_are_for_these_words_alone(page):
    gold = json.dumps(GOLD, ensure_ascii=False)
    source, target = ["Rahul", "is", "a", "good", "boy", "."], ["राहुल", "चांगला", "मुलगा", "आहे", "."]
    framed = page(f"[...goldOf({gold}, {merged(source, target, [])})]")
    assert ["0-0", "sure"] in framed and ["2-2", "possible"] in framed and len(framed) == 6
    assert page(f"[...goldOf({gold}, {merged(source, target[:-1], [])})]") == []
    assert page(f"[...goldOf({gold}, {merged(source, ['मुलगी', *target[1:]], [])})]") == []


def test_the_caption_counts_rows_that_look_most_at_a_framed_word(page):
    looks = merged(["it", "rains"], ["पाऊस", "पडतो", "आहे"], [[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]])
    said = page(f"goldInWords(new Map([['1-0', 'sure'], ['1-1', 'sure'], ['0-1', 'possible']]), {looks}.weights)")
    assert " ".join(said.split()).endswith("In 1 of 2 rows the most weight is on a frame.")
    assert page(f"goldInWords(new Map(), {looks}.weights)") == ""
