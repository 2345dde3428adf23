"""The scanner, whose frames become placements and proposals at its table, and the thread in which it runs."""

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from calibration.mat import MatTracker
from companion.engine.game import BANKER, Placement
from companion.qr.sighting import Box, Sighting, ToJpeg
from companion.service.camera.camera import Camera, CameraError, Frame, shown_name
from companion.service.camera.detectors.card_art import CardArtDetector, UnlabelledCard
from companion.service.camera.detectors.dice import DiceDetector, Throw
from companion.service.camera.detectors.foreign_cards import ForeignCardDetector
from companion.service.camera.pipeline import NullRecorder, Pipeline, ReadFrame, ReadLabels, Recorder
from companion.service.camera.proposal_service import ProposalService
from companion.service.camera.proposals import CardSource
from companion.service.runtime import BackgroundTask
from companion.service.table.differences import Differences, FrameView
from companion.service.table.table import Table
from companion.vision.card_art.outline import TaughtCards
from companion.vision.label.label import crop_around
from companion.vision.label.tag import Deck, build_deck
from companion.vision.tracking.tracker import TRAY, bounding_box, is_still

# Detectors of things without a label of the table's deck

DICE, CARD_ART_PREFIX = "dice", "face"
"""The tag of a throw of dice, and the prefix of the tags of unlabelled cards."""
CARD_ART_SOURCE = CardSource("faces", automatic=False)
"""The source of unlabelled cards: never automatic, because recognition may be wrong."""
InTray: TypeAlias = Callable[[float, float], bool]


@dataclass(frozen=True, slots=True)
class DetectorFactory:
    """Constructors of the detectors of a table; ``None`` where a detector is not available.

    ``foreign_cards`` takes the label code of the table's game, ``dice`` the number of dice, ``card_art`` the names of
    the game and its catalog.
    """

    foreign_cards: Callable[[str], ForeignCardDetector] | None = None
    dice: Callable[[int], DiceDetector] | None = None
    card_art: Callable[[str, str], Callable[[], TaughtCards] | None] | None = None

    def detectors_for(self, table: Table, in_tray: InTray) -> "Detectors":
        """Return the detectors for a table."""
        manifest = table.game.manifest
        load = None if self.card_art is None else self.card_art(manifest.name, catalog_name(table))
        return Detectors(
            None if self.foreign_cards is None else self.foreign_cards(manifest.label_code),
            None if self.dice is None or not manifest.dice else self.dice(manifest.dice),
            None if load is None else CardArtDetector(load, in_tray),
        )


@dataclass(frozen=True, slots=True)
class Detectors:
    """The detectors of one table."""

    foreign_cards: ForeignCardDetector | None = None
    dice: DiceDetector | None = None
    card_art: CardArtDetector | None = None


NO_DETECTOR_FACTORY, NO_DETECTORS = DetectorFactory(), Detectors()


def catalog_name(table: Table) -> str:
    """Return the name of the catalog with which a game begins as that stands now; empty if there is none."""
    first = table.history.effective_entries()[0].command if table.entries else {}
    position = first.get("position")
    name = first.get("catalog", position.get("catalog") if isinstance(position, Mapping) else None)
    return name if isinstance(name, str) else ""


def awaits_dice(table: Table) -> bool:
    """Return whether a throw of dice is expected now."""
    return any(field["kind"] == "dice" for offer in table.offers(BANKER) for field in offer["fields"].values())


# The state of the camera as the API shows it

NO_CAMERA: dict[str, Any] = {
    "camera": "none",
    "state": "none",
    "problem": None,
    "cards": [],
    "strangers": [],
    "faces": [],
    "twins": [],
    "mat": None,
    "differences": [],
    "resumed": False,
}


def label_texts(sightings: Sequence[Sighting]) -> set[str]:
    """Return the texts of the labels."""
    return {sighting.text for sighting in sightings}


def label_json(seen: Sighting, deck: Deck) -> dict[str, Any]:
    """Return a label as JSON: its card, and the corners of its symbol in pixels."""
    return {"card": deck.card_of(seen.text), "corners": [[round(x, 1), round(y, 1)] for x, y in seen.corners]}


def detections_json(detectors: Detectors) -> dict[str, Any]:
    """Return cards of other games and unlabelled cards as JSON: which card each is, or which cards it resembles."""
    foreign_cards = () if detectors.foreign_cards is None else detectors.foreign_cards.cards
    faces = () if detectors.card_art is None else detectors.card_art.cards
    return {
        "strangers": [
            {"text": foreign_card.text, "card": foreign_card.card, "game": foreign_card.game}
            for foreign_card in foreign_cards
        ],
        "faces": [{"card": card.card, "like": list(card.like)} for card in faces],
    }


AveragedFrame: TypeAlias = Callable[[], npt.NDArray[np.uint8] | None]
CAMERA = "camera"
"""The name of the scanner among the sources of a table."""
NEVER = -1
"""A version that no table has: what was seen then is always asked."""


class Scanner:
    """One camera, attached to one table at a time.

    ``process_next_frame`` is called by one thread, in a loop; everything else is thread-safe.
    """

    def __init__(  # noqa: PLR0913 - what a scanner stands on
        self,
        camera: Camera,
        read_frame: ReadFrame,
        to_jpeg: ToJpeg,
        proposal_service: ProposalService,
        *,
        mat: MatTracker | None = None,
        recorder: Recorder | None = None,
        detector_factory: DetectorFactory = NO_DETECTOR_FACTORY,
        averaged_frame: AveragedFrame = lambda: None,
    ) -> None:
        """Store the parts of a scanner.

        Args:
            camera: the source of frames.
            read_frame: reads the labels of a deck in a frame.
            to_jpeg: encodes a picture.
            proposal_service: receives the placements.
            mat: finds the printed mat in the pictures; ``None`` if there is none.
            recorder: records frames and readings; ``None`` to record nothing.
            detector_factory: constructs the further detectors of a table.
            averaged_frame: returns the mean of the latest frames at rest, clearer than one frame.

        """
        self.averaged_frame = averaged_frame
        self.camera = camera
        self.proposals = proposal_service
        self._to_jpeg = to_jpeg
        self._source = CardSource(CAMERA)
        self._pipeline = Pipeline(read_frame, mat)
        self._recorder = recorder or NullRecorder()
        self._differences = Differences()
        self._detector_factory = detector_factory
        self._detectors = NO_DETECTORS
        self._lock = threading.RLock()
        self._table: Table | None = None
        self._frame: Frame | None = None
        self._previous_frame: Frame | None = None
        self._sightings: tuple[Sighting, ...] = ()
        self._twins: tuple[Sighting, ...] = ()
        self._mat_seen: str | None = None
        self._problem: str | None = None

    @property
    def attached_to(self) -> str | None:
        """The id of the table that the camera is attached to."""
        return None if self._table is None else self._table.id

    @property
    def deck(self) -> Deck | None:
        """The deck of the table that the camera is attached to."""
        with self._lock:
            return None if self._table is None else self._pipeline.deck

    @property
    def latest(self) -> Frame | None:
        """The latest frame; ``None`` before the first one and while the camera is unavailable."""
        return None if self._problem else self._frame

    @property
    def problem(self) -> str | None:
        """The reason why there are no frames; ``None`` while the camera works."""
        return self._problem

    @property
    def mat(self) -> MatTracker | None:
        """Return what finds the mat in the camera's pictures."""
        return self._pipeline.mat

    def attach(self, table: Table, *, resumed: bool = False) -> None:
        """Attach the camera to a table.  Tracking is reset, so cards already on the table are detected again.

        They are asked about, never executed; command cards among them have been obeyed.

        ``resumed``: the table continues after an unexpected stop of the program.
        """
        with self._lock:
            before = self._table
            self._table = table
            manifest = table.game.manifest
            commands = table.game.command_words
            deck = build_deck(manifest.label_code, table.cards(), table.shared_labels(), manifest.piles, commands)
            self._pipeline.attach(deck, begins=not resumed and table.version <= 1)
            self._recorder.attached(deck)
            self._differences = Differences(resumed=resumed)
            self._detectors = self._detector_factory.detectors_for(table, self._in_tray)
            self._sightings = self._twins = ()
            for attached in (before, table):
                if attached is not None:
                    self.proposals.discard_from(attached, CAMERA)
                    self.proposals.discard_from(attached, CARD_ART_SOURCE.name)
        if before is not None and before is not table:
            before.signal.bump()
        table.signal.bump()

    def detach(self, table: Table) -> None:
        """Detach the camera from this table, if it is attached to it."""
        with self._lock:
            if self._table is not table:
                return
            self._table, self._sightings, self._twins, self._detectors = None, (), (), NO_DETECTORS
            nothing = Deck("", frozenset())
            self._pipeline.attach(nothing)
            self._recorder.attached(nothing)
            self.proposals.discard_from(table, CAMERA)
            self.proposals.discard_from(table, CARD_ART_SOURCE.name)

    def ms_until_at_rest(self) -> int | None:
        """Return the milliseconds from the latest frame until a card counts as at rest.

        ``None`` if none is settling.
        """
        return self._pipeline.tracker.next_due_ms()

    def process_next_frame(self) -> bool:
        """Process the next frame, if there is one.  Return ``False`` while the camera is unavailable.

        An unavailable camera is reported on the screens and asked again at the next call.  All other errors are
        reported and raised.
        """
        try:
            frame = self.camera.grab()
            if frame is not None:
                self._process_frame(frame)
        except CameraError as error:
            self._set_problem(str(error))
            return False
        except Exception:
            self._set_problem("a picture could not be read; the program's log says why")
            raise
        if frame is not None:
            self._set_problem(None)
        return True

    def _process_frame(self, frame: Frame) -> None:
        looked = self._pipeline.read(frame)
        with self._lock:
            self._previous_frame, self._frame = self._frame, frame
            if looked.deck is not self._pipeline.deck:
                self._recorder.looked(looked, None, self._pipeline.mat_name)
                return  # read for the table attached before
            changed = self._apply(looked)
            table, detectors = self._table, self._detectors
        if changed and table is not None:
            table.signal.bump()
        # Last and outside the lock: the cards of the table are reported first, and nothing waits for the detectors.
        if table is None:
            return
        if detectors.dice is not None:
            version = table.version
            thrown = detectors.dice.observe(frame, awaited=awaits_dice(table), version=version)
            self._propose_throw(table, version, thrown)
        if detectors.foreign_cards is not None and detectors.foreign_cards.observe(frame, looked.seen):
            table.signal.bump()
        if detectors.card_art is not None:
            before = detectors.card_art.cards
            self._propose_unlabelled(table, detectors.card_art.observe(frame, looked.seen))
            if detectors.card_art.cards != before:
                table.signal.bump()

    def _propose_throw(self, table: Table, version: int, thrown: Throw | None) -> None:
        """Propose dice at rest as the throw that was awaited at a version; later they are a throw of the past."""
        if thrown is not None:
            said = " + ".join(map(str, thrown.faces))
            placement = Placement("place", DICE, said, TRAY, 1.0)
            self.proposals.register_source(table, self._source, self._forget)
            picture = self._to_jpeg(thrown.part)
            self.proposals.on_placement(table, placement, picture, self._source, only_at=version)

    def _propose_unlabelled(self, table: Table, laid: Sequence[UnlabelledCard]) -> None:
        """Propose unlabelled cards that were recognised by their art."""
        for unlabelled in laid:
            if unlabelled.card is not None:
                placement = Placement(
                    "place",
                    f"{CARD_ART_PREFIX} {unlabelled.card}",
                    unlabelled.card,
                    self._zone(*unlabelled.centre),
                    1.0,
                )
                self.proposals.register_source(table, CARD_ART_SOURCE, self._forget)
                self.proposals.on_placement(table, placement, self._to_jpeg(unlabelled.picture), CARD_ART_SOURCE)

    def _zone(self, x: float, y: float) -> str:
        return TRAY if self._pipeline.mat is None else self._pipeline.mat.zone_at_pixel(x, y) or ""

    def _in_tray(self, x: float, y: float) -> bool:
        return self._zone(x, y) == TRAY

    def _set_problem(self, problem: str | None) -> None:
        """Report to the screens that the camera failed or recovered; what was seen before a failure is discarded."""
        with self._lock:
            if problem == self._problem:
                return
            self._problem = problem
            name = self.camera.name
            self._recorder.note_problem(problem and problem.replace(name, shown_name(name)))
            if problem is not None:
                self._sightings = self._twins = ()
            table = self._table
        if table is not None:
            table.signal.bump()

    def _apply(self, looked: ReadLabels) -> bool:
        frame, seen = looked.frame, looked.seen
        changed = label_texts(seen) != label_texts(self._sightings) or label_texts(looked.twins) != label_texts(
            self._twins
        )
        changed |= self._mat_seen != self._pipeline.mat_name
        self._sightings, self._twins, self._mat_seen = seen, looked.twins, self._pipeline.mat_name
        table = self._table
        placements = self._pipeline.place(looked)
        self._recorder.looked(looked, placements, self._pipeline.mat_name)
        if table is None:
            return False
        changed |= self.proposals.refresh(table)
        by_text, version = {label.text: label for label in seen}, table.version
        for placement in placements:
            if placement.event == "remove" or placement.tag not in by_text or self._is_nothing_new(placement):
                continue
            picture = self._to_jpeg(crop_around(frame.image, by_text[placement.tag]))
            self.proposals.register_source(table, self._source, self._forget)
            seen_at = NEVER if placement.tag in self._pipeline.tracker.initial_tags else version
            changed |= self.proposals.on_placement(table, placement, picture, self._source, seen_at=seen_at)
        return changed | self._compare_with_books(looked, table)

    def _is_nothing_new(self, placement: Placement) -> bool:
        """Return whether a card was never moved, or says a word that was obeyed before the camera looked here."""
        tracker = self._pipeline.tracker
        is_obeyed = placement.tag in tracker.initial_tags and placement.card in tracker.commands
        return is_obeyed or placement.tag in tracker.returned_tags

    def _compare_with_books(self, looked: ReadLabels, table: Table) -> bool:
        """Compare the cards on the mat with the books; without a mat no zone tells whose a card is.

        A card with a pending proposal is in view, but its zone is no difference yet.
        """
        if self._pipeline.mat_name is None:
            return False
        asked = {proposal["card"] for proposal in self.proposals.pending(table.id) if proposal["command"] is not None}
        by_card = {self._pipeline.deck.card_of(tag): zone for tag, zone in self._pipeline.tracker.placed_tags().items()}
        lying = {card: TRAY if card in asked else zone for card, zone in by_card.items() if card is not None}
        places = {
            card: bounding_box(label) for label in looked.seen if (card := looked.deck.card_of(label.text)) is not None
        }
        return self._differences.observe(looked.frame.at_ms, table, lying, FrameView(places, self._is_still))

    def _is_still(self, place: Box) -> bool:
        """Return whether nothing moves in a part of the picture."""
        before, now = self._previous_frame, self._frame
        return before is not None and now is not None and is_still(before.image, now.image, place)

    def _forget(self, tag: str) -> None:
        with self._lock:
            if tag == DICE and self._detectors.dice is not None:
                self._detectors.dice.forget()
                return
            if tag.startswith(CARD_ART_PREFIX) and self._detectors.card_art is not None:
                self._detectors.card_art.forget(tag.removeprefix(CARD_ART_PREFIX).strip())
                return
            self._pipeline.tracker.forget(tag)
            self._recorder.forgot(tag)

    @property
    def detects_dice(self) -> bool:
        """Return whether dice are detected at this table."""
        return self._detectors.dice is not None

    def is_in_view(self, card: str) -> bool:
        """Return whether a card of the deck is in view."""
        with self._lock:
            return any(self._pipeline.deck.card_of(tag) == card for tag in self._pipeline.tracker.tags_in_view())

    def state_json(self, table_id: str) -> dict[str, Any]:
        """Return the state of the camera for a table as JSON, with every card of the deck in view."""
        with self._lock:
            if self.camera.name == "none":
                return {**NO_CAMERA}
            lying = self._pipeline.tracker.placed_tags()
            deck = self._pipeline.deck
            cards = [{**label_json(sighting, deck), "zone": lying.get(sighting.text)} for sighting in self._sightings]
            attached = self.attached_to == table_id
            state = "lost" if self._problem else "seeing"
            return {
                "camera": self.camera.name,
                "state": state,
                "problem": self._problem,
                "cards": cards if attached else [],
                "twins": [label_json(twin, deck) for twin in self._twins] if attached else [],
                **detections_json(self._detectors if attached and not self._problem else NO_DETECTORS),
                "mat": self._pipeline.mat_name,
                "differences": self._differences.as_json if attached else [],
                "resumed": attached and self._differences.resumed,
            }

    def live_picture(self) -> bytes | None:
        """Return the latest frame as JPEG; ``None`` before the first one."""
        frame = self._frame
        return None if frame is None else self._to_jpeg(frame.image)


log = logging.getLogger(__name__)

BETWEEN_FRAMES_S = 0.1
IDLE_RATIO = 0.5
"""So much of the time that a look took is left to others before the next one: a Pi needs longer for each."""
MIN_IDLE_S = 0.04
RETRY_S = 1.0


class CameraLoop(BackgroundTask):
    """Calls ``Scanner.process_next_frame`` repeatedly.  A fault is logged once and tried again: the thread never dies.

    While the camera is lost, or frames cannot be taken in, it tries once a second.
    """

    def __init__(self, scanner: Scanner, pause_s: float = BETWEEN_FRAMES_S, stop_timeout_s: float = 5.0) -> None:
        """Store the scanner; ``pause_s``: seconds from one frame to the next."""
        super().__init__("camera loop", stop_timeout_s)
        self._scanner = scanner
        self._pause_s = pause_s

    def stop(self) -> None:
        """Stop, and close the camera; one whose picture is still waited for is left to the end of the program."""
        super().stop()
        if not self._thread.is_alive():
            self._scanner.camera.close()

    def _run(self) -> None:
        troubled = False
        while not self._stopping.is_set():
            pause, begun = self._pause_s, time.monotonic()
            try:
                if self._scanner.process_next_frame():
                    pause = pause_after(time.monotonic() - begun, self._scanner.ms_until_at_rest(), self._pause_s)
                else:
                    pause = max(pause, RETRY_S)
                troubled = False
            except Exception:
                if not troubled:
                    log.exception("a frame could not be taken in; trying on")
                troubled = True
                pause = RETRY_S
            self._stopping.wait(pause)


def pause_after(took: float, due_ms: int | None, between: float) -> float:
    """Return how many seconds to wait after a look that took so long.

    ``due_ms``: when a card that rests now will have rested, counted from the frame of that look; it is looked at again
    just then.  ``between``: the seconds from one frame to the next.
    """
    pause = between - took
    if due_ms is not None:
        pause = min(pause, due_ms / 1000 - took)
    return max(pause, IDLE_RATIO * took, min(MIN_IDLE_S, between))
