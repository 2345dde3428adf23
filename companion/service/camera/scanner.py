"""Cards under the camera become proposals at a table."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from calibration.mat_sight import MatSight
from companion.engine.placement import Placement
from companion.qr.arrays import Box
from companion.qr.sighting import Sighting
from companion.service.camera.camera import Camera, CameraError, Frame
from companion.service.camera.detectors.card_art import BareCard, FaceEye
from companion.service.camera.detectors.dice import DiceEye, Thrown
from companion.service.camera.detectors.foreign_cards import Strangers
from companion.service.camera.pipeline import Looked, Pipeline, ReadFrame
from companion.service.camera.proposal_service import Asking
from companion.service.camera.proposals import CardSource
from companion.service.camera.recording import NoRecorder, Recorder
from companion.service.table.differences import Differences, View
from companion.service.table.table import Table
from companion.vision.card_art.features import TaughtCards
from companion.vision.label.crop import crop_around
from companion.vision.label.tag import Deck, build_deck
from companion.vision.tracking.tracker import TRAY, bounding_box, is_still

# --- beside
# What a camera looks for besides the labels of its table: cards of other games, dice, and bare cards.

DICE, FACE = "dice", "face"
"""What stands in place of a label's text for a throw, and what that of a bare card begins with."""
BARE = CardSource("faces", automatic=False)
"""Who sees bare cards: it only ever asks."""
InTray: TypeAlias = Callable[[float, float], bool]


@dataclass(frozen=True, slots=True)
class Others:
    """How a table's other eyes are made.

    Beside a game with these letters on its labels, for so many dice, and for the faces of a game's catalog by name.
    """

    strangers: Callable[[str], Strangers] | None = None
    dice: Callable[[int], DiceEye] | None = None
    faces: Callable[[str, str], Callable[[], TaughtCards] | None] | None = None

    def beside(self, table: Table, in_tray: InTray) -> "Beside":
        """Make those of a table."""
        manifest = table.edition.manifest
        load = None if self.faces is None else self.faces(manifest.name, catalog_of(table))
        return Beside(
            None if self.strangers is None else self.strangers(manifest.label_code),
            None if self.dice is None or not manifest.dice else self.dice(manifest.dice),
            None if load is None else FaceEye(load, in_tray),
        )


@dataclass(frozen=True, slots=True)
class Beside:
    """The other eyes of one table."""

    strangers: Strangers | None = None
    dice: DiceEye | None = None
    faces: FaceEye | None = None


NO_OTHERS, NOTHING_BESIDE = Others(), Beside()


def catalog_of(table: Table) -> str:
    """Name the catalog that a game was begun with; empty where its beginning names none."""
    first = table.entries[0].command if table.entries else {}
    position = first.get("position")
    name = first.get("catalog", position.get("catalog") if isinstance(position, Mapping) else None)
    return name if isinstance(name, str) else ""


def awaits_dice(table: Table) -> bool:
    """Say whether anybody is asked for a throw now."""
    return any(field["kind"] == "dice" for offer in table.offers("banker") for field in offer["fields"].values())


# --- telling
# What a camera sees, as interfaces show it.

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


def texts_of(sightings: Sequence[Sighting]) -> set[str]:
    """Give what labels say."""
    return {one.text for one in sightings}


def told_label(seen: Sighting, deck: Deck) -> dict[str, Any]:
    """Tell a label of a deck: its card, and the corners of its symbol in pixels."""
    return {"card": deck.card_of(seen.text), "corners": [[round(x, 1), round(y, 1)] for x, y in seen.corners]}


def told_beside(beside: Beside) -> dict[str, Any]:
    """Tell the cards of other games, and those without a label: which card each is, or what it looks like."""
    strangers = () if beside.strangers is None else beside.strangers.told
    faces = () if beside.faces is None else beside.faces.lying
    return {
        "strangers": [{"text": one.text, "card": one.card, "game": one.game} for one in strangers],
        "faces": [{"card": one.card, "like": list(one.like)} for one in faces],
    }


ToJpeg: TypeAlias = "Callable[[npt.NDArray[np.uint8]], bytes]"
Calm: TypeAlias = Callable[[], npt.NDArray[np.uint8] | None]
CAMERA = "camera"
"""The name of the scanner among the eyes of a table."""


class Scanner:
    """One camera, attached to one table at a time.

    ``look`` handles one frame; whoever owns the scanner calls it again and again.  Everything else may be
    called from any thread.
    """

    def __init__(  # noqa: PLR0913 - what a scanner stands on
        self,
        camera: Camera,
        read_frame: ReadFrame,
        to_jpeg: ToJpeg,
        asking: Asking,
        *,
        mat: MatSight | None = None,
        recorder: Recorder | None = None,
        others: Others = NO_OTHERS,
        calm: Calm = lambda: None,
    ) -> None:
        """Take the camera, how frames are read and pictures written, who asks, and the mats.

        ``others`` look for what is no card of the table's; ``calm`` gives the table at rest, clearer than frames.
        """
        self.calm = calm
        self.camera = camera
        self.asking = asking
        self._to_jpeg = to_jpeg
        self._eye = CardSource(CAMERA)
        self._pipeline = Pipeline(read_frame, mat)
        self._recorder = recorder or NoRecorder()
        self._differences = Differences()
        self._others = others
        self._beside = NOTHING_BESIDE
        self._using = threading.RLock()
        self._table: Table | None = None
        self._frame: Frame | None = None
        self._before: Frame | None = None
        self._seen: tuple[Sighting, ...] = ()
        self._twins: tuple[Sighting, ...] = ()
        self._mat_seen: str | None = None
        self._problem: str | None = None

    @property
    def attached_to(self) -> str | None:
        """Say at which table the camera looks now."""
        return None if self._table is None else self._table.id

    @property
    def latest(self) -> Frame | None:
        """The latest frame; ``None`` before the first one, and while the camera is lost."""
        return None if self._problem else self._frame

    @property
    def problem(self) -> str | None:
        """Why nothing is seen just now; ``None``: the camera gives pictures."""
        return self._problem

    @property
    def mat(self) -> MatSight | None:
        """What finds the mat in the camera's pictures."""
        return self._pipeline.mat

    def attach(self, table: Table, *, resumed: bool = False) -> None:
        """Look at this table from now on.  What lies there already counts as seen for nobody: it is read anew.

        ``resumed``: it goes on where a pulled plug has left it.
        """
        with self._using:
            before = self._table
            self._table = table
            manifest = table.edition.manifest
            deck = build_deck(manifest.label_code, table.cards(), table.shared_labels(), manifest.piles)
            self._pipeline.attach(deck)
            self._recorder.attached(deck)
            self._differences = Differences(resumed=resumed)
            self._beside = self._others.beside(table, self._in_tray)
            self._seen = self._twins = ()
            for one in (before, table):
                if one is not None:
                    self.asking.drop(one, CAMERA)
                    self.asking.drop(one, BARE.name)
        if before is not None and before is not table:
            before.signal.bump()
        table.signal.bump()

    def leave(self, table: Table) -> None:
        """Look at this table no more, if it is the one; then at none."""
        with self._using:
            if self._table is not table:
                return
            self._table, self._seen, self._twins, self._beside = None, (), (), NOTHING_BESIDE
            nothing = Deck("", frozenset())
            self._pipeline.attach(nothing)
            self._recorder.attached(nothing)
            self.asking.drop(table, CAMERA)
            self.asking.drop(table, BARE.name)

    def due_ms(self) -> int | None:
        """Say in how many milliseconds from the latest frame a card will have rested; ``None``: none rests."""
        return self._pipeline.tracker.next_due_ms()

    def look(self) -> bool:
        """Take in the next frame, if there is one; ``False`` while the camera is lost.

        A lost camera is told, and asked again at the next call.  Whatever else goes wrong is raised, and told too.
        """
        try:
            frame = self.camera.grab()
            if frame is not None:
                self._look_at(frame)
        except CameraError as error:
            self._tell(str(error))
            return False
        except Exception:
            self._tell("a picture could not be read; the program's log says why")
            raise
        if frame is not None:
            self._tell(None)
        return True

    def _look_at(self, frame: Frame) -> None:
        looked = self._pipeline.read(frame)
        with self._using:
            self._before, self._frame = self._frame, frame
            if looked.deck is not self._pipeline.deck:
                self._recorder.looked(looked, None, self._pipeline.mat_name)
                return  # read for the table that was looked at before
            changed = self._take_in(looked)
            table, beside = self._table, self._beside
        if changed and table is not None:
            table.signal.bump()
        # Last, and outside the lock: its own cards are told first, and nobody waits for it.
        if table is None:
            return
        if beside.dice is not None:
            self._throw(table, beside.dice.observe(frame, awaited=awaits_dice(table)))
        if beside.strangers is not None and beside.strangers.observe(frame, looked.seen):
            table.signal.bump()
        if beside.faces is not None:
            before = beside.faces.lying
            self._lay_bare(table, beside.faces.observe(frame, looked.seen))
            if beside.faces.lying != before:
                table.signal.bump()

    def _throw(self, table: Table, thrown: Thrown | None) -> None:
        """Ask whether dice at rest are the throw that is awaited."""
        if thrown is not None:
            said = " + ".join(map(str, thrown.faces))
            placement = Placement("place", DICE, said, TRAY, 1.0)
            self.asking.watches(table, self._eye, self._forget)
            self.asking.lay(table, placement, self._to_jpeg(thrown.part), self._eye)

    def _lay_bare(self, table: Table, laid: Sequence[BareCard]) -> None:
        """Ask about cards that were known by their faces."""
        for one in laid:
            if one.card is not None:
                placement = Placement("place", f"{FACE} {one.card}", one.card, self._zone(*one.centre), 1.0)
                self.asking.watches(table, BARE, self._forget)
                self.asking.lay(table, placement, self._to_jpeg(one.picture), BARE)

    def _zone(self, x: float, y: float) -> str:
        return TRAY if self._pipeline.mat is None else self._pipeline.mat.zone_at_pixel(x, y) or ""

    def _in_tray(self, x: float, y: float) -> bool:
        return self._zone(x, y) == TRAY

    def _tell(self, problem: str | None) -> None:
        """Tell the screens when the camera was lost or came back.  What it saw before is no sight of now."""
        with self._using:
            if problem == self._problem:
                return
            self._problem = problem
            self._recorder.note_problem(problem)
            if problem is not None:
                self._seen = self._twins = ()
            table = self._table
        if table is not None:
            table.signal.bump()

    def _take_in(self, looked: Looked) -> bool:
        frame, seen = looked.frame, looked.seen
        changed = texts_of(seen) != texts_of(self._seen) or texts_of(looked.twins) != texts_of(self._twins)
        changed |= self._mat_seen != self._pipeline.mat_name
        self._seen, self._twins, self._mat_seen = seen, looked.twins, self._pipeline.mat_name
        table = self._table
        placements = self._pipeline.take_in(looked)
        self._recorder.looked(looked, placements, self._pipeline.mat_name)
        if table is None:
            return False
        changed |= self.asking.keep_up(table)
        by_text = {one.text: one for one in seen}
        for placement in placements:
            if placement.event == "remove" or placement.tag not in by_text:
                continue
            picture = self._to_jpeg(crop_around(frame.image, by_text[placement.tag]))
            self.asking.watches(table, self._eye, self._forget)
            changed |= self.asking.lay(table, placement, picture, self._eye)
        return changed | self._compare(looked, table)

    def _compare(self, looked: Looked, table: Table) -> bool:
        """Compare the mat with the books; without a mat nothing says whose a card is.

        A card that asks to be hired or fired is in view, but its zone is no difference yet.
        """
        if self._pipeline.mat_name is None:
            return False
        asked = {one["card"] for one in self.asking.waiting(table.id) if one["command"] is not None}
        by_card = {self._pipeline.deck.card_of(tag): zone for tag, zone in self._pipeline.tracker.placed_tags().items()}
        lying = {card: TRAY if card in asked else zone for card, zone in by_card.items() if card is not None}
        places = {card: bounding_box(one) for one in looked.seen if (card := looked.deck.card_of(one.text)) is not None}
        return self._differences.observe(looked.frame.at_ms, table, lying, View(places, self._still))

    def _still(self, place: Box) -> bool:
        """Say whether nothing moves at a place of the picture."""
        before, now = self._before, self._frame
        return before is not None and now is not None and is_still(before.image, now.image, place)

    def _forget(self, tag: str) -> None:
        with self._using:
            if tag == DICE and self._beside.dice is not None:
                self._beside.dice.again()
                return
            if tag.startswith(FACE) and self._beside.faces is not None:
                self._beside.faces.again(tag.removeprefix(FACE).strip())
                return
            self._pipeline.tracker.forget(tag)
            self._recorder.forgot(tag)

    @property
    def sees_dice(self) -> bool:
        """Say whether dice of the table's game are looked for."""
        return self._beside.dice is not None

    def sees(self, card: str) -> bool:
        """Say whether a card of the deck counts as being in view."""
        with self._using:
            return any(self._pipeline.deck.card_of(tag) == card for tag in self._pipeline.tracker.tags_in_view())

    def sight(self, table_id: str) -> dict[str, Any]:
        """Say what the camera sees now: its state, and every card of the deck in view."""
        with self._using:
            if self.camera.name == "none":
                return {**NO_CAMERA}
            lying = self._pipeline.tracker.placed_tags()
            deck = self._pipeline.deck
            cards = [{**told_label(one, deck), "zone": lying.get(one.text)} for one in self._seen]
            here = self.attached_to == table_id
            state = "lost" if self._problem else "seeing"
            return {
                "camera": self.camera.name,
                "state": state,
                "problem": self._problem,
                "cards": cards if here else [],
                "twins": [told_label(one, deck) for one in self._twins] if here else [],
                **told_beside(self._beside if here and not self._problem else NOTHING_BESIDE),
                "mat": self._pipeline.mat_name,
                "differences": self._differences.as_json if here else [],
                "resumed": here and self._differences.resumed,
            }

    def live_picture(self) -> bytes | None:
        """Give the latest frame as JPEG; ``None`` when there was none yet."""
        frame = self._frame
        return None if frame is None else self._to_jpeg(frame.image)
