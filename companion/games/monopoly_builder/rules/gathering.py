"""Chips out of the tray, as far as it has them (rulings MO-D08 to D11)."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from companion.games.monopoly_builder.rules.course import Course
from companion.games.monopoly_builder.rules.holdings import tray
from companion.games.monopoly_builder.rules.kinds import KINDS
from companion.games.monopoly_builder.rules.state import State

OWN_TOTAL = 6
CHIPS = 2
"""A total of six gives so many of the own kind, and a deed with the total so many of its kind."""
CHIPS_OF_A_SET = 4

Wishes: TypeAlias = "Sequence[tuple[str, Mapping[str, int]]]"
"""Players in the order in which they take, each with what he is to get."""


def gather(course: Course, total: int) -> None:
    """Give what a roll gives: from the roller on, the own kind for a six, and the kinds of deeds with that total."""
    state = course.state
    deal(course, [(player, _due(state, player, total)) for player in state.turn_order])


def deal(course: Course, wishes: Wishes) -> None:
    """Give chips, in turn what is left of each kind; or nobody any where they do not suffice for all."""
    wishes = [(player, wish) for player, wish in wishes if wish]
    if not wishes:
        return
    left = tray(course.here)
    wanted: dict[str, int] = {kind: sum(wish.get(kind, 0) for _, wish in wishes) for kind in KINDS}
    if course.rules.shortage == "nobody":
        left = {kind: count if wanted[kind] <= count else 0 for kind, count in left.items()}
    for player, wish in wishes:
        given: dict[str, int] = {kind: min(wish.get(kind, 0), left[kind]) for kind in KINDS}
        left = {kind: left[kind] - given[kind] for kind in KINDS}
        course.gather(player, given)


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
