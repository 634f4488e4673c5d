"""Writes `data/glosses.tsv`, an English word for each Marathi word form that training pairs say enough about.

python -m tools.data.glosses

`Aligner` links the words of the corpus's training pairs, and the phrasebook comes with links. A form's gloss is the
English word that most of its links lead to, if they agree. Words of grammar and light verbs, which translate to no
single English word, are glossed by hand.
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
from nmt_attention.disk.pairs import DATA_DIRECTORY
from nmt_attention.marathi.gloss import GLOSSES
from nmt_attention.spelling import has_devanagari, normalize
from nmt_attention.text import WordTokenizer

FEWEST = 3  # occurrences of a form
SHARE, OF_ONE = 0.4, 0.2  # of a form's occurrences: those linked to forms of an English word, and to the commonest one
STEM = 4  # letters: think, thinks and thinking agree
VAGUE = """a an the to of in on at for with by from as it do does did be been will would than can have has had if
what when over not no some any all half"""  # which help nobody as glosses, or are half of what a form says

# What an ending says, and the English words that say it: पाण्याशिवाय is "without water".
ENDINGS = {
    **{
        "मध्ये": "in",
        "ात": "in",
        "ेत": "in",
        "ीत": "in",
        "वर": "on",
        "जवळ": "near",
        "खाली": "under",
        "समोर": "before opposite",
    },
    **{"साठी": "for", "पेक्षा": "than", "बद्दल": "about", "विषयी": "about", "शिवाय": "without", "मुळे": "because"},
    **{"बरोबर": "with", "सोबत": "with", "कडून": "from", "पासून": "from", "हून": "from", "कडे": "to with"},
    **{"पर्यंत": "until to", "नंतर": "after", "आधी": "before", "पूर्वी": "before"},
}
_PAST_OF_YOU = re.compile(".+(?:ला|ली|लं)[सत]")  # आणलंस, the form of तू, and आणलंत, the form of तुम्ही, of आणलं, brought

BY_HAND = """
आहे is; आहेत are; आहेस are; आहात are; आहोत are; होता was; होती was; होतं was; होते were; होतो was
होतीस were; होतास were; नव्हतात weren't; नाही not; नाहीत not; नाहीस not; नाहीये isn't; नाहीयेत aren't
नाहीयेस aren't; नको don't; नकोस don't; नका don't; नव्हता wasn't; नव्हती wasn't; नव्हतं wasn't
नव्हते weren't; नव्हतो wasn't; नाहीतर otherwise; मी I; मला to me; माझा my; माझी my; माझं my; माझे my
माझ्या my; माझ्यासाठी for me; माझ्याशी with me; माझ्याकडे with me; तू you; तुला to you; तुझा your; तुझी your
तुझं your; तुझे your; तुझ्या your; तुझ्यासाठी for you; तुझ्याकडे with you; तुम्ही you; तुम्हाला to you
तुमचा your; तुमची your; तुमचं your; तुमचे your; तुमच्या your; तुमच्याकडे with you; आम्ही we; आम्हाला to us
आमचा our; आमची our; आमचं our; आमचे our; आमच्या our; आमच्यासाठी for us; आमच्याकडे with us; आपण we
आपल्याला to us; आपला our; आपली our; आपलं our; आपले our; आपल्या our; तो he; ती she; ते they; त्या that
त्याला to him; तिला to her; त्यांना to them; त्याने he; तिने she; त्यांनी they; त्याचा his; त्याची his
त्याचं his; त्याचे his; त्याच्या his; तिचा her; तिची her; तिचं her; तिचे her; तिच्या her; त्यांचा their
त्यांची their; त्यांचं their; त्यांचे their; त्यांच्या their; त्याच्याकडे with him; तिच्याकडे with her
हा this; ही this; हे this; ह्या this; या this; ह्याला to this; याला to this; का question; की that; तर then
जर if; पण but; आणि and; व and; किंवा or; म्हणून so; कारण because; काय what; कोण who; कोणी somebody
कोणीही anybody; कोणाला to whom; कोणाचा whose; कोणाची whose; कोणाचं whose; कधी when; कुठे where; कसा how
कशी how; कसं how; कसे how; किती how much; कोणता which; कोणती which; कोणतं which; कोणत्या which; जो who
जी who; जे which; ज्या which; जेव्हा when; तेव्हा then; जिथे where; जसं as; तसं so; असं so; असा such
अशी such; एक a; एका a; काही some; काहीही anything; काहीतरी something; सर्व all; सगळे all; सगळ्या all
सर्वात most; करतो does; करते does; करतात do; करता do; करतेस do; करतोस do; करत doing; करू do; कर do; करा do
करायला to do; केला did; केली did; केलं did; केले did; केलंस did; केलंत did; करून having done; झाला became
झाली became; झालं became; होईल will be; असेल will be; असतो is; असते is; असतं is; असतात are; शकतो can
शकते can; शकतात can; शकता can; शकत able; पाहिजे must; हवं wanted; हवा wanted; हवी wanted; हवे wanted
खूप very; फार very; जास्त more; फक्त only; वाजता o'clock; येत coming; गेला went; गेली went; गेलं went
गेले went; आला came; आली came; आलं came; आले came; येईल will come; येणार will come; घेतला took; घेतली took
घेतलं took; घेतले took; घेत taking; घेणार will take; घेईन will take; घेऊन having taken; पाहिलं saw
पाहिला saw; पाहिली saw; बघितलं saw; बघितली saw; बघत watching; बघायला to see; राहिला stayed; राहिली stayed
जाते goes; जातात go; म्हणतात say; करायचं to do; करायची to do; करायचा to do; करणार will do; करेन will do
करतोय doing; करतेय doing; मोठा big; मोठी big; मोठं big; मोठ्या big; आत inside; कुठेय where is; पडला fell
पडली fell; ठेवला put; ठेवलं put; कमी less; पूर्ण whole; मग then; तरी still; अजिबात at all; स्वतः self
स्वतःला self; इतका so; इतकी so; इतकं so; जाईल will go; करेल will do; घेईल will take; पडेल will fall
देतील will give; आणतील will bring; पाठवेल will send; पाठवतील will send; बघेल will see; बघतील will see
उघडेल will open; उघडतील will open; विकेल will sell; नसेल won't be; येतं comes; येते comes; येतात come
येतंय coming; येणारी coming; येण्याआधी before coming; देऊ give; पुन्हापुन्हा again and again; कशामुळे why
कधीतरी sometime; बघूया let's see; नुसता only; परवापर्यंत until the day after tomorrow; कळवा inform
तेच the same; कोणताही any; कोणतीही any; न not; हरकत objection; सवय habit; आडनाव surname; संपत्ती wealth
शुभेच्छा good wishes; तेही that too; घातलेला worn; जेवतेय eating; जेवत eating; जेवतोय eating; जेवले ate
जेवलो ate; जेवून having eaten; आईस्क्रीम ice cream; सेलफोन cell phone; उपग्रह satellites; फॉर्म form
लाच bribe; धक्का shock; शकशील will be able; वाचव save; चाला walk; काढलं took out; न्यूयॉर्क New York
न्यूझीलंडमध्ये in New Zealand; वर्षाचा year old; वर्षाची year old; करण्याआधी before doing
जाण्याआधी before going; नोकरीला job; फोडली broke; डे Day; थोड्या few; राज्याची of the state; अता now
पडल्यावर after falling; याचे of this; नोकरीवरून from the job; तर्फे on behalf of; रडवलं made cry
जमली gathered; टाळता avoid; शालेय school; रुमालावर on the handkerchief
तशीच just so; म्हणूनच that's why; सुटला escaped; फिरलंय has turned; चढवला raised; झाल्यावर after becoming
सोडायला to leave; मीदेखील I too; बाकी the rest; जेवल्यानंतर after eating; दिवसभर all day; निवडलंत chose; मतदान voting
एकदम at once; गडबड trouble; घेऊया let's take; टाकायला to throw; रोज daily; तेवढच only that; माणसं people; भरली filled
वाघ tiger; हत्ती elephant; गाऊन gown; लहान small; दररोज every day; जरा a little; वाटतो seems; अनेकदा often
उठत getting up; उठता get up; उठते gets up; उठतेस get up; उठतो gets up; उठतोस get up; उठला got up; उठलात got up
उठलास got up; उठले got up; उठलो got up; उठव wake; उठवा wake; ऊठ get up; जाग waking; जागून having stayed awake
वाढला grew; वाढलो grew up; वाढव increase; वाढवा increase; लावला put; एकमेकांची of each other; एकमेकांच्या of each other
एकमेकांना each other; एकमेकांवर on each other; एकमेकांशी with each other; बाजार market; आत्ताच्या present
आलेलो had come; गेलेलो had gone; गेलेले had gone; कळून having learnt; कळतंय understand; कळव inform
कश्याचीही of anything; कसलीही any; पर्यन्त until; कधीपर्यंत until when; आतापर्यंत until now; अधूनमधून now and then
परवा two days away; टेम्स Thames; सॅन San; न्यूयॉर्कला to New York; न्यूयॉर्कमध्ये in New York; फुजी Fuji
पंतप्रधान prime minister; परराष्ट्रीय foreign; मंत्रिमंडळाचे of the cabinet; तुलनेत in comparison
पुस्तकांच्या of books; पोट stomach; बनेल will become; बसत sitting; शेंडी tuft of hair; उडवतो makes fly; उडवली made fly
उचलत lifting; ॲड्रेस address; हीच this very; हाती in hand; गाढ deep; राज्य state; राज rule; राहिलेली remaining
पलीकडे beyond; पार across; सोडल्यास except; कातर scissors; तूसुद्धा you too; मातृभाषा mother tongue
रक्तगट blood group; जगप्रसिद्ध world famous; प्रेमपत्र love letter; पावसाळा rainy season; आईसक्रिम ice cream
आईस्क्रिम ice cream; बॅकअप backup; हॉलमध्ये in the hall; कवयित्री poetess; स्वयंपाक cooking; यूट्यूबवरील on YouTube
पोहोचेपर्यंत until arriving; एक-दोन one or two; अंमलात into effect; होतोय is becoming
चोरलं stole; चोरलंत stole; चोरलंस stole; एकानंतर after one; कमवतो earns; करूया let's do; खाल्ल्यानंतर after eating
जाळून having burnt; टोकावर at the tip; थांबले stopped; पिजा pizza; मुलीशी with the girl; वाचणार will read
ऐकून having heard; तुमच्यासारख्या like you; साम्य likeness; हेच this very; येण्याची of coming; डिलीट delete
राहायला to stay; मुंबईमध्ये in Mumbai; लागेल will need; खात्यात in the account
चालत walking; आईसुद्धा mother too; कॉफीसुद्धा coffee too; चहासुद्धा tea too; बहीणसुद्धा sister too; मित्रसुद्धा friend too
आंबेसुद्धा mangoes too; दूधसुद्धा milk too; फुलंसुद्धा flowers too; मांजरंसुद्धा cats too; कालपासून since yesterday
शुक्रवारपासून since Friday; रविवारपासून since Sunday; सोमवारपासून since Monday; मंगळवारपासून since Tuesday
जेवणापूर्वी before the meal; जेवणानंतर after dinner; देवळाजवळ near the temple; नदीजवळ near the river; बँकेजवळ near the bank
बसस्टॉप bus stop; वाटते seems; लागलेली felt; लागतात are needed; लागतो is needed; सुप्रभात good morning; उठतात get up
फारसं much; फारसी much; त्यांच्याकडे with them; मे May; मेमध्ये in May; कदाचित perhaps; मंत्री minister; दिले gave; आनंद joy
आळशी lazy; छान nice; भेटू let's meet; भेटायला to meet; उचलला picked up; बोलावं should speak; पुस wipe; लाव turn on
लावत turning on; डॉक्टरांकडे to the doctor; टोपीची cap; ठीक fine; काळजी worry; पाऊस rain; पास pass; मिळालं got
नदीची of the river; लक्ष्य target; राहतात live; मानतात believe; आत्तापर्यंत until now
"""


def make_glosses(pairs: Iterable[Pair], linked_pairs: Iterable[Pair] = ()) -> dict[str, str]:
    """Returns a gloss for each Marathi word form, sorted; those by hand have precedence.

    Args:
        pairs: training pairs of a corpus without links.
        linked_pairs: pairs that come with their links, as the phrasebook's.
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
    found = {form: _gloss(linked[form], seen[form]) for form in seen if has_devanagari(form) and seen[form] >= FEWEST}
    glosses = {
        form: " ".join(dict.fromkeys([*_ending(form, beside[form], seen[form]), _written(word, cases)]))
        for form, word in found.items()
        if word
    }
    glosses |= by_hand()
    for form in filter(_PAST_OF_YOU.fullmatch, seen):  # English asks for it with did: "Did you buy it?"
        if form not in by_hand() and (past := glosses.get(form[:-1])):
            glosses[form] = past
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
    """Returns the glosses of `BY_HAND`."""
    entries = (entry.split(maxsplit=1) for line in BY_HAND.strip().splitlines() for entry in line.split(";"))
    return {form: gloss for form, gloss in entries}


def main() -> None:
    """Does what the command line asks."""
    parser = argparse.ArgumentParser(prog="python -m tools.data.glosses", description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=DATA_DIRECTORY / GLOSSES, metavar="FILE", help="file to write")
    output = parser.parse_args().output
    glosses = make_glosses(split_pairs(load_corpus()).train, load_corpus("phrasebook"))
    with atomic_write(output) as partial:
        partial.write_text(
            "".join(f"{form}\t{gloss}\n" for form, gloss in glosses.items()), encoding="utf-8", newline="\n"
        )
    print(f"{output}: {len(glosses):,} forms")


if __name__ == "__main__":
    main()
