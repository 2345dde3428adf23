"""The place under the camera where one card after the other is laid so that its picture can be taken."""

import time
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from companion.service.sight.camera import Frame
from companion.vision.change import cells_of
from companion.vision.face.face import Face, cut_out
from companion.vision.face.outline import alone_in, laid_on, relit, upright
from companion.vision.label.sighting import Picture

Latest: TypeAlias = Callable[[], Frame | None]
FRAMES, WAIT_S, BETWEEN_S = 3, 1.2, 0.05
"""So many frames make one picture; so long they are waited for."""
MOVES, CELLS = 12, 3
"""Grey levels of a cell's mean, and cells: whatever changes by more is a hand."""


class NoCard(Exception):  # noqa: N818 - an answer, not an error of the program
    """No card can be made out: ``no_picture``, ``place_unknown``, ``nothing_there``, ``moving`` or ``unclear``."""


class CardPlace:
    """Knows how the place looks with nothing on it.  Every call may come from any thread."""

    def __init__(self, latest: Latest) -> None:
        """Take what gives the camera's latest frame."""
        self._latest = latest
        self._ground: Frame | None = None

    @property
    def is_known(self) -> bool:
        """Say whether it is known how the place looks when it is empty."""
        return self._ground is not None

    def is_empty_now(self) -> None:
        """Take in that no card lies there now; ``NoCard`` where the camera gives no picture."""
        frame = self._latest()
        if frame is None:
            raise NoCard("no_picture")
        self._ground = frame

    def card(self) -> Face:
        """Cut out the card that lies there, the mean of a few frames; ``NoCard``."""
        frames = self._frames()
        first, last, ground = frames[0].image, frames[-1].image, self._ground
        if ground is None or ground.image.shape != last.shape:
            raise NoCard("place_unknown")
        step = np.abs(cells_of(first).astype(np.int16) - cells_of(last).astype(np.int16))
        if int((step > MOVES).sum()) >= CELLS:
            raise NoCard("moving")
        outlines = laid_on(relit(ground.image, last), last)
        if not outlines:
            raise NoCard("nothing_there")
        outline = upright(outlines[0])
        return np.asarray(np.mean([cut_out(frame.image, outline) for frame in frames], axis=0) + 0.5, np.uint8)

    def _frames(self) -> list[Frame]:
        """Wait for a few frames."""
        found: list[Frame] = []
        end = time.monotonic() + WAIT_S
        while len(found) < FRAMES and time.monotonic() < end:
            frame = self._latest()
            if frame is not None and all(frame.number != one.number for one in found):
                found.append(frame)
            time.sleep(BETWEEN_S)
        if not found:
            raise NoCard("no_picture")
        return found


def card_in(picture: Picture) -> Face:
    """Cut a card out of a picture that somebody took of it alone; ``NoCard``."""
    outline = alone_in(picture)
    if outline is None:
        raise NoCard("unclear")
    return cut_out(picture, upright(outline))
