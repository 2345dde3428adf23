"""An auction to look up at: the bids one by one, and what was sold until the table goes on."""

from dataclasses import dataclass
from itertools import takewhile

from companion.engine.journal import Json
from companion.games.master_builder.ui.headlines import latest_event, since
from companion.games.master_builder.ui.scene import Scene

MOST_RUNGS = 6
"""Maximum number of bids that can be read from four metres; older ones fall off the foot."""
ITS_OWN = frozenset(
    {"ContractSold", "ChoiceReturned", "PremiumLaid", "ContractRemoved", "LastRoundFixed", "EventsPhaseBegan"}
)
"""Events that follow a sale by themselves: the last sale of a round ends its phase."""


@dataclass(frozen=True, slots=True)
class PlacedBid:
    """A bid in dollars."""

    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class Sale:
    """A contract that was just sold: to whom, for how many dollars, and its bids from the highest down.

    ``handed_over`` says who got the last contract of round 1 with it, unasked; empty: nobody.
    """

    contract: str
    player: str
    paid: int
    bids: tuple[PlacedBid, ...]
    handed_over: str


def bids(scene: Scene) -> tuple[PlacedBid, ...]:
    """Return the bids for the lot that lies under the hammer, the highest first."""
    return () if not scene.position.get("auction") else _rungs(list(since(scene, "AuctionOpened")))


def just_sold(scene: Scene) -> Sale | None:
    """Return the sale with which the last entry ended, until somebody acts again or the event is turned up."""
    if latest_event(scene) not in ITS_OWN:
        return None  # without looking back to the auction before
    events = list(since(scene, "AuctionOpened"))
    last = list(takewhile(lambda event: event["event"] in ITS_OWN, reversed(events)))
    sales = [event for event in reversed(last) if event["event"] == "ContractSold"]
    if not sales:
        return None
    sale, *unasked = sales
    return Sale(
        sale["contract"],
        sale["player"],
        sale["paid"],
        _rungs(events) if sale["contract"] == events[0]["contract"] else (),
        scene.words.event(unasked[0], scene.names, scene.catalog) if unasked else "",
    )


def _rungs(events: list[Json]) -> tuple[PlacedBid, ...]:
    """Return the last bids of an auction, the highest first."""
    opened = [PlacedBid(event["player"], event["bid"]) for event in events if event["event"] == "AuctionOpened"]
    raised = [PlacedBid(event["player"], event["amount"]) for event in events if event["event"] == "BidRaised"]
    return tuple([*opened, *raised][::-1][:MOST_RUNGS])


# The phase of hiring on a large screen: one wage track with everybody's marker, and the last move.

MOVES = ("WorkerHired", "WorkerFired")


@dataclass(frozen=True, slots=True)
class Marker:
    """A player's marker at ``wages`` dollars; ``level`` counts how many stand under it on the same stone."""

    player: str
    wages: int
    level: int


@dataclass(frozen=True, slots=True)
class CrewChange:
    """The last hire or firing of this phase: whose, which worker, and the wages before and after, in dollars."""

    player: str
    worker: Json
    hired: bool
    before: int
    after: int


def markers(scene: Scene) -> tuple[Marker, ...]:
    """Return everybody's marker in turn order; those on one stone stand on each other."""
    placed: list[Marker] = []
    for player, seen in scene.players_by_seat.items():
        wages = min(int(seen["wages"]), scene.limit)
        placed.append(Marker(player, wages, sum(marker.wages == wages for marker in placed)))
    return tuple(placed)


def last_move(scene: Scene) -> CrewChange | None:
    """Return the last hire or firing of this phase; ``None``: nobody has moved yet."""
    happened = since(scene, "RoundBegan", "GameStarted", "GameTakenOver", phase="hire")
    moves = [event for event in happened if event["event"] in MOVES]
    if not moves or scene.phase != "hire":
        return None
    latest = moves[-1]
    player, hired = latest["player"], latest["event"] == "WorkerHired"
    worker = scene.worker(latest["worker"])
    after = int(scene.players[player]["wages"])
    wage = latest.get("wage")
    earned = int(worker["printed"] if wage is None else wage)
    cost = earned if hired else -earned
    return CrewChange(player, worker, hired, after - cost, after)
