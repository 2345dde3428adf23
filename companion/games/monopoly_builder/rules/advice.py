"""Advice out of what everybody sees: chips that are short of a floor, and what a deed is worth to whom."""

from collections.abc import Iterator

from typing_extensions import TypedDict

from companion.game_api.seating import require_player
from companion.games.monopoly_builder.rules.accounting import chips
from companion.games.monopoly_builder.rules.catalog import KINDS, PENTHOUSE, Chips, total
from companion.games.monopoly_builder.rules.phases import require_deed
from companion.games.monopoly_builder.rules.phases.chips import cost
from companion.games.monopoly_builder.rules.state import GamePosition, State

ROLLS = 36
"""Ways in which two dice fall."""


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
    return {
        "player": player,
        "rent": values.set_rent if completes else values.rent,
        "completes": completes,
        "points": dict(state.catalog.sets)[values.colour] if completes else 0,
        "denies": [owner.id] if owner is not None and owner.id != player else [],
    }
