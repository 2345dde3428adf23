"""The strong strength: whatever is to be decided, it thinks each answer through to the end of the game."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, islice
from typing import TypeAlias

from companion.engine.game import Amount, AnyOfThese, AnySet, Offer, SomeOf
from companion.game_api.messages import Command
from companion.games.master_builder.bots.chancy import chancy
from companion.games.master_builder.bots.middle import first_hire, lots
from companion.games.master_builder.bots.outlook import (
    COMES_DEARER,
    EndOutlook,
    Hands,
    Rung,
    hands,
    heads,
    ladder_of,
    plus,
    prospect,
    suffice,
)
from companion.games.master_builder.bots.turn import (
    BotTurn,
    assign_workers,
    field_of,
    forced_loan,
    pass_command,
    repayment,
    taking,
    work_of,
)
from companion.games.master_builder.rules.building import at_hand
from companion.games.master_builder.rules.catalog import ContractCard, Effect, WorkerType
from companion.games.master_builder.rules.effects import matching_workers, unfinished_sites
from companion.games.master_builder.rules.phases.contracts import may_bid
from companion.games.master_builder.rules.state import (
    WAGE_LIMIT,
    Contracts,
    Events,
    Hire,
    Player,
    State,
    Work,
    contract_account,
    contract_card,
    event_card,
    worker_card,
)

# Whom the strong bot hires and fires: every way to use its next opportunities, weighed by how it would end.

FIRST_CREW: tuple[WorkerType, ...] = ("F", "T", "MC", "T", "A")
"""A little of everything: nobody knows yet what is to be built."""
AHEAD = 2
"""Maximum number of opportunities that are considered together: some teams lack two workers."""
WORTH_IT = 500
"""Least gain of a command, in dollars: estimates are no more precise."""


@dataclass(frozen=True, slots=True)
class Change:
    """A worker who comes or goes (``sign`` 1 or -1)."""

    worker: str
    hands: Hands
    wage: int
    sign: int

    def on(self, ahead: EndOutlook) -> EndOutlook:
        """Think this change done."""
        return ahead.with_crew(ahead.crew.changed(self.hands, self.wage, self.sign))


def best_change(turn: BotTurn, phase: Hire) -> Command | None:
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


def _changes(turn: BotTurn) -> list[Change]:
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


# What the strong bot gives up when an event asks, and which event it plays from its hand.

MOST_WAYS = 60
"""Maximum number of ways to give something up that are compared."""
A_SECTION = 6_000
"""About what a section that comes down costs to raise again."""


def workers_given_up(turn: BotTurn, phase: Events, offer: Offer) -> Command:
    """Return the workers who are missed least: in this round, or for good where they are dismissed."""
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


def _without(turn: BotTurn, workers: tuple[str, ...], *, lasting: bool) -> float:
    ahead = prospect(turn)
    gone = heads(turn.state, workers)
    if not lasting:
        return ahead.with_crew(ahead.crew.resting(gone)).value()
    wages = sum(worker.wage for worker in turn.me.crew if worker.id in workers)
    return ahead.with_crew(ahead.crew.changed(gone, wages, -1)).value()


def sections_given_up(turn: BotTurn, offer: Offer) -> Command:
    """Return the way to lose sections after which the player ends best."""
    ahead = prospect(turn)

    def after(way: tuple[tuple[str, tuple[str, ...]], ...]) -> float:
        lost = dict(way)
        sites = tuple((site, built - set(lost.get(site.card.id, ()))) for site, built in ahead.sites)
        return replace(ahead, sites=sites).value()

    way = max(field_of(offer, "sections", AnyOfThese).values[:MOST_WAYS], key=after)
    return taking(offer, sections=dict(way))


def event_played(turn: BotTurn, offer: Offer) -> Command:
    """Play the event of the hand that costs the others most, less what it costs the bot."""

    def hurts_others(card: str) -> float:
        effects = event_card(turn.state, card).effects
        harms = {
            player.id: sum(_harm(turn.state, player, effect) for effect in effects) for player in turn.state.players
        }
        own = harms.pop(turn.player)
        return sum(harms.values()) / len(harms) - own

    return taking(offer, card=max(turn.hand, key=hurts_others))


def _harm(state: State, player: Player, effect: Effect) -> float:
    """Return roughly what an effect costs a player, in dollars."""
    hit = [worker_card(state, worker).wage for worker in matching_workers(state, player, effect)]
    times = len(hit) if effect.count is None else min(len(hit), effect.count)
    match effect.do:
        case "unavailable" | "dismiss":
            return sum(sorted(hit)[:times])
        case "wage_change":
            return times * effect.amount * (state.last_round - state.round + 1 if effect.lasting == "game" else 1)
        case "pay" | "receive":
            per: Mapping[str, int] = {
                "worker": len(player.crew),
                "affected": len(hit),
                "contract": len(unfinished_sites(player)),
            }
            return (1 if effect.do == "pay" else -1) * effect.amount * per.get(effect.per, 1)
        case "raze":
            return A_SECTION if any(site.built for site in unfinished_sites(player)) else 0
        case _:
            return 0


# What the strong bot builds: of all plans, the one after which it ends best.

MOST_PLANS = 12
"""Maximum number of plans that are played to the end: those that earn most, then those with most work in them."""


def best_work(turn: BotTurn) -> Work:
    """Choose the work, and put the workers on it."""
    ahead = prospect(turn)
    ways = _ways_to_plan(ahead)
    ways.sort(key=lambda way: (sum(rung.earns for rung in way), sum(rung.work for rung in way)), reverse=True)
    best = max(ways[:MOST_PLANS], key=lambda way: _after(ahead, way))
    wanted = [
        (site.card, section)
        for (site, built), rung in zip(ahead.sites, best, strict=True)
        for section in sorted(rung.after - built)
    ]
    return work_of(assign_workers(turn.state, wanted, at_hand(turn.state, turn.me)) or ())


def _ways_to_plan(ahead: EndOutlook) -> list[tuple[Rung, ...]]:
    """List what the workers at hand could do together."""
    ways = [(ahead.crew.now, tuple[Rung, ...]())]
    for site, built in ahead.sites:
        ways = [
            (plus(free, rung.need, -1), (*way, rung))
            for free, way in ways
            for rung in site.rungs[built]
            if suffice(free, rung.need)
        ]
    return [way for _, way in ways]


def _after(ahead: EndOutlook, way: tuple[Rung, ...]) -> float:
    sites = tuple((site, rung.after) for (site, _), rung in zip(ahead.sites, way, strict=True))
    return ahead.built_on(sites, sum(rung.earns for rung in way)).value()


# What the strong bot bids: what it would end with if it had the contract, less what it would end with if not.

Recruits: TypeAlias = tuple[tuple[Hands, int], ...]
"""Hands that could be hired, and their wages."""

MORE_HANDS = 2
"""Maximum number of workers that the bot counts on hiring for it in the next round."""
SURE = 0.6
"""Share of a contract's expected gain that the bot is ready to pay for it."""


def opening(turn: BotTurn) -> Command | None:
    """Open with the contract of the highest expected gain; where the bot must, with any; ``None``: it need not."""
    must = turn.offer("pass") is None
    ahead = prospect(turn)
    promises = [(_promise(turn, ahead, card, card.cost), card, offer) for card, offer in lots(turn)]
    wanted = [promise for promise in promises if must or promise[0] > 0]
    if not wanted:
        return None
    _, card, offer = max(wanted, key=lambda option: (option[0], option[1].id))
    return taking(offer, bid=card.cost)


def raise_bid(turn: BotTurn, offer: Offer, lot: str) -> Command | None:
    """Raise by as little as can be, while the contract promises more than it costs."""
    amount = field_of(offer, "amount", Amount).least
    card = contract_card(turn.state, lot)
    return taking(offer, amount=amount) if _promise(turn, prospect(turn), card, amount) > 0 else None


def _promise(turn: BotTurn, ahead: EndOutlook, card: ContractCard, bid: int) -> float:
    """Return by how much a contract at this price betters the bot's end, compared with what else it could get."""
    paid = bid - turn.position.ledger.balance(contract_account(card.id))
    return SURE * (_owning(turn, ahead, card, paid) + paid - _otherwise(turn, ahead, card)) - paid


def _owning(turn: BotTurn, ahead: EndOutlook, card: ContractCard, paid: int) -> float:
    """Return the bot's worth at the end with a contract for which it has paid ``paid``."""
    return _best(ahead.owning(ladder_of(turn.state, card), paid), _recruits(turn))


def _otherwise(turn: BotTurn, ahead: EndOutlook, card: ContractCard) -> float:
    """Return the bot's worth at the end without the contract, but with what rivals leave of the others on display."""
    nothing = _best(ahead, _recruits(turn))
    others = (contract_card(turn.state, other) for other in turn.state.display if other != card.id)
    left = sorted((_owning(turn, ahead, other, other.cost + COMES_DEARER) for other in others), reverse=True)
    rivals = sum(may_bid(turn.state, seat) for seat in turn.state.seats) - 1
    return max(nothing, left[rivals - 1]) if 0 < rivals <= len(left) else nothing


@lru_cache(maxsize=1 << 14)
def _best(ahead: EndOutlook, recruits: Recruits) -> float:
    """Estimate with the crew as it is, or with those whom the bot would hire for it in the next round."""
    value_now = ahead.value()
    for more, wages in recruits if ahead.rounds > 1 else ():
        if ahead.crew.later_wages + wages <= WAGE_LIMIT:
            value_now = max(value_now, ahead.with_crew(ahead.crew.joined(more, wages)).value())
    return value_now


def _recruits(turn: BotTurn) -> Recruits:
    """List whom one could hire of those who lie on top of their piles: their hands, their wages."""
    cards = (worker_card(turn.state, worker) for worker in turn.tops.values())
    return _some_of(tuple((card.type, card.wage) for card in cards))


@lru_cache(maxsize=256)
def _some_of(tops: tuple[tuple[WorkerType, int], ...]) -> Recruits:
    return tuple(
        (hands(kind for kind, _ in some), sum(wage for _, wage in some))
        for number in range(1, MORE_HANDS + 1)
        for some in combinations_with_replacement(tops, number)
    )


def strong(turn: BotTurn) -> Command:
    """Return one of the commands that were offered."""
    return forced_loan(turn) or _by_phase(turn) or pass_command(turn) or chancy(turn)


def _by_phase(turn: BotTurn) -> Command | None:
    match turn.state.phase:
        case Hire() as phase:
            offer = turn.offer("hire_worker")
            if turn.state.round == 1 and offer is not None:
                return first_hire(turn, offer, FIRST_CREW)
            return repayment(turn, turn.me.wages) or best_change(turn, phase)
        case Contracts(auction=None):
            return opening(turn)
        case Contracts(auction=auction):
            offer = turn.offer("bid")
            return raise_bid(turn, offer, auction.lot) if offer and auction else None
        case Events() as phase:
            return _in_event(turn, phase)
        case _:
            plan = turn.offer("plan")
            return taking(plan, work=best_work(turn)) if plan else None


def _in_event(turn: BotTurn, phase: Events) -> Command | None:
    workers, sections = turn.offer("choose_workers"), turn.offer("choose_sections")
    if workers is not None:
        return workers_given_up(turn, phase, workers)
    if sections is not None:
        return sections_given_up(turn, sections)
    played = turn.offer("turn_event")
    return event_played(turn, played) if played else None
