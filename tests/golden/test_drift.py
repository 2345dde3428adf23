"""Today's rules answer every stored command as they did, and every move was offered when it was made."""

import copy
from collections.abc import Iterator

import pytest

from tests.cli.running import companion
from tests.golden.deciding import checked, differing
from tests.golden.make import MOST_BYTES, size
from tests.golden.report import final_position, final_position_of, flows
from tests.golden.stored import CATALOG_FILE, GoldenGame, Json, golden_games

GAMES = pytest.mark.parametrize("game", golden_games(), ids=lambda game: game.name)
HOW_TO_ACCEPT = "if this was wanted: python -m tests.golden.make --accept, then read the diff"


@GAMES
def test_no_command_leads_to_anything_else_than_it_did(game: GoldenGame) -> None:
    drift = checked(game).drift

    assert not drift, "\n".join([*drift, HOW_TO_ACCEPT])


@GAMES
def test_every_move_was_among_the_offers_of_its_moment(game: GoldenGame) -> None:
    assert checked(game).not_offered == ()


@GAMES
def test_a_game_ends_as_its_report_says(game: GoldenGame) -> None:
    table = checked(game).table
    report = game.report

    assert report["says"] == game.says
    assert report["entries"] == len(table.entries) == sum(1 for _ in game.entries())
    assert final_position(table) == report["position"]
    assert flows(table) == report["flows"]


@GAMES
def test_a_report_adds_up(game: GoldenGame) -> None:
    position, flowed = game.report["position"], game.report["flows"]
    cash = {player: state["cash"] for player, state in position["players"].items()}

    assert {player: sum(flowed[f"player:{player}"].values()) for player in cash} == cash
    assert sum(flowed["bank"].values()) == position["bank"]
    assert sum(cash.values()) + position["bank"] + position["on_contracts"] == position["money_in_play"] == 695_000


@GAMES
def test_a_report_tells_every_refusal_in_a_sentence(game: GoldenGame) -> None:
    refused = {str(line): answer for line, answer in game.answers.items() if "rule" in answer}

    assert game.report["refused"] == {
        line: f"{answer['rule']}: {answer['refused']}" for line, answer in refused.items()
    }
    assert all(answer["refused"].endswith((".", "!", "?")) and " " in answer["refused"] for answer in refused.values())


def test_golden_games_stay_small() -> None:
    assert size() <= MOST_BYTES


# --------------------------------------------------------------------------- the test of the test
def test_an_event_that_would_differ_is_named_with_its_line() -> None:
    answers = _answers("six_rounds_2_players")
    line, event = next((line, event) for line, event in _events(answers) if event["event"] == "BidderLeft")
    event["forced"] = not event["forced"]

    (only,) = differing(GoldenGame("six_rounds_2_players"), answers).drift

    assert only.startswith(f"six_rounds_2_players.jsonl:{line}: ")
    assert "was BidderLeft(" in only
    assert ", would be BidderLeft(" in only


def test_a_refusal_that_would_differ_is_named_with_its_line() -> None:
    game = next(game for game in golden_games() if game.report["refused"])
    answers = _answers(game.name)
    line = next(line for line, answer in answers.items() if "rule" in answer)
    answers[line]["refused"] = "Because I say so."

    (only,) = differing(game, answers).drift

    assert only.startswith(f"{game.name}.jsonl:{line}: ")
    assert "Because I say so." in only


def test_what_was_refused_and_is_not_any_more_leaves_the_table_as_it_was() -> None:
    answers = _answers("six_rounds_2_players")
    line = next(line for line, event in _events(answers) if event["event"] == "WorkerHired")
    answers = {at: answer for at, answer in answers.items() if at < line}
    answers[line] = {"line": line, "refused": "No.", "rule": "no"}

    checked_again = differing(GoldenGame("six_rounds_2_players"), answers)

    (only,) = checked_again.drift
    assert only.startswith(
        f"six_rounds_2_players.jsonl:{line}: hire_worker was refused by no (No.), would be WorkerHired"
    )
    assert len(checked_again.table.entries) == sum(1 for answer in answers.values() if "events" in answer)


def _answers(name: str) -> dict[int, Json]:
    """A game's answers, to be changed."""
    return copy.deepcopy(GoldenGame(name).answers)


def _events(answers: dict[int, Json]) -> Iterator[tuple[int, Json]]:
    """Every event with the line that led to it."""
    return ((line, event) for line, answer in answers.items() for event in answer.get("events", ()))


def test_companion_play_says_the_same() -> None:
    game = GoldenGame("told_round_1_in_a_tangle")

    ended = companion("play", game.play_file, "--catalog", CATALOG_FILE)

    *answers, last = ended.json
    assert ended.code == 0
    assert {answer["line"]: answer for answer in answers} == game.answers
    assert final_position_of(last["position"]) == game.report["position"]
