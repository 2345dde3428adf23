"""The phase of hiring on a large screen: one wage track with everybody's marker, and the last move."""

from dataclasses import dataclass

from companion.engine.journal import Json
from companion.games.master_builder.face.lately import since
from companion.games.master_builder.face.scene import Scene

MOVES = ("WorkerHired", "WorkerFired")


@dataclass(frozen=True, slots=True)
class Marker:
    """A player's marker at ``wages`` dollars; ``level`` counts how many stand under it on the same stone."""

    player: str
    wages: int
    level: int


@dataclass(frozen=True, slots=True)
class Move:
    """The last hire or firing of this phase: whose, which worker, and his wages before and after, in dollars."""

    player: str
    worker: Json
    hired: bool
    before: int
    after: int


def markers(scene: Scene) -> tuple[Marker, ...]:
    """Give everybody's marker in turn order; those on one stone stand on each other."""
    found: list[Marker] = []
    for player, seen in scene.seated.items():
        wages = min(int(seen["wages"]), scene.limit)
        found.append(Marker(player, wages, sum(one.wages == wages for one in found)))
    return tuple(found)


def last_move(scene: Scene) -> Move | None:
    """Give the last hire or firing of this phase; ``None``: nobody has moved yet."""
    moves = [one for one in since(scene, "RoundBegan", "GameStarted", "GameTakenOver") if one["event"] in MOVES]
    if not moves or scene.phase != "hire":
        return None
    latest = moves[-1]
    player, hired = latest["player"], latest["event"] == "WorkerHired"
    worker = scene.worker(latest["worker"])
    after = int(scene.players[player]["wages"])
    cost = int(latest["wage"]) if hired else -int(worker["wage"])
    return Move(player, worker, hired, after - cost, after)
