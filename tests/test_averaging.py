import keras
import numpy as np
import pytest
import tensorflow as tf
from toys import Toy

from nmt_attention.averaging import averaged, load_averages
from nmt_attention.config import TrainConfig
from nmt_attention.train import make_optimizer, make_train_step

BATCH = [tf.constant([[4, 5], [6, 7]])] * 3


def train_three_steps(ema, dtype="float32"):
    """Returns a model, its optimizer and its table after each of three steps."""
    keras.utils.set_random_seed(1)
    model = Toy(initializer="glorot_uniform")
    model.dtype_policy = dtype
    config = TrainConfig(learning_rate=0.1, warmup_steps=0, ema=ema)
    optimizer = make_optimizer(model, 3, config)
    step = make_train_step(model, optimizer, config, 3)
    tables = [model.table.numpy()]
    for _ in range(3):
        step(*BATCH)
        tables.append(model.table.numpy())
    return model, optimizer, tables


@pytest.mark.parametrize(("ema", "decays"), [(0.999, (1 / 10, 2 / 11, 3 / 12)), (0.15, (1 / 10, 0.15, 0.15))])
@pytest.mark.parametrize("dtype", ["float32", "mixed_float16"])
def test_the_average_is_the_one_worked_out_step_by_step(ema, decays, dtype):
    model, optimizer, tables = train_three_steps(ema, dtype)
    average = tables[0]
    for decay, table in zip(decays, tables[1:], strict=True):
        average = decay * average + (1 - decay) * table
    assert np.abs(average - tables[-1]).max() > 0.01
    load_averages(model, optimizer)
    np.testing.assert_allclose(model.table, average, atol=1e-6)


def test_averaging_changes_nothing_in_the_weights_that_are_trained():
    for plain, averaging in zip(train_three_steps(0.0)[2], train_three_steps(0.999)[2], strict=True):
        np.testing.assert_array_equal(plain, averaging)


@pytest.mark.parametrize("ema", [0.0, 0.999])
def test_a_model_gets_its_own_weights_back_even_after_an_error(ema):
    model, optimizer, tables = train_three_steps(ema)
    with pytest.raises(KeyError), averaged(model, optimizer):
        assert np.array_equal(model.table, tables[-1]) == (not ema)
        raise KeyError
    np.testing.assert_array_equal(model.table, tables[-1])
