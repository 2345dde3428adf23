"""An IP camera on this machine: a real HTTP server, and what it may answer with."""

import http.server
import threading
from collections.abc import Callable

from tests.adapters.cameras.waiting import picture


class Street(http.server.ThreadingHTTPServer):
    """An IP camera: what it does at each address can be changed while it runs."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        self.answers: dict[str, Callable[[http.server.BaseHTTPRequestHandler], None]] = {}
        self.going = threading.Event()
        self.asked: list[str] = []
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(http.server.BaseHTTPRequestHandler):
    server: Street

    def do_GET(self) -> None:
        self.server.asked.append(self.headers.get("Authorization", ""))
        self.server.answers[self.path](self)

    def log_message(self, *_: object) -> None:
        pass


def stream_of(*greys: int, then: str = "end") -> Callable[[http.server.BaseHTTPRequestHandler], None]:
    """Send pictures as MJPEG, then end, or say nothing more (``stuck``)."""

    def send(to: http.server.BaseHTTPRequestHandler) -> None:
        to.send_response(200)
        to.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        to.end_headers()
        for grey in greys:
            body = picture(grey)
            to.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(body))
            to.wfile.write(body + b"\r\n")
        if then == "stuck":
            assert isinstance(to.server, Street)
            to.server.going.wait(10)

    return send


def plain(kind: str | None, body: bytes, status: int = 200) -> Callable[[http.server.BaseHTTPRequestHandler], None]:
    def send(to: http.server.BaseHTTPRequestHandler) -> None:
        to.send_response(status)
        if kind is not None:
            to.send_header("Content-Type", kind)
        to.send_header("Content-Length", str(len(body)))
        to.end_headers()
        to.wfile.write(body)

    return send
