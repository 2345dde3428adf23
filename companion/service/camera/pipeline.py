"""Steps that every frame goes through: the mat is found, labels are read, and labels at rest are placed."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Protocol, TypeAlias

import numpy as np

from calibration.lens import MIN_LABELS, Lens, learn_lens, make_radial_lens
from calibration.mat import DetectedMat, MatTracker
from companion.engine.game import Placement
from companion.qr.sighting import Box, Sighting, split_duplicates
from companion.service.camera.camera import Frame
from companion.vision.label.tag import Deck
from companion.vision.tracking.tracker import Ground, Tracker, is_still

# The lens learnt while playing, where nobody has calibrated the camera: from the labels that lie there.

LENS_INTERVAL_MS = 2000
"""How often labels are asked: a table at rest tells nothing new."""
LENS_SAMPLES = 9
"""Number of latest arrangements of labels whose median counts: a leaning card misleads one of them."""
MIN_K1_CHANGE = 0.01
"""A lens that differs by less (k1) is not told anew: the mat would be found once more for nothing."""


class LensLearner:
    """Learns one camera's lens.  Time comes with the frames; for one thread."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._asked_ms: int | None = None
        self._places: frozenset[tuple[str, int, int]] = frozenset()
        self._distortions: deque[float] = deque(maxlen=LENS_SAMPLES)
        self._size = (0, 0)
        self._reported: float | None = None

    def observe(self, frame: Frame, seen: Sequence[Sighting]) -> Lens | None:
        """Process the labels of a frame and return the lens if its estimate has improved."""
        if len(seen) < MIN_LABELS or (
            self._asked_ms is not None and 0 <= frame.at_ms - self._asked_ms < LENS_INTERVAL_MS
        ):
            return None
        places = frozenset(
            (label.text, round(label.centre[0] / label.side), round(label.centre[1] / label.side)) for label in seen
        )
        if places == self._places:
            return None
        self._asked_ms, self._places = frame.at_ms, places
        height, width = frame.image.shape[:2]
        if self._size != (width, height):
            self._size, self._reported = (width, height), None
            self._distortions.clear()
        lens = learn_lens([np.array(label.corners) for label in seen], width, height)
        self._distortions.append(0.0 if lens is None else lens.distortion[0])
        bends = median(self._distortions)
        if not bends or (self._reported is not None and abs(bends - self._reported) < MIN_K1_CHANGE):
            return None
        self._reported = bends
        return make_radial_lens(bends, width, height)


ReadFrame: TypeAlias = Callable[[Frame, Deck], Sequence[Sighting]]


@dataclass(frozen=True, slots=True)
class ReadLabels:
    """Labels read in a frame, and the deck that they were read for.

    ``twins``: labels with a text that is ``seen`` elsewhere already; they count for nothing.
    """

    frame: Frame
    deck: Deck
    seen: tuple[Sighting, ...]
    twins: tuple[Sighting, ...] = ()


class Pipeline:
    """One camera's frames in, placements out: the same ones whenever the same frames come at the same times.

    ``read`` takes long and is called by one thread only; whoever owns the pipeline sees to it that all else is called
    by one thread at a time.
    """

    def __init__(self, read_frame: ReadFrame, mat: MatTracker | None = None) -> None:
        """Store how frames are read, and the mats that may lie there."""
        self._read_frame = read_frame
        self.mat = mat
        self.deck = Deck("", frozenset())
        self.tracker = self._tracking()
        self._ground = Ground()
        self._lens = LensLearner()
        self._mat_found: DetectedMat | None = None
        self._located_in = (0, 0)
        self._previous: Frame | None = None

    def attach(self, deck: Deck, *, begins: bool = False) -> None:
        """Look for the labels of this deck from now on; what lies there already is placed anew.

        ``begins``: a game begins, so that nothing lies there but what has been seen until now.
        """
        lying = self.tracker.tags_in_view() if begins else None
        self.deck = deck
        self.tracker = self._tracking()
        self.tracker.lying = lying
        self._ground.restart()
        if self.mat is not None:
            self.mat.doubt()

    def read(self, frame: Frame, deck: Deck | None = None) -> ReadLabels:
        """Find the mat and the labels in a frame; without a deck nothing is wanted.  ``deck``: instead of today's."""
        if self.mat is not None:
            self.mat.observe(frame.at_ms, frame.image)
        wanted = self.deck if deck is None else deck
        read = tuple(self._read_frame(frame, wanted)) if wanted.cards else ()
        return ReadLabels(frame, wanted, *split_duplicates(read, wanted.unique_card))

    def place(self, looked: ReadLabels) -> tuple[Placement, ...]:
        """Return what a frame means, removals first."""
        learnt = None if self.mat is None else self._lens.observe(looked.frame, looked.seen)
        if self.mat is not None and learnt is not None:
            self.mat.learn_lens(learnt)
        mat = None if self.mat is None else self.mat.latest
        located_in = (0, 0) if self.mat is None else self.mat.located_in
        is_turned = located_in != self._located_in  # and the mat was found in pictures of the new size
        if mat is not None and self._mat_found is not None and (is_turned or mat.lens != self._mat_found.lens):
            self.tracker.relocate()
        elif (mat is None) != (self._mat_found is None):
            self.tracker.relocate(silently=True)
        self._mat_found, self._located_in = mat, located_in
        zones = () if mat is None else mat.mat.zones.zones
        self.tracker.piles = self.deck.piles & {zone.name for zone in zones}
        before, self._previous = self._previous, looked.frame
        self._ground.observe(looked.frame.at_ms, looked.frame.image)
        return self.tracker.observe(
            looked.frame.at_ms,
            looked.seen,
            lambda place: before is None or _is_still(before, looked.frame, place),
            self._ground.was_bare,
        )

    @property
    def mat_name(self) -> str | None:
        """Return the name of the mat that is in view; ``None``: the whole picture is the scan tray."""
        return None if self.mat is None or self.mat.latest is None else self.mat.latest.mat.name

    def _tracking(self) -> Tracker:
        tracker = Tracker()
        tracker.shared, tracker.commands = self.deck.shared, self.deck.commands
        if self.mat is not None:
            tracker.locate = self.mat.zone_at_pixel
        return tracker


def _is_still(before: Frame, now: Frame, place: Box) -> bool:
    """Return whether nothing moves in what the picture shows of a place."""
    height, width = now.image.shape[:2]
    left, top, right, bottom = place
    left, top, right, bottom = max(left, 0), max(top, 0), min(right, width), min(bottom, height)
    return left >= right or top >= bottom or is_still(before.image, now.image, (left, top, right, bottom))


class Recorder(Protocol):
    """Is told all that happens to the pipeline of one camera, in its order.  From any thread; never waits."""

    def attached(self, deck: Deck) -> None:
        """Note that the camera looks for another deck, and that what lies there is placed anew."""

    def looked(self, looked: ReadLabels, placements: tuple[Placement, ...] | None, mat: str | None) -> None:
        """Note what a frame has led to; ``None``: it was read for the deck before and not taken in."""

    def forgot(self, tag: str) -> None:
        """Note that a tag counts as never seen."""

    def note_problem(self, problem: str | None) -> None:
        """Note that the camera was lost, or has come back."""


class NullRecorder:
    """Nothing is recorded."""

    def attached(self, deck: Deck) -> None:
        """Do nothing."""

    def looked(self, looked: ReadLabels, placements: tuple[Placement, ...] | None, mat: str | None) -> None:
        """Do nothing."""

    def forgot(self, tag: str) -> None:
        """Do nothing."""

    def note_problem(self, problem: str | None) -> None:
        """Do nothing."""
