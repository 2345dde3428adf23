"""What the strong bot gives up when an event asks, and which event it plays from its hand."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import combinations, islice

from companion.engine.game import AnyOfThese, AnySet, Offer, SomeOf
from companion.games.master_builder.bots.answers import taking
from companion.games.master_builder.bots.prospect import heads, prospect
from companion.games.master_builder.bots.turn import Turn, field_of
from companion.games.master_builder.rules.catalog import Effect
from companion.games.master_builder.rules.commands import Command
from companion.games.master_builder.rules.effects import matching_workers, unfinished
from companion.games.master_builder.rules.guards import event_card, worker_card
from companion.games.master_builder.rules.state import Events, Player, State

MOST_WAYS = 60
"""So many ways to give something up are weighed."""
A_SECTION = 6_000
"""About what a section that comes down costs to raise again."""


def workers_given_up(turn: Turn, phase: Events, offer: Offer) -> Command:
    """Name the workers who are missed least: in this round, or for good where they are dismissed."""
    field = next(field for _, field in offer.fields)
    if isinstance(field, AnySet):
        ways: Iterable[tuple[str, ...]] = field.values
    else:
        some = field_of(offer, "workers", SomeOf)
        ways = combinations(some.values, some.least)
    lasting = isinstance(field, AnySet) or _dismisses(turn.state, phase)
    return taking(offer, workers=max(islice(ways, MOST_WAYS), key=lambda way: _without(turn, way, lasting=lasting)))


def _dismisses(state: State, phase: Events) -> bool:
    card = event_card(state, phase.card or "")
    return card.effects[phase.step].do == "dismiss"


def _without(turn: Turn, workers: tuple[str, ...], *, lasting: bool) -> float:
    ahead = prospect(turn)
    gone = heads(turn.state, workers)
    if not lasting:
        return ahead.with_crew(ahead.crew.resting(gone)).value()
    wages = sum(worker.wage for worker in turn.me.crew if worker.id in workers)
    return ahead.with_crew(ahead.crew.changed(gone, wages, -1)).value()


def sections_given_up(turn: Turn, offer: Offer) -> Command:
    """Take the way to lose sections after which he ends best."""
    ahead = prospect(turn)

    def after(way: tuple[tuple[str, tuple[str, ...]], ...]) -> float:
        lost = dict(way)
        sites = tuple((one, built - set(lost.get(one.card.id, ()))) for one, built in ahead.sites)
        return replace(ahead, sites=sites).value()

    way = max(field_of(offer, "sections", AnyOfThese).values[:MOST_WAYS], key=after)
    return taking(offer, sections=dict(way))


def event_played(turn: Turn, offer: Offer) -> Command:
    """Play the event of his hand that hurts the others most beside himself."""

    def hurts_others(card: str) -> float:
        effects = event_card(turn.state, card).effects
        harms = {one.id: sum(_harm(turn.state, one, effect) for effect in effects) for one in turn.state.players}
        own = harms.pop(turn.player)
        return sum(harms.values()) / len(harms) - own

    return taking(offer, card=max(turn.hand, key=hurts_others))


def _harm(state: State, one: Player, effect: Effect) -> float:
    """Say roughly what an effect costs a player, in dollars."""
    hit = [worker_card(state, worker).wage for worker in matching_workers(state, one, effect)]
    times = len(hit) if effect.count is None else min(len(hit), effect.count)
    match effect.do:
        case "unavailable" | "dismiss":
            return sum(sorted(hit)[:times])
        case "wage_change":
            return times * effect.amount * (state.last_round - state.round + 1 if effect.lasting == "game" else 1)
        case "pay" | "receive":
            per: Mapping[str, int] = {"worker": len(one.crew), "affected": len(hit), "contract": len(unfinished(one))}
            return (1 if effect.do == "pay" else -1) * effect.amount * per.get(effect.per, 1)
        case "raze":
            return A_SECTION if any(site.built for site in unfinished(one)) else 0
        case _:
            return 0
