"""The random inputs of each lesson's exercises, and the points that their hidden checks bring.

A function here returns an answer's arguments, drawn from the `Generator` that it is given.
"""

import functools
import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import keras
import numpy as np
import tensorflow as tf
from numpy.random import Generator

from nmt_attention import Memory, Pair, Split

Names = dict[str, Any]  # what a notebook defines


class Check(NamedTuple):
    """How an exercise is checked, and how many points that brings; the check that learners see brings one more."""

    points: int
    answer: str  # what the learner defines
    inputs: Callable[[Generator], tuple]
    apply: Callable[..., Any] | None = None  # maps names and inputs to a result, where that takes more than a call
    uses: tuple[str, ...] | None = None  # the names of the package that an answer may use; None if all


def with_random_weights(layer: Any, apply: Callable[[Any], Any], *parts: str) -> Any:
    """Returns what `apply` makes of a Keras layer with random weights, the same for all layers of one kind.

    Layers whose parts a learner makes in any order are the same if the parts are named.
    """
    apply(layer)  # creates the weights
    for seed, part in enumerate([getattr(layer, name) for name in parts] or [layer]):
        random = np.random.default_rng(seed)
        part.set_weights([random.normal(size=weight.shape) for weight in part.get_weights()])
    return apply(layer)


def in_graph(call: Callable[..., Any], *inputs: Any) -> Any:
    """Returns what a call returns in a graph, as in training; NumPy, which keeps no gradient, fails there."""
    return tf.function(call, autograph=False)(*inputs)


def pick(random: Generator, choices: Any, most: int) -> list:
    """Returns one to `most` of the choices, as Python's own values."""
    return [choices[i] for i in random.integers(len(choices), size=random.integers(1, most + 1))]


def padded(random: Generator) -> np.ndarray:
    """Returns ids (B, S), each row with one real token or more, 3 for an unknown word, then padding, 0."""
    B, S = random.integers(1, 5), random.integers(2, 8)
    lengths = random.integers(1, S + 1, size=B)
    return np.where(np.arange(S) < lengths[:, np.newaxis], random.integers(3, 50, size=(B, S)), 0).astype("int32")


def tensors(random: Generator, *shapes: tuple[int, ...]) -> tuple:
    """Returns random float32 tensors."""
    return tuple(tf.constant(random.normal(size=shape), tf.float32) for shape in shapes)


# Lesson 1
def clean(random: Generator) -> tuple:
    words = ["मुलगी", "€", "l'été!", "😀", "थांब.", "+", "it's", "★", "दर्या", "a©b", "₹५", "x^2", "50%"]
    return (" ".join(pick(random, words, 7)),)


def pad_with_bools(names: Names, rows: list[list[int]]) -> tuple:
    """Returns ids and mask, whether they are whole numbers and bools, and how many ids the caller's lists have left."""
    ids, mask = map(np.asarray, names["pad"](rows))
    return ids, mask, int(ids.dtype.kind in "iu" and mask.dtype == bool), sum(map(len, rows))


def groups(random: Generator) -> tuple:
    pairs, letters = random.integers(1, 9), random.integers(2, 7)
    return ([tuple("abcdef"[i] for i in random.integers(letters, size=2)) for _ in range(pairs)],)


# Lesson 1b
def word_and_pieces(random: Generator) -> tuple:
    word = "".join(pick(random, "abc", 9))
    cuts = np.sort(random.integers(len(word) + 1, size=(6, 2)), axis=1)
    return word, {word[start:end] for start, end in cuts if start < end}


# Lesson 2
def padded_ids(random: Generator) -> tuple:
    return (tf.constant(padded(random)),)


def think(names: Names, source_ids: Any) -> tuple:
    """Returns what all right encoders have in common: shapes, care for order and padding, weights that can learn."""
    encoder = names["Encoder"](50, 6, 8)
    with tf.GradientTape() as tape:
        thought = encoder(source_ids)
    wider = encoder(tf.pad(source_ids, [[0, 0], [0, 2]]))
    others = encoder(source_ids[:, ::-1]), encoder(tf.pad(source_ids, [[0, 0], [1, 0]], constant_values=3))
    learns = all(gradient is not None for gradient in tape.gradient(thought, encoder.trainable_variables))
    kept, reads = np.allclose(thought, wider, atol=1e-5), [not np.allclose(thought, o, atol=1e-5) for o in others]
    table = (50, 6) in [tuple(weight.shape) for weight in encoder.trainable_variables]
    first, last, neither = encoder(tf.constant([[5, *[3] * 7], [*[3] * 7, 5], [3] * 8]))
    kept &= np.linalg.norm(last - neither) > np.linalg.norm(first - neither)  # what is read last counts most
    kept &= ends_as_gru(encoder, source_ids)
    return np.array(thought.shape), int(kept), np.array(reads), int(learns), int(table)


def ends_as_gru(encoder: Any, source_ids: Any) -> bool:
    """Whether an encoder, but for its table (50, 6), is made of GRUs, and returns their last states as they are."""
    weights = list(map(np.array, encoder.get_weights()))
    sizes = {len(weight) for weight in weights if weight.shape[-1] == 3 * len(weight)}
    biases = [(weight, n) for weight in weights for n in sizes if weight.shape in ((2, 3 * n), (3 * n,))]
    for weight in weights:
        weight *= weight.shape == (50, 6)
    for bias, n in biases:  # each token moves every number half of the way to -1
        bias.flat[2 * n : 3 * n] = -9
    encoder.set_weights(weights)
    ended = 0.5 ** np.count_nonzero(source_ids, axis=1, keepdims=True) - 1
    return bool(sizes) and (not biases or np.allclose(encoder(source_ids), ended, atol=1e-5))


def targets_state_thought(random: Generator) -> tuple:
    B, T = random.integers(1, 5, size=2)
    return tf.constant(random.integers(1, 12, size=(B, T)), tf.int32), *tensors(random, (B, 8), (B, 8))


def continue_in_steps(names: Names, target_in: Any, state: Any, thought: Any) -> tuple:
    """Returns what all right decoders have in common; token and thought vector may stand in any order."""
    decoder = names["Decoder"](12, 6, 8)
    logits, last = decoder(target_in, state, thought)
    unknown = tf.TensorSpec((None, None), tf.int32), *[tf.TensorSpec((None, 8))] * 2  # as in training
    alone, _ = tf.function(lambda *given: decoder(*given), unknown)(target_in[:1], state[:1], thought[:1])
    kept = [np.allclose(alone, logits[:1], atol=1e-5), not np.allclose(np.sum(logits, axis=-1), 1)]
    stepped, changed = state, [decoder(target_in, *swapped) for swapped in ((thought, thought), (state, state))]
    for t in range(target_in.shape[1]):
        one, stepped = decoder(target_in[:, t : t + 1], stepped, thought)
        kept.append(np.allclose(one[:, 0], logits[:, t], atol=1e-5))
    differ = [not np.allclose(other[:, -1], logits[:, -1], atol=1e-6) for other, _ in changed]
    reads, final = decoder.gru.cell.kernel.shape[0], np.allclose(stepped, last, atol=1e-5)
    kept.append(np.allclose(decoder.to_logits(last), logits[:, -1], atol=1e-5))
    return np.array(logits.shape), np.array([*kept, *differ, reads, final])


def sentence_and_ids(random: Generator) -> tuple:
    ids = random.integers(4, 40, size=random.integers(1, 8)).tolist()
    return "Rahul drinks tea.", ids, int(random.integers(1, 9))


def write_ids(names: Names, sentence: str, ids: list[int], limit: int) -> str:
    """Returns what `write` makes of a decoder that knows these ids, and the next one by the state."""
    script = [*ids, 2, *[5] * 20]

    def decoder(tokens: Any, state: Any, thought: Any) -> tuple:
        place = int(state[0][0]) - 9  # of START in the thought vector's state, and below 0 in one of zeros
        right = place >= 0 and int(tokens[0][0]) == [1, *script][place] and float(thought[0][1]) == 7
        return tf.one_hot([[script[place] if right else 3]], 50), state + 1

    def encoder(source_ids: Any) -> Any:
        return tf.constant([[9.0, 7.0 if np.size(source_ids) > 3 else 0.0]])  # of the whole sentence

    return names["write"](sentence, encoder, decoder, limit)


def lstm(random: Generator) -> tuple:
    B, E, H = random.integers(1, 6, size=3)
    made = [random.normal(size=shape).astype("float32") for shape in ((E, 4 * H), (H, 4 * H), 4 * H)]

    def layer() -> None:
        """the weights of an LSTM"""

    layer.get_weights = lambda: made  # type: ignore[attr-defined]  # and no step that an answer could call
    return *(random.normal(size=(B, width)).astype("float32") for width in (E, H, H)), layer


def made_up_step(random: Generator, ahead: int = 1) -> Any:
    """Returns a step function whose state is a number, which each step moves ahead."""
    V, columns = 7, 6
    log_probs = np.log(random.dirichlet(np.ones(V), size=(V, columns))).astype("float32")

    def step(token_ids: Any, number: int) -> tuple:
        return tf.gather(log_probs[:, number % columns], token_ids), number + ahead, None

    step.__doc__ = f"a step function of {V} tokens"
    return step


def ids_and_step(random: Generator) -> tuple:
    ids = random.integers(2, 7, size=random.integers(1, 6)).tolist()
    return ids, made_up_step(random), 0


def inputs_and_guesses(random: Generator) -> tuple:
    B, T = random.integers(1, 5, size=2)
    target_in, guesses = random.integers(2, 50, size=(2, B, T))
    target_in[:, 0] = 1  # START
    ids = (tf.constant(part, tf.int32) for part in (target_in, guesses))
    return *ids, tf.constant(random.random((B, T)) < 0.5)


# Lesson 2c
def pack_and_unpack(names: Names, letters: np.ndarray, others: np.ndarray) -> tuple:
    """Returns what all right answers have in common; the two numbers may hold letters and digits in any order."""
    pack = names["pack"]
    two, _ = np.array(pack(letters), float), pack(others)
    fits = two.shape == (2,) and np.array_equal(two, np.rint(two)) and two.min() >= 0 and two.max() < 8**6
    read = [np.asarray(names["unpack"](two + fraction)) for fraction in (0, 0.3, -0.3)]
    step = np.where(letters == 8, -1, 1) * np.eye(12, dtype=int)  # another letter in one place, another digit
    moved = np.abs([np.array(pack(letters + one), float) - two for one in step])
    return int(fits), *read, np.sort(moved, axis=None)


# Lessons 3 and 3b
def state_and_values(random: Generator) -> tuple:
    return random.normal(size=6), random.normal(size=(random.integers(1, 8), 6))


def step_and_translate(names: Names, state: np.ndarray, values: np.ndarray) -> tuple:
    """Returns what a step returns, then the words of a sentence with these values, and its weights."""
    words, weights = names["translate"](values)
    return *names["step"](state, values), " ".join(words), weights


def scores_and_mask(random: Generator) -> tuple:
    S = random.integers(1, 9)
    mask = random.permutation(np.arange(S) < random.integers(1, S + 1))
    words = random.integers(-3, 4, size=S) - random.choice([0, 200_000])  # whole, so that float32 is exact, too
    return np.where(mask, words, 100 * random.normal(size=S)), mask


def who_is_what(random: Generator) -> tuple:
    return str(random.choice(["rahul", "neha"])), str(random.choice(["boy", "girl"])), random.permutation(5).tolist()


def say(names: Names, name: str, child: str, order: list[int]) -> tuple:
    """Returns a translation, the same for any order of words, and whether Neha and girl are both marked not male."""
    source, values = names["source"], names["girl_values"]
    rows = [values[0] if name == "neha" else source["rahul"], source["is"], source["a"], source["good"]]
    rows.append(values[4] if child == "girl" else source["boy"])
    written = " ".join(names["translate"](np.array(rows, float)[order])[0])
    return written, int((values[[0, 4]] @ names["male"] < 0).all())


def shares_values_vector(random: Generator, shares: bool = True) -> tuple:
    S, H = random.integers(1, 8, size=2)
    first = random.dirichlet(np.ones(S)) if shares else random.normal(size=S)
    return first, random.normal(size=(S, H)), random.normal(size=H)


def scores_and_values(random: Generator) -> tuple:
    """Returns scores that may be close to each other and far below or above 0, and values."""
    S, H = random.integers(1, 8, size=2)
    scores = random.choice([1e-3, 1, 100]) * random.normal(size=S) + random.choice([-50, 0, 50])
    return scores, random.normal(size=(S, H))


# Lessons 4 and 5
def query_values_mask(random: Generator) -> tuple:
    mask = tf.constant(padded(random) != 0)
    return *tensors(random, (mask.shape[0], 8), (*mask.shape, 8)), mask


def read_both_ways(names: Names, ids: Any, *parts: str) -> tuple:
    """Returns the values of real tokens, and the thought vectors."""
    values, thought = with_random_weights(names["Encoder"](50, 6, 8), lambda x: in_graph(x, ids, ids != 0), *parts)
    return np.asarray(values)[np.asarray(ids) != 0], thought


def attend(names: Names, query: Any, values: Any, mask: Any) -> tuple:
    """Returns keys and scores of real tokens, context and weights, and whether these stand large scores."""
    real = np.asarray(mask)

    def apply(layer: Any) -> tuple:
        memory = in_graph(layer.memory, values, mask)
        scores = layer.score(query, Memory(values, values, mask))  # its keys are not what the layer makes of values
        looked = in_graph(lambda *given: layer(query, layer.memory(*given)), values, mask)
        results = np.asarray(memory.keys)[real], np.asarray(scores)[real], *looked
        layer.set_weights([1000 * weight for weight in layer.get_weights()])
        weights = np.asarray(layer(query, layer.memory(values, mask))[1])
        return *results, int(np.allclose(weights.sum(axis=1), 1) and not weights[~real].any())

    return with_random_weights(names["BahdanauAttention"](8), apply)


def targets_state_values_mask(random: Generator) -> tuple:
    state, values, mask = query_values_mask(random)
    shape = (state.shape[0], random.integers(1, 5))
    return tf.constant(random.integers(1, 12, size=shape), tf.int32), state, values, mask


class Attention:
    """Looks at what is like the query. With it, a mistake in an answer's own attention costs its points once."""

    def memory(self, values: Any, mask: Any) -> Any:
        return Memory(values, values, mask)

    def __call__(self, query: Any, memory: Any) -> tuple:
        scores = tf.linalg.matvec(memory.values, query)
        weights = tf.nn.softmax(tf.where(memory.mask, scores, -1e9))
        return tf.linalg.matvec(memory.values, weights, transpose_a=True), weights


def decode_by_steps(names: Names, target_in: Any, state: Any, values: Any, mask: Any) -> tuple:
    """Returns what bridge, one step and all steps return."""
    decoder = names["Decoder"](12, 6, 8)
    decoder.attention = Attention()
    memory = decoder.attention.memory(values, mask)

    def apply(decoder: Any) -> tuple:
        stepped = decoder.step(target_in[:, 0], state, memory)
        return decoder.bridge(state), *stepped, *decoder(target_in, state, memory)

    parts = "bridge", "embedding", "cell", "readout", "to_logits"
    return with_random_weights(decoder, lambda layer: in_graph(lambda: apply(layer)), *parts)


class Decoder:
    """Adds up what it reads and what it looks at."""

    def __init__(self) -> None:
        self.attention = Attention()

    def bridge(self, thought: Any) -> Any:
        return -thought

    def step(self, token_ids: Any, state: Any, memory: Any) -> tuple:
        context, weights = self.attention(state, memory)
        state = state / 2 + context + tf.one_hot(token_ids % 8, 8)
        return tf.roll(state, 1, axis=-1), state, weights

    def __call__(self, target_in: Any, state: Any, memory: Any) -> tuple:
        steps = []
        for t in range(target_in.shape[1]):
            logits, state, weights = self.step(target_in[:, t], state, memory)
            steps.append((logits, weights))
        return tuple(tf.stack(tensors, axis=1) for tensors in zip(*steps, strict=True))


class Model:
    """The parts of `Seq2Seq`, without weights."""

    def __init__(self) -> None:
        self.decoder = Decoder()

    def encoder(self, source_ids: Any, source_mask: Any) -> tuple:
        values = tf.math.sin(tf.cast(source_ids, tf.float32)[..., tf.newaxis] * tf.range(1.0, 9.0))
        return values, tf.reduce_sum(tf.where(source_mask[..., tf.newaxis], values, 0.0), axis=1)


def source_and_target(random: Generator) -> tuple:
    ids = padded(random)
    return tf.constant(ids), tf.constant(random.integers(1, 8, size=(len(ids), random.integers(1, 5))), tf.int32)


def whole_model(names: Names, source_ids: Any, target_in: Any) -> tuple:
    """Returns the first state, logits and weights."""
    model, parts = names["Seq2Seq"](50, 12, 6, 8), Model()
    model.encoder, model.decoder = parts.encoder, parts.decoder
    return in_graph(lambda *ids: (model.encode(ids[0])[0], *model(*ids)), source_ids, target_in)


def rows_with_zeros(random: Generator) -> tuple:
    T, S = random.integers(1, 7, size=2)
    made = random.dirichlet(np.ones(S), size=T) + 0.1  # so large that 1e-6 more changes no logarithm but that of 0
    made[random.random(made.shape) < 0.3] = 0
    made[:, random.integers(made.shape[1])] += 0.1  # so that no row is empty
    return (made / made.sum(axis=1, keepdims=True),)


def query_rows_matrix(random: Generator) -> tuple:
    S, H = random.integers(1, 8, size=2)
    return random.normal(size=H), random.normal(size=(S, H)), random.normal(size=(H, H))


def attend_as_package(name: str) -> Callable[..., tuple]:
    def apply(names: Names, query: Any, values: Any, mask: Any) -> tuple:
        layer = names[name](8)
        return layer(query, layer.memory(values, mask, None))

    return apply


def window(random: Generator) -> tuple:
    length = int(random.integers(1, 12))
    return int(random.integers(length)), length, int(random.integers(5))


def made_up_decoder(random: Generator) -> tuple:
    """Returns a decoder of 12 tokens, ids for it, a state and a memory."""
    (B, T), S = random.integers(1, 5, size=2), random.integers(2, 6)
    table, reads = random.normal(size=(12, S)), random.random() < 0.5

    def decoder(tokens: Any, state: Any, memory: Any) -> tuple:
        vectors = table[np.asarray(tokens)]  # (B, T, S)
        scores = vectors.cumsum(axis=1) - (0 if reads else vectors)
        return tf.constant(vectors), tf.nn.softmax(tf.constant(scores))

    decoder.__doc__ = "a decoder that looks " + ("after it has read" if reads else "before it reads") + " the last word"
    return decoder, tf.constant(random.integers(1, 12, size=(B, T)), tf.int32), *tensors(random, (B, 4), (B, S, 4))


# Lesson 6
WORDS = ["the", "cat", "sat", "on", "a", "mat", "again"]


def spelled(names: Names, text: str) -> tuple:
    """Returns what any right answer has in common: of two equal words, or two spaces, either may be the origin."""
    positions = [int(i) for i in names["order_origins"](text)]
    written = "".join(text[i] for i in positions)
    together = all(b == a + 1 for a, b in itertools.pairwise(positions) if " " not in (text[a], text[b]))
    return written, np.array(sorted(positions)), together


def two_texts(random: Generator) -> tuple:
    wanted = pick(random, WORDS, 6)
    said = [word if random.random() < 0.6 else WORDS[random.integers(7)] for word in [*wanted, "mat"]]
    return " ".join(said[: random.integers(1, len(said) + 1)]), " ".join(wanted)


# Lesson 7
def hypotheses(random: Generator) -> tuple:
    return ([(float(random.random()), ["<start>", *pick(random, WORDS, 6), "<end>"]) for _ in range(4)],)


def probabilities_and_share(random: Generator) -> tuple:
    if random.random() < 0.3:
        return random.permutation([0.5, 0.25, 0.125, 0.125]), 0.5  # one has exactly the share
    return random.dirichlet(np.full(8, 0.5)), float(random.uniform(0.05, 0.9))


def with_references(random: Generator) -> tuple:
    count = random.integers(1, 4)
    texts = [" ".join(pick(random, WORDS, 4)) for _ in range(count)]
    return texts, [[text, " ".join(pick(random, WORDS, 4))][random.integers(2) :] for text in texts]


def texts_and_chances(random: Generator) -> tuple:
    return random.permutation(WORDS)[:4].tolist(), random.dirichlet(np.ones(4)).tolist()


# Lesson 8
def made_up_model(random: Generator) -> tuple:
    vectors, careful = random.normal(size=(50, 6)), random.random() < 0.5

    def model(source_ids: Any, target_in: Any, training: bool = False) -> tuple:
        source, target = np.asarray(source_ids), np.asarray(target_in)
        read = (vectors[source % 50] * (source != 0)[:, :, np.newaxis]).sum(axis=1)  # (B, V)
        logits = vectors[target % 50] + (read if careful else read / source.shape[1])[:, np.newaxis]
        return (logits * (1 + 1e-7 * (source.shape[1] % 3))).astype("float32"), None  # widths are rounded differently

    model.__doc__ = "a model that " + ("ignores padding" if careful else "counts padding")
    return (model,)


def made_up_loss(random: Generator) -> tuple:
    kind = random.integers(3)

    def loss(logits: Any, target_out: Any) -> float:
        logits, target = np.asarray(logits, float), np.asarray(target_out)
        chosen = np.take_along_axis(logits, target[:, :, np.newaxis], axis=-1)[:, :, 0]
        nats = np.log(np.exp(logits).sum(axis=-1)) - chosen  # (B, T)
        real = nats[target != 0]
        return float((real.mean(), real.sum() / nats.size, nats.mean())[kind])

    loss.__doc__ = "a loss that " + ("ignores padding" if kind == 0 else "counts padding")
    return (loss,)


def split(random: Generator) -> tuple:
    ids = [random.permutation(12)[:9], random.permutation(12)[:9]]
    for side in ids:
        if random.random() < 0.4:
            side[random.integers(9)] = side[random.integers(9)]  # a sentence that may be on two sides
    marks = random.choice(["", "!", "."], size=(9, 2))
    pairs = [Pair(f"Word{e}{m}", f"शब्द{t}{n}") for e, t, (m, n) in zip(*ids, marks, strict=True)]
    return (Split(pairs[:4], pairs[4:6], pairs[6:]),)


def heatmap_program(random: Generator) -> tuple:
    kind = random.integers(6)

    def program(model: Any, source_ids: Any, target_in: Any, target_out: Any) -> list:
        looked = np.asarray(model(source_ids, target_in)[1])[0]  # (T, S)
        read, written = np.asarray(target_in)[0], np.asarray(target_out)[0]
        labels = (written, written[:-1], read, read[1:], written[1:], [written[0], *read[1:]])[kind]
        return list(zip(labels, looked[1:] if kind == 3 else looked, strict=False))

    kinds = ("fit", "fit, without END", *["are one word late"] * 2, "are early", "are late from the second row on")
    program.__doc__ = f"a heatmap whose labels {kinds[kind]}"
    return (program,)


# Lesson 9
def weights_and_links(random: Generator) -> tuple:
    (made,) = rows_with_zeros(random)
    links = (random.random(made.shape) < 0.4).astype(float)
    return made, links / np.maximum(links.sum(axis=1, keepdims=True), 1)


def ids_two_steps_and_row(random: Generator) -> tuple:
    ids, step, state = ids_and_step(random)
    return ids, step, made_up_step(random, ahead=2), state, int(random.integers(len(ids)))


def rates_and_right(random: Generator) -> tuple:
    size = int(random.integers(2, 9))
    right = random.permutation(np.arange(size) < random.integers(1, size))  # one or more of each kind
    return random.random(size).tolist(), right.tolist()


# Lesson 10
def vectors_and_matrices(random: Generator) -> tuple:
    heads, width = random.integers(1, 4, size=2)
    H = heads * width
    return random.normal(size=(random.integers(1, 6), H)), *random.normal(size=(4, H, H)), int(heads)


# Lesson 10a
def decoder_parts(random: Generator) -> tuple:
    S, T, H = random.integers(1, 7, size=3)
    gains, (W_b, W_a, W_f) = random.normal(size=(3, H)), random.normal(size=(3, H, H))
    norms = [functools.partial(np.multiply, gain) for gain in gains]
    look_back, network = lambda x: np.cumsum(x, axis=0) @ W_b, lambda x: np.maximum(x @ W_f, 0)
    x, source = random.normal(size=(T, H)), random.normal(size=(S, H))
    return x, source, norms, look_back, lambda x, source: np.tanh(x @ W_a @ source.T) @ source, network


# Lesson 10c
def lookups(random: Generator) -> tuple:
    """Returns queries, keys and values with up to two axes before the last two, and what each query may look at."""
    axes, (T, S, d) = random.integers(1, 4, size=random.integers(3)), random.integers(1, 6, size=3)
    queries, keys, values = tensors(random, (*axes, T, d), (*axes, S, d), (*axes, S, d))
    allowed = (random.random((T, S)) < 0.5) | (np.arange(S) == random.integers(S))
    return random.choice([1.0, 100.0]).astype("float32") * queries, keys, values, tf.constant(allowed)


def vectors_and_heads(random: Generator) -> tuple:
    B, T, heads, d = random.integers(1, 6, size=4).tolist()
    return *tensors(random, (B, T, heads * d)), heads


def stacked(names: Names, ids: Any, causal: bool) -> tuple:
    """Returns the logits and the weights of real tokens, through blocks and positions of ours."""
    model, real = names["Transformer"](50, units=8, heads=2, layers=0, causal=causal), np.asarray(ids != 0)

    def block(sign: float, x: Any, allowed: Any) -> tuple:
        scores = tf.matmul(x, x, transpose_b=True)[:, tf.newaxis] * [[[0.1 * sign]], [[-0.2 * sign]]]
        weights = tf.nn.softmax(tf.where(allowed, scores, -1e9))
        return x + tf.matmul(weights[:, 0], x), weights

    model.blocks = [functools.partial(block, sign) for sign in (1.0, -1.0, 2.0)]
    model.positions = lambda T, H: tf.sin(tf.reshape(tf.cast(tf.range(T * H), tf.float32), (T, H)))
    logits, looked = with_random_weights(model, lambda model: model(ids))
    return np.asarray(logits)[real], np.swapaxes(np.stack(looked), 2, 3)[:, real]


def batch(random: Generator) -> tuple:
    ids = padded(random)
    target_out = np.resize(padded(random), (len(ids), 5)) % 12
    target_out[:, 0] = 4  # a real token in each row
    return ids, np.pad(target_out[:, :-1], [(0, 0), (1, 0)], constant_values=1), target_out


def train(names: Names, *ids_and_targets: Any) -> tuple:
    """Returns the loss and the model's tables after a step."""

    class Bigrams(keras.Model):
        """Knows how often a token follows another, and no more of the source, if there is one, than its first token."""

        def __init__(self) -> None:
            super().__init__()
            self.tables = [self.add_weight(shape=(50, 12), initializer="zeros") for _ in range(4)]
            self.set_weights(np.random.default_rng(0).normal(size=(4, 50, 12)) / 2)

        def call(self, ids: Any, target_in: Any = None) -> tuple:
            read = ids if target_in is None else target_in
            return tf.add_n([tf.gather(table, read) + tf.gather(table, ids[:, :1]) for table in self.tables]), None

    model = Bigrams()
    loss = tf.function(names["train_step"])(model, keras.optimizers.SGD(1.0), *map(tf.constant, ids_and_targets))
    return loss, np.array(model.get_weights())


# By the name of an exercise, which its solution's cell carries as nbgrader's grade_id.
CHECKS = {
    "clean": Check(1, "clean", clean),
    "pad": Check(1, "pad", lambda random: ([[int(i) for i in row if i] for row in padded(random)],), pad_with_bools),
    "groups": Check(3, "count_groups", groups),
    "longest": Check(1, "cut", word_and_pieces),
    "thought": Check(2, "Encoder", padded_ids, think, uses=()),
    "writer": Check(2, "Decoder", targets_state_thought, continue_in_steps, uses=()),
    "translate": Check(2, "write", sentence_and_ids, write_ids, uses=("WordTokenizer",)),
    "backwards": Check(1, "backwards", padded_ids),
    "lstm": Check(3, "lstm_step", lstm),
    "sentence": Check(2, "log_prob_of", ids_and_step),
    "own-words": Check(1, "mixed_input", inputs_and_guesses),
    "pack": Check(1, "pack", lambda random: tuple(random.integers(1, 9, size=(2, 12))), pack_and_unpack, uses=()),
    "five-steps": Check(1, "step", state_and_values, step_and_translate, ()),
    "mask": Check(2, "masked_weights", scores_and_mask, lambda names, *x: (names["masked_weights"](*x), x[0]), ()),
    "neha": Check(1, "girl_values", who_is_what, say),
    "score-gradient": Check(1, "score_gradient", shares_values_vector, uses=()),
    "matrix-gradient": Check(1, "matrix_gradient", functools.partial(shares_values_vector, shares=False), uses=()),
    "hard-look": Check(1, "hard_context", scores_and_values, uses=()),
    "reader": Check(1, "Encoder", padded_ids, read_both_ways, ()),
    "additive": Check(3, "BahdanauAttention", query_values_mask, attend, ("Memory",)),
    "step": Check(3, "Decoder", targets_state_values_mask, decode_by_steps, ("Memory",)),
    "model": Check(1, "Seq2Seq", source_and_target, whole_model, ("Memory",)),
    "blind": Check(1, "BlindAttention", query_values_mask, attend_as_package("BlindAttention"), ("Attention",)),
    "looked-at": Check(1, "words_looked_at", rows_with_zeros),
    "scaled-general": Check(1, "scaled_general_scores", query_rows_matrix, uses=()),
    "distance": Check(2, "DistanceAttention", query_values_mask, attend_as_package("DistanceAttention")),
    "window": Check(1, "window_mask", window),
    "last-word": Check(2, "has_read_last_word", made_up_decoder),
    "order": Check(2, "order_origins", lambda random: (" ".join(pick(random, WORDS, 6)),), spelled),
    "words": Check(1, "right_words", two_texts),
    "per-token": Check(1, "best_per_token", hypotheses),
    "min-p": Check(1, "keep_min_p", probabilities_and_share),
    "mean-chrf": Check(2, "mean_chrf", with_references),
    "utility": Check(
        1, "all_or_nothing", texts_and_chances, lambda names, *given: names["safest"](*given, names["all_or_nothing"])
    ),
    "source-padding": Check(2, "ignores_source_padding", made_up_model),
    "target-padding": Check(2, "ignores_target_padding", made_up_loss),
    "clean-split": Check(2, "is_clean", split),
    "late-labels": Check(2, "labels_fit", heatmap_program),
    "second-loss": Check(1, "guidance", weights_and_links, uses=()),
    "one-row": Check(2, "row_costs", ids_two_steps_and_row),
    "counterexamples": Check(1, "counterexamples", rates_and_right),
    "causal-mask": Check(1, "causal_mask", lambda random: tuple(np.sort(random.integers(1, 9, size=2)).tolist())),
    "heads": Check(2, "multi_head", vectors_and_matrices, uses=("masked_softmax",)),
    "position": Check(1, "position_vector", lambda r: tuple((r.integers([0, 1], [99, 9]) * [1, 2]).tolist()), None, ()),
    "decoder-layer": Check(2, "decoder_layer", decoder_parts, uses=()),
    "work": Check(1, "multiplications", lambda random: tuple(random.integers(1, 100, size=2).tolist())),
    "attend": Check(1, "attend", lookups, uses=()),
    "split-heads": Check(1, "split_heads", vectors_and_heads, lambda own, *x: tf.function(own["split_heads"])(*x), ()),
    "stack": Check(2, "Transformer", lambda random: (*padded_ids(random), random.random() < 0.5), stacked, ()),
    "stack-step": Check(1, "train_step", lambda random: batch(random)[1:], train, ()),
    "ahead": Check(1, "ahead", lambda random: tuple(map(tuple, np.sort(random.integers(4, size=(2, 2))).tolist()))),
}
