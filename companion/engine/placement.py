"""A card at rest in the camera's view: the value that vision and rules share."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Placement:
    """A label that came to rest in a zone, moved to another zone, or left.

    ``tag`` is the text of the label (``MB1W07``), ``card`` the component that it stands for (``W07``).  ``zone`` is its
    zone now, for ``remove`` its last zone.  ``confidence`` is between 0 and 1.  ``tops``: by zone, the code on top of
    piles whose cards share one label.
    """

    event: Literal["place", "move", "remove"]
    tag: str
    card: str
    zone: str
    confidence: float
    tops: tuple[tuple[str, str], ...] = ()

    def top(self, zone: str) -> str | None:
        """Return the code on top of the pile in a zone; ``None`` if none was seen at rest."""
        return dict(self.tops).get(zone)
