"""Training, searches and the SavedModel as a GPU would run them: every operation has a kernel there.

TensorFlow moves an operation without one to the CPU and says nothing; inside a loop that is a wait at every step. The
graphs are those of the presets, traced as if there were a GPU, which takes most of a minute: so this is among the slow
tests.
"""

import pytest
import tensorflow as tf
from gpu_kernels import LOOPS, Copy, Node, copies_in_loops, faked_gpu, ops, without_kernel

from nmt_attention.config import ModelConfig, SearchConfig, TrainConfig
from nmt_attention.deploy.export import ExportedTranslator
from nmt_attention.model import Seq2Seq
from nmt_attention.runs.distribute import make_replicated_step, with_loss_scale
from nmt_attention.runs.settings import UNGUIDED, make_config, make_settings
from nmt_attention.train import make_optimizer
from nmt_attention.translate import Translator

pytestmark = pytest.mark.skipif(not tf.test.is_built_with_cuda(), reason="this TensorFlow has no kernels for GPUs")

MESSAGE = Node("Const", "string", "", False)  # what Keras would say of a mask that is not padded on the right
# What the SavedModel does with text that is no longer text: letters' numbers and the rows of ragged tensors. No GPU has
# strings, so all of this runs before the model reads the first token or after it has written the last one.
OF_RAGGED_ROWS = {"DenseBincount", "RaggedRange", "RaggedTensorToTensor", "UnsortedSegmentSum"}
OF_TEXT = OF_RAGGED_ROWS | {
    *("ReduceJoin", "StaticRegexFullMatch", "StaticRegexReplace", "StringJoin", "StringLower", "StringSplitV2"),
    *("StringStrip", "Substr", "UnicodeDecode", "UnicodeEncode", "UnsortedSegmentJoin"),
}


def training_graph(preset, precision, settings):
    """Returns the graph of a training step, and the number of its recurrent layers that cuDNN can compute."""
    settings = make_settings(preset, settings)
    config = make_config(TrainConfig, settings)
    with faked_gpu():
        model = Seq2Seq(make_config(ModelConfig, settings), precision)
        optimizer = with_loss_scale(make_optimizer(model, 10, config), model)
        step = make_replicated_step(model, optimizer, config).get_concrete_function()
    recurrent = model.config.architecture == "rnn"
    return step.graph.as_graph_def(), recurrent * model.config.encoder_layers * (1 + model.config.bidirectional)


@pytest.mark.parametrize(
    ("preset", "precision", "settings", "copies"),
    [
        ("quick", "mixed_bfloat16", {}, 83),
        ("quick", "mixed_float16", {}, 83),
        ("quick", "mixed_bfloat16", {"sampled": 0.2}, 83),
        ("quick", "float32", {**UNGUIDED, "cell": "lstm", "encoder_layers": 2, "decoder_layers": 2}, 105),
        ("full", "mixed_bfloat16", {}, 83),
        ("full", "mixed_float16", {}, 83),
        ("transformer", "mixed_bfloat16", {"sampled": 0.2}, 0),
        ("transformer", "mixed_float16", {}, 0),
    ],
)
def test_a_gpu_computes_the_whole_training_step(preset, precision, settings, copies):
    graph, recurrent = training_graph(preset, precision, settings)
    assert set(without_kernel(graph)) <= {MESSAGE}
    assert (ops(graph)["CudnnRNNV3"], ops(graph)["CudnnRNNBackpropV3"]) == (recurrent, recurrent)
    check_copies(graph, copies)


@pytest.fixture(scope="module")
def translator():
    with faked_gpu():
        return Translator.load()


@pytest.mark.parametrize(
    ("search", "copies"),
    [
        ({}, 16),
        ({"beam_size": 5}, 49),  # also those that minimum Bayes risk ranks, which it does in NumPy
        ({"samples": 4, "temperature": 0.8, "top_k": 50, "top_p": 0.9}, 23),
        (None, 2),  # no search: given translations, whose perplexity and attention are asked for
    ],
    ids=str,
)
def test_a_gpu_computes_the_whole_search(translator, search, copies):
    with faked_gpu():
        if search is None:
            function = translator.teacher_force.get_concrete_function()
        else:
            function = translator._search_with(SearchConfig(**search))
    graph = function.graph.as_graph_def()
    assert set(without_kernel(graph)) <= {MESSAGE}
    layers = 2 * translator.model.config.encoder_layers
    assert ops(graph)["CudnnRNNV3"] == layers and sum(ops(graph)[op] for op in LOOPS) >= 1
    check_copies(graph, copies)


def test_a_gpu_computes_all_of_the_savedmodel_but_its_texts(translator):
    with faked_gpu():
        parts = translator.source_tokenizer, translator.target_tokenizer, translator.around
        exported = ExportedTranslator(translator.model, *parts, of_texts=True)
        graph = exported.__call__.get_concrete_function().graph.as_graph_def()
    left = [n for n in without_kernel(graph) if n.op not in OF_TEXT and "string" not in n.types.split()]
    assert [(n.op, n.types) for n in left if (n.op, n.types) != ("Fill", "int32 int64")] == []  # of ragged rows, too
    assert not [node for node in without_kernel(graph) if node.in_loop]
    assert ops(graph)["CudnnRNNV3"] == 0  # so that it runs on machines without a GPU
    check_copies(graph, 221)


def check_copies(graph, most):
    """Checks that nothing but small integers and truth values goes between host and device at a step of a loop.

    These are TensorFlow's own: it keeps 32-bit integers in the host's memory, where it also needs all shapes. In
    training, the gradient of a loop keeps the shapes of every step on the device.
    """
    copies = copies_in_loops(graph)
    assert {copy.dtype for copy in copies} <= {"int32", "bool"}, copies
    assert copies.total() <= most, copies


def test_what_has_no_kernel_and_what_is_copied_in_a_loop_is_found():
    @tf.function(input_signature=[tf.TensorSpec((None,), tf.float32)], autograph=False)
    def find(x):
        def body(t, x):
            first = tf.argmax(tf.cast(x > 0, tf.int32), output_type=tf.int32)
            return t + first, tf.raw_ops.ListDiff(x=x, y=x[:1])[0]

        return tf.while_loop(lambda t, _: t < 9, body, (0, x), shape_invariants=(tf.TensorShape(()), x.shape))

    graph = find.get_concrete_function().graph.as_graph_def()
    assert {(node.op, node.in_loop) for node in without_kernel(graph)} == {("ArgMax", True), ("ListDiff", True)}
    copies = copies_in_loops(graph)
    assert copies[Copy("to host", "loop", "ListDiff", "float")] == 1
    assert copies[Copy("to device", "ListDiff", "Identity", "float")] == 1
    assert copies[Copy("to host", "Cast", "ArgMax", "int32")] == 1
