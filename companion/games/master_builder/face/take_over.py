"""Joining a game already begun: what lies on the table is entered on one page."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.master_builder.face.house_rules import lobby_rules
from companion.games.master_builder.face.scene import RANKING
from companion.games.master_builder.rules.building import section_names
from companion.games.master_builder.rules.catalog import WALL_NUMBERS, ContractKind
from companion.games.master_builder.rules.setup import BOXED_WITH_TWO, MONEY, START_CASH
from companion.games.master_builder.rules.unsold import PREMIUM
from companion.words import Words

CONTRACTS = 12


def take_over(words: Words, decks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Lay out the form; it is sent to ``POST /api/v1/tables``."""
    del decks
    return {
        "lots": [_lot(number) for number in range(1, CONTRACTS + 1)],
        "ranks": RANKING,
        "box": MONEY,
        "premium": PREMIUM,
        "boxed_with_two": BOXED_WITH_TWO,
        "start_cash": START_CASH,
        "house": lobby_rules(words),
    }


def _lot(number: int) -> dict[str, Any]:
    """Describe a contract by its number alone, which is printed on every deck's cards alike."""
    kind: ContractKind = "city_wall" if number in WALL_NUMBERS else "house"
    return {"id": f"C{number:02}", "number": number, "kind": kind, "sections": section_names(kind)}
