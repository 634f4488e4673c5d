"""Texts into sentences in plain spellings; signs and markup stay around a text, and the model does not see them."""

import time
from pathlib import Path

import pytest
from typed import ENTITIES

from nmt_attention.preprocess.rules import WORDS, rewrite, unescape
from nmt_attention.preprocess.segment import (
    add_final_mark,
    paragraphs,
    segment,
    spellings_for,
    split_sentences,
    split_signs,
)

SPLIT = [
    ("I am happy.", ("", "I am happy.", "")),
    ('He is a "good" boy, who said "Go."', ("", 'He is a good boy, who said "Go."', "")),
    ("I am happy. 😀🎉", ("", "I am happy.", " 😀🎉")),
    ("I love you ❤\ufe0f", ("", "I love you", " ❤\ufe0f")),
    ("Well done 👍🏽!", ("", "Well done !", "")),
    ("I like tea 🍵 and coffee.", ("", "I like tea and coffee.", "")),
    ("I love 🇮🇳 India.", ("", "I love India.", "")),
    ("• Go home.", ("• ", "Go home.", "")),
    ("## **Go home.**", ("## **", "Go home.", "**")),
    ("<p><i>Go home.</i></p>", ("<p><i>", "Go home.", "</i></p>")),
    ("Nice to meet you :-)", ("", "Nice to meet you", " :-)")),
    ("I love you <3", ("", "I love you", " <3")),
    ("It is 30°C.", ("", "It is 30°C.", "")),  # a unit belongs to the sentence
    ("क्\u200dष आहे.", ("", "क्\u200dष आहे.", "")),  # the joiner shapes a letter
    ("I am happy 😊 I love you", ("", "I am happy. I love you", "")),
    ("I like <b>tea</b>.", ("", "I like tea.", "")),
    ("I am here.<br/>You are there.", ("", "I am here. You are there.", "")),
    ("**I like** tea.", ("", "I like tea.", "")),
    ("I like *green* `tea`", ("", "I like green tea", "")),
    ("I like tea [1] and coffee.[12]", ("", "I like tea and coffee.", "[12]")),
    ("[1] Go home.", ("", "[1] Go home.", "")),  # a counter
    ('"Go home."', ("", "Go home.", "")),
    ("'I don't know.'", ("", "I don't know.", "")),
    ('"Go home," he said, "now."', ("", '"Go home," he said, "now."', "")),
    ('He said "Go home."', ("", 'He said "Go home."', "")),
    ("😀😀", ("", "😀😀", "")),
    ("", ("", "", "")),
]


@pytest.mark.parametrize(("text", "parts"), SPLIT, ids=[text or "nothing" for text, _ in SPLIT])
def test_what_stands_around_a_text_is_split_off(text, parts):
    assert split_signs(text) == parts


SPELLINGS = spellings_for(["the", "is"], hides_names=False)
READ = [  # typed; the sentences that are read
    ("Well... I don't know.", ["Well, I don't know."]),
    ("I don't know…", ["I don't know."]),
    ("...and he left.", ["and he left."]),
    ("I go... You stay.", ["I go.", "You stay."]),
    ("What?? No!!! Really?!", ["What?", "No!", "Really?"]),
    ("Hello.How are you?I go. Go!Stay", ["Hello.", "How are you?", "I go.", "Go!", "Stay"]),
    ('Mr. Brown said "Go home." and left.', ['Mr. Brown said "Go home." and left.']),
    ("Mr.Brown came.", ["Mr. Brown came."]),
    ("See www.Example.org, a.B@c.org and ../up.", ["See www.Example.org, a.B@c.org and ../up."]),
    ("I dont know, im tired.", ["I don't know, i'm tired."]),
    ("u r good", ["you are good"]),
    ("I've gotta go, I gotta.", ["I've got to go, I have to."]),
    ("She lets me in.", ["She lets me in."]),
    ("r. k. rao and R. K. Rao met U Thant.", ["r. k. rao and R.K. Rao met U Thant."]),
    ("im@x.org, u.com, r/india and dont.txt", ["im@x.org, u.com, r/india and dont.txt"]),
    ("Go！ Where is it ？", ["Go!", "Where is it?"]),
    ("I have ½ an apple, 2½ and ½.", ["I have half an apple, 2½ and ½."]),
    ("I live in flat no. 5, p. 12.", ["I live in flat number 5, page 12."]),
    ("I said no. He left.", ["I said no.", "He left."]),
    ("It costs approx. 500. Go.", ["It costs about 500.", "Go."]),
    ("India vs. Pakistan, i.e. today, on Jan. 5.", ["India against Pakistan, that is today, on 5 January."]),
    ("Bring pens, etc.", ["Bring pens, and others."]),
    ("My roll no. is 25. He is 5'8\" tall.", ["My roll number is 25.", "He is 5 feet 8 inches tall."]),
    ("I waited 20 mins. Thats it! Lets go, plz.", ["I waited 20 minutes.", "That's it!", "Let's go, please."]),
    ("I do n't know Ryan 's book.", ["I don't know Ryan's book."]),
    ("I thought... maybe not. Tom—my brother—is 10 to 6.", ["I thought, maybe not.", "Tom, my brother, is 10 to 6."]),
    ("How are you ? It is 3.5, and the U.S.A is far.", ["How are you?", "It is 3.5, and the U.S.A is far."]),
    ("Q. No. 7, Sec. 4 and Apt. 12, Main St.", ["question number 7, section 4 and apartment 12, Main Street."]),
    ("A. P. J. Abdul Kalam came at 5 PM.", ["A.P.J. Abdul Kalam came at 5 pm."]),
    ("3 plus 4, 7 minus 2, 5 times 6, 8 divided by 4", ["3 + 4, 7 − 2, 5 × 6, 8 ÷ 4"]),
    ("It takes 2 to 3 days from 5 to 6, 5 times a day.", ["It takes 2-3 days from 5 to 6, 5 times a day."]),
    ("I'd like tea/coffee and/or milk.", ["I would like tea or coffee or milk."]),
    ("Tom - my brother -- is here.", ["Tom, my brother, is here."]),
    ("Boys/girls/teachers and I/we saw red / green.", ["Boys, girls or teachers and I or we saw red or green."]),
    ("Where is it?\u0301 \u0301Go.", ["Where is it?", "Go."]),
    ("I have twenty-five, not thirty six.", ["I have 25, not 36."]),
    ("Come on Mon, 4 May or 5 Tue. The Sun sat.", ["Come on Monday, 4 May or 5 Tuesday.", "The Sun sat."]),
    ("Hello how are you?", ["Hello, how are you?"]),
    ("Hi! Hi there. My Hi-Fi says hi.", ["hello!", "hello.", "My Hi-Fi says hello."]),
]


@pytest.mark.parametrize(("text", "read"), READ, ids=[text for text, _ in READ])
def test_plain_marks_and_words_are_read(text, read):
    assert [rewrite(sentence, SPELLINGS) for sentence, _ in split_sentences(rewrite(text, ["spacing"]))] == read


@pytest.mark.parametrize("line", (Path(__file__).parent / "messages.tsv").read_text(encoding="utf-8").splitlines())
def test_messages_are_read_as_they_are_meant_and_what_only_looks_like_one_as_it_stands(line):
    typed, read = line.split("\t")
    assert " ".join(piece.read for piece in segment(typed, SPELLINGS, {})) == read


@pytest.mark.parametrize(
    ("vocabulary", "read"),
    [
        (["▁the", "▁is", "im"], "Ich bin i'm Haus, u. a."),
        (["▁der", "▁im", "the", "is"], "Ich bin im Haus, u. a."),
        (["▁", "t", "h", "e", "i", "s"], "Ich bin im Haus, u. a."),
    ],
)
def test_words_are_spelled_out_for_english_alone(vocabulary, read):
    assert rewrite("Ich bin im Haus , u. a.", spellings_for(vocabulary, hides_names=True)) == read


ABBREVIATED = [  # typed; read by a model that writes names in Marathi
    ("Mr. Smith met Mrs Rao and (Dr. Patil).", "Mister Smith met Missis Rao and (Doctor Patil)."),
    ("Is it in the U.S.A. now? The USA!", "Is it in America now? America!"),
    ("The USA's flag, U.S., USA", "America's flag, America, America"),
    ("Is the U.K. far, or the UK's Leeds?", "Is Britain far, or Britain's Leeds?"),
    ("Give US, mr rice, dr roy, DR. ROY a USAF book.", "Give US, Mister Rice, Doctor roy, DOCTOR ROY a USAF book."),
]


def test_abbreviations_are_spelled_out_for_models_that_write_names_and_spellings_are_of_whole_words():
    with_names = spellings_for(["the", "is"], hides_names=True)
    assert [rewrite(text, with_names) for text, _ in ABBREVIATED] == [read for _, read in ABBREVIATED]
    assert all(rewrite(text, SPELLINGS) == text for text, _ in ABBREVIATED)
    for word in WORDS["haste"]:
        assert rewrite(f"and {word} and", SPELLINGS) != f"and {word} and"
        assert rewrite(f"x{word}x", SPELLINGS) == f"x{word}x"


@pytest.mark.parametrize(("escaped", "plain"), ENTITIES)
def test_entities_are_written_out(escaped, plain):
    assert unescape(escaped) == plain == unescape(plain)


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("Tom (my brother) is tired.", [("Tom is tired.", " ("), ("my brother", ")")]),
        ('He said, "Go home."', [("He said,", ', "'), ("Go home.", '"')]),
        ('"Go home," he said.', [("Go home,", '," '), ("he said.", "")]),
        ('"Who is it?" "It is me."', [("Who is it?", '" '), ("It is me.", '"')]),
        ("{ I am here }", [("I am here", " }")]),
        ("(2) Go home.", [("Go home.", "")]),
        ("I like tea (hot) and milk (cold).", [("I like tea and milk.", " ("), ("hot", ") ("), ("cold", ")")]),
        ("He said 'I don't know.'", [("He said", ', "'), ("I don't know.", '"')]),
        ('"Go home," said the boy.', [("Go home,", '," '), ("the boy said.", "")]),
        ("(Hello) How are you?", [("Hello", ") "), ("How are you?", "")]),
        ("Go\u200b home.\u200b", [("Go home.", "")]),
    ],
)
def test_what_stands_in_brackets_or_is_said_is_translated_by_itself(text, typed):
    assert [(piece.typed, piece.after) for piece in segment(text, SPELLINGS, {})] == typed


SLOW = [(split_signs, unit) for unit in (" *", "😀", "<a", "a>", "* a", " :)", " `a", "<b>a", " [1]")]
SLOW += [(lambda text: segment(text, ("marks",), {}), unit) for unit in (".", "?)", ". ", "a. ", "(a) ", "\u0301")]


@pytest.mark.parametrize(("function", "unit"), SLOW)
def test_the_time_is_linear(function, unit):
    def seconds(number):
        start = time.process_time()
        function("go" + unit * number)
        return time.process_time() - start

    seconds(1_000)
    assert seconds(12_000) < 12 * max(seconds(3_000), 0.02)


PARAGRAPHS = [
    (["I get up", "at six.", "", " ", "You", "sleep."], ["I get up at six.", "", "", "You sleep."]),
    (
        ["- I like tea and", "  milk.", "- I like", "water.", "1. Go", "home."],
        ["- I like tea and milk.", "- I like water.", "1. Go home."],
    ),
    (["  I go by bus,", "which", "  My friend", "comes."], ["I go by bus, which", "My friend comes."]),
    (["    He is my", "    brother.", "    She is here."], ["He is my brother.", "She is here."]),
    (["# My day", "It is", "good.", "-----", "3", "I", "am."], ["# My day", "It is good.", "-----", "3", "I am."]),
    (["a well-", "known book, a read\u00ad", "er -", "too"], ["a well-known book, a read\u00ader - too"]),
    ([], []),
]


@pytest.mark.parametrize(("lines", "expected"), PARAGRAPHS)
def test_the_lines_of_a_paragraph_are_joined(lines, expected):
    for batches in ([lines], [[line] for line in lines]):
        assert [text for ended in paragraphs(batches) for text in ended] == expected


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("do you know him", "do your homework"),
        ("don't you know him", "do not open the door"),
        ("have you seen him", "have a nice day"),
        ("might I come in", "have fun"),
        ("can't you find it", "can't find it anywhere"),
        ("will dinner be ready", "will call later"),
        ("had you eaten", "had so much fun"),
        ("has the train left", "has been raining"),
        ("am I late", "am on my way"),
    ],
)
def test_a_question_without_its_mark_gets_one_and_an_order_does_not(question, order):
    assert (add_final_mark(question), add_final_mark(order)) == (f"{question}?", f"{order}.")
