"""Three tokenisers: what they split by hand, and the laws that all three keep."""

import pytest

from nmt_attention import CharacterTokenizer, SubwordTokenizer, WordTokenizer, part_of
from nmt_attention.vocabulary import END_ID, PAD_ID, SPECIAL_TOKENS, START_ID, UNKNOWN_ID

RHASA, ASANARYA, KSHANA = "ऱ्हास", "असणाऱ्या", "क्\u200dषण"  # the last with a joiner, so that क keeps its shape
MARATHI = [
    *("मी शाळेत जातो.", "ती पुस्तक वाचते.", "राहुल चांगला मुलगा आहे.", "बाबांनी मला कॅमेरा विकत घेतला."),
    *(f"{RHASA} होत आहे.", f"तिथे {ASANARYA} मुलांना विचारा.", f"{KSHANA}, ‘थांब’ – बरं!", "तू कुठे आहेस?"),
    *("विद्यार्थ्यांना क्षत्रिय राजा आवडतो.", "ती म्हणाली, मी येते.", "किंमत १,००० रुपये आहे, १२३ नाही!"),
]
LINES = [
    *MARATHI,
    *("Rahul is a good boy.", "I don't know; ask my mother-in-law.", 'She said, "Go home!" and left.'),
    *('"Stop!" he said. "Why?" she asked.', "“थांब!” ती म्हणाली.", "Is it (really) 2:30 p.m.? Wait... what?!"),
    *("राम आला। सीता गेली॥", "एक; दोन: तीन…", "It cost 1,000,000 rupees [or so].", "Emoji 🙂 👩‍👩‍👧 and Русский text"),
    *("¿Dónde está? ¡Aquí!", "‹a› «b» „c”", "a ― b – c — d", "（a） [b] 「c」"),
]
KINDS = "word", "character", "subword"


@pytest.fixture(scope="module")
def tokenizers():
    return {kind: part_of("tokenizer", kind).learn(LINES, 200) for kind in KINDS}


@pytest.fixture(params=KINDS)
def tokenizer(request, tokenizers):
    return tokenizers[request.param]


def rows(ids):
    return [ids.values[a:b].tolist() for a, b in zip(ids.splits, ids.splits[1:], strict=False)]


WORDS = {
    "मी शाळेत जातो.": "मी शाळेत जातो .",
    "राम आला। सीता गेली॥": "राम आला । सीता गेली ॥",
    "at 2:30 p.m.": "at 2:30 p.m .",
    "Note: this": "Note : this",
    "१,००० हो,नाही एक, १": "१,००० हो , नाही एक , १",
    "Wait... what?!!": "Wait ... what ? !!",
    "(आई-बाबा)": "( आई-बाबा )",
    "mother-in-law's o’clock": "mother-in-law's o'clock",
    "'सकाळ' हो—नाही": "‘ सकाळ ’ हो — नाही",
    f"{ASANARYA} {KSHANA} विद्यार्थ्यांना": f"{ASANARYA} {KSHANA} विद्यार्थ्यांना",
    "": "",
    "¿Dónde está?": "¿ Dónde está ?",
    "‹Oui›, „nein“ ‚": "‹ Oui › , „ nein “ ‚",
    "أين، متى؟ نعم؛": "أين ، متى ؟ نعم ؛",
    "٣٫١٤ ١٬٠٠٠": "٣٫١٤ ١٬٠٠٠",
    "你好，世界。真的？！": "你好 ， 世界 。 真的 ？ ！",
    "ジョン・スミス、「はい」": "ジョン ・ スミス 、 「 はい 」",
    "Ո՞վ ես դու։": "Ո՞վ ես դու ։",
    "ሻይ፣ ቡና።": "ሻይ ፣ ቡና ።",
    "ကောင်း၊ ဟုတ်။": "ကောင်း ၊ ဟုတ် ။",
    "צה״ל ג׳ירפה בית־ספר": "צה״ל ג׳ירפה בית־ספר",
    "col·lega · fi": "col·lega · fi",
    "Ποιος; ναι·": "Ποιος ; ναι ·",
    "50% A&B #1 @a a/b c_d e* \\f ５０％": "50% A&B #1 @a a/b c_d e* \\f ５０％",
    "डॉ॰ पाटील†": "डॉ॰ पाटील †",
}


@pytest.mark.parametrize(("text", "tokens"), WORDS.items())
def test_words_are_split_at_spaces_and_at_the_marks_of_all_languages_but_those_within_words(text, tokens):
    assert WordTokenizer(SPECIAL_TOKENS).tokenize(text) == tokens.split()


@pytest.mark.parametrize(
    "marked",  # "|" stands where a letter ends; among others from Unicode's own GraphemeBreakTest.txt
    [
        *("मी|▁|जा|तो|.|", "👩‍👩‍👧|", "क|त|", "क्त|", "क्\u200dत|", "क्|a|"),
        *("a\u094d|\u0924|", "a\u0308|\U0001f1e6\U0001f1e7|\U0001f1e8|b|", "a\u200d|\U0001f6d1|"),
        *("\u1100\u1161\u11a8|\u1100|", "a|\u0600b|", "a\u0903|b|", "a|\r\n|\u0308|\r|a|"),
        "\u0915" + "\u094d" * 100_000 + "|",  # at once, however many ways there are to cut it
    ],
    ids=lambda marked: ascii(marked[:20]),
)
def test_a_character_is_what_a_reader_calls_a_letter(marked):
    assert CharacterTokenizer.split(marked.replace("|", "")) == marked.split("|")[:-1]


def test_the_most_frequent_words_get_ids_and_ties_go_by_code_point():
    tokenizer = WordTokenizer.learn(["ती मी", "ती आई", "बाबा"], 7)
    assert tokenizer.vocabulary == [*SPECIAL_TOKENS, "ती", "आई", "बाबा"]
    assert tokenizer.encode("मी ती") == [UNKNOWN_ID, 4]
    assert tokenizer.decode([START_ID, UNKNOWN_ID, 4, END_ID, PAD_ID]) == "<unknown> ती"


def test_detokenising_and_decoding_give_the_text_back(tokenizer):
    large = type(tokenizer).learn(LINES, 1000)
    for line in LINES:  # marks lean to the side where they stood
        assert tokenizer.detokenize(tokenizer.tokenize(line)) == line
        assert large.decode([START_ID, *large.encode(line), END_ID, PAD_ID]) == line


def test_learning_from_any_iterable_gives_the_same_tokeniser_and_so_does_its_configuration(tokenizer):
    for again in (type(tokenizer).learn(iter(LINES), 200), type(tokenizer).from_config(tokenizer.to_config())):
        assert again.to_config() == tokenizer.to_config() and 4 < len(again) <= 200
        assert rows(again.encode_all(LINES, 0.2, 7)) == rows(tokenizer.encode_all(LINES, 0.2, 7))
    assert 4 < len(type(tokenizer).learn(["मी."], 4000)) < 40  # a small text gives fewer tokens
    for alpha in (0.0, 0.3):
        assert rows(tokenizer.encode_all(iter(LINES), alpha)) == rows(tokenizer.encode_all(LINES, alpha))


def test_subwords_are_learned_of_long_text_too():
    long = ["मुलगा शाळेत जातो. " * 400, "नदी"]  # sentencepiece by itself leaves out texts of more than 4,192 bytes
    assert UNKNOWN_ID not in SubwordTokenizer.learn(long, 60).encode("मुलगा शाळेत जातो.")


def test_sampled_segmentations_differ_by_seed_and_a_higher_alpha_draws_the_plain_one_more_often(tokenizers):
    subwords = tokenizers["subword"]
    drawn = [rows(subwords.encode_all(MARATHI, alpha=0.1, seed=seed)) for seed in (1, 2, 1)]
    assert drawn[0] == drawn[2] != drawn[1]
    assert all([subwords.decode(ids) for ids in sentences] == MARATHI for sentences in drawn)
    plain = rows(subwords.encode_all(LINES))

    def hits(alpha):
        drawn = [rows(subwords.encode_all(LINES, alpha, seed)) for seed in range(10)]
        return sum(row == best for sentences in drawn for row, best in zip(sentences, plain, strict=True))

    assert hits(0.05) < hits(1.0) <= hits(9.0)


def test_a_token_that_reaches_over_two_words_belongs_to_both():
    groups = CharacterTokenizer(SPECIAL_TOKENS).words(["▁", "रा", "हुल.", "▁ती", '."'])
    assert groups == [("राहुल", [0, 1, 2]), (".", [2]), ("ती", [3]), (".", [4]), ('"', [4])]
