"""A game already begun at the table goes on here: through the interface."""

from typing import Any

from flask.testing import FlaskClient

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
    for position, rule in ((None, "unknown_game"), ({}, "unknown_game"), ({"game": "master_builder"}, "missing_field")):
        answer = banker.post("/api/v1/tables", json={"do": "take_over", "position": position})
        assert answer.status_code == 422
        assert answer.get_json()["rule"] == rule
