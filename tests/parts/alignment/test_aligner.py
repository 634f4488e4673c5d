"""The statistical aligner: hand-worked laws, a language it can decipher, and real sentences if there are any."""

import itertools

import numpy as np

from nmt_attention import DATA_DIRECTORY, read_alignments, read_pairs, score_alignments
from nmt_attention.alignment.aligner import MAX_JUMP, Aligner, _Direction, links_by_weight
from nmt_attention.disk.fetch import find_corpus

WORDS = ["sun", "moon", "star", "tree", "river", "stone", "bird", "fish"]
FOREIGN = dict(zip(WORDS, ["alu", "beri", "cato", "dumi", "efol", "gira", "hone", "iska"], strict=True))


def cipher(pairs=200, seed=0):
    """Returns pairs whose target is the source word for word in reverse order, and their links."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(pairs):
        source = list(rng.choice(WORDS, rng.integers(2, 6), replace=False))
        found.append((" ".join(source), " ".join(FOREIGN[word] for word in reversed(source))))
    return found


def reversed_links(pair):
    length = len(pair[0].split())
    return {(length - 1 - t, t) for t in range(length)}


def test_a_reversed_cipher_is_deciphered():
    pairs = cipher()
    aligner = Aligner(pairs)
    assert aligner.align(pairs) == [reversed_links(pair) for pair in pairs]
    unseen = cipher(20, seed=1)
    assert aligner.align(iter(unseen)) == [reversed_links(pair) for pair in unseen]


def test_one_iteration_of_model_1_by_hand():
    # the pairs (a, x) and (a b, x y), with all translations equally probable at first
    ids = np.array([[1]]), np.array([[1]])
    direction = _Direction([ids, (np.array([[1, 2]]), np.array([[1, 2]]))], 3)
    posteriors = [direction.model1(places) for places in direction.places]
    np.testing.assert_allclose(posteriors[0], [[[0.1, 0.9]]])
    np.testing.assert_allclose(posteriors[1], [[[0.1, 0.45, 0.45]] * 2])
    direction.learn(posteriors)
    counts = {(1, 1): 0.9 + 0.45, (1, 2): 0.45, (2, 1): 0.45, (2, 2): 0.45, (0, 1): 0.2, (0, 2): 0.1}
    discounted = {key: count**2 / (count + 0.5) for key, count in counts.items()}
    for source, target in counts:
        total = sum(value for (other, _), value in discounted.items() if other == source)
        place = np.searchsorted(direction.keys, source * 3 + target)
        np.testing.assert_allclose(direction.probabilities[place], discounted[source, target] / total)


def test_posteriors_of_the_hidden_markov_model_are_those_of_all_paths():
    rng = np.random.default_rng(3)
    source, target = np.array([[1, 2, 3]]), np.array([[1, 2]])
    direction = _Direction([(source, target)], 4)
    direction.probabilities = rng.random(len(direction.keys))
    direction.jumps = rng.random(2 * MAX_JUMP + 1)
    (places,) = direction.places
    weights = direction.probabilities[places[0]]  # (T, 1 + S)
    width = 3
    moves = np.array([[direction.jumps[j - i + MAX_JUMP] for j in range(width)] for i in range(width)])
    moves /= moves.sum(axis=1, keepdims=True)
    expected, total = np.zeros((2, width)), 0.0
    states = [(position, here) for position in range(width) for here in (True, False)]
    for first, second in itertools.product(states, states):
        if not second[1] and second[0] != first[0]:
            continue  # a word from nowhere leaves the position
        p = 1 / width * (0.9 * weights[0, 1 + first[0]] if first[1] else 0.1 * weights[0, 0])
        p *= 0.9 * moves[first[0], second[0]] * weights[1, 1 + second[0]] if second[1] else 0.1 * weights[1, 0]
        total += p
        for t, (position, here) in enumerate((first, second)):
            expected[t, position] += p * here
    counted = np.zeros(2 * MAX_JUMP + 1)
    np.testing.assert_allclose(direction.posteriors(places, counted)[0], expected / total)
    assert 0 < counted.sum() <= 1 and np.count_nonzero(counted) == 5  # jumps of -2 to 2


def test_posteriors_are_probabilities_and_a_pair_s_own_in_any_order():
    pairs = cipher(50)
    aligner, other = Aligner(pairs), Aligner(pairs[::-1])
    together = aligner.posteriors(pairs)
    np.testing.assert_allclose(other.posteriors(pairs[:1])[0], together[0], atol=1e-9)
    for pair, (forward, backward) in zip(pairs, together, strict=True):
        assert forward.shape == backward.shape == (len(pair[1].split()), len(pair[0].split()))
        assert forward.min() >= 0 and backward.min() >= 0
        assert forward.sum(axis=1).max() <= 1 + 1e-9 and backward.sum(axis=0).max() <= 1 + 1e-9
        ((alone, _),) = aligner.posteriors([pair])
        np.testing.assert_allclose(alone, forward)


def test_words_never_seen_and_empty_sides_are_aligned_too():
    aligner = Aligner(cipher())
    unknown, empty = aligner.align([("sun zebra moon", "beri quagga alu"), ("", "alu")])
    assert {(0, 2), (2, 0)} <= unknown and empty == set()
    assert Aligner([]).align([("sun moon", "alu beri")]) == [{(0, 0), (1, 1)}], "nothing known: the diagonal"
    aligner = Aligner([("house", "घरात"), ("houses", "घराला"), ("tree", "झाडात"), ("trees", "झाडाला")])
    assert aligner.align([("houses tree", "झाडातून घराचं")]) == [{(0, 1), (1, 0)}], "endings are set aside"


def test_of_equally_good_words_the_one_nearest_to_the_diagonal_is_linked():
    assert links_by_weight(np.full((4, 4), 0.25)) == {(i, i) for i in range(4)}
    assert links_by_weight(np.array([[0.4, 0.3, 0.3], [0.09, 0.0, 0.0]])) == {(0, 0), (1, 0), (2, 0)}
    assert links_by_weight(np.zeros((2, 0))) == links_by_weight(np.zeros((0, 2))) == set()


def test_long_pairs_teach_nothing(caplog):
    caplog.set_level("INFO", "nmt_attention")
    long = (" ".join(["sun"] * 101), " ".join(["gira"] * 101))
    pairs = cipher(60)
    aligner = Aligner(pairs)
    assert Aligner(iter([*pairs, long])).align(pairs) == aligner.align(pairs)
    assert any(message.startswith("1 of 61 pairs") for message in caplog.messages)
    assert aligner.weights([long])[0].shape == (101, 101)


def test_on_the_phrasebook_links_are_right():
    pairs = read_pairs(find_corpus("phrasebook"))[::4]
    gold, _ = read_alignments(DATA_DIRECTORY / "phrasebook.tsv", [])
    assert score_alignments(Aligner(pairs).align([g.pair for g in gold[:300]]), gold[:300]).error_rate < 0.16
