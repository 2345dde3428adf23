"""One question about a card, and who or what saw it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from companion.engine.game import BANKER, Question
from companion.engine.placement import Placement

Source: TypeAlias = Literal["camera", "scanner"]
"""What saw a card, for the journal: a picture of it, or a hand scanner (or somebody who typed its number)."""


@dataclass(frozen=True, slots=True)
class Eye:
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
    eye: Eye
    seen: int | None = None
    otherwise: Mapping[str, Any] | None = None

    def concerns(self, viewer: str) -> bool:
        """Whether a viewer may know of it and answer it."""
        return viewer in (BANKER, self.eye.viewer)

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
            "source": self.eye.source,
        }
