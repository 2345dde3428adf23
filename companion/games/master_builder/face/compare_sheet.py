"""The books beside what the table holds: everybody's money as counted, and the cards on the mat."""

from dataclasses import dataclass

from companion.games.master_builder.face.scene import Scene
from companion.service.table.listing import as_it_stands

COUNTED = "CashCounted"


@dataclass(frozen=True, slots=True)
class Purse:
    """A player's money: ``booked`` in the books, and the latest count of it, ``None`` where it is out of date.

    ``more``: counted less booked.  ``time``: when it was counted, in words.
    """

    player: str
    booked: int
    counted: int | None = None
    more: int = 0
    time: str = ""


def purses(scene: Scene) -> list[Purse]:
    """Give a row for each player; a count holds as long as the books say of him what they said then."""
    counts = {}
    for entry in scene.entries:
        event = next(iter(as_it_stands(entry)["events"]), None)
        if event is not None and event["event"] == COUNTED and not entry.get("undone"):
            counts[event["player"]] = (event, scene.words.moment(str(entry["at"])))
    found = []
    for player, seen in scene.players.items():
        event, time = counts.get(player, (None, ""))
        if event is not None and event["booked"] == seen["cash"]:
            found.append(Purse(player, seen["cash"], event["counted"], event["difference"], time))
        else:
            found.append(Purse(player, seen["cash"]))
    return found
