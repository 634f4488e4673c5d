"""No sentence of the test split occurs in training, in languages with letters and marks of their own."""

import hashlib
import unicodedata

import pytest

from nmt_attention.corpus import Pair, Split, add_training_pairs, group_keys, sentence_key, split_pairs
from nmt_attention.text import WordTokenizer
from nmt_attention.vocabulary import SPECIAL_TOKENS

ENGLISH = (
    *("Where is the station?", "Run!", "I drink tea.", "Tom, wait!", "She is ill today.", "Who are you?"),
    *("We have three cats.", "It is raining.", "I don't know, I think.", "Are you coming?", "Help!", "My book is new."),
)
SENTENCES = {
    "Spanish": "¿Dónde está la estación?|¡Corre!|Bebo té.|¡Tom, espera!|Hoy está enferma.|¿Quién eres?|"
    "Tenemos tres gatos.|Está lloviendo.|No lo sé, creo.|¿Vienes?|¡Socorro!|Mi libro es nuevo.",
    "French": "Où est la gare ?|Cours !|Je bois du thé.|Tom, attends !|Elle est malade aujourd’hui.|Qui es-tu ?|"
    "Nous avons trois chats.|Il pleut.|Je ne sais pas, je crois.|Tu viens ?|À l’aide !|« Mon livre est neuf. »",
    "German": "Wo ist der Bahnhof?|Lauf!|Ich trinke Tee.|Tom, warte!|„Sie ist heute krank.“|Wer bist du?|"
    "Wir haben drei Katzen.|Es regnet.|Ich weiß nicht, glaube ich.|Kommst du?|Hilfe!|Mein Buch ist neu.",
    "Russian": "Где вокзал?|Беги!|Я пью чай.|Том, подожди!|Она сегодня больна.|Кто вы?|"
    "У нас три кошки.|Идёт дождь.|Не знаю, наверное.|Ты идёшь?|Помогите!|«Моя книга новая.»",
    "Greek": "Πού είναι ο σταθμός;|Τρέξε!|Πίνω τσάι.|Τομ, περίμενε!|Είναι άρρωστη σήμερα.|Ποιος είσαι;|"
    "Έχουμε τρεις γάτες.|Βρέχει.|Δεν ξέρω, νομίζω.|Έρχεσαι;|Βοήθεια!|Το βιβλίο μου είναι καινούριο.",
    "Armenian": "Որտե՞ղ է կայարանը։|Վազի՛ր։|Ես թեյ եմ խմում։|Թո՛մ, սպասի՛ր։|Նա այսօր հիվանդ է։|Ո՞վ ես դու։|"
    "Մենք երեք կատու ունենք։|Անձրև է գալիս։|Չգիտեմ, կարծում եմ։|Գալի՞ս ես։|Օգնեցե՛ք։|Իմ գիրքը նոր է։",
    "Amharic": "ጣቢያው የት ነው?|ሩጥ!|ሻይ እጠጣለሁ።|ቶም፣ ጠብቅ!|ዛሬ ታማለች።|አንተ ማን ነህ?|"
    "ሦስት ድመቶች አሉን።|ዝናብ እየዘነበ ነው።|አላውቅም፣ ይመስለኛል።|ትመጣለህ?|እርዳታ!|መጽሐፌ አዲስ ነው።",
    "Arabic": "أين المحطة؟|اركض!|أشرب الشاي.|توم، انتظر!|هي مريضة اليوم.|من أنت؟|"
    "عندنا ثلاث قطط.|إنها تمطر.|لا أعرف، أظن؛ ربما.|هل ستأتي؟|النجدة!|كتابي جديد.",
    "Hebrew": "איפה התחנה?|רוץ!|אני שותה תה.|תום, חכה!|היא חולה היום.|מי אתה?|"
    "יש לנו שלושה חתולים.|יורד גשם.|אני לא יודע, נדמה לי.|אתה בא?|הצילו!|הספר שלי חדש.",
    "Chinese": "车站在哪里？|快跑！|我喝茶。|汤姆，等等！|她今天病了。|你是谁？|"
    "我们有三只猫。|下雨了。|我不知道，我想……|你来吗？|救命！|「我的书是新的。」",
    "Japanese": "駅はどこですか？|走れ！|お茶を飲みます。|トム、待って！|彼女は今日病気です。|あなたは誰ですか？|"
    "猫が三匹います。|雨が降っています。|わかりません、たぶん…|来ますか？|助けて！|「私の本は新しいです。」",
    "Hindi": "स्टेशन कहाँ है?|भागो!|मैं चाय पीता हूँ।|टॉम, रुको!|वह आज बीमार है।|तुम कौन हो?|"
    "हमारे पास तीन बिल्लियाँ हैं।|बारिश हो रही है।|मुझे नहीं पता, शायद।|क्या तुम आ रहे हो?|बचाओ!|मेरी किताब नई है।",
}
MARKS = "¿¡.?!,;:…。！？，、；：؟،؛።፣፧։।॥·‽⁇«»‹›„‚“”‘’「」『』()（）・၊།—–"
DRESSES = [f"{{}}{mark}" for mark in ("", "!", " ?", "。", "？", "؟", "።", "։", "।", ";", "…", " 😀", "\u00a0!")]
DRESSES += ["¿{}?", "¡{}!", "« {} »", "„{}“", "‹{}›", "「{}」", "『{}』", "（{}）", "— {}", "•{}", "・{}", "\u200f{}"]


def bare(sentence):
    """Returns a sentence without the marks between words."""
    return " ".join("".join(" " if c in MARKS else c for c in sentence).split())


def dressed(sentence):
    """Returns a sentence with other punctuation, or in another dress."""
    plain = bare(sentence)
    others = [plain.upper(), plain.title(), unicodedata.normalize("NFD", sentence), sentence.replace(" ", "  ")]
    return [*(dress.format(plain) for dress in DRESSES), *others, f"{sentence}{sentence[-1]}"]


@pytest.fixture(params=SENTENCES)
def pairs(request):
    sentences = SENTENCES[request.param].split("|")
    return [Pair(f"{request.param}: {source}", target) for source, target in zip(ENGLISH, sentences, strict=True)]


def test_every_dress_of_a_sentence_is_in_its_group_and_no_other_sentence_is(pairs):
    many = [Pair(f"copy {n} of {pair.source}", text) for pair in pairs for n, text in enumerate(dressed(pair.target))]
    keys, size = group_keys([*pairs, *many]), len(many) // len(pairs)
    assert len(set(keys)) == len(set(keys[: len(pairs)])) == len(pairs) == 12
    for i in range(len(pairs)):
        copies = keys[len(pairs) + i * size : len(pairs) + (i + 1) * size]
        assert [many[i * size + n].target for n, key in enumerate(copies) if key != keys[i]] == []


def test_no_sentence_of_dev_or_test_is_added_to_training_in_any_dress(pairs):
    split = Split([Pair("x", "y")], pairs[::2], pairs[1::2])
    for pair in pairs:
        beside = [f"{pair.target} {pairs[0].target}", f"{pair.target}\n{pair.target}", f"OK. {pair.target}"]
        extra = [Pair(f"new {n}", text) for n, text in enumerate([*dressed(pair.target), *beside])]
        assert add_training_pairs(split, extra) == split
    kept = [Pair("new", pair.target.replace(pair.target[1:4], "xyz")) for pair in pairs]
    assert add_training_pairs(split, kept).train == [*split.train, *kept]


def test_the_test_split_of_all_languages_has_no_sentence_of_training():
    sentences = [sentence for language in SENTENCES.values() for sentence in language.split("|")]
    pairs = [
        Pair(f"{number} is {hashlib.md5(text.encode()).hexdigest()}", text)
        for number, sentence in enumerate(sentences)
        for text in dressed(sentence)
    ]
    train, dev, test = ({pair.source.split()[0] for pair in part} for part in split_pairs(pairs))
    assert not train & test and not train & dev and not dev & test
    assert len(train | dev | test) == len(sentences) and len(test) > 3 and len(dev) > 3


def test_different_sentences_have_different_keys():
    for one, other in {
        ("Es ist schon da.", "Es ist schön da."),
        ("Il a mangé.", "Il a mange."),
        ("मी घरी जातो.", "मी घरी जाते."),
        ("It costs 3 rupees.", "It costs 4 rupees."),
        ("Il est là.", "Il est las."),
        ("हो", "ही"),
        ("?", "!"),
    }:
        assert sentence_key(one) != sentence_key(other)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("¿Dónde está?", "¿ Dónde está ?"),
        ("¡Corre, Tom!", "¡ Corre , Tom !"),
        ("‹Oui›, „nein“ ‚", "‹ Oui › , „ nein “ ‚"),
        ("أين، متى؟ نعم؛", "أين ، متى ؟ نعم ؛"),
        ("٣٫١٤ ١٬٠٠٠", "٣٫١٤ ١٬٠٠٠"),
        ("你好，世界。真的？！", "你好 ， 世界 。 真的 ？ ！"),
        ("ジョン・スミス、「はい」", "ジョン ・ スミス 、 「 はい 」"),
        ("Ո՞վ ես դու։", "Ո՞վ ես դու ։"),
        ("ሻይ፣ ቡና።", "ሻይ ፣ ቡና ።"),
        ("ကောင်း၊ ဟုတ်။", "ကောင်း ၊ ဟုတ် ။"),
        ("བོད་ཡིག།", "བོད་ཡིག །"),
        ("צה״ל ג׳ירפה בית־ספר", "צה״ל ג׳ירפה בית־ספר"),
        ("col·lega · fi", "col·lega · fi"),
        ("Ποιος; ναι·", "Ποιος ; ναι ·"),
        ("mother-in-law's 50% A&B #1 @a a/b c_d e* \\f", "mother-in-law's 50% A&B #1 @a a/b c_d e* \\f"),
        ("mother‐in‑law ５０％ Ａ＆Ｂ", "mother‐in‑law ５０％ Ａ＆Ｂ"),
        ("डॉ॰ पाटील†", "डॉ॰ पाटील †"),
    ],
)
def test_marks_of_all_languages_are_words_of_their_own_but_those_within_words(text, tokens):
    assert WordTokenizer(SPECIAL_TOKENS).tokenize(text) == tokens.split()


@pytest.mark.parametrize("text", ["¿Dónde está? ¡Aquí!", "‹a› «b» „c”", "a ― b – c — d", "（a） [b] 「c」"])
def test_marks_lean_to_the_side_where_they_stood(text):
    tokenizer = WordTokenizer(SPECIAL_TOKENS)
    assert tokenizer.detokenize(tokenizer.tokenize(text)) == text
