"""A card at rest where the camera looks: the one value that sight and rules share."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Placement:
    """A tag came to rest in a zone, moved on to another one, or left.

    ``tag`` is the text on the label (``MB1W07``) and ``card`` the component that it stands for (``W07``).
    ``zone`` is where it lies now; for ``remove`` where it lay last.  ``confidence`` runs from 0 to 1.
    """

    event: Literal["place", "move", "remove"]
    tag: str
    card: str
    zone: str
    confidence: float
