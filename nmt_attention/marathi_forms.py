"""What the forms of Marathi words show of a sentence: which "you" it says, the gender of "you" and "I", the tense.

Read off word endings and short lists of words, without a grammar. Where a form may be of two kinds both are named, and
where nothing is sure, none: every function returns a set that may be empty.
"""

import itertools
import re

from .text import PUNCTUATION, WordTokenizer, normalize


def split_words(text):
    """Returns the words of a text, marks included."""
    return WordTokenizer.split(normalize(text))


def is_mark(word):
    """Tells whether a word is a mark of punctuation."""
    return all(c in PUNCTUATION for c in word)


def words_of(text):
    """Returns the words of a text without its marks."""
    return [word for word in split_words(text) if not is_mark(word)]


# --- which "you"

_TU = re.compile(
    r"तू(च|ही|सुद्धा|देखील)?|तुला(च|ही|सुद्धा|देखील)?|तुझ.+"  # pronouns
    r"|आहेस|नाही(ये)?स|नकोस|(हो|नव्ह)त(ा|ी|ं|े)स|हव(ा|ी|ं)स"
    r"|.+(तो|ते)य?स|.+ल(ा|ी|ं|े)स|.+(?<!न)शील|.+णारेस"
)
_NOT_TU = {"ग्लास", "क्लास", "विलास", "कैलास", "पोलीस", "सुशील", "विकासशील"}
_TUMHI = re.compile(r"तुम्ह.+|तुमच.+|आहात|नका|.+ताय|.+ताहात|.+लंत|(के|आ|गे|झा|म्हणा|बोल|विसर|शिक|राहि|पाहि|बघित|भेट|घेत)लात")
# Commands that are hardly anything else at the end of a sentence, and of which the two forms differ.
_TU_COMMAND = re.compile("दे|घे|कर|सांग|बघ|ठेव|दाखव|थांब|सोड|आण|बोलव|वाच|उघड|घाल|टाक|पाठव|ये|ऐक|लिही|माग|काढ")
_TUMHI_COMMAND = re.compile(
    "द्या|घ्या|करा|सांगा|बघा|ठेवा|दाखवा|थांबा|सोडा|आणा|बोलवा|वाचा|उघडा|घाला|टाका|पाठवा|या|ऐका|लिहा|मागा|काढा|व्हा"
)
_POLITE_FUTURE = re.compile("(?!(का|ला|मा|गा|सा|चा|महा|घा|रुमा|हा|सवा|कमा|विशा|ता|ढा|निका)ल$).+ाल")  # कराल, no काल


def registers(text):
    """Returns the forms of "you" in a text, of `तू` and `तुम्ही`.

    Read off pronouns (तुला, तुझं; तुम्हाला, तुमचं), verbs (आहेस, करतोस, केलंस, करशील, नकोस; आहात, करताय, केलंत, नका)
    and, at the end, futures (कराल) and frequent commands (दे, सांग; द्या, सांगा). आपण tells nothing: it is "we" as well.
    """
    words = words_of(text)
    last = words[-1] if words else ""
    found = set()
    if _TU_COMMAND.fullmatch(last) or any(_TU.fullmatch(word) and word not in _NOT_TU for word in words):
        found.add("तू")
    let_us = last == "या" and len(words) > 1 and words[-2].endswith(("ू", "ऊ"))  # जाऊ या
    commands = (_TUMHI_COMMAND, _POLITE_FUTURE)
    if (not let_us and any(form.fullmatch(last) for form in commands)) or any(map(_TUMHI.fullmatch, words)):
        found.add("तुम्ही")
    return found


# --- gender

# Stems of verbs whose past agrees with their subject; elsewhere it agrees with the object (तू काम केलंस).
_OF_SUBJECT = (
    "(गे|आ|झा|राहि|बस|झोप|उठ|पड|पोहोच|परत|निघा|पळा|हस|रड|बोल|म्हणा|विसर|शिक|भेट|रागाव|थांब|लाग|चुक|जेव|प्याय|जिंक|हर|थक"
    "|शक|चाल|खेळ|वाढ|अडक|वळ|चढ|घाबर|भांड|ओरड|पोह|नाच)ल"
)
_MALE_YOU = re.compile(rf".+तोय?स|(हो|नव्ह)तास|{_OF_SUBJECT}ास")
_FEMALE_YOU = re.compile(rf".+तेय?स|(हो|नव्ह)तीस|{_OF_SUBJECT}ीस")
_MALE_I = re.compile(rf".+तोय?|{_OF_SUBJECT}ो")
_FEMALE_I = re.compile(rf".+तेय?|{_OF_SUBJECT}े")
_NOT_OF_SUBJECT = {"शक्यतो", "वाजतो", "मते", "रस्ते", "पत्ते", "नाते"}
_NOT_OF_SUBJECT |= {"असतो", "असते", "नसतो", "नसते"}  # असते may be the object's: मी पैसे पाठवले असते


def genders_of_you(text):
    """Returns the genders, `m` and `f`, of verbs beside तू: करतोस, होतास, गेलास; करतेस, होतीस, गेलीस."""
    return _genders(words_of(text), _MALE_YOU, _FEMALE_YOU)


def genders_of_i(text):
    """Returns the genders, `m` and `f`, of verbs in a sentence with मी: करतो, करतोय, गेलो; करते, करतेय, गेले."""
    words = words_of(text)
    return _genders(words, _MALE_I, _FEMALE_I) if "मी" in words else set()


def _genders(words, male, female):
    # After a participle "was" may be the object's: केला होतास, केले होते. होतो never is; treated alike.
    free = {
        word
        for before, word in itertools.pairwise(["", *words])
        if not (_is_participle(before) and (_WAS.fullmatch(word) or word == "होतो"))
    }
    return {gender for gender, form in (("m", male), ("f", female)) if any(map(form.fullmatch, free - _NOT_OF_SUBJECT))}


# --- tense

_AFTER_VERB = {"का", "ना", "हं", "काय", "की", "बरं"}
# They end like past participles and are none.
_NO_PARTICIPLE = re.compile(
    "(चांग|आप|पहि|कस|अस|ओ|(?!घातल).+ात)ल(ा|ी|ं|े|्या)|(मु|फु|अस्व)(ली|लं|ले)|(खो|बाहु|किल्|बाट|टोप|दिल्|खा|साय?क|पेन्सि)(ली|ल्या)"
    "|मला|किल्ला|किल्ले|मजले|कला|बोला|चला|चाला|घाला|बदला|किलो|हॅलो"
)
# A vowel sign before ला tells a dative (शाळेला, कामाला, मला), but for these verbs.
_VOWEL_AND_LA = re.compile(r"(के|गे|मे|ने|आ|झा|म्हणा|मिळा|निघा|पळा|राहि|पाहि|लिहि|दि|वाहि)ला|.+लेला")
_FUTURE = re.compile(r".+(ेल|ईल|हील|तील|शील|ेन|ईन|हीन|णार)")
_NO_FUTURES = {"ट्रेन", "पेन", "हॉटेल", "तेल", "जेल", "सेल", "मेल", "ईमेल", "मोबाईल", "फाईल"}
_PRESENT = re.compile(r".+(तो|ते|तं|तात|तोस|तेस|तोय|तेय|तंय|तोयस|तेयस|ताय|तायत|ताहेत|चंय|वंय)|कुठेय|पाहिजे|हव(ा|ी|ं|े)य?|हव्यात")
_IS, _IS_NOT = {"आहे", "आहेत", "आहेस", "आहात", "आहोत"}, {"नाहीये", "नाहीयेत", "नाहीयेस"}
_NOT = {"नाही", "नाहीत", "नाहीस"}
_WAS = re.compile(r"(हो|नव्ह)(ता|ती|तं|ते|त्या)स?|नव्हतो")
_WOULD_HAVE = re.compile(r"(अ|न)स(ता|ती|तं|ते|तो|त्या)(स|त)?")


def tenses(text):
    """Returns the tenses that the last verb of a text may be in, of `past`, `present` and `future`.

    Past: केला, होता, केलं होतं, केलं नाही, नव्हता. Present: आहे, करतो, करत आहे, करत नाही, करतोय, पाहिजे. Future: करेल,
    जाईन, कराल, करणार, करणार नाही. The perfect (केलं आहे, केलंय, केलं नाहीये) may be either past or present.
    Not recognised: commands, wishes (करूया, करावं), conditionals (केलं असतं), sentences that end in another word.
    """
    words = words_of(text)
    while words and words[-1] in _AFTER_VERB:
        words.pop()
    *_, before_last, before, verb = ["", "", *words] if words else [""] * 3
    if verb in _IS | _IS_NOT | _NOT:
        if before == "नाही":  # केलं नाही आहे
            before = before_last
        if before.endswith("णार"):
            return {"future"}
        if not _is_participle(before):
            return {"present"}
        return {"past"} if verb in _NOT and not re.search("लेल.$", before) else {"past", "present"}
    if verb == "होतो":  # with मी "I was", else perhaps "it happens"
        return {"past"} if {"मी", "आम्ही"} & {*words} else {"past", "present"}
    if _WAS.fullmatch(verb):
        return {"past"}
    if _WOULD_HAVE.fullmatch(verb) and _is_participle(before):
        return set()
    if _POLITE_FUTURE.fullmatch(verb) or (_FUTURE.fullmatch(verb) and verb not in _NO_FUTURES):
        return {"future"}
    if verb.endswith(("ू", "ऊ")) and "आम्ही" in words:  # with आपण also "let us"
        return {"future"}
    if re.search("ल[ािी्यंेो]+यत?स?$", verb):  # केलंय
        return {"past", "present"}
    if _PRESENT.fullmatch(verb):
        return {"present"}
    return {"past"} if _is_participle(verb) or re.search("ल[ाींे][सत]$", verb) else set()


def _is_participle(word):
    if _NO_PARTICIPLE.fullmatch(word):
        return False
    if word.endswith("ला"):
        return bool(_VOWEL_AND_LA.fullmatch(word)) or not re.search("[ािीुूेैोौॅॉंय]ला$", word)
    return bool(re.search("ल(ी|ं|े|ो|्या)$", word))
