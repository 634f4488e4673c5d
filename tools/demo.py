"""What `make demo` ends with: sentences by the model just trained, then freer ones by the model in the package.

python -m tools.demo --run runs/demo

Each translation is given in Latin letters too, for those who read no Devanagari, and compared with references.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from nmt_attention.disk.pairs import DATA_DIRECTORY, read_pairs
from nmt_attention.marathi.romanize import romanize
from nmt_attention.runs.machine import import_tensorflow
from nmt_attention.runs.splits import seen_in_training
from nmt_attention.spelling import normalize

DEMO, FREE = DATA_DIRECTORY / "demo.tsv", DATA_DIRECTORY / "free.tsv"


class Sentence(NamedTuple):
    """An English sentence and translations of it, the usual one first; more may be right."""

    english: str
    references: list[str]


def read_sentences(path: Path) -> list[Sentence]:
    """Reads English sentences and their references, separated by tabs."""
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return [Sentence(english, references) for english, *references in rows]


def is_right(text: str, sentence: Sentence) -> bool:
    """Returns whether a translation is one of the references."""
    return normalize(text) in map(normalize, sentence.references)


def demo_lines(sentences: Sequence[Sentence], translations: Sequence[str], seen: Sequence[bool]) -> list[str]:
    """Returns lines with each translation, a tick if it is a reference, or below it the reference most like it.

    Args:
        sentences: what was translated.
        translations: of the sentences.
        seen: whether the model was trained on a sentence; it gets a star.
    """
    lines = []
    for sentence, text, was_seen in zip(sentences, translations, seen, strict=True):
        right = is_right(text, sentence)
        nearest = text if right else max(sentence.references, key=lambda r: len({*r.split()} & {*text.split()}))
        words = (word if word in nearest.split() else f"[{word}]" for word in text.split())
        latin = romanize(" ".join(words))
        lines.append(f"{'✓' if right else ' '} {sentence.english}{'*' * was_seen}  →  {text}  ({latin})")
        if not right:
            lines.append(f"      compare  {nearest}  ({romanize(nearest)})")
    right = sum(map(is_right, translations, sentences))
    lines.append(f"✓ {right} of {len(sentences)} are a reference, word for word. Others may be right in other words:")
    lines.append("  compare them with the reference below each. Words in [brackets] are not in it.")
    if any(seen):
        lines.append("* The sentence or its translation was in training.")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--run", required=True, type=Path, help="run directory of the model just trained")
    run = parser.parse_args().run
    import_tensorflow()
    from nmt_attention.translate import Translator

    sentences, free = read_sentences(DEMO), read_sentences(FREE)
    own = [t.text for t in Translator.load(run).translate([s.english for s in sentences])]
    seen = seen_in_training(sentences, read_pairs(run / "train.tsv"))
    pretrained = [t.text for t in Translator.load().translate([s.english for s in free])]
    print(f"\nThe model just trained, {run}, on ten short sentences:\n")
    print(*demo_lines(sentences, own, seen), sep="\n")
    print("\nThe model that comes with the package, trained for longer, on ten that its corpus lacks:\n")
    print(*demo_lines(free, pretrained, [False] * len(free)), sep="\n")


if __name__ == "__main__":
    main()
