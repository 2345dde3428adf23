"""Cameras that a test opens are closed after it, and the server of an IP camera ends with it."""

import threading
from collections.abc import Iterator

import pytest

from companion.service.camera.camera import Camera
from tests.adapters.cameras.ip_camera import Street
from tests.waiting import PATIENCE_S


@pytest.fixture
def opened() -> Iterator[list[Camera]]:
    cameras: list[Camera] = []
    yield cameras
    for camera in cameras:
        camera.close()


@pytest.fixture
def street() -> Iterator[Street]:
    server = Street()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield server
    server.going.set()
    server.shutdown()
    thread.join(PATIENCE_S)
    server.server_close()
