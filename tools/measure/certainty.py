"""How often the model in the package is right when it is sure: what the page says of its certainty.

python -m tools.measure.certainty    translates dev's sentences, and writes nmt_attention/deploy/web/certainty.json
"""

import math
from pathlib import Path
from typing import Any

from nmt_attention.cli.options import BEAM_SIZE
from nmt_attention.corpus import split_pairs
from nmt_attention.deploy.browser import CERTAINTY, weights_hash
from nmt_attention.disk.fetch import find_corpus
from nmt_attention.disk.files import write_json
from nmt_attention.disk.pairs import read_pairs
from nmt_attention.metrics import group_references
from nmt_attention.translate import Translation, Translator


def certainty(translations: list[Translation], references: list[list[str]]) -> dict[str, Any]:
    """Returns three bands of certainty, the surest first: the mean probability of a piece, in whole percent.

    Their limits cut the sentences into equal parts, as far as whole percents do. Of the sentences that are in a band,
    `from` so many percent on, `matched` are one of the references, word for word.
    """
    rows = sorted(
        (round(100 * math.exp(each.score / len(each.target_tokens))), each.text in right)
        for each, right in zip(translations, references, strict=True)
    )
    limits = [rows[len(rows) * 2 // 3][0], rows[len(rows) // 3][0], 0]
    bands = [
        [matched for percent, matched in rows if low <= percent < high]
        for low, high in zip(limits, [101, *limits], strict=False)
    ]
    return {
        "bands": [
            {"from": low, "sentences": len(band), "matched": sum(band)} for low, band in zip(limits, bands, strict=True)
        ]
    }


def main(path: Path = CERTAINTY) -> None:
    sources, references = group_references(split_pairs(read_pairs(find_corpus())).dev)
    translator = Translator.load()
    found = certainty(translator.translate(sources, beam_size=BEAM_SIZE), references)
    write_json(path, {**found, "split": "dev", "weights_sha256": weights_hash(translator)})
    print(f"{path}: {found}")


if __name__ == "__main__":
    main()
