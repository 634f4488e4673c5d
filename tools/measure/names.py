"""How many of the listed names and places a trained model writes exactly, each in four sentences.

python -m tools.measure.names [RUN]     the package's model, if no run is given; --beam-size 5: with that beam
python -m tools.measure.names --ask     first asks the package's model again which names to hide

The scores of its card are then no longer those of its files: tools.models.model --again measures them.
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from nmt_attention import DATA_DIRECTORY, Translator, load_corpus, read_names, read_pairs, split_pairs
from nmt_attention.names.asking import ask_names, sentences_about, wrong_names
from nmt_attention.names.hiding import rare_words
from nmt_attention.preprocess.protect import Placeholders
from nmt_attention.runs.bundle import PLACEHOLDERS, PRETRAINED, save_placeholders

LEAST = 0.99


def ask(directory: Path) -> None:
    """Asks the model in a directory again which names and loan words to hide; its training was that of the card."""
    translator = Translator.load(directory)
    sentences = [pair.source for pair in split_pairs(load_corpus()).train]
    sentences += [pair.source for name in ("phrasebook", "talk") for pair in read_pairs(DATA_DIRECTORY / f"{name}.tsv")]
    before = translator.preprocessor.placeholders
    rare = rare_words(sentences, read_names())
    translator.preprocessor.placeholders = Placeholders(before.known, before.transliterator, rare=rare)
    ask_names(translator)
    with tempfile.TemporaryDirectory() as place:
        save_placeholders(translator.preprocessor.placeholders, Path(place))
        shutil.copyfile(Path(place) / PLACEHOLDERS, directory / PLACEHOLDERS)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", nargs="?", type=Path, default=PRETRAINED, help="directory of a trained run")
    parser.add_argument("--ask", action="store_true", help="ask the package's model again")
    parser.add_argument("--beam-size", type=int, default=1, help="hypotheses of the search (default: 1, greedy)")
    options = parser.parse_args()
    if options.ask:
        ask(PRETRAINED)
    names = [name for name in read_names() if name.kind != "word"]
    translator = Translator.load(options.run)
    wrong = wrong_names(translator, names, options.beam_size)
    for name in wrong:
        found = translator.translate(sentences_about(name), beam_size=options.beam_size)
        print(name.english, name.marathi, *(translation.text for translation in found), sep="\t")
    exact = 1 - len(wrong) / len(names)
    print(f"{exact:.1%} of {len(names):,} listed names and places are exact in all four sentences")
    return 0 if exact >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
