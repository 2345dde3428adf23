"""Where a long German compound may be divided: not every browser has a dictionary for it, and drawings are narrow."""

import re

SOFT_HYPHEN = "\N{SOFT HYPHEN}"
_HEADS = ("bastei", "bibliothek", "gießerei", "haus", "herberge", "mauer", "stätte", "turm", "werkstatt")
_JOINT = re.compile(rf"(?<=[a-zäöüß]{{3}})(?=(?:{'|'.join(_HEADS)})\b)")


def breakable(title: str) -> str:
    """Give a card's title with an invisible place for a hyphen before the head of a compound: Stifts|bibliothek.

    Titles in other languages are words and spaces, and stay as they are.
    """
    return _JOINT.sub(SOFT_HYPHEN, title)
