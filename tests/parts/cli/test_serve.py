"""The command serve: the page of a model on this machine alone, until Ctrl-C."""

import functools
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import urllib.error
import urllib.request

import pytest
from command_line import refusal

from nmt_attention.cli import serve


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no Ctrl-C to one process")
def test_the_page_is_served_to_this_machine_until_ctrl_c_and_kept_for_the_next_time(trained, read_html, tmp_path):
    command = [sys.executable, "-m", "nmt_attention", "serve", "--run", trained.run, "--port", "0"]
    environment, pages = os.environ | {"HOME": str(tmp_path)}, []
    for is_new in (True, False):
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        ) as server:
            try:
                line = server.stdout.readline()
                assert line.startswith("http://127.0.0.1:") and line.endswith(" (Ctrl-C stops)\n")
                with urllib.request.urlopen(line.split()[0], timeout=30) as answer:
                    pages.append(answer.read().decode())
                with pytest.raises(urllib.error.HTTPError, match="404"):
                    urllib.request.urlopen(f"{line.split()[0]}/other", timeout=30)
            finally:
                server.send_signal(signal.SIGINT)
            _, errors = server.communicate(timeout=30)
        assert server.returncode == 130 and ("writing the page of the model" in errors) == is_new
    assert len(set(pages)) == 1
    models = [a["data-name"] for a, _ in read_html(pages[0]).all("script") if a.get("class") == "model"]
    assert models == ["run"]


def test_a_port_that_is_taken_is_named():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        line = refusal("serve", "--port", port)
    assert re.search(f"--port {port}: .*; choose another, or 0 for a free one", line)


def test_lost_and_silent_readers_hinder_nobody_and_print_nothing(monkeypatch, tmp_path, capfd):
    (tmp_path / "index.html").write_bytes(b"page" * 1_000_000)
    monkeypatch.setattr(serve._Handler, "timeout", 0.5)
    with serve._Server(("127.0.0.1", 0), functools.partial(serve._Handler, directory=tmp_path)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        place = "127.0.0.1", server.server_port
        with socket.create_connection(place) as lost:
            lost.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # it resets the connection
            lost.sendall(b"GET / HTTP/1.0\r\n\r\n")
            lost.recv(1)
        with socket.create_connection(place) as silent:
            assert urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/", timeout=30).read()[:4] == b"page"
            silent.settimeout(30)
            assert silent.recv(1) == b"", "it is let go"
        server.shutdown()
    assert capfd.readouterr().err == ""


def test_the_page_is_made_anew_when_a_file_of_the_model_changes(copy):
    hashes = {serve._hash(copy)}
    for name in ("transliterator/source.json", "sentences.json"):
        with open(copy / name, "a", encoding="utf-8") as file:
            file.write("\n")
        hashes.add(serve._hash(copy))
    assert len(hashes) == 3
