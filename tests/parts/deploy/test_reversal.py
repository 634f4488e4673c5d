"""The net that learns in the page: its slopes are TensorFlow's, and it learns."""

import json

import numpy as np
import py_mini_racer
import pytest
import tensorflow as tf

from nmt_attention.deploy import browser

WORDS = [[2, 0, 12, 4], [17, 0, 1, 1], [25, 3, 25, 19]]
STOP = 26


@pytest.fixture(scope="module")
def run():
    """Evaluates JavaScript behind that of the net, and returns what JSON makes of its value."""
    context = py_mini_racer.MiniRacer()
    context.eval(f"globalThis.performance ??= Date; {browser._read('vectors.js')}; {browser._read('reversal.js')}; 0")
    return lambda script: json.loads(context.eval(f"JSON.stringify((() => {{ {script} }})())"))


def loss_of(net, words):
    """The mean loss of words of one length, as `learn` of reversal.js has it."""
    places, state, length = [], 0.0, words.shape[1]
    for s in range(length):
        before = state @ net["reads"] if s else 0.0
        state = tf.tanh(tf.gather(net["letters"], words[:, s]) + net["places"][s] + before)
        places.append(state)
    memory, seen, before, losses = tf.stack(places, 1), 0.0, np.full(len(words), STOP), []
    for t in range(length + 1):
        state = tf.gather(net["written"], before) + state @ net["remembers"] + (seen @ net["saw"] if t else 0.0)
        state = tf.tanh(state)
        weights = tf.nn.softmax(tf.einsum("bu,bsu->bs", state @ net["asks"], memory))
        seen = tf.einsum("bs,bsu->bu", weights, memory)
        logits = state @ net["says"] + seen @ net["tells"]
        before = words[:, length - 1 - t] if t < length else np.full(len(words), STOP)
        losses.append(tf.nn.sparse_softmax_cross_entropy_with_logits(before, logits))
    return tf.reduce_mean(tf.stack(losses))


def test_the_slopes_of_the_net_are_tensorflows(run):
    found = run(
        f"const net = makeWeights(chance(3)), loss = learn(net, {WORDS});"
        "const plain = ({numbers, slopes, ...sizes}) => ({...sizes, numbers: [...numbers], slopes: [...slopes]});"
        "return {loss, net: Object.fromEntries(Object.entries(net).map(([name, each]) => [name, plain(each)]))};"
    )
    shaped = {
        kind: {name: np.reshape(w[kind], (w["rows"], w["columns"])).astype("f4") for name, w in found["net"].items()}
        for kind in ("numbers", "slopes")
    }
    net = {name: tf.Variable(numbers) for name, numbers in shaped["numbers"].items()}
    with tf.GradientTape() as tape:
        loss = loss_of(net, np.array(WORDS))
    assert found["loss"] == pytest.approx(float(loss), rel=1e-5)
    for name, slopes in tape.gradient(loss, net).items():
        np.testing.assert_allclose(shaped["slopes"][name], tf.convert_to_tensor(slopes), atol=1e-6, err_msg=name)
    assert f"{sum(array.size for array in shaped['numbers'].values()):,} random" in browser._read("index.html")


def test_the_net_learns_to_write_words_backwards_and_to_look_where_it_must(run):
    seen = "({...each, ...write(net, word)})"
    *shown, last = run(f"word = [2, 0, 12, 4]; return [...train(chance(1))].map((each) => {seen});")
    assert last["isDone"] and last["letters"] == [4, 12, 0, 2, STOP]
    assert np.argmax(last["weights"][:4], axis=1).tolist() == [3, 2, 1, 0]
    assert [each["step"] for each in shown[:4]] == [0, 5, 10, 15] and last["losses"][-1] < 1 and last["step"] < 2000


def test_a_word_that_is_typed_is_written_by_the_numbers_of_now(run):
    texts = ["camera", "Née-at abcdefghijkl", "मांजर 7", "attention", "camera"]
    told = run(
        "const told = []; globalThis.postMessage = (data) => told.push(data); net = makeWeights(chance(2));"
        f"latest = {{step: 7, losses: [1]}}; for (const text of {json.dumps(texts)}) onmessage({{data: {{text}}}});"
        "return told;"
    )
    words = ["camera", "neatabcdefgh", "neatabcdefgh", "attention", "camera"]
    assert ["".join(each["word"]) for each in told] == words
    assert [each["left"] for each in told if not each["isOld"]] == ["", "é-ijkl", "", ""] and told[2]["left"] == "मांजर7"
    assert all(np.shape(each["weights"]) == (len(each["written"]), len(each["word"])) for each in told)
    assert told[0] == told[-1] and told[0]["step"] == 7 and told[0]["isTyped"]
