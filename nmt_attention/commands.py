"""What each command of the command line does. TensorFlow is imported only where it is needed."""

import json
import os
import sys
import tempfile
from pathlib import Path

from .config import make_settings, setting_fields

_LINES_AT_A_TIME = 1024
_LONGEST_LINE = 1_000_000  # bytes; what comes without line ends is no list of sentences


def _import_tensorflow():
    """Imports TensorFlow without the lines its C++ part logs about processors; an import that fails shows them."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    stderr = os.dup(2)
    with tempfile.TemporaryFile() as log:
        os.dup2(log.fileno(), 2)
        try:
            import tensorflow

            tensorflow.zeros(())  # looks for devices
        except BaseException:
            log.seek(0)
            os.write(stderr, log.read())
            raise
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)


def fetch(options):
    """Downloads a corpus and prints where it is."""
    from .corpus import download_anki, read_pairs

    path = download_anki(options.language)
    print(f"{path}: {len(read_pairs(path)):,} pairs")


def train(options):
    """Trains a model, or goes on with a run that was interrupted."""
    from .corpus import find_corpus, read_pairs

    overrides = {name: getattr(options, name) for name in setting_fields() if hasattr(options, name)}
    make_settings(options.preset, overrides)  # a setting that is wrong is said before anything is downloaded
    path = find_corpus(getattr(options, "corpus", None), options.language)
    pairs = read_pairs(path)
    settings = make_settings(options.preset, overrides, len(pairs))
    print(f"corpus {path}: {len(pairs):,} pairs", file=sys.stderr)

    _import_tensorflow()
    from .run import run_training

    result = run_training(options.run, pairs, settings, options.tensorboard)
    print(
        f"{options.run}: {result['parameters']:,} parameters, {result['training_minutes']:.1f} minutes of training, "
        f"{result['wall_minutes']:.1f} with the scoring of every epoch"
    )
    for split in ("dev", "test"):
        print(f"{split:5} BLEU {result[split]['bleu']:.1f}  chrF {result[split]['chrf']:.1f}")


def translate(options):
    """Prints the translation of each sentence, or a JSON object with its attention."""
    _import_tensorflow()
    from .translate import Translator

    translator = Translator.load(options.run)
    if options.sentences:
        batches = [options.sentences]
    elif hasattr(options, "file"):
        batches = _in_batches(_text_lines(options.file))
    elif sys.stdin.isatty() and sys.stdout.isatty():
        batches = _prompted()
    else:
        batches = _in_batches(_decoded("standard input", sys.stdin.buffer))
    for sentences in batches:
        for translation in translator.translate(
            sentences, merge_subwords=options.merge_subwords, beam_size=options.beam_size
        ):
            if options.json:
                attention = [[round(float(weight), 6) for weight in row] for row in translation.attention]
                print(json.dumps({**translation._asdict(), "attention": attention}, ensure_ascii=False))
            else:
                print(translation.text)
        sys.stdout.flush()


def _prompted():
    """Yields what is typed, a sentence at a time, until end of file."""
    print("Type a sentence; an empty line or Ctrl-D ends.", file=sys.stderr)
    while True:
        try:
            sentence = input("> ")
        except EOFError:
            return
        if not sentence.strip():
            return
        yield [sentence]


def _decoded(name, file):
    """Yields the lines of a binary file as text, without their line ends."""
    for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE + 1), b""), start=1):
        if len(line) > _LONGEST_LINE:
            raise ValueError(f"{name}, line {number}: longer than {_LONGEST_LINE:,} bytes")
        try:
            yield line.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise ValueError(f"{name}, line {number}: not UTF-8 (byte {error.start + 1} of the line)") from None


def _text_lines(path):
    with open(path, "rb") as file:
        yield from _decoded(path, file)


def _in_batches(lines):
    batch = []
    for line in lines:
        batch.append(line)
        if len(batch) == _LINES_AT_A_TIME:
            yield batch
            batch = []
    if batch:
        yield batch


def evaluate(options):
    """Prints scores on held-out pairs, on files, or against gold alignments."""
    if hasattr(options, "source") != hasattr(options, "reference"):
        raise ValueError("--source and --reference go together")
    if hasattr(options, "alignments"):
        if hasattr(options, "source"):
            raise ValueError("--alignments and --source do not go together")
        _evaluate_alignments(options)
        return
    texts = _read_texts(options.source, options.reference) if hasattr(options, "source") else None

    _import_tensorflow()
    from .corpus import read_pairs
    from .evaluate import evaluate, group_references
    from .translate import Translator

    translator = Translator.load(options.run)
    sources, references = texts or group_references(read_pairs(options.run / f"{options.split}.tsv"))
    scores, _ = evaluate(translator, sources, references, options.beam_size)
    if options.json:
        print(json.dumps(scores._asdict()))
        return
    print(f"{scores.sentences:,} sentences, {scores.references:,} references")
    print(f"BLEU        {scores.bleu:5.1f}  (first reference alone: {scores.bleu_first:.1f})  {scores.bleu_signature}")
    print(f"chrF        {scores.chrf:5.1f}  (first reference alone: {scores.chrf_first:.1f})  {scores.chrf_signature}")
    print(f"exact match {scores.exact:5.1f} %")
    print(f"perplexity  {scores.perplexity:5.1f}  per target token")


def _evaluate_alignments(options):
    from .alignment import LINK_THRESHOLD, read_alignments
    from .corpus import read_pairs

    split = {name: read_pairs(options.run / f"{name}.tsv") for name in ("train", "dev", "test")}
    gold, missing = read_alignments(options.alignments, [pair for pairs in split.values() for pair in pairs])
    trained_on = {pair[:2] for pair in split["train"]}
    unseen = [alignment for alignment in gold if alignment.pair[:2] not in trained_on]
    if not unseen:
        raise ValueError(
            f"{options.alignments}: the run was trained on {len(gold)} of its pairs and {len(missing)} are not in its "
            "corpus; none is left to score"
        )

    _import_tensorflow()
    from .evaluate import evaluate_alignments
    from .translate import Translator

    argmax, above, entropy = evaluate_alignments(Translator.load(options.run), unseen)
    counts = {"trained_on": len(gold) - len(unseen), "missing": len(missing)}
    if options.json:
        print(json.dumps({**counts, "argmax": argmax._asdict(), "threshold": above._asdict(), "entropy": entropy}))
        return
    print(
        f"{len(unseen):,} gold alignments; {counts['trained_on']:,} more were trained on, {len(missing):,} are not in "
        "this run's corpus"
    )
    for name, scores in (("most attended word", argmax), (f"weight at least {LINK_THRESHOLD}", above)):
        print(
            f"{name:20}  alignment error rate {scores.error_rate:.3f}  precision {scores.precision:.3f}  "
            f"recall {scores.recall:.3f}"
        )
    print(f"entropy of attention  {entropy:.2f} nats")


def _read_texts(source, references):
    """Returns the sentences of a file, and for each the lines beside it in the files of references."""
    from .text import normalize

    sources, columns = list(_text_lines(source)), [list(_text_lines(path)) for path in references]
    for path, lines in zip(references, columns, strict=True):
        if len(lines) != len(sources):
            raise ValueError(f"{path} has {len(lines)} lines, but {source} has {len(sources)}")
    texts = [[line for line in row if normalize(line)] for row in zip(*columns, strict=True)]
    for number, (sentence, found) in enumerate(zip(sources, texts, strict=True), start=1):
        if not normalize(sentence) or not found:
            what = "no reference" if normalize(sentence) else "an empty sentence"
            raise ValueError(f"{source}, line {number}: {what}")
    if not sources:
        raise ValueError(f"{source}: no sentences")
    return sources, texts


def plot(options):
    """Draws a heatmap or a history to a file and prints its name."""
    if options.history == hasattr(options, "sentence"):
        raise ValueError("plot: give a sentence or --history")
    from .plot import plot_attention, plot_history, save_figure

    path = Path(getattr(options, "output", options.run / ("history.png" if options.history else "heatmap.png")))
    if options.history:
        from .files import read_history

        history = options.run / "history.csv"
        rows = read_history(history)
        if not rows:
            raise ValueError(f"{history}: no epoch has been finished yet")
        try:
            figure = plot_history(rows)
        except KeyError as error:
            raise ValueError(f"{history}: no column {error}") from None
    else:
        _import_tensorflow()
        from .translate import Translator

        translator = Translator.load(options.run)
        (translation,) = translator.translate(
            [options.sentence], merge_subwords=options.merge_subwords, beam_size=options.beam_size
        )
        figure = plot_attention(translation, show_end=options.show_end)
        print(translation.text)
    save_figure(figure, path)
    print(path)
