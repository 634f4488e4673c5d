"""Models of the Hugging Face Hub, with a stand-in for the package that downloads them."""

import re
import sys
import types

import pytest

from nmt_attention import Translator
from nmt_attention.disk.hub import local_directory


@pytest.fixture
def hub(monkeypatch):
    """Sets what the package's `snapshot_download` returns or raises; None is no package. Returns the calls."""
    calls = []

    def set_up(answer):
        def snapshot_download(name, allow_patterns):
            calls.append((name, allow_patterns))
            if isinstance(answer, Exception):
                raise answer
            return str(answer)

        module = types.SimpleNamespace(snapshot_download=snapshot_download)
        monkeypatch.setitem(sys.modules, "huggingface_hub", module if answer is not None else None)
        return calls

    return set_up


def test_a_translator_is_loaded_from_the_hub(trained, hub):
    calls = hub(trained.run)
    (there,) = Translator.load("hf://owner/name.v1").translate(["Rahul drinks tea."])
    (here,) = Translator.load(trained.run).translate(["Rahul drinks tea."])
    ((name, patterns),) = calls  # and none for the directory
    assert (name, there.text) == ("owner/name.v1", here.text) and {"*.json", "*.npz", "NOTICE"} <= set(patterns)


@pytest.mark.parametrize(
    ("address", "answer", "kind", "message"),
    [
        ("hf://owner/name", None, ModuleNotFoundError, "hf://owner/name: this needs huggingface_hub: pip install "),
        ("hf://owner/name", Exception("404\nNot Found"), OSError, "hf://owner/name: 404 Not Found"),
        ("hf://owner/name", ModuleNotFoundError("hf_xet"), OSError, "hf://owner/name: hf_xet"),
        ("hf://owner", "", ValueError, "hf://owner: expected hf://owner/name"),
        ("hf://owner/name/file", "", ValueError, "hf://owner/name/file: expected hf://owner/name"),
    ],
)
def test_an_address_that_leads_nowhere_is_named(hub, address, answer, kind, message):
    hub(answer)
    with pytest.raises(kind, match=f"^{re.escape(message)}") as error:
        local_directory(address)
    assert "\n" not in str(error.value)
