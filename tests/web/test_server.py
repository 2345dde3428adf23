import http.client
import os
import signal
import socket
import threading

import pytest
from flask import Flask

from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.web.http.access import REACH
from companion.web.server.connection_limits import Channel
from companion.web.server.server import THREADS_BESIDE_STREAMS, Server, ended_by_signals
from tests.waiting import PATIENCE_S, until
from tests.web.live_client import reading


def test_it_serves_on_a_free_port(server: Server) -> None:
    assert server.port > 0
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    connection.request("GET", "/healthz")
    answer = connection.getresponse()
    assert answer.status == 200
    assert "Server" not in answer.headers
    assert answer.read() == b'{"status":"ok"}\n'
    connection.close()


def test_a_short_answer_is_sent_in_one_piece(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    # given what counts each sending
    sent: list[bytes] = []
    send = Channel.send

    def counted(channel: Channel, data: bytes, **options: bool) -> int:
        sent.append(bytes(data))
        return int(send(channel, data, **options))

    monkeypatch.setattr(Channel, "send", counted)

    # when a page is asked for, and what programs ask
    for path in ("/healthz", "/login"):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
        connection.request("GET", path)
        body = connection.getresponse().read()
        connection.close()

        # then its headers travel with the body
        (whole,) = sent
        assert whole.endswith(body)
        assert whole.startswith(b"HTTP/1.1 200 OK")
        sent.clear()


@pytest.mark.own_app
def test_a_second_request_is_read_once_the_first_is_answered(
    server: Server, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a view that is at work until it is let go
    at_work, let_go = threading.Event(), threading.Event()

    def slow() -> str:
        at_work.set()
        assert let_go.wait(PATIENCE_S)
        return "first"

    monkeypatch.setitem(REACH, "slow", "stranger")
    app.add_url_rule("/static/slow", view_func=slow)
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_S) as connection:
        connection.sendall(b"GET /static/slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert at_work.wait(PATIENCE_S)

        # when another request comes on the same connection meanwhile
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let_go.set()

        # then both are answered in their order
        answered = connection.makefile("rb").read()
    assert 0 < answered.index(b"first") < answered.index(b'{"status":"ok"}')


@pytest.mark.own_app
def test_many_requests_at_once_fill_no_log(
    server: Server, app: Flask, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a view that is at work until it is let go
    at_work, let_go = [], threading.Event()

    def slow() -> str:
        at_work.append(threading.current_thread())
        assert let_go.wait(PATIENCE_S)
        return "done"

    monkeypatch.setitem(REACH, "slow", "stranger")
    app.add_url_rule("/static/slow", view_func=slow)

    # when far more ask than there are threads
    answers = [socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_S) for _ in range(60)]
    for answer in answers:
        answer.sendall(b"GET /static/slow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    threads = [thread for thread in threading.enumerate() if thread.name.startswith("waitress-")]
    assert len(threads) < len(answers)
    until(lambda: len(at_work) == len(threads))
    let_go.set()
    for answer in answers:
        assert b"200 OK" in answer.recv(1_000)
        answer.close()

    # then nothing is said of it
    assert caplog.messages == []


def test_there_is_a_thread_for_every_screen_and_some_more(server: Server, services: Services) -> None:
    waiting = [thread for thread in threading.enumerate() if thread.name.startswith("waitress-")]
    assert len(waiting) >= services.screens + THREADS_BESIDE_STREAMS
    assert server.port


def test_an_address_that_is_taken_is_an_error_at_once(server: Server, app: Flask) -> None:
    with pytest.raises(OSError, match="in use"):
        Server(app, "127.0.0.1", server.port)


def test_a_reader_who_left_without_a_word_is_given_up_on(server: Server, services: Services, table: str) -> None:
    with reading(server, f"{table}/stream", services.logins.token(Caller("banker"))) as reader:
        reader.next()
        (channel,) = server._inner.active_channels.values()
        assert channel.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 15_000


@pytest.mark.parametrize("request_line", [b"NONSENSE\r\n\r\n", b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n"])
def test_what_is_no_http_is_told_so_as_a_problem(server: Server, request_line: bytes) -> None:
    answer = raw(server, request_line)
    assert b" 400 " in answer.splitlines()[0]
    assert b"application/problem+json" in answer


def test_a_body_past_all_measure_is_refused_before_it_is_sent(server: Server) -> None:
    answer = raw(server, b"POST /api/v1/read HTTP/1.1\r\nHost: x\r\nContent-Length: 99000000\r\n\r\n")
    assert b" 413 " in answer.splitlines()[0]
    assert b"application/problem+json" in answer
    assert b'"detail": "This is too large: nothing of more than 20 MB is taken."' in answer


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_it_at_once_even_with_open_streams(
    app: Flask, services: Services, table: str, number: signal.Signals
) -> None:
    running = Server(app, "127.0.0.1", 0)

    def stop_while_somebody_reads() -> None:
        with reading(running, f"{table}/stream", services.logins.token(Caller("banker"))) as reader:
            reader.next()
            os.kill(os.getpid(), number)
            while reader.answer.readline():
                pass

    thread = threading.Thread(target=stop_while_somebody_reads)
    thread.start()
    before = signal.getsignal(number)
    with ended_by_signals(running):
        running.run()
    assert signal.getsignal(number) is before
    thread.join(PATIENCE_S)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", running.port), timeout=1)


def test_a_signal_between_being_announced_and_running_ends_it_as_one_that_comes_later(app: Flask) -> None:
    announced = Server(app, "127.0.0.1", 0)

    with ended_by_signals(announced):
        os.kill(os.getpid(), signal.SIGTERM)
        announced.run()

    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", announced.port), timeout=1)


def raw(server: Server, sent: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_S) as connection:
        connection.sendall(sent)
        received = b""
        while chunk := connection.recv(65_536):
            received += chunk
        return received


def test_a_server_that_is_awake_when_it_is_asked_to_end_waits_for_whoever_asks(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It closed what wakes it between the two steps of asking, and whoever asked met a closed file."""
    # given a server, and somebody who asks it to end and is slow to wake it
    server = Server(app, "127.0.0.1", 0)
    running = threading.Thread(target=server.run)
    running.start()
    wake = server._inner.pull_trigger

    def wake_late() -> None:
        wake()  # whatever else wakes it, it sees that it shall end
        running.join(0.5)
        wake()

    monkeypatch.setattr(server._inner, "pull_trigger", wake_late)

    # when they ask
    server.stop()

    # then it ends, and nothing was closed under their hands
    running.join(PATIENCE_S)
    assert not running.is_alive()
