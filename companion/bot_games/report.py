"""What a tournament showed, as figures that could be written as JSON."""

from collections.abc import Iterable, Sequence
from statistics import fmean, median, quantiles
from typing import Any

from companion.bot_games.games import GameResult, SeatResult
from companion.bot_games.tournament import TournamentResult


def summarize(outcome: TournamentResult) -> dict[str, Any]:
    """Sum a tournament up.  A shared victory counts as a part for each who shares it."""
    games = outcome.games
    places = range(len(games[0].seats))
    strengths = list(dict.fromkeys(seat.strength for seat in games[0].seats))
    return {
        "games": len(games),
        "players": len(places),
        "bots": {strength: _of_strength(games, strength) for strength in sorted(strengths)},
        "seats": [_of_place(games, place) for place in places],
        "rounds": round(fmean(game.rounds for game in games), 2),
        "refusals": sum(game.refusals for game in games),
        "seconds": round(outcome.seconds, 1),
        "games_per_second": round(len(games) / max(outcome.seconds, 1e-6), 1),
    }


def _of_strength(games: Sequence[GameResult], strength: str) -> dict[str, Any]:
    seats = [seat for game in games for seat in game.seats if seat.strength == strength]
    others = sorted({seat.strength for seat in games[0].seats} - {strength})
    return {
        "players": len(seats) // len(games),
        "wins": round(sum(_won(game, seat) for game in games for seat in game.seats if seat.strength == strength), 1),
        "win_rate": _share(_won(game, seat) for game in games for seat in game.seats if seat.strength == strength),
        "ahead_of": {other: _ahead(games, strength, other) for other in others},
        **{
            name: (_middle if number else _distribution)([seat.figures[name] for seat in seats])
            for number, name in enumerate(seats[0].figures)
        },
    }


def _won(game: GameResult, seat: SeatResult) -> float:
    return 1 / sum(other.rank == 1 for other in game.seats) if seat.rank == 1 else 0.0


def _ahead(games: Sequence[GameResult], strength: str, other: str) -> float:
    """Say in which share of their meetings one strength ended before another; equal worth counts half."""
    return _share(
        1.0 if one.rank < two.rank else 0.5 * (one.rank == two.rank)
        for game in games
        for one in game.seats
        for two in game.seats
        if (one.strength, two.strength) == (strength, other)
    )


def _of_place(games: Sequence[GameResult], place: int) -> dict[str, Any]:
    """Say how often a place won, and by how many standard errors that is off its even share."""
    won = sum(_won(game, game.seats[place]) for game in games) / len(games)
    even = 1 / len(games[0].seats)
    error = (even * (1 - even) / len(games)) ** 0.5
    return {"seat": place + 1, "win_rate": round(won, 4), "standard_errors": round((won - even) / error, 2)}


def _share(parts: Iterable[float]) -> float:
    return round(fmean(parts), 4)


def _middle(numbers: Sequence[int]) -> dict[str, float]:
    return {"median": median(numbers), "mean": round(fmean(numbers), 2)}


def _distribution(worths: Sequence[int]) -> dict[str, int]:
    low, middle, high = quantiles(worths, n=4, method="inclusive") if len(worths) > 1 else [worths[0]] * 3
    return {"min": min(worths), "q1": int(low), "median": int(middle), "q3": int(high), "max": max(worths)}
