"""TensorFlow without the log lines of its C++ part, on the device that was chosen."""

import contextlib
import gc
import logging
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from types import ModuleType

DEVICE = "NMT_ATTENTION_DEVICE"  # environment variable: "cpu" leaves GPUs alone; `--device` sets it
logger = logging.getLogger(__name__)


def import_tensorflow(look_for_devices: bool = True) -> None:
    """Imports TensorFlow without the lines that its C++ part logs about processors, unless the import fails.

    With several workers TensorFlow must do nothing, not even look for devices, before their strategy is made.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    stderr = os.dup(2)
    with tempfile.TemporaryFile() as log:
        os.dup2(log.fileno(), 2)
        try:
            with contextlib.nullcontext() if "tensorflow" in sys.modules else _never_collected():
                import tensorflow

            _choose_device(tensorflow, look_for_devices)
            if look_for_devices:
                tensorflow.zeros(())
        except BaseException:
            log.seek(0)
            os.write(stderr, log.read())
            raise
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)


@contextlib.contextmanager
def _never_collected() -> Iterator[None]:
    """Keeps Python's garbage collector from the objects that exist when the block ends.

    TensorFlow makes half a million that stay. The collector would look through them again and again during the import
    and once more when the process ends: together more than a second.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        if collecting:
            gc.enable()


def _choose_device(tensorflow: ModuleType, look_for_devices: bool) -> None:
    """Hides the GPUs if the CPU was chosen, and warns of those on which recurrent layers are slow.

    Source: github.com/tensorflow/tensorflow issues 55455 and 56782 (Apple's Metal, five to ten times slower).
    """
    if os.environ.get(DEVICE) == "cpu":
        tensorflow.config.set_visible_devices([], "GPU")
    elif look_for_devices and platform.system() == "Darwin" and tensorflow.config.list_physical_devices("GPU"):
        logger.warning("on Apple's GPU recurrent layers are slower than on the CPU; --device cpu does not use it")
