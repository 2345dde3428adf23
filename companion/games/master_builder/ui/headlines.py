"""News of a table: a headline for each settled round, and what has happened without anybody's choice."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.engine.journal import Json
from companion.games.master_builder.ui.scene import Scene
from companion.games.master_builder.ui.settlement import wages_due
from companion.service.table.history import amendable, effective_json

QUIET = frozenset(
    {"OpportunityCame", "ContractsPhaseBegan", "EventsPhaseBegan", "BuildPhaseBegan", "IncomePhaseBegan"}
    | {"WorkersReturned", "EventReached"}
)
"""Events that the page shows anyway; as consequences they would only make rows long."""

CORRECTED = frozenset(
    {"MoneyCorrected", "WorkerCorrected", "ContractCorrected", "TurnCorrected", "CashCounted"}
    | {"PlayerRenamed", "PlayerReplaced"}
)
"""Events by which the banker puts something right."""


PAYMENTS = frozenset({"EventPaid", "EventReceived"})
DEEDS = PAYMENTS | {"WorkersMadeUnavailable", "WorkersDismissed", "WagesChanged", "SectionsRazed", "EffectLeftToBanker"}
"""What an event does to people; what the banker corrects meanwhile is none of it."""

OVER = frozenset({"PlanLocked", "RoundBegan"})
"""Events after which the one that was turned up last is no news any more."""


ROUND_BEGINS = frozenset({"GameStarted", "GameTakenOver", "RoundBegan"})
"""Events with which a round begins, or a game in the middle of one."""


@dataclass(frozen=True, slots=True)
class EventNews:
    """An event that is over: its ``card``, and what it did to whom, in sentences."""

    card: str
    did: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """The money of a player in a round: dollars of ``income``, ``wages``, ``lent`` and ``repaid``.

    ``titles`` are those of what was paid, ``paid`` their cards; ``now`` is the cash at its end, or as far as it has
    come, ``None`` where it is hidden.  Where the round is not ``settled`` yet for the player, ``wages`` are
    those still owed.
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

    @property
    def after(self) -> int | None:
        """Cash after wages; negative: so much is missing."""
        return self.now if self.settled or self.now is None else self.now - self.wages


def event_news(scene: Scene) -> EventNews | None:
    """Return the event of this round until the first plan is locked; ``None``: there is none to tell."""
    if scene.phase != "build" or scene.position.get("planned"):
        return None
    events = list(since(scene, "EventTurned"))
    if not events or any(event["event"] in OVER for event in events):
        return None
    did = _summed(event for event in events[1:] if event["event"] in DEEDS - QUIET)
    return EventNews(events[0]["card"], tuple(scene.words.event(event, scene.names, scene.catalog) for event in did))


def _summed(events: Iterable[Json]) -> list[Json]:
    """Add up several payments of a player for one card, and leave out payments of 0."""
    headlines: list[dict[str, Any]] = []
    for event in events:
        same = ("event", "player")
        before = next((other for other in headlines if all(other.get(key) == event.get(key) for key in same)), None)
        if event["event"] not in PAYMENTS or before is None:
            headlines.append(dict(event))
        else:
            before["amount"] += event["amount"]
    return [headline for headline in headlines if headline["event"] not in PAYMENTS or headline["amount"]]


def settled_round(scene: Scene) -> tuple[Settled, ...]:
    """Return how the round before was settled, as they sit, during the first lap of hiring; else nothing."""
    hire = scene.position.get("hire") or {}
    if scene.phase != "hire" or hire.get("lap") != 1:
        return ()
    events = _income_events(scene)
    rounds = [event["round"] for event in events if event["event"] == "RoundBegan"]
    if rounds != [scene.position["round"]] or any(_leaves_hiring(event) for event in events[1:]):
        return ()  # what was paid before is none of the round before, or cash has moved on since
    if not any(event["event"] == "WagesPaid" for event in events):
        return ()
    return tuple(_settled(scene, player, events) for player in scene.players_by_seat)


def _leaves_hiring(event: Json) -> bool:
    """Return whether another phase than hiring began with an event."""
    named = [phase for phase, begun in (event.get("moment") or {}).items() if begun is not None]
    return event["event"] == "ContractsPhaseBegan" or named not in ([], ["hire"])


def just_settled(scene: Scene) -> tuple[Settled, ...]:
    """Return how the round before was settled, until somebody acts in the next one."""
    rows = settled_round(scene)
    if not rows:
        return ()
    acts = {"WorkerHired", "WorkerFired", "OpportunityPassed", "PileLookedThrough", "MoneyCorrected"}
    moved = any(event["event"] in acts for event in since(scene, "RoundBegan"))
    return () if moved else rows


def settling(scene: Scene) -> tuple[Settled, ...]:
    """Return how far this round is settled while some players still have to find their wages; else nothing."""
    if scene.phase != "income":
        return ()
    events = _income_events(scene)
    return tuple(_due(scene, _settled(scene, player, events)) for player in scene.players_by_seat)


def _income_events(scene: Scene) -> list[Json]:
    """Return what happened since income began; what a game taken over had paid then is told as if it followed."""
    events = list(since(scene, "IncomePhaseBegan", phase="income"))
    paid = ((events[0].get("moment") or {}).get("income") or {}) if events else {}
    prices = [{"event": "PricePaid", **price} for price in paid.get("earned", ())]
    wages = [{"event": "WagesPaid", **of_player} for of_player in paid.get("paid", ())]
    return [*events[:1], *prices, *wages, *events[1:]]


def _due(scene: Scene, row: Settled) -> Settled:
    paid = (scene.position.get("settlement") or {}).get("paid", {})
    return row if row.player in paid else replace(row, wages=wages_due(scene, row.player), settled=False)


def _settled(scene: Scene, player: str, events: list[Json]) -> Settled:
    """Sum a player's money of a round; what moved in the next one is none of it."""
    ends = next((place for place, event in enumerate(events) if event["event"] == "RoundBegan"), len(events))
    own = [event for event in events[:ends] if event.get("player") == player]
    prices = [event for event in own if event["event"] == "PricePaid"]
    cash = scene.players[player]["cash"]
    return Settled(
        player,
        sum(price["price"] for price in prices),
        sum(event["amount"] for event in own if event["event"] == "WagesPaid"),
        sum(event["amount"] for event in own if event["event"] == "LoanTaken"),
        sum(event["amount"] for event in own if event["event"] == "LoanRepaid"),
        tuple(scene.words.card(price["contract"], scene.catalog) for price in prices),
        tuple(price["contract"] for price in prices),
        None if cash is None else cash - sum(_moved(event, player) for event in events[ends:]),
    )


def _moved(event: Json, player: str) -> int:
    """Return the money that an event of hiring brought a player, below 0 what it took."""
    match event:
        case {"event": "MoneyCorrected", "amount": amount}:
            return int(amount) * (int(event["to"] == player) - int(event["from"] == player))
        case {"event": "LoanTaken", "amount": amount} if event["player"] == player:
            return int(amount)
        case {"event": "LoanRepaid", "amount": amount} if event["player"] == player:
            return -int(amount)
        case {"event": "PileLookedThrough", "fee": fee} if event["player"] == player:
            return -int(fee)
        case _:
            return 0


def since(scene: Scene, *kinds: str, phase: str = "") -> Iterator[Json]:
    """Return the latest standing event of one of these kinds and those that followed it.

    With ``phase`` also one by which that phase began without the phase before it.
    """
    happened: list[Json] = []
    for event in _latest_first(scene):
        happened.append(event)
        if event["event"] in kinds or begins(event, phase):
            return reversed(happened)
    return iter(())


def begins(event: Json, phase: str) -> bool:
    """Return whether a phase began with an event because the banker, or whoever took the game over, said so."""
    return (event.get("moment") or {}).get(phase) is not None


def _latest_first(scene: Scene) -> Iterator[Json]:
    """Go through the standing events of the game, from the latest back."""
    for entry in reversed(scene.entries):
        if amendable(entry):  # else it is undone, or no entry of the game itself
            yield from reversed(effective_json(entry)["events"])


def latest_event(scene: Scene) -> str:
    """Return the name of the latest standing event; empty where there is none."""
    return next((str(event["event"]) for event in _latest_first(scene)), "")


def headline(scene: Scene) -> str:
    """Return a round that is settled in one dry sentence; nothing where nobody knows what happened in it."""
    events = [] if scene.phase == "income" else _events_of_settled_round(scene)
    if not any(event["event"] == "WagesPaid" for event in events):
        return ""
    laid = sum(len(event["work"]) for event in events if event["event"] == "SectionsBuilt")
    finished = sum(event["event"] == "PricePaid" for event in events)
    borrowers = list(dict.fromkeys(event["player"] for event in events if event["event"] == "LoanTaken"))
    return _of_work(scene, laid, finished, borrowers) if laid else _idle(scene, borrowers, events)


def _events_of_settled_round(scene: Scene) -> list[Json]:
    """Return what happened in the round before this one, from its building phase on."""
    happened: list[Json] = []
    for event in _latest_first(scene):
        if event["event"] == "RoundBegan" and event["round"] == scene.position["round"]:
            happened.clear()
            continue
        happened.append(event)
        if event["event"] in ROUND_BEGINS or event.get("wages_lapse"):
            break
    builds = [
        place
        for place, event in enumerate(happened)
        if event["event"] == "BuildPhaseBegan" or begins(event, "build") or begins(event, "income")
    ]
    return happened[builds[-1] :: -1] if builds else []


def _of_work(scene: Scene, laid: int, finished: int, borrowers: list[str]) -> str:
    words = scene.words
    if not finished and borrowers:
        return words.several(
            "{count} section and a loan to go with it.", "{count} sections and a loan to go with them.", laid
        )
    if not finished:
        return words.several(
            "{count} section laid, no door to lock yet.", "{count} sections laid, no door to lock yet.", laid
        )
    if len(borrowers) > 1:
        return words.several(
            "{count} building paid for; the lender had the better day.",
            "{count} buildings paid for; the lender had the better day.",
            finished,
        )
    if borrowers:
        return words.several(
            "{count} building paid for. {player} counts twice.",
            "{count} buildings paid for. {player} counts twice.",
            finished,
            player=scene.names[borrowers[0]],
        )
    return words.several(
        "{count} building paid for, and nobody in need of a loan.",
        "{count} buildings paid for, and nobody in need of a loan.",
        finished,
    )


def _idle(scene: Scene, borrowers: list[str], events: list[Json]) -> str:
    words, paid = scene.words, sum(event["amount"] for event in events if event["event"] == "WagesPaid")
    if borrowers:
        return words.say("Nothing was built, and {player} borrowed for it.", player=scene.names[borrowers[0]])
    if paid:
        return words.say("Nobody laid a stone. The wages were the same.")
    return words.say("Nothing built, nobody paid: a quiet round.")
