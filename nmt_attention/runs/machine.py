"""The machine that a run computes on: TensorFlow's import, devices, precision, versions, signals and log messages."""

import contextlib
import gc
import importlib.metadata
import logging
import os
import platform
import re
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

_DRIVER = Path("/proc/driver/nvidia/version")
DEVICE = "NMT_ATTENTION_DEVICE"  # environment variable: "cpu" leaves GPUs alone; `--device` sets it

logger = logging.getLogger(__name__)


def import_tensorflow(look_for_devices: bool = True) -> None:
    """Imports TensorFlow without the lines that its C++ part logs about processors, unless the import fails.

    A GPU's memory is taken as it is needed. With several workers TensorFlow must do nothing, not even look for devices,
    before their strategy is made.
    """
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("TF_FORCE_GPU_ALLOW_GROWTH", "true")  # else all of it at once, and a second notebook has none
    stderr, collecting, first = os.dup(2), gc.isenabled(), "tensorflow" not in sys.modules
    gc.disable()  # TensorFlow makes half a million objects that stay: to look through them again takes a second or two
    with tempfile.TemporaryFile() as log:
        os.dup2(log.fileno(), 2)
        try:
            with _hidden("matplotlib"):  # which Keras would import for plots of its own: a tenth of the seconds
                import tensorflow

            if first:
                gc.freeze()
            gpu_is_missed = _choose_device(tensorflow, look_for_devices)
            if look_for_devices:
                tensorflow.zeros(())
        except Exception:  # not Ctrl-C, which the lines do not explain
            log.seek(0)
            os.write(stderr, log.read())
            raise
        finally:
            if collecting:
                gc.enable()
            os.dup2(stderr, 2)
            os.close(stderr)
    if gpu_is_missed:  # said only here, because the lines before went to the log
        how = "pip install 'tensorflow[and-cuda]', or see docs/devices.md, or pass --device cpu"
        logger.warning("NVIDIA's driver is here, but TensorFlow sees no GPU: %s", how)


@contextlib.contextmanager
def _hidden(module: str) -> Iterator[None]:
    """Lets imports of a module that is not loaded yet fail for a while, as if it were not installed."""
    hide = module not in sys.modules
    if hide:
        sys.modules[module] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        if hide:
            del sys.modules[module]


def _choose_device(tensorflow: ModuleType, look_for_devices: bool) -> bool:
    """Hides the GPUs if the CPU was chosen; returns whether NVIDIA's driver is there, but no GPU is used."""
    if os.environ.get(DEVICE) == "cpu":
        tensorflow.config.set_visible_devices([], "GPU")
        return False
    hidden = os.environ.get("CUDA_VISIBLE_DEVICES", "0").strip() in ("", "-1")
    if hidden or not look_for_devices or tensorflow.config.list_physical_devices("GPU"):
        return False
    return bool(shutil.which("nvidia-smi")) or _DRIVER.exists()


def _visible_gpus() -> list[dict[str, Any]]:
    """Returns what TensorFlow tells of each GPU that it uses."""
    import tensorflow as tf

    return [tf.config.experimental.get_device_details(gpu) for gpu in tf.config.get_visible_devices("GPU")]


def gpus_used(model: Any) -> dict[str, Any]:
    """Returns the GPUs that compute a `Seq2Seq`, and whether cuDNN's recurrent layers read its sentences, for JSON."""
    import tensorflow as tf

    gpus = [(gpu.get("device_name"), ".".join(map(str, gpu.get("compute_capability", ())))) for gpu in _visible_gpus()]
    cudnn = getattr(model.encoder, "cudnn", False) and tf.test.is_built_with_cuda()
    return {"gpus": [{"name": n, "compute_capability": c or None} for n, c in gpus], "cudnn": cudnn}


def resolve_precision(precision: str) -> str:
    """Returns the Keras dtype policy: for "auto" bfloat16 if the GPUs, or else the CPU, support it."""
    if precision != "auto":
        return precision
    gpus = _visible_gpus()
    if gpus:
        ampere_or_later = all(gpu.get("compute_capability", (0, 0)) >= (8, 0) for gpu in gpus)
        return "mixed_bfloat16" if ampere_or_later else "float32"
    limit = os.environ.get("ONEDNN_MAX_CPU_ISA", "").upper()  # TensorFlow's products stop the process beyond it
    if re.fullmatch(r"SSE41|AVX|AVX2(_VNNI(_2)?)?|AVX512_CORE(_VNNI)?", limit):
        return "float32"
    flags = _processor("flags").split()
    return "mixed_bfloat16" if {"avx512_bf16", "amx_bf16"} & set(flags) else "float32"


def processor_name() -> str:
    """Returns the processor's name, empty if the system does not report it."""
    return _processor("model name") or platform.processor()


def _processor(key: str) -> str:
    """Returns the value that Linux reports for a key of the first processor, else an empty text."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return next((line.partition(":")[2].strip() for line in lines if line.partition(":")[0].strip() == key), "")


def installed_versions(packages: Iterable[str]) -> dict[str, str]:
    """Returns a dict of the versions of Python and of those packages that are installed."""
    installed = {d.metadata["Name"]: d.version for d in importlib.metadata.distributions()}
    return {"python": platform.python_version(), **{n: installed[n] for n in packages if n in installed}}


class TrainingInterrupted(KeyboardInterrupt):
    """A training was asked to stop by the signal `number`, and has saved its progress; the message says where."""

    def __init__(self, message: str, number: int) -> None:
        super().__init__(message)
        self.number = number


@contextlib.contextmanager
def catch_stop_signals() -> Iterator[list[int]]:
    """Context manager: SIGINT and SIGTERM are added to the list that it returns, and no longer end the process.

    The second time, a signal has its former effect. A signal that is ignored, as shells have background jobs ignore
    Ctrl-C, stays ignored. Threads other than the main one cannot handle signals; in these the list stays empty.
    """
    noted: list[int] = []
    in_main_thread = threading.current_thread() is threading.main_thread()
    before = {n: signal.getsignal(n) or signal.SIG_DFL for n in (signal.SIGINT, signal.SIGTERM) if in_main_thread}

    def note(number: int, frame: FrameType | None) -> None:
        noted.append(number)
        signal.signal(number, before[signal.Signals(number)])
        with contextlib.suppress(BrokenPipeError):  # Ctrl-C has ended the reader as well, perhaps `tee`
            name = signal.Signals(number).name
            logger.warning("\n%s: stopping after this step; repeat to stop without saving", name)

    try:
        for number, handler in before.items():
            if handler != signal.SIG_IGN:
                signal.signal(number, note)
        yield noted
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# Characters that a terminal executes instead of showing them: controls, line separators, changes of writing direction;
# and what no stream can write.
_OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_SECONDS_BETWEEN = 30.0  # lines of progress in a file


def visible(text: str) -> str:
    r"""Returns a text with `\u009b` and the like for characters that control a terminal; JSON keeps its meaning."""
    return _OBEYED.sub(escaped, text)


def escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def show_messages() -> None:
    """Shows what the package logs from INFO on. Without this, Python shows only warnings.

    A record with `transient=True`, such as the progress within an epoch, is a line that the next one replaces on a
    terminal; elsewhere one appears every 30 seconds.
    """
    logger = logging.getLogger("nmt_attention")
    logger.setLevel(logging.INFO)
    logger.propagate = False  # other handlers, such as the root logger's, would show every line again
    others = [handler for handler in logger.handlers if not isinstance(handler, _StandardError)]
    logger.handlers[:] = [*others, _StandardError()]  # a new one: the seconds between lines are counted from here


def clear_progress() -> None:
    """Takes a line of progress off the terminal, before something else than a log message is written there."""
    for handler in logging.getLogger("nmt_attention").handlers:
        if isinstance(handler, _StandardError) and handler.replaceable:
            handler.replaceable = False
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


class _StandardError(logging.Handler):
    """Writes to the current `sys.stderr`; errors of writing are raised, so that a closed pipe ends a command."""

    def __init__(self) -> None:
        super().__init__()
        if os.name == "nt":
            os.system("")  # has the console obey \x1b[K, where it would show it
        self.shown = time.perf_counter()
        self.replaceable = False

    def emit(self, record: logging.LogRecord) -> None:
        transient, terminal = getattr(record, "transient", False), sys.stderr.isatty()
        now = time.perf_counter()
        if transient and not terminal:
            if now - self.shown < _SECONDS_BETWEEN:
                return
            self.shown = now
        start = "\r\x1b[K" if terminal and (transient or self.replaceable) else ""
        self.replaceable = terminal and transient
        print(
            f"{start}{visible(record.getMessage())}", end="" if self.replaceable else "\n", file=sys.stderr, flush=True
        )
