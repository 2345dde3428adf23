"""An auction to look up at: the bids one by one, and what was sold until the table goes on."""

from dataclasses import dataclass

from companion.engine.journal import Json
from companion.games.master_builder.face.lately import since
from companion.games.master_builder.face.scene import Scene

MOST_RUNGS = 6
"""So many bids can be read from four metres; older ones fall off the foot."""
ITS_OWN = frozenset({"ContractSold", "ChoiceReturned", "PremiumLaid", "ContractRemoved", "ContractsPhaseBegan"})
"""Events that follow a sale by themselves."""


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid in dollars."""

    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class Sale:
    """A contract that was just sold: to whom, for how many dollars, and its bids from the highest down."""

    contract: str
    player: str
    paid: int
    bids: tuple[Bid, ...]


def bids(scene: Scene) -> tuple[Bid, ...]:
    """Give the bids for the lot that lies under the hammer, the highest first."""
    return () if not scene.position.get("auction") else _rungs(list(since(scene, "AuctionOpened")))


def just_sold(scene: Scene) -> Sale | None:
    """Give the sale with which the last entry ended, until somebody acts again."""
    if scene.phase != "contracts" or scene.position.get("auction"):
        return None
    events = list(since(scene, "AuctionOpened"))
    sold = [place for place, one in enumerate(events) if one["event"] == "ContractSold"]
    if not sold or any(one["event"] not in ITS_OWN for one in events[sold[-1] :]):
        return None
    sale = events[sold[-1]]
    return Sale(sale["contract"], sale["player"], sale["paid"], _rungs(events))


def _rungs(events: list[Json]) -> tuple[Bid, ...]:
    """Give the last bids of an auction, the highest first."""
    opened = [Bid(one["player"], one["bid"]) for one in events if one["event"] == "AuctionOpened"]
    raised = [Bid(one["player"], one["amount"]) for one in events if one["event"] == "BidRaised"]
    return tuple([*opened, *raised][::-1][:MOST_RUNGS])
