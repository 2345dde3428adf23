"""A whole game played by bots who lay cards where the camera looks.

The bots know what they want; the table only learns it by sight.  A card counts when the camera's proposal for it
has come and is what was meant; only what no card can say (bids, passing) is tapped.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.engine.game import Refused
from companion.service.camera.scanner import Scanner
from companion.service.ports import UnknownProposal
from companion.service.table.table import Request, Table

FRAMES_A_TRY = 40
FRAMES_A_THROW = 20
"""So long dice are looked at; then people tap what they see."""
TRIES = 5


class CardTable(Protocol):
    """A table on which cards can be laid."""

    @property
    def mat(self) -> object | None:
        """The mat under the cards; ``None`` where the table is bare."""
        ...

    @property
    def board_held(self) -> bool:
        """Return whether somebody holds the calibration board under the camera."""
        ...

    def lay_on_tray(self, card: str) -> None:
        """Lay a card where the camera sees it."""
        ...

    def name_of(self, card: str, game: str) -> str:
        """Return the name under which a card of a game lies there; ``game``: how the game's labels begin."""
        ...

    def lay_unlabelled(self, card: str) -> None:
        """Lay a card without a label on the tray."""
        ...

    @property
    def zones(self) -> tuple[str, ...]:
        """The zones of the mat that lies there; none without a mat."""
        ...

    def lay_in(self, card: str, zone: str) -> None:
        """Lay a card in a zone of the mat; ``ValueError`` where there is no such zone."""
        ...

    def throw(self, faces: Sequence[int]) -> None:
        """Throw dice so that these faces lie up, from the left."""
        ...

    def take_away(self, card: str) -> None:
        """Remove a card from the table."""
        ...

    def bump(self) -> None:
        """Knock against the camera."""
        ...

    def lay_mat(self, name: str | None) -> None:
        """Lay a mat under the cards, or take it away; ``ValueError`` where there is none of that name."""
        ...

    def hold_board(self, *, in_hand: bool) -> None:
        """Hold the calibration board under the camera and move it about, or put it away."""
        ...


@dataclass(frozen=True, slots=True)
class DemonstrationMove:
    """A command, and the cards that are laid to give it (none: it is tapped); ``zone``: where, if such a one is there.

    Everywhere else they are laid on the scan tray.
    """

    command: Mapping[str, Any]
    cards: tuple[str, ...] = ()
    zone: str | None = None


class NothingSeen(Exception):  # noqa: N818 - an answer, not an error of the program
    """A card lay under the camera and nothing came of it; the message says which."""


class Demonstration:
    """Plays on until the game is over.

    ``next_move`` names what happens next (``None``: the game is over).  ``look_on`` lets time pass until the
    next frame was taken in; ``pause`` lets people watch.
    """

    def __init__(
        self,
        table: Table,
        scanner: Scanner,
        simulated_table: CardTable,
        next_move: Callable[[], DemonstrationMove | None],
        look_on: Callable[[], object],
        pause: Callable[[], object],
    ) -> None:
        """Store the table, its camera, and the bots."""
        self._table = table
        self._scanner = scanner
        self._simulated_table = simulated_table
        self._next_move = next_move
        self._look_on = look_on
        self._pause = pause
        self.seen = 0

    def play(self, report: Callable[[], object] = lambda: None) -> None:
        """Play to the end; ``NothingSeen`` when a card is not read however often it is laid.

        People may play along: where the game has moved on meanwhile, the bots think again.  ``report`` is called
        after each move.
        """
        while True:
            version = self._table.version
            move = self._next_move()
            if move is None:
                return
            try:
                self._carry_out(move, version)
            except Refused:
                if self._table.version == version:
                    raise
            report()
            self._pause()

    def _carry_out(self, move: DemonstrationMove, version: int) -> None:
        if move.cards:
            self._lay(move, version)
        elif not self._thrown(move, version):
            self._table.submit(Request(move.command, "banker", "tap"))

    def _lay(self, move: DemonstrationMove, version: int) -> None:
        for card in move.cards:
            self._wait_until_gone(card)
        for _ in range(TRIES):
            for card in move.cards:
                self._put_down(card, move.zone)
            try:
                answered = self._answered(move, version)
            finally:
                for card in move.cards:
                    self._simulated_table.take_away(card)
            if answered or self._table.version != version:
                return
            for card in move.cards:
                self._wait_until_gone(card)
        message = f"card {', '.join(move.cards)} lay under the camera and was not read"
        raise NothingSeen(message)

    def _thrown(self, move: DemonstrationMove, version: int) -> bool:
        """Throw dice where the game is told by them, and say yes to what is seen; ``False``: it is tapped."""
        faces = move.command.get("dice")
        if not self._scanner.detects_dice or not isinstance(faces, Sequence):
            return False
        self._look_on()  # how the table looks before the throw
        self._simulated_table.throw(faces)
        return self._answered(move, version, FRAMES_A_THROW) or self._table.version != version

    def _put_down(self, card: str, zone: str | None) -> None:
        if zone is not None and zone in self._simulated_table.zones:
            self._simulated_table.lay_in(card, zone)
        else:
            self._simulated_table.lay_on_tray(card)

    def _answered(self, move: DemonstrationMove, version: int, frames: int = FRAMES_A_TRY) -> bool:
        """Return yes to what the camera proposes, if that is what was meant."""
        number = self._proposal_for(move, version, frames)
        if number is None:
            return False
        self._pause()
        try:
            self._scanner.proposals.answer(self._table.id, number, "yes", actor="banker")
        except UnknownProposal:
            return False  # somebody was quicker: with a yes the game has moved on, with a no the card is laid again
        self.seen += 1
        return True

    def _proposal_for(self, move: DemonstrationMove, version: int, frames: int) -> int | None:
        """Look until the camera proposes what was meant; ``None`` after many frames, or when others have played."""
        for _ in range(frames):
            for proposal in self._scanner.proposals.pending(self._table.id):
                if proposal["command"] == move.command:
                    return int(proposal["id"])
            if self._table.version != version:
                return None
            self._look_on()
        return None

    def _wait_until_gone(self, card: str) -> None:
        """Look until a card has left: while it counts as lying there, laying it again would not be noticed."""
        for _ in range(FRAMES_A_TRY):
            if not self._scanner.is_in_view(card):
                return
            self._look_on()
