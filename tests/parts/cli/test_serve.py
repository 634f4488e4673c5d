"""The command serve: the page of a model on this machine alone, until Ctrl-C."""

import gzip
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
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
                for encoding in ("gzip", "identity"):
                    request = urllib.request.Request(line.split()[0], headers={"Accept-Encoding": encoding})
                    with urllib.request.urlopen(request, timeout=30) as answer:
                        page = answer.read()
                    pages.append((gzip.decompress(page) if encoding == "gzip" else page).decode())
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


def test_idle_and_lost_readers_take_few_threads_and_print_nothing(monkeypatch, capfd):
    monkeypatch.setattr(serve._Handler, "page", gzip.compress(b"page" * 1_000_000), raising=False)
    monkeypatch.setattr(serve._Handler, "timeout", 1)
    with serve._Server(("127.0.0.1", 0), serve._Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        before, place = threading.active_count(), ("127.0.0.1", server.server_port)
        with socket.create_connection(place) as lost:
            lost.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # it resets the connection
            lost.sendall(b"GET / HTTP/1.0\r\n\r\n")
            lost.recv(1)
        idle = [socket.create_connection(place) for _ in range(3 * serve._AT_ONCE)]
        assert threading.active_count() <= before + serve._AT_ONCE
        give_up = time.monotonic() + 30
        while threading.active_count() > before and time.monotonic() < give_up:
            time.sleep(0.1)
        assert urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/", timeout=30).read()[:4] == b"page"
        for each in idle:
            each.close()
        server.shutdown()
    assert capfd.readouterr().err == ""


def test_the_page_is_made_anew_when_a_file_of_the_model_changes(copy):
    hashes = {serve._hash(copy)}
    for name in ("transliterator/source.json", "sentences.json"):
        with open(copy / name, "a", encoding="utf-8") as file:
            file.write("\n")
        hashes.add(serve._hash(copy))
    assert len(hashes) == 3
