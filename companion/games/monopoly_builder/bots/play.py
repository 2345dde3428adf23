"""Bots: chips, building, the space landed on, and the next command with the card that is laid for it."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from companion.engine.game import NumberSource
from companion.game_api.messages import Command
from companion.games.monopoly_builder.bots.deals import (
    STRENGTHS,
    Traits,
    bidding,
    buying,
    dice,
    draw_from,
    lifting,
    paying,
)
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules.accounting import chips, count_of, free_cash, tray
from companion.games.monopoly_builder.rules.catalog import (
    BANK_RATE,
    JAIL_FEE,
    KINDS,
    LIMIT,
    PENTHOUSE,
    Chips,
    Kind,
    full,
    total,
)
from companion.games.monopoly_builder.rules.phases import TurnPhase, expects, jail_cards, phase_of, waiting_for
from companion.games.monopoly_builder.rules.phases.chips import PARKING_CHIPS, cost
from companion.games.monopoly_builder.rules.scoring import BUILDING, points
from companion.games.monopoly_builder.rules.state import GamePosition

# Turns of the bots: chips, building, the space landed on.

# Which chips a bot gives and takes: it looks at what its next floor costs.


def highest(position: GamePosition, player: str) -> int:
    """Return how high a player's highest building is that can grow."""
    heights = [
        building.height for building in position.state.board if building.owner == player and building.height < PENTHOUSE
    ]
    return max(heights, default=0)


def lacking(position: GamePosition, player: str) -> list[Kind]:
    """Return the kinds by how much a player lacks them for the next floor, the most missed first."""
    price = cost(position.state.catalog, min(PENTHOUSE, highest(position, player) + 1))
    mine = chips(position, player)
    return sorted(KINDS, key=lambda kind: mine[kind] - 2 * price.get(kind, 0))


def plentiful(heap: Chips, number: int) -> dict[str, int]:
    """Choose ``number`` chips of those that there are most of."""
    left, chosen = dict(heap), full({})
    for _ in range(number):
        kind = max(KINDS, key=lambda owner: left.get(owner, 0))
        left[kind] = left.get(kind, 0) - 1
        chosen[kind] += 1
    return {kind: count for kind, count in chosen.items() if count}


def choose_chips(heap: Chips, number: int, order: Sequence[Kind]) -> dict[str, int]:
    """Choose ``number`` chips, one after the other in an order of kinds, as far as there are any."""
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
"""Number of chips of a kind from which on one may go for another."""


def acting(position: GamePosition, player: str, traits: Traits, lots: NumberSource) -> Command:
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


def _building(position: GamePosition, player: str, traits: Traits, lots: NumberSource) -> Command | None:
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
    heights = [
        building.height for building in position.state.board if building.owner == player and building.cell != cell
    ]
    return min(PENTHOUSE - 1 - grown for grown in (*heights, min(height, PENTHOUSE - 1))) <= left


def _may(position: GamePosition, player: str, traits: Traits, height: int, *, stuck: bool) -> bool:
    """Return whether a floor may be built, and the penthouse is wise: it wins, or nothing else can be built."""
    if height < PENTHOUSE or not traits.climbs or stuck:
        return True
    gain = BUILDING[PENTHOUSE] - BUILDING[PENTHOUSE - 1]
    now = {score.player: score.points for score in points(position)}
    return now[player] + gain > max(count for other, count in now.items() if other != player)


def _swap(position: GamePosition, player: str) -> Command | None:
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


def _bank(position: GamePosition, player: str) -> Command | None:
    """Return the bank four of a kind for the kind that is missed most, where there are more than four."""
    if "bank_trade" not in expects(position.state):
        return None
    mine, there = chips(position, player), tray(position)
    give: Kind | None = next((kind for kind in KINDS if mine[kind] > BANK_RATE), None)
    get: Kind | None = next((kind for kind in lacking(position, player) if there[kind] and kind != give), None)
    return None if give is None or get is None else c.BankTrade(player, give, get)


# The next command at a table of bots, and the card that is laid for it.

Move: TypeAlias = tuple[Command, tuple[str, ...]]
"""A command, and the cards that are laid to give it."""


def next_move(position: GamePosition, strengths: Mapping[str, Traits], lots: NumberSource) -> Move | None:
    """Return what happens next; ``None``: the game is over."""
    state, phase = position.state, phase_of(position.state)
    if phase == "finished":
        return None
    if not state.debts and state.auction is None:
        for claim in state.claims:
            if lots(100) >= _traits(strengths, claim.owner).idle:
                return c.ClaimRent(claim.owner, claim.deed), ()
    player = waiting_for(state)[0]
    if phase == "chance":
        card = draw_from(lots, [card.id for card in state.catalog.chances if card.id not in state.kept])
        return c.DrawChance(player, card), (card,)
    if phase == "turn_deed":
        deeds_built_on = {site.deed for site in state.sites}
        deed = draw_from(lots, [deed.id for deed in state.catalog.deeds if deed.id not in deeds_built_on])
        return c.TurnDeed(player, deed), (deed,)
    return _tapped(position, phase, player, _traits(strengths, player), lots), ()


def _traits(strengths: Mapping[str, Traits], player: str) -> Traits:
    return strengths.get(player, STRENGTHS["strong"])


def _tapped(position: GamePosition, phase: TurnPhase, player: str, traits: Traits, lots: NumberSource) -> Command:
    match phase:
        case "discard":
            return c.Discard(player, plentiful(chips(position, player), count_of(position, player) - LIMIT))
        case "roll":
            return _rolling(position, player, traits, lots)
        case "buy":
            return buying(position, player, traits, lots)
        case "auction":
            return bidding(position, player, traits, lots)
        case "resources":
            return c.RollForResources(player, dice(lots))
        case "take":
            count = position.state.choosers[0].count
            return c.Take(player, choose_chips(tray(position), count, lacking(position, player)))
        case "return_chips":
            return c.ReturnChips(player, plentiful(chips(position, player), position.state.choosers[0].count))
        case "debt":
            return paying(position, player)
        case _:
            return _on_space(position, phase, player, traits, lots)


def _rolling(position: GamePosition, player: str, traits: Traits, lots: NumberSource) -> Command:
    if position.state.player(player).in_jail:
        cards = jail_cards(position.state, player)
        if cards and lots(100) >= traits.idle:
            return c.PlayChance(player, cards[0])
        if free_cash(position, player) >= JAIL_FEE + 3 * traits.reserve and lots(100) >= traits.idle:
            return c.LeaveJail(player)
    return c.Roll(player, dice(lots))


def _on_space(position: GamePosition, phase: TurnPhase, player: str, traits: Traits, lots: NumberSource) -> Command:
    if phase == "steal":
        others = [other for other in position.state.others(player) if count_of(position, other)]
        victim = max(others, key=lambda other: count_of(position, other))
        theirs = chips(position, victim)
        return c.Steal(player, victim, next(kind for kind in lacking(position, player) if theirs[kind]))
    if phase == "parking":
        return _parking(position, player)
    return acting(position, player, traits, lots)


def _parking(position: GamePosition, player: str) -> Command:
    """Return two of what is plentiful for the kind that is missed most and not there at all."""
    mine, there = chips(position, player), tray(position)
    get: Kind | None = next((kind for kind in lacking(position, player) if there[kind] and not mine[kind]), None)
    spare: dict[str, int] = {kind: max(0, mine[kind] - 1) for kind in KINDS}
    if get is None or total(spare) < PARKING_CHIPS:
        return c.Pass(player)
    return c.FreeParking(player, plentiful(spare, PARKING_CHIPS), get)
