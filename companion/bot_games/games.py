"""Play whole games with bots, without a table service, as fast as the rules decide."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.bootstrap.games import load_game
from companion.bot_games.random_bots import CATALOG, RandomBots
from companion.engine.game import Position, Refused
from companion.engine.timeline import decide_and_settle
from companion.game_api.capabilities import Bots, Rulebook
from companion.game_api.manifest import Manifest

AS_PRINTED: Rulebook = {}


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One player's result: ``place`` counts clockwise from the first start player (0); ``figures`` are the game's."""

    place: int
    strength: str
    rank: int
    figures: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class GameResult:
    """A finished game; ``refusals`` should be 0, because bots choose only among offers."""

    seats: tuple[SeatResult, ...]
    rounds: int
    commands: int
    refusals: int


def bots_of(manifest: Manifest) -> Bots:
    """Return the bots of a game; where it brings none, those that play any game by its offers."""
    return RandomBots(manifest) if manifest.bots is None else manifest.bots()


def play_game(
    manifest: Manifest,
    catalog: Any,
    seed: int,
    strengths: Sequence[str],
    rules: Rulebook = AS_PRINTED,
    watch: Callable[[Position[Any]], None] = lambda _: None,
) -> GameResult:
    """Play a game to its end and return its result; the same seed gives the same game.

    Args:
        manifest: the game.
        catalog: its cards.
        seed: of shuffles and random decisions.
        strengths: of the bots, by place.
        rules: house rules and variants.
        watch: called with every position.

    """
    chance = random.Random(seed)  # noqa: S311 - a game that can be repeated, no secret
    bots = bots_of(manifest)
    opened = load_game(manifest, {CATALOG: catalog})
    beginning = {**bots.beginning(len(strengths)), **rules, "catalog": CATALOG}
    piles = bots.shuffled(catalog, seed)
    _, position = decide_and_settle(opened.rules, None, opened.codec.command(beginning))
    ids = opened.rules.overview(position).seats
    playing = dict(zip(ids, strengths, strict=True))
    commands = refusals = 0
    watch(position)
    while (act := bots.next_act(position, piles, playing, chance.randrange)) is not None:
        try:
            _, position = decide_and_settle(opened.rules, position, act.command)
        except Refused:
            refusals += 1
            playing = dict.fromkeys(
                ids, bots.strengths[0]
            )  # the simplest bots end the game, whatever misled the others
            continue
        commands += 1
        watch(position)
    overview = opened.rules.overview(position)
    ranks = {line.player: line.rank for line in overview.standings}
    seats = tuple(
        SeatResult(place, strength, ranks[player], bots.figures(position, player))
        for place, (player, strength) in enumerate(zip(ids, strengths, strict=True))
    )
    return GameResult(seats, overview.round or 1, commands, refusals)
