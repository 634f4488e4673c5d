"""The Python of docs/python.md and of the guide runs, with smaller numbers, and does what it says."""

import re
from pathlib import Path

import keras
import numpy as np
import pytest

from nmt_attention import PARTS, ModelConfig, Seq2Seq, WordTokenizer, load_corpus, save_bundle
from nmt_attention.disk.pairs import write_pairs


def code(page, name, **smaller):
    """Returns the block below `<!-- name -->`, with some of its settings replaced."""
    text = (Path(__file__).resolve().parents[2] / page).read_text(encoding="utf-8")
    (block,) = re.findall(f"<!-- {name} -->\n```python\n(.*?)```", text, re.DOTALL)
    for setting, value in smaller.items():
        block, count = re.subn(rf'\b{setting}("?[=:] ?)\d+', rf"{setting}\g<1>{value}", block)
        assert count, setting
    return block


@pytest.fixture
def names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    keras.utils.set_random_seed(2)  # with 1 and 4 the tiny model writes next to nothing
    return {}


def test_the_first_lines_train_translate_and_draw(names, monkeypatch):
    pairs = load_corpus("phrasebook")[:200]
    monkeypatch.setattr("nmt_attention.disk.fetch.load_corpus", lambda name: pairs)
    keras.utils.set_random_seed(1)  # so small a model may write nothing with other first weights
    exec(code("docs/python.md", "train", epochs=1, units=8, embedding_units=8), names)
    exec(code("docs/python.md", "draw"), names)
    translation = names["translation"]
    assert translation.attention.shape == (len(translation.target_tokens), len(translation.source_tokens))
    assert Path("heatmap.png").is_file()


def test_a_file_of_pairs_is_trained_on(names):
    rows = [f"{pair.source}\t{pair.target}\n" for pair in load_corpus("phrasebook")[:200]]
    Path("mine.tsv").write_text("".join(rows), encoding="utf-8")
    block = code("docs/python.md", "own pairs", epochs='1, "units": 8, "embedding_units": 8, "tokenizer": "word"')
    exec(block, names)
    assert names["translation"].source == "Dad bought me a camera." and Path("heatmap.png").is_file()


def test_the_parts_train_a_model_that_fit_goes_on_with(names):
    block = code("docs/python.md", "library", epochs=1, units=8, embedding_units=8)
    exec(block.replace("[:3000]", "[:150]"), names)
    assert len(names["history"]) == 1 and names["translation"].source == names["split"].test[0].source
    before = names["model"].get_weights()
    exec(code("docs/python.md", "fit", epochs="1, verbose=0"), names)
    # every weight is trained by `fit` as well, and it is the translator's model
    assert not any(np.array_equal(old, new) for old, new in zip(before, names["model"].get_weights(), strict=True))


def test_the_guide_s_ladder_climbs_to_the_data_of_a_run_that_was_never_trained(names, capsys):
    pairs, run = load_corpus("phrasebook")[:120], Path("runs", "mine")
    tokenizers = [WordTokenizer.learn([pair[side] for pair in pairs], 500) for side in (0, 1)]
    model = Seq2Seq(ModelConfig(*map(len, tokenizers), units=32, embedding_units=32, bidirectional=False))
    save_bundle(run, model, *tokenizers)
    for name, part in (("train", pairs[:80]), ("test", pairs[80:])):
        write_pairs(run / f"{name}.tsv", part)
    exec(code("notebooks/README.md", "ladder"), names)
    rungs = [line.split(":")[0] for line in capsys.readouterr().out.splitlines()[1:-1]]
    assert rungs == ["holds   one batch", "holds   teacher forcing", "holds   greedy search", "BREAKS  data"]


def test_a_registered_part_is_a_value_of_its_setting(names, monkeypatch):
    monkeypatch.setitem(PARTS["attention"], "mine", None)  # taken out again at the end
    exec(code("docs/python.md", "register"), names)
    assert type(Seq2Seq(names["config"]).decoder.attention) is names["MyAttention"]


def test_names_are_transliterated_as_the_page_says(names, capsys):
    block = code("docs/names.md", "names")
    exec(block, names)
    assert block.rstrip().endswith("# " + ", ".join(capsys.readouterr().out.splitlines()))
