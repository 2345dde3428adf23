"""What the camera asks: a card was laid down, and this is what it would mean."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, get_args

from companion.engine.game import BANKER, Question
from companion.engine.placement import Placement
from companion.game_api.manifest import Edition
from companion.service.ports import UnknownProposal
from companion.service.table.table import Table

# --- proposal
# One question about a card, and who or what saw it.

Source: TypeAlias = Literal["camera", "scanner"]
"""What saw a card, for the journal: a picture of it, or a hand scanner (or somebody who typed its number)."""


@dataclass(frozen=True, slots=True)
class CardSource:
    """Who or what saw a card.

    ``name`` tells the eyes of a table apart.  ``viewer`` is whose it is: a player's own device asks that player
    and the banker, every other eye asks the banker alone.  What is not ``automatic`` waits for a tap whatever the dial
    says: it may have been mistaken.
    """

    name: str
    source: Source = "camera"
    viewer: str = BANKER
    automatic: bool = True


@dataclass(frozen=True, slots=True)
class Proposal:
    """A read command waiting for a tap, a card that leads to nothing and why, or a question that leads to something.

    ``picture`` is the JPEG of the card as it was seen; empty when no picture was taken.  ``seen``, where the command
    is about one version of the table and no other: that version.  ``otherwise``: what a no gives, if anything.
    """

    number: int
    at: str
    placement: Placement
    picture: bytes
    command: Mapping[str, Any] | None
    question: Question | None
    source: CardSource
    seen: int | None = None
    otherwise: Mapping[str, Any] | None = None

    def concerns(self, viewer: str) -> bool:
        """Whether a viewer may know of it and answer it."""
        return viewer in (BANKER, self.source.viewer)

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
            "source": self.source.source,
        }


class Proposals:
    """Pending proposals of one table, oldest first.  Not thread-safe.

    They are kept only as long as the program runs: after a restart the cards are seen again.
    """

    def __init__(self, numbers: Iterator[int]) -> None:
        """Take the numbers that proposals get; tables share them, so that none is given twice."""
        self._numbers = numbers
        self._waiting: dict[int, Proposal] = {}

    def _keep(self, waiting: Mapping[int, Proposal]) -> None:
        self._waiting = dict(sorted(waiting.items()))

    def ask(self, table: Table, placement: Placement, picture: bytes, at: str, eye: CardSource) -> Proposal | None:
        """Take a placement in; ``None`` where it means nothing now.  A card asks once at a time."""
        meant = table.read(placement)
        if meant is None:
            return None
        command, question, otherwise = _parted(meant)
        number = next(self._numbers)
        return self._added(Proposal(number, at, placement, picture, command, question, eye, otherwise=otherwise))

    def put(
        self,
        placement: Placement,
        picture: bytes,
        at: str,
        eye: CardSource,
        meant: Mapping[str, Any] | Question,
        seen: int,
    ) -> Proposal:
        """Take in what a card stands for at one version of the table; it goes when the table moves on."""
        command, question, otherwise = _parted(meant)
        return self._added(
            Proposal(next(self._numbers), at, placement, picture, command, question, eye, seen, otherwise)
        )

    def _added(self, asked: Proposal) -> Proposal:
        self.withdraw(asked.placement.tag)
        self._keep({**self._waiting, asked.number: asked})
        return asked

    def withdraw(self, tag: str) -> None:
        """Forget what was asked about a tag."""
        self._keep({number: one for number, one in self._waiting.items() if one.placement.tag != tag})

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
                number = next(self._numbers)
            after[number] = replace(one, number=number, command=command, question=question, otherwise=otherwise)
        self._keep(after)
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
        self._keep({key: one for key, one in self._waiting.items() if key != number})
        return found

    def put_back(self, proposal: Proposal) -> None:
        """Let one that was taken wait again, unless its card has asked anew meanwhile."""
        if all(one.placement.tag != proposal.placement.tag for one in self._waiting.values()):
            self._keep({**self._waiting, proposal.number: proposal})

    def drop(self, eye: str) -> bool:
        """Forget what an eye asked, by its name; numbers go on, so that a late tap answers nothing."""
        before = self._waiting
        self._keep({number: one for number, one in before.items() if one.source.name != eye})
        return before != self._waiting


def _parted(meant: Mapping[str, Any] | Question) -> tuple[Mapping[str, Any] | None, Question | None, Any]:
    """Give the command of a yes, what is asked besides it, and the command of a no."""
    return (meant.yes, meant, meant.no) if isinstance(meant, Question) else (meant, None, None)


def _same_kind(before: Mapping[str, Any] | None, now: Mapping[str, Any]) -> bool:
    return before is None or before["do"] == now["do"]


# --- dial
# How much the camera does at a table by itself: one dial, and where wished another one for a kind of card.

Dial: TypeAlias = Literal["ledger", "suggest", "automatic"]
"""``ledger``: cards that are seen lead to nothing; ``suggest``: they ask; ``automatic``: what is plain is done."""

DIALS: tuple[Dial, ...] = get_args(Dial)
DEFAULT: Dial = "suggest"
COMMAND = "command"
"""The kind of the command cards: YES, NO, PASS, UNDO, SUGGEST, which belong to every game, and a game's own."""


def kinds(edition: Edition) -> tuple[str, ...]:
    """Name the kinds of cards that have a dial of their own: the game's, and command cards."""
    return (*(kind.name for kind in edition.manifest.kinds), COMMAND)


def kind_of(edition: Edition, card: str) -> str | None:
    """Say of which kind a card is; ``None``: of none that has a dial of its own."""
    return COMMAND if card in edition.command_words else edition.kind_of(card)


@dataclass(frozen=True, slots=True)
class Setting:
    """How the dial of one table stands.

    ``dial`` holds for every kind but those in ``apart``.
    """

    dial: Dial = DEFAULT
    apart: Mapping[str, Dial] = field(default_factory=lambda: MappingProxyType({}))

    def of(self, kind: str | None) -> Dial:
        """Say what holds for a kind of card."""
        return self.dial if kind is None else self.apart.get(kind, self._followed(kind))

    def _followed(self, kind: str) -> Dial:
        """Give what a kind follows: command cards act by themselves only where they were turned so themselves."""
        return "suggest" if kind == COMMAND and self.dial == "automatic" else self.dial

    def turned(self, dial: Dial, kind: str | None = None) -> "Setting":
        """Turn one kind, or with ``None`` the whole dial: then every kind follows it again."""
        if kind is None:
            return Setting(dial)
        rest = {one: held for one, held in self.apart.items() if one != kind}
        return Setting(self.dial, rest if dial == self._followed(kind) else {**rest, kind: dial})
