"""What a bot does with its turn after the move: build, swap chips, end."""

from companion.games.monopoly_builder.bots.chance_of import Lots, one
from companion.games.monopoly_builder.bots.chips import highest, lacking, payment
from companion.games.monopoly_builder.bots.deals import lifting
from companion.games.monopoly_builder.bots.traits import Traits
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules.holdings import chips, tray
from companion.games.monopoly_builder.rules.kinds import BANK_RATE, KINDS, PENTHOUSE, Kind
from companion.games.monopoly_builder.rules.moments import expects
from companion.games.monopoly_builder.rules.scoring import BUILDING, points
from companion.games.monopoly_builder.rules.state import Here

SPARE = 2
"""Of so many chips of a kind one may go for another."""


def acting(here: Here, player: str, traits: Traits, lots: Lots) -> c.Command:
    """Build as long as one can, swap what is plentiful, then end the turn."""
    if lots(100) < traits.idle:
        return c.EndTurn(player)
    return (
        _building(here, player, traits, lots)
        or lifting(here, player, traits)
        or (_swap(here, player) if traits.trades else None)
        or (_bank(here, player) if traits.trades else None)
        or c.EndTurn(player)
    )


def _building(here: Here, player: str, traits: Traits, lots: Lots) -> c.Command | None:
    """Build on the highest building that can be paid, or anywhere; the penthouse where it wins."""
    if "build" not in expects(here.state):
        return None
    options: list[tuple[int, str]] = []
    for cell in here.state.catalog.foundation.cells:
        stands = here.state.building(cell)
        if stands is None or stands.owner == player:
            height = (stands.height if stands else 0) + 1
            if _leaves_a_tower(here, player, cell, height):
                options.append((height, cell))
    if traits.climbs:
        options.sort(reverse=True)
    else:
        options = [one(lots, options)] if options else []
    stuck = all(height >= PENTHOUSE for height, _ in options) or not here.state.blocks(player)
    for height, cell in options:
        chips_ = payment(here, player, height) if _may(here, player, traits, height, stuck=stuck) else None
        if chips_ is not None:
            return c.Build(player, cell, chips_)
        if traits.climbs and 1 < height < PENTHOUSE and height - 1 == highest(here, player):
            return None  # it saves for the next floor
    return None


def _leaves_a_tower(here: Here, player: str, cell: str, height: int) -> bool:
    """Say whether enough blocks are left then to take some building to the penthouse: else no game would end."""
    left = here.state.blocks(player) - (1 if height < PENTHOUSE else 0)
    heights = [one_.height for one_ in here.state.board if one_.owner == player and one_.cell != cell]
    return min(PENTHOUSE - 1 - grown for grown in (*heights, min(height, PENTHOUSE - 1))) <= left


def _may(here: Here, player: str, traits: Traits, height: int, *, stuck: bool) -> bool:
    """Say whether a floor may be built, and the penthouse is wise: it wins, or nothing else can be built."""
    if height < PENTHOUSE or not traits.climbs or stuck:
        return True
    gain = BUILDING[PENTHOUSE] - BUILDING[PENTHOUSE - 1]
    now = {one_.player: one_.points for one_ in points(here)}
    return now[player] + gain > max(count for other, count in now.items() if other != player)


def _swap(here: Here, player: str) -> c.Command | None:
    """Swap a chip with somebody who has too many of what is missing, and none of what is too many here."""
    mine = chips(here, player)
    missing = [kind for kind in lacking(here, player) if not mine[kind]]
    for other in here.state.others(player):
        theirs = chips(here, other)
        for get in missing:
            give: Kind | None = next((kind for kind in KINDS if mine[kind] > SPARE and not theirs[kind]), None)
            if give is not None and theirs[get] > SPARE:
                return c.Trade(player, other, c.Bundle(chips={give: 1}), c.Bundle(chips={get: 1}))
    return None


def _bank(here: Here, player: str) -> c.Command | None:
    """Give the bank four of a kind for the kind that is missed most, where there are more than four."""
    if "bank_trade" not in expects(here.state):
        return None
    mine, there = chips(here, player), tray(here)
    give: Kind | None = next((kind for kind in KINDS if mine[kind] > BANK_RATE), None)
    get: Kind | None = next((kind for kind in lacking(here, player) if there[kind] and kind != give), None)
    return None if give is None or get is None else c.BankTrade(player, give, get)
