"""An IP camera over RTSP that wants a name and a password: what OpenCV's FFmpeg sends it."""

import base64
import re
import socketserver
import threading
from collections.abc import Iterator

import pytest

from companion.adapters.cameras.specs import open_camera
from companion.service.camera.camera import Camera
from companion.simulator.table import SimulatedTable
from tests.adapters.cameras.waiting import next_problem
from tests.waiting import PATIENCE_S


class Doorkeeper(socketserver.ThreadingTCPServer):
    """An RTSP server that asks everybody for basic credentials, and notes what comes."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self) -> None:
        self.credentials: set[str] = set()
        super().__init__(("127.0.0.1", 0), Conversation)


class Conversation(socketserver.StreamRequestHandler):
    server: Doorkeeper

    def handle(self) -> None:
        while request := b"".join(iter(self.rfile.readline, b"\r\n")).decode():
            number = re.search(r"CSeq: (\d+)", request)
            sent = re.search(r"Authorization: Basic (\S+)", request)
            if sent is not None:
                self.server.credentials.add(base64.b64decode(sent[1]).decode())
            head = f"RTSP/1.0 401 Unauthorized\r\nCSeq: {number[1] if number else 0}\r\n"
            self.wfile.write(f'{head}WWW-Authenticate: Basic realm="eye"\r\n\r\n'.encode())
            if sent is not None:
                return


@pytest.fixture
def doorkeeper() -> Iterator[Doorkeeper]:
    server = Doorkeeper()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield server
    server.shutdown()
    thread.join(PATIENCE_S)
    server.server_close()


@pytest.mark.parametrize("written", ["p@s#s/w:o%rd", "p%40s%23s%2Fw%3Ao%25rd"])
def test_a_password_reaches_an_rtsp_camera_as_it_is_meant(
    doorkeeper: Doorkeeper, opened: list[Camera], written: str
) -> None:
    address = f"rtsp://ann:{written}@127.0.0.1:{doorkeeper.server_address[1]}/live"
    opened.append(camera := open_camera(address, lambda seed: SimulatedTable(seed, {})))

    problem = next_problem(camera)

    assert doorkeeper.credentials == {"ann:p@s#s/w:o%rd"}
    assert "does not answer" in problem
    assert "s#s" not in problem + camera.name
