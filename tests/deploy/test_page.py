import io
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request

import numpy as np
import pytest
from fontTools.ttLib import TTFont
from nmt_attention.deploy.page import MOST_CHARACTERS, make_app

from nmt_attention.cli.main import main
from nmt_attention.config import ModelConfig
from nmt_attention.deploy import page as serve
from nmt_attention.model import Seq2Seq
from nmt_attention.runs.bundle import save_bundle
from nmt_attention.text import WordTokenizer
from nmt_attention.translate import Translation, Translator

HOSTILE = "<script>alert(1)</script> \" ' </ol> {{ 7*7 }} &amp;"


class Echo:
    """In a translator's place: its translations say what they were given; what it is asked is kept."""

    def __init__(self):
        self.asked, self.busy, self.overlapped = [], False, False

    def n_best(self, sentences, **settings):
        self.overlapped |= self.busy
        self.busy = True
        self.asked.append((sentences, settings))
        time.sleep(0.01)
        self.busy = False
        (sentence,) = sentences
        if sentence == "fail":
            raise ValueError("<b>broken</b>")
        if sentence == "nothing":
            return [[Translation(sentence, "", ["nothing"], ["<end>"], np.ones((1, 1)), -1.0)]]
        weights = np.array([[0.75, 0.25], [0.5, 0.5]])
        words = [f"मराठी:{sentence}", "<end>"]
        return [
            [Translation(sentence, f"{rank} {words[0]}", [sentence, "x"], words, weights, -rank) for rank in (1, 2)]
        ]


@pytest.fixture
def echo():
    return Echo()


@pytest.fixture
def client(echo):
    return make_app(echo).test_client()


def ask(client, sentence, read_html):
    response = client.get("/", query_string={"sentence": sentence})
    return response, read_html(response.text)


def test_without_a_sentence_there_is_only_the_form(client, echo, read_html):
    for path in ("/", "/?sentence=", "/?sentence=%20%09", "/?other=1"):
        response = client.get(path)
        page = read_html(response.text)
        assert response.status_code == 200 and response.content_type.startswith("text/html; charset=utf-8")
        assert [a["maxlength"] for a, _ in page.all("input")] == [str(MOST_CHARACTERS)]
        assert not page.all("ol") and not page.all("table")
    assert echo.asked == []


def test_a_sentence_gets_its_translation_its_n_best_and_its_heatmap(client, echo, read_html):
    response, page = ask(client, "Dad bought me a camera.", read_html)
    assert response.status_code == 200
    assert echo.asked == [(["Dad bought me a camera."], {"merge_subwords": True, "beam_size": 5})]
    (translation,) = [(a, text) for a, text in page.all("p") if a.get("class") == "translation"]
    assert translation == ({"class": "translation", "lang": "mr"}, "1 मराठी:Dad bought me a camera.")
    assert [text.strip() for _, text in page.all("li")] == [f"{i} मराठी:Dad bought me a camera." for i in (1, 2)]
    assert [text for _, text in page.all("span")] == ["-1.00", "-2.00"]
    buttons = [text for a, text in page.all("button") if "data-s" in a or "data-t" in a]
    assert buttons == ["Dad bought me a camera.", "x", "मराठी:Dad bought me a camera."]
    assert [a["value"] for a, _ in page.all("input")] == ["Dad bought me a camera."]


def test_any_text_is_only_text_and_no_script_but_ours_runs(client, read_html):
    response, page = ask(client, HOSTILE, read_html)
    assert [a["value"] for a, _ in page.all("input")] == [HOSTILE]
    assert [text.strip() for _, text in page.all("li")] == [f"{i} मराठी:{HOSTILE}" for i in (1, 2)]
    ((attributes, script),) = page.all("script")
    policy = response.headers["Content-Security-Policy"]
    assert "alert" not in script and f"script-src 'nonce-{attributes['nonce']}';" in policy
    assert (
        policy.startswith("default-src 'none';") and "unsafe-inline" not in policy.split("script-src")[1].split(";")[0]
    )
    _, again = ask(client, HOSTILE, read_html)
    assert again.all("script")[0][0]["nonce"] != attributes["nonce"]


def test_the_page_brings_a_font_that_has_its_letters(client, monkeypatch):
    policy = client.get("/").headers["Content-Security-Policy"]
    (address,) = re.findall(r"url\((.*?)\)", client.get("/").text)
    response = client.get(f"/{address}", buffered=True)
    assert (response.status_code, response.content_type) == (200, "font/ttf") and "font-src 'self';" in policy
    assert ord("ळ") in TTFont(io.BytesIO(response.data)).getBestCmap()
    monkeypatch.setattr(serve, "mukta_file", lambda: None)
    assert client.get(f"/{address}").status_code == 404


def test_what_is_wrong_is_said(client, echo, read_html):
    response, page = ask(client, "x" * (MOST_CHARACTERS + 1), read_html)
    assert response.status_code == 400 and echo.asked == []
    assert ({"class": "error", "role": "alert"}, "At most 250 characters, please: these are 251.") in page.all("p")
    assert page.all("input")[0][0]["value"] == "x" * MOST_CHARACTERS
    response, page = ask(client, "x" * MOST_CHARACTERS, read_html)
    assert response.status_code == 200
    response, page = ask(client, "fail", read_html)
    assert response.status_code == 500
    assert [text for a, text in page.all("p")] == ["The translation failed: ValueError: <b>broken</b>"]
    response, page = ask(client, "nothing", read_html)
    assert response.status_code == 200 and not page.all("ol")
    assert [text for a, text in page.all("p")] == ["The model wrote nothing."]
    assert client.get("/").status_code == 200  # it goes on
    for response, status in ((client.get("/other"), 404), (client.post("/", data="x"), 405)):
        assert response.status_code == status and read_html(response.text).all("p")[0][0]["class"] == "error"


def test_the_model_has_one_sentence_at_a_time_whatever_happens(echo):
    app = make_app(echo)
    statuses = []

    def visit(i):
        sentence = "fail" if i % 3 == 0 else f"sentence {i}"
        response = app.test_client().get("/", query_string={"sentence": sentence})
        statuses.append((response.status_code, i % 3 == 0 or f"1 मराठी:{sentence}" in response.text))

    threads = [threading.Thread(target=visit, args=(i,)) for i in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [(200, True)] * 8 + [(500, True)] * 4
    assert len(echo.asked) == 12 and not echo.overlapped


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    directory = tmp_path_factory.mktemp("serve") / "run"
    source, target = WordTokenizer.learn(["the boy reads"], 9, True), WordTokenizer.learn(["मुलगा वाचतो"], 9)
    model = Seq2Seq(ModelConfig(len(source), len(target), units=8, embedding_units=8))
    model.decoder.output_bias.assign([0, 0, 0, -9, 2, 1])  # what it writes are words
    save_bundle(directory, model, source, target)
    return directory


def test_the_command_serves_a_real_model_here_alone_until_it_is_stopped(run, capsys):
    command = [sys.executable, "-m", "nmt_attention", "serve", "--run", str(run), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            url = re.fullmatch(r"(http://127\.0\.0\.1:\d+) \(Ctrl-C stops\)\n", server.stdout.readline()).group(1)
            with urllib.request.urlopen(f"{url}/?sentence=The+boy+reads") as response:
                page = response.read().decode()
            port = url.rpartition(":")[2]
            assert main([*command[3:-1], port]) == 1
            assert f"cannot listen on 127.0.0.1, port {port}: " in capsys.readouterr().err
            server.send_signal(signal.SIGINT)
            out, err = server.communicate(timeout=20)
        finally:
            server.kill()
    (best,) = [found[0] for found in Translator.load(run).n_best(["The boy reads"], beam_size=5) if found[0].text]
    assert f">{best.text.replace('<', '&lt;').replace('>', '&gt;')}</p>" in page
    assert (server.returncode, out, err) == (0, "", "")


def test_nothing_is_served_without_a_model(tmp_path):
    with pytest.raises(FileNotFoundError, match="not a trained model"):
        serve.serve_page(tmp_path, "127.0.0.1", 0)
