"""Links given with a corpus: they are used, or it is said why not."""

import re

import pytest

from nmt_attention import Pair, load_corpus
from nmt_attention.alignment.links import given_links, pair_words, read_given_links

BOOK = load_corpus("phrasebook")[:200]


def test_words_of_the_source_are_in_lower_case_and_letters_without_spaces_are_words():
    assert pair_words(("The Houses.", "घरी ये.")) == (["the", "houses", "."], ["घरी", "ये", "."])
    for text, words in {"私は猫。": "私 は 猫 。", "ที่นี่ 3.5": "ที่ นี่ 3.5", "我看见cat。": "我 看 见 cat 。"}.items():
        assert pair_words(("", text))[1] == words.split()


def test_links_given_with_every_pair_are_sure_ones_or_else_possible_ones():
    pairs = [Pair("a b c", "x y z", "0-0 S:1-1 P:2-1 P:1-2 P:2-2"), Pair("a", "x", "0-0")]
    assert given_links(pairs) == [{(0, 0), (1, 1), (1, 2), (2, 2)}, {(0, 0)}]
    assert given_links([*pairs, Pair("b", "y", "")]) == [*given_links(pairs), set()]
    assert given_links([Pair("a b", "x y", "0-0:0.95 1-0:.5 1-1:0.49")]) == [{(0, 0), (1, 0), (1, 1)}]
    assert given_links([Pair("a b", "x y", "0-0:1 1-0:0.2")]) == [{(0, 0)}]  # with their probabilities
    for other, reason in (("0-0:7", "link '0-0:7'"), ("0-1", "outside the sentences, which have 1 and 1 words")):
        with pytest.raises(ValueError, match=f"links of 'b', 'y': .*{reason}"):
            given_links([*pairs, Pair("b", "y", other)])
    assert all(given_links(tuple(pair) for pair in BOOK))


def moved(links, source, target):
    return re.sub(r"(\d+)-(\d+)", lambda link: f"{int(link[1]) + source}-{int(link[2]) + target}", links)


@pytest.mark.parametrize(
    ("change", "why_not"),
    [
        (lambda i, links: moved(links, 1, 1), r"200 pairs have one that does not fit, such as .*counted from 0"),
        (lambda i, links: "1-1 2-2", "no word has the number 0; words are counted from 0"),  # none is outside
        (lambda i, links: links * (i % 3 == 0), "67 of 200 pairs have some, fewer than half"),
        (lambda i, links: "CC-BY 2.0 (France) #1 & #2", "^$"),
        (lambda i, links: "2019-05-03", "^$"),
    ],
)
def test_links_that_are_not_used_are_said_so(change, why_not):
    pairs = [pair._replace(attribution=change(i, pair.attribution)) for i, pair in enumerate(BOOK)]
    links, reason = read_given_links(pairs)
    assert links == given_links(pairs) == [] and re.search(why_not, reason)
