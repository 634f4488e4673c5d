"""Marks and words as people type them, and what the model reads in their place."""

import pytest

from nmt_attention.decoding.sentences import split_sentences
from nmt_attention.decoding.typed import SPACING, WORDS, rewrite, spellings_for

SPELLINGS = spellings_for(["the", "is"], hides_names=False)
READ = [  # typed; the sentences that are read
    ("Well... I don't know.", ["Well, I don't know."]),
    ("Well… I don't know", ["Well, I don't know"]),
    ("I don't know...", ["I don't know."]),
    ("I don't know…", ["I don't know."]),
    ("I thought... maybe not.", ["I thought, maybe not."]),
    ("...and he left.", ["and he left."]),
    ("I go... You stay.", ["I go.", "You stay."]),
    ("What?? No!!! Really?!", ["What?", "No!", "Really?"]),
    ("How are you ? I am here .", ["How are you?", "I am here."]),
    ("Hello.How are you?I go. Go!Stay", ["Hello.", "How are you?", "I go.", "Go!", "Stay"]),
    ('Mr. Brown said "Go home." and left.', ['Mr. Brown said "Go home." and left.']),
    ("Mr.Brown came.", ["Mr. Brown came."]),
    ("See www.Example.org, a.B@c.org and ../up.", ["See www.Example.org, a.B@c.org and ../up."]),
    ("It is 3.5, and the U.S.A is far.", ["It is 3.5, and the U.S.A is far."]),
    ("I dont know, im tired.", ["I don't know, i'm tired."]),
    ("Thats it! DONT GO", ["That's it!", "Don't GO"]),
    ("u r good", ["you are good"]),
    ("R u ok?", ["are you ok?"]),
    ("I've gotta go, I gotta.", ["I've got to go, I have to."]),
    ("Lets go, plz.", ["Let's go, please."]),
    ("She lets me in.", ["She lets me in."]),
    ("r. k. rao and R. K. Rao met U Thant.", ["r. k. rao and R. K. Rao met U Thant."]),
    ("im@x.org, u.com, r/india and dont.txt", ["im@x.org, u.com, r/india and dont.txt"]),
    ("donto imp island curl", ["donto imp island curl"]),
    ("Go！ Where is it ？", ["Go!", "Where is it?"]),
    ("你好。", ["你好。"]),
    ("I have ½ an apple, 2½ and ½.", ["I have half an apple, 2½ and ½."]),
    ("Hi! Hi there. My Hi-Fi says hi.", ["hello!", "hello.", "My Hi-Fi says hello."]),
]


@pytest.mark.parametrize(("text", "read"), READ, ids=[text for text, _ in READ])
def test_plain_marks_and_words_are_read(text, read):
    assert [rewrite(sentence, SPELLINGS) for sentence, _ in split_sentences(rewrite(text, SPACING))] == read


@pytest.mark.parametrize(
    ("vocabulary", "read"),
    [
        (["▁the", "▁is", "im"], "Ich bin i'm Haus, u. a."),
        (["the", "is", "im"], "Ich bin i'm Haus, u. a."),
        (["▁der", "▁im", "the", "is"], "Ich bin im Haus, u. a."),
        (["der", "im"], "Ich bin im Haus, u. a."),
        (["▁", "t", "h", "e", "i", "s"], "Ich bin im Haus, u. a."),
    ],
)
def test_words_are_spelled_out_for_english_alone(vocabulary, read):
    assert rewrite("Ich bin im Haus , u. a.", spellings_for(vocabulary, hides_names=True)) == read


@pytest.mark.parametrize("word", WORDS)
def test_each_spelling_is_of_a_whole_word(word):
    assert WORDS[word] in rewrite(f"and {word} and", SPELLINGS)
    assert rewrite(f"x{word}x", SPELLINGS) == f"x{word}x"


ABBREVIATED = [  # typed; read by a model that writes names in Marathi
    ("Mr. Smith met Mrs Rao and (Dr. Patil).", "Mister Smith met Missis Rao and (Doctor Patil)."),
    ("Dr. is short, mr is too; Mrsa, Mr.", "Dr. is short, mr is too; Mrsa, Mr."),
    ("I live in the U.S.", "I live in America."),
    ("Is it in the U.S.A. now? The USA!", "Is it in America now? America!"),
    ("Is he from the U.S.?", "Is he from America?"),
    ("The USA's flag, U.S., USA", "America's flag, America, America"),
    ("Is the U.K. far, or the UK's Leeds?", "Is Britain far, or Britain's Leeds?"),
    ("Give US a USAF book.", "Give US a USAF book."),
]


@pytest.mark.parametrize(("text", "read"), ABBREVIATED)
def test_abbreviations_are_spelled_out_for_models_that_write_names(text, read):
    assert rewrite(text, spellings_for(["the", "is"], hides_names=True)) == read
    assert rewrite(text, SPELLINGS) == text
