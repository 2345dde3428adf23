"""Advice and forecasts: chips that are short of a floor, what a deed is worth to whom, rents of the next roll."""

from collections.abc import Iterator

from typing_extensions import TypedDict

from companion.game_api.seating import require_player
from companion.games.monopoly_builder.rules.accounting import cash, chips, free_cash
from companion.games.monopoly_builder.rules.catalog import (
    JAIL_FEE,
    KINDS,
    MOST_DOUBLES,
    MOST_TRIES,
    PENTHOUSE,
    Chips,
    total,
)
from companion.games.monopoly_builder.rules.phases import jail_cards, require_deed, require_money
from companion.games.monopoly_builder.rules.phases.chips import cost
from companion.games.monopoly_builder.rules.state import GamePosition, State


class FloorAdviceJson(TypedDict):
    """A floor that a player could build next, on which cells, and the chips short of it (``any``: whichever)."""

    floor: int
    cells: list[str]
    missing: dict[str, int]
    short: int


class DeedWorthJson(TypedDict):
    """Worth of a deed to a player: the rent it would bring them, points of a set that it completes (0: of none).

    ``denies``: the players whose set it would complete instead.
    """

    player: str
    rent: int
    completes: bool
    points: int
    denies: list[str]


class DeedAdviceJson(TypedDict):
    """A deed: of which kind it brings two chips, on how many of 36 rolls, and its worth to each solvent player."""

    deed: str
    kind: str
    rolls: int
    worth: list[DeedWorthJson]


class FloorNeedsJson(TypedDict):
    """Needs of a player: floors, the least short first, and the deed that is offered, auctioned or asked for."""

    player: str
    floors: list[FloorAdviceJson]
    deed: DeedAdviceJson | None


def needs_of(position: GamePosition, player: str, card: str | None) -> FloorNeedsJson:
    """Return what a player needs; with ``card`` what that deed is worth to whom.

    Raises ``Refused`` for a player or a deed that is not there.
    """
    state = position.state
    require_player(state, player)
    deed = card or state.offered or (state.auction.deed if state.auction else None)
    return {
        "player": player,
        "floors": sorted(_floors(position, player), key=lambda floor: (floor["short"], -floor["floor"])),
        "deed": None if deed is None else deed_advice(state, require_deed(state, deed).id),
    }


def missing_chips(price: Chips, chips_held: Chips) -> dict[str, int]:
    """Return which chips are short of a price; ``any``: of whichever kind, where too few are left over."""
    missing: dict[str, int] = {kind: max(0, price.get(kind, 0) - chips_held.get(kind, 0)) for kind in KINDS}
    left_over = sum(max(0, chips_held.get(kind, 0) - price.get(kind, 0)) for kind in KINDS)
    missing["any"] = max(0, price.get("any", 0) - left_over)
    return {kind: count for kind, count in missing.items() if count}


def _floors(position: GamePosition, player: str) -> Iterator[FloorAdviceJson]:
    """Yield the next floor of each height that a player could build, with what is short of it."""
    state, chips_held = position.state, chips(position, player)
    if state.finished or state.player(player).bankrupt:
        return
    cells_by_floor: dict[int, list[str]] = {}
    for cell in state.catalog.foundation.cells:
        building = state.building(cell)
        if building is None or building.owner == player:
            cells_by_floor.setdefault(1 + (building.height if building else 0), []).append(cell)
    for floor, cells in cells_by_floor.items():
        if floor > PENTHOUSE or (floor < PENTHOUSE and not state.blocks(player)):
            continue
        missing = missing_chips(cost(state.catalog, floor), chips_held)
        yield {"floor": floor, "cells": cells, "missing": missing, "short": total_of(missing)}


def total_of(missing: Chips) -> int:
    """Return the number of chips that are short, ``any`` among them."""
    return total({kind: missing.get(kind, 0) for kind in KINDS}) + missing.get("any", 0)


def deed_advice(state: State, deed: str) -> DeedAdviceJson:
    """Return what a deed is worth to each solvent player."""
    values = state.catalog.deed_of(deed)
    rolls = sum(6 - abs(7 - number) for number in values.numbers)
    worth = [_worth(state, deed, player) for player in state.turn_order]
    return {"deed": deed, "kind": values.kind, "rolls": rolls, "worth": worth}


def _worth(state: State, deed: str, player: str) -> DeedWorthJson:
    values = state.catalog.deed_of(deed)
    partner = next(other for other in state.catalog.set_of(deed) if other != deed)
    owner = state.owner_of(partner)
    completes = owner is not None and owner.id == player
    mortgaged = () if owner is None or state.rules.mortgaged_set_scores else owner.mortgaged
    scores = completes and not {deed, partner}.intersection(mortgaged)
    return {
        "player": player,
        "rent": values.set_rent if completes else values.rent,
        "completes": completes,
        "points": dict(state.catalog.sets)[values.colour] if scores else 0,
        "denies": [owner.id] if owner is not None and owner.id != player else [],
    }


# What a player's next roll may cost.


class RentAheadJson(TypedDict):
    """A rent that the next roll may cost: for which deed, to whom, and on how many of 36 rolls."""

    deed: str
    owner: str
    rent: int
    rolls: int


class MoneyAheadJson(TypedDict):
    """A player's money before the next roll.

    ``due``: debts, claims, the fee of the jail where the next roll may cost it, and the bid that they lead with;
    ``rents``: what the roll may cost, the dearest first; ``safe``: how much can be spent so that the rest pays all of
    ``due`` and any one of ``rents``; ``left``: what an amount leaves.
    """

    player: str
    cash: int
    due: int
    rents: list[RentAheadJson]
    safe: int
    left: int | None


def money_ahead(position: GamePosition, player: str, card: str | None, amount: int | None) -> MoneyAheadJson:
    """Return what a player's next roll may cost, and what ``amount`` for a deed leaves of the money.

    Raises ``Refused`` for a player or a deed that is not there, and for more than the player can spend.
    """
    state, money = position.state, cash(position, player)
    require_player(state, player)
    if card is not None:
        require_deed(state, card)
    if amount is not None:
        require_money(position, player, amount)
    debts = sum(debt.amount for debt in state.debts if debt.debtor == player)
    claims = sum(claim.amount for claim in state.claims if claim.payer == player)
    holder, is_fee_owed = state.player(player), state.stage == "fee" and player == state.turn
    is_fee_ahead = holder.in_jail and holder.tries >= MOST_TRIES and not is_fee_owed and not jail_cards(state, player)
    fee = JAIL_FEE if is_fee_ahead else 0
    due = debts + claims + fee + money - free_cash(position, player)
    rents = sorted(_rents(state, player), key=lambda rent: (-rent["rent"], -rent["rolls"]))
    return {
        "player": player,
        "cash": money,
        "due": due,
        "rents": rents,
        "safe": max(0, money - due - max((rent["rent"] for rent in rents), default=0)),
        "left": None if amount is None else money - amount,
    }


def _rents(state: State, player: str) -> Iterator[RentAheadJson]:
    """Yield the rents of deeds that others own, as far as two dice lead."""
    deed_by_space = {site.space: site.deed for site in state.sites}
    for total_rolled in range(2, 13):
        space = (state.player(player).space + total_rolled) % len(state.catalog.spaces)
        deed = deed_by_space.get(space)
        owner = None if deed is None else state.owner_of(deed)
        rolls = _rolls(state, player, total_rolled)
        if deed is not None and owner is not None and owner.id != player and deed not in owner.mortgaged and rolls:
            yield {"deed": deed, "owner": owner.id, "rent": state.rent_of(owner.id, deed), "rolls": rolls}


def _rolls(state: State, player: str, total_rolled: int) -> int:
    """Return on how many of 36 rolls a player's next move has this total.

    In jail only doubles move, but for the last try, which ends with a move in any case; a third double in a row leads
    to jail, so none of those moves.
    """
    holder, doubles, rolls = state.player(player), (total_rolled + 1) % 2, 6 - abs(7 - total_rolled)
    if holder.in_jail:
        return doubles if holder.tries < MOST_TRIES else rolls
    return rolls - doubles if player == state.turn and state.doubles == MOST_DOUBLES else rolls
