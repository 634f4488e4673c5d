"""Makes up files for the reader of pairs or the loader of models, led by the lines of code that each one reaches.

Needs atheris (pip install atheris). It starts from tests/fuzz_cases and from what earlier runs left in build/fuzz, and
stops at the first finding: an error that is not promised, a hang, or a gigabyte of memory. Its input is then in
build/fuzz; as a file of tests/fuzz_cases, with a name that begins with what is right, accepted or refused, it is a
test. The first byte of an input is a digit that says what the rest is: see `read_corpus` and `read_bundle`.
"""

import argparse
import functools
import io
import json
import multiprocessing
import resource
import sys
import tempfile
import unittest.mock
import warnings
import zipfile
from base64 import b64encode
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT / "tests" / "fuzz_cases"


def zipped(members):
    """Returns the bytes of a zip of these members, whose checksums are right."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def refusal(read, *paths):
    """Returns what is said where `read` refuses, else None: one line, not too long, that begins with a path."""
    try:
        read()
    except ValueError as error:
        said = str(error)
        path = next((str(path) for path in paths if said.startswith(str(path))), None)
        assert path and said.isprintable() and len(said) <= len(path) + 300, repr(said)
        return said


def read_corpus(data, directory):
    """Reads pairs: 0 and a .tsv, 1 and a .zip, or 2, the name of a zip's member, a line feed and its text.

    Pairs that are read are written, and must be the same when they are read again.

    Returns:
        What is said of a file that is refused, else None.
    """
    from nmt_attention.disk.pairs import read_pairs, write_pairs

    kind, data = data[0] % 3, data[1:]
    path = directory / ("pairs.zip" if kind else "pairs.tsv")
    if kind == 2:
        name, _, text = data.partition(b"\n")
        data = zipped({name.decode("utf-8", "replace"): text})
    path.write_bytes(data)

    def read():
        pairs = read_pairs(path)
        write_pairs(directory / "again.tsv", pairs)
        assert read_pairs(directory / "again.tsv") == pairs, pairs

    return refusal(read, path)


@functools.cache
def tiny_bundle():
    """Returns the files of a model as small as can be, by name, and what makes a model, once for a configuration."""
    from nmt_attention.config import ModelConfig
    from nmt_attention.model import Seq2Seq
    from nmt_attention.runs.bundle import save_bundle
    from nmt_attention.text import SubwordTokenizer, WordTokenizer

    subwords, words = SubwordTokenizer.learn(["a b ab"], 8), WordTokenizer.learn(["क ख"], 6)
    sizes = {"source_vocabulary_size": len(subwords), "target_vocabulary_size": len(words)}
    config = ModelConfig(**sizes, units=1, embedding_units=1, bidirectional=False, attention="dot", decoder="luong")
    with tempfile.TemporaryDirectory() as directory:
        save_bundle(directory, Seq2Seq(config), subwords, words)
        return {path.name: path.read_bytes() for path in Path(directory).iterdir()}, functools.lru_cache(16)(Seq2Seq)


def read_bundle(data, directory):
    """Loads a model with one file changed: 0 and config.json, 1 and source.json, 2 and target.json, 3 and weights.npz;
    4, a letter that picks a weight and its .npy; or 5 and the sentencepiece model of source.json.

    Returns:
        What is said of a bundle that is refused, else None.
    """
    from nmt_attention.runs import bundle

    good, make_model = tiny_bundle()
    kind, data = data[0] % 6, data[1:]
    name = ("config.json", "source.json", "target.json", "weights.npz", "weights.npz", "source.json")[kind]
    if kind == 4:
        with zipfile.ZipFile(io.BytesIO(good[name])) as archive:
            members = {member: archive.read(member) for member in sorted(archive.namelist())}
        members[[*members][sum(data[:1]) % len(members)]] = data[1:]
        data = zipped(members)
    elif kind == 5:
        data = json.dumps({"kind": "subword", "fold_case": False, "model": b64encode(data).decode()}).encode()
    for file, content in (good | {name: data}).items():
        (directory / file).write_bytes(content)

    def read():
        loaded, *tokenizers = bundle.load_bundle(directory)
        assert all(np.isfinite(weight).all() for weight in loaded.get_weights())
        sizes = (loaded.config.source_vocabulary_size, loaded.config.target_vocabulary_size)
        for tokenizer, size in zip(tokenizers, sizes, strict=True):
            ids = tokenizer.encode("ab क.")
            assert len(tokenizer) == size and all(0 <= i < size for i in ids) and tokenizer.decode(ids) is not None

    with unittest.mock.patch.object(bundle, "Seq2Seq", make_model):
        return refusal(read, *(directory / file for file in (good if kind == 0 else [name])))


TARGETS = {"reader": read_corpus, "bundle": read_bundle}


def fuzz(target, seconds, directory):
    """Calls the target with one input after another, then ends the process."""
    import atheris

    sys.path.insert(0, str(ROOT))
    with atheris.instrument_imports(include=["nmt_attention"]):
        TARGETS[target](b"0", directory)
    warnings.simplefilter("error")
    kept = ROOT / "build" / "fuzz" / target
    kept.mkdir(parents=True, exist_ok=True)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024 + 1024  # MiB
    flags = [f"-max_total_time={seconds}", "-timeout=20", f"-rss_limit_mb={memory}", "-keep_seed=1"]
    flags += [f"-dict={CASES / 'words.txt'}", f"-artifact_prefix={kept}-"]

    def run(data):
        if data:
            TARGETS[target](data, directory)

    atheris.Setup([sys.argv[0], *flags, str(kept), str(CASES / target)], run)
    atheris.Fuzz()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--seconds", type=int, default=600)
    options = parser.parse_args()
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as directory:
        arguments = (options.target, options.seconds, Path(directory))
        process = multiprocessing.get_context("spawn").Process(target=fuzz, args=arguments)
        process.start()
        try:
            process.join()
        finally:
            process.kill()
    sys.exit(process.exitcode)


if __name__ == "__main__":
    main()
