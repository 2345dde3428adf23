"""Effects of an event card on the player whom it concerns: at once, or by their choice (rulings D22 to D24)."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, islice

from companion.game_api.messages import Event
from companion.games.master_builder.rules import events as e
from companion.games.master_builder.rules.building import Regulations, allowed_states, regulations
from companion.games.master_builder.rules.catalog import ContractKind, Effect
from companion.games.master_builder.rules.state import (
    WAGE_LIMIT,
    BuildingSite,
    Employed,
    Events,
    GamePosition,
    Player,
    State,
    cash,
    contract_card,
    worker_card,
)

ALL_SECTIONS = 6
MOST_WAYS = 200
"""Maximum number of ways to dismiss that are offered; a large crew has millions, and any of them is accepted."""


@dataclass(frozen=True, slots=True)
class WorkersToChoose:
    """The owner names ``count`` of these."""

    workers: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True)
class SectionsToChoose:
    """The owner takes one of these ways to lose sections."""

    ways: tuple[tuple[e.Razed, ...], ...]


@dataclass(frozen=True, slots=True)
class WorkersToDismiss:
    """The owner names workers just enough to save ``excess`` (D06); ``ways``: the first of all that there are."""

    excess: int
    ways: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class MoneyToBorrow:
    """The owner borrows until they can pay what the event takes (house rule ``event_debt``)."""

    due: int


Outcome = Event | WorkersToChoose | SectionsToChoose | WorkersToDismiss | MoneyToBorrow


def unfinished_sites(player: Player) -> tuple[BuildingSite, ...]:
    """List a player's contracts that still lack sections."""
    return tuple(site for site in player.sites if len(site.built) < ALL_SECTIONS)


def outcome(position: GamePosition, phase: Events, player: Player, effect: Effect) -> Outcome:
    """Carry an effect out where it leaves no choice, or say what must be chosen."""
    match effect.do:
        case "pay":
            due = effect.amount * _times(phase, player, effect)
            if position.state.rules.event_debt == "loan" and cash(position, player.id) < due:
                return MoneyToBorrow(due)
            return e.EventPaid(player.id, min(due, cash(position, player.id)))
        case "receive":
            return e.EventReceived(player.id, effect.amount * _times(phase, player, effect))
        case "raze":
            ways = ways_to_raze(position.state, player, effect.count or 0)
            return e.SectionsRazed(player.id, ways[0]) if len(ways) == 1 else SectionsToChoose(ways)
        case "manual":
            return e.EffectLeftToBanker(player.id)
        case _:
            matching = matching_workers(position.state, player, effect)
            if effect.count is None or effect.count >= len(matching):
                return on_workers(player, effect, matching)
            return WorkersToChoose(matching, effect.count)


def overflow(state: State, player: Player) -> Outcome | None:
    """Dismiss down to the end of the wage track, where the house rule says so; ``None``: nothing to do."""
    excess = player.wages - WAGE_LIMIT
    if state.rules.wage_overflow != "dismiss" or excess <= 0:
        return None
    ways = tuple(islice(ways_to_dismiss(player, excess), MOST_WAYS))
    return e.WorkersDismissed(player.id, ways[0]) if len(ways) == 1 else WorkersToDismiss(excess, ways)


def just_enough(player: Player, workers: Collection[str], excess: int) -> bool:
    """Return whether the wages of these own workers come to ``excess``, with nobody to spare among them."""
    dues = [worker.due for worker in player.crew if worker.id in workers]
    named_once = len(dues) == len(workers) > 0
    return named_once and sum(dues) - min(dues) < excess <= sum(dues)


def ways_to_dismiss(player: Player, excess: int) -> Iterator[tuple[str, ...]]:
    """Enumerate the sets that are ``just_enough``: dearest first, so that the last one in is the one who tips it."""
    paid = sorted(
        ((worker.due, worker.id) for worker in player.crew if worker.due), key=lambda pair: (-pair[0], pair[1])
    )

    def with_more(some: tuple[str, ...], following: int, missing: int) -> Iterator[tuple[str, ...]]:
        if missing <= 0:
            yield tuple(sorted(some))
            return
        left = sum(due for due, _ in paid[following:])
        for place in range(following, len(paid)):
            if left < missing:
                return
            due, worker = paid[place]
            left -= due
            yield from with_more((*some, worker), place + 1, missing - due)

    return with_more((), 0, excess)


def on_workers(player: Player, effect: Effect, workers: tuple[str, ...]) -> Event:
    """Let an effect hit these workers of a player."""
    if effect.do == "unavailable":
        return e.WorkersMadeUnavailable(player.id, workers)
    if effect.do == "dismiss":
        return e.WorkersDismissed(player.id, workers)
    changes = tuple(_changed(worker, effect) for worker in player.crew if worker.id in workers)
    return e.WagesChanged(player.id, changes, effect.lasting)


def _changed(worker: Employed, effect: Effect) -> e.WageChange:
    """Neither this round's wage nor the one from the next round on falls below nothing."""
    due = max(0, worker.due + effect.amount)
    wage = max(0, worker.wage + effect.amount) if effect.lasting == "game" else worker.wage
    return e.WageChange(worker.id, due - worker.due, wage, due - wage)


def matching_workers(state: State, player: Player, effect: Effect) -> tuple[str, ...]:
    """List a player's workers whom an effect may hit, face down ones too, in order of their ids."""
    hit: list[str] = []
    for worker in player.crew:
        card = worker_card(state, worker.id)
        of_type = not effect.type or card.type in effect.type
        of_quirk = not effect.quirk or bool(set(effect.quirk) & set(card.quirks))
        if of_type and of_quirk:
            hit.append(worker.id)
    return tuple(sorted(hit))


def _times(phase: Events, player: Player, effect: Effect) -> int:
    match effect.per:
        case "player":
            return 1
        case "worker":
            return len(player.crew)
        case "affected":
            return len(phase.hit)
        case _:
            return len(unfinished_sites(player))


def ways_to_raze(state: State, player: Player, count: int) -> tuple[tuple[e.Razed, ...], ...]:
    """Enumerate the ways to take down as many sections as can be taken, up to ``count``.

    What stays of each building must be sound.  Always at least one way: taking nothing.
    """
    sites = sorted(unfinished_sites(player), key=lambda site: site.contract)
    losses = [
        _losses(contract_card(state, site.contract).kind, frozenset(site.built), count, regulations(state.rules))
        for site in sites
    ]
    reached = [{0}]  # from the last site on: how many sections they can lose together
    for each in reversed(losses):
        reached.append({lost + len(loss) for lost in reached[-1] for loss in each if lost + len(loss) <= count})
    ways: list[tuple[int, tuple[e.Razed, ...]]] = [(max(reached.pop()), ())]
    for site, each in zip(sites, losses, strict=True):
        beyond = reached.pop()
        ways = [
            (due - len(loss), (*way, e.Razed(site.contract, tuple(sorted(loss)))) if loss else way)
            for due, way in ways
            for loss in each
            if due - len(loss) in beyond
        ]
    return tuple(way for _, way in ways)


@cache
def _losses(kind: ContractKind, built: frozenset[str], count: int, by: Regulations) -> tuple[frozenset[str], ...]:
    def all_of() -> Iterator[frozenset[str]]:
        for size in range(count + 1):
            yield from (frozenset(some) for some in combinations(sorted(built), size))

    sound = set(allowed_states(kind, by))
    return tuple(loss for loss in all_of() if built - loss in sound)
