"""Worth over the rounds, laid out as a chart: where lines, markers and figures stand in the drawing.

Lengths are the drawing's own units; figures are thousands of dollars, and the words say so.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from companion.service.table.worth import BEGINNING, RoundWorth

WIDTH, HEIGHT = 400, 330
LEFT, RIGHT, TOP, BOTTOM = 58, 298, 16, 292
LABEL_APART = 31
STEPS = (10_000, 20_000, 50_000, 100_000, 200_000, 500_000)
MOST_LINES = 6


@dataclass(frozen=True, slots=True)
class Curve:
    """One player's line: its points, where its label stands, and what he is worth at its end, in thousands."""

    player: str
    points: tuple[tuple[float, float], ...]
    label_y: float
    thousands: int

    @property
    def path(self) -> str:
        """The points as the drawing wants them."""
        return " ".join(f"{x},{y}" for x, y in self.points)


@dataclass(frozen=True, slots=True)
class WorthChart:
    """Everything that is drawn: ``levels`` and ``rounds`` are positions with their figure (round 0: the start)."""

    curves: tuple[Curve, ...]
    levels: tuple[tuple[float, int], ...]
    rounds: tuple[tuple[float, int], ...]
    table: tuple[RoundWorth, ...]

    width = WIDTH
    height = HEIGHT
    left = LEFT
    right = RIGHT
    bottom = BOTTOM
    beginning = BEGINNING


def worth_chart(rounds: Sequence[RoundWorth]) -> WorthChart | None:
    """Lay the chart out; ``None`` where there is no line to draw yet, for want of a second point or of players."""
    if len(rounds) < 2 or not rounds[0].worth:  # noqa: PLR2004 - a line has two ends
        return None
    amounts = [amount for worth in rounds for amount in worth.worth.values()]
    levels = _levels(min(0, *amounts), max(0, *amounts))
    low, high = levels[0], levels[-1]

    def across(number: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * number / (len(rounds) - 1), 1)

    def upwards(amount: int) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * (amount - low) / (high - low), 1)

    ends = {player: upwards(amount) for player, amount in rounds[-1].worth.items()}
    labels = _apart(ends)
    curves = tuple(
        Curve(
            player,
            tuple((across(number), upwards(worth.worth[player])) for number, worth in enumerate(rounds)),
            labels[player],
            rounds[-1].worth[player] // 1000,
        )
        for player in ends
    )
    return WorthChart(
        curves,
        tuple((upwards(level), level // 1000) for level in levels),
        tuple((across(number), worth.round) for number, worth in enumerate(rounds)),
        tuple(rounds),
    )


def _levels(least: int, most: int) -> range:
    """Choose round amounts, a few, between which all others lie."""
    for step in STEPS:
        low, high = least // step * step, -(-max(most, step) // step) * step
        if (high - low) // step < MOST_LINES:
            return range(low, high + 1, step)
    return range(least // STEPS[-1] * STEPS[-1], most + STEPS[-1], STEPS[-1])


def _apart(ends: dict[str, float]) -> dict[str, float]:
    """Move the labels at the lines' ends so far apart that none lies on another, and all stay in the drawing."""
    places = dict(sorted(ends.items(), key=lambda end: end[1]))
    for above, below in pairwise(places):
        places[below] = max(places[below], places[above] + LABEL_APART)
    lowest = float(BOTTOM)
    for player in reversed(places):
        places[player] = min(places[player], lowest)
        lowest = places[player] - LABEL_APART
    return {player: round(at, 1) for player, at in places.items()}
