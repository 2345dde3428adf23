"""Play many games with bots, and summarise them as figures, ready for JSON.

Game number n is shuffled by the seed plus n, and the strengths move on one place from game to game, so that every
strength sits everywhere equally often.  Results do not depend on the number of processes.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from random import Random
from statistics import fmean, median, quantiles
from typing import Any

from companion.bootstrap.games import find_games
from companion.bot_games.games import AS_PRINTED, GameResult, SeatResult, bots_of, play_game
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


# The figures of a tournament.


def summarize(outcome: TournamentResult) -> dict[str, Any]:
    """Return the figures of a tournament.  A shared victory counts as an equal part for each winner."""
    games = outcome.games
    places = range(len(games[0].seats))
    strengths = list(dict.fromkeys(seat.strength for seat in games[0].seats))
    return {
        "games": len(games),
        "players": len(places),
        "bots": {strength: _summarize_strength(games, strength) for strength in sorted(strengths)},
        "seats": [_summarize_place(games, place) for place in places],
        "rounds": round(fmean(game.rounds for game in games), 2),
        "refusals": sum(game.refusals for game in games),
        "seconds": round(outcome.seconds, 1),
        "games_per_second": round(len(games) / max(outcome.seconds, 1e-6), 1),
    }


def _summarize_strength(games: Sequence[GameResult], strength: str) -> dict[str, Any]:
    seats = [seat for game in games for seat in game.seats if seat.strength == strength]
    others = sorted({seat.strength for seat in games[0].seats} - {strength})
    return {
        "players": len(seats) // len(games),
        "wins": round(
            sum(_victory_share(game, seat) for game in games for seat in game.seats if seat.strength == strength), 1
        ),
        "win_rate": _mean(
            _victory_share(game, seat) for game in games for seat in game.seats if seat.strength == strength
        ),
        "ahead_of": {other: _rate_ahead(games, strength, other) for other in others},
        **{
            name: (_averages if number else _quartiles)([seat.figures[name] for seat in seats])
            for number, name in enumerate(seats[0].figures)
        },
    }


def _victory_share(game: GameResult, seat: SeatResult) -> float:
    return 1 / sum(other.rank == 1 for other in game.seats) if seat.rank == 1 else 0.0


def _rate_ahead(games: Sequence[GameResult], strength: str, other: str) -> float:
    """Return the share of pairs in which one strength ranked before another; equal ranks count half."""
    return _mean(
        1.0 if seat.rank < rival.rank else 0.5 * (seat.rank == rival.rank)
        for game in games
        for seat in game.seats
        for rival in game.seats
        if (seat.strength, rival.strength) == (strength, other)
    )


def _summarize_place(games: Sequence[GameResult], place: int) -> dict[str, Any]:
    """Return how often a place won, and by how many standard errors that differs from an equal share."""
    won = sum(_victory_share(game, game.seats[place]) for game in games) / len(games)
    even = 1 / len(games[0].seats)
    error = (even * (1 - even) / len(games)) ** 0.5
    return {"seat": place + 1, "win_rate": round(won, 4), "standard_errors": round((won - even) / error, 2)}


def _mean(parts: Iterable[float]) -> float:
    return round(fmean(parts), 4)


def _averages(numbers: Sequence[int]) -> dict[str, float]:
    return {"median": median(numbers), "mean": round(fmean(numbers), 2)}


def _quartiles(worths: Sequence[int]) -> dict[str, int]:
    low, middle, high = quantiles(worths, n=4, method="inclusive") if len(worths) > 1 else [worths[0]] * 3
    return {"min": min(worths), "q1": int(low), "median": int(middle), "q3": int(high), "max": max(worths)}
