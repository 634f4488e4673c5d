import pytest

from nmt_attention.alignment.links import given_links, pair_words
from nmt_attention.corpus import Pair


def test_words_of_the_source_are_in_lower_case():
    assert pair_words(("The Houses.", "घरी ये.")) == (["the", "houses", "."], ["घरी", "ये", "."])


def test_links_given_with_every_pair_are_sure_ones_or_else_possible_ones():
    pairs = [Pair("a b c", "x y z", "0-0 S:1-1 P:2-1 P:1-2 P:2-2"), Pair("a", "x", "0-0")]
    assert given_links(pairs) == [{(0, 0), (1, 1), (1, 2), (2, 2)}, {(0, 0)}]
    assert given_links([*pairs, Pair("b", "y", "")]) == [*given_links(pairs), set()]
    for other, reason in (("0:1", "link '0:1'"), ("0-1", "outside the sentences, which have 1 and 1 words")):
        with pytest.raises(ValueError, match=f"links of 'b', 'y': .*{reason}"):
            given_links([*pairs, Pair("b", "y", other)])


def test_a_third_column_that_is_an_attribution_gives_no_links():
    other = [Pair("b", "y", "CC-BY 2.0 (France) Attribution: tatoeba.org #1 (CK) & #2 (sabretou)")] * 2
    assert given_links(other) == given_links([*other, Pair("a", "x", "0-0")]) == given_links([]) == []
