"""The random strength: takes any of its offers, and fills it with anything that is allowed."""

from collections.abc import Sequence
from typing import Any, TypeVar, cast

from companion.engine.game import Amount, AnyOfThese, AnySet, Assignment, Field, NumberSource, Offer, OneOf, SomeOf
from companion.game_api.messages import Command
from companion.games.master_builder.bots.turn import BotTurn, assign_workers, taking, work_of
from companion.games.master_builder.rules.building import allowed_states, regulations, too_early
from companion.games.master_builder.rules.state import State, Work, contract_card

T = TypeVar("T")

SELDOM = 10
"""Mean number of turns between two commands that do not move the game on, where such are offered."""


def chancy(turn: BotTurn) -> Command:
    """Return one of the commands that were offered."""
    on = [offer for offer in turn.offers if offer.urgency == "due" and offer.do != "hire_out"]
    offer = _draw_value(turn.below, on if turn.below(SELDOM) else turn.offers)
    return taking(offer, **{name: _filled(turn, offer, field) for name, field in offer.fields})


def _filled(turn: BotTurn, offer: Offer, field: Field) -> Any:
    below = turn.below
    match field:
        case _ if offer.do == "hire_worker":
            return _draw_value(below, turn.to_hire(offer))
        case _ if offer.do == "turn_event":
            return _draw_value(below, turn.hand)
        case OneOf(values) | AnySet(values):
            return _draw_value(below, values)
        case SomeOf(values, least, most):
            return _some(below, values, least + below(most - least + 1))
        case Amount(least) if offer.do == "hire_out":
            return least  # more would have to be agreed upon
        case Amount(least, most, step):
            return least + step * below((most - least) // step + 1)
        case AnyOfThese(values):
            return dict(_draw_value(below, values))
        case _:
            return _plan(turn.state, cast("Assignment", field), below)  # nothing else is open in this game


def _draw_value(below: NumberSource, values: Sequence[T]) -> T:
    return values[below(len(values))]


def _some(below: NumberSource, values: Sequence[T], number: int) -> tuple[T, ...]:
    left = list(values)
    return tuple(left.pop(below(len(left))) for _ in range(number))


def _plan(state: State, field: Assignment, below: NumberSource) -> Work:
    """Choose a sound state for each site and let go of sites until the workers suffice."""
    rules = regulations(state.rules)
    goals: list[list[tuple[Any, str]]] = []
    for contract, places in field.sites:
        card = contract_card(state, contract)
        built = frozenset(section.name for section in card.sections) - {name for name, _ in places}
        sound = [after - built for after in allowed_states(card.kind, rules) if after >= built]
        if state.rules.roof_timing == "next_phase":
            sound = [new for new in sound if too_early(tuple(built), tuple(new)) is None]
        goals.append([(card, name) for name in sorted(_draw_value(below, sound))])
    while goals:
        jobs = assign_workers(state, [job for goal in goals for job in goal], [worker for worker, _ in field.workers])
        if jobs is not None:
            return work_of(jobs)
        goals.pop(below(len(goals)))
    return {}
