"""What the forms of Marathi words show about a sentence: which "you" it uses, the gender of its subject, its tense.

The functions look at word endings and short lists of words, the rows of `rules.tsv`; they do not parse. If a form may
be of two kinds they return both, and if nothing is certain, an empty set.
"""

import re

from .rules import what_is_said, words_of

_TAG = re.compile(r",\s*(नाही( का)?|ना|हो ना)\W*$")  # …, isn't it?
_PARTICLES = "(?:(?:^| )(?:का|ना|हं|काय|की|बरं))+$"
_NOT_PAST = "(?:(?:^| )(?:आहे|नाही|नाह[ीि]ये[तस]?|नव्हे))+$"


def registers(text: str) -> set[str]:
    """Returns the forms of "you" in a text, of `तू` and `तुम्ही`.

    They show in pronouns (तुला, तुझं; तुम्हाला, तुमचं), in verbs (आहेस, करतोस, केलंस, करशील, नकोस, जाऊ नको; आहात, करताय,
    केलंत, नका) and, at the end, in futures (कराल) and frequent commands (दे, सांग; द्या, सांगा).

    Not recognised: forms that both share (जा, राहा), rare commands, आपण (it means "we" as well), and, without the word
    तुम्ही, its habitual (कुठे राहता) and its past in -लीत, -लेत and, for most verbs, -लात.
    """
    return set().union(*what_is_said("registers", " ".join(words_of(text))))


def genders_of_subject(text: str) -> set[str]:
    """Returns the genders, of `m` and `f`, that the last verb of a text shows where it agrees with its subject.

    Male: राहतो, करतोय, गेला, गेला आहे, करत होता, जायचा. Female: राहते, करतेय, गेली, गेली आहे, करत होती, जायची. Not
    recognised: the future and करत आहे, which show no gender; होते and असते, which need not be feminine; past forms that
    agree with the object (केली, केली होती).
    """
    return next(what_is_said("genders", re.sub(_NOT_PAST, "", _verb_phrase(text))), set())


def tenses(text: str) -> set[str]:
    """Returns the tenses that the last verb of a text may be in, of `past`, `present` and `future`.

    Past: केला, होता, केलं होतं, केलं नाही, नव्हता, जायचो. Present: आहे, करतो, करत आहे, करत नाही, करतोय, पाहिजे; with
    तुम्ही also करता. Future: करेल, जाईन, कराल, करणार, करणार नाही.

    Two tenses, past and present: the perfect (केलं आहे, केलंय, आलेत, केलं नाहीये); जायचा ("used to go" or "is to be gone
    to"); होतो, होते, होतं and होतात ("was" or "becomes"), unless another word decides (मी होतो, करत होते). Present and
    future: असेल ("must be" or "will be").

    Not recognised: commands, wishes (करूया, करावं, असावा), conditionals (केलं असतं), presumptions about the past (केलं
    असेल) and sentences that end in another word. Mistaken for a past: a name in the dative at the end (सांग राहुलला).
    """
    return next(what_is_said("tenses", _verb_phrase(text)), set())


def _verb_phrase(text: str) -> str:
    """Returns the words of a text up to its last verb: no tag (नाही का?), no particles after the verb."""
    return re.sub(_PARTICLES, "", " ".join(words_of(_TAG.sub("", text))))
