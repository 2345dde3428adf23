"""Which chips a bot gives and takes: it looks at what its next floor costs."""

from collections.abc import Sequence

from companion.games.monopoly_builder.rules.building import cost
from companion.games.monopoly_builder.rules.holdings import chips
from companion.games.monopoly_builder.rules.kinds import KINDS, PENTHOUSE, Chips, Kind, full, total
from companion.games.monopoly_builder.rules.state import Here


def highest(here: Here, player: str) -> int:
    """Say how high a player's highest building is that can grow."""
    heights = [one.height for one in here.state.board if one.owner == player and one.height < PENTHOUSE]
    return max(heights, default=0)


def lacking(here: Here, player: str) -> list[Kind]:
    """List the kinds by how much a player lacks them for his next floor, the most missed first."""
    price = cost(here.state.catalog, min(PENTHOUSE, highest(here, player) + 1))
    mine = chips(here, player)
    return sorted(KINDS, key=lambda kind: mine[kind] - 2 * price.get(kind, 0))


def plentiful(heap: Chips, number: int) -> dict[str, int]:
    """Choose so many chips of those that there are most of."""
    left, chosen = dict(heap), full({})
    for _ in range(number):
        kind = max(KINDS, key=lambda one: left.get(one, 0))
        left[kind] = left.get(kind, 0) - 1
        chosen[kind] += 1
    return {kind: count for kind, count in chosen.items() if count}


def wanted(heap: Chips, number: int, order: Sequence[Kind]) -> dict[str, int]:
    """Choose so many chips, one after the other in an order of kinds, as far as there are any."""
    left, chosen = dict(heap), full({})
    queue = list(order)
    while total(chosen) < number:
        kind = next(one for one in queue if left.get(one, 0) > 0)
        left[kind] -= 1
        chosen[kind] += 1
        queue = [*(one for one in queue if one != kind), kind]
    return {kind: count for kind, count in chosen.items() if count}


def payment(here: Here, player: str, height: int) -> dict[str, int] | None:
    """Give the chips that pay a floor: the named kinds, the rest from what is plentiful; ``None``: too few."""
    price, mine = cost(here.state.catalog, height), chips(here, player)
    named: dict[str, int] = {kind: price.get(kind, 0) for kind in KINDS}
    rest: dict[str, int] = {kind: mine[kind] - named[kind] for kind in KINDS}
    if min(rest.values()) < 0 or total(rest) < price.get("any", 0):
        return None
    besides = plentiful(rest, price.get("any", 0))
    paid = {kind: named[kind] + besides.get(kind, 0) for kind in KINDS}
    return {kind: count for kind, count in paid.items() if count}
