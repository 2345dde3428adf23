"""How an evening went: its story as pages and picture show it, and worth over the rounds as a chart.

Lengths of the chart and of the picture are the drawing's own units.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count, pairwise
from typing import Any

from companion.game_api.manifest import LoadedGame
from companion.game_api.stage import Ending, RoundWorth
from companion.game_api.ui import TableView
from companion.service.table.history import amendable, effective_json
from companion.service.table.past import BEGINNING

WIDTH, HEIGHT = 400, 330
LEFT, RIGHT, TOP, BOTTOM = 58, 298, 16, 292
LABEL_APART = 31
THOUSAND = 1000
STEPS = (5, 10, 20)
"""Between two levels, in the chart's unit, or in tens, hundreds and so on of it."""
MOST_LINES = 6


@dataclass(frozen=True, slots=True)
class Curve:
    """A player's line: its points, where its label stands, and what they are worth at its end, in the chart's unit."""

    player: str
    points: tuple[tuple[float, float], ...]
    label_y: float
    amount: int

    @property
    def path(self) -> str:
        """The points as the drawing wants them."""
        return " ".join(f"{x},{y}" for x, y in self.points)


@dataclass(frozen=True, slots=True)
class WorthChart:
    """Everything that is drawn: ``levels`` and ``rounds`` are positions with their figure (round 0: the start).

    ``figure`` names what is drawn where it is no worth in dollars, and ``key`` is its name in the game; without
    ``has_rounds`` only start and end are named.
    """

    curves: tuple[Curve, ...]
    levels: tuple[tuple[float, int], ...]
    rounds: tuple[tuple[float, int], ...]
    table: tuple[RoundWorth, ...]
    figure: str = ""
    has_rounds: bool = True
    key: str = ""

    width = WIDTH
    height = HEIGHT
    left = LEFT
    right = RIGHT
    bottom = BOTTOM
    beginning = BEGINNING


def worth_chart(
    rounds: Sequence[RoundWorth], figure: str = "", *, has_rounds: bool = True, key: str = ""
) -> WorthChart | None:
    """Lay the chart out; ``None`` where there is no line to draw yet, for want of a second point or of players.

    Args:
        rounds: What is drawn, in dollars, or in whatever ``figure`` names.
        figure: What is drawn, in words; without it thousands of dollars.
        has_rounds: Whether rounds are numbered by the game.
        key: The figure's name in the game, by which it is written.

    """
    unit = 1 if figure else THOUSAND
    if len(rounds) < 2 or not rounds[0].worth:  # noqa: PLR2004 - a line has two ends
        return None
    amounts = [amount for worth in rounds for amount in worth.worth.values()]
    levels = _levels(min(0, *amounts), max(0, *amounts), unit)
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
            rounds[-1].worth[player] // unit,
        )
        for player in ends
    )
    return WorthChart(
        curves,
        tuple((upwards(level), level // unit) for level in levels),
        tuple((across(number), worth.round) for number, worth in enumerate(rounds)),
        tuple(rounds),
        figure,
        has_rounds,
        key,
    )


def _levels(least: int, most: int, unit: int) -> range:
    """Choose round amounts, at most six, between which all others lie."""
    steps = (step * unit * 10**size for size in count() for step in STEPS)
    scales = ((least // step * step, -(-max(most, step) // step) * step, step) for step in steps)
    low, high, step = next(scale for scale in scales if (scale[1] - scale[0]) // scale[2] < MOST_LINES)
    return range(low, high + 1, step)


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


# The story of an evening.

LONGEST_PAUSE = 30 * 60
"""Seconds between two acts; longer ones are breaks, and no play."""
MOST_ON_SCREEN = 3
"""Turning points that the big screen and the picture have room for: the last ones, which decided more."""


def ending(game: LoadedGame, scene: TableView, worths: Sequence[RoundWorth]) -> Ending | None:
    """Return the story of a game that is over; before the end ``None``."""
    if not scene.overview.finished:
        return None
    minutes = minutes_played(scene.entries)
    took = (scene.words.duration(minutes),) if minutes else ()
    story_end: Ending | None = None
    if (story := game.part("story")) is not None:
        events = [event for entry in scene.entries if amendable(entry) for event in effective_json(entry)["events"]]
        story_end = story.ending(scene, events, worths)
    if story_end is None:
        rounds = scene.overview.round
        story_end = Ending(facts=(scene.words.several("{count} round", "{count} rounds", rounds),) if rounds else ())
    return replace(story_end, facts=story_end.facts + took)


def results(scene: TableView, story_end: Ending | None) -> dict[str, str]:
    """Return what each player ended with, in words: the game's, or the deciding figure of the standings."""
    own: Mapping[str, str] = {} if story_end is None else story_end.results
    standings = scene.overview.standings
    figures = {place.player: figure_in_words(scene, *place.figures[0]) for place in standings if place.figures}
    return {place.player: own.get(place.player, figures.get(place.player, "")) for place in standings}


def figure_in_words(scene: TableView, name: str, value: Any) -> str:
    """Return a figure of the standings as the game writes it: money with its sign, any other as it is."""
    return scene.words.described_figure(name, value, scene.names, scene.catalog) or str(value)


def minutes_played(entries: Sequence[Mapping[str, Any]]) -> int:
    """Return how long the table was at it; breaks between two acts, and clocks that were set back, do not count."""
    moments = [datetime.fromisoformat(str(entry["at"])) for entry in entries]
    gaps = [(after - before).total_seconds() for before, after in pairwise(moments)]
    return round(sum(gap for gap in gaps if 0 < gap <= LONGEST_PAUSE) / 60)


# The picture to send: where the standings lie in its 1200 by 1200 units, and how wide its lettering runs, before any
# browser has drawn it.

SIDE, EDGE, LINE = 1200, 56, 72
GROUND, STANDINGS_TOP = 650, 1028


@dataclass(frozen=True, slots=True)
class StandingsPlace:
    """Where a player's line of the standing is: its left end, its top, and how much room it has."""

    x: float
    y: float
    room: float


def standings_places(players: int) -> tuple[StandingsPlace, ...]:
    """Lay out the standing: up to four beside each other, more in two lines."""
    across = players if players <= 4 else -(-players // 2)  # noqa: PLR2004 - as many as have room
    room = (SIDE - 2 * EDGE) / across
    return tuple(
        StandingsPlace(EDGE + number % across * room, STANDINGS_TOP + number // across * LINE, room)
        for number in range(players)
    )


NARROW, MIDDLE, WIDE = 0.36, 0.6, 0.92
"""Widths in ems, on the safe side of the faces that tokens.css asks for."""
VOICE = 1.17
"""How much wider the bold face of names and titles runs."""
SQUEEZED = 1.14
"""A line that is too long by less than this is written smaller before it is broken."""
SLIM = frozenset("iIjlt.,:;'\u2019|!()[]-\u2010 \u00a0\u202f")
BROAD = frozenset("mMwWÆŒæœ%@—")
LEAST = 0.5
"""No line is drawn smaller than this part of its size; what is still too long ends in dots."""


def width(text: str, size: float) -> float:
    """Return how wide a text is at most, in the units of ``size``."""
    return size * sum(_width(letter) for letter in text)


def _width(letter: str) -> float:
    if letter in SLIM:
        return NARROW
    if letter in BROAD or ord(letter) >= 0x2E80:  # noqa: PLR2004 - from there on letters are as wide as high
        return WIDE if letter in BROAD else 1.0
    return MIDDLE + 0.1 if letter.isupper() else MIDDLE


def fit_text(text: str, size: float, room: float) -> tuple[str, float]:
    """Return a text and the size at which it has room on one line."""
    wide = width(text, size)
    if wide <= room:
        return text, size
    small = max(size * LEAST, size * room / wide)
    while width(text, small) > room and len(text) > 1:
        text = text[:-2].rstrip() + "…"
    return text, round(small, 1)


def lines(text: str, size: float, room: float) -> tuple[tuple[str, ...], float]:
    """Break a sentence, or a name, onto one line or two, and return the size at which both fit."""
    if width(text, size) <= room * SQUEEZED:
        return (text,), round(min(size, size * room / width(text, size)), 1)
    parts = re.findall(r"[^ -]+[ -]?", text)
    cuts = [("".join(parts[:cut]).strip(), "".join(parts[cut:])) for cut in range(1, len(parts))]
    if not cuts:
        whole, small = fit_text(text, size, room)
        return (whole,), small
    best = min(cuts, key=lambda cut: max(width(part, size) for part in cut))
    small = min(fit_text(part, size, room)[1] for part in best)
    return tuple(fit_text(part, small, room)[0] for part in best), small
