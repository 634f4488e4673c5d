"""How sure the model in the package is when it is right: two thresholds for the words in which the page says it.

python -m tools.measure.certainty    translates dev's sentences, and writes nmt_attention/deploy/web/certainty.json
"""

import itertools
import statistics
from pathlib import Path
from typing import Any

from nmt_attention.cli.options import BEAM_SIZE
from nmt_attention.corpus import split_pairs
from nmt_attention.deploy.browser import CERTAINTY, weights_hash
from nmt_attention.disk.fetch import find_corpus
from nmt_attention.disk.files import write_json
from nmt_attention.disk.pairs import read_pairs
from nmt_attention.metrics import group_references, score
from nmt_attention.translate import Translation, Translator


def certainty(translations: list[Translation], references: list[list[str]]) -> dict[str, Any]:
    """Returns thresholds of the mean log-probability of a token, which cut the sentences into three equal parts.

    `chrf` has the mean chrF of the sentences' translations in each part, the surest first.
    """
    rows = sorted(
        (
            (each.score / len(each.target_tokens), score([each.text], [right]).chrf)
            for each, right in zip(translations, references, strict=True)
        ),
        reverse=True,
    )
    ends = [len(rows) * k // 3 for k in range(4)]
    thirds = [rows[start:end] for start, end in itertools.pairwise(ends)]
    return {
        "sure": round(thirds[0][-1][0], 3),
        "unsure": round(thirds[1][-1][0], 3),
        "sentences": len(rows),
        "chrf": [round(statistics.fmean(chrf for _, chrf in third), 1) for third in thirds],
    }


def main(path: Path = CERTAINTY) -> None:
    sources, references = group_references(split_pairs(read_pairs(find_corpus())).dev)
    translator = Translator.load()
    found = certainty(translator.translate(sources, beam_size=BEAM_SIZE), references)
    write_json(path, {**found, "split": "dev", "weights_sha256": weights_hash(translator)})
    print(f"{path}: {found}")


if __name__ == "__main__":
    main()
