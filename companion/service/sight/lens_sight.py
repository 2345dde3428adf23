"""The lens learnt while playing, where nobody has calibrated the camera: from the labels that lie there."""

from collections import deque
from collections.abc import Sequence
from statistics import median

import numpy as np

from calibration.learnt_lens import FEWEST, learnt_lens, radial_lens
from calibration.lens import Lens
from companion.service.sight.camera import Frame
from companion.vision.label.sighting import Sighting

EVERY_MS = 2000
"""How often labels are asked: a table at rest tells nothing new."""
TABLES = 9
"""So many arrangements of labels are remembered, and their middle counts: a leaning card misleads one of them."""
OTHERWISE = 0.01
"""A lens that differs by less (k1) is not told anew: the mat would be found once more for nothing."""


class LensSight:
    """Learns one camera's lens.  Time comes with the frames; for one thread."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._asked_ms: int | None = None
        self._places: frozenset[tuple[str, int, int]] = frozenset()
        self._found: deque[float] = deque(maxlen=TABLES)
        self._size = (0, 0)
        self._told: float | None = None

    def observe(self, frame: Frame, seen: Sequence[Sighting]) -> Lens | None:
        """Take in the labels of a frame; give a lens when it is known better than before."""
        if len(seen) < FEWEST or (self._asked_ms is not None and 0 <= frame.at_ms - self._asked_ms < EVERY_MS):
            return None
        places = frozenset((one.text, round(one.centre[0] / one.side), round(one.centre[1] / one.side)) for one in seen)
        if places == self._places:
            return None
        self._asked_ms, self._places = frame.at_ms, places
        height, width = frame.image.shape[:2]
        if self._size != (width, height):
            self._size, self._told = (width, height), None
            self._found.clear()
        lens = learnt_lens([np.array(one.corners) for one in seen], width, height)
        self._found.append(0.0 if lens is None else lens.distortion[0])
        bends = median(self._found)
        if not bends or (self._told is not None and abs(bends - self._told) < OTHERWISE):
            return None
        self._told = bends
        return radial_lens(bends, width, height)
