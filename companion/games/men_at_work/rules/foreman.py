"""Variant ``foreman``, and what players say of an action where nothing is counted (rulings MW-D21, D27)."""

from companion.engine.errors import Refused
from companion.games.men_at_work.rules import commands as c
from companion.games.men_at_work.rules import events as e
from companion.games.men_at_work.rules.course import Course
from companion.games.men_at_work.rules.moments import must_expect


def use_foreman_card(course: Course, command: c.UseForemanCard) -> None:
    """Lay a card of the hand on the pile or the discard: the action is another one."""
    state = course.state
    must_expect(state, "use_foreman_card", command.player)
    card = state.catalog.card(command.card)
    if card is None:
        raise Refused("unknown_card", card=command.card)
    if command.card in state.seen:
        raise Refused("seen_before", card=command.card)
    left = state.player(command.player).hand - 1
    course.happens(e.ForemanCardPlayed(command.player, card.id, command.on, card.back, left))


def stop(course: Course, command: c.Pass) -> None:
    """Play no card though one could: the game ends."""
    must_expect(course.state, "pass", command.player)
    course.happens(e.ConstructionStopped(command.player))
    course.stop()


def impossible(course: Course, command: c.Impossible) -> None:
    """Take the players' word that the site lacks something."""
    must_expect(course.state, "impossible", command.player)
    course.happens(e.FoundImpossible(command.player))


def exhausted(course: Course, command: c.Exhausted) -> None:
    """Take the players' word that the reserve lacks something."""
    must_expect(course.state, "exhausted", command.player)
    course.happens(e.FoundExhausted(command.player))
