"""Worth of every player after each round, computed from the journal."""

from collections.abc import Sequence
from typing import Any

from companion.engine.explanation import Explainer
from companion.engine.game import BANKER, Position
from companion.engine.timeline import fold
from companion.game_api.stage import RoundWorth
from companion.service.table.table import Table

BEGINNING = 0
"""The number under which the position is told with which the game began."""
MOST_PARTS = 24
"""So many equal parts of the evening are told at most where a game has no rounds."""


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


def scores_over_evening(table: Table) -> tuple[RoundWorth, ...]:
    """Return everybody's deciding figure over the rounds, or over parts of the evening in a game without rounds.

    Empty before the end, where all is open, and in games that do not say how they would score.
    """
    game, now = table.game, table.position
    if game.can.scores is None or now is None or not game.rules.overview(now).finished:
        return ()
    players, scores = game.rules.players(now), game.can.scores
    samples: list[RoundWorth] = []
    for number, position in _ends(table) or _parts(table):
        # Nothing is secret once the game is over.
        figures = {row.player: row.figures[0][1] for row in scores(position, BANKER) if row.figures}
        if set(figures) == set(players):
            samples.append(RoundWorth(number, {player: figures[player] for player in players}))
    return tuple(samples)


def _parts(table: Table) -> list[tuple[int, Position[Any]]]:
    """Return the first position, and the last one of each of some equal parts of the evening."""
    positions = [entry.after for entry in table.history.standing()]
    parts = min(MOST_PARTS, len(positions) - 1)
    return [(number, positions[number * (len(positions) - 1) // parts]) for number in range(parts + 1)] if parts else []


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


def as_json(rounds: Sequence[RoundWorth]) -> dict[str, Any]:
    """Write them for programs."""
    return {"rounds": [{"round": worth.round, "worth": dict(worth.worth)} for worth in rounds]}
