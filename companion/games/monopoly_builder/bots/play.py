"""The next command at a table of bots, and the card that is laid for it."""

from collections.abc import Mapping
from typing import TypeAlias

from companion.engine.values import NumberSource
from companion.games.monopoly_builder.bots.deals import STRENGTHS, Traits, bidding, buying, dice, draw_from, paying
from companion.games.monopoly_builder.bots.turns import acting, lacking, plentiful, wanted
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules.accounting import chips, count_of, free_cash, tray
from companion.games.monopoly_builder.rules.catalog import JAIL_FEE, KINDS, LIMIT, Kind, total
from companion.games.monopoly_builder.rules.guards import TurnPhase, jail_cards, phase_of, waiting_for
from companion.games.monopoly_builder.rules.phases.chips import PARKING_CHIPS
from companion.games.monopoly_builder.rules.state import GamePosition

Move: TypeAlias = tuple[c.Command, tuple[str, ...]]
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


def _tapped(position: GamePosition, phase: TurnPhase, player: str, traits: Traits, lots: NumberSource) -> c.Command:
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
            return c.Take(player, wanted(tray(position), count, lacking(position, player)))
        case "return_chips":
            return c.ReturnChips(player, plentiful(chips(position, player), position.state.choosers[0].count))
        case "debt":
            return paying(position, player)
        case _:
            return _on_space(position, phase, player, traits, lots)


def _rolling(position: GamePosition, player: str, traits: Traits, lots: NumberSource) -> c.Command:
    if position.state.player(player).in_jail:
        cards = jail_cards(position.state, player)
        if cards and lots(100) >= traits.idle:
            return c.PlayChance(player, cards[0])
        if free_cash(position, player) >= JAIL_FEE + 3 * traits.reserve and lots(100) >= traits.idle:
            return c.LeaveJail(player)
    return c.Roll(player, dice(lots))


def _on_space(position: GamePosition, phase: TurnPhase, player: str, traits: Traits, lots: NumberSource) -> c.Command:
    if phase == "steal":
        others = [one_ for one_ in position.state.others(player) if count_of(position, one_)]
        victim = max(others, key=lambda one_: count_of(position, one_))
        theirs = chips(position, victim)
        return c.Steal(player, victim, next(kind for kind in lacking(position, player) if theirs[kind]))
    if phase == "parking":
        return _parking(position, player)
    return acting(position, player, traits, lots)


def _parking(position: GamePosition, player: str) -> c.Command:
    """Return two of what is plentiful for the kind that is missed most and not there at all."""
    mine, there = chips(position, player), tray(position)
    get: Kind | None = next((kind for kind in lacking(position, player) if there[kind] and not mine[kind]), None)
    spare: dict[str, int] = {kind: max(0, mine[kind] - 1) for kind in KINDS}
    if get is None or total(spare) < PARKING_CHIPS:
        return c.Pass(player)
    return c.FreeParking(player, plentiful(spare, PARKING_CHIPS), get)
