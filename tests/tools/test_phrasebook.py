"""The embedded corpus: what its file promises, checked on the generator's output."""

import collections
import itertools
import os
import re
import subprocess
import sys

import pytest

from nmt_attention.corpus import Pair, sentence_key, split_pairs
from nmt_attention.names.lists import held_out, read_names
from nmt_attention.spelling import is_mark, normalize
from nmt_attention.text import WordTokenizer
from tools.demo import DEMO, read_sentences
from tools.phrasebook import compose
from tools.phrasebook.compose import SHOWN, build_phrasebook, format_links, write_phrasebook
from tools.phrasebook.grammar import agree, article, ergative_past, future, past, present, skilled
from tools.phrasebook.lexicon import ADJECTIVES, NAMES, NOUNS, POSSESSIVES, VERBS

ENGLISH = WordTokenizer(["<pad>", "<start>", "<end>", "<unknown>"], fold_case=True)
MARATHI = WordTokenizer(["<pad>", "<start>", "<end>", "<unknown>"])


@pytest.fixture(scope="module")
def phrases():
    return build_phrasebook()


@pytest.fixture(scope="module")
def by_english(phrases):
    table = collections.defaultdict(list)
    for phrase in phrases:
        table[phrase.english].append(phrase)
    return table


def test_file_is_what_the_generator_writes(tmp_path):
    """Another process, another hash seed: the same bytes; nothing temporary is left."""
    path = tmp_path / "new" / "phrasebook.tsv"
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run(
        [sys.executable, "-m", "tools.phrasebook", str(path)], check=True, env=environment, capture_output=True
    )
    assert path.read_bytes() == compose.DEFAULT_PATH.read_bytes()
    assert list(path.parent.iterdir()) == [path]


def test_lines_are_the_phrases(phrases):
    lines = compose.DEFAULT_PATH.read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(phrases)
    for line, phrase in zip(lines, phrases, strict=True):
        assert line == f"{phrase.english}\t{phrase.marathi}\t{format_links(phrase)}"


def test_readmes_give_its_size_as_it_is(phrases):
    split = split_pairs([Pair(phrase.english, phrase.marathi) for phrase in phrases])
    data = (compose.DEFAULT_PATH.parent / "README.md").read_text(encoding="utf-8")
    project = (compose.DEFAULT_PATH.parent.parent / "README.md").read_text(encoding="utf-8")
    frames = collections.Counter(phrase.frame for phrase in phrases)
    forms = {word for phrase in phrases for word in MARATHI.tokenize(phrase.marathi) if not is_mark(word)}
    size = f"{len(phrases):,} pairs in {len(frames)} frames, none with more than 4 % of them; {len(forms)} Marathi word"
    assert max(frames.values()) <= 0.04 * len(phrases)
    assert size in " ".join(data.split()) and f"| {len(phrases):,} composed sentence pairs" in data
    assert f"A phrasebook of {len(phrases):,} composed sentence pairs" in project
    assert f"--alignments data/phrasebook.tsv` | {len(split.dev) + len(split.test):,} |" in project


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "phrasebook.tsv"
    path.write_text("old")

    def fail():
        raise OSError("no")

    monkeypatch.setattr(compose, "build_phrasebook", fail)
    with pytest.raises(OSError):
        write_phrasebook(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_size_and_variety(phrases):
    assert len({(p.english, p.marathi) for p in phrases}) == len(phrases) >= 12_000
    assert compose.DEFAULT_PATH.stat().st_size < 2_000_000
    frames = collections.Counter(p.frame for p in phrases)
    assert len(frames) >= 60
    assert max(frames.values()) <= len(phrases) / 10
    lengths = [len(ENGLISH.tokenize(p.english)) for p in phrases]
    assert max(lengths) >= 15


@pytest.mark.parametrize("side", ["english", "marathi"])
def test_each_form_is_shown_often_enough(phrases, side):
    tokenizer = ENGLISH if side == "english" else MARATHI
    counts = collections.Counter(token for p in phrases for token in set(tokenizer.tokenize(getattr(p, side))))
    assert min(counts.values()) >= 5
    assert side == "english" or len(counts) >= 400


def test_one_translation_as_a_rule(phrases, by_english):
    several = [p for p in phrases if len(by_english[p.english]) > 1]
    assert 0 < len(several) < 0.03 * len(phrases)
    assert all(any(p.frame == "woman_speaking" for p in by_english[q.english]) for q in several)


def test_text_is_normal(phrases):
    for p in phrases:
        assert normalize(p.english) == p.english and normalize(p.marathi) == p.marathi
        assert ENGLISH.detokenize(ENGLISH.tokenize(p.english)) == normalize(p.english, fold_case=True)
        assert MARATHI.detokenize(MARATHI.tokenize(p.marathi)) == p.marathi
        assert p.english.isascii() and not any(c.isascii() and c.isalnum() for c in p.marathi)
        assert p.english[-1] == p.marathi[-1] in ".?"


def test_alignment_covers_every_word(phrases):
    for p in phrases:
        english, marathi = ENGLISH.tokenize(p.english), MARATHI.tokenize(p.marathi)
        links = p.sure + p.possible
        assert list(p.sure) == sorted(set(p.sure)) and list(p.possible) == sorted(set(p.possible) - set(p.sure))
        ones, others = ({link[side] for link in links} for side in (0, 1))
        assert ones == set(range(len(english))), p
        assert {marathi[j + 1] for j in set(range(len(marathi))) - others} <= {"कारण"}, p  # after an unlinked comma
        assert all((english[i] in ".,?") == (marathi[j] in ".,?") for i, j in links), p
        assert all(english[i] == marathi[j] for i, j in p.sure if english[i] in ".,?"), p


def test_order_differs(phrases):
    def crosses(links):
        return any(a < c and b > d for a, b in links for c, d in links)

    assert sum(crosses(p.sure) for p in phrases) > 0.8 * len(phrases)


def test_split_keeps_groups_small(phrases):
    pairs = [Pair(p.english, p.marathi) for p in phrases]
    split = split_pairs(pairs)
    assert [round(100 * len(part) / len(pairs)) for part in split] == pytest.approx([90, 5, 5], abs=1)
    group = {}
    for pair in pairs:  # a sentence's group is the one list that all its partners share
        ones = group.setdefault(sentence_key(pair.source), [])
        others = group.setdefault(sentence_key(pair.target), [])
        ones.append(pair)
        if ones is not others:
            ones.extend(others)
            for other in others:
                group[sentence_key(other.source)] = group[sentence_key(other.target)] = ones
            group[sentence_key(pair.target)] = ones
    assert max(len(members) for members in group.values()) < 60


SENTENCES = [
    ("Tom is an honest boy.", "टॉम प्रामाणिक मुलगा आहे.", "0-0 1-3 P:2-2 3-1 4-2 5-4"),
    ("I like tea.", "मला चहा आवडतो.", "0-0 1-2 2-1 3-3"),
    ("Where are my books?", "माझी पुस्तकं कुठे आहेत?", "0-2 1-3 2-0 3-1 4-4"),
    ("My friend can't swim.", "माझ्या मित्राला पोहता येत नाही.", "0-0 1-1 2-3 2-4 3-2 4-5"),
    ("Dad is cleverer than her.", "बाबा तिच्यापेक्षा हुशार आहेत.", "0-0 1-3 2-2 3-1 4-1 5-4"),
]


@pytest.mark.parametrize("english, marathi, links", SENTENCES)
def test_known_sentences(by_english, english, marathi, links):
    phrase = by_english[english][0]
    assert phrase.marathi == marathi
    assert format_links(phrase) == links


def test_inflection():
    assert [agree("चांगल", form) for form in ("ms", "fs", "ns", "mp", "fp", "np")] == (
        ["चांगला", "चांगली", "चांगलं", "चांगले", "चांगल्या", "चांगली"]
    )
    assert agree("पांढर", "fp") == "पांढऱ्या"
    eat, go, buy = VERBS["eat"], VERBS["go"], VERBS["buy"]
    persons = ("1ms", "1fs", "2ms", "2fs", "2mp", "3ns", "3fp")
    assert [present(eat, who) for who in persons] == ["खातो", "खाते", "खातोस", "खातेस", "खाता", "खातं", "खातात"]
    assert [future(go, who) for who in persons] == ["जाईन", "जाईन", "जाशील", "जाशील", "जाल", "जाईल", "जातील"]
    assert [past(go.past, who) for who in persons] == ["गेलो", "गेले", "गेलास", "गेलीस", "गेलात", "गेलं", "गेल्या"]
    assert ergative_past(buy, "fs") == "विकत घेतली"
    assert ergative_past(eat, "ns", "2ms") == "खाल्लंस"
    assert [skilled(VERBS[verb]) for verb in ("swim", "write", "read")] == ["पोहता", "लिहिता", "वाचता"]


def words(phrase):
    return MARATHI.tokenize(phrase.marathi)


def test_ergative(phrases):
    """मी and आम्ही take no -ने; everybody else does."""
    for p in phrases:
        if p.frame == "did":
            plain = words(p)[0] in ("मी", "आम्ही")
            assert plain == (p.english.split()[0] in ("I", "We")), p
            assert plain or any(word.endswith(("ने", "नी")) for word in words(p)[:2]), p


def test_negation_and_questions(phrases):
    for p in phrases:
        english, marathi = ENGLISH.tokenize(p.english), words(p)
        denies = {"not", "cannot", "can't", "don't", "doesn't"} & set(english)
        assert bool(denies) == any(w.startswith(("नाही", "नव्ह", "नको", "नका")) for w in marathi), p
        if english[0] in {"is", "are", "do", "does", "did", "will", "can"}:
            assert marathi[-2] == "का", p


# --- What is shown of a model is not in its corpus --------------------------------------------------------------------


def test_the_demos_sentences_are_among_those_left_out():
    demo = read_sentences(DEMO)
    assert len(demo) == 10
    assert {sentence.english: sentence.references[0] for sentence in demo}.items() <= SHOWN.items()


def test_no_name_that_counts_as_unseen_occurs(phrases):
    """The phrasebook may be trained on besides the corpus, and names that are held out must stay unseen."""
    unseen = {name.english for name in read_names() if name.kind != "word" and held_out(name)}
    assert unseen and not [p for p in phrases if unseen & set(re.findall(r"\w+", p.english))]


def test_no_sentence_that_is_shown_occurs_with_whatever_name(phrases):
    """Training swaps names of one gender, so that "Amit can't swim." would become "Tom can't swim."."""
    english = re.compile(rf"\b({'|'.join(name.lower() for name in NAMES)})\b")
    marathi = re.compile("|".join(person.nominative for person in NAMES.values()))  # whatever is written onto it

    def unnamed(text, name):
        return f" {name.sub('X', sentence_key(text))} "

    shown = {unnamed(text, english) for text in SHOWN}
    seen = {unnamed(p.english, english) for p in phrases}
    assert not any(text in sentence for sentence in seen for text in shown), "not as a part of one, either"
    assert {unnamed(text, marathi) for text in SHOWN.values()}.isdisjoint(unnamed(p.marathi, marathi) for p in phrases)


def test_every_word_that_is_shown_occurs_often_enough(phrases):
    for shown, tokenizer, side in ((SHOWN, ENGLISH, "english"), (SHOWN.values(), MARATHI, "marathi")):
        counts = collections.Counter(token for p in phrases for token in set(tokenizer.tokenize(getattr(p, side))))
        assert {word: counts[word] for text in shown for word in tokenizer.tokenize(text) if counts[word] < 5} == {}


# --- Mistakes that were in the file once, looked for in all rows ------------------------------------------------------


def test_articles_go_by_sound(phrases):
    assert [article(word) for word in ("egg", "honest boy", "house", "red umbrella")] == (
        ["an egg", "an honest boy", "a house", "a red umbrella"]
    )
    silent = {"honest"}
    for p in phrases:
        for before, word in itertools.pairwise(ENGLISH.tokenize(p.english)):
            if before in ("a", "an"):
                assert (before == "an") == (word[0] in "aeiou" or word in silent), p


def test_ill_stands_before_no_noun_and_no_english_is_literal(phrases):
    nouns = {form for noun in NOUNS.values() for form in (noun.en, noun.en_plural)}
    for p in phrases:
        english = ENGLISH.tokenize(p.english)
        assert not any(a == "ill" and b in nouns for a, b in itertools.pairwise(english)), p
        assert not {"lesson", "lessons"} & set(english), p
        assert not re.search(r"\b(cannot|can|will) look for .*(tomorrow|today)|\b(cannot|can) look for", p.english), p
        assert not re.search(r"(likes?) (\w+), but .* not like \2", p.english), p


def clauses(phrase):
    """Returns the subjects of both clauses of a sentence of two, in lower case."""
    english = phrase.english.lower().rstrip(".")
    if phrase.frame in ("both", "but"):
        first, second = re.split(r",? (?:and|but) ", english)
    else:
        first, second = english.removeprefix("when ").removeprefix("if ").split(", ")
    owner = r"(?:the|my|her) "
    return [re.match(rf"(?:yesterday )?((?:{owner})?\w+)", clause)[1] for clause in (first, second)]


def test_a_pronoun_cannot_be_taken_for_somebody_else_who_was_just_named(phrases):
    us, third = {"i", "we"}, {"he", "she", "they"}
    found = collections.Counter()
    for p in phrases:
        if p.frame in ("both", "but", "when_if"):
            one, other = clauses(p)
            found[p.frame] += 1
            assert one != other and not {one, other} <= us, p
            if {one, other} & third:
                assert {one, other} & {"i", "we", "you"}, p
    assert len(found) == 3 and min(found.values()) >= 40


def test_because_takes_up_its_subject_with_the_same_gender_and_respect(phrases):
    takes_up = {"तो": "ता", "ती": "ती", "ते": "ते तं", "त्या": "त्या"}
    for p in phrases:
        match = re.search("कारण (\\S+) आजारी हो(\\S+)\\.", p.marathi)
        if match and match[1] in takes_up:
            assert match[2] in takes_up[match[1]].split() or (match[1], match[2]) == ("ती", "ती"), p


def test_whose_agrees_in_every_gender(phrases):
    counts = collections.Counter(word for p in phrases for word in words(p) if word.startswith("कोणाच"))
    assert min(counts[form] for form in ("कोणाचा", "कोणाची", "कोणाचं")) >= 5


def test_words_that_the_grammar_chose_badly_once_are_not_there(phrases):
    for p in phrases:
        marathi = words(p)
        assert not any(word.startswith("बायक") for word in marathi), p  # also "wives"; स्त्रिया are women
        assert all(marathi[i - 1] == "," for i, word in enumerate(marathi) if word == "कारण"), p
        if p.frame == "possesses" and p.english.endswith(" a brother."):
            assert "एक भाऊ" in p.marathi, p


def test_adjectives_and_possessives_agree_with_the_noun_after_them(phrases):
    kinds = ("ms", "fs", "ns", "mp", "fp", "np")
    stems = [entry.mr for entry in ADJECTIVES.values() if entry.inflects] + list(POSSESSIVES.values())
    form_kinds = collections.defaultdict(set)  # चांगली: of a feminine in the singular, of a neuter in the plural
    for stem, kind in itertools.product(stems, kinds):
        form_kinds[agree(stem, kind)].add(kind)
    direct = collections.defaultdict(set)
    for noun in NOUNS.values():
        direct[noun.mr].add(noun.gender + "s")
        direct[noun.mr_plural].add(noun.gender + "p")
    checked = 0
    for p in phrases:
        for one, noun in itertools.pairwise(words(p)):
            if one in form_kinds and noun in direct:
                checked += 1
                assert form_kinds[one] & direct[noun], p
    assert checked > 500


# --- Links after the guideline of the gold file -----------------------------------------------------------------------


def linked(phrase):
    """Returns a triple for each English word: the word, its sure links and its possible links, as Marathi words."""
    english, marathi = ENGLISH.tokenize(phrase.english), words(phrase)
    return [
        (word, *([marathi[j] for i, j in links if i == place] for links in (phrase.sure, phrase.possible)))
        for place, word in enumerate(english)
    ]


def test_articles_do_and_expletives_are_possible_links(phrases):
    for p in phrases:
        asks = p.english.endswith("?")
        opens = p.english.split()[0].lower() if asks else ""
        table = linked(p)
        for place, (word, sure, possible) in enumerate(table):
            if word == "the" or (word in ("a", "an") and "एक" not in sure):
                assert not sure and possible, p
            elif word == "it" or (word == "there" and place == 0):
                assert not sure and len(possible) == 1, p
            elif word in ("do", "does", "did") and not p.english.endswith("does not."):
                assert p.frame == "but" or not sure, p
                finite = [mr for mr in possible if mr != "का"]
                assert len(finite) == 1, p
                opens_question = asks and table[place - 1][0] in (".", "?", ",")  # the last mark, before the first word
                assert p.frame == "but" or ("का" in possible) == opens_question, p
            if asks and place == 0 and opens in ("is", "are", "can", "will"):
                assert sure and possible == ["का"], p


def test_helping_verbs_and_to_follow_the_guideline(phrases):
    seen = collections.Counter()
    for p in phrases:
        table = linked(p)
        for place, (word, sure, possible) in enumerate(table):
            following = table[place + 1][0] if place + 1 < len(table) else ""
            if word in ("want", "wants") and following == "to":
                seen["want to"] += 1
                assert not sure and len(possible) == 2, p  # V-ायचं and आहे
                assert len(table[place + 1][1]) == 1 and not table[place + 1][2], p  # to: S to V-ायचं
            elif word in ("want", "wants"):
                seen["want"] += 1
                assert len(sure) == 2 and not possible, p  # हवा, आहे
            elif word == "will":
                seen["will"] += 1
                assert len(sure) == 1, p  # the finite word alone
            elif p.frame == "possesses" and word in ("have", "has"):
                seen["have"] += 1
                owner = table[place - 1][1][-1]
                assert len(sure) == 1 and possible == [owner], p
            elif p.frame == "going_to" and (word == "going" or table[place - 1][0] == "going"):
                seen["going to"] += 1
                assert not sure and len(possible) == 1 and possible[0].endswith("णार"), p
            elif word == "not":
                seen["not"] += 1
                assert sure and not possible, p
            elif word == "more":
                seen["more"] += 1
                assert not sure and len(possible) == 2, p
    assert set(seen) == {"want to", "want", "will", "have", "going to", "not", "more"}
