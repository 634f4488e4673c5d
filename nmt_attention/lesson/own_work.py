"""Whether an answer is a learner's own work, or borrows the part of this package that it was to write."""

import dis
import functools
from collections.abc import Iterator
from types import CellType, CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any

import nmt_attention

PACKAGE = nmt_attention.__name__


def borrowed(answer: Any, *allowed: str) -> str:
    """Returns the name of a part of this package that an answer is or uses, or "" if there is none.

    It follows the names that the code reads, into imports, base classes, containers, and the learner's other functions
    and classes. Numbers of the package, such as `START_ID`, are free.

    Args:
        answer: a function or a class.
        allowed: names of the package that the answer may use.
    """
    seen: list[Any] = []
    return next(_search(answer, None, set(allowed), seen), "")


def _search(value: Any, home: dict[str, Any] | None, allowed: set[str], seen: list[Any]) -> Iterator[str]:
    """Yields what is borrowed; `home` is where the answer's names are, because libraries are not searched."""
    if value is None or any(value is other for other in seen) or getattr(value, "__name__", None) in allowed:
        return
    seen.append(value)
    kind = value if isinstance(value, type | FunctionType) else type(value)
    inside: list[Any] = []
    if _is_ours(kind.__module__):
        yield from {kind.__name__} - allowed
    elif isinstance(value, FunctionType):
        if home is None or value.__globals__ is home:
            home = value.__globals__
            inside = [cell.cell_contents for cell in value.__closure__ or () if cell != CellType()]
            inside += [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
            yield from _in_code(value.__code__, home, allowed, seen)
    elif isinstance(value, type):
        methods = [getattr(part, "fget", getattr(part, "__func__", part)) for part in vars(value).values()]
        inside = [base for base in value.__mro__[1:] if _is_ours(base.__module__)]
        inside += [part for part in methods if isinstance(part, FunctionType)]
    elif isinstance(value, dict | list | tuple | set):
        inside = list(value.values() if isinstance(value, dict) else value)[:100]
    elif isinstance(value, functools.partial):
        inside = [value.func, *value.args, *value.keywords.values()]
    elif isinstance(value, SimpleNamespace):
        inside = list(vars(value).values())
    else:  # a tf.function, a bound method, a learner's object
        inside = [getattr(value, "python_function", None), getattr(value, "__func__", None), type(value)]
    for part in inside:
        yield from _search(part, home, allowed, seen)


def _in_code(code: CodeType, home: dict[str, Any], allowed: set[str], seen: list[Any]) -> Iterator[str]:
    steps = [(step.opname, step.argval) for step in dis.get_instructions(code)]
    read = [home[name] for kind, name in steps if kind == "LOAD_GLOBAL" and name in home]
    imports = any(kind == "IMPORT_NAME" and _is_ours(name) for kind, name in steps)
    if imports or any(isinstance(part, ModuleType) and _is_ours(part.__name__) for part in read):
        used = {name for kind, name in steps if kind in ("IMPORT_FROM", "LOAD_ATTR", "LOAD_METHOD")}
        yield from sorted(used.intersection(nmt_attention.__all__) - allowed)
    if {"__import__", "import_module"} & set(code.co_names) and any(PACKAGE in str(part) for part in code.co_consts):
        yield PACKAGE
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _in_code(part, home, allowed, seen)
    for part in read:
        if not isinstance(part, ModuleType):
            yield from _search(part, home, allowed, seen)


def _is_ours(module: Any) -> bool:
    return str(module).split(".")[0] == PACKAGE
