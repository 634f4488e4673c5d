"""What the forms of Marathi words show about a sentence: which "you" it uses, the gender of its subject, its tense.

The functions look at word endings and short lists of words; they do not parse. If a form may be of two kinds they
return both, and if nothing is certain, an empty set.
"""

import itertools
import re
from collections.abc import Sequence

from ..spelling import is_mark, normalize
from ..text import WordTokenizer


def split_words(text: str) -> list[str]:
    """Returns the words of a text, punctuation included."""
    return WordTokenizer.split(normalize(text))


def words_of(text: str) -> list[str]:
    """Returns the words of a text without punctuation."""
    return [word for word in split_words(text) if not is_mark(word)]


# --- which "you"

_TU = (
    r"तू(च|ही|सुद्धा|देखील)?|तुला(च|ही|सुद्धा|देखील)?|तुझ.+"  # pronouns
    r"|आहेस|नाह[ीि](ये)?स|नकोस|(हो|नव्ह)त(ा|ी|ं|े)स|हव(ा|ी|ं)स"
    r"|.+(तो|ते)य?स|.+ल(ा|ी|ं|े)स|.+(?<!न)शील|.+णारेस"
)
# Nouns and adjectives with the same endings; no Marathi verb is spelled with ॅ, ॉ, ऑ or ॲ.
_NOT_TU = (
    r".*[ॅॉऑॲ].*|(ग्|क्|वि|कै|ख|सि|निको|डॅ|.*ल्(?<!खाल्))लास|(पो|पु|अँजि|अँजे)लीस|(नेक|स्टेन|वायर)लेस"
    r"|(सु|विकास|प्रगति|गति|सहन|कार्य|क्रिया|कल्पना|प्रयोग|विचार|विनय)शील"
)
_TUMHI = (
    r"तुम्ह.+|तुमच.+|आहात|नका|.+ताय|.+ताहात|(?!ज्व).+लंत"
    r"|(के|आ|गे|झा|म्हणा|बोल|विसर|शिक|राहि|पाहि|बघित|भेट|घेत)लात"
)
# Commands that are hardly anything else at the end of a sentence, and of which the two forms differ.
_COMMANDS = "कर|सांग|बघ|ठेव|दाखव|थांब|सोड|आण|बोलव|वाच|उघड|घाल|टाक|पाठव|ऐक|माग|काढ"
_TU_COMMAND = f"{_COMMANDS}|दे|घे|ये|लिही"
_TUMHI_COMMAND = f"({_COMMANDS})ा|द्या|घ्या|या|लिहा|व्हा"
_POLITE_FUTURE = (  # कराल, no काल
    "(?!(का|ला|मा|गा|सा|चा|महा|घा|रुमा|हा|सवा|कमा|विशा|ता|ढा|निका|दला|गुला|खुशा|बंगा|पोर्तुगा)ल$).+ाल"
)


def registers(text: str) -> set[str]:
    """Returns the forms of "you" in a text, of `तू` and `तुम्ही`.

    They show in pronouns (तुला, तुझं; तुम्हाला, तुमचं), in verbs (आहेस, करतोस, केलंस, करशील, नकोस, जाऊ नको; आहात, करताय,
    केलंत, नका) and, at the end, in futures (कराल) and frequent commands (दे, सांग; द्या, सांगा).

    Not recognised: forms that both share (जा, राहा), rare commands, आपण (it means "we" as well), and, without the word
    तुम्ही, its habitual (कुठे राहता) and its past in -लीत, -लेत and, for most verbs, -लात.
    """
    words = words_of(text)
    before, last = ["", "", *words][-2:]
    do_not = any(b == "नको" and re.search("[ूऊ]$", a) for a, b in itertools.pairwise(words))  # जाऊ नको
    let_us = last == "या" and re.search("[ूऊ]$", before)  # जाऊ या
    persons = {
        "तू": do_not or _any(f"(?!({_NOT_TU})$)({_TU})", words) or re.fullmatch(_TU_COMMAND, last),
        "तुम्ही": _any(_TUMHI, words) or (not let_us and re.fullmatch(f"{_TUMHI_COMMAND}|{_POLITE_FUTURE}", last)),
    }
    return {person for person, is_said in persons.items() if is_said}


def _any(form: str, words: Sequence[str]) -> bool:
    return any(re.fullmatch(form, word) for word in words)


# --- verbs

_NOT = "नाही[तस]?"
_IS_NOT = "नाह[ीि]ये[तस]?|नव्हे"
_BE = f"आहे[तस]?|आहात|आहोत|{_IS_NOT}|{_NOT}"

_AFTER_VERB = "का|ना|हं|काय|की|बरं"
_TAG = re.compile(r",\s*(नाही( का)?|ना|हो ना)\W*$")  # …, isn't it?

# These end like past participles but are none; no Marathi verb is spelled with ॅ, ॉ, ऑ or ॲ.
_NO_PARTICIPLE = re.compile(
    "(चांग|आप|पहि|कस|अस|ओ|खु|(?!घातल).+ात)ल(ा|ी|ं|े|्या)|.*वाल(ा|ी|ं|े|्या)|.*खाली|.*[ॅॉऑॲ].*"
    "|(मु|फु|अस्व|पिल्)(ली|लं|ले)|(खो|बाहु|किल्|गल्|बाट|टोप|दिल्|खा|साय?क|पेन्सि)(ली|ल्या)|शैली|ऑस्लो"
    "|ला|मला|किल्ला|किल्ले|मजले|कला|बोला|चला|चाला|घाला|बदला|उचला|ढकला|झेला|किलो"
)
# A vowel sign before ला shows a dative (शाळेला, कामाला, मला), except for these verbs.
_VOWEL_AND_LA = re.compile(r"(के|गे|मे|ने|आ|झा|म्हणा|मिळा|निघा|पळा|बुडा|उडा|राहि|पाहि|लिहि|दि|वाहि|प्याय|गाय)ला|.+लेला")


def _verb_phrase(text: str, left_out: str = "") -> list[str]:
    """Returns the words of a text up to its last verb: no tag (नाही का?), no particles after the verb."""
    words = words_of(_TAG.sub("", text))
    for after in (_AFTER_VERB, left_out):
        while words and re.fullmatch(after, words[-1]):
            words.pop()
    return words


def _is_participle(word: str) -> bool:
    """Returns whether a word looks like a past participle: केला, केली, केलं; आलीच as well."""
    word = word.removesuffix("च")
    if _NO_PARTICIPLE.fullmatch(word):
        return False
    if word.endswith("ला"):
        return bool(_VOWEL_AND_LA.fullmatch(word)) or not re.search("[ािीुूेैोौंय]ला$", word)
    return bool(re.search("ल(ी|ं|े|ो|्या)$", word))


# --- gender

# Verbs whose past agrees with their subject; others agree with the object (त्याने पोळी खाल्ली).
_OF_SUBJECT = (
    "(गे|आ|झा|राहि|बस|झोप|उठ|पड|पोहोच|परत|निघा|पळा|हस|रड|बोल|म्हणा|विसर|शिक|भेट|रागाव|थांब|लाग|चुक|जेव|प्याय|जिंक|हर|थक"
    "|शक|चाल|खेळ|वाढ|अडक|वळ|चढ|घाबर|भांड|ओरड|पोह|नाच)ल"
)
_GENDERS = {
    "m": rf".+तोय?|{_OF_SUBJECT}ाय?|(हो|नव्ह)ता|.+ायचा",
    "f": rf"(?!(हो|नव्ह|अस|नस)ते).+तेय?|{_OF_SUBJECT}ी(ये?)?|(हो|नव्ह)ती|.+ायची",
}


def genders_of_subject(text: str) -> set[str]:
    """Returns the genders, of `m` and `f`, that the last verb of a text shows where it agrees with its subject.

    Male: राहतो, करतोय, गेला, गेला आहे, करत होता, जायचा. Female: राहते, करतेय, गेली, गेली आहे, करत होती, जायची. Not
    recognised: the future and करत आहे, which show no gender; होते and असते, which need not be feminine; past forms that
    agree with the object (केली, केली होती).
    """
    before, verb = ["", "", *_verb_phrase(text, f"आहे|नाही|{_IS_NOT}")][-2:]
    if verb in {"होता", "होती"} and _is_participle(before) and not re.fullmatch(f"{_OF_SUBJECT}[ाी]", before):
        return set()
    return {gender for gender, form in _GENDERS.items() if re.fullmatch(form, verb)}


# --- tense

_FUTURE = "(?!.*[ॅॉऑॲ]|(येन|ट्रेन|पेन|क्रेन|स्पेन|कोकेन|तेल|जेल|सेल|मेल|ईमेल|मोबाईल|फाईल)$).+(ेल|ईल|हील|तील|शील|ेन|ईन|हीन|णार)"
_PRESENT = ".+(तो|ते|तं|तात|तोस|तेस|तोय|तेय|तंय|तोयस|तेयस|ताय|तायत|ताहेत|चंय|वंय)|कुठेय|पाहिजेत?|हव(ा|ी|ं|े)[यत]?|हव्यात"
# Before forms of "to be" they show that something was going on (करत होते), unlike words such as व्यक्त, घरात, शाळेत.
_GOING_ON = "(.*[क-ह])त|(जा|खा|गा|ये|दे|घे|ने|पी|पि|हो|भी|लिही|लिहि)त"
_PERFECT = re.compile("(.+ल(ा|ी|ि|ं|े|ो|्या))य(ेत|ेस|े|त|स)?|(.+ल(े|्या))त")
# What the last verb says, by its form and, if they are named, one of these: the word before it is a participle, or one
# in णार or -त; the verb itself is or holds a participle; the sentence has तुम्ही, or मी or आम्ही. The first row counts.
_TENSES = [
    ("णार", _BE, "future"),
    ("लेला", _NOT, "past present"),  # उघडलेलं नाही
    ("participle", _NOT, "past"),
    ("participle", _BE, "past present"),
    ("", _BE, "present"),
    ("", "होत(ा|ी|्या)स?|होत(ं|े)स|नव्हत(ा|ी|ं|े|ो|्या|ात)स?", "past"),
    ("participle णार -त तुम्ही मी आम्ही", "होत(ो|ं|े|ात)", "past"),
    ("", "होत(ो|ं|े|ात)", "past present"),
    ("participle", "(अ|न)स(ता|ती|तं|ते|तो|त्या)(स|त)?|(अ|न)स(ेल|तील|शील|ेन|ाल|णार)", ""),  # would have, must have
    ("", "(अ|न)स(ेल|तील|शील|ेन|ाल|णार)", "present future"),  # must be
    ("", f"{_POLITE_FUTURE}|{_FUTURE}", "future"),
    ("आम्ही", ".*[ूऊ]", "future"),  # with आपण also "let us"
    ("perfect", ".*", "past present"),
    ("", "(.+ायच)(ा|ी|ं|े|्या)", "past present"),  # used to, or is to
    ("", _PRESENT, "present"),
    ("तुम्ही", "(?!(आ|आत्|रस्|पत्|चिं|मा|पुर)ता).+ता", "present"),  # its habitual
    ("past", ".*", "past"),
    ("", f"(?!({_NOT_TU})$)((.+ल[ाीं])त|(.+ल[ाींे])स)|(.+ायच)(ो|ास|ीस|ात)", "past"),  # of "you"; used to
]


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
    words = _verb_phrase(text)
    before_last, before, verb = ["", "", "", *words][-3:]
    if re.fullmatch(_BE, verb) and before in {"नाही", "का"}:  # केलं नाही आहे; केलं का नाही
        before = before_last
    perfect = _PERFECT.fullmatch(verb)
    signs = {
        "participle": _is_participle(before),
        "लेला": _is_participle(before) and re.search("लेल.$", before),
        "णार": before.endswith("णार"),
        "-त": re.fullmatch(_GOING_ON, before),
        "past": _is_participle(verb),
        "perfect": perfect and _is_participle(perfect[1] or perfect[4]),
        "तुम्ही": any(word.startswith("तुम्ही") for word in words),
        "मी": "मी" in words,
        "आम्ही": "आम्ही" in words,
    }
    for needed, form, said in _TENSES:
        if (not needed or any(signs[sign] for sign in needed.split())) and re.fullmatch(form, verb):
            return set(said.split())
    return set()
