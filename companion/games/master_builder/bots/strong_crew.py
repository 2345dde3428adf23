"""Whom the strong bot hires and fires: every way to use its next opportunities, weighed by how it would end."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement

from companion.games.master_builder.bots.answers import taking
from companion.games.master_builder.bots.ladders import Hands, hands
from companion.games.master_builder.bots.prospect import Prospect, prospect
from companion.games.master_builder.bots.turn import Turn
from companion.games.master_builder.rules.catalog import WorkerType
from companion.games.master_builder.rules.commands import Command
from companion.games.master_builder.rules.guards import WAGE_LIMIT, worker_card
from companion.games.master_builder.rules.state import Hire

FIRST_CREW: tuple[WorkerType, ...] = ("F", "T", "MC", "T", "A")
"""A little of everything: nobody knows yet what is to be built."""
AHEAD = 2
"""So many of his opportunities are thought through together: some teams lack two."""
WORTH_IT = 500
"""An act must promise so much, in dollars: estimates are no better."""


@dataclass(frozen=True, slots=True)
class Change:
    """A worker who comes or goes (``sign`` 1 or -1)."""

    worker: str
    hands: Hands
    wage: int
    sign: int

    def on(self, ahead: Prospect) -> Prospect:
        """Think this change done."""
        return ahead.with_crew(ahead.crew.changed(self.hands, self.wage, self.sign))


def best_change(turn: Turn, phase: Hire) -> Command | None:
    """Hire or fire whom the best combination of acts begins with; ``None``: better leave all as it is."""
    ahead = prospect(turn)
    best, chosen = ahead.value() + WORTH_IT, None
    for way in _ways(_changes(turn), min(AHEAD, phase.laps - phase.lap + 1)):
        after = ahead
        for change in way:
            after = change.on(after)
        if after.crew.wages <= WAGE_LIMIT and min(after.crew.now) >= 0 and (value := after.value()) > best:
            best, chosen = value, way
    if chosen is None:
        return None
    first = max(chosen, key=lambda change: -change.sign * change.wage)
    offer = turn.offer("hire_worker" if first.sign > 0 else "fire_worker")
    return taking(offer, worker=first.worker) if offer else None


def _changes(turn: Turn) -> list[Change]:
    """List one change for each type that could be hired and each that could be fired, the dearest of it."""
    hiring, firing = turn.offer("hire_worker"), turn.offer("fire_worker")
    changes: list[Change] = []
    for worker in turn.to_hire(hiring) if hiring else ():
        card = worker_card(turn.state, worker)
        changes.append(Change(worker, hands([card.type]), card.wage, 1))
    dearest: dict[WorkerType, Change] = {}
    for employed in sorted(turn.me.crew if firing else (), key=lambda worker: (worker.due, worker.id)):
        kind = worker_card(turn.state, employed.id).type
        dearest[kind] = Change(employed.id, hands([kind]), employed.due, -1)
    return [*changes, *dearest.values()]


def _ways(changes: list[Change], acts: int) -> Iterator[tuple[Change, ...]]:
    for number in range(1, acts + 1):
        yield from combinations_with_replacement(changes, number)
