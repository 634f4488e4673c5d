"""The checks of exercises and assignment accept every right answer, however it is written, and refuse wrong ones."""

import functools

import pytest

from tools.teaching import autograde, course, hidden_checks

NOTEBOOKS = {
    exercise.name: path for path in course.notebook_paths() for exercise in autograde.exercises(course.read(path))
}

RIGHT = {
    "clean: a list of categories": """
def clean(text):
    return normalize("".join(c for c in text if unicodedata.category(c) not in ("Sm", "Sc", "Sk", "So")))""",
    "pad: lists": """
def pad(rows):
    width = max(map(len, rows))
    ids = [[*row, *[0] * (width - len(row))] for row in rows]
    return ids, [[i != 0 for i in row] for row in ids]""",
    "pad: TensorFlow": """
import tensorflow as tf
def pad(rows):
    ids = tf.ragged.constant(rows).to_tensor()
    return ids, ids != 0""",
    "longest: a regular expression": """
import re
def cut(word, pieces):
    return re.findall("|".join([*map(re.escape, sorted(pieces, key=len, reverse=True)), "."]), word)""",
    "thought: both directions, the embedding's mask": """
class Encoder(keras.layers.Layer):
    def __init__(self, vocabulary_size, embedding_units, units):
        super().__init__()
        self.table = keras.layers.Embedding(vocabulary_size, embedding_units, mask_zero=True)
        self.reader = keras.layers.Bidirectional(keras.layers.GRU(units // 2))
    def call(self, source_ids):
        return self.reader(self.table(source_ids))""",
    "writer: the thought vector first": """
class Decoder(Decoder):
    def call(self, target_in, state, thought):
        tokens = self.embedding(target_in)
        thoughts = keras.layers.RepeatVector(target_in.shape[1])(thought)
        return [self.to_logits(x) if i == 0 else x for i, x in enumerate(
            self.gru(keras.ops.concatenate([thoughts, tokens], -1), initial_state=[state]))]""",
    "translate: NumPy, break": """
def write(sentence, encoder, decoder, limit=20):
    thought = encoder(np.array([tokenizers[0].encode(sentence)]))
    state, written = thought, [1]
    for _ in range(limit):
        logits, state = decoder(np.array([written[-1:]]), state, thought)
        written.append(int(np.argmax(np.array(logits)[0, -1])))
        if written[-1] == 2:
            break
    return tokenizers[1].decode(written[1:])""",
    "backwards: NumPy": """
def backwards(source_ids):
    made = np.zeros_like(source_ids)
    for row, new in zip(np.asarray(source_ids), made):
        real = row[row != 0]
        new[: len(real)] = real[::-1]
    return made""",
    "lstm: TensorFlow": """
def lstm_step(x, h, c, layer):
    W, U, bias = layer.get_weights()
    i, f, g, o = tf.split(tf.matmul(x, W) + tf.matmul(h, U) + bias, 4, axis=-1)
    c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
    return tf.sigmoid(o) * tf.tanh(c), c""",
    "own-words: NumPy": """
def mixed_input(target_in, guesses, right):
    target_in, guesses = np.array(target_in), np.array(guesses)
    return np.where(right, target_in, np.hstack([target_in[:, :1], guesses[:, :-1]]))""",
    "five-steps: TensorFlow": """
import tensorflow as tf
def step(state, values):
    scores = tf.linalg.matvec(values, state)
    weights = tf.nn.softmax(scores)
    context = tf.linalg.matvec(values, weights, transpose_a=True)
    both = tf.concat([context, state], 0)
    return [scores, weights, context, both, tf.nn.softmax(tf.linalg.matvec(output, both))]""",
    "mask: the real words alone": """
def masked_weights(scores, mask):
    weights = np.zeros(len(scores))
    weights[mask] = softmax(scores[mask])
    return weights""",
    "mask: TensorFlow": """
import tensorflow as tf
def masked_weights(scores, mask):
    return tf.nn.softmax(tf.where(mask, scores, -1e9))""",
    "reader: NumPy": """
class Encoder(Encoder):

    def call(self, source_ids, source_mask):
        tokens = self.embedding(source_ids)
        forward, last = self.rightward(tokens, mask=source_mask)
        backward, first = self.leftward(tokens, mask=source_mask)
        return np.concatenate([forward, np.asarray(backward)[:, ::-1]], -1), np.hstack([last, first])""",
    "additive: einsum": """
class BahdanauAttention(BahdanauAttention):

    def score(self, query, memory):
        hidden = tf.tanh(tf.einsum("ba,bsa->bsa", self.query_layer(query), tf.ones_like(memory.keys)) + memory.keys)
        return tf.einsum("bsa,ao->bs", hidden, self.score_vector)

    def call(self, query, memory):
        weights = tf.nn.softmax(tf.where(memory.mask, self.score(query, memory), tf.float32.min))
        return tf.einsum("bs,bsh->bh", weights, memory.values), weights""",
    "additive: NumPy": """
class BahdanauAttention(BahdanauAttention):

    def score(self, query, memory):
        hidden = np.tanh(np.asarray(self.query_layer(query))[:, None] + np.asarray(memory.keys))
        return (hidden @ np.asarray(self.score_vector))[..., 0]

    def call(self, query, memory):
        scores = np.where(memory.mask, self.score(query, memory), -np.inf)
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = powers / powers.sum(axis=-1, keepdims=True)
        return (weights[:, :, None] * np.asarray(memory.values)).sum(axis=1), weights""",
    "step: state alone": """
class Decoder(Decoder):

    def step(self, token_ids, state, memory):
        context, weights = self.attention(state, memory)
        both = tf.concat([self.embedding(token_ids), context], 1)
        output, state = self.cell(both, [state])
        return self.to_logits(self.readout(tf.concat([output, both], 1))), output, weights""",
    "model: NumPy mask": """
class Seq2Seq(Seq2Seq):

    def encode(self, source_ids):
        mask = np.asarray(source_ids) > 0
        values, thought = self.encoder(source_ids, tf.constant(mask))
        return self.decoder.bridge(thought), self.decoder.attention.memory(values, mask)""",
    "model: names its arguments": """
class Seq2Seq(Seq2Seq):

    def encode(self, source_ids):
        mask = tf.not_equal(source_ids, 0)
        values, thought = self.encoder(source_ids, source_mask=mask)
        return self.decoder.bridge(thought), self.decoder.attention.memory(values, mask=mask)""",
    "write: NumPy, break": """
def write(model, source_ids, limit=12):
    state, memory = model.encode(source_ids)
    written, states, weights, last = [], [state], [], np.array([1], np.int32)
    for _ in range(limit):
        logits, state, looked = model.decoder.step(tf.constant(last), state, memory)
        last = np.argmax(logits, axis=-1).astype("int32")
        written.append(last[0])
        states.append(state)
        weights.append(looked)
        if last[0] == 2:
            break
    return written, states, weights""",
    "looked-at: TensorFlow": """
def words_looked_at(weights):
    return tf.exp(-tf.reduce_sum(tf.math.xlogy(weights, weights), axis=-1))""",
    "scaled-general: TensorFlow": """
def scaled_general_scores(q, h, W):
    return tf.linalg.matvec(h, tf.linalg.matvec(W, q, transpose_a=True)) / len(q) ** 0.5""",
    "window: a loop": """
def window_mask(t, length, D):
    return [t - D <= j <= t + D for j in range(length)]""",
    "order: the k-th space from the k-th space": """
def order_origins(text):
    spaces = iter([i for i, character in enumerate(text) if character == " "])
    starts, start = [], 0
    for word in text.split(" "):
        starts.append((start, word))
        start += len(word) + 1
    positions = []
    for start, word in starts[::-1]:
        positions += [*range(start, start + len(word)), *[i for i in [next(spaces, None)] if i is not None]]
    return positions""",
    "words: padded": """
from itertools import zip_longest
def right_words(text, wanted):
    pairs = list(zip_longest(text.split(" "), wanted.split(" ")))
    return sum(a == b for a, b in pairs) / sum(b is not None for _, b in pairs)""",
    "min-p: TensorFlow": """
import tensorflow as tf
def keep_min_p(probabilities, share):
    kept = tf.where(probabilities >= share * tf.reduce_max(probabilities), probabilities, 0.0)
    return kept / tf.reduce_sum(kept)""",
    "source-padding: the largest difference": """
def ignores_source_padding(model):
    one, other = (model(np.array([ids]), np.array([[1, 4]]))[0] for ids in ([7, 8], [7, 8, 0]))
    return float(np.abs(np.asarray(one) - np.asarray(other)).max()) < 1e-5""",
    "late-labels: random weights": """
def labels_fit(program):
    weights, ids = np.random.default_rng(0).random((1, 3, 5)), np.array([[8, 9, 2]])
    rows = program(lambda *given, **more: (None, weights), np.ones((1, 5), int), np.array([[1, 8, 9]]), ids)
    known = {tuple(row): token for row, token in zip(weights[0], ids[0])}
    return len(rows) > 1 and all(known[tuple(np.asarray(row))] == token for token, row in rows)""",
    "second-loss: TensorFlow": """
import tensorflow as tf
def guidance(weights, links):
    return -tf.reduce_sum(links * tf.math.log(weights + 1e-6))""",
    "counterexamples: a list": """
def counterexamples(error_rates, right):
    numbers = range(len(right))
    wrong = min((i for i in numbers if not right[i]), key=lambda i: error_rates[i])
    return [wrong, max((i for i in numbers if right[i]), key=lambda i: error_rates[i])]""",
    "causal-mask: TensorFlow": """
import tensorflow as tf
def causal_mask(T, S):
    return tf.linalg.band_part(tf.ones((T, S), bool), -1, S - T)""",
    "position: TensorFlow": """
import tensorflow as tf
def position_vector(p, H):
    angles = p * 10_000.0 ** (-2 * tf.range(H // 2, dtype=tf.float32) / H)
    return tf.concat([tf.sin(angles), tf.cos(angles)], axis=0)""",
    "encoder-layer: TensorFlow, each step named": """
import tensorflow as tf
def encoder_layer(x, norms, attend, network):
    first, second = norms
    seen = tf.add(attend(first(x)), x)
    return tf.add(network(second(seen)), seen)""",
    "encoder-layer: a loop": """
def encoder_layer(x, norms, attend, network):
    for norm, part in zip(norms, (attend, network)):
        x = x + part(norm(x))
    return x""",
    "decoder-layer: one sum": """
def decoder_layer(x, source, norms, look_back, look_at, network):
    a = look_back(norms[0](x))
    b = look_at(norms[1](x + a), source)
    return x + a + b + network(norms[2](x + a + b))""",
    "work: a list": """
def multiplications(n, H):
    return [4 * n * H * H + 2 * n * n * H, 6 * n * H * H]""",
    "softmax: TensorFlow's own": """
def masked_softmax(scores, mask):
    return tf.nn.softmax(tf.where(mask, scores, tf.float32.min))""",
    "train-step: training is said": """
def train_step(model, optimizer, source_ids, target_in, target_out):
    loss_of = keras.losses.SparseCategoricalCrossentropy(from_logits=True, ignore_class=PAD_ID, reduction="sum")
    with tf.GradientTape() as tape:
        logits, _ = model(source_ids, target_in, training=True)
        loss = loss_of(target_out, logits) / tf.cast(tf.math.count_nonzero(target_out), tf.float32)
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss""",
    "greedy: TensorArray": """
def greedy(step, state, size, limit):
    written, looked = tf.TensorArray(tf.int32, limit), tf.TensorArray(tf.float32, limit)
    last, ended, t = tf.fill([size], START_ID), tf.zeros([size], tf.bool), 0
    while t < limit and not tf.reduce_all(ended):
        logits, state, weights = step(last, state)
        last = tf.where(ended, PAD_ID, tf.argmax(logits, axis=-1, output_type=tf.int32))
        written, looked, ended, t = written.write(t, last), looked.write(t, weights), ended | (last == END_ID), t + 1
    rows = tf.transpose(written.stack()[:t]), tf.transpose(looked.stack()[:t], [1, 0, 2])
    return rows""",
    "greedy: NumPy": """
def greedy(step, state, size, limit):
    last, ended, written, looked = np.full(size, START_ID, np.int32), np.zeros(size, bool), [], []
    while len(written) < limit and not ended.all():
        logits, state, weights = step(tf.constant(last), state)
        last = np.where(ended, PAD_ID, np.argmax(logits, axis=-1)).astype(np.int32)
        ended |= last == END_ID
        written.append(last)
        looked.append(weights)
    return np.stack(written, axis=1), np.stack(looked, axis=1)""",
}

WRONG = {
    "clean: only the symbols shown": 'def clean(text):\n    return normalize(re.sub("[😀★₹+]", "", text))',
    "clean: not Sk": """
def clean(text):
    return normalize("".join(c for c in text if unicodedata.category(c) not in ("Sm", "Sc", "So")))""",
    "pad: the shape shown": """
def pad(rows):
    ids = np.zeros((3, 4), int)
    for row, new in zip(rows, ids):
        new[: len(row)] = row
    return ids, ids != 0""",
    "pad: a mask of numbers": """
def pad(rows):
    ids = np.array([[*row, *[0] * (max(map(len, rows)) - len(row))] for row in rows])
    return ids, (ids != 0).astype(int)""",
    "longest: the first that fits": """
def cut(word, pieces):
    found = []
    while word:
        piece = next((word[:n] for n in range(1, len(word)) if word[:n] in pieces), word[0])
        found, word = [*found, piece], word[len(piece):]
    return found""",
    "thought: sizes swapped": """
class Encoder(keras.layers.Layer):
    def __init__(self, vocabulary_size, embedding_units, units):
        super().__init__()
        self.embedding, self.gru = keras.layers.Embedding(embedding_units, vocabulary_size), keras.layers.GRU(units)
    def call(self, source_ids):
        return self.gru(self.embedding(source_ids), mask=source_ids != 0)""",
    "thought: sizes written out": """
class Encoder(keras.layers.Layer):
    def __init__(self, vocabulary_size, embedding_units, units):
        super().__init__()
        self.embedding, self.gru = keras.layers.Embedding(50, 32), keras.layers.GRU(units)
    def call(self, source_ids):
        return self.gru(self.embedding(source_ids), mask=source_ids != 0)""",
    "thought: no mask": """
class Encoder(Encoder):
    def call(self, source_ids):
        return self.gru(self.embedding(source_ids))""",
    "thought: a mean, which knows no order": """
class Encoder(keras.layers.Layer):
    def __init__(self, vocabulary_size, embedding_units, units):
        super().__init__()
        self.table = keras.layers.Embedding(vocabulary_size, units)
    def call(self, source_ids):
        return tf.reduce_sum(self.table(source_ids) * tf.cast(source_ids != 0, tf.float32)[..., None], axis=1)""",
    "thought: NumPy": """
class Encoder(Encoder):
    def call(self, source_ids):
        return tf.constant(np.array(self.gru(self.embedding(source_ids), mask=source_ids != 0)))""",
    "thought: the package's": """
import nmt_attention
class Encoder(keras.layers.Layer):
    def __init__(self, vocabulary_size, embedding_units, units):
        super().__init__()
        self.inner = nmt_attention.Encoder(vocabulary_size, embedding_units, units, bidirectional=False)
    def call(self, source_ids):
        return self.inner(source_ids, source_ids != 0)[1]""",
    "writer: starts from the thought vector": """
class Decoder(Decoder):
    def call(self, target_in, state, thought):
        tokens = self.embedding(target_in)
        thoughts = tf.repeat(thought[:, None], tf.shape(tokens)[1], axis=1)
        states, state = self.gru(tf.concat([tokens, thoughts], -1), initial_state=thought)
        return self.to_logits(states), state""",
    "writer: told once": """
class Decoder(Decoder):
    def call(self, target_in, state, thought):
        states, state = self.gru(self.embedding(target_in), initial_state=state)
        return self.to_logits(states), state""",
    "writer: returns the old state": """
class Decoder(Decoder):
    def call(self, target_in, state, thought):
        return super().call(target_in, state, thought)[0], state""",
    "writer: a softmax too many": """
class Decoder(Decoder):
    def call(self, target_in, state, thought):
        logits, state = super().call(target_in, state, thought)
        return tf.nn.softmax(logits), state""",
    "writer: another sentence's thought vector": """
class Decoder(Decoder):
    def call(self, target_in, state, thought):
        return super().call(target_in, state, thought[::-1])""",
    "translate: goes on after END": """
def write(sentence, encoder, decoder, limit=20):
    state = thought = encoder(tf.constant([tokenizers[0].encode(sentence)]))
    written = [1]
    for _ in range(limit):
        logits, state = decoder(tf.constant([written[-1:]]), state, thought)
        written.append(int(tf.argmax(logits[0, 0])))
    return tokenizers[1].decode([i for i in written[1:] if i != 2])""",
    "translate: forgets the state": """
def write(sentence, encoder, decoder, limit=20):
    thought = encoder(tf.constant([tokenizers[0].encode(sentence)]))
    written = [1]
    while written[-1] != 2 and len(written) <= limit:
        logits, _ = decoder(tf.constant([written[-1:]]), thought, thought)
        written.append(int(tf.argmax(logits[0, 0])))
    return tokenizers[1].decode(written[1:])""",
    "lstm: the layer's own step": """
def lstm_step(x, h, c, layer):
    return layer.cell(x, [h, c])[1]""",
    "five-steps: state before context": """
def step(state, values):
    weights = softmax(values @ state)
    both = np.concatenate([state, weights @ values])
    return values @ state, weights, weights @ values, both, softmax(output @ both)""",
    "five-steps: the lesson's values": """
def step(state, given):
    weights = softmax(values @ state)
    both = np.concatenate([weights @ values, state])
    return values @ state, weights, weights @ values, both, softmax(output @ both)""",
    "five-steps: the lesson's state": """
def step(given, values):
    weights = softmax(values @ states[1])
    both = np.concatenate([weights @ values, states[1]])
    return values @ states[1], weights, weights @ values, both, softmax(output @ both)""",
    "five-steps: the package's": """
import tensorflow as tf
from nmt_attention import masked_softmax
def step(state, values):
    mask = tf.ones((1, len(values)), bool)
    weights = masked_softmax(tf.constant([values @ state], tf.float32), mask)[0].numpy()
    both = np.concatenate([weights @ values, state])
    return values @ state, weights, weights @ values, both, softmax(output @ both)""",
    "mask: the package's": """
from nmt_attention import masked_softmax
import tensorflow as tf
def masked_weights(scores, mask):
    return masked_softmax(tf.constant(scores, tf.float32)[None], tf.constant(mask)[None])[0].numpy()""",
    "mask: after the softmax": """
def masked_weights(scores, mask):
    weights = softmax(scores) * mask
    return weights / weights.sum()""",
    "mask: not far enough below": "def masked_weights(scores, mask):\n    return softmax(np.where(mask, scores, -1e3))",
    "neha: only the girl is marked": """
girl_values = np.array([name, source["is"], source["a"], source["good"], child - male], float)""",
    "reader: not turned around": """
class Encoder(Encoder):

    def call(self, source_ids, source_mask):
        tokens = self.embedding(source_ids)
        (forward, last), (backward, first) = (r(tokens, mask=source_mask) for r in (self.rightward, self.leftward))
        return tf.concat([forward, backward], -1), tf.concat([last, first], -1)""",
    "additive: softmax over the batch": """
class BahdanauAttention(BahdanauAttention):

    def call(self, query, memory):
        weights = tf.nn.softmax(tf.where(memory.mask, self.score(query, memory), -1e9), axis=0)
        return tf.linalg.matvec(memory.values, weights, transpose_a=True), weights""",
    "additive: mask after the powers": """
class BahdanauAttention(BahdanauAttention):

    def call(self, query, memory):
        powers = tf.exp(self.score(query, memory)) * tf.cast(memory.mask, tf.float32)
        weights = powers / tf.reduce_sum(powers, axis=-1, keepdims=True)
        return tf.linalg.matvec(memory.values, weights, transpose_a=True), weights""",
    "additive: masked to 0": """
class BahdanauAttention(BahdanauAttention):

    def call(self, query, memory):
        weights = tf.nn.softmax(tf.where(memory.mask, self.score(query, memory), 0.0))
        return tf.linalg.matvec(memory.values, weights, transpose_a=True), weights""",
    "additive: the mean of the keys": """
class BahdanauAttention(BahdanauAttention):

    def call(self, query, memory):
        weights = tf.nn.softmax(tf.where(memory.mask, self.score(query, memory), -1e9))
        return tf.linalg.matvec(memory.keys, weights, transpose_a=True), weights""",
    "additive: keys and values swapped": """
class BahdanauAttention(BahdanauAttention):

    def memory(self, values, mask):
        return Memory(self.key_layer(values), values, mask)""",
    "additive: the package's softmax": """
class BahdanauAttention(BahdanauAttention):

    def call(self, query, memory):
        from nmt_attention import masked_softmax
        weights = masked_softmax(self.score(query, memory), memory.mask)
        return tf.linalg.matvec(memory.values, weights, transpose_a=True), weights""",
    "step: the query after the step": """
class Decoder(Decoder):

    def step(self, token_ids, state, memory):
        tokens = self.embedding(token_ids)
        context, _ = self.attention(state, memory)
        state, _ = self.cell(tf.concat([tokens, context], axis=-1), [state])
        context, weights = self.attention(state, memory)
        return self.to_logits(self.readout(tf.concat([state, tokens, context], axis=-1))), state, weights""",
    "step: reads out the old state": """
class Decoder(Decoder):

    def step(self, token_ids, state, memory):
        context, weights = self.attention(state, memory)
        tokens = self.embedding(token_ids)
        after, _ = self.cell(tf.concat([tokens, context], axis=-1), [state])
        return self.to_logits(self.readout(tf.concat([state, tokens, context], axis=-1))), after, weights""",
    "step: returns the old state": """
class Decoder(Decoder):

    def step(self, token_ids, state, memory):
        logits, after, weights = super().step(token_ids, state, memory)
        return logits, state, weights""",
    "step: every step from the first state": """
class Decoder(Decoder):

    def call(self, target_in, state, memory):
        steps = [self.step(target_in[:, t], state, memory) for t in range(target_in.shape[1])]
        return tf.stack([s[0] for s in steps], 1), tf.stack([s[2] for s in steps], 1)""",
    "model: no bridge": """
class Seq2Seq(Seq2Seq):

    def encode(self, source_ids):
        values, thought = self.encoder(source_ids, source_ids != 0)
        return thought, self.decoder.attention.memory(values, source_ids != 0)""",
    "model: padding not masked": """
class Seq2Seq(Seq2Seq):

    def encode(self, source_ids):
        values, thought = self.encoder(source_ids, source_ids != 0)
        return self.decoder.bridge(thought), self.decoder.attention.memory(values, source_ids >= 0)""",
    "write: goes on after END": """
def write(model, source_ids, limit=12):
    state, memory = model.encode(source_ids)
    written, states, weights, last = [], [state], [], 1
    while len(written) < limit:
        logits, state, looked = model.decoder.step(tf.constant([last]), state, memory)
        last = int(tf.argmax(logits[0]))
        written.append(last)
        states.append(state)
        weights.append(looked)
    return written, states, weights""",
    "write: reads START at every step": """
def write(model, source_ids, limit=12):
    state, memory = model.encode(source_ids)
    written, states, weights = [], [state], []
    while 2 not in written and len(written) < limit:
        logits, state, looked = model.decoder.step(tf.constant([1]), state, memory)
        written.append(int(tf.argmax(logits[0])))
        states.append(state)
        weights.append(looked)
    return written, states, weights""",
    "blind: the package's": """
from nmt_attention import part_of
class BlindAttention(part_of("attention", "uniform")):
    pass""",
    "words: of the longer text": """
def right_words(text, wanted):
    text, wanted = text.split(" "), wanted.split(" ")
    return sum(a == b for a, b in zip(text, wanted)) / max(len(text), len(wanted))""",
    "order: one space for all": """
def order_origins(text):
    positions, end = [], len(text)
    for word in reversed(text.split(" ")):
        positions += [*range(end - len(word), end), text.find(" ")]
        end -= len(word) + 1
    return positions[:-1]""",
    "min-p: more than the share": """
def keep_min_p(probabilities, share):
    kept = np.where(probabilities > share * probabilities.max(), probabilities, 0.0)
    return kept / kept.sum()""",
    "source-padding: to the last digit": """
def ignores_source_padding(model):
    one, other = (model(np.array([[5, 6, *[0] * n]]), np.array([[1, 5]]))[0] for n in (0, 1))
    return np.array_equal(one, other)""",
    "late-labels: the first row alone": """
def labels_fit(program):
    ids = np.array([[5, 6, 7, 2]])
    rows = program(lambda *given, **more: (None, np.eye(4)[np.newaxis]), ids, np.array([[1, 5, 6, 7]]), ids)
    return int(rows[0][0]) == 5 and int(np.argmax(rows[0][1])) == 0""",
    "second-loss: the package's": """
from nmt_attention import guidance_loss
def guidance(weights, links):
    return float(guidance_loss(weights.astype("float32"), links.astype("float32")))""",
    "position: the package's": """
def position_vector(p, H):
    import nmt_attention
    return np.asarray(nmt_attention.sinusoids(p, 1, H)[0])""",
    "encoder-layer: no residual": """
def encoder_layer(x, norms, attend, network):
    return network(norms[1](attend(norms[0](x))))""",
    "encoder-layer: the second residual alone": """
def encoder_layer(x, norms, attend, network):
    x = attend(norms[0](x))
    return x + network(norms[1](x))""",
    "encoder-layer: what is added is normalised": """
def encoder_layer(x, norms, attend, network):
    x = norms[0](x)
    x = norms[1](x + attend(x))
    return x + network(x)""",
    "encoder-layer: post-norm": """
def encoder_layer(x, norms, attend, network):
    x = norms[0](x + attend(x))
    return norms[1](x + network(x))""",
    "encoder-layer: the network first": """
def encoder_layer(x, norms, attend, network):
    x = x + network(norms[0](x))
    return x + attend(norms[1](x))""",
    "encoder-layer: both read the input": """
def encoder_layer(x, norms, attend, network):
    return x + attend(norms[0](x)) + network(norms[1](x))""",
    "encoder-layer: one norm twice": """
def encoder_layer(x, norms, attend, network):
    x = x + attend(norms[0](x))
    return x + network(norms[0](x))""",
    "decoder-layer: the source first": """
def decoder_layer(x, source, norms, look_back, look_at, network):
    x = x + look_at(norms[0](x), source)
    x = x + look_back(norms[1](x))
    return x + network(norms[2](x))""",
    "decoder-layer: a residual is missing": """
def decoder_layer(x, source, norms, look_back, look_at, network):
    x = x + look_back(norms[0](x))
    x = look_at(norms[1](x), source)
    return x + network(norms[2](x))""",
    "decoder-layer: the source is normalised": """
def decoder_layer(x, source, norms, look_back, look_at, network):
    x = x + look_back(norms[0](x))
    x = x + look_at(norms[1](x), norms[1](source))
    return x + network(norms[2](x))""",
    "softmax: the package's": "from nmt_attention import masked_softmax",
    "softmax: the package's, called": """
import nmt_attention
def helper(scores, mask):
    return nmt_attention.masked_softmax(scores, mask)
def masked_softmax(scores, mask):
    return helper(scores, mask)""",
    "encoder: the package's, as a base": """
from nmt_attention import Encoder as Theirs
class Encoder(Theirs):
    pass""",
    "train-step: the package's loss": """
from nmt_attention import cross_entropy
def train_step(model, optimizer, source_ids, target_in, target_out):
    with tf.GradientTape() as tape:
        nats, _, tokens = cross_entropy(model(source_ids, target_in)[0], target_out)
        loss = nats / tokens
    variables = model.trainable_variables
    optimizer.apply(tape.gradient(loss, variables), variables)
    return loss""",
    "greedy: the package's": """
from nmt_attention import greedy_search as search
def greedy(step, state, size, limit):
    ids, weights, _ = search(step, tf.cast(state, tf.float32), tf.fill([size], limit))
    return ids, weights""",
}


@functools.cache
def solved(path):
    """Returns what a notebook's exercises need, and what their solutions and checks define."""
    names, notebook = {}, course.read(path)
    exercises = {exercise.name: exercise for exercise in autograde.exercises(notebook)}
    for cell in autograde.first_cells(notebook)[2:]:
        exec(cell.source, names)
    for exercise in exercises.values():
        for cell in (exercise.solution, *exercise.checks):
            exec(cell.source, names)
    return names, exercises


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")  # of 0 / 0 in a wrong answer
@pytest.mark.parametrize(
    ("answer", "right"),
    [*((name, True) for name in RIGHT), *((name, False) for name in WRONG)],
    ids=lambda value: value,
)
def test_both_checks_tell_right_from_wrong(answer, right, monkeypatch, capsys):
    name = answer.partition(":")[0]
    defined, exercises = solved(NOTEBOOKS[name])
    monkeypatch.setattr(hidden_checks, "CASES", 12)
    monkeypatch.setattr(hidden_checks, "solution", lambda name: defined)
    names = dict(defined)
    exec((RIGHT if right else WRONG)[answer], names)
    shown = "\n".join(cell.source for cell in exercises[name].checks)
    if right:
        exec(shown, dict(names))
        assert hidden_checks.difference(name, dict(names)) == ""
    else:
        with pytest.raises((AssertionError, AttributeError)) as caught:
            exec(shown, dict(names))
        assert ("package's" in str(caught.value)) == ("the package's" in answer)
        assert hidden_checks.difference(name, dict(names)).startswith(hidden_checks.CHECKS[name].answer)
