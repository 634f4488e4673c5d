"""Who may ask the page for something, and how long: names, addresses, half-open requests."""

import socket
import threading
import time
import urllib.request
from types import SimpleNamespace

import pytest
from nmt_attention.deploy.page import make_app, make_server, serve_page
from waitress import wasyncore

from nmt_attention.cli.main import main
from nmt_attention.deploy import page as serve


class Silent:
    """In a translator's place, where nothing is translated."""

    def n_best(self, sentences, **settings):
        return [[] for _ in sentences]


@pytest.mark.parametrize(
    ("host", "answered"),
    [
        *((host, True) for host in ("localhost", "LOCALHOST:8000", "127.0.0.1:8000", "192.168.1.5", "[::1]:8000")),
        *((host, True) for host in ("[fe80::1]", "laptop", "Laptop.:8000")),
        *((host, False) for host in ("evil.example", "evil.example:8000", "localhost.evil.example", "xlaptop")),
        *((host, False) for host in ("127.0.0.1.evil.example", "laptop.example", "[::1].evil.example", "")),
    ],
)
def test_the_page_answers_by_addresses_and_by_its_own_names(host, answered, read_html):
    for path in ("/", "/mukta.ttf"):
        response = make_app(Silent(), {"laptop"}).test_client().get(path, headers={"Host": host}, buffered=True)
        assert response.status_code == (200 if answered else 403)
        if not answered:
            assert "not known by that name" in read_html(response.text).all("p")[0][1]
    assert make_app(Silent(), None).test_client().get("/", headers={"Host": host}).status_code == 200


@pytest.fixture
def listening(monkeypatch):
    """What `serve_page` listens at, asked for and made into a socket; it serves nothing."""
    asked, names = [], []

    def listen(address, family):
        asked.append((family, address))
        if address[0] == "::2":
            raise OSError(97, "Address family not supported by protocol")
        return create_server(("127.0.0.1", 0))

    create_server = socket.create_server
    monkeypatch.setattr(socket, "create_server", listen)
    monkeypatch.setattr(socket, "gethostname", lambda: "Laptop.example")
    monkeypatch.setattr(serve.Translator, "load", lambda run: Silent())
    monkeypatch.setattr(serve, "make_app", lambda translator, allowed: names.append(allowed))
    monkeypatch.setattr(serve, "make_server", lambda app, listening: SimpleNamespace(run=lambda: None))
    return SimpleNamespace(asked=asked, names=names)


def test_an_ipv6_address_is_listened_at_and_shown_as_browsers_want_it(listening, capsys):
    serve_page("run", "::1", 8000)
    assert listening.asked == [(socket.AF_INET6, ("::1", 8000, 0, 0))]
    assert capsys.readouterr().out.startswith("http://[::1]:")
    with pytest.raises(OSError, match="^cannot listen on ::2, port 8000: .*Address family not supported"):
        serve_page("run", "::2", 8000)


def test_the_page_knows_the_names_of_its_machine(listening):
    serve_page("run", "localhost", 0)
    assert listening.names == [{"localhost", "laptop.example", "laptop.local"}]
    serve_page("run", "0.0.0.0", 0, any_host=True)
    assert listening.names[1] is None


@pytest.mark.parametrize("host", ["", " "])
def test_an_empty_host_is_refused(listening, host, monkeypatch, capsys):
    monkeypatch.setattr("nmt_attention.runs.machine.import_tensorflow", lambda: None)
    assert main(["serve", "--run", "run", "--host", host]) == 1
    assert capsys.readouterr().err.startswith("nmt-attention: host: expected an address such as 127.0.0.1")
    assert listening.asked == []


def test_a_port_out_of_range_is_refused():
    with pytest.raises(ValueError, match="port: expected from 0 to 65,535, got 70,000"):
        serve_page("run", "127.0.0.1", 70_000)


@pytest.fixture
def server():
    """A server of the page, which serves in a thread."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = make_server(make_app(Silent()), listening)
        thread = threading.Thread(target=server.run)
        thread.start()
        yield server
        server.trigger.pull_trigger(lambda: wasyncore.close_all(server._map))
        thread.join(20)
        server.task_dispatcher.shutdown()


def test_half_open_requests_do_not_keep_others_out(server):
    address = ("127.0.0.1", int(server.effective_port))
    half_open = [socket.create_connection(address) for _ in range(150)]
    try:
        for connection in half_open:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: localh")
        with urllib.request.urlopen(f"http://127.0.0.1:{address[1]}/", timeout=30) as response:
            assert response.status == 200
    finally:
        for connection in half_open:
            connection.close()


def test_a_request_has_ten_seconds_even_if_its_bytes_keep_coming():
    ours, theirs = socket.socketpair()
    with socket.create_server(("127.0.0.1", 0)) as listening, ours:
        server = make_server(make_app(Silent()), listening)
        server.add_task = lambda channel: None
        channel = server.channel_class(server, theirs, None, server.adj, map={})
        ours.sendall(b"GET / HTTP/1.1\r\n")
        before = time.time()
        channel.handle_read()
        assert channel.last_activity >= before
        channel.last_activity = 100.0
        for part in (b"Host: loc", b"alhost\r\n"):
            ours.sendall(part)
            channel.handle_read()
            assert channel.last_activity == 100.0
        server.maintenance(109.0)
        assert not channel.will_close
        server.maintenance(111.0)
        assert channel.will_close
        channel.will_close = False
        ours.sendall(b"\r\n")
        channel.handle_read()
        assert len(channel.requests) == 1 and channel.last_activity >= before
        channel.handle_close()
        server.task_dispatcher.shutdown()
        server.close()
