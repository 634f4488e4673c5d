"""Keras beside the package: another project's backend, imports in any order, and Keras' own files and methods."""

import os
import subprocess
import sys
import warnings
from pathlib import Path

import keras
import pytest

from nmt_attention import ModelConfig, Seq2Seq

SMALL = ModelConfig(9, 9, units=4, embedding_units=4)
ROOT = Path(__file__).parents[3]
MODULE, COMMAND = (
    ["-m", "nmt_attention"],
    ["-c", "import sys; from nmt_attention.cli.main import main; sys.exit(main())"],
)
LOAD = "print(type(keras.models.load_model(sys.argv[1])).__module__)"
RESTART = "Keras was imported with the backend {}, but nmt_attention needs tensorflow: restart Python or the kernel"
NOTEBOOK = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
for cell in ("import keras", "import nmt_attention", "import nmt_attention"):  # the last one is tried again
    result = shell.run_cell(cell, silent=True)
    print("##", type(result.error_in_exec).__name__, result.error_in_exec)
"""


def python(*arguments, **environment):
    """Runs Python in a new process, in the repository; returns the finished process."""
    clean = {key: value for key, value in os.environ.items() if key not in ("KERAS_BACKEND", "KERAS_HOME")}
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(
        command, env=clean | environment, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False
    )


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A small model in Keras' own file."""
    path = tmp_path_factory.mktemp("saved") / "model.keras"
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "__array__ implementation", DeprecationWarning)  # Keras, with newer NumPys
        Seq2Seq(SMALL).save(path)
    return path


@pytest.mark.parametrize(
    ("lines", "backend"),
    [
        ("import keras, nmt_attention", "tensorflow"),
        ("import nmt_attention, keras", "jax"),
        (
            "import nmt_attention, os, importlib.util; importlib.util.find_spec('keras'); "
            "os.environ['KERAS_BACKEND'] = 'torch'; import keras",
            "tensorflow",
        ),
    ],
)
def test_keras_loads_its_own_file_of_a_model_once_the_package_is_imported(saved, lines, backend):
    done = python("-c", f"import sys; {lines}; {LOAD}", saved, KERAS_BACKEND=backend)
    assert done.stdout == "nmt_attention.model\n", done.stderr


def test_a_file_of_an_earlier_version_loads():
    registered = keras.saving.get_registered_object("nmt_attention>Seq2Seq")
    assert registered.from_config(Seq2Seq(SMALL).get_config()).config == SMALL


def test_without_that_import_the_error_names_it(saved):
    done = python("-c", f"import sys, keras; {LOAD}", saved, KERAS_BACKEND="tensorflow")
    assert done.returncode == 1 and "Could not locate class 'Seq2Seq'" in done.stderr
    assert "'registered_name': 'import nmt_attention>Seq2Seq'" in done.stderr


@pytest.mark.parametrize(
    ("method", "instead"),
    [
        ("fit", r"use train_model, or fit keras\.Model\(inputs, logits\)"),
        ("export", "the command `nmt-attention export`"),
    ],
)
def test_what_keras_does_with_other_models_names_what_to_use(method, instead, tmp_path):
    model = Seq2Seq(SMALL)
    with pytest.raises(NotImplementedError, match=f"^Seq2Seq.{method}: {instead}.*$"):
        getattr(model, method)(tmp_path / "exported")


def test_keras_exports_the_call_with_a_signature(tmp_path):
    import tensorflow as tf

    model = Seq2Seq(SMALL)
    ids = [tf.constant([[5, 6]]), tf.constant([[1, 7, 8]])]
    signature = [keras.InputSpec(shape=(None, None), dtype="int32", name=name) for name in ("source_ids", "target_in")]
    model.export(tmp_path / "exported", input_signature=signature, verbose=False)
    exported = tf.saved_model.load(tmp_path / "exported")  # the function does not keep the weights alive
    logits, weights = exported.serve(*ids)
    for one, other in zip(model(*ids), (logits, weights), strict=True):
        assert one.numpy() == pytest.approx(other.numpy(), abs=1e-6)


@pytest.mark.parametrize(("wish", "start"), [("jax", MODULE), ("torch", COMMAND), ("file", COMMAND)])
def test_another_project_s_backend_is_not_used_by_the_commands(trained, tmp_path, wish, start):
    (tmp_path / "keras.json").write_text('{"backend": "torch"}' if wish == "file" else "{}", encoding="utf-8")
    environment = {"KERAS_HOME": str(tmp_path)} | ({} if wish == "file" else {"KERAS_BACKEND": wish})
    done = python(*start, "translate", "--run", trained.run, "Rahul drinks tea.", **environment)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.strip()


@pytest.mark.parametrize("first", ["NoneType", "ModuleNotFoundError"])
def test_keras_that_has_another_backend_already_is_refused_in_a_notebook(tmp_path, first):
    """Whether its import has succeeded, here that of a stand-in, or failed, because jax is not installed."""
    (tmp_path / "keras").mkdir()
    (tmp_path / "keras" / "__init__.py").write_text("import keras.backend", encoding="utf-8")
    (tmp_path / "keras" / "backend.py").write_text("def backend():\n    return 'jax'", encoding="utf-8")
    path = f"sys.path.insert(0, {str(tmp_path)!r})" if first == "NoneType" else "sys.modules['jax'] = None"
    done = python("-c", f"import sys; {path}\n{NOTEBOOK}", KERAS_BACKEND="jax")
    lines = [line.removeprefix("## ") for line in done.stdout.splitlines() if line.startswith("## ")]
    assert len(lines) == 3 and lines[0].startswith(first), done.stdout + done.stderr
    assert all(line.startswith(f"ImportError {RESTART.format('jax')}") for line in lines[1:])
