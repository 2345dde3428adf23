"""What has just happened by itself and would pass by unseen: an event without a choice, a round that was settled."""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.engine.json_values import Json
from companion.games.master_builder.face.events_shown import QUIET
from companion.games.master_builder.face.scene import Scene
from companion.service.table.journal_listing import amendable, as_it_stands


@dataclass(frozen=True, slots=True)
class EventNews:
    """An event that is over: its ``card``, and what it did to whom, in sentences."""

    card: str
    did: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """What a round brought a player: dollars of ``income``, ``wages`` and ``lent``, and the titles of what was paid."""

    player: str
    income: int
    wages: int
    lent: int
    titles: tuple[str, ...]


def event_news(scene: Scene) -> EventNews | None:
    """Tell the event of this round until the first plan is locked; ``None``: there is none to tell."""
    if scene.phase != "build" or scene.position.get("planned"):
        return None
    events = list(_since(scene, "EventTurned"))
    if not events or any(one["event"] == "PlanLocked" for one in events):
        return None
    did = (one for one in events[1:] if one["event"] not in QUIET)
    return EventNews(events[0]["card"], tuple(scene.words.event(one, scene.names, scene.catalog) for one in did))


def settled_round(scene: Scene) -> tuple[Settled, ...]:
    """Tell how the round before was settled, in turn order, during the first lap of hiring; else nothing."""
    hire = scene.position.get("hire") or {}
    if scene.phase != "hire" or hire.get("lap") != 1:
        return ()
    events = list(_since(scene, "IncomePhaseBegan"))
    if not any(one["event"] == "WagesPaid" for one in events):
        return ()
    return tuple(_settled(scene, player, events) for player in scene.players)


def _settled(scene: Scene, player: str, events: list[Json]) -> Settled:
    own = [one for one in events if one.get("player") == player]
    prices = [one for one in own if one["event"] == "PricePaid"]
    return Settled(
        player,
        sum(one["price"] for one in prices),
        sum(one["amount"] for one in own if one["event"] == "WagesPaid"),
        sum(one["amount"] for one in own if one["event"] == "LoanTaken"),
        tuple(scene.words.card(one["contract"], scene.catalog) for one in prices),
    )


def _since(scene: Scene, kind: str) -> Iterator[Json]:
    """Give the latest standing event of a kind and those that followed it."""
    found: list[Json] = []
    for entry in reversed(scene.entries):
        if not amendable(entry):
            continue  # undone, or no entry of the game itself
        events = as_it_stands(entry)["events"]
        begins = [place for place, one in enumerate(events) if one["event"] == kind]
        found[:0] = events[begins[-1] :] if begins else events
        if begins:
            return iter(found)
    return iter(())
