"""``companion tournament``: who wins, from which seat, with how much."""

import json

import pytest

from companion.bot_games.games import GameResult, SeatResult, TournamentResult, summarize
from tests.cli.conftest import Run
from tests.cli.running import only_line

QUICK = ("--bots", "middle,random", "--players", "2")


def test_the_figures_name_bots_seats_worths_and_how_fast_it_went(run: Run) -> None:
    result = run("tournament", "--games", "4", *QUICK, "--json").json[0]

    assert (result["games"], result["players"], result["refusals"]) == (4, 2, 0)
    assert set(result["bots"]) == {"middle", "random"}
    assert sum(bot["wins"] for bot in result["bots"].values()) == pytest.approx(4)
    assert sum(seat["win_rate"] for seat in result["seats"]) == pytest.approx(1)
    middle = result["bots"]["middle"]
    assert list(middle["worth"]) == ["min", "q1", "median", "q3", "max"]
    assert list(middle["worth"].values()) == sorted(middle["worth"].values())
    assert middle["ahead_of"]["random"] == 1 - result["bots"]["random"]["ahead_of"]["middle"]
    assert {"mean", "median"} == set(middle["completed"]) == set(middle["loans"])
    assert result["games_per_second"] > 0


@pytest.mark.nightly
def test_the_same_seed_gives_the_same_figures_however_many_share_the_work(run: Run) -> None:
    def figures(*more: str) -> str:
        result = run("tournament", "--games", "11", *QUICK, "--rules", "random", "--json", *more).json[0]
        return json.dumps({key: result[key] for key in result if key not in {"seconds", "games_per_second"}})

    alone = figures("--seed", "7")
    assert alone == figures("--seed", "7", "--jobs", "2")
    assert alone != figures("--seed", "8")


def test_people_read_a_table(run: Run) -> None:
    result = run("tournament", "--games", "1", "--bots", "random", "--rules", "plans=open,additional_events")

    assert result.out[0].startswith("1 game of 3 players in ")
    assert result.out[3].startswith("random ")
    assert result.out[3].count("$") == 5
    assert [line.split()[0] for line in result.out[-3:]] == ["1", "2", "3"]


def test_every_row_stands_below_its_headings_however_long_the_names_are(run: Run) -> None:
    playing = ("--game", "men_at_work", "--games", "2", "--players", "3", "--bots", "steady,trembling,middle")
    _, _, headings, *rows = run("tournament", *playing).out

    column = headings.index("ahead of")
    assert all(row[column - 2 : column] == "  " and row[column] != " " for row in rows[:3])
    assert len({row.rindex("%", 0, column) for row in rows[:3]}) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--bots", "clever"], "no bot plays 'clever': choose from random, middle, strong"),
        (["--bots", "random,random,random", "--players", "2"], "3 bots for 2 players: name fewer"),
        (["--rules", "loans=never"], "never"),
        (["--rules", "thunder"], "thunder"),
        (["--players", "6"], "Master Builder is for 2 to 4 players"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_line(run: Run, arguments: list[str], words: str) -> None:
    assert words in only_line(run("tournament", *arguments))


def test_a_shared_victory_counts_half_for_each() -> None:
    seats = tuple(SeatResult(place, "strong", 1, {"worth": 50_000, "completed": 2, "loans": 0}) for place in range(2))

    result = summarize(TournamentResult((GameResult(seats, 6, 80, 0),), 0.0))

    assert [seat["win_rate"] for seat in result["seats"]] == [0.5, 0.5]
    assert result["bots"]["strong"]["win_rate"] == 0.5
    assert result["bots"]["strong"]["players"] == 2


def test_whoever_plays_alone_wins_by_no_chance() -> None:
    games = tuple(GameResult((SeatResult(0, "middle", 1, {"worth": worth}),), 3, 9, 0) for worth in (4, 6))
    seats = summarize(TournamentResult(games, 1.0))["seats"]
    assert seats == [{"seat": 1, "win_rate": 1.0, "standard_errors": 0.0}]
