"""What each command of the command line does. TensorFlow is imported only where it is needed."""

import json
import os
import sys
import tempfile
from pathlib import Path

from .config import SearchConfig, make_settings, setting_fields

_LINES_AT_A_TIME = 1024
_LONGEST_LINE = 1_000_000  # bytes; what comes without line ends is no list of sentences


def import_tensorflow(look_for_devices=True):
    """Imports TensorFlow without the lines its C++ part logs about processors; an import that fails shows them.

    With several workers TensorFlow must do nothing, not even look for devices, before their strategy is made.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    stderr = os.dup(2)
    with tempfile.TemporaryFile() as log:
        os.dup2(log.fileno(), 2)
        try:
            import tensorflow

            if look_for_devices:
                tensorflow.zeros(())
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

    import_tensorflow(look_for_devices=settings["strategy"] != "multiworker")
    from .run import run_training

    result = run_training(options.run, pairs, settings, options.tensorboard)
    print(
        f"{options.run}: {result['parameters']:,} parameters, {result['training_minutes']:.1f} minutes of training, "
        f"{result['wall_minutes']:.1f} with the scoring of every epoch"
    )
    for split in ("dev", "test"):
        print(f"{split:5} BLEU {result[split]['bleu']:.1f}  chrF {result[split]['chrf']:.1f}")


def search_settings(options):
    """Returns the search settings that were given, having made sure that they are right."""
    search = {name: getattr(options, name) for name in SearchConfig.__dataclass_fields__ if hasattr(options, name)}
    SearchConfig(**search)
    return search


def translate(options):
    """Prints the translation of each sentence, or all hypotheses of it, as text or as JSON with attention."""
    search = search_settings(options)

    import_tensorflow()
    from .translate import Translator

    translator = Translator.load(*options.run)
    if options.sentences:
        batches = [options.sentences]
    elif hasattr(options, "file"):
        batches = _in_batches(text_lines(options.file))
    elif sys.stdin.isatty() and sys.stdout.isatty():
        batches = _prompted()
    else:
        batches = _in_batches(_decoded("standard input", sys.stdin.buffer))
    number = 0
    for sentences in batches:
        for found in translator.n_best(sentences, merge_subwords=options.merge_subwords, **search):
            number += 1
            if not options.n_best:
                print(_as_json(found[0]) if options.json else found[0].text)
                continue
            for rank, translation in enumerate(found, start=1):
                plain = f"{number}\t{translation.score:.4f}\t{translation.text}"
                print(_as_json(translation, rank=rank) if options.json else plain)
        sys.stdout.flush()


def _as_json(translation, **more):
    attention = [[round(float(weight), 6) for weight in row] for row in translation.attention]
    return json.dumps({**translation._asdict(), "attention": attention, **more}, ensure_ascii=False)


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


def text_lines(path):
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
        import_tensorflow()
        from .translate import Translator

        translator = Translator.load(options.run)
        (translation,) = translator.translate(
            [options.sentence], merge_subwords=options.merge_subwords, beam_size=options.beam_size
        )
        figure = plot_attention(translation, show_end=options.show_end)
        print(translation.text)
    save_figure(figure, path)
    print(path)


def export(options):
    """Writes a trained model as a SavedModel and prints where it is."""
    import_tensorflow()
    from .export import export_saved_model

    export_saved_model(options.run, options.output)
    print(options.output)


def serve(options):
    """Shows translations on a web page until Ctrl-C."""
    import_tensorflow()
    from .serve import serve_page

    serve_page(options.run, options.host, options.port, options.any_host)
