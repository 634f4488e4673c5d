"""What each command of the command line does. TensorFlow is imported only where it is needed."""

import os
import sys
import tempfile
from pathlib import Path

from .config import SearchConfig, make_settings, setting_fields
from .console import say, to_json

_LINES_AT_A_TIME = 1024
_BYTES_AT_A_TIME = 65_536  # what a pipe holds
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
    from .run_files import check_directory

    overrides = {name: getattr(options, name) for name in setting_fields() if hasattr(options, name)}
    make_settings(options.preset, overrides)  # a setting that is wrong is said before anything is downloaded
    check_directory(options.run)
    path = find_corpus(getattr(options, "corpus", None), options.language)
    check_directory(options.run, path)
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
    if options.sentences and hasattr(options, "file"):
        raise ValueError("translate: give sentences or --file, not both")
    search = search_settings(options)

    import_tensorflow()
    from .translate import Translator

    translator = Translator.load(*options.run)
    if options.sentences:
        batches = [options.sentences]
    elif hasattr(options, "file"):
        batches = _file_lines(options.file)
    elif sys.stdin is None:
        raise ValueError("translate: expected sentences, --file or standard input, which is closed")
    elif sys.stdin.isatty() and sys.stdout.isatty():
        batches = _prompted()
    else:
        batches = _lines_as_they_come("standard input", sys.stdin.buffer)
    number = 0
    for sentences in batches:
        lines = []
        for found in translator.n_best(sentences, merge_subwords=options.merge_subwords, **search):
            number += 1
            if not options.n_best:
                lines.append(_as_json(found[0]) if options.json else found[0].text)
                continue
            for rank, translation in enumerate(found, start=1):
                plain = f"{number}\t{translation.score:.4f}\t{translation.text}"
                lines.append(_as_json(translation, rank=rank) if options.json else plain)
        say(*lines)


def _as_json(translation, **more):
    attention = [[round(float(weight), 6) for weight in row] for row in translation.attention]
    return to_json({**translation._asdict(), "attention": attention, **more})


def _prompted():
    """Yields each sentence that is typed, as a list of one, until end of file or an empty line."""
    print("Type a sentence; an empty line or Ctrl-D ends.", file=sys.stderr)
    while True:
        try:
            sentence = input("> ")
        except EOFError:
            return
        if not sentence.strip():
            return
        yield [sentence]


def text_lines(path):
    """Yields the lines of a UTF-8 file, without their ends.

    Raises:
        ValueError: a line is too long or not UTF-8; the message names it.
    """
    for lines in _file_lines(path):
        yield from lines


def _file_lines(path):
    with open(path, "rb") as file:
        yield from _lines_as_they_come(path, file)


def _lines_as_they_come(name, file):
    """Yields lists of the lines of a binary file as text, without their ends.

    A list holds what is there already, so that a program at the other end of a pipe gets the answer to a line before it
    sends the next, and what comes faster than it is answered is answered many lines at a time. Lines before one that is
    refused are yielded before the error is raised.
    """
    number = 0
    for ended in _ended_lines(file):
        for start in range(0, len(ended), _LINES_AT_A_TIME):
            lines = []
            for line in ended[start : start + _LINES_AT_A_TIME]:
                number += 1
                try:
                    lines.append(_decoded(name, number, line))
                except ValueError:
                    yield lines
                    raise
            yield lines


def _ended_lines(file):
    """Yields lists of lines, bytes without their ends, as soon as one has ended; the last of all may be cut short."""
    begun = bytearray()
    while data := file.read1(_BYTES_AT_A_TIME):  # waits for the first byte, not for so many
        *ended, rest = data.split(b"\n")
        if ended:
            yield [bytes(begun) + ended[0], *ended[1:]]
            begun.clear()
        begun += rest
        if len(begun) > _LONGEST_LINE:
            break  # it is refused, however long it is
    if begun:
        yield [bytes(begun)]


def _decoded(name, number, line):
    if len(line) > _LONGEST_LINE:
        raise ValueError(f"{name}, line {number}: longer than {_LONGEST_LINE:,} bytes")
    try:
        return line.decode("utf-8").rstrip("\r")
    except UnicodeDecodeError as error:
        raise ValueError(f"{name}, line {number}: not UTF-8 (byte {error.start + 1} of the line)") from None


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
        lines = []
    else:
        import_tensorflow()
        from .translate import Translator

        translator = Translator.load(options.run)
        (translation,) = translator.translate(
            [options.sentence], merge_subwords=options.merge_subwords, beam_size=options.beam_size
        )
        figure = plot_attention(translation, show_end=options.show_end)
        lines = [translation.text]
    save_figure(figure, path)
    say(*lines, str(path))


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
