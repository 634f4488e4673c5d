"""A model on disk: exact in a new process, small in 8 bits, and never called damaged if it may not be read."""

import builtins
import errno
import io
import subprocess
import sys
import zipfile

import keras
import numpy as np
import pytest

from nmt_attention.config import ModelConfig
from nmt_attention.model import Seq2Seq
from nmt_attention.runs.bundle import load_bundle, save_bundle
from nmt_attention.text import WordTokenizer

SMALL = {"source_vocabulary_size": 9, "target_vocabulary_size": 7, "units": 8, "embedding_units": 6}
VARIANTS = [
    {"attention": "none", "bidirectional": False},
    {"cell": "lstm", "encoder_layers": 2, "decoder_layers": 2, "decoder": "luong-input-feeding"},
    {"decoder": "conditional", "attention": "general", "lexical": True},
    {"architecture": "transformer", "embedding_units": 8, "heads": 2},
]


def ids(*rows):
    return keras.utils.pad_sequences(rows, padding="post", dtype="int32")


def tokenizers():
    return WordTokenizer.learn(["a b c d e"], 9, fold_case=True), WordTokenizer.learn(["क ख ग"], 7)


def test_saved_bundles_give_the_same_logits_in_a_new_process(tmp_path):
    expected = []
    for number, changes in enumerate(VARIANTS):
        keras.utils.set_random_seed(number)
        model = Seq2Seq(ModelConfig(**SMALL | changes))
        save_bundle(tmp_path / str(number), model, *tokenizers())
        expected.append(np.asarray(model(ids([4, 5, 6]), ids([1, 4]))[0]))
    program = (
        "import sys, numpy as np; from nmt_attention.runs.bundle import load_bundle\n"
        "for run in sys.argv[1:]:\n"
        "    model, source, target = load_bundle(run)\n"
        "    np.save(f'{run}.npy', model(np.array([[4, 5, 6]]), np.array([[1, 4]]))[0])\n"
        "    print(source.vocabulary, target.vocabulary)"
    )
    runs = [str(tmp_path / str(number)) for number in range(len(VARIANTS))]
    done = subprocess.run([sys.executable, "-c", program, *runs], capture_output=True, text=True, check=True)
    for run, logits, changes in zip(runs, expected, VARIANTS, strict=True):
        np.testing.assert_array_equal(np.load(f"{run}.npy"), logits, err_msg=str(changes))
    source, target = tokenizers()
    assert done.stdout.splitlines() == [f"{source.vocabulary} {target.vocabulary}"] * len(VARIANTS)


def test_an_8_bit_bundle_is_compressed(tmp_path):
    for quantized, method in ((True, zipfile.ZIP_DEFLATED), (False, zipfile.ZIP_STORED)):
        save_bundle(tmp_path, Seq2Seq(ModelConfig(**SMALL)), *tokenizers(), quantized)
        with zipfile.ZipFile(tmp_path / "weights.npz") as archive:
            assert {member.compress_type for member in archive.infolist()} == {method}


def test_weights_that_may_not_be_read_are_not_called_damaged(tmp_path, monkeypatch):
    save_bundle(tmp_path, Seq2Seq(ModelConfig(**SMALL)), *tokenizers())
    path, opened = tmp_path / "weights.npz", open

    def refuse(file, *arguments, **options):
        if file in (path, str(path)):
            raise PermissionError(errno.EACCES, "Permission denied", str(file))
        return opened(file, *arguments, **options)

    for module in (builtins, io):  # both for root, whom no file's mode keeps out
        monkeypatch.setattr(module, "open", refuse)
    with pytest.raises(PermissionError, match=r"Permission denied: .*weights\.npz'$"):
        load_bundle(tmp_path)
