"""The four kinds of chips, and amounts of M."""

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

Kind: TypeAlias = Literal["red", "purple", "green", "yellow"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Chips: TypeAlias = Mapping[str, int]
"""Chips by kind; a kind that is left out is none."""

UNIT = 5
"""Every amount of M is a multiple of it (MO-D01)."""
MONEY = 13_700
START_CASH = 900
GO = 200
JAIL_FEE = 50
LEAST_BID = 10
CHIPS_A_KIND = 20
START_CHIPS = 4
LIMIT = 6
"""More chips than that are discarded when a turn begins."""
BLOCKS = 12
BANK_RATE = 4
"""So many chips of a kind the bank takes for one of another."""
PENTHOUSE = 5


def full(chips: Chips) -> dict[str, int]:
    """Give all four kinds in their order."""
    return {kind: chips.get(kind, 0) for kind in KINDS}


def some(chips: Chips) -> dict[str, int]:
    """Give the kinds of which there are any."""
    return {kind: chips[kind] for kind in KINDS if chips.get(kind)}


def total(chips: Chips) -> int:
    """Count chips of all kinds."""
    return sum(chips.values())
