"""Summarise a tournament as figures, ready for JSON."""

from collections.abc import Iterable, Sequence
from statistics import fmean, median, quantiles
from typing import Any

from companion.bot_games.games import GameResult, SeatResult
from companion.bot_games.tournament import TournamentResult


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
