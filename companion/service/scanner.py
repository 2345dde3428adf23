"""Cards under the camera become proposals at a table, and a tap makes them commands."""

import threading
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from companion.service.camera import Camera, CameraError, Frame
from companion.service.errors import UnknownProposal
from companion.service.ports import Clock
from companion.service.proposals import Proposal, Proposals
from companion.service.table import Table
from companion.vision.crop import crop_around
from companion.vision.sighting import Sighting
from companion.vision.tag import Deck
from companion.vision.track import Tracker

ReadFrame: TypeAlias = Callable[[Frame, Deck], Sequence[Sighting]]
ToJpeg: TypeAlias = "Callable[[npt.NDArray[np.uint8]], bytes]"
Answer: TypeAlias = Literal["yes", "no", "again"]


class Scanner:
    """One camera, attached to one table at a time.

    ``look`` handles one frame; whoever owns the scanner calls it again and again.  Everything else may be
    called from any thread.
    """

    def __init__(
        self,
        camera: Camera,
        read_frame: ReadFrame,
        to_jpeg: ToJpeg,
        clock: Clock,
        new_tracker: Callable[[], Tracker] = Tracker,
    ) -> None:
        """Take the camera, how frames are read and pictures written, and the tracker's settings."""
        self.camera = camera
        self._read_frame = read_frame
        self._to_jpeg = to_jpeg
        self._clock = clock
        self._new_tracker = new_tracker
        self._tracker = new_tracker()
        self._using = threading.RLock()
        self._table: Table | None = None
        self._deck = Deck("", frozenset())
        self._proposals = Proposals()
        self._read_at = 0
        self._frame: Frame | None = None
        self._seen: tuple[Sighting, ...] = ()
        self._problem: str | None = None

    @property
    def attached_to(self) -> str | None:
        """Say at which table the camera looks now."""
        return None if self._table is None else self._table.id

    def attach(self, table: Table) -> None:
        """Look at this table from now on.  What lies there already counts as seen for nobody: it is read anew."""
        with self._using:
            before = self._table
            self._table = table
            self._deck = Deck(table.edition.game.label_code, table.cards())
            self._proposals.clear()
            self._tracker = self._new_tracker()
            self._seen = ()
            self._read_at = table.version
        if before is not None and before is not table:
            before.signal.bump()
        table.signal.bump()

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
        deck = self._deck
        seen = tuple(self._read_frame(frame, deck)) if deck.cards else ()  # without a table nothing is wanted
        with self._using:
            self._frame = frame
            if deck is not self._deck:
                return  # read for the table that was looked at before
            changed = self._take_in(frame, seen)
            table = self._table
        if changed and table is not None:
            table.signal.bump()

    def _tell(self, problem: str | None) -> None:
        """Tell the screens when the camera was lost or came back.  What it saw before is no sight of now."""
        with self._using:
            if problem == self._problem:
                return
            self._problem = problem
            if problem is not None:
                self._seen = ()
            table = self._table
        if table is not None:
            table.signal.bump()

    def _take_in(self, frame: Frame, seen: tuple[Sighting, ...]) -> bool:
        changed = {one.text for one in seen} != {one.text for one in self._seen}
        self._seen = seen
        table = self._table
        placements = self._tracker.observe(frame.at_ms, seen)
        if table is None:
            return False
        changed |= self._keep_up(table)
        by_text = {one.text: one for one in seen}
        for placement in placements:
            if placement.event == "remove" or placement.tag not in by_text:
                continue
            picture = self._to_jpeg(crop_around(frame.image, by_text[placement.tag]))
            changed |= self._proposals.ask(table, placement, picture, self._clock.now())
        return changed

    def _keep_up(self, table: Table) -> bool:
        """Read waiting cards again when the table has moved on since."""
        if table.version == self._read_at:
            return False
        self._read_at = table.version
        return self._proposals.refresh(table)

    def proposals(self, table_id: str) -> list[dict[str, Any]]:
        """Give what waits for an answer at a table, oldest first."""
        with self._using:
            if self._table is None or self._table.id != table_id:
                return []
            self._keep_up(self._table)
            return [proposal.as_json() for proposal in self._proposals.waiting()]

    def answer(self, table_id: str, number: int, answer: Answer, *, actor: str) -> dict[str, Any] | None:
        """Answer a proposal.  ``yes`` submits its command and gives the entry; ``again`` asks anew.

        Raises ``UnknownProposal`` where it does not wait (any more) or is a question to which yes is no answer,
        and all that ``Table.submit`` raises; after that the card still waits, if it still means something.
        """
        with self._using:
            table = self._at(table_id)
            self._keep_up(table)
            command = self._proposals.find(number).command
            if answer == "yes" and command is None:
                raise UnknownProposal(str(number))
            proposal = self._proposals.take(number)
            if answer == "again":
                self._tracker.forget(proposal.placement.tag)
        try:
            if answer != "yes" or command is None:
                return None
            return table.submit(command, actor=actor, source="camera", seen=None)
        except Exception:
            self._put_back(table, proposal)
            raise
        finally:
            table.signal.bump()

    def _put_back(self, table: Table, proposal: Proposal) -> None:
        with self._using:
            if table is self._table:
                self._proposals.put_back(proposal)
                self._proposals.refresh(table)

    def _at(self, table_id: str) -> Table:
        if self._table is None or self._table.id != table_id:
            raise UnknownProposal(table_id)
        return self._table

    def picture(self, table_id: str, number: int) -> bytes:
        """Give the JPEG of the card that a proposal is about; ``UnknownProposal``."""
        with self._using:
            self._at(table_id)
            return self._proposals.find(number).picture

    def sees(self, card: str) -> bool:
        """Say whether a card of the deck counts as being in view."""
        with self._using:
            return any(self._deck.card_of(tag) == card for tag in self._tracker.in_view())

    def sight(self, table_id: str) -> dict[str, Any]:
        """Say what the camera sees now: its state, and every card of the deck in view."""
        with self._using:
            if self.camera.name == "none":
                return {"camera": "none", "state": "none", "problem": None, "cards": []}
            lying = self._tracker.lying()
            cards = [
                {
                    "card": self._deck.card_of(one.text),
                    "zone": lying.get(one.text),
                    "corners": [[round(x, 1), round(y, 1)] for x, y in one.corners],
                }
                for one in self._seen
            ]
            here = self.attached_to == table_id
            state = "lost" if self._problem else "seeing"
            return {
                "camera": self.camera.name,
                "state": state,
                "problem": self._problem,
                "cards": cards if here else [],
            }

    def live_picture(self) -> bytes | None:
        """Give the latest frame as JPEG; ``None`` when there was none yet."""
        frame = self._frame
        return None if frame is None else self._to_jpeg(frame.image)
