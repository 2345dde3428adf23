"""What the camera asks: a card was laid down, and this is what it would mean."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.engine.game import Question
from companion.engine.placement import Placement
from companion.service.errors import UnknownProposal
from companion.service.table import Table


@dataclass(frozen=True, slots=True)
class Proposal:
    """A read command waiting for a tap, or a card that leads to nothing and why.

    ``picture`` is the JPEG of the card as it was seen.
    """

    number: int
    at: str
    placement: Placement
    picture: bytes
    command: Mapping[str, Any] | None
    question: Question | None

    def as_json(self) -> dict[str, Any]:
        """Give the proposal as interfaces show it, the picture apart."""
        question = None
        if self.question is not None:
            details = {key: list(held) if isinstance(held, tuple) else held for key, held in self.question.details}
            question = {"rule": self.question.rule, "card": self.question.card, "details": details}
        return {
            "id": self.number,
            "at": self.at,
            "card": self.placement.card,
            "tag": self.placement.tag,
            "zone": self.placement.zone,
            "command": None if self.command is None else dict(self.command),
            "question": question,
        }


class Proposals:
    """Those of one table that wait for an answer, oldest first.  Not for several threads at once."""

    def __init__(self) -> None:
        """Start with none."""
        self._waiting: dict[int, Proposal] = {}
        self._given = 0

    def ask(self, table: Table, placement: Placement, picture: bytes, at: str) -> bool:
        """Take a placement in; ``False`` where it means nothing now.  A card asks once at a time."""
        meant = table.read(placement)
        if meant is None:
            return False
        self.withdraw(placement.tag)
        self._given += 1
        command, question = (None, meant) if isinstance(meant, Question) else (meant, None)
        self._waiting[self._given] = Proposal(self._given, at, placement, picture, command, question)
        return True

    def withdraw(self, tag: str) -> None:
        """Forget what was asked about a tag."""
        self._waiting = {number: one for number, one in self._waiting.items() if one.placement.tag != tag}

    def refresh(self, table: Table) -> bool:
        """Read every waiting card again after the game has moved on; ``True`` if anything changed.

        What leads to nothing any more goes without a word: its answer was given another way.
        """
        before = self._waiting
        after: dict[int, Proposal] = {}
        for number, one in before.items():
            meant = table.read(one.placement)
            if meant is not None and not isinstance(meant, Question):
                after[number] = replace(one, command=meant, question=None)
        self._waiting = after
        return before != after

    def waiting(self) -> tuple[Proposal, ...]:
        """Give all that wait, oldest first."""
        return tuple(self._waiting.values())

    def find(self, number: int) -> Proposal:
        """Give one; ``UnknownProposal``."""
        if number not in self._waiting:
            raise UnknownProposal(str(number))
        return self._waiting[number]

    def take(self, number: int) -> Proposal:
        """Give one and let it wait no longer; ``UnknownProposal``."""
        found = self.find(number)
        del self._waiting[number]
        return found
