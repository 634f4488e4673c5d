"""Every operation of a training step has a kernel for NVIDIA's GPUs, read from TensorFlow's registry: no GPU is needed.

TensorFlow moves an operation without one to the CPU and says nothing; inside a loop that is a wait at every step.
"""

import functools

import pytest
import tensorflow as tf
from tensorflow.python.framework.kernels import get_registered_kernels_for_op

from nmt_attention import ModelConfig, Seq2Seq, TrainConfig, make_optimizer
from nmt_attention.runs.distribute import make_run_step, with_loss_scale
from nmt_attention.runs.settings import UNGUIDED, make_config, make_settings

kernels_of = functools.cache(lambda op: list(get_registered_kernels_for_op(op).kernel))  # reads TensorFlow's whole list


def lacks_a_kernel(node):
    """Returns whether no GPU can run a node; one without any kernel calls a function, whose nodes are looked at."""
    for kernel in (kernel for kernel in kernels_of(node.op) if kernel.device_type in ("GPU", "DEFAULT")):
        rules = ((node.attr[rule.name].type, rule.allowed_values.list.type) for rule in kernel.constraint)
        if all(not types or dtype in types for dtype, types in rules):
            return False
    return bool(kernels_of(node.op))


@pytest.mark.parametrize(
    ("preset", "precision", "settings"),
    [
        ("quick", "mixed_bfloat16", {}),
        ("quick", "mixed_float16", {}),
        ("quick", "float32", {**UNGUIDED, "cell": "lstm", "encoder_layers": 2, "decoder_layers": 2}),
        ("transformer", "mixed_bfloat16", {"sampled": 0.2}),
    ],
)
def test_a_gpu_computes_the_whole_training_step(monkeypatch, preset, precision, settings):
    visible = tf.config.get_visible_devices
    monkeypatch.setattr(tf.config, "get_visible_devices", lambda kind=None: [kind] if kind == "GPU" else visible(kind))
    monkeypatch.setattr(tf.config, "list_logical_devices", lambda kind=None: [kind])
    settings = make_settings(preset, settings)
    config = make_config(TrainConfig, settings)
    with tf.__internal__.FuncGraph("build").as_default():  # a processor held to AVX2 cannot multiply in bfloat16
        model = Seq2Seq(make_config(ModelConfig, settings), precision)
    optimizer = with_loss_scale(make_optimizer(model, 10, config), model)
    graph = make_run_step(model, optimizer, config).get_concrete_function().graph.as_graph_def()
    nodes = [*graph.node, *(node for function in graph.library.function for node in function.node_def)]
    words = tf.string.as_datatype_enum  # Keras' message about a mask that is not padded on the right is text
    assert {node.op for node in nodes if lacks_a_kernel(node) and node.attr["dtype"].type != words} == set()
    of_cudnn = sum(node.op == "CudnnRNNV3" for node in nodes)
    assert of_cudnn == (2 * model.config.encoder_layers if model.config.architecture == "rnn" else 0)


def test_an_operation_without_a_kernel_is_found():
    node = tf.compat.v1.NodeDef(op="ListDiff", attr={"T": {"type": tf.float32.as_datatype_enum}})
    assert lacks_a_kernel(node) and not lacks_a_kernel(tf.compat.v1.NodeDef(op="NoOp"))
