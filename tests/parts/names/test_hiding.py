import pytest

from nmt_attention.names.hiding import find_hideable, hide, make_hider
from nmt_attention.names.lists import Name
from nmt_attention.preprocess.protect import ALL_SYMBOLS, SYMBOLS
from nmt_attention.spelling import normalize

TOM, MARY, BOSTON = Name("Tom", "टॉम", "m"), Name("Mary", "मेरी", "f"), Name("Boston", "बॉस्टन", "place")
BUS, SHARMA = Name("bus", "बस", "word"), Name("Sharma", "शर्मा", "surname")
NAMES = [TOM, MARY, BOSTON, BUS, SHARMA, Name("Jim", "जिम", "m"), Name("Jackson", "जॅक्सन", "surname")]
BY_ENGLISH = {name.english: name for name in NAMES}
M, F, PLACE, WORD, NUMBER = (SYMBOLS[kind] for kind in ("m", "f", "place", "word", "number"))


@pytest.mark.parametrize(
    ("pair", "found"),
    [
        (("Tom met Mary.", "टॉम मेरीला भेटला."), [TOM, MARY]),
        (("Tom's bus is in Boston.", "टॉमची बस बॉस्टनमध्ये आहे."), [TOM, BUS, BOSTON]),
        (("Tom met Mary.", "टॉम तिला भेटला."), [TOM]),  # not on the other side
        (("Sit down, Tom.", "बस खाली, टॉम."), [TOM]),  # sit is बस, but no bus
        (("The bus sat down.", "बसली."), []),  # another word
        (("Tom Sharma is here.", "टॉम शर्मा इथे आहे."), []),  # a full name
        (("It is 7:45 in room 12.", "१२ नंबरच्या खोलीत ७:४५ वाजले आहेत."), ["7:45", "12"]),
        (("It is 7.", "१७ वाजले."), []),
        (("Buses, Toms and Tomtom.", "बस टॉम"), []),
        (("Tom is here.", "टॉमी इथे आहे."), []),  # another name
        (("I gave Mary a book.", "मी मेरींना पुस्तक दिलं."), []),  # an ending that the name changes for
        (("Tom and Tommy left.", "टॉम आणि टॉमी गेले."), []),  # which of the two words is Tom?
        (("tom calls Mary-Ann.", "टॉम मेरीला बोलवतो."), []),
        (("Jackson, Tom Jackson.", "जॅक्सन, टॉम जॅक्सन."), []),
        (("Mary met Tom, and Tom left.", "मेरी टॉमला भेटली, आणि टॉम गेला."), [MARY, TOM]),
    ],
)
def test_words_that_can_be_hidden_are_on_both_sides(pair, found):
    assert [name if name in NAMES else name.english for name in find_hideable(pair, BY_ENGLISH)] == found


def test_suffixes_and_possessives_stay_and_a_name_is_found_however_it_is_spelled():
    pair = ("Tom's bus came at 7:45, Tom.", "टॉमची बस ७:४५ला आली, टॉम.")
    symbols = dict(zip(find_hideable(pair, BY_ENGLISH), [M[1], WORD[0], NUMBER[2]], strict=True))
    source, target = hide(pair, symbols)
    assert source == f"{M[1]}'s {WORD[0]} came at {NUMBER[2]}, {M[1]}."
    assert target == f"{M[1]}ची {WORD[0]} {NUMBER[2]}ला आली, {M[1]}."
    anna = Name("Anna", "ॲना", "f")
    for spelling in ("ॲना", "अ\u200dॅना", "अॅना"):
        pair = "Anna is here.", normalize(f"{spelling}ला बोलव.")
        assert find_hideable(pair, {"Anna": anna}) == [anna]
        assert hide(pair, {anna: F[0]}) == (f"{F[0]} is here.", f"{F[0]}ला बोलव.")


PAIRS = [("Tom is here.", "टॉम इथे आहे."), ("I am here.", "मी इथे आहे."), ("Mary saw Tom.", "मेरीने टॉमला पाहिलं.")]
ALL, KNOWN = range(3), {"tom", "mary"}


def test_the_share_and_the_seed_decide_what_is_hidden():
    always = make_hider(PAIRS, NAMES, KNOWN, 1, [])("1 0", ALL)
    assert always[1] == PAIRS[1]
    assert always[0][0].lstrip("".join(M)) == " is here."
    assert always[2][0][0] in F and always[2][0][-2] in M
    hider = make_hider(PAIRS * 100, NAMES, KNOWN, 0.5, [])
    rows = range(300)
    assert hider("1 0", rows) == hider("1 0", rows) != hider("1 1", rows)
    assert hider("1 0", rows[7::5]) == hider("1 0", rows)[7::5]  # whatever others are asked for
    hidden = sum(not set(ALL_SYMBOLS).isdisjoint(source) for source, _ in hider("1 0", rows))
    assert 100 < hidden < 160  # of 200 pairs with one or two names
    assert {source[0] for source, _ in hider("1 0", rows[::3])} == {"T", *M}  # every symbol is drawn
    assert make_hider(PAIRS, NAMES, KNOWN, 0, [])("1 0", ALL) == PAIRS
    ((unknown, _),) = make_hider(PAIRS[:1], NAMES, {"mary"}, 0, [])("1 0", [0])  # what the model does not know: always
    assert unknown[0] in M


def test_no_pair_becomes_a_hidden_sentence_that_is_scored():
    held_out = [("Mary is here!", "ती आली."), ("Tom was seen by Mary.", "टॉमने मेरीला पाहिलं")]
    hider = make_hider(PAIRS, NAMES, KNOWN, 1, held_out)
    assert [hider(str(seed), ALL) for seed in range(9)] == [PAIRS] * 9  # the first has its source, the third its target
