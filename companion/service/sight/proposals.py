"""What the camera asks: a card was laid down, and this is what it would mean."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.engine.game import Question
from companion.engine.placement import Placement
from companion.service.errors import UnknownProposal
from companion.service.sight.proposal import Eye, Proposal
from companion.service.sight.waiting_cards import WaitingCards
from companion.service.table.table import Table


class Proposals:
    """Those of one table that wait for an answer, oldest first.  Not for several threads at once."""

    def __init__(self, table_id: str, cards: WaitingCards) -> None:
        """Take where those of all tables are kept."""
        self._table_id = table_id
        self._cards = cards

    @property
    def _waiting(self) -> Mapping[int, Proposal]:
        return self._cards.of(self._table_id)

    @_waiting.setter
    def _waiting(self, waiting: Mapping[int, Proposal]) -> None:
        self._cards.keep(self._table_id, dict(sorted(waiting.items())))

    def ask(self, table: Table, placement: Placement, picture: bytes, at: str, eye: Eye) -> Proposal | None:
        """Take a placement in; ``None`` where it means nothing now.  A card asks once at a time."""
        meant = table.read(placement)
        if meant is None:
            return None
        command, question, otherwise = _parted(meant)
        number = self._cards.number()
        return self._added(Proposal(number, at, placement, picture, command, question, eye, otherwise=otherwise))

    def put(
        self, placement: Placement, picture: bytes, at: str, eye: Eye, meant: Mapping[str, Any] | Question, seen: int
    ) -> Proposal:
        """Take in what a card stands for at one version of the table; it goes when the table moves on."""
        command, question, otherwise = _parted(meant)
        return self._added(
            Proposal(self._cards.number(), at, placement, picture, command, question, eye, seen, otherwise)
        )

    def _added(self, asked: Proposal) -> Proposal:
        self.withdraw(asked.placement.tag)
        self._waiting = {**self._waiting, asked.number: asked}
        return asked

    def withdraw(self, tag: str) -> None:
        """Forget what was asked about a tag."""
        self._waiting = {number: one for number, one in self._waiting.items() if one.placement.tag != tag}

    def refresh(self, table: Table) -> bool:
        """Read every waiting card again after the game has moved on; ``True`` if anything changed.

        What leads to nothing any more goes without a word: its answer was given another way.  So does a worker
        to be hired who was hired meanwhile and could only be fired now: nobody laid him down for that.  A card
        that means the same for somebody else asks under a new number, so that a tap meant for the question that
        was on the screen cannot answer this one.
        """
        before = self._waiting
        after: dict[int, Proposal] = {}
        for one in before.values():
            if one.seen is not None:
                if one.seen == table.version:
                    after[one.number] = one
                continue
            meant = table.read(one.placement)
            command, question, otherwise = (None, None, None) if meant is None else _parted(meant)
            if command is None or not _same_kind(one.command, command):
                continue
            number = one.number
            if (command, otherwise) != (one.command, one.otherwise):
                number = self._cards.number()
            after[number] = replace(one, number=number, command=command, question=question, otherwise=otherwise)
        self._waiting = after
        return before != self._waiting

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
        self._waiting = {key: one for key, one in self._waiting.items() if key != number}
        return found

    def put_back(self, proposal: Proposal) -> None:
        """Let one that was taken wait again, unless its card has asked anew meanwhile."""
        if all(one.placement.tag != proposal.placement.tag for one in self._waiting.values()):
            self._waiting = {**self._waiting, proposal.number: proposal}

    def drop(self, eye: str) -> bool:
        """Forget what an eye asked, by its name; numbers go on, so that a late tap answers nothing."""
        before = self._waiting
        self._waiting = {number: one for number, one in before.items() if one.eye.name != eye}
        return before != self._waiting


def _parted(meant: Mapping[str, Any] | Question) -> tuple[Mapping[str, Any] | None, Question | None, Any]:
    """Give the command of a yes, what is asked besides it, and the command of a no."""
    return (meant.yes, meant, meant.no) if isinstance(meant, Question) else (meant, None, None)


def _same_kind(before: Mapping[str, Any] | None, now: Mapping[str, Any]) -> bool:
    return before is None or before["do"] == now["do"]
