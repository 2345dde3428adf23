"""A card at rest where the camera looks: the one value that sight and rules share."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Placement:
    """A tag came to rest in a zone, moved on to another one, or left.

    ``tag`` is the text on the label (``MB1W07``) and ``card`` the component that it stands for (``W07``).
    ``zone`` is where it lies now; for ``remove`` where it lay last.  ``confidence`` runs from 0 to 1.
    ``tops``: what else lies on top where several cards bear one label, by zone: the back of a pile's next card.
    """

    event: Literal["place", "move", "remove"]
    tag: str
    card: str
    zone: str
    confidence: float
    tops: tuple[tuple[str, str], ...] = ()

    def top(self, zone: str) -> str | None:
        """Give the code on top of a pile in a zone; ``None`` where none was seen at rest."""
        return dict(self.tops).get(zone)
