"""The meaning of a card that is laid down (section 10)."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.engine.game import Placement, Question, Refused
from companion.game_api.messages import Command
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules.phases import jail_cards, kept_verb, phase_of
from companion.games.monopoly_builder.rules.state import GamePosition, Player, State

TRAY = "tray"
THROWN = re.compile(r"([1-6]) \+ ([1-6])")
"""Two dice, as a camera tells them."""


def read(
    position: GamePosition, placement: Placement, decide: Callable[[GamePosition, Any], Any]
) -> Command | Question | None:
    """Read a card as what the game waits for; anything else is a question, and nothing moves.

    A question whose *yes* ``decide`` refuses is the refusal instead; not where that would tell of hidden money.
    """
    reading = _meaning(position, placement)
    if not isinstance(reading, Question) or reading.yes is None:
        return reading
    try:
        decide(position, reading.yes)
    except Refused as refused:
        if refused.rule != "cannot_pay" or not position.state.money_is_hidden:
            return replace(reading, rule=refused.rule, details=tuple(refused.details.items()), yes=None)
    return reading


def _meaning(position: GamePosition, placement: Placement) -> Command | Question | None:
    state, card, phase = position.state, placement.card, phase_of(position.state)
    if state.finished or placement.event == "remove":
        return None
    if thrown := THROWN.fullmatch(card):
        return _throw(position, (int(thrown[1]), int(thrown[2])))
    if state.catalog.deed(card) is not None:
        return _deed(position, placement)
    if state.catalog.chance(card) is None:
        return Question(card, "unknown_card", (("card", card),))
    if phase == "chance" and card not in state.kept:
        return c.DrawChance(state.turn, card)
    if phase == "roll" and placement.zone == TRAY and card in jail_cards(state, state.turn) and state.mover.in_jail:
        return c.PlayChance(state.turn, card)
    keeper = next((player for player in state.players if card in player.cards), None)
    if keeper is not None and placement.zone == TRAY and kept_verb(state, card) != "out_of_jail":
        return Question(card, "say_the_exchange", (("card", card),))
    return _elsewhere(position, placement, keeper)


def _throw(position: GamePosition, dice: tuple[int, int]) -> Command | None:
    """Read dice at rest as the throw that is awaited; nothing where none is."""
    match phase_of(position.state):
        case "roll":
            return c.Roll(position.state.turn, dice)
        case "resources":
            return c.RollForResources(position.state.turn, dice)
        case _:
            return None


def _deed(position: GamePosition, placement: Placement) -> Command | Question | None:
    state, card, phase = position.state, placement.card, phase_of(position.state)
    if phase == "turn_deed" and not any(site.deed == card for site in state.sites):
        return c.TurnDeed(state.turn, card)
    if phase == "buy" and card == state.offered and placement.zone in (state.turn, TRAY):
        return c.Buy(state.turn)
    auction = state.auction
    if auction is not None and auction.deed == card and auction.leader is not None and placement.zone == auction.leader:
        leads = (("card", card), ("player", auction.leader), ("amount", auction.bid or 0))
        return Question(card, "hammer_now", leads, yes=c.Hammer())
    owner = state.owner_of(card)
    if owner is not None and placement.zone == TRAY:
        return _mortgage(state, owner, card)
    return _elsewhere(position, placement, owner)


def _mortgage(state: State, owner: Player, card: str) -> Question:
    """Ask whether a deed is to be mortgaged, or its mortgage lifted, and say for how much."""
    deed, owned = state.catalog.deed_of(card), (("card", card), ("player", owner.id))
    if card in owner.mortgaged:
        lifted = (*owned, ("amount", deed.unmortgage))
        return Question(card, "lift_the_mortgage", lifted, yes=c.Unmortgage(owner.id, card))
    return Question(card, "mortgage_it", (*owned, ("amount", deed.mortgage)), yes=c.Mortgage(owner.id, card))


def _elsewhere(position: GamePosition, placement: Placement, holder: Player | None) -> Question | None:
    """Ask for the trade that brings a card to another player; nothing about one that lies with its holder."""
    card, phase = placement.card, phase_of(position.state)
    if holder is not None and placement.zone == holder.id:
        return None
    if holder is not None and placement.zone in position.state.seats:
        return Question(card, "trade_it", (("card", card), ("player", holder.id)))
    return Question(card, "card_means_nothing", (("card", card), ("phase", phase)))
