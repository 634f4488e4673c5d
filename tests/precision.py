"""The precision of tests in half the bits."""

import os

import tensorflow as tf

# TensorFlow's products in bfloat16 stop the process where oneDNN is held to an older processor than there is.
HALF = "mixed_float16" if os.environ.get("ONEDNN_MAX_CPU_ISA") else "mixed_bfloat16"
DTYPE = tf.as_dtype(HALF.removeprefix("mixed_"))
