"""Where the corpus comes from: named, cached, downloaded from a server on this machine, or embedded."""

import http.server
import re
import threading
from unittest.mock import Mock

import pytest
from command_line import call, names, zip_of

from nmt_attention.corpus import Pair
from nmt_attention.disk import fetch
from nmt_attention.disk.fetch import download_anki, find_corpus, load_corpus

PAIRS = [Pair("Help Tom!", "トムを助けて！", "#1 #2"), Pair("She reads a book.", "ती पुस्तक वाचते.", "#3 #4")]
TEXT = "".join("\t".join(pair) + "\n" for pair in PAIRS).encode()
ANKI = zip_of({"mar.txt": TEXT, "_about.txt": b"CC-BY 2.0 (France)"})


def write(path, data):
    path.write_bytes(data)
    return path


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    """The directory of downloads; no corpus is named by the environment."""
    monkeypatch.delenv("NMT_ATTENTION_CORPUS", raising=False)
    monkeypatch.setattr(fetch, "DOWNLOAD_DIRECTORY", tmp_path / "data")
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


def test_the_corpus_is_found_where_the_nearest_word_says(data, tmp_path, monkeypatch):
    monkeypatch.setattr(fetch, "download_anki", lambda language: tmp_path / f"downloaded-{language}.zip")
    assert find_corpus() == tmp_path / "downloaded-mar.zip"
    cached = write(data / "mar-eng.zip", ANKI)
    assert find_corpus() == cached and load_corpus() == PAIRS
    assert find_corpus(language="fra") == tmp_path / "downloaded-fra.zip"
    named = write(tmp_path / "named.tsv", TEXT)
    monkeypatch.setenv("NMT_ATTENTION_CORPUS", str(named))
    assert find_corpus() == named
    given = write(tmp_path / "given.tsv", TEXT)
    assert find_corpus(given) == find_corpus(str(given)) == given
    monkeypatch.setenv("NMT_ATTENTION_CORPUS", "phrasebook")
    assert find_corpus() == find_corpus("phrasebook")
    assert ("I like tea.", "मला चहा आवडतो.") in [pair[:2] for pair in load_corpus()]


def test_a_corpus_that_was_named_but_is_missing_is_an_error(data, tmp_path, monkeypatch):
    write(data / "mar-eng.zip", ANKI)
    monkeypatch.setenv("NMT_ATTENTION_CORPUS", str(tmp_path / "none.tsv"))
    with pytest.raises(FileNotFoundError, match=r"NMT_ATTENTION_CORPUS.*none\.tsv"):
        find_corpus()
    with pytest.raises(FileNotFoundError, match=r"^no such file: .*other\.tsv"):
        find_corpus(tmp_path / "other.tsv")
    with pytest.raises(
        ValueError, match=r"^language: NMT_ATTENTION_CORPUS names .*none\.tsv; unset it to train on fra"
    ):
        find_corpus(language="fra")


def test_where_no_corpus_can_be_had_one_line_says_so_and_the_phrasebook_is_used(monkeypatch, capsys):
    monkeypatch.setattr(fetch, "download_anki", Mock(side_effect=OSError("mar-eng.zip: no route to host")))
    assert load_corpus() == load_corpus("phrasebook")
    first, line = capsys.readouterr().err.splitlines()
    assert first.startswith("downloading https://")
    assert all(s in line for s in ("NMT_ATTENTION_CORPUS", "no route to host", "phrasebook", "nmt-attention fetch"))
    with pytest.raises(OSError, match="no route to host"):  # there is no phrasebook of another language
        load_corpus(language="deu")


# --- downloading, from a server on this machine


class Answer(http.server.BaseHTTPRequestHandler):
    """Answers each request with the server's `answer` and notes who asked for what."""

    def do_GET(self):
        self.server.requests.append((self.path, self.headers["User-Agent"]))
        self.server.answer(self)

    def log_message(self, *_):
        pass


def body(data, announced=None):
    def answer(handler):
        handler.send_response(200)
        if announced != 0:
            handler.send_header("Content-Length", str(announced or len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return answer


def silence(handler):
    body(ANKI[:100], len(ANKI))(handler)
    handler.server.closing.wait(20)


@pytest.fixture
def site(monkeypatch):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        server.requests, server.closing = [], threading.Event()
        server.address = f"http://127.0.0.1:{server.server_port}/anki"
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        monkeypatch.setattr(fetch, "SITE", server.address)
        monkeypatch.setenv("no_proxy", "*")
        yield server
        server.closing.set()
        server.shutdown()


@pytest.mark.parametrize("announced", [None, 0])
def test_a_download_keeps_the_zip_and_is_found_again(site, data, announced):
    site.answer = body(zip_of({"jpn.txt": TEXT, "_about.txt": b"CC-BY 2.0 (France)"}), announced)
    data.rmdir()
    assert call("fetch", "--language", "jpn").out == f"{data / 'jpn-eng.zip'}: 2 pairs\n"
    assert names(data) == ["jpn-eng.zip"] and load_corpus(language="jpn") == PAIRS
    ((address, browser),) = site.requests
    assert address == "/anki/jpn-eng.zip" and browser.startswith("Mozilla/5.0 ")


@pytest.mark.parametrize(
    ("answer", "error", "what"),
    [
        (lambda handler: handler.send_error(404), OSError, ".*404.*--corpus"),
        (silence, OSError, "timed out"),
        (body(ANKI[:100], len(ANKI)), OSError, "100 of"),
        (lambda handler: handler.wfile.write(b"hello\r\n\r\n"), OSError, "mar-eng.zip"),
        (body(b"<html>Hello</html>"), ValueError, "not a readable zip"),
        (body(zip_of({"_about.txt": b""})), ValueError, "found 0"),
    ],
)
def test_a_failed_download_leaves_an_older_one_as_it_was(site, data, monkeypatch, answer, error, what):
    site.answer, path = answer, write(data / "mar-eng.zip", ANKI)
    monkeypatch.setattr(fetch, "_TIMEOUT", 0.1 if answer is silence else 10.0)
    with pytest.raises(error, match=f"{re.escape(site.address)}/.*{what}"):
        download_anki()
    assert names(data) == [path.name] and path.read_bytes() == ANKI


@pytest.mark.parametrize("language", ["", "MAR", "mar\n", "../mar"])
def test_a_bad_language_code_is_an_error_before_anything_is_asked(site, data, language):
    with pytest.raises(ValueError, match="language"):
        download_anki(language)
    assert site.requests == [] and names(data) == []
