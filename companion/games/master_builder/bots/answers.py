"""From an offer to a command, and whether a command is one of those that were offered."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from typing import Any, cast, get_args

from companion.engine.game import Amount, AnyOfThese, AnySet, Assignment, Field, Offer, OneOf, SomeOf
from companion.games.master_builder.rules.commands import Command
from companion.games.master_builder.rules.state import Job

Sections = Mapping[str, tuple[str, ...]]
Work = Mapping[str, Mapping[str, tuple[str, ...]]]


def verb(kind: type[Any]) -> str:
    """Say what a kind of command is called in offers: ``HireWorker`` is ``hire_worker``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower()


MAKERS: dict[str, Callable[..., Command]] = {
    verb(kind): cast("Callable[..., Command]", kind) for kind in get_args(Command)
}


def taking(offer: Offer, **chosen: Any) -> Command:
    """Take an offer, its open fields filled with what was chosen."""
    player = {"player": offer.player} if offer.addressed else {}
    return MAKERS[offer.do](**player, **dict(offer.given), **chosen)


def work_of(jobs: Iterable[Job]) -> Work:
    """Write jobs as the field of a plan."""
    work: dict[str, dict[str, tuple[str, ...]]] = {}
    for job in jobs:
        work.setdefault(job.contract, {})[job.section] = job.workers
    return work


def allows(offer: Offer, command: Command) -> bool:
    """Say whether a command is one of those that an offer stands for; a plan's soundness is for the rules."""
    if verb(type(command)) != offer.do:
        return False
    settled: dict[str, Any] = dict(offer.given)
    if offer.addressed:
        settled["player"] = offer.player
    still_open = dict(offer.fields)
    for field in fields(command):
        value = getattr(command, field.name)
        if field.name in still_open:
            if not _holds(still_open[field.name], value):
                return False
        elif value != settled.get(field.name, field.default) or value is MISSING:
            return False
    return True


def _holds(field: Field, value: Any) -> bool:
    match field:
        case OneOf(values):
            return bool(value in values)
        case SomeOf(values, least, most):
            return least <= len(set(value)) == len(value) <= most and set(value) <= set(values)
        case Amount(least, most, step):
            return bool(least <= value <= most and (value - least) % step == 0)
        case AnyOfThese(values):
            return tuple((card, tuple(ids)) for card, ids in value.items()) in values
        case AnySet(values):
            return tuple(value) in values
        case _:
            return _assigned(cast("Assignment", field), value)  # nothing else is open in this game


def _assigned(field: Assignment, work: Work) -> bool:
    places = {(site, place) for site, named in field.sites for place, _ in named}
    used = {(site, place) for site, sections in work.items() for place in sections}
    busy = [worker for sections in work.values() for team in sections.values() for worker in team]
    return used <= places and len(set(busy)) == len(busy) and set(busy) <= {worker for worker, _ in field.workers}
