"""TensorFlow without the log lines of its C++ part."""

import os
import tempfile


def import_tensorflow(look_for_devices: bool = True) -> None:
    """Imports TensorFlow without the lines that its C++ part logs about processors, unless the import fails.

    With several workers TensorFlow must do nothing, not even look for devices, before their strategy is made.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    stderr = os.dup(2)
    with tempfile.TemporaryFile() as log:
        os.dup2(log.fileno(), 2)
        try:
            import tensorflow

            if look_for_devices:
                tensorflow.zeros(())
        except BaseException:
            log.seek(0)
            os.write(stderr, log.read())
            raise
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)
