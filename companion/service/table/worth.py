"""Worth of every player after each round, computed from the journal."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.engine.explanation import Explainer
from companion.engine.game import Position
from companion.engine.timeline import fold
from companion.service.table.table import Table

BEGINNING = 0
"""The number under which the position is told with which the game began."""


@dataclass(frozen=True, slots=True)
class RoundWorth:
    """Worth in dollars by player at the end of a round; of the round that is being played, as it stands now."""

    round: int
    worth: Mapping[str, int]


def worth_over_rounds(table: Table, viewer: str) -> tuple[RoundWorth, ...]:
    """Return everybody's worth at the start and after each round, in turn order; what was undone does not count.

    Whose money the rules keep from this viewer now is left out.  Empty before the start, and where a game
    has no rounds or does not say what its players are worth.
    """
    game = table.game
    explainer, now = game.can.explainer, table.position
    if explainer is None or now is None:
        return ()
    shown = [player for player in game.rules.players(now) if _open(explainer, now, f"worth:{player}", viewer)]
    return tuple(
        RoundWorth(number, {player: explainer.figure(position, f"worth:{player}") for player in shown})
        for number, position in _ends(table)
    )


def worth_now(table: Table, viewer: str) -> dict[str, int]:
    """Return the worth of each player in dollars, in turn order, without players whose money is hidden."""
    explainer, now = table.game.can.explainer, table.position
    if explainer is None or now is None:
        return {}
    accounts = {player: f"worth:{player}" for player in table.game.rules.players(now)}
    return {
        player: explainer.figure(now, account)
        for player, account in accounts.items()
        if _open(explainer, now, account, viewer)
    }


def _open(explainer: Explainer, now: Position[Any], account: str, viewer: str) -> bool:
    return explainer.has(now, account) and not explainer.hides(now, account, viewer)


def _ends(table: Table) -> list[tuple[int, Position[Any]]]:
    """Return the first position, and the last one of every round.

    A round may end in the midst of an entry, whose events lead on into the next one: only such an entry is looked
    into event by event.
    """
    game, last = table.game.rules, dict[int, Position[Any]]()
    begun: int | None = None
    for entry in table.history.standing():
        now = game.overview(entry.after).round
        passed = [entry.after] if begun == now else _through(table, entry.before, entry.game_events)
        for position in passed:
            number = now if position is entry.after else game.overview(position).round
            if number is not None:
                last.setdefault(BEGINNING, position)
                last[number] = position
        begun = now
    return list(last.items())


def _through(table: Table, before: Position[Any] | None, events: tuple[Any, ...]) -> list[Position[Any]]:
    passed: list[Position[Any]] = []
    for event in events:
        before = fold(table.game.rules, before, (event,))
        if before is not None:
            passed.append(before)
    return passed


def as_json(rounds: tuple[RoundWorth, ...]) -> dict[str, Any]:
    """Write them for programs."""
    return {"rounds": [{"round": worth.round, "worth": dict(worth.worth)} for worth in rounds]}
