"""Marathi in Latin letters. The words of the table are checked by ear."""

import json
import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from nmt_attention.marathi.romanize import romanize
from nmt_attention.spelling import has_devanagari

WORDS = """
मुलगी mulgī  मूल mūl  मुलं mulaṁ  मुलांना mulānnā  चांगली chāṅglī  आहे āhe  आहात āhāt  नाही nāhī  नव्हता navhtā
माझं mājhaṁ  माझ्याकडे mājhyākaḍe  माझ्याबरोबर mājhyābarobar  आपण āpaṇ  आमच्या āmchyā  तुम्हाला tumhālā  त्यांना tyānnā
घरासमोर gharāsamor  शाळेत śāḷet  पुस्तकं pustakaṁ  पत्र patra  चित्रपट chitrapaṭ  गोष्ट goṣṭa  विद्यार्थी vidyārthī
डॉक्टर ḍôkṭar  कॅमेरा kêmerā  टॉमने ṭômne  बँकेत bêṅket  करतो karto  करायचं karāychaṁ  वाचतात vāchtāt  बघितलं baghitlaṁ
सफरचंद sapharchand  नागपूरला nāgpūrlā  पाऊस pāūs  खिडकीजवळ khiḍkījavaḷ  मांजर māñjar  छत्री chhatrī  झाडाखाली jhāḍākhālī
घड्याळ ghaḍyāḷ  ऐक aik  गौरी gaurī  कृपया kr̥payā  शेतकऱ्याला śetkaryālā  स्वच्छ svachchha  राहुलबरोबर rāhulbarobar
त्याच्याकडून tyāchyākaḍūn  आईकडे āīkaḍe  बॉस्टनमध्ये bôsṭanmadhye  स्वयंपाकघरात svayampākgharāt  समजलं samajlaṁ
ओळखतो oḷakhto  दुसऱ्या dusryā  बोलण्यापूर्वी bolṇyāpūrvī  समस्या samasyā  एकही ekahī  उदाहरण udāharaṇ  संगणक saṅgaṇak
सांगतो sāṅgto  भारतीय bhārtīya  व va  न na  महान् mahān  संस्कृत saṁskr̥t  ज्ञान jñān  क्षण kṣaṇ  स्पष्टपणे spaṣṭapaṇe
अंक aṅk  पंच pañch  घंटा ghaṇṭā  अंत ant  कंप kamp  मांस māṁs  संशय saṁśay  सिंह siṁh  अँजेला êñjelā  दुःख duḥkh
स्वतःला svataḥlā  ज़रा zarā  फ़ोन fon  बड़ा baṛā  ऍन ên  ॲना ênā  ऑफिस ôphis  गोऱ्हे gorhe  दऱ्या daryā  १२३ 123  ॐ om
केलंत kelat  ज्वलंत jvalant  खरंच kharach  सरपंच sarpañch  मंच mañch  वाटतंय vāṭtay  माझंही mājhahī  कार्ड kārḍ  फ्रान्स phrāns
खर्च kharcha  अर्थ artha  पंतप्रधान pantpradhān  लोकसभा loksabhā  जगभरात jagbharāt  विमानतळावर vimāntaḷāvar  बसस्टॉप bassṭôp
आईवडील āīvaḍīl  कधीकधी kadhīkadhī  हळूहळू haḷūhaḷū  गणपती gaṇpatī  जपतील japtīl  अमरावती amrāvatī  श्रीमती śrīmatī
मेघराज meghrāj  ब्रंच brañch  महाबळेश्वर mahābaḷeśvar  लॉगइन lôgaïn  मुंबईत mumbaīt  कळवळा kaḷvaḷā  अंमलात ammalāt
"""  # where an a is not spoken; nasals, nuktas and rare letters; silent dots, English words, compounds, hiatus
MARATHI = "कखगघङचछजझञटठडढणतथदधनपफबभमयरऱलळवशषसहअआइईउऊऋएऐओऔऍॲऑािीुूृेैोौॅॉंँः़्०१२३४५६७८९।॥ऽॐ"


def test_words_are_written_as_they_are_spoken():
    table = WORDS.split()
    expected = dict(zip(table[::2], table[1::2], strict=True))
    assert {word: romanize(word) for word in expected} == expected


def test_every_spelling_of_a_word_has_one_latin_form_and_sentences_keep_marks_and_words_in_other_scripts():
    assert {romanize(spelling) for spelling in ("बॅंक", "बँक", "बॅँक")} == {"bêṅk"}
    assert romanize("दर\u094d\u200dया") == romanize("दऱ्या") and romanize("क्\u200dष") == "kṣ" + "a"
    assert romanize("मुलगी चांगली आहे.") == "mulgī chāṅglī āhe."
    assert romanize("▁टॉम कुठे आहे? (Boston, २०२२)।") == "▁ṭôm kuṭhe āhe? (Boston, 2022)."
    assert romanize("<end>") == "<end>" and romanize("") == ""
    assert romanize("तो  म्हणाला,\n“हो!”") == "to  mhaṇālā,\n“ho!”"
    assert [romanize(piece) for piece in ["ंनी", "ाला", "्या", "़", "च"]] == ["nnī", "ālā", "yā", "", "cha"]
    assert romanize("ॻ") == "ॻ" and romanize("ऎमा") == "ऎmā"  # letters of other languages


def test_the_lessons_write_marathi_in_this_way():
    found = set()
    word = "[\u0900-\u097f\u200d]+"
    latin = "[a-z ]*[āīū][a-zāīūṅñṭḍṇśṣḷêôṁï ]*"
    for path in sorted((Path(__file__).parents[3] / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        text = " ".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
        text = " ".join(text.split())  # a sentence may go on in the next line
        found |= set(re.findall(rf"({word}(?: {word})*)[^\u0900-\u097fa-z]{{1,4}}\(\*({latin})\*", text))
    assert len(found) >= 60
    assert {marathi: romanize(marathi) for marathi, _ in found} == dict(found)


@given(st.text(MARATHI + "\u200c\u200dabc .,?!-'▁é\n"))
def test_no_devanagari_is_left_and_nothing_else_is_changed(text):
    latin = romanize(text)
    assert not has_devanagari(latin)
    kept = re.sub("[\u0900-\u097f\u200c\u200d]", "", text)
    place = iter(latin)
    assert all(character in place for character in kept)  # in their order
