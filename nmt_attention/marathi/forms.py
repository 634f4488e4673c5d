"""What the forms of Marathi words show about a sentence: which "you" it uses, the gender of its subject, its tense.

The functions look at word endings and short lists of words; they do not parse. If a form may be of two kinds they
return both, and if nothing is certain, an empty set.
"""

import itertools
import re

from ..spelling import is_mark, normalize
from ..text import WordTokenizer


def split_words(text: str) -> list[str]:
    """Returns the words of a text, punctuation included."""
    return WordTokenizer.split(normalize(text))


def words_of(text: str) -> list[str]:
    """Returns the words of a text without punctuation."""
    return [word for word in split_words(text) if not is_mark(word)]


# --- which "you"

_TU = re.compile(
    r"तू(च|ही|सुद्धा|देखील)?|तुला(च|ही|सुद्धा|देखील)?|तुझ.+"  # pronouns
    r"|आहेस|नाह[ीि](ये)?स|नकोस|(हो|नव्ह)त(ा|ी|ं|े)स|हव(ा|ी|ं)स"
    r"|.+(तो|ते)य?स|.+ल(ा|ी|ं|े)स|.+(?<!न)शील|.+णारेस"
)
# Nouns and adjectives with the same endings; no Marathi verb is spelled with ॅ, ॉ, ऑ or ॲ.
_NOT_TU = re.compile(
    r".*[ॅॉऑॲ].*|(ग्|क्|वि|कै|ख|सि|निको|डॅ|.*ल्(?<!खाल्))लास|(पो|पु|अँजि|अँजे)लीस|(नेक|स्टेन|वायर)लेस"
    r"|(सु|विकास|प्रगति|गति|सहन|कार्य|क्रिया|कल्पना|प्रयोग|विचार|विनय)शील"
)
_TUMHI = re.compile(
    r"तुम्ह.+|तुमच.+|आहात|नका|.+ताय|.+ताहात|(?!ज्व).+लंत"
    r"|(के|आ|गे|झा|म्हणा|बोल|विसर|शिक|राहि|पाहि|बघित|भेट|घेत)लात"
)
# Commands that are hardly anything else at the end of a sentence, and of which the two forms differ.
_TU_COMMAND = re.compile("दे|घे|कर|सांग|बघ|ठेव|दाखव|थांब|सोड|आण|बोलव|वाच|उघड|घाल|टाक|पाठव|ये|ऐक|लिही|माग|काढ")
_TUMHI_COMMAND = re.compile(
    "द्या|घ्या|करा|सांगा|बघा|ठेवा|दाखवा|थांबा|सोडा|आणा|बोलवा|वाचा|उघडा|घाला|टाका|पाठवा|या|ऐका|लिहा|मागा|काढा|व्हा"
)
_POLITE_FUTURE = re.compile(  # कराल, no काल
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
    last = words[-1] if words else ""
    persons = set()
    of_tu = any(_TU.fullmatch(word) and not _NOT_TU.fullmatch(word) for word in words)
    do_not = any(b == "नको" and a.endswith(("ू", "ऊ")) for a, b in itertools.pairwise(words))  # जाऊ नको
    if of_tu or do_not or _TU_COMMAND.fullmatch(last):
        persons.add("तू")
    let_us = last == "या" and len(words) > 1 and words[-2].endswith(("ू", "ऊ"))  # जाऊ या
    commands = (_TUMHI_COMMAND, _POLITE_FUTURE)
    if (not let_us and any(form.fullmatch(last) for form in commands)) or any(map(_TUMHI.fullmatch, words)):
        persons.add("तुम्ही")
    return persons


# --- verbs

_AFTER_VERB = {"का", "ना", "हं", "काय", "की", "बरं"}
_TAG = re.compile(r",\s*(नाही( का)?|ना|हो ना)\W*$")  # …, isn't it?

# These end like past participles but are none; no Marathi verb is spelled with ॅ, ॉ, ऑ or ॲ.
_NO_PARTICIPLE = re.compile(
    "(चांग|आप|पहि|कस|अस|ओ|खु|(?!घातल).+ात)ल(ा|ी|ं|े|्या)|.*वाल(ा|ी|ं|े|्या)|.*खाली|.*[ॅॉऑॲ].*"
    "|(मु|फु|अस्व|पिल्)(ली|लं|ले)|(खो|बाहु|किल्|गल्|बाट|टोप|दिल्|खा|साय?क|पेन्सि)(ली|ल्या)|शैली|ऑस्लो"
    "|ला|मला|किल्ला|किल्ले|मजले|कला|बोला|चला|चाला|घाला|बदला|उचला|ढकला|झेला|किलो"
)
# A vowel sign before ला shows a dative (शाळेला, कामाला, मला), except for these verbs.
_VOWEL_AND_LA = re.compile(r"(के|गे|मे|ने|आ|झा|म्हणा|मिळा|निघा|पळा|बुडा|उडा|राहि|पाहि|लिहि|दि|वाहि|प्याय|गाय)ला|.+लेला")


def _verb_phrase(text: str) -> list[str]:
    """Returns the words of a text up to its last verb: no tag (नाही का?), no particles after the verb."""
    words = words_of(_TAG.sub("", text))
    while words and words[-1] in _AFTER_VERB:
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
_MALE = re.compile(rf".+तोय?|{_OF_SUBJECT}ाय?|(हो|नव्ह)ता|.+ायचा")
_FEMALE = re.compile(rf"(?!(हो|नव्ह|अस|नस)ते).+तेय?|{_OF_SUBJECT}ी(ये?)?|(हो|नव्ह)ती|.+ायची")


def genders_of_subject(text: str) -> set[str]:
    """Returns the genders, of `m` and `f`, that the last verb of a text shows where it agrees with its subject.

    Male: राहतो, करतोय, गेला, गेला आहे, करत होता, जायचा. Female: राहते, करतेय, गेली, गेली आहे, करत होती, जायची. Not
    recognised: the future and करत आहे, which show no gender; होते and असते, which need not be feminine; past forms that
    agree with the object (केली, केली होती).
    """
    words = _verb_phrase(text)
    while words and words[-1] in {"आहे", "नाही", *_IS_NOT}:
        words.pop()
    before, verb = ["", "", *words][-2:]
    if verb in {"होता", "होती"} and _is_participle(before) and not re.fullmatch(f"{_OF_SUBJECT}[ाी]", before):
        return set()
    return {gender for gender, form in (("m", _MALE), ("f", _FEMALE)) if form.fullmatch(verb)}


# --- tense

# Before forms of "to be" they show that something was going on (करत होते), unlike words such as व्यक्त, घरात, शाळेत.
_GOING_ON = re.compile("(.*[क-ह])त|(जा|खा|गा|ये|दे|घे|ने|पी|पि|हो|भी|लिही|लिहि)त")
_FUTURE = re.compile(r"(?!.*[ॅॉऑॲ]).+(ेल|ईल|हील|तील|शील|ेन|ईन|हीन|णार)")
_NO_FUTURES = {"येन", "ट्रेन", "पेन", "क्रेन", "स्पेन", "कोकेन", "हॉटेल", "तेल", "जेल", "सेल", "मेल", "ईमेल", "मोबाईल", "फाईल"}
_PRESENT = re.compile(r".+(तो|ते|तं|तात|तोस|तेस|तोय|तेय|तंय|तोयस|तेयस|ताय|तायत|ताहेत|चंय|वंय)|कुठेय|पाहिजेत?|हव(ा|ी|ं|े)[यत]?|हव्यात")
_HABITUAL_OF_TUMHI = re.compile("(?!(आ|आत्|रस्|पत्|चिं|मा|पुर)ता).+ता")
_PERFECT = re.compile("(.+ल(ा|ी|ि|ं|े|ो|्या))य(ेत|ेस|े|त|स)?|(.+ल(े|्या))त")
_PAST_OF_YOU = re.compile("(.+ल[ाीं])त|(.+ल[ाींे])स")
_USED_TO = re.compile("(.+ायच)(ो|ास|ीस|ात)")
_USED_TO_OR_IS_TO = re.compile("(.+ायच)(ा|ी|ं|े|्या)")
_IS = {"आहे", "आहेत", "आहेस", "आहात", "आहोत"}
_IS_NOT = {"नाहीये", "नाहीयेत", "नाहीयेस", "नाहिये", "नाहियेत", "नाहियेस", "नव्हे"}
_NOT = {"नाही", "नाहीत", "नाहीस"}
_WAS = re.compile(r"होत(ा|ी|्या)स?|होत(ं|े)स|नव्हत(ा|ी|ं|े|ो|्या|ात)स?")
_WAS_OR_BECOMES = re.compile("होत(ो|ं|े|ात)")
_WOULD_HAVE = re.compile(r"(अ|न)स(ता|ती|तं|ते|तो|त्या)(स|त)?")
_MUST_BE = re.compile("(अ|न)स(ेल|तील|शील|ेन|ाल|णार)")


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
    with_tumhi = any(word.startswith("तुम्ही") for word in words)
    if verb in _IS | _IS_NOT | _NOT:
        if before in {"नाही", "का"}:  # केलं नाही आहे; केलं का नाही
            before = before_last
        if before.endswith("णार"):
            return {"future"}
        if not _is_participle(before):
            return {"present"}
        return {"past"} if verb in _NOT and not re.search("लेल.$", before) else {"past", "present"}
    if _WAS.fullmatch(verb):
        return {"past"}
    if _WAS_OR_BECOMES.fullmatch(verb):
        decided = _is_participle(before) or _GOING_ON.fullmatch(before) or before.endswith("णार")
        return {"past"} if decided or with_tumhi or {"मी", "आम्ही"} & {*words} else {"past", "present"}
    if _WOULD_HAVE.fullmatch(verb) and _is_participle(before):
        return set()
    if _MUST_BE.fullmatch(verb):
        return set() if _is_participle(before) else {"present", "future"}
    if _POLITE_FUTURE.fullmatch(verb) or (_FUTURE.fullmatch(verb) and verb not in _NO_FUTURES):
        return {"future"}
    if verb.endswith(("ू", "ऊ")) and "आम्ही" in words:  # with आपण also "let us"
        return {"future"}
    if (form := _PERFECT.fullmatch(verb)) and _is_participle(form[1] or form[4]):
        return {"past", "present"}
    if _USED_TO_OR_IS_TO.fullmatch(verb):
        return {"past", "present"}
    if _PRESENT.fullmatch(verb) or (with_tumhi and _HABITUAL_OF_TUMHI.fullmatch(verb)):
        return {"present"}
    of_you = _PAST_OF_YOU.fullmatch(verb) and not _NOT_TU.fullmatch(verb)
    return {"past"} if _is_participle(verb) or of_you or _USED_TO.fullmatch(verb) else set()
