import pytest

from nmt_attention.marathi.error_rules import tenses_of_source
from nmt_attention.marathi.forms import genders_of_subject, registers, tenses
from nmt_attention.marathi.rules import words_of


def test_words_without_marks():
    assert words_of('"हो," तो म्हणाला... २:३० ला!') == ["हो", "तो", "म्हणाला", "२:३०", "ला"]
    assert words_of("?!") == []


YOU = """
तू: तू कुठे आहेस?  तुला काय हवं आहे?  तुझं नाव काय?  काय करतोयस?  जेवलीस का?  इथे थांबू नकोस.
तू: उद्या येशील का?  मला तुझ्याबरोबर येऊ दे.  मला पाणी दे.  तूसुद्धा ये.  खिडकीजवळ थांबू नको.
तुम्ही: तुम्ही कुठे आहात?  तुम्हाला काय हवं आहे?  तुमच्या घरी कोण आहे?  इथे थांबू नका.  काय करताय?
तुम्ही: काल काय केलंत?  मला पाणी द्या.  इकडे या.  उद्या काय कराल?
-: आपण कुठे आहोत?  तो काल आला.  पोलीस आले.  मला एक ग्लास पाणी हवं आहे.  तास संपला.
-: तुलना करणं कठीण आहे.  इकडे जा.  तो संवेदनशील आहे.  हा गुलाल.  एकत्र बसू या.  मला ते नको.
तू तुम्ही: तुम्ही कॅनेडियन आहेस का?  मला तुझा बेल्ट द्या.
-: कासिल्लास खेळत होता.  तिचा नेकलेस हरवला.  झाड खलास झालं.  हा ज्वलंत प्रश्न आहे.
"""

GENDERS = """
m: तो चहा पितो.  तो येतोय.  तो घरी गेला.  तो घरी गेला आहे.  तो काल आला नाही.  तो काम करत होता.
m: तो घरी गेला होता.  तो डॉक्टर होता, नाही का?  तो रोज यायचा.
f: ती चहा पिते.  ती येतेय.  ती घरी गेली.  ती घरी गेलीये.  ती काल आली नाही.  ती काम करत होती.
f: ती घरी गेली होती.  ती घरी नव्हती.  ती रोज यायची.
-: ती येईल.  तो काम करत आहे.  त्याने पोळी खाल्ली.  तिने आंबा खाल्ला होता.  तिने पोळी केली होती.
-: ते घरी होते.  ती घरी असते.  ?
"""  # the future shows no gender, a past verb with an agent agrees with its object, and ते may be one or many

TENSES = """
past: तो काल आला.  मी पत्र लिहिलं.  तिने पोळ्या केल्या.  तू कुठे गेलास?  तो घरी होता का?  ते घरी नव्हते.
past: मी तिथे होतो.  त्याने काहीच सांगितलं नाही.  तो काम करत होता.  तो जाणार होता.  त्याने काम केलं होतं.
past: तुम्ही कुठे होतात?  तुम्ही हुशार नव्हतात.  जहाज बुडालं.  मुलगे घरी गेले होते.  त्याने चहा प्यायला.
past: मी रोज शाळेत जायचो.  तू पत्र लिहिलंस.  तो आलाच नाही.  तू त्याला ओळखलंस, नाही का?
present: तो घरी आहे.  ती पुस्तक वाचते.  मी येतोय.  मुलं खेळतात.  तो काम करत नाही.  तो काम करत आहे.
present: मुली चांगल्या आहेत.  तो चांगला नाही.  हे घरातलं आहे.  मला जायला पाहिजे.  टॉम शाळेला नाही.
present: मला ते हवंय.  तो कुठेय?  पुस्तक टेबलाखाली नाही.  दार खुलं आहे.  तो दूधवाला नाही.
present: ती पिल्लं नाहीत.  तुम्ही पोहू शकता.  मला आंबे पाहिजेत.  मला भूक नाहिये.  ही फ्रेंच नव्हे.
future: तो उद्या येईल.  मी उद्या जाईन.  ते येतील ना?  तू काय करशील?  तुम्ही काय कराल?  मी जाणार आहे.
future: तो येणार नाही.  तो येणार नाहीये.  आम्ही मदत करू.  तो तिथेच राहील.  तो घरी असणार आहे.
present future: तो आता घरी असेल.  ती वाचत असेल.  ते श्रीमंत नसतील.
past present: मी पत्र लिहिलं आहे.  तो आलाय.  त्याने काम केलं नाहीये.  दार उघडलेलं नाही.  त्याला त्रास होतो.
past present: शाळा ९ वाजता सुरू होते.  इथे अपघात होतात.  मुली आल्यात.  त्याला भूक लागलीये.
-: मला पाणी दे.  जाऊया.  आपण जाऊ.  मी असतो तर त्याने ते केलं असतं.  मला.  ती ट्रेन.  ही क्रेन.
-: हा बंगाल.  ?  खाली.  मला जायचंय ते बॉस्टनला.  फोन उचला.  तो आता.  तो गेला असेल.  ५० येन.
"""


ENGLISH = """
past: I saw him.  They were at home.  She didn't go.  Tom wanted it.  He left an hour ago.
present: I need a week.  They are at home.  He's here.  Tom's sister sings.
future: I'll come.  It won't work.
past present: I have eaten.  I put it here.  He's tired.
present future: He is going to sing.  I need to go.  We are coming on Monday.
past present future: You should go.  Could he swim?  I'd go.  I have to go.
"""


@pytest.mark.parametrize(
    ("forms", "text"), [(registers, YOU), (genders_of_subject, GENDERS), (tenses, TENSES), (tenses_of_source, ENGLISH)]
)
def test_which_you_the_subject_s_gender_and_the_last_verb_s_tense(forms, text):
    """A line is "forms: sentence  sentence …"; a dash is no form."""
    rows = [line.split(": ", 1) for line in text.strip().splitlines()]
    expected = {sentence: set(said.split()) - {"-"} for said, line in rows for sentence in line.split("  ")}
    assert {sentence: forms(sentence) for sentence in expected} == expected
