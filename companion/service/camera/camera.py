"""The port through which pictures of the table come in."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of the table.

    ``image`` is uint8, height x width x 3 (blue, green, red) or height x width (grey), and is not written to.
    ``at_ms`` is when it was taken, on the camera's own monotonic clock; ``number`` counts the frames from 0.
    """

    image: npt.NDArray[np.uint8]
    at_ms: int
    number: int


def shown_name(camera: str) -> str:
    """Return the name of a camera without what follows a question mark in its address: often a password."""
    return camera.partition("?")[0]


class CameraError(Exception):
    """No picture can be had; the message is one line that says why and what to do."""


class CameraAbsentError(CameraError):
    """It is not there now; it may come."""


class Camera(Protocol):
    """A source of frames, asked when the next one is wanted."""

    @property
    def name(self) -> str:
        """Return the source in the form that ``--camera`` takes."""

    def grab(self) -> Frame | None:
        """Return the newest frame, or None when there is no new one now; does not wait long.

        Raises:
            CameraError: when the source has vanished; a later call may succeed again.

        """

    def close(self) -> None:
        """Release the source; may be called twice."""
