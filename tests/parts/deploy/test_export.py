import json
import os
import re
import subprocess
import sys
from pathlib import Path

import keras
import numpy as np
import pytest
import tensorflow as tf
from command_line import output
from page_models import ENGLISH, MARATHI
from precision import HALF

from nmt_attention.config import ModelConfig
from nmt_attention.deploy import export
from nmt_attention.deploy.export import ExportedTranslator, export_saved_model
from nmt_attention.model import Seq2Seq
from nmt_attention.runs.bundle import PRETRAINED, save_bundle
from nmt_attention.text import CharacterTokenizer, SubwordTokenizer, WordTokenizer
from nmt_attention.translate import MAX_SOURCE_LENGTH, Translator

SENTENCES = [
    *(*ENGLISH, "the school", "", "Is the boy reading the book the girl reads at school?", " \t\u200b", "cafe\u0301"),
    *("It’s 1,000.50 …", "😀🎉 漢字", "\x00 school \x1b", "<end>", "मी शाळेत जातो", "school " * 150),
]
MODELS = {
    "subword": (SubwordTokenizer, {"lexical": True}),
    "word": (WordTokenizer, {"decoder": "luong", "attention": "none", "cell": "lstm", "bidirectional": False}),
    "character": (CharacterTokenizer, {"decoder": "luong-input-feeding", "attention": "dot", "decoder_layers": 2}),
}


def untrained(tokenizer, settings, dtype="float32"):
    """A model whose distributions are nearly flat, with its tokenisers: the hardest case for equal answers."""
    keras.utils.set_random_seed(0)
    source, target = tokenizer.learn(ENGLISH, 60, fold_case=True), tokenizer.learn(MARATHI, 60)
    model = Seq2Seq(ModelConfig(len(source), len(target), units=16, embedding_units=16, **settings), dtype)
    for weight in model.weights:
        if "recurrent" not in weight.path:  # a state that fed itself such weights would magnify rounding at every step
            weight.assign(weight * 3.0)
    return model, source, target


@pytest.fixture(scope="module", params=MODELS)
def both(request):
    """A model as an `ExportedTranslator` and as a `Translator`; that of words comes from training in half the bits."""
    model, *tokenizers = untrained(*MODELS[request.param], HALF if request.param == "word" else "float32")
    whole = Seq2Seq(model.config)
    for ours, theirs in zip(whole.weights, model.weights, strict=True):
        ours.assign(theirs)
    return ExportedTranslator(model, *tokenizers), Translator(whole, *tokenizers)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    directory = tmp_path_factory.mktemp("export") / "run"
    save_bundle(directory, *untrained(*MODELS["subword"]))
    (directory / "NOTICE").write_text("Who has it keeps this notice.", encoding="utf-8")
    return directory


SURE = 60  # steps after which rounding may break the tie of an untrained model another way, and all else with it


def check(found, translations):
    """Compares what a graph gives, as arrays, with what `Translator` gives: strings exactly, numbers to rounding."""
    assert set(found) == {"text", "score", "source_tokens", "target_tokens", "attention"}
    for i, translation in enumerate(translations):
        written, read = translation.target_tokens, translation.source_tokens
        sure = min(SURE, len(written))
        assert list(found["source_tokens"][i]) == read + [""] * (len(found["source_tokens"][i]) - len(read))
        assert list(found["target_tokens"][i][:sure]) == written[:sure]
        attention = np.array(found["attention"][i])
        expected = np.zeros((sure, attention.shape[1]))
        expected[:, : len(read)] = translation.attention[:sure]
        rounding = 1e-5 * np.arange(1, sure + 1)[:, np.newaxis]  # each step adds to that of the steps before
        assert np.all(np.abs(attention[:sure] - expected) < rounding)
        if len(written) <= SURE:
            assert found["text"][i] == translation.text
            np.testing.assert_allclose(found["score"][i], translation.score, rtol=1e-4)
            assert not any(found["target_tokens"][i][sure:]) and not np.any(attention[sure:])


def arrays(found):
    decode = np.vectorize(lambda text: text.decode(), otypes=[object])
    return {name: decode(t.numpy()) if t.dtype == tf.string else t.numpy() for name, t in found.items()}


def test_the_graph_gives_what_the_translator_gives(both):
    exported, translator = both
    translations = translator.translate(SENTENCES)
    assert len({t.text for t in translations}) > 5
    check(arrays(exported(tf.constant(SENTENCES))), translations)
    assert len(translations[-1].source_tokens) in (150, MAX_SOURCE_LENGTH)
    nothing = exported(tf.constant([], tf.string))
    assert all(len(tensor) == 0 for tensor in nothing.values())
    assert not any(map(np.any, arrays(exported(tf.constant(["", " "]))).values()))


def documented(kind):
    """Returns the JSON of a request or of its answer in the documentation."""
    text = (Path(export.__file__).parents[2] / "docs" / "export.md").read_text(encoding="utf-8")
    (found,) = re.findall(rf"<!-- {kind} -->.*?(\{{.*?\}})'?\n```", text, re.DOTALL)
    return json.loads(found)


ALONE = """
import json, sys
import numpy as np, tensorflow as tf
signature = tf.saved_model.load(sys.argv[1]).signatures["serving_default"]
found = signature(tf.constant(json.loads(sys.argv[2])))
assert not {"nmt_attention", "sentencepiece", "regex", "unicodedata2"} & set(sys.modules)
text = np.vectorize(lambda value: value.decode() if isinstance(value, bytes) else value, otypes=[object])
specs = {**signature.structured_input_signature[1], **signature.structured_outputs}
print(json.dumps({
    "specs": {name: [spec.dtype.name, spec.shape.rank] for name, spec in specs.items()},
    "found": {name: text(tensor.numpy()).tolist() for name, tensor in found.items()},
}))
"""


def test_a_process_with_tensorflow_alone_answers_as_documented(run, tmp_path):
    out = tmp_path / "mine" / "1"
    out.mkdir(parents=True)  # an empty directory will do
    assert output("export", "--run", run, out) == [str(out)]
    assert [path.name for path in out.parent.iterdir()] == ["1"]
    assert (out / "NOTICE").read_bytes() == (run / "NOTICE").read_bytes()
    request, (prediction,) = documented("request"), documented("answer")["predictions"]
    sentences = [*request["instances"], *SENTENCES]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-c", ALONE, str(out), json.dumps(sentences)],
        cwd=tmp_path,  # where there is no package to be imported
        env=environment | {"CUDA_VISIBLE_DEVICES": "-1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    check(answer["found"], Translator.load(run).translate(sentences))
    # with one input, Serving takes its values themselves as instances, and gives an object an instance
    assert set(request) == {"instances"} and answer["specs"].pop("sentences") == ["string", 1]
    kinds = {"string": str, "float32": float}
    assert prediction.keys() == answer["specs"].keys()
    for name, (kind, rank) in answer["specs"].items():
        assert np.ndim(prediction[name]) + 1 == rank
        assert all(isinstance(value, kinds[kind]) for value in np.ravel(np.array(prediction[name], object)))
    shape = len(prediction["target_tokens"]), len(prediction["source_tokens"])
    assert np.shape(prediction["attention"]) == shape


def test_an_8_bit_model_is_small_and_reads_like_a_run(run, tmp_path):
    small = tmp_path / "small"
    assert output("export", "--run", run, "--quantized", small) == [str(small)]
    assert {path.name for path in small.iterdir()} == {path.name for path in run.iterdir()} | {"sentences.json"}
    assert (small / "NOTICE").read_bytes() == (run / "NOTICE").read_bytes()
    sizes = [directory.joinpath("weights.npz").stat().st_size for directory in (small, run)]
    assert sizes[0] < 0.7 * sizes[1]  # in a real model, whose names and headers count for nothing, a quarter
    assert len(output("translate", "--run", small, "the school")) == 1


def test_a_failure_leaves_nothing(run, tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match=r"nowhere: not a trained model \(config.json is missing\)"):
        export_saved_model(tmp_path / "nowhere", tmp_path / "out")

    def fail(module, directory, signatures):
        directory.mkdir()
        directory.joinpath("saved_model.pb").write_text("half")
        raise OSError("no space left")

    monkeypatch.setattr(tf.saved_model, "save", fail)
    with pytest.raises(OSError, match="no space left"):
        export_saved_model(run, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_what_stands_around_a_savedmodel_gives_the_translations_of_translate(capsys, tmp_path):
    """The six lines of the documentation, with the package's model."""
    export_saved_model(PRETRAINED, tmp_path / "1")
    model = tf.saved_model.load(str(tmp_path / "1"))
    docs = Path(export.__file__).parents[2] / "docs" / "export.md"
    (code,) = re.findall(r"<!-- around -->\n```python\n(.*?)```", docs.read_text(encoding="utf-8"), re.DOTALL)
    texts = ["Rahul met Priya. I like tea", "1. Is it 5pm, <b>Tom</b>? 😀", "Bonjour", "12", "It costs Rs. 450"]
    code = code.replace('"runs/mine"', repr(str(PRETRAINED))).replace('["Rahul met Priya. I like tea"]', repr(texts))
    capsys.readouterr()
    exec(code, {"tf": tf, "model": model})
    expected = [translation.text for translation in Translator.load().translate(texts)]
    assert capsys.readouterr().out == f"{expected}\n"
