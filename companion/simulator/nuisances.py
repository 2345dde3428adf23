"""Nuisances that make real tables harder to read than drawn ones, by name, to be combined freely.

The severity of camera and light is set elsewhere (``optics``). The effect of each is random by seed and card.
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
"""Nuisances of ``--camera sim``; the others cost time in each frame, or need a calibration."""


def parse_nuisances(names: Iterable[str]) -> Nuisances:
    """Return the nuisances with these names.

    Raises:
        ValueError: for an unknown name.

    """
    wanted = set(names)
    if unknown := wanted - ALL:
        reason = f"there is no nuisance {min(unknown)!r}: say {', '.join(sorted(ALL))}"
        raise ValueError(reason)
    return frozenset(nuisance for nuisance in ALL if nuisance in wanted)
