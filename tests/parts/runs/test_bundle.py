"""A trained model's files: written and read again, and damaged or made by a stranger: refused by name, never run."""

import base64
import errno
import io
import json
import re
import shutil
import zipfile
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

import nmt_attention
from nmt_attention.config import ModelConfig
from nmt_attention.disk import files
from nmt_attention.model import Seq2Seq
from nmt_attention.runs import bundle as bundles
from nmt_attention.runs.bundle import load_bundle, load_preprocessor, quantize, save_bundle
from nmt_attention.text import SubwordTokenizer, WordTokenizer
from nmt_attention.vocabulary import SPECIAL_TOKENS

SOURCE, TARGET = WordTokenizer.learn(["a b c d e"], 9, fold_case=True), WordTokenizer.learn(["क ख ग"], 7)
KERNEL, VECTOR = "attention/query/kernel", "attention/query/bias"
SMALL = {"source_vocabulary_size": 9, "target_vocabulary_size": 7, "units": 8, "embedding_units": 6}
DEEP = {"cell": "lstm", "encoder_layers": 2, "decoder_layers": 2, "decoder": "luong-input-feeding", "lexical": True}


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """The files of a tiny bundle, and of the same with 8-bit matrices."""
    directory = tmp_path_factory.mktemp("good")
    model = Seq2Seq(ModelConfig(**SMALL, bidirectional=False))
    for place, quantized in (("whole", False), ("quantized", True)):
        save_bundle(directory / place, model, SOURCE, TARGET, quantized)
    return directory


@pytest.fixture
def both(good, tmp_path):
    """Copies of the two, which a test may damage."""
    return [Path(shutil.copytree(good / name, tmp_path / name)) for name in ("whole", "quantized")]


@pytest.fixture
def bundle(both):
    return both[0]


def arrays_of(bundle):
    with np.load(bundle / "weights.npz") as archive:
        return {name: archive[name] for name in archive}


def refused(read, directory, name):
    """Returns what is said of a file that is refused: one line, not too long, which names it."""
    with pytest.raises(ValueError) as caught:
        read(directory)
    message, path = str(caught.value), str(directory / name)
    assert path in message
    assert message.isprintable() and len(message) < len(path) + 300, message
    return message


def test_a_model_comes_back_as_it_was_saved_and_with_8_bits_to_half_a_step(both):
    bundle, quantized = both
    arrays = arrays_of(bundle)
    model, source, target = load_bundle(bundle)
    assert (source.to_config(), target.to_config()) == (SOURCE.to_config(), TARGET.to_config())
    assert {weight.path for weight in model.weights} == arrays.keys()
    for weight in model.weights:
        np.testing.assert_array_equal(weight, arrays[weight.path])
    for place, method in ((quantized, zipfile.ZIP_DEFLATED), (bundle, zipfile.ZIP_STORED)):
        with zipfile.ZipFile(place / "weights.npz") as archive:
            assert {member.compress_type for member in archive.infolist()} == {method}
    for weight in load_bundle(quantized)[0].weights:
        most = np.abs(arrays[weight.path]).max() / 127 / 2 if weight.path.endswith(("kernel", "embeddings")) else 0
        np.testing.assert_allclose(weight, arrays[weight.path], atol=most * 1.001)


@pytest.mark.parametrize("changes", [DEEP, {"architecture": "transformer", "embedding_units": 8, "heads": 2}], ids=str)
def test_a_model_that_was_read_computes_as_the_one_that_was_saved(tmp_path, changes):
    model = Seq2Seq(ModelConfig(**SMALL | changes))
    save_bundle(tmp_path, model, SOURCE, TARGET)
    ids = np.array([[4, 5, 6]]), np.array([[1, 4]])
    np.testing.assert_array_equal(load_bundle(tmp_path)[0](*ids)[0], model(*ids)[0])


def test_numbers_of_8_bits_by_hand():
    numbers, scale = quantize("kernel", np.array([[127.0, 0, -1.27], [-63.4, 0, 0.64]]))
    np.testing.assert_array_equal(numbers, [[127, 0, -127], [-63, 0, 64]])
    np.testing.assert_allclose(scale, [[1, 1, 0.01]])
    assert quantize("embeddings", np.ones((3, 2)))[1].shape == (3, 1)  # a row is one token's


CALLED = []


class Bomb:
    def __reduce__(self):
        return CALLED.append, (1,)


def saved(write, *arrays, **named):
    file = io.BytesIO()
    write(file, *arrays, **named)
    return file.getvalue()


def config(**change):
    return lambda data: json.dumps(json.loads(data) | change).encode()


def word_tokenizer(*tokens):
    return json.dumps({"kind": "word", "fold_case": False, "vocabulary": [*SPECIAL_TOKENS, *tokens]}).encode()


def garbled(data):
    model = base64.b64decode(SubwordTokenizer.learn(["a b c d e f g h i j"], 30).to_config()["model"])
    half = base64.b64encode(model[: len(model) // 2]).decode()
    return json.dumps({"kind": "subword", "fold_case": False, "model": half}).encode()


LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
DAMAGED = [  # file, its content or a function of it
    *(("config.json", data) for data in (b"\xff", b"[" * 100_000, b"null")),
    *(("config.json", config(**change)) for change in ({"units": "8"}, {"\n\x1b[2J": 1}, {"attention": "__class__"})),
    *(("source.json", data) for data in (b'{"kind": "os.system"}', garbled, word_tokenizer("a"))),
    *(("source.json", word_tokenizer(*"abcd", token)) for token in ("a", "\x1b[2J")),
    *(("target.json", data) for data in (b'{"kind": ["word"]}', b'{"units": ' + b"9" * 5000 + b"}")),
    *(("weights.npz", data) for data in (b"hello", saved(np.save, np.zeros(3)), saved(np.savez, a=np.zeros(3)))),
    ("weights.npz", lambda data: data[: len(data) // 2]),
    ("weights.npz", lambda data: data.replace(b"\x93NUMPY", b"\x93NUMPI")),
    ("weights.npz", saved(np.save, np.array([Bomb()], object))),
    ("weights.npz", LFS, "Git LFS; run git lfs pull"),
    ("config.json", config(source_vocabulary_size=10), "source.json: 9 tokens, but config.json says 10"),
    ("config.json", config(units=10), "weights.npz"),
    ("config.json", config(units=19_998), "weights or more that config.json asks for"),  # no memory is taken for them
]


@pytest.mark.parametrize("row", DAMAGED, ids=[f"{i}-{row[0]}" for i, row in enumerate(DAMAGED)])
def test_a_damaged_file_of_a_bundle_or_one_that_does_not_fit_is_named(bundle, row):
    name, damage, *said = row
    path = bundle / name
    path.write_bytes(damage(path.read_bytes()) if callable(damage) else damage)
    message = refused(load_bundle, bundle, "" if said else name)
    assert not CALLED and all(text in message for text in said)


def test_weights_with_any_byte_changed_are_read_or_refused(bundle):
    path = bundle / "weights.npz"
    data = path.read_bytes()
    for place in [*range(0, len(data), 1997), *range(len(data) - 200, len(data), 19)]:
        path.write_bytes(data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :])
        try:
            load_bundle(bundle)
        except ValueError as error:
            assert str(error).startswith(str(path)) and str(error).isprintable()


@pytest.mark.parametrize(
    ("place", "name", "change", "why"),
    [
        (0, KERNEL, lambda array: array[:-1], r"holds float32 \(7, 8\), not floats \(8, 8\)"),
        (0, KERNEL, lambda array: np.array([[Bomb()] * 8] * 8, object), "allow_pickle"),
        (0, VECTOR, lambda array: array.astype(float) + 1e300, "not finite"),
        (0, VECTOR, None, VECTOR),
        (1, f"{KERNEL}/scale", lambda array: np.full_like(array, 3e38), "not finite"),
        (1, f"{KERNEL}/scale", None, "scale"),
    ],
)
def test_a_weight_that_is_missing_or_spoiled_is_named(both, place, name, change, why):
    directory = both[place]
    arrays = arrays_of(directory)
    (path,) = [path for path in arrays if path.endswith(name)]
    array = arrays.pop(path)
    np.savez(directory / "weights.npz", **arrays, **({path: change(array)} if change else {}))
    assert re.search(why, refused(load_bundle, directory, "weights.npz"))
    assert not CALLED


def test_a_missing_file_is_named_and_one_that_may_not_be_read_is_not_called_damaged(bundle, monkeypatch):
    with monkeypatch.context() as patch, pytest.raises(PermissionError, match=r"Permission denied: 'weights\.npz'$"):
        denied = PermissionError(errno.EACCES, "Permission denied", "weights.npz")
        patch.setattr(bundles, "open", Mock(side_effect=denied), raising=False)
        load_bundle(bundle)
    (bundle / "placeholders.json").write_text('{"known": [], "listed": {}}')
    with pytest.raises(FileNotFoundError, match=rf"{bundle / 'transliterator'}: not a trained model \(config.json is "):
        load_preprocessor(bundle)
    for name in ("weights.npz", "target.json", "source.json", "config.json"):
        (bundle / name).unlink()
        with pytest.raises(FileNotFoundError, match=rf"{bundle}: not a trained model \({name} is missing\)"):
            load_bundle(bundle)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("source.json", b" " * 1001),  # more than is read of a file
        *(("placeholders.json", data) for data in (b"[]", b"{}", b'{"known": [1], "listed": {}}')),
        ("placeholders.json", b'{"known": [], "listed": {"a": ["a", 1]}}'),
        *(("sentences.json", text) for text in (b"[]", b'{"with_final_mark": NaN}')),
        ("sentences.json", b'{"with_final_mark": 1, "language": 5}'),
    ],
)
def test_other_damaged_files_of_a_run_are_named(bundle, monkeypatch, name, data):
    monkeypatch.setattr(files, "MAX_JSON_BYTES", 1000)
    monkeypatch.setattr(bundles, "load_translator", lambda directory: None)
    (bundle / name).write_bytes(data)
    refused(load_preprocessor, bundle, name)


@pytest.mark.parametrize(
    "banned",
    [  # what runs what a file says; an address that is neither encrypted nor of this machine
        r"(?<!allow_)pickle|(?<![.\w])(eval|exec)\(|allow_pickle=True|yaml\.load|marshal|\bshell=True",
        r"http://(?!127\.0\.0\.1|localhost|www\.w3\.org/)",
    ],
)
def test_the_package_has_no_line_that_trusts_a_stranger(banned):
    for path in Path(nmt_attention.__file__).parent.rglob("*.py"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert [line for line in lines if re.search(banned, line)] == [], path
