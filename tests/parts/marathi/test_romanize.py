"""Marathi in Latin letters. The words of the table are checked by ear, and all occur in the project's own data."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nmt_attention.disk.pairs import DATA_DIRECTORY
from nmt_attention.marathi.romanize import romanize
from nmt_attention.spelling import has_devanagari

WORDS = """
मुलगी mulgī  मुलगा mulgā  मूल mūl  मुलं mulaṁ  मुलांना mulānnā  मुलाला mulālā  चांगली chāṅglī  चांगला chāṅglā
आहे āhe  आहेत āhet  आहात āhāt  नाही nāhī  नाहीये nāhīye  होता hotā  होते hote  नव्हता navhtā
माझं mājhaṁ  माझी mājhī  माझ्याकडे mājhyākaḍe  माझ्याबरोबर mājhyābarobar  आपण āpaṇ  आमचा āmchā  आमच्या āmchyā
तुमच्या tumchyā  तुम्हाला tumhālā  आम्ही āmhī  त्यांना tyānnā  त्यांचं tyāñchaṁ  त्याला tyālā  तिच्याशी tichyāśī
घर ghar  घरी gharī  घरासमोर gharāsamor  शाळा śāḷā  शाळेत śāḷet  पुस्तक pustak  पुस्तकं pustakaṁ  मित्र mitra
मित्रांना mitrānnā  पत्र patra  चित्रपट chitrapaṭ  गोष्ट goṣṭa  वर्तमानपत्र vartamānpatra  विद्यार्थी vidyārthī
शिक्षक śikṣak  शिक्षिका śikṣikā  डॉक्टर ḍôkṭar  कॉफी kôphī  कॅमेरा kêmerā  टॉमला ṭômlā  टॉमने ṭômne  बँकेत bêṅket
करतो karto  करणार karṇār  करत karat  करायचं karāychaṁ  वाचतात vāchtāt  वाचलं vāchlaṁ  बघितलं baghitlaṁ
आवडतं āvaḍtaṁ  पाठवतील pāṭhavtīl  बनवलं banavlaṁ  उघडली ughaḍlī  राहतो rāhto  बोलत bolat  विकत vikat
सफरचंद sapharchand  संध्याकाळी sandhyākāḷī  रविवारी ravivārī  मुंबईत mumbaīt  नागपूरला nāgpūrlā  पाऊस pāūs
सायकल sāykal  खिडकी khiḍkī  खिडकीजवळ khiḍkījavaḷ  मांजर māñjar  पांढरा pāṇḍhrā  सुंदर sundar  थंड thaṇḍ  बंद band
छत्री chhatrī  झाडाखाली jhāḍākhālī  ठाण्यात ṭhāṇyāt  घड्याळ ghaḍyāḷ  फूल phūl  भाऊ bhāū  ऐक aik  गौरी gaurī  कृपया kr̥payā
साताऱ्यात sātāryāt  शेतकरी śetkarī  शेतकऱ्याला śetkaryālā  स्वच्छ svachchha  दूध dūdh  राहुलबरोबर rāhulbarobar
"""
MARATHI = "कखगघङचछजझञटठडढणतथदधनपफबभमयरऱलळवशषसहअआइईउऊऋएऐओऔऍॲऑािीुूृेैोौॅॉंँः़्०१२३४५६७८९।॥ऽॐ"


def words(text):
    table = text.split()
    return list(zip(table[::2], table[1::2], strict=True))


def test_words_of_the_data_are_written_as_they_are_spoken():
    table = words(WORDS)
    assert len(table) >= 60
    found = {word: romanize(word) for word, _ in table}
    assert found == dict(table)
    data = Path(DATA_DIRECTORY / "phrasebook.tsv").read_text(encoding="utf-8")
    assert set(found) <= set(re.findall("[\u0900-\u097f]+", data))


OTHERS = """
वाकडे vākḍe  तुकडे tukḍe  त्याच्याकडून tyāchyākaḍūn  आईकडे āīkaḍe  बॉस्टनमध्ये bôsṭanmadhye  स्वयंपाकघरात svayampākgharāt
समजलं samajlaṁ  समजत samjat  ओळखतो oḷakhto  आठवड्यात āṭhavḍyāt  दुसऱ्या dusryā  आपल्याला āplyālā
बोलण्यापूर्वी bolṇyāpūrvī  करण्यासाठी karṇyāsāṭhī  समस्या samasyā
एकही ekahī  अजूनही ajūnhī  उदाहरण udāharaṇ  शहरात śaharāt  संगणक saṅgaṇak  सांगतो sāṅgto  प्रिय priya  भारतीय bhārtīya
व va  न na  महान् mahān  संस्कृत saṁskr̥t  ज्ञान jñān  क्षण kṣaṇ  स्पष्ट spaṣṭa  स्पष्टपणे spaṣṭapaṇe
अंक aṅk  अंग aṅg  पंच pañch  पंजा pañjā  घंटा ghaṇṭā  अंडी aṇḍī  अंत ant  बंदर bandar  कंप kamp  आंबा āmbā  मांस māṁs
संशय saṁśay  सिंह siṁh  बाबांशी bābāṁśī  बँक bêṅk  सँडविच sêṇḍvich  अँजेला êñjelā  दुःख duḥkh  स्वतःला svataḥlā
ज़रा zarā  फ़ोन fon  बड़ा baṛā  ऍन ên  ॲना ênā  ऑफिस ôphis  गोऱ्हे gorhe  दऱ्या daryā  १२३ 123  ॐ om
खाल्लंत khāllat  केलंत kelat  ज्वलंत jvalant  खरंच kharach  सगळंच sagḷach  तसंच tasach  सरपंच sarpañch  मंच mañch
केलंस kelas  वाटतंय vāṭtay  माझंही mājhahī  माझं mājhaṁ  शर्ट śarṭ  कार्ड kārḍ  पोस्ट posṭ  बॉक्स bôks  फ्रान्स phrāns  नर्स nars
फॉर्म phôrm  गोष्ट goṣṭa  खर्च kharcha  अर्थ artha  पंतप्रधान pantpradhān  लोकसभा loksabhā  जगप्रसिद्ध jagprasiddha
जगभरात jagbharāt  देशभरात deśbharāt  तळघरात taḷgharāt  विमानतळावर vimāntaḷāvar  बसस्टॉप bassṭôp  बॉयफ्रेंड bôyphreṇḍ
शिवाजीनगर śivājīnagar  आईवडील āīvaḍīl  पातळी pātḷī  कधीकधी kadhīkadhī  हळूहळू haḷūhaḷū  मामा māmā  गणपती gaṇpatī
जपतील japtīl  अमरावती amrāvatī  श्रीमती śrīmatī  भोवती bhovtī  पावती pāvtī  किमती kimtī  मेघराज meghrāj  ब्रंच brañch
महाबळेश्वर mahābaḷeśvar  लॉगइन lôgaïn  मुंबईत mumbaīt
करमणूक karmaṇūk  कळवळा kaḷvaḷā  अंमलात ammalāt
"""  # where an a is not spoken; nasals, nuktas and rare letters; silent dots, English words, compounds, hiatus


@pytest.mark.parametrize(("marathi", "latin"), words(OTHERS))
def test_an_a_is_left_out_where_it_is_not_spoken_and_rare_letters_are_written(marathi, latin):
    assert romanize(marathi) == latin


@pytest.mark.parametrize("spelling", ["बॅंक", "बँक", "बॅँक"])
def test_every_spelling_of_a_word_has_one_latin_form(spelling):
    assert romanize(spelling) == "bêṅk"
    assert romanize("दर\u094d\u200dया") == romanize("दऱ्या") and romanize("क्\u200dष") == "kṣ" + "a"


def test_sentences_keep_their_marks_and_words_in_other_scripts():
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
