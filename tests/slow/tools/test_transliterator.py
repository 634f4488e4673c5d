"""Making the transliterator: a small one learns what it is shown."""

from nmt_attention import TrainConfig, Translator
from nmt_attention.names.lists import Name
from nmt_attention.preprocess.transliterator import Transliterator
from tools.models.transliterator import train

NAMES = [Name("Tom", "टॉम", "m"), Name("Mary", "मेरी", "f"), Name("Boston", "बॉस्टन", "place"), Name("bus", "बस", "word")]


def test_a_small_model_learns_to_write_what_it_is_shown():
    training = TrainConfig(epochs=40, batch_size=2, learning_rate=1e-2, warmup_steps=10, precision="float32")
    model, source, target = train(NAMES, training)
    transliterator = Transliterator(lambda: Translator(model, source, target), {}, beam_size=1)
    found = [t[:3] for t in transliterator.transliterate([name.english for name in NAMES])]
    assert found == [(name.english, name.marathi, name.kind) for name in NAMES]
