"""Texts as people type them: Python, the page and the SavedModel give the same translations, names and numbers too."""

import functools
import re

import numpy as np
import pytest
import tensorflow as tf
from page_models import made, named

from nmt_attention.decoding import sentences
from nmt_attention.decoding.sentences import TextTranslator
from nmt_attention.deploy.browser import page_model
from nmt_attention.deploy.export import ExportedTranslator
from nmt_attention.names.placeholders import ALL_SYMBOLS, reveal
from nmt_attention.translate import Translation, Translator
from tools.browser.javascript import Engine, differs

TYPED = [
    *("I read books", "where is the school", "Is it a book", "Isn’t the boy here", "What's this", "island", "READ"),
    *(
        "I read,",
        "I read -",
        "  I read;  ",
        "I read…",
        "I read.)",
        '"I read"',
        "“Where is the book”",
        "I read.\n",
        "is",
    ),
    "The boy goes. The girl reads a book! Where is the school? I read",
    *(
        "the boy goes. the girl reads",
        "The boy goes. the girl reads",
        "Go.\tRead.\nGo",
        "Go.\u00a0Read.",
        "Go...  Read?!",
    ),
    *(
        "Mr. Rao goes. Read.",
        "Dr. Rao and Mrs. Rao read",
        "He reads in the U.S. now.",
        "J. R. R. reads. Go!",
        "a.b. c. D.",
    ),
    *("Read, e.g. now. Go etc. The boy reads.", 'He reads, "Go. Read." Then he goes.', "“Go. Read.” He goes."),
    *(
        "«Go. Read.» He goes. Go.",
        "Go.” Go. Read.",
        "1. Go. 2. Read.",
        "1. 2. Go",
        "No. 5 goes. No. He reads.",
        "Go. (Read)",
    ),
    *("12345", "10:45", "3.5 - 2", "😀", "😀🎉 12", "", " \t", "...", "?", "½ x", "²", "१२", "Go. 'Read' now. _Go. x"),
    *(
        "मी जातो",
        "मुलगा जातो. मुलगी वाचते",
        "मुलगा जातो।  मुलगी वाचते",
        "the Word. Élan goes. école reads.",
        "Go.X. Y",
        "Mr.",
    ),
    *("I paid 250 rupees", "The boy goes at 10:45.", "It is 3.5. Read 12,345 books", "12.5x", "Rahul goes to Satara"),
    *(
        "rahul goes to satara, hunt and rahul hunt",
        "Rahul goes. Zorba reads. Is Hunt here",
        "Rahul Wadekar reads a scooter",
        "Zorba's book",
        "Recite the book",
        "Recite",
    ),
    *(
        "Wadia 7 Zubin 8 goes",
        "7 Zorba",
        "RAHUL reads",
        "Rahul\tHunt reads",
        "(Rahul) “Hunt” reads",
        "Go! Zubin is here.",
    ),
    *("I read 😀", "😀 I read books. 🎉🎉", "• I read", "I ❤️ books 😊 I read", "<b>I read</b>", "I <b>read</b> books."),
    *("I read books.[1]", "I read [1] books", "**I read** books", "I **read**", "## `I read`", "I read :-)", "→ Go. ←"),
    *('"I read books."', "“I read books”", "'Isn't the boy here?'", "«I read.»", '"I read," he said.'),
    *(
        "Go... I read",
        "I read… Go…",
        "I go... read",
        "...Go",
        "Go?? Go!!! Go?! Go!?..",
        "Is it a book ? I go .",
        "Go.Read",
    ),
    *(
        "I dont read",
        "IM the boy",
        "thx, u r the boy.",
        "R u ok?",
        "lets go",
        "DONT GO",
        "I've gotta go",
        "u.com, im@x.org",
    ),
    *("MAN: I read. A: Go", "(2) Go", "[3] Go", "I read,now.Go?Read!I go", "* *Go*", "Go.<br>Read"),
    *(
        "Mr. Zubin and Mrs Rao",
        "Is Dr. Hunt in the U.S.?",
        "I go to the USA, Go！ Go？",
        "I live in the UK.",
        "½ book. U.S.A. 2½",
    ),
    *("Bonjour", "Ich heiße Rahul", "• Hola, Rahul ! 😀", "Er ist im Haus ?", "Gracias, boy", "thx u", "Zorba"),
    *("\ue000 Zorba \ue003\uf8ff reads\ue00e", "A1 and x2", "Is Zubin the boy?", "25% of 250", "At 17:30:15, read"),
]
SPELLED = {
    **{"250": "२५०", "10:45": "१०:४५", "3.5": "३.५", "12,345": "१२,३४५", "17:30:15": "१७:३०:१५"},
    **{"Rahul": "राहुल", "rahul": "राहुल", "Satara": "सातारा", "scooter": "स्कूटर"},
}


@functools.cache
def of_texts():
    """A model that takes texts and hides names, as the package, the page and a SavedModel have it."""
    _, plain = named("untrained")
    parts = plain.model, plain.source_tokenizer, plain.target_tokenizer, plain.around
    translator = TextTranslator(*parts)
    return translator, Engine(translator), ExportedTranslator(*parts, of_texts=True)


@pytest.mark.parametrize("beam_size", [1, 3])
def test_the_page_translates_texts_as_python_does(beam_size):
    translator, engine, _ = of_texts()
    texts = TYPED if beam_size == 1 else TYPED[16::3]
    expected = translator.n_best(texts, beam_size=beam_size)
    in_words = translator.n_best(texts, beam_size=beam_size, merge_subwords=True)
    for text, translations, of_words in zip(texts, expected, in_words, strict=True):
        found = engine.translate(text, beamSize=beam_size)
        assert differs(found, translations) == "", text
        assert differs([hypothesis | hypothesis["words"] for hypothesis in found], of_words) == "", text


# What a SavedModel lacks: lists, accents, codes, other scripts, addresses, and forms of numbers.
MORE = re.compile(r"[\u00c0-\u024f\u0370-\u0963\u0970-\u1dbf]|[A-Za-z]\d|@|\d[x%]|\d, | 7 |“")
PLAIN = [text for text in TYPED if not MORE.search(text)]


def test_a_saved_model_translates_texts_as_python_does(monkeypatch):
    translator, _, exported = of_texts()
    monkeypatch.setattr(translator, "_keep_names", lambda *_, **__: None)  # a SavedModel searches once
    monkeypatch.setattr(sentences, "is_foreign", lambda *_: False)
    found = {name: tensor.numpy() for name, tensor in exported(tf.constant(PLAIN)).items()}
    for i, translation in enumerate(translator.translate(PLAIN)):
        assert found["text"][i].decode() == translation.text, translation.source
        for name in ("source_tokens", "target_tokens"):
            tokens, theirs = [token.decode() for token in found[name][i]], getattr(translation, name)
            assert tokens == theirs + [""] * (len(tokens) - len(theirs)), translation.source
        np.testing.assert_allclose(found["score"][i], translation.score, rtol=1e-4, atol=1e-4)
        expected = np.zeros(found["attention"][i].shape)
        expected[: len(translation.target_tokens), : len(translation.source_tokens)] = translation.attention
        np.testing.assert_allclose(found["attention"][i], expected, atol=1e-5)


def test_a_saved_model_hides_what_python_hides():
    translator, _, exported = of_texts()
    found = [tensor.numpy() for tensor in exported.names.hide(tf.constant(PLAIN))]
    for i, expected in enumerate(translator.around.hide(PLAIN)):
        words, spelled = (dict(zip(ALL_SYMBOLS, map(bytes.decode, table[i]), strict=True)) for table in found[1:])
        words = {symbol: word for symbol, word in words.items() if word}
        spelled = {symbol: spelled[symbol] for symbol in words}
        assert (found[0][i].decode(), words, spelled) == (expected.text, expected.words, expected.spelled), PLAIN[i]


def test_names_and_numbers_are_written_by_table():
    _, _, exported = of_texts()
    spelled, _ = exported.names.spell(tf.constant(list(SPELLED)))
    assert [text.decode() for text in spelled.numpy()] == list(SPELLED.values())


@pytest.mark.parametrize("following", ["ला", "ही", "च", "च्या", " ला", "त.", "", "ही{man}ला", "{man}त{place}चा"])
def test_a_saved_model_writes_places_in_their_oblique(following):
    translator, _, exported = of_texts()
    sentence = "Satara goes to Rahul"
    (hidden,) = translator.around.hide([sentence])
    place, man = hidden.words
    tokens = [place, following.format(place=place, man=man), man, "ला"]
    text = "".join(tokens)
    expected = reveal(Translation("", text, [place], tokens, np.zeros((0, 0)), 0.0), sentence, hidden)
    given = (tf.constant([text]), tf.constant([tokens]), tf.constant([[place]]))
    found = exported.names.reveal(exported.names.hide(tf.constant([sentence])), *given)
    texts, targets, sources = ([t.decode() for t in np.ravel(tensor.numpy())] for tensor in found)
    assert texts == [expected.text] and targets == expected.target_tokens and sources == ["Satara"]


def test_the_ready_model_keeps_numbers_and_names_in_a_saved_model():
    ready = Translator.load()
    parts = ready.model, ready.source_tokenizer, ready.target_tokenizer, ready.around
    exported = ExportedTranslator(*parts, isinstance(ready, TextTranslator))
    texts = ["I paid 250 rupees.", "The meeting starts at 10:45.", "Rahul met Zubin. I like tea", "I went to Pune."]
    found = [text.decode() for text in exported(tf.constant(texts))["text"].numpy()]
    assert found == [translation.text for translation in ready.translate(texts)]
    for text, written in zip(found, ("२५०", "१०:४५", "राहुल", "पुण्याला"), strict=True):
        assert written in text


def test_a_model_of_sentences_takes_a_text_for_one():
    engine, translator = made("conditional")
    assert page_model(translator)["sentences"] is None
    text = "The boy goes. The girl reads"
    (found,) = engine.translate(text)
    assert found["sourceTokens"] == translator.source_tokenizer.tokenize(text)
