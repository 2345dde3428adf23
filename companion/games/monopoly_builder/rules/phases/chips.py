"""Chips: what a move gives, what is taken, stolen, returned or traded with the bank, and floors built of them."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from companion.engine.game import Refused
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.accounting import tray
from companion.games.monopoly_builder.rules.catalog import BANK_RATE, KINDS, PENTHOUSE, Catalog, Chips, some, total
from companion.games.monopoly_builder.rules.phases import (
    Recorder,
    phase_of,
    require_chips,
    require_in_tray,
    require_no_debt,
    require_playing,
    require_solvent,
    require_stage,
    validate_chips,
    waiting_for,
)
from companion.games.monopoly_builder.rules.state import Choice, Chooser, GamePosition, Stage, State

# Chips out of the tray, as far as it has them (rulings MO-D08 to D11).

OWN_TOTAL = 6
CHIPS = 2
"""A total of six gives so many of the own kind, and a deed with the total so many of its kind."""
CHIPS_OF_A_SET = 4

Wishes: TypeAlias = "Sequence[tuple[str, Mapping[str, int]]]"
"""Players in the order in which they take, each with what they are to get."""


def gather(recorder: Recorder, total: int) -> None:
    """Deal what a roll gives: from the roller on, the own kind for a six, and the kinds of deeds with that total."""
    state = recorder.state
    deal(recorder, [(player, _due(state, player, total)) for player in state.turn_order])


def deal(recorder: Recorder, wishes: Wishes) -> None:
    """Deal chips, in turn what is left of each kind; or nobody any where they do not suffice for all."""
    wishes = [(player, wish) for player, wish in wishes if wish]
    if not wishes:
        return
    left = tray(recorder.position)
    wanted: dict[str, int] = {kind: sum(wish.get(kind, 0) for _, wish in wishes) for kind in KINDS}
    if recorder.rules.shortage == "nobody":
        left = {kind: count if wanted[kind] <= count else 0 for kind, count in left.items()}
    for player, wish in wishes:
        given: dict[str, int] = {kind: min(wish.get(kind, 0), left[kind]) for kind in KINDS}
        left = {kind: left[kind] - given[kind] for kind in KINDS}
        recorder.give_chips(player, given)


def _due(state: State, player: str, total: int) -> dict[str, int]:
    due: dict[str, int] = {}
    if total == OWN_TOTAL:
        due[state.catalog.own_kind(player)] = CHIPS
    holder = state.player(player)
    for name in holder.deeds:
        deed = state.catalog.deed_of(name)
        if total in deed.numbers and name not in holder.mortgaged:
            doubled = state.rules.set_doubles_chips and state.has_set(player, name)
            due[deed.kind] = due.get(deed.kind, 0) + (CHIPS_OF_A_SET if doubled else CHIPS)
    return due


# Chips for chips: own choices, stealing, Free Parking, the bank (rulings MO-D16, D26, D29, D30).

PARKING_CHIPS = 2


def take(recorder: Recorder, command: c.Take) -> None:
    """Record the chips that a player chose to take."""
    chooser = _require_chooser(recorder, command.player, "take")
    chips = validate_chips(recorder.position, "bank", command.chips)
    if total(chips) != chooser.count:
        raise Refused("not_as_many_as_due", due=chooser.count)
    require_in_tray(recorder.position, chips)
    recorder.record(e.ChipsChosen(command.player, "take", some(chips)))


def return_chips(recorder: Recorder, command: c.ReturnChips) -> None:
    """Record the chips that a player chose to return."""
    chooser = _require_chooser(recorder, command.player, "return_chips")
    chips = validate_chips(recorder.position, command.player, command.chips)
    if total(chips) != chooser.count:
        raise Refused("not_as_many_as_due", due=chooser.count)
    require_chips(recorder.position, command.player, chips)
    recorder.record(e.ChipsChosen(command.player, "return_chips", some(chips)))


def _require_chooser(recorder: Recorder, player: str, what: Choice) -> Chooser:
    state = recorder.state
    require_playing(state, player)
    require_no_debt(state)
    first = state.choosers[0] if state.choosers and state.stage == "card" else None
    if first is None or first.what != what:
        raise Refused("not_now", phase=phase_of(state), waiting=waiting_for(state))
    if first.player != player:
        raise Refused("not_your_turn", player=player, waiting=waiting_for(state))
    return first


def steal(recorder: Recorder, command: c.Steal) -> None:
    """Move a chip from another player."""
    player = require_stage(recorder.state, command.player, "steal")
    require_chip_elsewhere(recorder, player.id, command.from_, command.kind)
    recorder.record(e.ChipStolen(player.id, command.from_, command.kind))


def require_chip_elsewhere(recorder: Recorder, player: str, other: str, kind: str) -> None:
    """Check that somebody else who is solvent has a chip of a kind."""
    require_solvent(recorder.state, other)
    if other == player:
        raise Refused("not_with_oneself", player=player)
    try:
        require_chips(recorder.position, other, {kind: 1})
    except Refused:
        raise Refused("has_no_such_chip", player=other, kind=kind) from None


def free_parking(recorder: Recorder, command: c.FreeParking) -> None:
    """Exchange two chips for one of another kind."""
    player = require_stage(recorder.state, command.player, "parking")
    give = validate_chips(recorder.position, player.id, command.give)
    if total(give) != PARKING_CHIPS:
        raise Refused("two_chips")
    if give[command.get]:
        raise Refused("a_kind_that_is_given", kind=command.get)
    require_chips(recorder.position, player.id, give)
    require_in_tray(recorder.position, {command.get: 1})
    recorder.record(e.ParkingTraded(player.id, some(give), command.get))


def leave_parking(recorder: Recorder, command: c.Pass) -> None:
    """Leave Free Parking alone."""
    player = require_stage(recorder.state, command.player, "parking")
    recorder.record(e.ParkingLeft(player.id))


def bank_trade(recorder: Recorder, command: c.BankTrade) -> None:
    """Exchange four chips of a kind for one of another with the bank."""
    stages: tuple[Stage, ...] = ("act",)
    if recorder.rules.bank_trade == "whole_turn":
        stages = ("act", "discard", "roll")
    player = require_stage(recorder.state, command.player, *stages)
    if player.in_jail and not recorder.rules.jail_bank_trade:
        raise Refused("not_in_jail_here", player=player.id)
    if command.give == command.get:
        raise Refused("a_kind_that_is_given", kind=command.get)
    require_chips(recorder.position, player.id, {command.give: BANK_RATE})
    require_in_tray(recorder.position, {command.get: 1})
    recorder.record(e.BankTraded(player.id, command.give, command.get, BANK_RATE))


# Building floors, and the penthouse that ends the game (rulings MO-D17 to D19, D42).


def build(recorder: Recorder, command: c.Build) -> None:
    """Build the next floor on a cell."""
    state = recorder.state
    player = require_stage(state, command.player, "act")
    if command.cell not in state.catalog.foundation.cells:
        raise Refused("unknown_cell", cell=command.cell)
    if player.in_jail:
        raise Refused("no_building_in_jail", player=player.id)
    stands = state.building(command.cell)
    if stands is not None and stands.owner != player.id:
        raise Refused("not_your_building", cell=command.cell, player=player.id)
    height = (stands.height if stands is not None else 0) + 1
    if height < PENTHOUSE and not state.blocks(player.id):
        raise Refused("no_block_left", player=player.id)
    chips = _paid(recorder.position, height, command)
    require_chips(recorder.position, player.id, chips)
    recorder.record(e.FloorBuilt(player.id, command.cell, height, some(chips)))
    if height == PENTHOUSE:
        recorder.record(e.GameEnded("penthouse"))


def cost(catalog: Catalog, height: int) -> dict[str, int]:
    """Return what a floor costs: chips by kind, and ``any``."""
    return dict(catalog.floors[height - 1])


def pays(price: Chips, chips: Chips) -> bool:
    """Return whether chips are what a floor costs: the named kinds, and for ``any`` whichever."""
    return total(chips) == total(price) and all(chips.get(kind, 0) >= price.get(kind, 0) for kind in KINDS)


def _paid(position: GamePosition, height: int, command: c.Build) -> dict[str, int]:
    price = cost(position.state.catalog, height)
    if command.chips is None:
        if price.get("any", 0):
            raise Refused("say_the_chips", floor=height)
        return price
    chips = validate_chips(position, command.player, command.chips)
    if not pays(price, chips):
        raise Refused("not_the_cost", floor=height)
    return chips
