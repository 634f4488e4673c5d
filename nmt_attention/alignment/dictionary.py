"""A dictionary to start with: the aligner's links of tokens, factorised, are a new model's lexical knowledge.

An aligner finds in seconds which tokens translate each other. Its links make a table of positive pointwise mutual
information (PPMI): how much more often two tokens are linked than their frequencies alone explain. The first singular
vectors of this table become the vectors of the source tokens and the output vectors of the lexical model, so that their
products approximate it. The decoder's vectors of the target tokens are the same as the latter, but small: tokens with
like translations begin alike. So training begins with a rough dictionary instead of random numbers.

Source: Levy & Goldberg 2014, "Neural Word Embedding as Implicit Matrix Factorization", sections 3.3 and 4.2 (PPMI, its
singular vectors, and the square roots of the singular values on both sides); Halko, Martinsson & Tropp 2011,
arXiv:0909.4061, algorithm 4.4 (singular vectors by subspace iteration).
"""

from collections.abc import Iterable

import numpy as np
import tensorflow as tf

from ..encoder import TokenEmbedding
from ..model import Seq2Seq
from ..vocabulary import PAD_ID
from .guidance import GuidedBatch

DISCOUNT = 0.5  # of an occurrence, because rare tokens are linked with many others by chance
DEVIATION = 0.12  # standard deviation of the vectors that encoder and decoder read, as of those drawn at random
LONGEST = 3.0  # times the median length: the length of such a vector at most
HIDDEN = 0.1  # factor of the lexical model's hidden layer, whose random weights would blur the dictionary
MORE_COLUMNS, ROUNDS = 32, 8  # of the subspace iteration: both make the last singular vectors more exact


def start_from_dictionary(model: Seq2Seq, batches: Iterable[GuidedBatch]) -> int:
    """Sets the tokens' vectors, the lexical model and the output bias of a new model from what its batches link.

    The output bias of a token becomes the logarithm of its count. A token without links keeps its random vector.

    Args:
        model: recurrent, with a lexical model.
        batches: those of an epoch.

    Returns how many different pairs of tokens are linked.

    Raises:
        ValueError: no token is linked with one more often than with others; above all, if there are no links.
    """
    shape = model.config.source_vocabulary_size, model.config.target_vocabulary_size
    places, counts, occurrences = count_links(batches, shape)
    counts = counts**2 / (counts + DISCOUNT)
    totals = [np.bincount(tokens, counts, size) for tokens, size in zip(places, shape, strict=True)]
    together = totals[0][places[0]] * totals[1][places[1]]  # (N,)
    information = np.maximum(np.log(counts * counts.sum() / together), 0)
    if not information.any():
        raise ValueError("dictionary_start: no links of the training pairs tell tokens apart; train without it")
    # Weighted here and divided again below, so that the vectors of frequent tokens are the most exact.
    sides = factorise(places, together**0.25 * information, shape, model.config.embedding_units)
    linked = [total > 0 for total in totals]
    source, target = (
        vectors[some] / total[some, np.newaxis] ** 0.25
        for vectors, some, total in zip(sides, linked, totals, strict=True)
    )
    read, shortened = _shortened(source), _shortened(target)
    scale = DEVIATION / read.std()
    lexical, bias = model.decoder.lexical, np.log(occurrences + 1)
    for layer, some, vectors in (
        (model.encoder.embedding, linked[0], read * scale / TokenEmbedding.factor),
        (model.decoder.embedding, linked[1], shortened * DEVIATION / shortened.std() / TokenEmbedding.factor),
        (lexical.words, linked[1], target / scale),
    ):
        table = np.asarray(layer.embeddings).copy()
        table[some] = vectors
        layer.embeddings.assign(table)
    lexical.hidden.kernel.assign(lexical.hidden.kernel * HIDDEN)
    model.decoder.output_bias.assign(bias - bias.mean())
    return len(counts)


def _shortened(vectors: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors * np.minimum(1, LONGEST * np.median(lengths[lengths > 1e-9]) / np.maximum(lengths, 1e-9))


def count_links(batches: Iterable[GuidedBatch], shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Counts the links of batches, and their target tokens; `shape` has the sizes of both vocabularies, (R, C).

    Returns:
        places: `(2, N)` int. Source and target ids of all linked pairs of tokens, each pair once.
        counts: `(N,)` float. How often; a target token that has several links counts as one, evenly shared.
        occurrences: `(C,)` int. How often each target token occurs, linked or not.
    """
    pairs, shares, occurrences = [np.zeros(0, int)], [np.zeros(0)], np.zeros(shape[1], int)
    for source_ids, _, target_out, links in (map(np.asarray, batch) for batch in batches):
        rows, steps, positions = np.nonzero(links)
        pairs.append(np.ravel_multi_index((source_ids[rows, positions], target_out[rows, steps]), shape))
        shares.append(links[rows, steps, positions])
        occurrences += np.bincount(target_out[target_out != PAD_ID], minlength=shape[1])
    different, numbers = np.unique(np.concatenate(pairs), return_inverse=True)
    counts = np.bincount(numbers, np.concatenate(shares), len(different))
    return np.array(np.unravel_index(different, shape)), counts, occurrences


def factorise(
    places: np.ndarray, values: np.ndarray, shape: tuple[int, int], rank: int
) -> tuple[np.ndarray, np.ndarray]:
    """Returns the first singular vectors of a sparse matrix, each times the square root of its singular value.

    Args:
        places: `(2, N)` int. Rows and columns of the entries that are not 0, each once.
        values: `(N,)`. The entries.
        shape: of the matrix, (R, C).
        rank: K, the number of vectors; above the smaller side of the matrix, columns of zeros follow.

    Returns:
        left, right: `(R, K)` and `(C, K)`; `left @ right.T` is close to the matrix.
    """
    with tf.device("cpu"):  # whose sums have one order, so that equal seeds give equal weights
        matrix = tf.sparse.reorder(tf.SparseTensor(places.T, values, shape))
        right = np.random.default_rng(1).normal(size=(shape[1], min(rank + MORE_COLUMNS, *shape)))
        for _ in range(ROUNDS):
            left, _ = np.linalg.qr(tf.sparse.sparse_dense_matmul(matrix, right).numpy())
            right, rest = np.linalg.qr(tf.sparse.sparse_dense_matmul(matrix, left, adjoint_a=True).numpy())
    turns = np.linalg.svd(rest.T)  # the matrix is close to left @ rest.T @ right.T
    roots, missing = np.sqrt(turns[1][:rank]), ((0, 0), (0, max(0, rank - len(turns[1]))))
    return np.pad(left @ turns[0][:, :rank] * roots, missing), np.pad(right @ turns[2][:rank].T * roots, missing)
