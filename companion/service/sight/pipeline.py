"""What every frame goes through: the mat is found, labels are read, and what comes to rest is placed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from calibration.mat_sight import FoundMat, MatSight
from companion.engine.placement import Placement
from companion.service.sight.camera import Frame
from companion.service.sight.lens_sight import LensSight
from companion.vision.follow.track import Tracker
from companion.vision.label.sighting import Sighting, once_and_twins
from companion.vision.label.tag import Deck

ReadFrame: TypeAlias = Callable[[Frame, Deck], Sequence[Sighting]]


@dataclass(frozen=True, slots=True)
class Looked:
    """What was read in a frame, and the deck that it was read for.

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

    def __init__(self, read_frame: ReadFrame, mat: MatSight | None = None) -> None:
        """Take how frames are read, and the mats that may lie there."""
        self._read_frame = read_frame
        self.mat = mat
        self.deck = Deck("", frozenset())
        self.tracker = self._tracking()
        self._lens = LensSight()
        self._found: FoundMat | None = None

    def attach(self, deck: Deck) -> None:
        """Look for the labels of this deck from now on; what lies there already is placed anew."""
        self.deck = deck
        self.tracker = self._tracking()

    def read(self, frame: Frame, deck: Deck | None = None) -> Looked:
        """Find the mat and the labels in a frame; without a deck nothing is wanted.  ``deck``: instead of today's."""
        if self.mat is not None:
            self.mat.observe(frame.at_ms, frame.image)
        wanted = self.deck if deck is None else deck
        read = tuple(self._read_frame(frame, wanted)) if wanted.cards else ()
        return Looked(frame, wanted, *once_and_twins(read, wanted.card_once))

    def take_in(self, looked: Looked) -> tuple[Placement, ...]:
        """Say what a frame means, removals first."""
        learnt = None if self.mat is None else self._lens.observe(looked.frame, looked.seen)
        if self.mat is not None and learnt is not None:
            self.mat.learn_lens(learnt)
        found = None if self.mat is None else self.mat.found
        if found is not None and self._found is not None and found.lens != self._found.lens:
            self.tracker.relocate()
        self._found = found
        here = () if found is None else found.mat.zones.zones
        self.tracker.piles = self.deck.piles & {zone.name for zone in here}
        return self.tracker.observe(looked.frame.at_ms, looked.seen)

    @property
    def mat_name(self) -> str | None:
        """Name the mat that is in view; ``None``: the whole picture is the scan tray."""
        return None if self.mat is None or self.mat.found is None else self.mat.found.mat.name

    def _tracking(self) -> Tracker:
        tracker = Tracker()
        tracker.shared = self.deck.shared
        if self.mat is not None:
            tracker.locate = self.mat.zone_at_pixel
        return tracker
