"""Turns of the bots: chips, building, the space landed on."""

from collections.abc import Sequence

from companion.engine.values import NumberSource
from companion.games.monopoly_builder.bots.deals import Traits, draw_from, lifting
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules.accounting import chips, tray
from companion.games.monopoly_builder.rules.catalog import BANK_RATE, KINDS, PENTHOUSE, Chips, Kind, full, total
from companion.games.monopoly_builder.rules.guards import expects
from companion.games.monopoly_builder.rules.phases.building import cost
from companion.games.monopoly_builder.rules.scoring import BUILDING, points
from companion.games.monopoly_builder.rules.state import GamePosition

# Which chips a bot gives and takes: it looks at what its next floor costs.


def highest(position: GamePosition, player: str) -> int:
    """Return how high a player's highest building is that can grow."""
    heights = [
        building.height for building in position.state.board if building.owner == player and building.height < PENTHOUSE
    ]
    return max(heights, default=0)


def lacking(position: GamePosition, player: str) -> list[Kind]:
    """Return the kinds by how much a player lacks them for his next floor, the most missed first."""
    price = cost(position.state.catalog, min(PENTHOUSE, highest(position, player) + 1))
    mine = chips(position, player)
    return sorted(KINDS, key=lambda kind: mine[kind] - 2 * price.get(kind, 0))


def plentiful(heap: Chips, number: int) -> dict[str, int]:
    """Choose so many chips of those that there are most of."""
    left, chosen = dict(heap), full({})
    for _ in range(number):
        kind = max(KINDS, key=lambda owner: left.get(owner, 0))
        left[kind] = left.get(kind, 0) - 1
        chosen[kind] += 1
    return {kind: count for kind, count in chosen.items() if count}


def wanted(heap: Chips, number: int, order: Sequence[Kind]) -> dict[str, int]:
    """Choose so many chips, one after the other in an order of kinds, as far as there are any."""
    left, chosen = dict(heap), full({})
    queue = list(order)
    while total(chosen) < number:
        kind = next(next_kind for next_kind in queue if left.get(next_kind, 0) > 0)
        left[kind] -= 1
        chosen[kind] += 1
        queue = [*(queued for queued in queue if queued != kind), kind]
    return {kind: count for kind, count in chosen.items() if count}


def payment(position: GamePosition, player: str, height: int) -> dict[str, int] | None:
    """Return the chips that pay a floor: the named kinds, the rest from what is plentiful; ``None``: too few."""
    price, mine = cost(position.state.catalog, height), chips(position, player)
    named: dict[str, int] = {kind: price.get(kind, 0) for kind in KINDS}
    rest: dict[str, int] = {kind: mine[kind] - named[kind] for kind in KINDS}
    if min(rest.values()) < 0 or total(rest) < price.get("any", 0):
        return None
    besides = plentiful(rest, price.get("any", 0))
    paid = {kind: named[kind] + besides.get(kind, 0) for kind in KINDS}
    return {kind: count for kind, count in paid.items() if count}


# What a bot does with its turn after the move: build, swap chips, end.

SPARE = 2
"""Of so many chips of a kind one may go for another."""


def acting(position: GamePosition, player: str, traits: Traits, lots: NumberSource) -> c.Command:
    """Build as long as one can, swap what is plentiful, then end the turn."""
    if lots(100) < traits.idle:
        return c.EndTurn(player)
    return (
        _building(position, player, traits, lots)
        or lifting(position, player, traits)
        or (_swap(position, player) if traits.trades else None)
        or (_bank(position, player) if traits.trades else None)
        or c.EndTurn(player)
    )


def _building(position: GamePosition, player: str, traits: Traits, lots: NumberSource) -> c.Command | None:
    """Build on the highest building that can be paid, or anywhere; the penthouse where it wins."""
    if "build" not in expects(position.state):
        return None
    options: list[tuple[int, str]] = []
    for cell in position.state.catalog.foundation.cells:
        stands = position.state.building(cell)
        if stands is None or stands.owner == player:
            height = (stands.height if stands else 0) + 1
            if _leaves_a_tower(position, player, cell, height):
                options.append((height, cell))
    if traits.climbs:
        options.sort(reverse=True)
    else:
        options = [draw_from(lots, options)] if options else []
    stuck = all(height >= PENTHOUSE for height, _ in options) or not position.state.blocks(player)
    for height, cell in options:
        chips_ = payment(position, player, height) if _may(position, player, traits, height, stuck=stuck) else None
        if chips_ is not None:
            return c.Build(player, cell, chips_)
        if traits.climbs and 1 < height < PENTHOUSE and height - 1 == highest(position, player):
            return None  # it saves for the next floor
    return None


def _leaves_a_tower(position: GamePosition, player: str, cell: str, height: int) -> bool:
    """Return whether enough blocks are left then to take some building to the penthouse: else no game would end."""
    left = position.state.blocks(player) - (1 if height < PENTHOUSE else 0)
    heights = [one_.height for one_ in position.state.board if one_.owner == player and one_.cell != cell]
    return min(PENTHOUSE - 1 - grown for grown in (*heights, min(height, PENTHOUSE - 1))) <= left


def _may(position: GamePosition, player: str, traits: Traits, height: int, *, stuck: bool) -> bool:
    """Return whether a floor may be built, and the penthouse is wise: it wins, or nothing else can be built."""
    if height < PENTHOUSE or not traits.climbs or stuck:
        return True
    gain = BUILDING[PENTHOUSE] - BUILDING[PENTHOUSE - 1]
    now = {one_.player: one_.points for one_ in points(position)}
    return now[player] + gain > max(count for other, count in now.items() if other != player)


def _swap(position: GamePosition, player: str) -> c.Command | None:
    """Swap a chip with somebody who has too many of what is missing, and none of what is too many here."""
    mine = chips(position, player)
    missing = [kind for kind in lacking(position, player) if not mine[kind]]
    for other in position.state.others(player):
        theirs = chips(position, other)
        for get in missing:
            give: Kind | None = next((kind for kind in KINDS if mine[kind] > SPARE and not theirs[kind]), None)
            if give is not None and theirs[get] > SPARE:
                return c.Trade(player, other, c.Bundle(chips={give: 1}), c.Bundle(chips={get: 1}))
    return None


def _bank(position: GamePosition, player: str) -> c.Command | None:
    """Return the bank four of a kind for the kind that is missed most, where there are more than four."""
    if "bank_trade" not in expects(position.state):
        return None
    mine, there = chips(position, player), tray(position)
    give: Kind | None = next((kind for kind in KINDS if mine[kind] > BANK_RATE), None)
    get: Kind | None = next((kind for kind in lacking(position, player) if there[kind] and kind != give), None)
    return None if give is None or get is None else c.BankTrade(player, give, get)
