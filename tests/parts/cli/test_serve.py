"""The command serve: the page of a model on this machine alone, until Ctrl-C."""

import gzip
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import pytest
from command_line import refusal


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
