"""Keras wherever the package is imported: it runs on TensorFlow, and reads this package's models from `.keras` files.

`nmt_attention/__init__.py` calls `prepare`, which imports neither Keras nor TensorFlow, because `--help` needs neither.
"""

import functools
import os
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

_NAMES = ("import nmt_attention>Seq2Seq", "nmt_attention>Seq2Seq")  # the second is in files of earlier versions


def prepare() -> None:
    """Chooses Keras' backend and registers `Seq2Seq` for `keras.models.load_model`, both before or after its import.

    Raises:
        ImportError: Keras has chosen another backend already; only a new process can change it.
    """
    _choose_backend()
    if sys.modules.get("keras"):
        _register()
    elif _Finder not in sys.meta_path:
        sys.meta_path.insert(0, _Finder)  # type: ignore[arg-type]


def _choose_backend() -> None:
    os.environ["KERAS_BACKEND"] = "tensorflow"  # whatever it, or keras.json, says for other projects
    for name in ("keras.backend", "keras.src.backend.config"):  # the second stays after an import that failed
        backend = getattr(sys.modules.get(name), "backend", lambda: "tensorflow")()
        if backend != "tensorflow":
            raise ImportError(
                f"Keras was imported with the backend {backend}, but nmt_attention needs tensorflow: restart Python or"
                " the kernel, and import nmt_attention before keras, or set KERAS_BACKEND=tensorflow"
            )


def _register() -> None:
    objects = sys.modules["keras"].saving.get_custom_objects()
    for name in _NAMES:
        objects.setdefault(name, _Later)


class _Later:
    """Stands for `Seq2Seq` in Keras' registry until a file asks for it, because that class's module imports Keras."""

    @staticmethod
    def from_config(config: dict[str, Any]) -> Any:
        from ..model import Seq2Seq

        return Seq2Seq.from_config(config)


class _Finder:
    """Notes the import of Keras: chooses the backend before it, and registers the class after it."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path, target) if name == "keras" else None
        if spec and spec.loader:
            spec.loader.exec_module = functools.partial(_import, spec.loader.exec_module)  # type: ignore[method-assign]
        return spec


def _import(execute: Callable[[ModuleType], None], module: ModuleType) -> None:
    _choose_backend()
    execute(module)
    _register()
