"""Cameras that a test opens are closed after it."""

from collections.abc import Iterator

import pytest

from companion.service.camera.camera import Camera


@pytest.fixture
def opened() -> Iterator[list[Camera]]:
    cameras: list[Camera] = []
    yield cameras
    for camera in cameras:
        camera.close()
