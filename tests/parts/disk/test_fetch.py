"""Where the corpus comes from: named, cached, downloaded from a server on this machine, or embedded."""

import http.server
import re
import threading

import pytest
from command_line import call, zip_of

from nmt_attention.corpus import Pair
from nmt_attention.disk import fetch
from nmt_attention.disk.fetch import download_anki, find_corpus, load_corpus
from nmt_attention.disk.pairs import read_pairs

PAIRS = [Pair("Help Tom!", "トムを助けて！", "#1 #2"), Pair("She reads a book.", "ती पुस्तक वाचते.", "#3 #4")]
LICENCE = b"About these files: CC-BY 2.0 (France).\n"
TEXT = "".join("\t".join(pair) + "\n" for pair in PAIRS).encode()
ANKI = zip_of({"mar.txt": TEXT, "_about.txt": LICENCE})


def write(path, data):
    path.write_bytes(data)
    return path


def names(directory):
    return sorted(path.name for path in directory.iterdir())


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
    with pytest.raises(ValueError, match=r"^language: NMT_ATTENTION_CORPUS names .*none\.tsv"):
        find_corpus(language="fra")


def test_where_no_corpus_can_be_had_one_line_says_so_and_the_phrasebook_is_used(monkeypatch, capsys):
    def no_network(language):
        raise OSError("mar-eng.zip: no route to host")

    monkeypatch.setattr(fetch, "download_anki", no_network)
    assert load_corpus() == load_corpus("phrasebook")
    first, line = capsys.readouterr().err.splitlines()
    assert first.startswith("downloading https://")
    assert all(s in line for s in ("NMT_ATTENTION_CORPUS", "no route to host", "phrasebook", "nmt-attention fetch"))
    with pytest.raises(OSError, match="no route to host"):  # there is no phrasebook of another language
        load_corpus(language="deu")


# --- downloading, from a server on this machine


class Site(http.server.ThreadingHTTPServer):
    """Answers each request with the next of `answers` and notes who asked for what."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.answers, self.requests, self.closing = [], [], threading.Event()
        self.address = f"http://127.0.0.1:{self.server_address[1]}/anki"


class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.requests.append((self.path, self.headers["User-Agent"]))
        self.close_connection = True
        self.server.answers[len(self.server.requests) - 1](self)

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


def status(code):
    return lambda handler: handler.send_error(code)


def silence(handler):
    body(ANKI[:100], len(ANKI))(handler)
    handler.server.closing.wait(20)


def nonsense(handler):
    handler.wfile.write(b"hello\r\n\r\n")


@pytest.fixture
def site(monkeypatch):
    server = Site()
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    monkeypatch.setattr(fetch, "SITE", server.address)
    monkeypatch.setenv("no_proxy", "*")
    yield server
    server.closing.set()
    server.shutdown()
    server.server_close()


def test_a_download_keeps_the_zip_and_its_licence_and_is_found_again(site, data):
    site.answers = [body(zip_of({"jpn.txt": TEXT, "_about.txt": LICENCE}))]
    data.rmdir()
    assert call("fetch", "--language", "jpn").out == f"{data / 'jpn-eng.zip'}: 2 pairs\n"
    assert names(data) == ["jpn-eng.zip", "jpn-eng_about.txt"]
    assert (data / "jpn-eng_about.txt").read_bytes() == LICENCE
    assert load_corpus(language="jpn") == PAIRS
    ((address, browser),) = site.requests
    assert address == "/anki/jpn-eng.zip" and browser.startswith("Mozilla/5.0 ")


@pytest.mark.parametrize(
    "answers",
    [
        [body(zip_of({"mar.txt": TEXT}), announced=0)],  # without length or licence
        [status(500), status(503), body(ANKI)],
        [body(ANKI, announced=10_000), body(ANKI)],  # the first is cut short
    ],
)
def test_a_download_succeeds_as_soon_as_a_whole_zip_has_come(site, answers):
    site.answers = answers
    assert read_pairs(download_anki(pause=0.01)) == PAIRS
    assert len(site.requests) == len(answers)


@pytest.mark.parametrize(
    ("answer", "error", "what", "requests"),  # what the error says, and how often is asked
    [
        (status(404), OSError, ".*404.*--corpus", 1),
        (status(500), OSError, ".*500.*--corpus", 2),
        (silence, OSError, "timed out", 2),
        (body(ANKI[:100], len(ANKI)), OSError, "100 of", 2),
        (body(ANKI + bytes(1000), 0), OSError, "more than 1,000", 2),
        (nonsense, OSError, "mar-eng.zip", 2),
        (body(b"<html>Hello</html>"), ValueError, "not a readable zip", 1),
        (body(zip_of({"_about.txt": LICENCE})), ValueError, "found 0", 1),
        (body(ANKI[:60] + b"\xff" * 9 + ANKI[69:]), ValueError, "zip", 1),
    ],
)
def test_a_failed_download_leaves_an_older_one_as_it_was(site, data, monkeypatch, answer, error, what, requests):
    site.answers, path = [answer] * 4, write(data / "mar-eng.zip", ANKI)
    monkeypatch.setattr(fetch, "MAX_BYTES", 1000)
    with pytest.raises(error, match=f"{re.escape(site.address)}/.*{what}"):
        download_anki(timeout=0.1 if answer is silence else 10.0, attempts=2, pause=0.01)
    assert len(site.requests) == requests and names(data) == [path.name] and path.read_bytes() == ANKI


def test_a_server_that_is_not_there_is_an_error_that_says_what_to_do(data, monkeypatch):
    with Site() as closed:
        monkeypatch.setattr(fetch, "SITE", closed.address)  # after this block nobody listens at its port
    with pytest.raises(OSError, match=rf"{re.escape(closed.address)}.*--corpus"):
        download_anki(attempts=2, pause=0.01)
    assert names(data) == []


@pytest.mark.parametrize("language", ["", "mr", "MAR", "mar\n", "../mar", "म"])
def test_a_bad_language_code_is_an_error_before_anything_is_asked(site, data, language):
    with pytest.raises(ValueError, match="language"):
        download_anki(language)
    assert site.requests == [] and names(data) == []
