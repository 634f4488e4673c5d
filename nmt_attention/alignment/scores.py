"""Is a heatmap right? Attention against gold word alignments: error rate, precision, recall, entropy."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..corpus import Pair, as_pairs
from ..decoding.words import in_words
from ..disk.files import in_brief, read_bytes
from ..spelling import has_devanagari, is_mark
from ..translate import Translation, Translator
from .aligner import Aligner, links_by_weight
from .links import Link, pair_words, read_links

_MAX_BYTES = 64_000_000  # of a file of alignments
LINK_THRESHOLD = 0.2  # minimum weight of a link when links are read off a heatmap by weight


class GoldAlignment(NamedTuple):
    """A pair and its links, each (source word, target word): positions among the `WordTokenizer` tokens.

    sure: frozenset. Links that nobody would dispute.
    possible: frozenset. Links that are acceptable: the sure ones and others.
    """

    pair: Pair
    sure: frozenset[Link]
    possible: frozenset[Link]


class AlignmentScores(NamedTuple):
    """How well links match the gold links, over all pairs together.

    pairs: int. Number of pairs.
    error_rate: float in [0, 1]. 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|) for links A, sure S and possible P.
    precision: float. |A ∩ P| / |A|.
    recall: float. |A ∩ S| / |S|.

    Source: Och & Ney 2003, "A Systematic Comparison of Various Statistical Alignment Models", section 4.
    """

    pairs: int
    error_rate: float
    precision: float
    recall: float


def tatoeba_ids(pair: Pair) -> tuple[int, int] | None:
    """Returns a pair's two sentence numbers at tatoeba.org, (English, translation), or None if not given."""
    numbers = re.findall(r"#(\d+)", pair.attribution)
    return (int(numbers[0]), int(numbers[1])) if len(numbers) == 2 else None


def read_alignments(path: Path | str, pairs: Iterable[Pair]) -> tuple[list[GoldAlignment], list[tuple[int, int]]]:
    """Reads gold alignments.

    A row is either two Tatoeba numbers and links `S:0-1 P:2-3 …`, whose sentences are looked up among `pairs`, or, as
    in the phrasebook, a pair of sentences and its links. A link without a letter is sure: `0-1 P:2-3 …`. A row that
    stands there again counts once. Lines that start with `#` are comments.

    Args:
        path: a UTF-8 file of tab-separated rows.
        pairs: iterable of `Pair`, with their attribution.

    Returns:
        gold: list of `GoldAlignment`.
        missing: list of (source id, target id) that no pair has.

    Raises:
        FileNotFoundError: no such file.
        ValueError: a row that is neither, or a link outside its sentence; the message names file and line.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"alignments: no such file: {path}")
    by_ids = {ids: pair for pair in as_pairs(pairs) if (ids := tatoeba_ids(pair))}
    gold: dict[tuple[str, ...], GoldAlignment] = {}
    missing: list[tuple[int, int]] = []
    for number, line in enumerate(read_bytes(path, _MAX_BYTES).split(b"\n"), start=1):
        try:
            columns = line.decode("utf-8").lstrip("\ufeff").rstrip("\r").split("\t")
            if columns == [""] or columns[0].startswith("#"):
                continue
            if len(columns) != 3:
                raise ValueError(f"{len(columns)} tab-separated columns")
            first, second, links = columns
            numbers = first.isascii() and first.isdigit() and not has_devanagari(second)
            ids = (int(first), int(second)) if numbers else None
            sure, possible = read_links(links)
            if ids and ids not in by_ids:
                missing.append(ids)
                continue
            pair = by_ids[ids] if ids else Pair(first, second, links)
            lengths = [len(words) for words in pair_words(pair)]
            if any(i >= lengths[0] or j >= lengths[1] for i, j in possible):
                raise ValueError(f"a link outside the sentences, which have {lengths[0]} and {lengths[1]} words")
            found = GoldAlignment(pair, sure, possible)
            if gold.setdefault(pair[:2], found)[1:] != found[1:]:
                raise ValueError("this pair has other links in a line before")
        except ValueError as error:
            reason = f"not a gold alignment ({in_brief(error)}); expected two ids or sentences, and links"
            raise ValueError(f"{path}, line {number}: {reason}") from None
    if not gold and not missing:
        raise ValueError(f"{path}: holds no alignments")
    return list(gold.values()), missing


def links_by_argmax(attention: np.ndarray) -> set[Link]:
    """Links every target word with the source word that has the most weight in its row of attention `(T, S)`."""
    return {(int(source), target) for target, source in enumerate(np.argmax(attention, axis=1))}


def links_by_threshold(attention: np.ndarray, threshold: float = LINK_THRESHOLD) -> set[Link]:
    """Links every target word with all source words of at least this weight in its row of attention `(T, S)`."""
    return {(int(source), int(target)) for target, source in np.argwhere(np.asarray(attention) >= threshold)}


def attention_entropy(attention: np.ndarray) -> float:
    """Returns the mean over target words of -Σ w ln w, in nats: 0 if each is on one word, ln S if uniform."""
    weights = np.asarray(attention, np.float64)
    return float(-np.sum(weights * np.log(np.where(weights > 0, weights, 1.0)), axis=1).mean())


def punctuation_weight(heatmaps: Iterable[Translation]) -> float:
    """Returns the mean weight in [0, 1] that words of the target give to punctuation marks of the source.

    A mark translates no word. Where this weight is large, attention rests there when it has nothing to look for.

    Args:
        heatmaps: `Translation`s of words, from `align_by_attention`.
    """
    on_marks: list[float] = []
    for heatmap in heatmaps:
        marks = [is_mark(word) for word in heatmap.source_tokens]
        words = [not is_mark(word) for word in heatmap.target_tokens]
        on_marks += heatmap.attention[words][:, marks].sum(axis=1).tolist()
    return float(np.mean(on_marks)) if on_marks else 0.0


def score_alignments(links: Iterable[set[Link]], gold: Iterable[GoldAlignment]) -> AlignmentScores:
    """Scores links, a set of (source word, target word) for each of `gold`, against gold alignments.

    Raises:
        ValueError: the lists differ in length or are empty.
    """
    links, gold = list(links), list(gold)
    if len(links) != len(gold) or not gold:
        raise ValueError(f"expected links for every gold alignment, got {len(links)} for {len(gold)}")
    made = sum(len(predicted) for predicted in links)
    sure = sum(len(g.sure) for g in gold)
    hit_sure = sum(len(predicted & g.sure) for predicted, g in zip(links, gold, strict=True))
    hit_possible = sum(len(predicted & g.possible) for predicted, g in zip(links, gold, strict=True))
    return AlignmentScores(
        len(gold),
        1.0 - (hit_sure + hit_possible) / (made + sure) if made + sure else 0.0,
        hit_possible / made if made else 1.0,
        hit_sure / sure if sure else 1.0,
    )


class Alignment(NamedTuple):
    """A pair aligned: its heatmap, as a `Translation` of words without the end marker, and its links."""

    heatmap: Translation
    links: set[Link]


def align_by_statistics(aligner: Aligner, pairs: Iterable[Sequence[str]], direction: str = "both") -> list[Alignment]:
    """Aligns pairs, (source, target) or `Pair`s; `direction` is "both", "forward" or "backward"."""
    pairs = as_pairs(pairs)
    alignments = []
    for pair, weights in zip(pairs, aligner.weights(pairs, direction), strict=True):
        heatmap = Translation(pair.source, pair.target, *pair_words(pair), weights, 0.0)
        alignments.append(Alignment(heatmap, links_by_weight(weights)))
    return alignments


def align_by_attention(translator: Translator, pairs: Iterable[Sequence[str]], shift: int = 0) -> list[Alignment]:
    """Aligns pairs by a model's attention while it writes the given translations; see `links_by_argmax`.

    Args:
        translator: `Translator`.
        pairs: list of (source, target) or `Pair`.
        shift: int. 1 takes for each token the weights of the step after it, in which the token has been read.

    Source: Chen et al. 2020, arXiv:2004.14837, section 3 (the shift).
    """
    return [align_words(translation, translator, shift) for translation in translator.attend(pairs)]


def align_words(translation: Translation, translator: Translator, shift: int = 0) -> Alignment:
    """Returns the word alignment of a translation whose tokens and attention are the translator's own.

    Args: as in `align_by_attention`.
    """
    last = len(translation.attention) - 1
    steps = np.clip(np.arange(last + 1) + shift, 0, last)
    shifted = translation._replace(attention=translation.attention[steps])
    words = in_words(translator, shifted)
    heatmap = words._replace(target_tokens=words.target_tokens[:-1], attention=words.attention[:-1])
    return Alignment(heatmap, links_by_argmax(heatmap.attention))


def evaluate_alignments(
    translator: Translator, gold: Iterable[GoldAlignment], threshold: float = LINK_THRESHOLD, shift: int = 0
) -> tuple[AlignmentScores, AlignmentScores, float]:
    """Compares a model's attention, while it writes the given translations, with gold word alignments.

    Attention is merged from pieces to words first; the row of the end marker is left out.

    Args:
        translator: `Translator`.
        gold: list of `GoldAlignment`.
        threshold: float. Minimum weight of a link in `above`.
        shift: int. As in `align_by_attention`.

    Returns:
        argmax: `AlignmentScores` of the links to each target word's most attended source word.
        above: `AlignmentScores` of all links with at least the threshold's weight.
        entropy: float. Mean over sentences of their rows' mean entropy, in nats.
    """
    gold = list(gold)
    return score_attention(align_by_attention(translator, [g.pair for g in gold], shift), gold, threshold)


def score_attention(
    alignments: Sequence[Alignment], gold: Sequence[GoldAlignment], threshold: float = LINK_THRESHOLD
) -> tuple[AlignmentScores, AlignmentScores, float]:
    """Scores the alignments of `align_by_attention`, one for each of `gold`; returns as `evaluate_alignments`."""
    attention = [alignment.heatmap.attention for alignment in alignments]
    return (
        score_alignments([alignment.links for alignment in alignments], gold),
        score_alignments([links_by_threshold(weights, threshold) for weights in attention], gold),
        float(np.mean([attention_entropy(weights) for weights in attention])),
    )
