from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from tests.web.conftest import HIRE
from tests.web.fake_scanner import PICTURE, FakeScanner


def test_a_proposal_is_shown_with_its_picture_and_yes_carries_it_out(
    banker: FlaskClient, table: str, scanner: FakeScanner
) -> None:
    scanner.propose("t1", HIRE)
    listing = banker.get(f"{table}/proposals").json
    assert listing is not None
    (asked,) = listing["proposals"]
    assert asked["command"] == HIRE
    assert listing["sight"]["state"] == "seeing"
    picture = banker.get(asked["picture"])
    assert (picture.data, picture.mimetype) == (PICTURE, "image/jpeg")
    answer = banker.post(f"{table}/proposals/1", json={"answer": "yes"})
    assert answer.status_code == 200
    assert answer.json is not None
    assert answer.json["entry"]["seq"] == 2
    assert banker.get(f"{table}/proposals").json == {**listing, "proposals": []}


@pytest.mark.parametrize("word", ["no", "again"])
def test_no_and_again_carry_nothing_out(banker: FlaskClient, table: str, scanner: FakeScanner, word: str) -> None:
    scanner.propose("t1", HIRE)
    answer = banker.post(f"{table}/proposals/1", json={"answer": word})
    assert (answer.status_code, answer.json) == (200, {"answer": word, "entry": None})
    assert scanner.answers == [(1, word, "banker")]


def test_a_yes_that_the_rules_refuse_says_why(banker: FlaskClient, table: str, scanner: FakeScanner) -> None:
    scanner.propose("t1", HIRE | {"player": "yellow"})
    answer = banker.post(f"{table}/proposals/1", json={"answer": "yes"})
    assert answer.status_code == 422
    assert answer.json is not None
    assert answer.json["rule"]


@pytest.mark.parametrize(
    "body", [{}, {"answer": "maybe"}, {"answer": True}, {"answer": ["yes"]}, {"answer": "yes", "x": 1}]
)
def test_an_answer_that_is_none_is_malformed(
    banker: FlaskClient, table: str, scanner: FakeScanner, body: dict[str, object]
) -> None:
    scanner.propose("t1", HIRE)
    assert banker.post(f"{table}/proposals/1", json=body).status_code == 400


def test_a_proposal_that_is_gone_is_not_found(banker: FlaskClient, table: str) -> None:
    assert banker.post(f"{table}/proposals/9", json={"answer": "yes"}).status_code == 404
    assert banker.get(f"{table}/proposals/9/picture").status_code == 404


def test_the_live_picture_is_that_of_the_table_under_the_camera(
    banker: FlaskClient, table: str, scanner: FakeScanner
) -> None:
    assert banker.get(f"{table}/live.jpg").status_code == 404
    scanner.attached_to, scanner.latest = "t1", PICTURE
    assert banker.get(f"{table}/live.jpg").data == PICTURE
    scanner.attached_to = "t2"
    assert banker.get(f"{table}/live.jpg").status_code == 404


def test_guests_learn_how_the_camera_is_and_not_what_it_asks(
    table: str, scanner: FakeScanner, as_caller: Callable[[Caller], FlaskClient]
) -> None:
    scanner.propose("t1", HIRE)
    scanner.twins = [{"card": "W07", "corners": [[0, 0], [1, 0], [1, 1], [0, 1]]}]
    listing = as_caller(Caller("player", "blue", "t1")).get(f"{table}/proposals").json
    assert listing is not None
    assert listing["proposals"] == []
    nothing: dict[str, Any] = {
        "cards": [],
        "twins": [],
        "strangers": [],
        "faces": [],
        "mat": None,
        "differences": [],
        "resumed": False,
    }
    assert listing["sight"] == {"camera": "sim", "state": "seeing", "problem": None, **nothing}
    for caller in (Caller("player", "blue", "t1"), Caller("spectator", table="t1")):
        assert as_caller(caller).get(f"{table}/proposals/1/picture").status_code == 403


def test_the_banker_is_told_of_a_card_that_lies_there_twice(
    table: str, scanner: FakeScanner, banker: FlaskClient
) -> None:
    scanner.attached_to = "t1"
    scanner.twins = [{"card": "W07", "corners": [[0, 0], [1, 0], [1, 1], [0, 1]]}]

    page = " ".join(banker.get(table.replace("/api/v1", ""), headers={"Accept-Language": "en"}).text.split())

    assert "Card W07 is there twice and counts once: take one label away." in page


def test_what_follows_in_the_address_of_a_camera_is_told_to_the_organiser_alone(
    as_caller: Callable[[Caller], FlaskClient],
    banker: FlaskClient,
    table: str,
    scanner: FakeScanner,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # given a camera whose address has its password behind a question mark, and which is lost
    address = "http://10.0.0.5/snap.cgi?usr=admin&pwd=secret"
    state = {**scanner.state_json("t1"), "camera": address, "problem": f"{address} gives no pictures"}
    monkeypatch.setattr(scanner, "state_json", lambda _table: state)

    # then a player and a spectator see which camera it is, and no more of it
    for caller in (Caller("player", "blue", "t1"), Caller("spectator", None, "t1")):
        seen = as_caller(caller).get(f"{table}/proposals").get_data(as_text=True)
        assert "http://10.0.0.5/snap.cgi gives no pictures" in seen
        assert "secret" not in seen
    assert "secret" in banker.get(f"{table}/proposals").get_data(as_text=True)
