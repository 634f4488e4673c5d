"""NVIDIA's GPUs: what to do if one is there and TensorFlow does not see it, and what a run says of those it used."""

import importlib.util
import os
import platform
import shutil
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

_ROOT = Path("/")
_QUERY = ("nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader,nounits")


def why_not_used(tensorflow: ModuleType) -> str:
    """Returns what to do so that TensorFlow uses the NVIDIA GPU of this machine; empty if it does, or there is none.

    A GPU that `CUDA_VISIBLE_DEVICES` hides is not missed.
    """
    hidden = os.environ.get("CUDA_VISIBLE_DEVICES", "0").strip() in ("", "-1")
    what_to_do = "" if hidden else _what_to_do()
    if not what_to_do or tensorflow.config.list_physical_devices("GPU"):
        return ""
    return f"NVIDIA's driver is here, but TensorFlow sees no GPU: {what_to_do}, or pass --device cpu"


def _what_to_do() -> str:
    if platform.system() == "Windows":
        return "on Windows it uses a GPU in WSL 2 only; work there" if shutil.which(_QUERY[0]) else ""
    device = any(_ROOT.glob("dev/nvidia[0-9]*")) or (_ROOT / "usr/lib/wsl/lib/nvidia-smi").exists()
    if not device:
        driver = (_ROOT / "proc/driver/nvidia/version").exists()
        return "give it to this container (docker run --gpus all)" if driver else ""
    if importlib.util.find_spec("nvidia") is None:  # the packages that have CUDA's libraries and cuDNN
        return "pip install 'tensorflow[and-cuda]'"
    return "look for an old driver, or another CUDA in LD_LIBRARY_PATH"


def gpus_used(model: Any) -> dict[str, Any]:
    """Returns what computes a model, ready for JSON.

    Returns:
        "gpus": a dict for each GPU that TensorFlow uses: "name", "memory_mib" and "compute_capability" ("8.0"); a value
        is None where neither TensorFlow nor `nvidia-smi` tells. "cudnn": whether the model reads its sentences with
        NVIDIA's recurrent layers; a Transformer has none.
    """
    import tensorflow as tf

    details = [tf.config.experimental.get_device_details(gpu) for gpu in tf.config.get_visible_devices("GPU")]
    memory = _memory_by_name() if details else {}
    gpus = [
        {
            "name": gpu.get("device_name"),
            "memory_mib": memory.get(gpu.get("device_name", "")),
            "compute_capability": ".".join(map(str, gpu.get("compute_capability", ()))) or None,
        }
        for gpu in details
    ]
    cudnn = bool(getattr(getattr(model, "encoder", None), "cudnn", False)) and tf.test.is_built_with_cuda()
    return {"gpus": gpus, "cudnn": cudnn}


def _memory_by_name() -> dict[str, int]:
    """Returns the memory of each model of GPU in this machine, in MiB; TensorFlow does not tell."""
    try:
        lines = subprocess.run(_QUERY, capture_output=True, text=True, timeout=10, check=True).stdout.splitlines()
    except (OSError, subprocess.SubprocessError):
        return {}
    rows = [line.rpartition(",") for line in lines]
    return {name.strip(): int(memory) for name, _, memory in rows if memory.strip().isdigit()}


def lines_of(used: dict[str, Any]) -> list[str]:
    """Returns a line for each GPU of `gpus_used`."""
    lines = []
    for gpu in used["gpus"]:
        memory = f"{gpu['memory_mib']:,} MiB" if gpu["memory_mib"] else ""
        capability = f"compute capability {gpu['compute_capability']}" if gpu["compute_capability"] else ""
        cudnn = "cuDNN's recurrent layers" if used["cudnn"] else "no recurrent layers of cuDNN"
        lines.append(", ".join(filter(None, (gpu["name"] or "a GPU", memory, capability, cudnn))))
    return lines
