"""How a game draws itself: its cards for print and play, what else lies on the table, and its position on screens."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.gamekit.drawing import Drawing
from companion.gamekit.seen import Seen
from companion.gamekit.speaks import Speaks

CARD_WIDTH, CARD_HEIGHT = 63.0, 88.0
"""A card of the usual size, in millimetres."""
LABEL_LEFT, LABEL_TOP, LABEL_SIDE = 35.0, 60.0, 25.0
"""Where the house puts the label on a side that has one: nothing else is drawn there."""
SAFE = 3.0
"""What scissors may take of a card: words keep this far from its edges."""


@dataclass(frozen=True, slots=True)
class Extra:
    """What is printed besides the cards: pieces of equal size in the order of printing, or one thing over sheets."""

    title: str
    pieces: tuple[Drawing, ...]


class Draws(Protocol):
    """Draws a game.  ``catalog`` is its own, as JSON."""

    def front(self, card: str, catalog: Mapping[str, Any], words: Speaks) -> Drawing:
        """Draw the front of a card, without its label."""
        ...

    def back(self, card: str, catalog: Mapping[str, Any], words: Speaks) -> Drawing:
        """Draw the back of a card: alike for all that must not be told apart."""
        ...

    def extras(self, catalog: Mapping[str, Any], words: Speaks) -> Mapping[str, Extra]:
        """Draw what else the game needs on the table, by name: ``money``, ``board`` ..."""
        ...

    def pictures(self, scene: Seen) -> Sequence[Drawing]:
        """Draw a position for the plain face: what one would look at on the table, the most important first."""
        ...
