"""The command serve: the page of a model on this machine alone, until Ctrl-C."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest
from command_line import refusal


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no Ctrl-C to one process")
def test_the_page_is_served_to_this_machine_until_ctrl_c(trained, read_html):
    command = [sys.executable, "-m", "nmt_attention", "serve", "--run", trained.run, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            line = server.stdout.readline()
            assert line.startswith("http://127.0.0.1:") and line.endswith(" (Ctrl-C stops)\n")
            with urllib.request.urlopen(line.split()[0], timeout=30) as answer:
                page = read_html(answer.read().decode())
        finally:
            server.send_signal(signal.SIGINT)
        _, errors = server.communicate(timeout=30)
    assert [a["data-name"] for a, _ in page.all("script") if a.get("class") == "model"] == ["run"]
    assert (server.returncode, errors) == (130, "\nnmt-attention: stopped\n")


@pytest.mark.parametrize("port", ["-1", "65536"])
def test_a_port_that_cannot_be_is_refused(port):
    assert "--port: expected from 0 to 65,535" in refusal("serve", "--port", port)


def test_a_port_that_is_taken_is_named():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        line = refusal("serve", "--port", port)
    assert re.search(f"--port {port}: .*; choose another, or 0 for a free one", line)
