"""Where the corpus comes from: named, cached, downloaded from a server on this machine, or embedded."""

import http.server
import io
import re
import threading
import zipfile

import pytest
from command_line import call

from nmt_attention.corpus import Pair
from nmt_attention.disk import fetch
from nmt_attention.disk.columns import doubts_about
from nmt_attention.disk.fetch import download_anki, find_corpus, load_corpus
from nmt_attention.disk.pairs import read_pairs
from nmt_attention.preprocess.language import script_of

PAIRS = [Pair("I go to school.", "मी शाळेत जातो.", "#1 #2"), Pair("She reads a book.", "ती पुस्तक वाचते.", "#3 #4")]
LICENCE = b"About these files: CC-BY 2.0 (France).\n"


def as_text(pairs):
    return "".join("\t".join(pair) + "\n" for pair in pairs).encode()


def as_zip(members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():  # without the time of day, so that equal members make equal bytes
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return file.getvalue()


GOOD = as_text(PAIRS[:1])
ANKI = as_zip({"mar.txt": as_text(PAIRS), "_about.txt": LICENCE})


def write(path, data):
    path.write_bytes(data)
    return path


def names(directory):
    return sorted(path.name for path in directory.iterdir())


# --- finding


@pytest.fixture
def places(tmp_path, monkeypatch):
    """A directory for downloads, no corpus named by the environment, and no network."""
    monkeypatch.delenv("NMT_ATTENTION_CORPUS", raising=False)
    monkeypatch.setattr(fetch, "DOWNLOAD_DIRECTORY", tmp_path / "data")
    monkeypatch.setattr(fetch, "download_anki", lambda language: tmp_path / f"downloaded-{language}.zip")
    (tmp_path / "data").mkdir()
    return tmp_path


def test_the_corpus_is_found_where_the_nearest_word_says(places, monkeypatch):
    assert find_corpus() == places / "downloaded-mar.zip"
    assert find_corpus(language="fra") == places / "downloaded-fra.zip"

    cached = write(places / "data" / "mar-eng.zip", ANKI)
    assert find_corpus() == cached and load_corpus() == PAIRS
    assert find_corpus(language="fra") == places / "downloaded-fra.zip"

    named = write(places / "named.tsv", GOOD)
    monkeypatch.setenv("NMT_ATTENTION_CORPUS", str(named))
    assert find_corpus() == named and load_corpus() == PAIRS[:1]

    given = write(places / "given.tsv", as_text(PAIRS[:2]))
    assert find_corpus(given) == find_corpus(str(given)) == given and load_corpus(given) == PAIRS[:2]


def test_a_corpus_that_was_named_but_is_missing_is_an_error(places, monkeypatch):
    write(places / "data" / "mar-eng.zip", ANKI)
    monkeypatch.setenv("NMT_ATTENTION_CORPUS", str(places / "none.tsv"))
    with pytest.raises(FileNotFoundError, match=r"NMT_ATTENTION_CORPUS.*none\.tsv"):
        find_corpus()
    with pytest.raises(FileNotFoundError, match=r"^no such file: .*other\.tsv"):
        find_corpus(places / "other.tsv")
    with pytest.raises(ValueError, match=r"^language: NMT_ATTENTION_CORPUS names .*none\.tsv"):
        find_corpus(language="fra")


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
        answer = self.server.answers[len(self.server.requests)]
        self.server.requests.append((self.path, self.headers["User-Agent"]))
        self.close_connection = True
        answer(self)

    def log_message(self, *_):
        pass


def body(data, announced=None):
    def answer(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(announced or len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    return answer


def status(code):
    return lambda handler: handler.send_error(code)


def silence(handler):
    handler.server.closing.wait(20)


def silence_after_a_part(handler):
    body(ANKI[:100], len(ANKI))(handler)
    handler.server.closing.wait(20)


def broken_chunk(handler):
    handler.protocol_version = "HTTP/1.1"
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    handler.wfile.write(b"1000\r\n" + ANKI[:100])


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


def download(directory, language="mar", timeout=10.0, attempts=4):
    return download_anki(language, directory, timeout=timeout, attempts=attempts, pause=0.01)


def test_a_download_keeps_the_zip_and_its_licence(site, tmp_path, monkeypatch):
    site.answers = [body(ANKI)]
    path = download(tmp_path / "new" / "data")
    assert path == tmp_path / "new" / "data" / "mar-eng.zip"
    assert names(path.parent) == ["mar-eng.zip", "mar-eng_about.txt"]
    assert path.read_bytes() == ANKI and read_pairs(path) == PAIRS
    assert (path.parent / "mar-eng_about.txt").read_bytes() == LICENCE
    ((address, browser),) = site.requests
    assert address == "/anki/mar-eng.zip" and browser.startswith("Mozilla/5.0 ")
    monkeypatch.delenv("NMT_ATTENTION_CORPUS", raising=False)
    monkeypatch.setattr(fetch, "DOWNLOAD_DIRECTORY", path.parent)
    assert load_corpus() == PAIRS and len(site.requests) == 1  # it is looked for where it was put


def without_length_or_licence(handler):
    handler.send_response(200)
    handler.end_headers()
    handler.wfile.write(as_zip({"mar.txt": as_text(PAIRS)}))


@pytest.mark.parametrize(
    "answers",
    [
        pytest.param([without_length_or_licence], id="without length or licence"),
        pytest.param([status(500), status(503), body(ANKI)], id="after two errors of the server"),
        pytest.param([body(ANKI, announced=10_000), body(ANKI)], id="after one that was cut short"),
    ],
)
def test_a_download_succeeds_as_soon_as_a_whole_zip_has_come(site, tmp_path, answers):
    site.answers = answers
    assert read_pairs(download(tmp_path)) == PAIRS
    assert len(site.requests) == len(answers)


FAILURES = [  # the answer, the error and what it says, and how often is asked
    pytest.param(status(404), OSError, ".*404.*--corpus", 1, id="404"),
    pytest.param(status(406), OSError, ".*406.*--corpus", 1, id="406"),
    pytest.param(status(500), OSError, ".*500.*--corpus", 2, id="500"),
    pytest.param(silence, OSError, "timed out", 2, id="silence"),
    pytest.param(silence_after_a_part, OSError, "timed out", 2, id="silence after a part"),
    pytest.param(body(ANKI[:100], len(ANKI)), OSError, "100 of", 2, id="cut short"),
    pytest.param(broken_chunk, OSError, "mar-eng.zip", 2, id="a chunk cut short"),
    pytest.param(nonsense, OSError, "mar-eng.zip", 2, id="not HTTP"),
    pytest.param(body(b"<html>Hello</html>"), ValueError, "not a readable zip", 1, id="not a zip"),
    pytest.param(body(b""), ValueError, "not a readable zip", 1, id="nothing"),
    pytest.param(body(as_zip({"_about.txt": LICENCE})), ValueError, "found 0", 1, id="zip without pairs"),
    pytest.param(body(ANKI[:60] + b"\xff" * 9 + ANKI[69:]), ValueError, "zip", 1, id="damaged zip"),
]


@pytest.mark.parametrize(("answer", "error", "what", "requests"), FAILURES)
def test_a_failed_download_leaves_an_older_one_as_it_was(site, tmp_path, answer, error, what, requests):
    site.answers, path = [answer] * 4, write(tmp_path / "mar-eng.zip", ANKI)
    timeout = 0.1 if answer in (silence, silence_after_a_part) else 10.0
    with pytest.raises(error, match=f"{re.escape(site.address)}/.*{what}"):
        download(tmp_path, timeout=timeout, attempts=2)
    assert len(site.requests) == requests and names(tmp_path) == [path.name] and path.read_bytes() == ANKI


def test_a_download_that_is_too_large_or_a_server_that_is_not_there_is_an_error(site, tmp_path, monkeypatch):
    monkeypatch.setattr(fetch, "MAX_BYTES", 50)
    site.answers = [body(ANKI)]
    with pytest.raises(OSError, match="more than 50"):
        download(tmp_path, attempts=1)
    with Site() as closed:
        monkeypatch.setattr(fetch, "SITE", closed.address)  # after this block nobody listens at its port
    with pytest.raises(OSError, match=rf"{re.escape(closed.address)}.*--corpus"):
        download(tmp_path, attempts=2)
    assert names(tmp_path) == []


@pytest.mark.parametrize("language", ["", "mr", "MAR", "mar\n", "../mar", "marathi", "म"])
def test_a_bad_language_code_is_an_error_before_anything_is_asked(site, tmp_path, language):
    with pytest.raises(ValueError, match="language"):
        download(tmp_path / "data", language)
    assert site.requests == [] and names(tmp_path) == []


# --- other languages

SAMPLES = {  # as the site has them: the third column says whose sentences they are
    "deu": ("Latin", "Hilf Tom!", "Ich weiß nicht, glaube ich.", "„Wo ist der Bahnhof?“"),
    "ara": ("Arabic", "ساعد توم!", "لا أعرف، أظن.", "\u200fأين المحطة؟"),
    "jpn": ("Japanese", "トムを助けて！", "わかりません、たぶん…", "「駅はどこですか？」"),
}
ATTRIBUTION = "CC-BY 2.0 (France) Attribution: tatoeba.org #1 (one) & #2 (other)"


@pytest.mark.parametrize("language", SAMPLES)
def test_other_languages_are_fetched_read_and_found_again(site, tmp_path, monkeypatch, language):
    script, *targets = SAMPLES[language]
    sources = ("Help Tom!", "I don't know, I think.", "Where is the station?")
    pairs = [Pair(*sides, ATTRIBUTION) for sides in zip(sources, targets, strict=True)]
    site.answers = [body(as_zip({f"{language}.txt": as_text(pairs), "_about.txt": LICENCE}))]
    monkeypatch.delenv("NMT_ATTENTION_CORPUS", raising=False)
    monkeypatch.setattr(fetch, "DOWNLOAD_DIRECTORY", tmp_path)
    path = tmp_path / f"{language}-eng.zip"
    assert call("fetch", "--language", language).out == f"{path}: 3 pairs\n"
    assert names(tmp_path) == [path.name, f"{language}-eng_about.txt"]
    assert find_corpus(language=language) == path and load_corpus(language=language) == pairs
    assert list(doubts_about(pairs)) == [] and script_of(targets) == script
    assert [address for address, _ in site.requests] == [f"/anki/{language}-eng.zip"]


# --- the embedded corpus


def test_the_phrasebook_can_be_asked_for_by_argument_and_by_environment(monkeypatch):
    monkeypatch.delenv("NMT_ATTENTION_CORPUS", raising=False)
    asked = load_corpus("phrasebook")
    assert len(asked) >= 12_000
    assert ("I like tea.", "मला चहा आवडतो.") in [pair[:2] for pair in asked]
    monkeypatch.setenv("NMT_ATTENTION_CORPUS", "phrasebook")
    assert load_corpus() == asked


def test_where_no_corpus_can_be_had_one_line_says_so_and_the_phrasebook_is_used(monkeypatch, tmp_path, capsys):
    def no_network(language):
        raise OSError("https://www.manythings.org/anki/mar-eng.zip: no route to host")

    monkeypatch.delenv("NMT_ATTENTION_CORPUS", raising=False)
    monkeypatch.setattr(fetch, "DOWNLOAD_DIRECTORY", tmp_path)
    monkeypatch.setattr(fetch, "download_anki", no_network)
    assert len(load_corpus()) >= 12_000
    first, line = capsys.readouterr().err.splitlines()
    assert first.startswith("downloading https://")
    for said in ("NMT_ATTENTION_CORPUS", "mar-eng.zip", "no route to host", "phrasebook", "nmt-attention fetch"):
        assert said in line
    with pytest.raises(OSError, match="no route to host"):  # there is no phrasebook of another language
        load_corpus(language="deu")
