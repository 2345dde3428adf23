"""Chips for chips: own choices, stealing, Free Parking, the bank (rulings MO-D16, D26, D29, D30)."""

from companion.engine.errors import Refused
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.course import Course
from companion.games.monopoly_builder.rules.guards import (
    at_stage,
    has_chips,
    out_of_debt,
    running,
    solvent,
    sound_chips,
    tray_has,
)
from companion.games.monopoly_builder.rules.kinds import BANK_RATE, some, total
from companion.games.monopoly_builder.rules.moments import phase_of, waiting_for
from companion.games.monopoly_builder.rules.state import Choice, Chooser, Stage

PARKING_CHIPS = 2


def take(course: Course, command: c.Take) -> None:
    """Take chips of one's own choice."""
    chooser = _choosing(course, command.player, "take")
    chips = sound_chips(command.chips)
    if total(chips) != chooser.count:
        raise Refused("not_as_many_as_due", due=chooser.count)
    tray_has(course.here, chips)
    course.happens(e.ChipsChosen(command.player, "take", some(chips)))


def return_chips(course: Course, command: c.ReturnChips) -> None:
    """Give chips of one's own choice back."""
    chooser = _choosing(course, command.player, "return_chips")
    chips = sound_chips(command.chips)
    if total(chips) != chooser.count:
        raise Refused("not_as_many_as_due", due=chooser.count)
    has_chips(course.here, command.player, chips)
    course.happens(e.ChipsChosen(command.player, "return_chips", some(chips)))


def _choosing(course: Course, player: str, what: Choice) -> Chooser:
    state = course.state
    running(state)
    solvent(state, player)
    out_of_debt(state)
    first = state.choosers[0] if state.choosers and state.stage == "card" else None
    if first is None or first.what != what:
        raise Refused("not_now", phase=phase_of(state), waiting=waiting_for(state))
    if first.player != player:
        raise Refused("not_your_turn", player=player, waiting=waiting_for(state))
    return first


def steal(course: Course, command: c.Steal) -> None:
    """Take a chip from another player."""
    player = at_stage(course.state, command.player, "steal")
    other_has(course, player.id, command.from_, command.kind)
    course.happens(e.ChipStolen(player.id, command.from_, command.kind))


def other_has(course: Course, player: str, other: str, kind: str) -> None:
    """Check that somebody else who is solvent has a chip of a kind."""
    solvent(course.state, other)
    if other == player:
        raise Refused("not_with_oneself", player=player)
    try:
        has_chips(course.here, other, {kind: 1})
    except Refused:
        raise Refused("has_no_such_chip", player=other, kind=kind) from None


def free_parking(course: Course, command: c.FreeParking) -> None:
    """Give two chips for one of another kind."""
    player = at_stage(course.state, command.player, "parking")
    give = sound_chips(command.give)
    if total(give) != PARKING_CHIPS:
        raise Refused("two_chips")
    if give[command.get]:
        raise Refused("a_kind_that_is_given", kind=command.get)
    has_chips(course.here, player.id, give)
    tray_has(course.here, {command.get: 1})
    course.happens(e.ParkingTraded(player.id, some(give), command.get))


def leave_parking(course: Course, command: c.Pass) -> None:
    """Leave Free Parking alone."""
    player = at_stage(course.state, command.player, "parking")
    course.happens(e.ParkingLeft(player.id))


def bank_trade(course: Course, command: c.BankTrade) -> None:
    """Give the bank four chips of a kind for one of another."""
    stages: tuple[Stage, ...] = ("act",)
    if course.rules.bank_trade == "whole_turn":
        stages = ("act", "discard", "roll")
    player = at_stage(course.state, command.player, *stages)
    if player.in_jail and not course.rules.jail_bank_trade:
        raise Refused("not_in_jail_here", player=player.id)
    if command.give == command.get:
        raise Refused("a_kind_that_is_given", kind=command.get)
    has_chips(course.here, player.id, {command.give: BANK_RATE})
    tray_has(course.here, {command.get: 1})
    course.happens(e.BankTraded(player.id, command.give, command.get, BANK_RATE))
