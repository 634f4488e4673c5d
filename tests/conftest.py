"""Small things that several test modules share."""

import gc
import logging
import os
import signal
from html.parser import HTMLParser

import pytest

from nmt_attention.runs.machine import show_messages

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("MPLBACKEND", "agg")
# Traced graphs are very many objects, which the collector would otherwise look through again and again.
gc.set_threshold(200_000, 20, 100)
# Shells have background jobs ignore Ctrl-C, and their children with them; tests of it want it heard.
signal.signal(signal.SIGINT, signal.default_int_handler)

_VOID = {"meta", "br", "img", "input"}  # tags that are never closed


class HtmlReader(HTMLParser):
    """Reads a piece of HTML strictly: every tag closed, in order. Keeps tags, their attributes and their text."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.found, self.open = [], []
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        assert len(names) == len(set(names)), f"{tag} has an attribute twice: {names}"
        self.found.append([tag, dict(attributes), ""])
        if tag not in _VOID:
            self.open.append(len(self.found) - 1)

    def handle_endtag(self, tag):
        assert self.found[self.open.pop()][0] == tag

    def handle_data(self, data):
        if self.open:
            self.found[self.open[-1]][2] += data
        else:
            assert not data.strip()

    def all(self, tag):
        return [(attributes, text) for name, attributes, text in self.found if name == tag]


@pytest.fixture(autouse=True)
def messages():
    """Shows log messages on standard error, as the command line and the lessons do; some lessons keep back the rest."""
    show_messages()
    logging.getLogger("nmt_attention.preprocess.preprocessor").setLevel(logging.NOTSET)


@pytest.fixture
def read_html():
    return HtmlReader


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Lets workers send what tests have logged, also of bytes that are no text."""
    report = yield
    report.sections = [(title, text.encode("utf-8", "backslashreplace").decode()) for title, text in report.sections]
    return report
