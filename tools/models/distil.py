"""Of all that the package's model writes for a training sentence, what comes nearest to a translation of the corpus.

python -m tools.models.distil --output runs/nearest.tsv

A model that goes on from it (`train --start ready --extra runs/nearest.tsv`) learns translations that are nearly those
of the corpus, in words that such a model finds by itself.

Source: Kim & Rush 2016, arXiv:1606.07947, section 3.3 (sequence-level interpolation).
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import sacrebleu

from nmt_attention.corpus import Pair, split_pairs
from nmt_attention.disk.fetch import find_corpus
from nmt_attention.disk.pairs import read_pairs, write_pairs
from nmt_attention.translate import Translation, Translator

BEAM_SIZE = 8
LEAST = 60.0  # chrF with a reference; what is less like any is left out
PER_NAT = 4.0  # chrF that a nat of log-probability is worth
AT_A_TIME = 2048  # sentences, whose hypotheses are in memory together
_CHRF = sacrebleu.CHRF()


def nearest(translator: Translator, references: Mapping[str, Sequence[str]]) -> list[Pair]:
    """Returns for each sentence the hypothesis of a beam that is nearest to its references, if it is none of them.

    Near is chrF and, a little, the model's own log-probability.

    Args:
        translator: writes the hypotheses.
        references: by sentence, the translations that are known.
    """
    found, sources = [], list(references)
    for start in range(0, len(sources), AT_A_TIME):
        some = sources[start : start + AT_A_TIME]
        for source, beam in zip(some, translator.n_best(some, beam_size=BEAM_SIZE), strict=True):
            text, likeness = _best(beam, references[source])
            if likeness >= LEAST and text not in references[source]:
                found.append(Pair(source, text))
    return found


def _best(beam: Sequence[Translation], references: Sequence[str]) -> tuple[str, float]:
    likeness = [_CHRF.sentence_score(hypothesis.text, references).score for hypothesis in beam]
    worth = [like + PER_NAT * (t.score - beam[0].score) for like, t in zip(likeness, beam, strict=True)]
    best = worth.index(max(worth))
    return beam[best].text, likeness[best]


def main(arguments: Sequence[str] | None = None) -> None:
    """Writes the file; an error ends the process with one line and status 1."""
    parser = argparse.ArgumentParser(prog="python -m tools.models.distil", description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, required=True, metavar="FILE", help="pairs to write, for train --extra")
    output = parser.parse_args(arguments).output
    try:
        references: dict[str, list[str]] = {}
        for pair in split_pairs(read_pairs(find_corpus())).train:
            references.setdefault(pair.source, []).append(pair.target)
        pairs = nearest(Translator.load(), references)
        write_pairs(output, pairs)
    except (OSError, ValueError) as error:
        sys.exit(f"distil: {error}")
    print(f"{output}: {len(pairs):,} pairs")


if __name__ == "__main__":
    main()
