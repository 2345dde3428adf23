"""A game already begun at the table goes on here: through the interface."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.game_api.corrections import MOST_FAULTS
from companion.web.http.endpoint import MOST_COMMAND_BYTES

POSITION: dict[str, Any] = {
    "game": "master_builder",
    "round": 2,
    "phase": "hire",
    "start_player": "blue",
    "players": {
        "blue": {"cash": 31_000, "name": "Ada", "workers": ["W01"], "contracts": {"C08": ["wall-1", "gable-1"]}},
        "yellow": {"cash": 24_000, "name": "Ben", "workers": ["W02"]},
    },
}
TAKE_OVER = {"do": "take_over", "position": POSITION, "reason": "begun without the companion"}


def test_a_table_begins_with_a_position(banker: FlaskClient) -> None:
    answer = banker.post("/api/v1/tables", json=TAKE_OVER)
    assert (answer.status_code, answer.headers["ETag"]) == (201, '"1"')
    seen = banker.get(answer.headers["Location"]).json["position"]  # type: ignore[index]
    assert (seen["round"], seen["players"]["blue"]["cash"], seen["bank"]) == (2, 31_000, 640_000)


@pytest.mark.parametrize("body", ["[" * 200_000, '{"do": "take_over", "x": ' + "[" * 200_000, "{", "[]", '"\\ud800"'])
def test_nothing_follows_from_a_draft_that_is_no_position(banker: FlaskClient, body: str) -> None:
    answer = banker.post("/take-over/draft", data=body, content_type="application/json")
    assert (answer.status_code, answer.json) == (200, {})


def test_what_a_table_shows_begins_another_that_shows_the_same(banker: FlaskClient, table: str) -> None:
    position = banker.get(table).json["position"]  # type: ignore[index]
    other = banker.post("/api/v1/tables", json={"do": "take_over", "position": position}).headers["Location"]
    assert banker.get(other).json["position"] == position  # type: ignore[index]


def test_all_faults_are_told_in_the_readers_language(banker: FlaskClient) -> None:
    players = {**POSITION["players"], "yellow": {"cash": 1_500, "name": "Ben", "workers": ["W01"]}}
    answer = banker.post(
        "/api/v1/tables?lang=de", json={"do": "take_over", "position": {**POSITION, "players": players}}
    )
    assert answer.status_code == 422
    problem = answer.get_json()
    assert problem["rule"] == "position_faulty"
    assert problem["faults"] == [
        "W01 liegt an zwei Stellen: Ada und Ben.",
        "Ben kann nicht 1500 haben: ganze Tausender, null oder mehr.",
    ]
    assert [fault["rule"] for fault in problem["details"]["faults"]] == ["in_two_places", "cash_cannot_be"]
    assert all(fault in problem["detail"] for fault in problem["faults"])


def test_a_position_that_is_none_is_refused(banker: FlaskClient) -> None:
    for position, rule, sentence in (
        (None, "wrong_type", "Position has a value that does not fit."),
        ({}, "missing_field", "Position.game is missing."),
        ({"game": "master_builder"}, "missing_field", "Position.round is missing."),
        ({"game": "chess"}, "unknown_game", "That game is not installed here."),
    ):
        answer = banker.post("/api/v1/tables", json={"do": "take_over", "position": position})
        problem = answer.get_json()
        assert (answer.status_code, problem["rule"], problem["detail"]) == (422, rule, sentence)


MANY = [f"X{number}" for number in range(70_000)]


@pytest.mark.parametrize(
    "given",
    [
        {"workers": MANY},
        {"unavailable": MANY},
        {"workers": ["W01"] * 40_000, "unavailable": [f"X{number}" for number in range(40_000)]},
    ],
)
def test_of_a_position_with_faults_without_end_two_hundred_are_told_and_how_many_more(
    banker: FlaskClient, given: dict[str, Any]
) -> None:
    # given a position as large as a body may be, with a fault in each of its cards
    players = {**POSITION["players"], "blue": {**POSITION["players"]["blue"], **given}}
    command = {"do": "take_over", "position": {**POSITION, "players": players}, "reason": "begun without"}
    assert len(json.dumps(command)) < MOST_COMMAND_BYTES

    # then it is refused, with the first of them and the number of the others
    answer = banker.post("/api/v1/tables", json=command)
    problem = answer.get_json()
    assert (answer.status_code, problem["rule"]) == (422, "position_faulty")
    listed = problem["details"]["faults"]
    assert len(listed) == MOST_FAULTS + 1
    assert listed[-1]["rule"] == "more_faults"
    assert listed[-1]["details"]["count"] > 30_000
    assert problem["faults"][-1] == f"{listed[-1]['details']['count']} more: mend these first."


def test_cards_that_were_turned_twice_without_end_are_one_fault(banker: FlaskClient) -> None:
    turned = {"events": MANY[:50_000] + MANY[:2]}
    answer = banker.post("/api/v1/tables", json={"do": "take_over", "position": {**POSITION, "turned": turned}})
    twice = [fault for fault in answer.get_json()["details"]["faults"] if fault["rule"] == "named_twice"]
    assert answer.status_code == 422
    assert len(twice) <= 1
