"""Joining a game already begun: what lies on the table is entered on one page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.master_builder.rules.building import section_names
from companion.games.master_builder.rules.catalog import WALL_NUMBERS, ContractKind
from companion.games.master_builder.rules.phases.contracts import PREMIUM
from companion.games.master_builder.rules.setup import START_CASH
from companion.games.master_builder.rules.state import THOUSAND, WAGE_LIMIT
from companion.games.master_builder.rules.take_over_faults import remains
from companion.games.master_builder.ui.house_rules import lobby_rules
from companion.games.master_builder.ui.scene import RANKING
from companion.words import Words

CONTRACTS = 12


@dataclass(frozen=True, slots=True)
class LotForm:
    """A contract by its number alone, which is printed on every deck's cards alike."""

    id: str
    number: int
    kind: ContractKind
    sections: Sequence[str]


def take_over(words: Words, decks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Lay out the form; it is sent to ``POST /api/v1/tables``."""
    del decks
    return {
        "lots": [_lot(number) for number in range(1, CONTRACTS + 1)],
        "ranks": RANKING,
        "premium": PREMIUM,
        "start_cash": START_CASH,
        "house": lobby_rules(words),
    }


def so_far(words: Words, catalogs: Mapping[str, Any], command: Any) -> dict[str, Any]:
    """Return what is left by what was entered so far; of a deck that is not known, nothing."""
    catalog = catalogs.get(command.position.catalog)
    if catalog is None:
        return {}
    left = remains(catalog, command.position)
    short = left.bank < 0
    amount = words.money(abs(left.bank))
    bank = (
        words.say("{amount} more than there is in the box", amount=amount)
        if short
        else words.say("The bank holds {amount}", amount=amount)
    )
    crews = {
        player: (len(taken_player.workers), left.wages[player])
        for player, taken_player in command.position.players.items()
    }
    return {
        "bank": {"says": bank, "bad": short},
        "deck": {"says": words.say("{count} in the deck", count=left.contracts), "bad": left.contracts < 0},
        "crews": {
            player: words.say(
                "{count} chosen, wages {wages} of {limit}",
                count=count,
                wages=wages // THOUSAND,
                limit=WAGE_LIMIT // THOUSAND,
            )
            for player, (count, wages) in crews.items()
        },
    }


def _lot(number: int) -> LotForm:
    kind: ContractKind = "city_wall" if number in WALL_NUMBERS else "house"
    return LotForm(f"C{number:02}", number, kind, section_names(kind))
