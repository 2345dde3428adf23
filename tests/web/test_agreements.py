"""Agreements over HTTP: asked on one phone, answered on another."""

from collections.abc import Callable

import pytest
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from tests.web.conftest import HIRE
from tests.web.test_openapi import described_by

BLUE, YELLOW = (Caller("player", player, "t1") for player in ("blue", "yellow"))
AsCaller = Callable[[Caller], FlaskClient]


@pytest.fixture
def hired(as_caller: AsCaller, table: str) -> str:
    """A table at which blue has hired by their own phone."""
    given = as_caller(BLUE).post(f"{table}/commands", json=HIRE, headers={"If-Match": "1"})
    assert given.status_code == 200
    return table


def test_a_player_asks_and_who_acted_agrees(as_caller: AsCaller, hired: str) -> None:
    # given a question about what blue did
    asked = as_caller(YELLOW).post(f"{hired}/agreements", json={"do": "undo"}, headers={"If-Match": "2"})
    assert asked.status_code == 202
    question = asked.get_json()["asked"]
    assert question == {"id": 1, "asker": "yellow", "asked": "blue", "command": {"do": "undo"}, "refused": False}

    # when blue sees it and agrees
    assert as_caller(BLUE).get(f"{hired}/agreements").get_json() == {"agreements": [question]}
    answer = as_caller(BLUE).post(f"{hired}/agreements/1", json={"answer": "yes"})

    # then it is undone
    assert answer.status_code == 200
    assert answer.get_json()["entry"]["command"] == {"do": "undo"}
    assert as_caller(BLUE).get(hired).get_json()["position"]["players"]["blue"]["workers"] == []


def test_ones_own_act_is_taken_back_at_once(as_caller: AsCaller, hired: str) -> None:
    answer = as_caller(BLUE).post(f"{hired}/agreements", json={"do": "undo"}, headers={"If-Match": "2"})

    assert (answer.status_code, answer.get_json()["seq"]) == (200, 3)


def test_onlookers_neither_ask_nor_hear(as_caller: AsCaller, hired: str) -> None:
    onlooker = as_caller(Caller("spectator", None, "t1"))

    assert onlooker.post(f"{hired}/agreements", json={"do": "undo"}, headers={"If-Match": "2"}).status_code == 403
    assert onlooker.get(f"{hired}/agreements").get_json() == {"agreements": []}


@pytest.mark.parametrize("given", [{"answer": "perhaps"}, {}, {"answer": "yes", "more": 1}])
def test_only_yes_and_no_are_answers(as_caller: AsCaller, hired: str, given: dict[str, object]) -> None:
    as_caller(YELLOW).post(f"{hired}/agreements", json={"do": "undo"}, headers={"If-Match": "2"})

    assert as_caller(BLUE).post(f"{hired}/agreements/1", json=given).status_code == 400


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "This question is over. Ask again, or lay the card again."),
        ("fr", "Cette question est close. Pose-la à nouveau, ou repose la carte."),
        ("de", "Diese Frage hat sich erledigt. Frag noch einmal, oder leg die Karte noch einmal."),
    ],
)
def test_whoever_answers_a_question_that_ended_with_its_process_is_told(
    as_caller: AsCaller, hired: str, language: str, sentence: str
) -> None:
    answer = as_caller(BLUE).post(f"{hired}/agreements/7?lang={language}", json={"answer": "yes"})
    assert (answer.status_code, (answer.json or {})["detail"]) == (404, sentence)


def test_what_is_not_asked_or_not_seen_is_no_question(as_caller: AsCaller, hired: str) -> None:
    phone = as_caller(YELLOW)

    assert phone.post(f"{hired}/agreements/9", json={"answer": "yes"}).status_code == 404
    assert phone.post(f"{hired}/agreements", json={"do": "undo"}).status_code == 428
    assert phone.post(f"{hired}/agreements", json={"do": "undo"}, headers={"If-Match": "1"}).status_code == 409
    assert phone.post(f"{hired}/agreements", json={"do": "nonsense"}, headers={"If-Match": "2"}).status_code == 422


def test_what_somebody_else_did_is_taken_back_by_asking_and_not_by_a_command(as_caller: AsCaller, hired: str) -> None:
    phone, undo = as_caller(YELLOW), {"json": {"do": "undo"}, "headers": {"If-Match": "2"}}

    assert phone.post(f"{hired}/commands", **undo).status_code == 403
    assert phone.post(f"{hired}/agreements", **undo).status_code == 202


@pytest.mark.parametrize("command", [{"do": "redo"}, {"do": "amend", "seq": 2, "with": None, "confirm": True}])
def test_what_every_game_has_and_nobody_is_asked_for_is_not_told_to_be_no_command(
    as_caller: AsCaller, hired: str, command: dict[str, object]
) -> None:
    for caller in (YELLOW, Caller("banker")):
        answer = as_caller(caller).post(f"{hired}/agreements", json=command, headers={"If-Match": "2"})
        assert answer.status_code == 403


def test_an_undo_with_more_in_it_is_refused_alike_wherever_it_is_sent(as_caller: AsCaller, hired: str) -> None:
    for path in ("commands", "agreements"):
        answer = as_caller(BLUE).post(f"{hired}/{path}", json={"do": "undo", "x": 1}, headers={"If-Match": "2"})
        problem = answer.get_json()
        assert (answer.status_code, problem["rule"], problem["details"]) == (422, "unknown_field", {"field": "x"})


def test_lending_from_a_phone_is_refused_by_the_rules_before_anybody_is_asked(as_caller: AsCaller, hired: str) -> None:
    lend = {"do": "hire_out", "owner": "blue", "worker": "W07", "borrower": "yellow", "price": 1000}

    answer = as_caller(BLUE).post(f"{hired}/commands", json=lend, headers={"If-Match": "2"})

    assert answer.status_code == 422
    assert as_caller(YELLOW).get(f"{hired}/agreements").get_json() == {"agreements": []}


def test_the_description_tells_of_questions(stranger: FlaskClient) -> None:
    assert "Agreement" in described_by(stranger)["components"]["schemas"]


def test_a_no_is_told_to_whoever_asked_until_he_has_seen_it(
    as_caller: Callable[[Caller], FlaskClient], hired: str
) -> None:
    # given a wish to take back what somebody else did
    table = hired.rsplit("/", 1)[1]
    asker, asked = (as_caller(Caller("player", player, table)) for player in ("yellow", "blue"))
    version = str(asker.get(hired).get_json()["version"])
    asker.post(f"{hired}/agreements", json={"do": "undo"}, headers={"If-Match": version})

    # when the answer is no
    (question,) = asked.get(f"{hired}/agreements").get_json()["agreements"]
    assert asked.post(f"{hired}/agreements/{question['id']}", json={"answer": "no"}).status_code == 200

    # then whoever asked is told so, nobody else is, and nobody can say yes to it any more
    (agreement,) = asker.get(f"{hired}/agreements").get_json()["agreements"]
    assert agreement["refused"] is True
    assert asked.get(f"{hired}/agreements").get_json()["agreements"] == []
    assert asker.post(f"{hired}/agreements/{question['id']}", json={"answer": "yes"}).status_code == 403
    assert "said no" in asker.get(f"/tables/{table}/live?part=seat").text

    # when they have seen it, then it is gone
    assert asker.post(f"{hired}/agreements/{question['id']}", json={"answer": "no"}).status_code == 200
    assert asker.get(f"{hired}/agreements").get_json()["agreements"] == []
