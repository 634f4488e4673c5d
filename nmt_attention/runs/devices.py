"""What a run computes on: processor, precision, installed versions."""

import importlib.metadata
import platform
from collections.abc import Iterable
from pathlib import Path


def resolve_precision(precision: str) -> str:
    """Returns the Keras dtype policy: for "auto" bfloat16 if the GPUs, or else the CPU, support it."""
    if precision != "auto":
        return precision
    import tensorflow as tf

    gpus = [tf.config.experimental.get_device_details(gpu) for gpu in tf.config.get_visible_devices("GPU")]
    if gpus:
        ampere_or_later = all(gpu.get("compute_capability", (0, 0)) >= (8, 0) for gpu in gpus)
        return "mixed_bfloat16" if ampere_or_later else "float32"
    flags = _processor("flags").split()
    return "mixed_bfloat16" if {"avx512_bf16", "amx_bf16"} & set(flags) else "float32"


def processor_name() -> str:
    """Returns the processor's name, empty if the system does not report it."""
    return _processor("model name") or platform.processor()


def installed_versions(packages: Iterable[str]) -> dict[str, str]:
    """Returns a dict of the versions of Python and of those packages that are installed."""
    installed = {d.metadata["Name"]: d.version for d in importlib.metadata.distributions()}
    return {"python": platform.python_version(), **{n: installed[n] for n in packages if n in installed}}


def _processor(key: str) -> str:
    """Returns the value that Linux reports for a key of the first processor, else an empty text."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.is_file() else []
    return next((line.partition(":")[2].strip() for line in lines if line.partition(":")[0].strip() == key), "")
