"""What a traced graph would do on a GPU, read from TensorFlow's registry of kernels: its wheel for Linux has them all.

Neither a GPU nor its driver is needed. `faked_gpu` makes Keras trace cuDNN's recurrent layers, which cannot run here.
"""

import collections
import contextlib
import functools
from typing import NamedTuple

import pytest
import tensorflow as tf
from tensorflow.core.framework import types_pb2
from tensorflow.python.framework import kernels, op_def_registry

LOOPS = ("While", "StatelessWhile")
CALLS = ("PartitionedCall", "StatefulPartitionedCall", "If", "StatelessIf", *LOOPS)  # they run what they call


class Node(NamedTuple):
    """An operation of a graph, `function` in which it is, and whether that runs once per step of a loop."""

    op: str
    types: str
    function: str
    in_loop: bool


@contextlib.contextmanager
def faked_gpu():
    """Has TensorFlow report a GPU, so that models are made and traced for one."""
    with pytest.MonkeyPatch.context() as patch:
        visible = tf.config.get_visible_devices
        patch.setattr(tf.config, "get_visible_devices", lambda kind=None: [kind] if kind == "GPU" else visible(kind))
        patch.setattr(tf.config, "list_logical_devices", lambda kind=None: [kind])
        patch.setattr(tf.config.experimental, "get_device_details", lambda gpu: {"compute_capability": (8, 0)})
        yield


@functools.cache
def registered(op):
    """Returns the kernels of an operation, those for a GPU first: `DEFAULT` ones run on every device."""
    return [k for kind in ("GPU", "DEFAULT") for k in all_registered(op) if k.device_type == kind]


@functools.cache
def all_registered(op):
    return list(kernels.get_registered_kernels_for_op(op).kernel)


def gpu_kernel(node):
    """Returns the kernel that runs a node on a GPU, or None."""
    for kernel in registered(node.op):
        wanted = ((c.name, c.allowed_values.list.type) for c in kernel.constraint if c.name in node.attr)
        if all(not types or node.attr[name].type in types for name, types in wanted):
            return kernel
    return None


def functions_of(graph):
    """Returns the nodes of each function of a graph by its name; "" is the graph itself."""
    return {"": list(graph.node), **{f.signature.name: list(f.node_def) for f in graph.library.function}}


def loops_of(functions):
    """Returns the names of the functions that run once per step of a loop, directly or called by one that does."""
    found, called = set(), []
    for nodes in functions.values():
        called += [node.attr[part].func.name for node in nodes if node.op in LOOPS for part in ("body", "cond")]
    while called:
        name = called.pop()
        if name in functions and name not in found:
            found.add(name)
            called += [value.func.name for node in functions[name] for value in node.attr.values() if value.func.name]
    return found


def without_kernel(graph):
    """Counts the nodes of a graph that no GPU can run, as `Node`s, the functions' names without their numbers."""
    functions, found = functions_of(graph), collections.Counter()
    loops = loops_of(functions)
    for name, nodes in functions.items():
        for node in nodes:
            if all_registered(node.op) and not gpu_kernel(node):  # what has no kernel at all calls a function
                types = [types_pb2.DataType.Name(v.type)[3:].lower() for _, v in sorted(node.attr.items()) if v.type]
                found[Node(node.op, " ".join(types), name.rstrip("_0123456789"), name in loops)] += 1
    return found


def ops(graph):
    """Counts the operations of a graph, those of its functions included."""
    return collections.Counter(node.op for nodes in functions_of(graph).values() for node in nodes)


class Copy(NamedTuple):
    """A tensor that the host makes and the device reads, or the other way round, at every step of a loop."""

    way: str  # "to device" or "to host"
    made_by: str  # an operation, or "loop" for what the step before has made
    read_by: str
    dtype: str


def copies_in_loops(graph):
    """Counts the tensors that are copied between host and device at every step of a graph's loops, as `Copy`s.

    Kernels for GPUs read and write small integers, such as shapes and counters, in the host's memory. So does what no
    GPU can compute.
    """
    functions = {f.signature.name: f for f in graph.library.function}
    found = collections.Counter()
    for name in loops_of(functions_of(graph)):
        found += _copies_in(functions[name])
    return found


def _copies_in(function):
    made = {arg.name: ("loop", arg.type, _passed(arg.type)) for arg in function.signature.input_arg}
    for node in function.node_def:
        for arg, index, dtype, memory in _arguments(node, "output_arg"):
            made[f"{node.name}:{arg}:{index}"] = node.op, dtype, memory
    read = [(function.ret[arg.name], "loop", _passed(arg.type)) for arg in function.signature.output_arg]
    for node in function.node_def:
        sources = [source for source in node.input if not source.startswith("^")]
        for source, (_, _, _, memory) in zip(sources, _arguments(node, "input_arg"), strict=True):
            read.append((source, node.op, memory))
    found = collections.Counter()
    for source, reader, memory in read:
        maker, dtype, made_in = made[source]
        if made_in != memory and dtype not in (types_pb2.DT_RESOURCE, types_pb2.DT_VARIANT):
            found[Copy(f"to {memory}", maker, reader, types_pb2.DataType.Name(dtype)[3:].lower())] += 1
    return found


def _passed(dtype):
    """Returns where functions and loops pass a value of a type on: 32-bit integers through the host."""
    return "host" if dtype == types_pb2.DT_INT32 else "device"


def _arguments(node, side):
    """Yields for each input or output of a node its argument, number in it, type, and memory on a GPU."""
    kernel = gpu_kernel(node)
    for arg in getattr(op_def_registry.get(node.op), side):
        if arg.type_list_attr:
            dtypes = node.attr[arg.type_list_attr].list.type
        else:
            dtype = arg.type or node.attr[arg.type_attr].type
            dtypes = [dtype] * (node.attr[arg.number_attr].i if arg.number_attr else 1)
        for index, dtype in enumerate(dtypes):
            if node.op in CALLS:
                memory = _passed(dtype)
            else:
                memory = "device" if kernel and arg.name not in kernel.host_memory_arg else "host"
            yield arg.name, index, dtype, memory
