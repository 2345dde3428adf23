"""A die as it is seen, and how surely."""

from dataclasses import dataclass, replace

SURE = 0.6
"""From here on an edge, or a die, is sure."""
FAINT = 0.5
"""How well a face fits at most that its pips alone tell."""
UNEVEN = 0.22
"""How much a face's colour may vary, as a share of its pips' contrast."""
LEAST_UNEVEN = 9.0
"""The same in grey levels: so much is noise."""


@dataclass(frozen=True, slots=True)
class SeenDie:
    """A die: its face, the middle of that face and its side in pixels, and how well it fits, 0 to 1.

    ``pip`` and ``contrast`` are its pips' radius in pixels and their contrast in grey levels, below 0 for dark ones.
    """

    face: int
    x: float
    y: float
    side: float
    fits: float
    pip: float = 0.0
    contrast: float = 0.0

    def smaller(self, times: float) -> "SeenDie":
        """Give it as it lies in the same picture, so many times smaller."""
        x, y, side, pip = (held / times for held in (self.x, self.y, self.side, self.pip))
        return replace(self, x=x, y=y, side=side, pip=pip)
