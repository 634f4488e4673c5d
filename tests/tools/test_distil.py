import json

import keras
import numpy as np
import pytest

from nmt_attention.config import ModelConfig
from nmt_attention.corpus import Pair, Split
from nmt_attention.disk.files import write_json
from nmt_attention.disk.pairs import read_pairs, write_pairs
from nmt_attention.model import Seq2Seq
from nmt_attention.runs.bundle import save_bundle
from nmt_attention.runs.run_files import hash_split
from nmt_attention.text import WordTokenizer
from nmt_attention.translate import Translation, Translator
from tools import distil

PAIRS = [Pair(f"Sentence {word}.", f"वाक्य {word}.") for word in ("one", "two", "three", "four")]


def teacher(run, seed, train):
    """Leaves a run directory as training does, of a model that was not trained."""
    keras.utils.set_random_seed(seed)
    words = [WordTokenizer.learn([pair[side] for pair in PAIRS], 20, fold_case=True) for side in (0, 1)]
    model = Seq2Seq(ModelConfig(*map(len, words), units=8, embedding_units=8))
    model.decoder.output_bias.assign([0.0] * 4 + [3.0] * (len(words[1]) - 4))  # so that it writes words
    save_bundle(run, model, *words)
    split = Split(train, PAIRS[2:3], PAIRS[3:])
    for name, pairs in split._asdict().items():
        write_pairs(run / f"{name}.tsv", pairs)
    write_json(run / "run.json", {"split_sha256": hash_split(split)})
    return run


def test_every_training_sentence_is_written_once_with_what_the_teachers_agree_on(tmp_path):
    again = Pair(PAIRS[0].source, "आणखी एक.")
    runs = [teacher(tmp_path / str(seed), seed, [*PAIRS[:2], again]) for seed in (1, 2)]
    distil.main([*map(str, runs), "--output", str(tmp_path / "distilled.tsv")])
    sources = [pair.source for pair in PAIRS[:2]]
    expected = distil.consensus([Translator.load(run) for run in runs], sources)
    assert all(expected)
    assert [pair[:2] for pair in read_pairs(tmp_path / "distilled.tsv")] == list(zip(sources, expected, strict=True))


def test_a_single_teacher_agrees_with_its_own_minimum_bayes_risk(tmp_path):
    translator = Translator.load(teacher(tmp_path, 1, PAIRS[:2]))
    sources = [pair.source for pair in PAIRS]
    alone = translator.translate(sources, beam_size=distil.BEAM_SIZE, minimum_bayes_risk=True)
    assert distil.consensus([translator], sources) == [translation.text for translation in alone]


class Teacher:
    """Has the same beam for every sentence."""

    def __init__(self, beam):
        self.beam = [Translation("", text, [], [], None, float(np.log(p))) for text, p in beam.items()]

    def n_best(self, sources, beam_size):
        return [self.beam for _ in sources]


def test_every_teacher_has_the_same_weight_and_a_text_that_resembles_most_of_it_wins():
    # 0.6 of the first teacher is 0.3 of both, where ती आली has 0.2 and 0.25
    teachers = [Teacher({"तो गेला": 0.6, "ती आली": 0.4}), Teacher({"ती आली": 0.01, "ते": 0.01})]
    assert distil.consensus(teachers[:1], ["It."]) == ["तो गेला"]
    assert distil.consensus(teachers, ["It."] * 2) == ["ती आली"] * 2


def test_teachers_of_other_sentences_or_with_changed_files_are_refused(tmp_path, capsys):
    runs = teacher(tmp_path / "one", 1, PAIRS[:2]), teacher(tmp_path / "two", 2, PAIRS[:1])
    output = tmp_path / "distilled.tsv"
    with pytest.raises(SystemExit, match="two: has other training sentences than"):
        distil.main([*map(str, runs), "--output", str(output)])
    about = json.loads((runs[0] / "run.json").read_text())
    write_json(runs[0] / "run.json", {"split_sha256": about["split_sha256"] | {"test.tsv": "0"}})
    with pytest.raises(SystemExit, match="distil: .*test.tsv is not what training wrote"):
        distil.main([str(runs[0]), "--output", str(output)])
    assert not output.exists()
