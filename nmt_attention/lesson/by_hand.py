"""Weights set by hand: attention layers to be checked on paper, and a model that computes the same as another."""

from typing import Any

import keras
import numpy as np
import tensorflow as tf

from .. import attention
from ..variants import attentions

KINDS: dict[str, type[attention.Attention]] = {
    "dot": attention.DotAttention,
    "scaled dot": attention.ScaledDotAttention,
    "cosine": attentions.CosineAttention,
    "general": attention.GeneralAttention,
    "additive": attention.BahdanauAttention,
    "concat": attention.ConcatAttention,
    "location": attentions.LocationAttention,
}


def layers_by_hand(W: np.ndarray, U: np.ndarray, v: np.ndarray, places: np.ndarray) -> dict[str, attention.Attention]:
    """Returns a layer of each kind with these weights.

    Args:
        W: (H, H). Of *general*.
        U: (H, H). Of *additive* and *concat*, for the query and for the values alike.
        v: (H,). Of *additive* and *concat*.
        places: (H, S). Of *location*, a column for each of the first positions; the others get zeros.

    Returns:
        a dict from `KINDS`' names to layers.
    """
    H = len(v)
    layers: dict[str, Any] = {name: kind(H) for name, kind in KINDS.items()}
    for layer in layers.values():  # the first call creates the weights
        layer(tf.zeros((1, H)), layer.memory(tf.zeros((1, 1, H)), tf.ones((1, 1), tf.bool), None))
    layers["general"].key_layer.kernel.assign(W)
    for name in ("additive", "concat"):
        layers[name].query_layer.kernel.assign(U)
        layers[name].key_layer.kernel.assign(U)
        layers[name].score_vector.assign(v[:, np.newaxis])
    kernel = layers["location"].position_layer.kernel
    kernel.assign(np.pad(places, [(0, 0), (0, kernel.shape[1] - places.shape[1])]))
    return layers


def copy_weights(ours: Any, package: Any) -> None:
    """Gives lesson 4's model, or a part of it, the weights of the package's, so that both should compute the same.

    The package's cell multiplies token and context by two matrices and adds the results; the lesson's concatenates
    token and context, so the two matrices become one. The package reads its token vectors times 4, and the output
    layer uses the same vectors; the lesson has a table for each. A model that does as the package does gets them as
    they are.

    Args:
        ours: lesson 4's `Encoder`, `BahdanauAttention`, `Decoder` or `Seq2Seq`, which has been called once, so that its
            weights are there.
        package: the package's part with the same sizes: Bahdanau's decoder and attention, one layer of GRU.
    """
    if hasattr(ours, "encoder"):
        copy_weights(ours.encoder, package.encoder)
        copy_weights(ours.decoder, package.decoder)
        return
    weights = package.get_weights()
    if hasattr(ours, "embedding"):
        vectors = package.embedding.get_weights()[0]
        table = vectors * package.embedding.factor if type(ours.embedding) is keras.layers.Embedding else vectors
        weights[0] = table  # of an encoder
    if not hasattr(ours, "cell"):
        ours.set_weights(weights)
        return
    ours.embedding.set_weights([table])
    ours.attention.set_weights(package.attention.get_weights())
    ours.readout.set_weights(package.readout.get_weights())
    if hasattr(ours, "to_logits"):
        ours.to_logits.set_weights([vectors.T, package.output_bias])
    else:
        ours.output_bias.assign(package.output_bias)
    ours.bridge.set_weights(package.stack.bridges[0][0].get_weights())
    (token, token_bias), (context,) = package.token_layer.get_weights(), package.context_layer.get_weights()
    recurrent, recurrent_bias = package.stack.cells[0].recurrent.get_weights()
    ours.cell.set_weights([np.concatenate([token, context]), recurrent, np.stack([token_bias, recurrent_bias])])
