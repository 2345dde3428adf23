"""What has just happened by itself and would pass by unseen: an event without a choice, a round that was settled."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.engine.journal import Json
from companion.games.master_builder.face.events_shown import QUIET
from companion.games.master_builder.face.scene import Scene
from companion.games.master_builder.face.settlement import wages_due
from companion.service.table.listing import amendable, as_it_stands

PAYMENTS = frozenset({"EventPaid", "EventReceived"})
DEEDS = PAYMENTS | {"WorkersMadeUnavailable", "WorkersDismissed", "WagesChanged", "SectionsRazed", "EffectLeftToBanker"}
"""What an event does to people; what the banker corrects meanwhile is none of it."""


@dataclass(frozen=True, slots=True)
class EventNews:
    """An event that is over: its ``card``, and what it did to whom, in sentences."""

    card: str
    did: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """What a round brought a player: dollars of ``income``, ``wages``, ``lent`` and ``repaid``.

    ``titles`` are those of what was paid, ``paid`` their cards; ``now`` is his cash, ``None`` where it is hidden.
    Where the round is not ``settled`` yet for him, ``wages`` are those that he owes.
    """

    player: str
    income: int
    wages: int
    lent: int
    repaid: int
    titles: tuple[str, ...]
    paid: tuple[str, ...]
    now: int | None
    settled: bool = True

    @property
    def before(self) -> int | None:
        """Cash before the round was settled."""
        if self.now is None:
            return None
        return self.now - self.income - self.lent + self.repaid + (self.wages if self.settled else 0)


def event_news(scene: Scene) -> EventNews | None:
    """Tell the event of this round until the first plan is locked; ``None``: there is none to tell."""
    if scene.phase != "build" or scene.position.get("planned"):
        return None
    events = list(since(scene, "EventTurned"))
    if not events or any(one["event"] == "PlanLocked" for one in events):
        return None
    did = _summed(one for one in events[1:] if one["event"] in DEEDS - QUIET)
    return EventNews(events[0]["card"], tuple(scene.words.event(one, scene.names, scene.catalog) for one in did))


def _summed(events: Iterable[Json]) -> list[Json]:
    """Put several payments of a player for one card together, and leave out those of nothing."""
    found: list[dict[str, Any]] = []
    for one in events:
        same = ("event", "player")
        before = next((other for other in found if all(other.get(key) == one.get(key) for key in same)), None)
        if one["event"] not in PAYMENTS or before is None:
            found.append(dict(one))
        else:
            before["amount"] += one["amount"]
    return [one for one in found if one["event"] not in PAYMENTS or one["amount"]]


def settled_round(scene: Scene) -> tuple[Settled, ...]:
    """Tell how the round before was settled, in turn order, during the first lap of hiring; else nothing."""
    hire = scene.position.get("hire") or {}
    if scene.phase != "hire" or hire.get("lap") != 1:
        return ()
    events = list(since(scene, "IncomePhaseBegan"))
    if not any(one["event"] == "WagesPaid" for one in events):
        return ()
    return tuple(_settled(scene, player, events) for player in scene.seated)


def just_settled(scene: Scene) -> tuple[Settled, ...]:
    """Tell how the round before was settled, until somebody acts in the next one."""
    acts = {"WorkerHired", "WorkerFired", "OpportunityPassed", "PileLookedThrough", "MoneyCorrected"}
    moved = any(one["event"] in acts for one in since(scene, "RoundBegan"))
    return () if moved else settled_round(scene)


def settling(scene: Scene) -> tuple[Settled, ...]:
    """Tell how far this round is settled while somebody still has to find his wages; else nothing."""
    if scene.phase != "income":
        return ()
    events = list(since(scene, "IncomePhaseBegan"))
    return tuple(_due(scene, _settled(scene, player, events)) for player in scene.seated)


def _due(scene: Scene, one: Settled) -> Settled:
    paid = (scene.position.get("settlement") or {}).get("paid", {})
    return one if one.player in paid else replace(one, wages=wages_due(scene, one.player), settled=False)


def _settled(scene: Scene, player: str, events: list[Json]) -> Settled:
    own = [one for one in events if one.get("player") == player]
    prices = [one for one in own if one["event"] == "PricePaid"]
    return Settled(
        player,
        sum(one["price"] for one in prices),
        sum(one["amount"] for one in own if one["event"] == "WagesPaid"),
        sum(one["amount"] for one in own if one["event"] == "LoanTaken"),
        sum(one["amount"] for one in own if one["event"] == "LoanRepaid"),
        tuple(scene.words.card(one["contract"], scene.catalog) for one in prices),
        tuple(one["contract"] for one in prices),
        scene.players[player]["cash"],
    )


def since(scene: Scene, *kinds: str) -> Iterator[Json]:
    """Give the latest standing event of one of these kinds and those that followed it."""
    found: list[Json] = []
    for entry in reversed(scene.entries):
        if not amendable(entry):
            continue  # undone, or no entry of the game itself
        events = as_it_stands(entry)["events"]
        begins = [place for place, one in enumerate(events) if one["event"] in kinds]
        found[:0] = events[begins[-1] :] if begins else events
        if begins:
            return iter(found)
    return iter(())
