"""Writes `data/glosses.tsv`, an English word for each Marathi word form that training pairs say enough about.

python -m tools.data.glosses

`Aligner` links the words of the corpus's training pairs, and the phrasebook comes with links. A form's gloss is the
English word that most of its links lead to, if they agree. What these pairs say too little about is glossed from
`talk.tsv` as well, and from the loan words of `names.tsv`. Words of grammar and light verbs, which translate to no
single English word, are glossed by hand, in `by_hand.tsv`, and the senses of a form that has several: a row without a
gloss says that it has none. A form that differs from a glossed one in its ending alone is glossed by the rows of
`CASES` and `AGREEING`.
"""

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from nmt_attention.alignment.aligner import Aligner
from nmt_attention.alignment.links import given_links, pair_words
from nmt_attention.corpus import Pair, split_pairs
from nmt_attention.disk.fetch import load_corpus
from nmt_attention.disk.files import atomic_write
from nmt_attention.disk.pairs import DATA_DIRECTORY, read_pairs
from nmt_attention.marathi.gloss import GLOSSES
from nmt_attention.names.lists import read_names
from nmt_attention.spelling import has_devanagari, normalize
from nmt_attention.text import WordTokenizer

FEWEST, OF_TALK = 3, 5  # occurrences of a form, and of one that only talk.tsv says enough about
SHARE, OF_ONE = 0.4, 0.2  # of a form's occurrences: those linked to forms of an English word, and to the commonest one
STEM = 4  # letters: think, thinks and thinking agree
VAGUE = """a an the to of in on at for with by from as it do does did be been will would than can have has had if
what when over not no some any all half"""  # which help nobody as glosses, or are half of what a form says
NO_NOUNS = """his their who why how where know hard old own next long upper daily wrong fast related nearest extra
urgent asleep electric medical earring earrings"""  # which a stem may mean, and from which no other form is glossed

# Rows of endings: what they say after a noun's oblique form, and the words of which the sentence has to have one
# (पाण्याशिवाय is "without water"); – stands for none. Rows of endings alone: of verbs, they mean the same, and agree.
ROWS = [row.split("\t") for row in Path(__file__).with_name("endings.tsv").read_text(encoding="utf-8").splitlines()]
ENDINGS, CASES = (
    {ending: row[i] for row in ROWS if row[i:] and row[i] != "–" for ending in row[0].split()} for i in (2, 1)
)
AGREEING = [row[0].split() for row in ROWS if len(row) == 1]
_STEM = re.compile("[अ-ह].*[अ-ह].*(?<!्)")  # two letters: a shorter one may be another word's
_VERBAL = re.compile(".*(?:ल्या|ण्या|च्या|य)")  # of stems: बघितल्यावर is *after watching*


def make_glosses(pairs: Iterable[Pair], linked_pairs: Iterable[Pair] = (), fewest: int = FEWEST) -> dict[str, str]:
    """Returns a gloss for each Marathi word form, sorted; those by hand have precedence.

    Args:
        pairs: training pairs of a corpus without links.
        linked_pairs: pairs that come with their links, as the phrasebook's.
        fewest: occurrences of a form.
    """
    pairs, linked_pairs = list(pairs), list(linked_pairs)
    links_of_all = [*Aligner(pairs).align(pairs), *given_links(linked_pairs)]
    cases: defaultdict[str, Counter[str]] = defaultdict(Counter)  # how a word is written inside sentences
    linked: defaultdict[str, Counter[str]] = defaultdict(Counter)
    beside: defaultdict[str, Counter[str]] = defaultdict(Counter)  # the English words of its sentences
    seen: Counter[str] = Counter()
    for pair, links in zip([*pairs, *linked_pairs], links_of_all, strict=True):
        english, marathi = pair_words(pair)
        for word in WordTokenizer.split(normalize(pair.source))[1:]:
            cases[word.lower()][word] += 1
        sources: defaultdict[int, list[str]] = defaultdict(list)
        for i, j in links:
            sources[j].append(english[i])
        for j, form in enumerate(marathi):
            seen[form] += 1
            beside[form].update(set(english))
            for word in sources[j]:
                linked[form][word] += 1 / len(sources[j])
    found = {form: _gloss(linked[form], seen[form]) for form in seen if has_devanagari(form) and seen[form] >= fewest}
    glosses = {
        form: " ".join(dict.fromkeys([*_ending(form, beside[form], seen[form]), _written(word, cases)]))
        for form, word in found.items()
        if word
    }
    glosses |= by_hand()
    return dict(sorted((form, gloss) for form, gloss in glosses.items() if gloss))


def _gloss(words: Mapping[str, float], occurrences: int) -> str:
    """Returns the English word that most of a form's links lead to, or "" if they do not agree."""
    vague = VAGUE.split()
    usable = {word: n for word, n in words.items() if word.removesuffix("'s").isalpha() and word not in vague}
    if not usable:
        return ""
    best = max(usable, key=usable.__getitem__)
    together = sum(share for word, share in usable.items() if word[:STEM] == best[:STEM])
    return best if together >= SHARE * occurrences and usable[best] >= OF_ONE * occurrences else ""


def _ending(form: str, beside: Mapping[str, int], occurrences: int) -> list[str]:
    """Returns the words that a form's ending says, if most English sentences with the form have them, else none."""
    choices = next((words.split() for ending, words in ENDINGS.items() if form.endswith(ending) and form != ending), [])
    word = max(choices, key=lambda choice: beside.get(choice, 0), default="")
    said = beside.get(word, 0) > occurrences / 2
    return [word, *["of"] * (word == "because")] if said else []


def _written(word: str, cases: Mapping[str, Counter[str]]) -> str:
    return cases[word].most_common(1)[0][0] if word in cases else word


def by_hand() -> dict[str, str]:
    """Returns the glosses of `by_hand.tsv`; "" is that of a form that has none."""
    lines = Path(__file__).with_name("by_hand.tsv").read_text(encoding="utf-8").splitlines()
    return {form: gloss for form, gloss in (line.split("\t") for line in lines)}


def loan_words() -> dict[str, str]:
    """Returns the English of each loan word in the list of names."""
    return {name.marathi: name.english for name in read_names() if name.kind == "word" and name.english.isalpha()}


def by_ending(glosses: Mapping[str, str], forms: Iterable[str]) -> dict[str, str]:
    """Returns the glosses of those forms that differ from glossed ones in their endings alone.

    A noun's stem is what two forms share that have endings of `CASES` and the same gloss: आंब्याचा and आंब्याला, mango,
    say that आंब्यापासून is *from mango*.
    """
    nouns = _nouns(glosses)
    found = {}
    for form in forms:
        cases = ((form.removesuffix(ending), word) for ending, word in CASES.items() if form.endswith(ending))
        alike = (
            form.removesuffix(ending) + other
            for endings in AGREEING
            for ending in endings
            if form.endswith(ending) and _STEM.fullmatch(form.removesuffix(ending))
            for other in endings
        )
        said = [f"{word} {nouns[stem]}".strip() for stem, word in cases if stem in nouns]
        said += [glosses[other] for other in alike if glosses.get(other)]
        if form not in glosses and said:
            found[form] = said[0]
    return found


def _nouns(glosses: Mapping[str, str]) -> dict[str, str]:
    """Returns what each stem of a noun means."""
    said: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for form, gloss in glosses.items():
        for ending in filter(form.endswith, CASES):
            said[form.removesuffix(ending)][ending] = _bare(gloss.split("|")[0])
    nouns = {}
    for stem, meanings in said.items():
        if len(meanings) > 1 and _STEM.fullmatch(stem) and not _VERBAL.fullmatch(stem):
            [(beginning, count)] = Counter(each[:STEM] for each in meanings.values()).most_common(1)
            if count > 1 and beginning:
                alike = Counter(each for each in meanings.values() if each[:STEM] == beginning)
                nouns[stem] = alike.most_common(1)[0][0]
    return {stem: meaning for stem, meaning in nouns.items() if meaning not in NO_NOUNS.split()}


def _bare(gloss: str) -> str:
    """Returns a noun's gloss without what an ending says: "friends" of "with friends"."""
    words = gloss.split()
    while words and words[0] in {*VAGUE.split(), *" ".join(CASES.values()).split()}:
        del words[0]
    return " ".join(words).removesuffix("'s")


def main() -> None:
    """Does what the command line asks."""
    parser = argparse.ArgumentParser(prog="python -m tools.data.glosses", description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=DATA_DIRECTORY / GLOSSES, metavar="FILE", help="file to write")
    output = parser.parse_args().output
    pairs, phrasebook = split_pairs(load_corpus()).train, load_corpus("phrasebook")
    pairs_of_all = [*pairs, *phrasebook, *read_pairs(DATA_DIRECTORY / "talk.tsv")]
    glosses = loan_words() | make_glosses(pairs_of_all, fewest=OF_TALK) | make_glosses(pairs, phrasebook)
    forms = {form for pair in pairs_of_all for form in pair_words(pair)[1]}
    glosses = dict(sorted((glosses | by_ending(glosses, forms - by_hand().keys())).items()))
    with atomic_write(output) as partial:
        partial.write_text(
            "".join(f"{form}\t{gloss}\n" for form, gloss in glosses.items()), encoding="utf-8", newline="\n"
        )
    print(f"{output}: {len(glosses):,} forms")


if __name__ == "__main__":
    main()
