"""Play many games with bots.

Game number n is shuffled by the seed plus n, and the strengths move on one place from game to game, so that every
strength sits everywhere equally often.  Results do not depend on the number of processes.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from random import Random
from typing import Any

from companion.bootstrap.games import find_games
from companion.bot_games.games import AS_PRINTED, GameResult, bots_of, play_game
from companion.game_api.capabilities import Rulebook

CHUNK = 10
"""Games that a process plays at a time."""


@dataclass(frozen=True)
class Tournament:
    """The games to play; ``strengths``: one a player; ``rules``: ``None`` draws rules and variants for each game."""

    game: str
    catalog: Any
    strengths: tuple[str, ...]
    games: int
    seed: int = 1
    rules: "Rulebook | None" = field(default_factory=lambda: AS_PRINTED)


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """All games in order, and how long they took (wall time)."""

    games: tuple[GameResult, ...]
    seconds: float


def run_tournament(
    tournament: Tournament, jobs: int = 1, report: Callable[[int], object] = lambda _played: None
) -> TournamentResult:
    """Play all games and return their results.

    Args:
        tournament: what is played.
        jobs: the number of processes.
        report: called with the number of games played so far.

    """
    started = time.monotonic()
    games: list[GameResult] = []
    if jobs == 1:
        for game in _play_numbers(tournament, range(tournament.games)):
            games.append(game)
            report(len(games))
    else:
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            for part in pool.map(_part, [(tournament, numbers) for numbers in _chunks(tournament.games)]):
                games += part
                report(len(games))
    return TournamentResult(tuple(games), time.monotonic() - started)


def _chunks(games: int) -> Iterator[range]:
    for first in range(0, games, CHUNK):
        yield range(first, min(games, first + CHUNK))


def _part(task: tuple[Tournament, range]) -> tuple[GameResult, ...]:
    return tuple(_play_numbers(*task))


def _play_numbers(tournament: Tournament, numbers: Sequence[int]) -> Iterator[GameResult]:
    manifest = find_games().manifests[tournament.game]
    bots = bots_of(manifest)
    for number in numbers:
        seed = tournament.seed + number
        shift = number % len(tournament.strengths)
        strengths = tournament.strengths[shift:] + tournament.strengths[:shift]
        chance = Random(seed)  # noqa: S311 - can be repeated, no secret
        rules = bots.drawn_rulebook(chance) if tournament.rules is None else tournament.rules
        yield play_game(manifest, tournament.catalog, seed, strengths, rules)
