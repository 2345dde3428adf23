"""What everybody was worth after each round, as the journal tells it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.engine.explanation import Explainer
from companion.engine.game import Position
from companion.engine.timeline import fold
from companion.service.standing import standing
from companion.service.table import Table

BEGINNING = 0
"""The number under which the position is told with which the game began."""


@dataclass(frozen=True, slots=True)
class RoundWorth:
    """Worth in dollars by player at the end of a round; of the round that is being played, as it stands now."""

    round: int
    worth: Mapping[str, int]


def worth_over_rounds(table: Table, viewer: str) -> tuple[RoundWorth, ...]:
    """Give everybody's worth at the start and after each round, in turn order; what was undone does not count.

    Whose money the rules keep from this viewer now is left out.  Empty before the start, and where a game
    does not say what its players are worth.
    """
    edition = table.edition
    explainer, now = edition.explainer, table.position
    if explainer is None or now is None:
        return ()
    shown = [player for player in edition.game.players(now) if _open(explainer, now, f"worth:{player}", viewer)]
    return tuple(
        RoundWorth(number, {player: explainer.figure(position, f"worth:{player}") for player in shown})
        for number, position in _ends(table)
    )


def _open(explainer: Explainer, now: Position[Any], account: str, viewer: str) -> bool:
    return explainer.has(now, account) and not explainer.hides(now, account, viewer)


def _ends(table: Table) -> list[tuple[int, Position[Any]]]:
    """Give the first position, and the last one of every round."""
    edition, position, last = table.edition, None, dict[int, Position[Any]]()
    for entry in standing(table.entries):
        for stored in entry.events:
            position = fold(edition.game, position, (edition.codec.event(stored),))
            if position is None:
                continue
            last.setdefault(BEGINNING, position)
            last[edition.round_of(position.state)] = position
    return list(last.items())


def as_json(rounds: tuple[RoundWorth, ...]) -> dict[str, Any]:
    """Write them for programs."""
    return {"rounds": [{"round": one.round, "worth": dict(one.worth)} for one in rounds]}
