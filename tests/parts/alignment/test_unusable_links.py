"""Links in a third column are used, or it is said why not."""

import re

import pytest

from nmt_attention.alignment.aligner import Aligner
from nmt_attention.alignment.links import given_links, read_given_links
from nmt_attention.disk.fetch import load_corpus

BOOK = load_corpus("phrasebook")[:200]


def moved(links, source, target):
    return re.sub(r"(\d+)-(\d+)", lambda link: f"{int(link[1]) + source}-{int(link[2]) + target}", links)


def short(links):
    """Without the links of the first and the last words, so that counting from 1 leaves none outside."""
    return "1-1 2-2"


@pytest.mark.parametrize(
    ("change", "why_not"),
    [
        (lambda i, links: moved(links, 1, 1), r"200 pairs have one that does not fit, such as .*counted from 0"),
        (lambda i, links: moved(links, 50, 0), r"200 pairs have one that does not fit, such as"),
        (lambda i, links: short(links), "no word has the number 0; words are counted from 0"),
        (lambda i, links: links * (i % 3 == 0), "67 of 200 pairs have some, fewer than half"),
        (lambda i, links: moved(links, 99, 9) * (i % 3 == 0), "67 of 200 pairs have some, fewer than half"),
        (lambda i, links: "", "^$"),
        (lambda i, links: "CC-BY 2.0 (France) #1 & #2", "^$"),
        (lambda i, links: "2019-05-03", "^$"),
        (lambda i, links: "0.93", "^$"),
    ],
)
def test_links_that_are_not_used_are_said_so(change, why_not):
    pairs = [pair._replace(attribution=change(i, pair.attribution)) for i, pair in enumerate(BOOK)]
    links, reason = read_given_links(pairs)
    assert links == given_links(pairs) == [] and re.search(why_not, reason)


def test_links_that_fit_are_used_from_any_iterable():
    links = given_links(BOOK)
    assert len(links) == len(BOOK) and all(links)
    assert given_links(tuple(pair) for pair in BOOK) == links


def test_one_wrong_link_among_good_ones_is_refused_with_its_sentences():
    pairs = [*BOOK[:-1], BOOK[-1]._replace(attribution="99-0")]
    with pytest.raises(ValueError, match=rf"links of '{re.escape(BOOK[-1].source)}'.*counted from 0"):
        given_links(pairs)


def test_the_aligner_counts_pairs_that_are_too_long_to_learn_from(caplog):
    caplog.set_level("INFO", "nmt_attention")
    pairs = [tuple(pair[:2]) for pair in BOOK]
    long = (" ".join(["word"] * 101), "शब्द")
    assert Aligner(iter([*pairs, long])).align(pairs[:5]) == Aligner(pairs).align(iter(pairs[:5]))
    assert "1 of 201 pairs teach the aligner nothing: a side has more than 100 words" in caplog.messages
    with pytest.raises(TypeError, match="^pairs: expected .* got a str as no. 1"):
        Aligner(pairs[0])
