"""Attention layers whose weights are set by hand, so that a learner can check every score on paper."""

from typing import Any

import numpy as np
import tensorflow as tf

from .. import attention

KINDS: dict[str, type[attention.Attention]] = {
    "dot": attention.DotAttention,
    "scaled dot": attention.ScaledDotAttention,
    "cosine": attention.CosineAttention,
    "general": attention.GeneralAttention,
    "additive": attention.BahdanauAttention,
    "concat": attention.ConcatAttention,
    "location": attention.LocationAttention,
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
