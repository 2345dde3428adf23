"""Waiting for what a camera's own thread brings."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from companion.adapters.pictures import encode_jpeg
from companion.service.camera.camera import Camera, CameraError, Frame
from tests.waiting import until

T = TypeVar("T")


def picture(grey: int) -> bytes:
    image = np.full((48, 64, 3), grey, np.uint8)
    image[10:30, 10:30] = np.random.default_rng(grey).integers(0, 255, (20, 20, 3))
    return encode_jpeg(image)


def next_frame(camera: Camera) -> Frame:
    """Wait for the next picture, whatever goes wrong before."""

    def come() -> Frame | None:
        try:
            return camera.grab()
        except CameraError:
            return None

    return waited(come)


def next_problem(camera: Camera) -> str:
    def problem() -> str | None:
        try:
            camera.grab()
        except CameraError as error:
            return str(error)
        return None

    return waited(problem)


def waited(ask: Callable[[], T | None]) -> T:
    result: list[T] = []

    def come() -> bool:
        answer = ask()
        result.extend([] if answer is None else [answer])
        return answer is not None

    until(come)
    return result[0]
