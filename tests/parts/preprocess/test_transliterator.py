import math

import numpy as np
import pytest
from toys import BEAMS

from nmt_attention.names.lists import KINDS, held_out, read_names
from nmt_attention.names.pretrained import DIRECTORY, as_unlisted, load_transliterator, without_held_out
from nmt_attention.preprocess.transliterator import Transliterator, is_devanagari_word
from nmt_attention.translate import Translation, Translator

UNSEEN = [name for name in read_names() if held_out(name)]


@pytest.fixture(scope="module")
def transliterator():
    return without_held_out(load_transliterator())


def equal(one, other):
    same = one._replace(attention=0, score=0) == other._replace(attention=0, score=0)
    return same and np.allclose(one.attention, other.attention, atol=1e-6) and abs(one.score - other.score) < 1e-4


def test_known_words_are_looked_up_in_any_case(transliterator):
    words = ["Rahul", "PRIYA", "boston", "bus", "BUS", "Patil"]
    found = transliterator.transliterate(words)
    assert [t.source for t in found] == words
    assert [t.text for t in found] == ["राहुल", "प्रिया", "बॉस्टन", "बस", "बस", "पाटील"]
    assert [t.kind for t in found] == ["m", "f", "place", "word", "word", "surname"]


def test_held_out_words_are_looked_up_in_use_and_not_in_measuring(transliterator, pretrained):
    shipped = load_transliterator()
    assert shipped.spell([name.english for name in UNSEEN]) == [name[1:] for name in UNSEEN]
    assert shipped.listed.keys() - transliterator.listed.keys() == {name.english for name in UNSEEN}
    for used in (pretrained, as_unlisted(pretrained)):
        looked_up = [name.english in used.preprocessor.placeholders.transliterator.listed for name in UNSEEN]
        assert all(looked_up) if used is pretrained else not any(looked_up)
    bare = Translator.load(DIRECTORY)
    assert as_unlisted(bare) is bare  # it has no placeholders, so that it looks up nothing


def test_tokens_and_attention_are_the_models(transliterator):
    known, new = transliterator.transliterate(["Rahul", UNSEEN[0].english])
    assert known.source_tokens == list("rahul")
    assert known.target_tokens == ["m", "र", "ा", "ह", "ु", "ल", "<end>"]
    for found in (known, new):
        assert found.attention.shape == (len(found.target_tokens), len(found.source_tokens))
        np.testing.assert_allclose(found.attention.sum(axis=1), 1, atol=1e-5)
        assert found.score < 0
    assert np.argmax(known.attention[1]) == 0 and np.argmax(known.attention[5]) == 4  # र from r, ल from l


def test_a_held_out_word_is_written_by_the_model_and_every_result_is_a_word_in_devanagari(transliterator):
    assert not any(name.english in transliterator.listed for name in UNSEEN)
    strange = ["Qxz", "Aaaaaaa", "B", "Zyx" * 8, "Strength"]
    for found in transliterator.transliterate([*(name.english for name in UNSEEN[:20]), *strange]):
        assert found.kind in KINDS and is_devanagari_word(found.text), found


class Beam:
    """Stands for a `Translator` that has the same hypotheses, with these probabilities, for every word."""

    def __init__(self, probabilities):
        self.hypotheses = [
            Translation("", text, [], [], np.zeros((0, 0)), math.log(p)) for text, p in probabilities.items()
        ]

    def n_best(self, sources, beam_size):
        return [self.hypotheses for _ in sources]


@pytest.mark.parametrize(("probabilities", "expected"), BEAMS)
def test_the_probabilities_of_a_text_with_several_kinds_add_up(probabilities, expected):
    assert Transliterator(lambda: Beam(probabilities), {}).spell(["zorba"]) == [expected]


def test_a_result_does_not_depend_on_the_batch(transliterator):
    words = ["Rahul", *(name.english for name in UNSEEN[:12]), "bus", UNSEEN[3].english, "Constantinopolis"]
    together = transliterator.transliterate(words)
    for word, found in zip(words, together, strict=True):
        (alone,) = transliterator.transliterate([word])
        assert equal(alone, found), word
    assert transliterator.spell(words) == [(t.text, t.kind) for t in together]
    assert transliterator.transliterate([]) == transliterator.spell([]) == []
