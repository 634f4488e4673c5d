import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from nmt_attention import text as text_module
from nmt_attention.runs.bundle import load_tokenizer
from nmt_attention.spelling import normalize
from nmt_attention.text import TOKENIZERS, CharacterTokenizer, SubwordTokenizer, WordTokenizer
from nmt_attention.vocabulary import END_ID, PAD_ID, SPECIAL_TOKENS, START_ID, UNKNOWN_ID

RHASA, ASANARYA = "ऱ्हास", "असणाऱ्या"
KSHANA = "क्\u200dषण"  # with a zero-width joiner, so that क keeps its shape
MARATHI = [
    "मी शाळेत जातो.",
    "ती पुस्तक वाचते.",
    "राहुल चांगला मुलगा आहे.",
    "बाबांनी मला कॅमेरा विकत घेतला.",
    "विद्यार्थ्यांना क्षत्रिय राजा आवडतो.",
    f"{RHASA} होत आहे.",
    f"तिथे {ASANARYA} मुलांना विचारा.",
    f"{KSHANA}, ‘थांब’ – बरं!",
    "तू कुठे आहेस?",
    "ती म्हणाली, मी येते.",
    "किंमत १,००० रुपये आहे, १२३ नाही!",
]
LINES = [
    *MARATHI,
    "",
    "Rahul is a good boy.",
    "I don't know; ask my mother-in-law.",
    'She said, "Go home!" and left.',
    '"Stop!" he said. "Why?" she asked.',
    "“थांब!” ती म्हणाली.",
    "Is it (really) 2:30 p.m.? Wait... what?!",
    "राम आला। सीता गेली॥",
    "एक; दोन: तीन…",
    "It cost 1,000,000 rupees [or so].",
    "Emoji 🙂 👩‍👩‍👧 and Русский text",
]
LEARNABLE = [line for line in LINES if line]


@pytest.fixture(scope="session")
def tokenizers():
    return {kind: cls.learn(LEARNABLE, 200) for kind, cls in TOKENIZERS.items()}


def rows(flat):
    """The id lists that a `RaggedIds` packs."""
    return [flat.values[a:b].tolist() for a, b in zip(flat.splits, flat.splits[1:], strict=False)]


# --- word tokens, by hand


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("मी शाळेत जातो.", ["मी", "शाळेत", "जातो", "."]),
        ("राम आला। सीता गेली॥", ["राम", "आला", "।", "सीता", "गेली", "॥"]),
        ('ती म्हणाली, "थांब!"', ["ती", "म्हणाली", ",", '"', "थांब", "!", '"']),
        ("“थांब”", ["“", "थांब", "”"]),
        ("at 2:30 p.m.", ["at", "2:30", "p.m", "."]),
        ("Note: this", ["Note", ":", "this"]),
        ("१,००० रुपये", ["१,०००", "रुपये"]),
        ("1,000,000", ["1,000,000"]),
        ("हो,नाही", ["हो", ",", "नाही"]),
        ("एक, १", ["एक", ",", "१"]),
        ("Wait... what?!!", ["Wait", "...", "what", "?", "!!"]),
        ("(आई-बाबा)", ["(", "आई-बाबा", ")"]),
        ("mother-in-law's o’clock", ["mother-in-law's", "o'clock"]),
        (f"{ASANARYA} {KSHANA} विद्यार्थ्यांना", [ASANARYA, KSHANA, "विद्यार्थ्यांना"]),
        ("१२३ 123", ["१२३", "123"]),
        (".", ["."]),
        ("", []),
    ],
)
def test_words_are_split_at_spaces_and_listed_marks(text, tokens):
    assert WordTokenizer(SPECIAL_TOKENS).tokenize(text) == tokens


def test_characters_are_what_a_reader_calls_letters():
    tokenizer = CharacterTokenizer(SPECIAL_TOKENS)
    assert tokenizer.tokenize("मी जातो.") == ["मी", "▁", "जा", "तो", "."]
    assert len(tokenizer.tokenize("👩‍👩‍👧")) == 1


# --- laws that hold for all kinds


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("kind", TOKENIZERS)
def test_detokenize_gives_back_what_tokenize_split(tokenizers, kind, line):
    tokenizer = tokenizers[kind]
    assert tokenizer.detokenize(tokenizer.tokenize(line)) == line


@pytest.mark.parametrize(
    "marked",  # "|" stands where a letter ends; in Unicode's own GraphemeBreakTest.txt among others
    [
        "\u0915|\u0924|",
        "\u0915\u094d\u0924|",
        "\u0915\u094d\u094d\u0924|",
        "\u0915\u094d\u200d\u0924|",
        "\u0915\u093c\u200d\u094d\u0924|",
        "\u0915\u094d\u0924\u094d\u092f|",
        "\u0915\u094d|a|",
        "a\u094d|\u0924|",
        "?\u094d|\u0924|",
        "a\u0308|\U0001f1e6\U0001f1e7|\U0001f1e8|b|",
        "\U0001f476\U0001f3ff|\U0001f476|",
        "\U0001f6d1\u200d\U0001f6d1|",
        "a\u200d|\U0001f6d1|",
        "\u1100\u1161\u11a8|\u1100|",
        "a|\u0600b|",
        "\u0600|",
        "a\u0903|b|",
        "a|\r\n|\u0308|\r|a|",
        "\u0915" + "\u094d" * 100_000 + "|",  # at once, however many ways there are to cut it
    ],
    ids=lambda marked: ascii(marked[:20]),
)
def test_letters_end_where_the_unicode_standard_says(marked):
    assert CharacterTokenizer.split(marked.replace("|", "")) == marked.split("|")[:-1]


@pytest.mark.parametrize("kind", ["subword", "character"])
def test_pieces_keep_text_that_is_punctuated_in_an_unusual_way(tokenizers, kind):
    tokenizer = tokenizers[kind]
    for line in ('a " b', "ही ,ती", "( x )", "_ ▁ _", ". . ."):
        assert tokenizer.detokenize(tokenizer.tokenize(line)) == normalize(line)


@pytest.mark.parametrize("kind", TOKENIZERS)
def test_decode_gives_back_the_text_it_was_learned_from(kind):
    tokenizer = TOKENIZERS[kind].learn(LEARNABLE, 1000)
    for line in LEARNABLE:
        ids = tokenizer.encode(line)
        assert tokenizer.decode([START_ID, *ids, END_ID, PAD_ID, PAD_ID]) == line


@pytest.mark.parametrize("kind", TOKENIZERS)
def test_case_is_folded_only_by_a_tokenizer_that_was_told_to(kind):
    folding = TOKENIZERS[kind].learn(["Rahul is good."], 100, fold_case=True)
    keeping = TOKENIZERS[kind].learn(["Rahul is good."], 100)
    assert folding.detokenize(folding.tokenize("RAHUL")) == "rahul"
    assert keeping.detokenize(keeping.tokenize("RAHUL")) == "RAHUL"
    assert folding.encode("RAHUL IS good.") == folding.encode("Rahul is good.")


@pytest.mark.parametrize("kind", TOKENIZERS)
@pytest.mark.parametrize(
    "text",
    [
        "🫠🙂",
        "मी Rahul मराठी",
        "\x00\x1b\x7f",
        "",
        "漢字 и Русский",
        "▁▁",
        "<pad> <start> <end> <unknown>",
        "\U0010fffd",
    ],
)
def test_unknown_input_is_ordinary(tokenizers, kind, text):
    tokenizer = tokenizers[kind]
    ids = tokenizer.encode(text)
    assert all(UNKNOWN_ID <= i < len(tokenizer) for i in ids)
    assert ids == tokenizer.ids(tokenizer.tokenize(text)) == rows(tokenizer.encode_all([text]))[0]
    assert bool(ids) == bool(normalize(text))
    assert isinstance(tokenizer.decode(ids), str)


@pytest.mark.parametrize("kind", TOKENIZERS)
def test_ten_thousand_words_are_ordinary(tokenizers, kind):
    tokenizer = tokenizers[kind]
    ids = tokenizer.encode("मी शाळेत " * 5000)
    assert len(ids) >= 10_000 and set(ids) <= set(range(4, len(tokenizer)))


@pytest.mark.parametrize("kind", TOKENIZERS)
def test_text_that_looks_like_a_special_token_is_text(kind):
    tokenizer = TOKENIZERS[kind].learn(["<pad> is a tag, <start> too.", "<end>"], 100)
    assert tuple(tokenizer.vocabulary).count("<pad>") == 1
    for text in SPECIAL_TOKENS:
        assert not {PAD_ID, START_ID, END_ID} & set(tokenizer.encode(text)), text
        assert not {PAD_ID, START_ID, END_ID} & set(tokenizer.ids(tokenizer.tokenize(text))), text


@pytest.mark.parametrize("kind", TOKENIZERS)
def test_the_four_special_tokens_come_first(tokenizers, kind):
    assert (PAD_ID, START_ID, END_ID, UNKNOWN_ID) == (0, 1, 2, 3)
    assert tokenizers[kind].tokens([PAD_ID, START_ID, END_ID, UNKNOWN_ID]) == list(SPECIAL_TOKENS)
    assert len(set(tokenizers[kind].vocabulary)) == len(tokenizers[kind]) > 4


@pytest.mark.parametrize("kind", TOKENIZERS)
def test_learning_twice_gives_the_same_tokenizer(tokenizers, kind):
    again = TOKENIZERS[kind].learn(iter(LEARNABLE), 200)
    assert again.to_config() == tokenizers[kind].to_config()


@pytest.mark.parametrize("kind", TOKENIZERS)
def test_a_vocabulary_is_no_larger_than_asked_for(kind):
    assert len(TOKENIZERS[kind].learn(LEARNABLE, 150)) <= 150


@pytest.mark.parametrize("kind", TOKENIZERS)
@pytest.mark.parametrize("texts", [["मी शाळेत जातो."], ["a"], ["."], ["a b"] * 3])
def test_a_small_text_gives_fewer_tokens_instead_of_an_error(kind, texts):
    tokenizer = TOKENIZERS[kind].learn(texts, 4000)
    assert 4 < len(tokenizer) < 40
    assert tokenizer.decode(tokenizer.encode(texts[0])) == texts[0]


def test_the_most_frequent_words_are_kept_and_ties_go_by_code_point():
    tokenizer = WordTokenizer.learn(["ती मी", "ती आई", "बाबा"], 7)
    assert tokenizer.vocabulary == [*SPECIAL_TOKENS, "ती", "आई", "बाबा"]
    assert tokenizer.encode("मी ती") == [UNKNOWN_ID, 4]
    assert tokenizer.decode([UNKNOWN_ID, 4]) == "<unknown> ती"


@pytest.mark.parametrize("kind", TOKENIZERS)
def test_two_languages_learned_at_once_are_those_learned_one_after_the_other(kind):
    texts = [[f"{line} {word}" for line in LEARNABLE for word in line.split()], MARATHI * 30]
    with ThreadPoolExecutor(2) as threads:
        learned = list(threads.map(TOKENIZERS[kind].learn, texts, [200] * 2, (True, False)))
    expected = [TOKENIZERS[kind].learn(texts[0], 200, True), TOKENIZERS[kind].learn(texts[1], 200)]
    assert [tokenizer.to_config() for tokenizer in learned] == [tokenizer.to_config() for tokenizer in expected]


def test_learning_subwords_from_nothing_is_an_error():
    with pytest.raises(ValueError, match="text"):
        SubwordTokenizer.learn(["", " \n"], 100)


def test_a_vocabulary_too_small_for_the_letters_is_an_error_that_names_the_setting():
    with pytest.raises(ValueError, match="vocabulary_size"):
        SubwordTokenizer.learn(MARATHI, 10)


@pytest.mark.parametrize("vocabulary", [["a"], ["<start>", "<pad>", "<end>", "<unknown>"], [*SPECIAL_TOKENS, "a", "a"]])
def test_a_vocabulary_without_its_special_tokens_or_with_doubles_is_an_error(vocabulary):
    with pytest.raises(ValueError, match="vocabulary"):
        WordTokenizer(vocabulary)


# --- sampled segmentations


def test_the_seed_decides_which_segmentations_are_drawn(tokenizers):
    tokenizer = tokenizers["subword"]
    first = rows(tokenizer.encode_all(MARATHI, alpha=0.1, seed=1))
    tokenizer.encode_all(MARATHI, alpha=0.1, seed=3)
    assert rows(tokenizer.encode_all(MARATHI, alpha=0.1, seed=1)) == first
    assert rows(tokenizer.encode_all(MARATHI, alpha=0.1, seed=2)) != first


def test_every_drawn_segmentation_is_of_the_same_text(tokenizers):
    tokenizer = tokenizers["subword"]
    drawn = [rows(tokenizer.encode_all(MARATHI, alpha=0.1, seed=seed)) for seed in range(5)]
    for sentences in drawn:
        assert [tokenizer.decode(ids) for ids in sentences] == MARATHI
    assert len({tuple(sentences[0]) for sentences in drawn}) > 1


def test_a_higher_alpha_draws_the_plain_segmentation_more_often(tokenizers):
    tokenizer = tokenizers["subword"]
    plain = rows(tokenizer.encode_all(LEARNABLE))

    def hits(alpha):
        drawn = [rows(tokenizer.encode_all(LEARNABLE, alpha, seed)) for seed in range(10)]
        return sum(row == best for sentences in drawn for row, best in zip(sentences, plain, strict=True))

    assert hits(0.05) < hits(1.0) <= hits(9.0)


@pytest.mark.parametrize("kind", TOKENIZERS)
def test_alpha_0_gives_the_plain_segmentations(tokenizers, kind):
    plain = [tokenizers[kind].encode(line) for line in LINES]
    assert rows(tokenizers[kind].encode_all(LINES, alpha=0.0, seed=5)) == plain


@pytest.mark.parametrize("at_a_time", [1, 3, len(LINES)])
def test_sentences_encoded_together_have_the_ids_of_each_alone(tokenizers, monkeypatch, at_a_time):
    monkeypatch.setattr(text_module, "_AT_A_TIME", at_a_time)
    tokenizer = tokenizers["subword"]
    assert rows(tokenizer.encode_all(LINES)) == [tokenizer.encode(line) for line in LINES]
    assert rows(tokenizer.encode_all([])) == []


@pytest.mark.parametrize("kind", ["word", "character"])
def test_words_and_characters_have_one_segmentation(tokenizers, kind):
    assert rows(tokenizers[kind].encode_all(LINES, 0.1, 1)) == rows(tokenizers[kind].encode_all(LINES))


# --- words of tokens


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("kind", TOKENIZERS)
def test_tokens_are_grouped_into_the_words_of_the_word_tokenizer(tokenizers, kind, line):
    tokens = tokenizers[kind].tokenize(line)
    groups = tokenizers[kind].words(tokens)
    assert [word for word, _ in groups] == tokenizers["word"].tokenize(line)
    for word, group in groups:
        assert group == list(range(group[0], group[-1] + 1))
        assert word in "".join(tokens[i] for i in group).replace("▁", "")


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("kind", TOKENIZERS)
def test_each_token_belongs_to_a_word(tokenizers, kind, line):
    tokens = tokenizers[kind].tokenize(line)
    assert {i for _, group in tokenizers[kind].words(tokens) for i in group} == set(range(len(tokens)))


def test_a_token_that_reaches_over_two_words_belongs_to_both():
    words = CharacterTokenizer(SPECIAL_TOKENS).words
    assert words(["▁", "रा", "हुल.", "▁ती", '."']) == [
        *[("राहुल", [0, 1, 2]), (".", [2])],
        *[("ती", [3]), (".", [4]), ('"', [4])],
    ]
    assert words([]) == []


# --- save and load


@pytest.mark.parametrize("fold_case", [False, True])
@pytest.mark.parametrize("kind", TOKENIZERS)
def test_a_loaded_tokenizer_equals_the_saved_one(tmp_path, kind, fold_case):
    saved = TOKENIZERS[kind].learn(LEARNABLE, 200, fold_case)
    saved.save(tmp_path / "tokenizer.json")
    loaded = load_tokenizer(tmp_path / "tokenizer.json")
    assert type(loaded) is type(saved) and loaded.to_config() == saved.to_config()
    assert loaded.vocabulary == saved.vocabulary and loaded.fold_case is fold_case
    assert rows(loaded.encode_all(LINES)) == rows(saved.encode_all(LINES))
    assert rows(loaded.encode_all(LINES, 0.2, 7)) == rows(saved.encode_all(LINES, 0.2, 7))


def test_a_vocabulary_of_other_spellings_loads_and_writes_what_scores_as_ours(tmp_path):
    other = WordTokenizer([*SPECIAL_TOKENS, "असणार\u094d\u200dया", "'कुकी'", "अ\u200dॅप", "\u200eती"])
    other.save(tmp_path / "target.json")
    loaded = load_tokenizer(tmp_path / "target.json")
    assert loaded.vocabulary == other.vocabulary
    assert normalize(loaded.decode([4, 5, 6, 7])) == "असणाऱ्या ‘कुकी’ ॲप ती"
    assert loaded.encode("असणार\u094d\u200dया") == [UNKNOWN_ID]


def test_loading_a_missing_file_names_it(tmp_path):
    with pytest.raises(FileNotFoundError, match=re.escape(str(tmp_path / "none.json"))):
        load_tokenizer(tmp_path / "none.json")


WORD = {"kind": "word", "fold_case": False, "vocabulary": list(SPECIAL_TOKENS)}
SUBWORD = {"kind": "subword", "fold_case": False}


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"hello", id="not JSON"),
        pytest.param(b'"\xff"', id="not UTF-8"),
        pytest.param([], id="a list"),
        pytest.param({}, id="no kind"),
        pytest.param({**WORD, "kind": "syllable"}, id="unknown kind"),
        pytest.param({**WORD, "kind": ["word"]}, id="kind of wrong type"),
        pytest.param({"kind": "word", "fold_case": False}, id="no vocabulary"),
        pytest.param({**WORD, "vocabulary": None}, id="vocabulary null"),
        pytest.param({**WORD, "vocabulary": "<pad>"}, id="vocabulary a string"),
        pytest.param({**WORD, "vocabulary": ["a", "b", "c", "d"]}, id="no special tokens"),
        pytest.param({**WORD, "vocabulary": [*SPECIAL_TOKENS, 5]}, id="a token of wrong type"),
        pytest.param({**WORD, "fold_case": "no"}, id="fold_case of wrong type"),
        pytest.param({**SUBWORD, "model": "no base64!"}, id="bad base64"),
        pytest.param({**SUBWORD, "model": 5}, id="model of wrong type"),
        pytest.param({**SUBWORD, "model": ""}, id="empty model"),
        pytest.param({**SUBWORD, "model": "aGVsbG8gaGVsbG8="}, id="not a model"),
    ],
)
def test_loading_what_is_no_tokenizer_names_the_file(tmp_path, content):
    path = tmp_path / "source.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    with pytest.raises(ValueError, match=re.escape(str(path))):
        load_tokenizer(path)


@pytest.mark.parametrize("kind", TOKENIZERS)
def test_loading_a_file_that_was_cut_short_names_it(tokenizers, tmp_path, kind):
    path = tmp_path / "target.json"
    tokenizers[kind].save(path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ValueError, match=re.escape(str(path))):
        load_tokenizer(path)
