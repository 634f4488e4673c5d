"""Texts as people type them: Python and the page give the same translations, names and numbers too."""

import functools
from pathlib import Path

import pytest
from page_models import assert_same, made, named
from typed import COPIED, ENTITIES, FULL_NAMES, LETTERS, LISTS, NOT_COPIED, NUMBERS

from nmt_attention.deploy.browser import page_model
from nmt_attention.translate import Translator
from tools.browser.javascript import Engine

TYPED = r"""
I read books | where is the school | Is it a book | Isn’t the boy here | What's this | island | READ | I read,
I read - | \x20 I read; \x20 | I read… | I read.) | "I read" | “Where is the book” | I read.\n | is
"Read," the boy said. "Go." | [The boy reads. Go] | A "good" boy | twenty-five boys, Mon 4 | do the boy go
The boy goes. The girl reads a book! Where is the school? I read | the boy goes. the girl reads
The boy goes. the girl reads | Go.\tRead.\nGo | Go.\u00a0Read. | Go...  Read?! | Mr. Rao goes. Read.
Dr. Rao and Mrs. Rao read | He reads in the U.S. now. | J. R. R. reads. Go! | a.b. c. D.
Read, e.g. now. Go etc. The boy reads. | He reads, "Go. Read." Then he goes. | “Go. Read.” He goes.
«Go. Read.» He goes. Go. | Go.” Go. Read. | 1. Go. 2. Read. | 1. 2. Go | No. 5 goes. No. He reads. | Go. (Read)
12345 | 10:45 | 3.5 - 2 | 😀 | 😀🎉 12 |  | \x20\t | ... | ? | ½ x | ² | १२ | Go. 'Read' now. _Go. x | मी जातो
मुलगा जातो. मुलगी वाचते | मुलगा जातो।  मुलगी वाचते | the Word. Élan goes. école reads. | Go.X. Y | Mr.
I paid 250 rupees | The boy goes at 10:45. | It is 3.5. Read 12,345 books | 12.5x | Rahul goes to Satara
rahul goes to satara, hunt and rahul hunt | Rahul goes. Zorba reads. Is Hunt here | Rahul Wadekar reads a scooter
Zorba's book | Recite the book | Recite | Wadia 7 Zubin 8 goes | 7 Zorba | RAHUL reads | Rahul\tHunt reads
(Rahul) “Hunt” reads | Go! Zubin is here. | I read 😀 | 😀 I read books. 🎉🎉 | • I read | I ❤️ books 😊 I read
<b>I read</b> | I <b>read</b> books. | I read books.[1] | I read [1] books | **I read** books | I **read**
## `I read` | I read :-) | → Go. ← | "I read books." | “I read books” | 'Isn't the boy here?' | «I read.»
"I read," he said. | Go... I read | I read… Go… | I go... read | ...Go | Go?? Go!!! Go?! Go!?..
Is it a book ? I go . | Go.Read | I dont read | IM the boy | thx, u r the boy. | R u ok? | lets go | DONT GO
I've gotta go | u.com, im@x.org | MAN: I read. A: Go | (2) Go | [3] Go | I read,now.Go?Read!I go | * *Go*
Go.<br>Read | Mr. Zubin and Mrs Rao | Is Dr. Hunt in the U.S.? | I go to the USA, Go！ Go？ | I live in the UK.
½ book. U.S.A. 2½ | Bonjour | Ich heiße Rahul | • Hola, Rahul ! 😀 | Er ist im Haus ? | Gracias, boy | thx u | Zorba
Zubin (my boy) reads. | The boy (2) goes (to school). | He said, "I read." | flat no. 5, no. He | 3 km or 3 hrs.
BJP and NASA read | M.G. Road | I'd like a/the book | books—the book | Go.\u0301 \u0301Go\u200b. | READ IT NASA
\ue000 Zorba \ue003\uf8ff reads\ue00e | A1 and x2 | Is Zubin the boy? | 25% of 250 | At 17:30:15, read
What is 2 + 2? | I read 8 and 9 books | Gen. Rahul read p. 5, etc. | 5 PM in UP | He has 5 to 10 books
Zubin (the boy) reads [books] now (here). | (I read.) Go. | He said: 'I don't read.' | 'Go,' said the boy. | I -- go
"""  # texts, with bars between them
TYPED = TYPED[1:-1].replace("\n", " | ").encode("raw_unicode_escape").decode("unicode_escape").split(" | ")
MESSAGES = (Path(__file__).parents[1] / "preprocess" / "messages.tsv").read_text(encoding="utf-8").splitlines()
TYPED += [line.split("\t")[0] for line in MESSAGES]


@functools.cache
def of_texts():
    """A model that takes texts and hides names, as the package and the page have it."""
    _, plain = named("untrained")
    preprocessor = plain.preprocessor.but(marked=1.0)
    translator = Translator(plain.model, plain.source_tokenizer, plain.target_tokenizer, preprocessor)
    return Engine(translator), translator


@pytest.mark.parametrize("beam_size", [1, 3])
def test_the_page_translates_texts_as_python_does(beam_size):
    assert_same(*of_texts(), TYPED if beam_size == 1 else TYPED[16::3], beam_size)


def test_a_model_of_sentences_takes_a_text_for_one():
    engine, translator = made("conditional")
    assert not page_model(translator)["preprocessor"]["splits"]
    text = "The boy goes. The girl reads"
    (found,) = engine.translate(text)
    assert found["sourceTokens"] == translator.source_tokenizer.tokenize(text)


HIDDEN = [
    *(row[0] for table in (LETTERS, LISTS, NUMBERS, ENTITIES, FULL_NAMES) for row in table),
    *(f"See {copied}. {copied} is good" for copied in COPIED),
    *NOT_COPIED,
    "The café is naïve.",
    *("I met Girl.", "Girl is my friend.", "I live in West Bengal."),
    "New York and Navi Mumbai are far from New Zealand",
    "I met Boy Rahul, Rahul Girl and Shah Rukh",  # boy and girl are known
    "I saw Zor, Bor, Dor that saw Gor that saw Kor and Lor and Mor met Nor's Por with Qor at Ror by Sor",
]


@pytest.mark.parametrize("spelled_by", ["trained", "untrained"])
def test_the_page_hides_what_python_hides(spelled_by):
    engine, translator = named(spelled_by)
    for sentence, hidden in zip(HIDDEN, translator.preprocessor.protect(HIDDEN), strict=True):
        assert engine.mask(sentence) == [hidden.read, hidden.words, hidden.spelled], sentence
