"""Filters of the templates: thousands, the marks of the wage track, names of cards.

A long German compound may be divided before its head: not every browser has a dictionary, and drawings are narrow.
"""

import re

from companion.games.master_builder.rules.state import THOUSAND
from companion.games.master_builder.ui.scene import Scene

EVERY = 5
"""So many thousands lie between two marks of the wage track."""


def thousands(amount: int) -> int:
    """Return an amount as the wage track has it: whole thousands."""
    return amount // THOUSAND


def track_marks(limit: int) -> list[tuple[int, float]]:
    """Return the marks of a wage track that ends at ``limit``: amounts, and where they stand in per cent."""
    amounts = range(EVERY * THOUSAND, limit + 1, EVERY * THOUSAND)
    return [(amount, amount * 100 / limit - (0.6 if amount == limit else 0)) for amount in amounts]


def title_of(card: str, scene: Scene) -> str:
    """Return a contract, for lists in templates."""
    return str(scene.contract(card)["title"])


SOFT_HYPHEN = "\N{SOFT HYPHEN}"
_HEADS = ("bastei", "bibliothek", "gießerei", "haus", "herberge", "mauer", "stätte", "turm", "werkstatt")
_JOINT = re.compile(rf"(?<=[a-zäöüß]{{3}})(?=(?:{'|'.join(_HEADS)})\b)")


def breakable(title: str) -> str:
    """Return a card's title with an invisible place for a hyphen before the head of a compound: Stifts|bibliothek.

    Titles in other languages are words and spaces, and stay as they are.
    """
    return _JOINT.sub(SOFT_HYPHEN, title)
