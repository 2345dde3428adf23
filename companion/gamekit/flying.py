"""What comes to players, as it is seen flying there on the pages of the plain face."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.engine.json_values import Json
from companion.gamekit.drawing import Drawing
from companion.gamekit.speaks import Speaks


@dataclass(frozen=True, slots=True)
class Flight:
    """One piece: to which player it goes, and from which one; ``source`` is empty where it comes from the table."""

    to: str
    drawn: Drawing
    source: str = ""


class Flies(Protocol):
    """Knows what an event brings to whom."""

    def flights(self, event: Json, words: Speaks) -> Sequence[Flight]:
        """Draw what comes to players by an event, a drawing for each piece; none where nothing does."""
        ...
