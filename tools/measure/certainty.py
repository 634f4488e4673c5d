"""How often a bundle's model is right when it is certain: the bands that command, JSON and page speak of.

python -m tools.measure.certainty          translates dev's sentences; writes nmt_attention/pretrained/certainty.json
python -m tools.measure.certainty RUN      the same of a run, with its own train.tsv and dev.tsv
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from nmt_attention.cli.options import BEAM_SIZE
from nmt_attention.corpus import split_pairs
from nmt_attention.disk.fetch import find_corpus
from nmt_attention.disk.files import write_json
from nmt_attention.disk.pairs import read_pairs
from nmt_attention.metrics import group_references
from nmt_attention.preprocess.verify import unwarned
from nmt_attention.runs.bundle import CERTAINTY, PRETRAINED, weights_hash
from nmt_attention.spelling import is_mark
from nmt_attention.text import find_words
from nmt_attention.translate import Translation, Translator

MOST = 95  # percent of training sentences that have `most_words` or fewer
HOPELESS = 1  # percent right, below which a translation is a guess


def count(translations: list[Translation], references: list[list[str]]) -> dict[str, Any]:
    """Returns four bands of certainty, the surest first, `from` so many percent on.

    Two limits cut the sentences into equal parts, as far as whole percents do; below the third one, `HOPELESS` percent
    of them are right. Of the `sentences` in a band, `matched` are one of the references, word for word; of the `words`
    that are in it by their own probability, so many are `found` in a reference.
    """
    rows = sorted(
        (round(100 * each.certainty), each.text in right) for each, right in zip(translations, references, strict=True)
    )
    words = [row for each, right in zip(translations, references, strict=True) for row in _words(each, right)]
    limits = [rows[len(rows) * 2 // 3][0], rows[len(rows) // 3][0]]
    low = max((limit for limit in range(limits[1] + 1) if _share(rows, limit) <= HOPELESS / 100), default=0)
    limits += [low, 0]
    bands = []
    for start, end in zip(limits, [101, *limits], strict=False):
        matched = [right for percent, right in rows if start <= percent < end]
        found = [right for percent, right in words if start <= percent < end]
        counts = {"sentences": len(matched), "matched": sum(matched), "words": len(found), "found": sum(found)}
        bands.append({"from": start, **counts})
    return {"bands": bands}


def _share(rows: Iterable[tuple[int, bool]], limit: int) -> float:
    """Returns which share is right of those below a limit."""
    below = [right for percent, right in rows if percent < limit]
    return sum(below) / max(1, len(below))


def _words(translation: Translation, references: list[str]) -> list[tuple[int, bool]]:
    """Returns how certain each word of a translation in words is, and whether a reference has it."""
    has = {match[0] for reference in references for match in find_words(reference)}
    pairs = zip(translation.target_tokens, translation.probabilities, strict=True)
    return [(round(100 * p), word in has) for word, p in pairs if not is_mark(word) and word != "<end>"]


def main(directory: Path = PRETRAINED) -> None:
    if directory == PRETRAINED:
        train, dev, _ = split_pairs(read_pairs(find_corpus()))
    else:
        train, dev = (read_pairs(directory / f"{name}.tsv") for name in ("train", "dev"))
    translator, (sources, references) = Translator.load(directory), group_references(dev)
    with unwarned():
        found = translator.n_best(sources, merge_subwords=True, probabilities=True, beam_size=BEAM_SIZE)
    about = count([hypotheses[0] for hypotheses in found], references)
    most = np.percentile([len(pair[0].split()) for pair in train], MOST)
    about |= {"most_words": int(most), "split": "dev", "weights_sha256": weights_hash(directory)}
    write_json(directory / CERTAINTY, about)
    print(f"{directory / CERTAINTY}: {about}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
