"""Whole games of bots without a table service: as fast as the rules can be asked."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.bootstrap.games import load_game
from companion.engine.errors import Refused
from companion.engine.game import Position
from companion.engine.timeline import answer
from companion.game_api.capabilities import Rulebook, Simulates
from companion.game_api.manifest import Manifest

CATALOG = "box"
AS_PRINTED: Rulebook = {}


class NoBots(Exception):  # noqa: N818 - told to whoever asked for them
    """Nobody plays this game by himself."""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How one player ended: ``place`` counts from 0 for the first start player clockwise; figures are the game's."""

    place: int
    strength: str
    rank: int
    figures: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class GameResult:
    """A game that is over; ``refusals`` should be none: bots take only what is offered."""

    seats: tuple[SeatResult, ...]
    rounds: int
    commands: int
    refusals: int


def require_bots(manifest: Manifest) -> Simulates:
    """Return the bots of a game; ``NoBots`` where it has none."""
    if manifest.simulates is None:
        raise NoBots(f"{manifest.title} has no bots")
    return manifest.simulates()


def play_game(
    manifest: Manifest,
    catalog: Any,
    seed: int,
    strengths: Sequence[str],
    rules: Rulebook = AS_PRINTED,
    watch: Callable[[Position[Any]], None] = lambda _: None,
) -> GameResult:
    """Play a game to its end; ``strengths`` by place, ``watch`` is shown every position.

    The same seed shuffles the same piles and draws the same lots.
    """
    lots = random.Random(seed)  # noqa: S311 - a game that can be repeated, no secret
    bots = require_bots(manifest)
    opened = load_game(manifest, {CATALOG: catalog})
    beginning = {**bots.beginning(len(strengths)), **rules, "catalog": CATALOG}
    piles = bots.shuffled(catalog, seed)
    _, position = answer(opened.game, None, opened.codec.command(beginning))
    ids = opened.game.overview(position).seats
    playing = dict(zip(ids, strengths, strict=True))
    commands = refusals = 0
    watch(position)
    while (act := bots.next_act(position, piles, playing, lots.randrange)) is not None:
        try:
            _, position = answer(opened.game, position, act.command)
        except Refused:
            refusals += 1
            playing = dict.fromkeys(ids, bots.strengths[0])  # whatever misled a bot, let the game come to its end
            continue
        commands += 1
        watch(position)
    ended = opened.game.overview(position)
    ranks = {line.player: line.rank for line in ended.standings}
    seats = tuple(
        SeatResult(place, strength, ranks[player], bots.figures(position, player))
        for place, (player, strength) in enumerate(zip(ids, strengths, strict=True))
    )
    return GameResult(seats, ended.round or 1, commands, refusals)
