"""A corpus in another language: nothing made for Marathi acts, and other scripts train, translate and are drawn."""

import itertools
import json

import pytest
from command_line import call, output, refusal, write_lines

from nmt_attention import Pair, make_corpus, score
from nmt_attention.disk.files import read_json
from nmt_attention.preprocess.language import described, language_of, script_of
from nmt_attention.runs.bundle import load_translator

ENGLISH = "Where is the station?|Tom drinks 2 cups of tea.|She is ill today.|It is raining.|We have 3 cats.|Help!"
SENTENCES = {  # by language: its script, how BLEU is counted, and the translations
    language: (script, tokenizer, text)
    for language, script, tokenizer, text in (
        row.split(" ", 3)
        for row in """\
deu Latin 13a Wo ist der Bahnhof?|Tom trinkt 2 Tassen Tee.|Sie ist heute krank.|Es regnet.|Wir haben 3 Katzen.|Hilfe!
ara Arabic 13a أين المحطة؟|توم يشرب كوبين من الشاي.|هي مريضة اليوم.|إنها تمطر.|عندنا ثلاث قطط.|النجدة!
jpn Japanese char 駅はどこですか？|トムはお茶を2杯飲みます。|彼女は病気です。|雨が降っています。|猫が3匹います。|助けて!
mar Devanagari 13a स्टेशन कुठे आहे?|टॉम २ कप चहा पितो.|ती आज आजारी आहे.|पाऊस पडत आहे.|आमच्याकडे ३ मांजरी आहेत.|वाचवा!
""".splitlines()
    )
}
SETTINGS = [
    *("--vocabulary-size", "150", "--units", "8", "--embedding-units", "8", "--no-bidirectional", "--epochs", "1"),
    *("--batch-size", "64", "--precision", "float32", "--guidance", "0.5", "--placeholders", "0.3"),
]


def pairs_of(language):
    """Returns all pairs of one sentence, and of two in a row."""
    single = list(zip(ENGLISH.split("|"), SENTENCES[language][2].split("|"), strict=True))
    rows = (row for n in (1, 2) for row in itertools.product(single, repeat=n))
    return [Pair(*map(" ".join, zip(*row, strict=True))) for row in rows]


@pytest.mark.parametrize("language", SENTENCES)
def test_the_script_tells_whether_a_target_may_be_marathi(language):
    script, tokenizer, text = SENTENCES[language]
    assert script_of(text.split("|")) == script
    assert language_of(script) == ("mar" if script == "Devanagari" else "und") and language_of(script, "nep") == "nep"
    assert f"tok:{tokenizer}|" in score([text], [[text]]).bleu_signature
    assert ("nothing made for Marathi is used" in described(language, script)) == (language != "mar")


def test_a_few_words_in_devanagari_make_no_marathi_of_another_language():
    assert script_of(["1.", "2?"]) == script_of([]) == "" and language_of("") == "und"
    pairs = [*pairs_of("deu"), Pair("Namaste means hello.", "नमस्ते heißt hallo.")]
    about = make_corpus(pairs).about
    assert (about["language"], about["script"]) == ("und", "Latin")


def test_another_language_trains_translates_and_is_scored_and_what_is_for_marathi_alone_is_refused(tmp_path):
    language, (script, tokenizer, text) = "jpn", SENTENCES["jpn"]  # without spaces between words
    lines, run = ["\t".join(pair[:2]) for pair in pairs_of(language)], tmp_path / "run"
    corpus = write_lines(tmp_path / "jpn-eng.tsv", lines)
    dev, test = write_lines(tmp_path / "dev.tsv", lines[:3]), write_lines(tmp_path / "test.tsv", lines[3:6])
    result = call("train", "--run", run, "--corpus", corpus, "--dev", dev, "--test", test, *SETTINGS)
    assert result.status == 0, result.err
    said, about = result.err.splitlines(), read_json(run / "run.json")
    assert described(language, script) in said and any("attention is not guided" in line for line in said)
    assert (about["language"], about["script"]) == (language, script)
    assert f"tok:{tokenizer}|" in read_json(run / "scores.json")["test"]["bleu_signature"]

    translator = load_translator(run)
    assert translator.preprocessor.placeholders is None
    assert translator.translate(["2."])[0].text == "2."
    letters = set("".join(translator.target_tokenizer.vocabulary))
    assert {c for c in text if c not in " ,|"} <= letters  # capitals stay
    assert len(output("translate", "--run", run, "She is ill today.")) == 1
    scored = json.loads(call("evaluate", "--run", run, "--json").out)  # a warning says that it was trained on these
    assert f"tok:{tokenizer}|" in scored["bleu_signature"]
    said = f"only for Marathi, but the model in {run} translates into {language}, in {SENTENCES[language][0]}"
    for command in (["translate", "Go.", "--romanize"], ["evaluate", "--errors"], ["evaluate", "--everyday"]):
        assert said in refusal(*command, "--run", run)
