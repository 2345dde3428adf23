"""What makes real tables harder to read than drawn ones, each by its name: any of them, alone or together.

How severe camera and light are is another question (``optics``).  What each does is drawn anew for each seed and card.
"""

from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

Nuisance: TypeAlias = Literal[
    "bends",  # cards curl by up to 4 mm
    "leans",  # cards lie on the edge of others, tilted by up to 10 degrees
    "stacks",  # cards lie on stacks of up to 10 mm
    "sleeves",  # take contrast
    "highlights",  # of lamps on sleeves, somewhere on the card
    "prints",  # labels at 97 to 103 %, turned by up to 6 degrees, cut 1 mm off, grey ink, yellow paper
    "art",  # print of all kinds that touches the label
    "ground",  # cloth, sheets of paper, dark things under the cards
    "lens",  # bends straight lines, by up to 15 % at the corners
    "shadows",  # of hands and heads, with hard edges
    "lamps",  # warm and cold light at once, corners darker than the middle
    "sharpening",  # by the camera, after it has smoothed noise away
    "blocks",  # of strong compression
    "flicker",  # of lamps, while rows are read; and exposure that goes up and down
]
Nuisances: TypeAlias = frozenset[Nuisance]

NONE: Nuisances = frozenset()
ALL: Nuisances = frozenset(get_args(Nuisance))
EVERYDAY: Nuisances = frozenset(
    {"bends", "leans", "stacks", "sleeves", "prints", "art", "shadows", "lamps", "sharpening"}
)
"""What the simulated camera of ``--camera sim`` has; the others cost time in each frame, or ask for a calibration."""


def nuisances_named(names: Iterable[str]) -> Nuisances:
    """Return the nuisances of these names.

    Raises:
        ValueError: when there is none of such a name.

    """
    wanted = set(names)
    if unknown := wanted - ALL:
        reason = f"there is no nuisance {min(unknown)!r}: say {', '.join(sorted(ALL))}"
        raise ValueError(reason)
    return frozenset(one for one in ALL if one in wanted)
