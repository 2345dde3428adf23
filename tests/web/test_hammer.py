"""The hammer's clock: a table's own choice, off by default, and only the banker's."""

from collections.abc import Callable

import pytest
from flask.testing import FlaskClient

from companion.service.access.logins import Caller


def test_nobody_is_hurried_until_a_table_wishes_so(banker: FlaskClient, table: str) -> None:
    assert banker.get(f"{table}/hammer").json == {"seconds": 0}

    assert banker.post(f"{table}/hammer", json={"seconds": 30}).json == {"seconds": 30}
    assert banker.get(f"{table}/hammer").json == {"seconds": 30}

    assert banker.post(f"{table}/hammer", json={"seconds": 0}).json == {"seconds": 0}
    assert banker.get(f"{table}/hammer").json == {"seconds": 0}


def test_the_menu_chooses_it_and_comes_back(banker: FlaskClient, table: str) -> None:
    answer = banker.post(f"{table}/hammer", data={"seconds": "15"})
    assert answer.status_code == 303
    assert answer.headers["Location"] == f"/tables/{table.rsplit('/', 1)[1]}"
    assert banker.get(f"{table}/hammer").json == {"seconds": 15}


@pytest.mark.parametrize("seconds", [7, True, False, "soon", "30", 30.0, -15, None])
def test_other_times_are_refused(banker: FlaskClient, table: str, seconds: object) -> None:
    assert banker.post(f"{table}/hammer", json={"seconds": seconds}).status_code == 400


@pytest.mark.parametrize("wish", [{}, {"seconds": 30, "x": 1}])
def test_what_is_not_the_described_object_is_refused(banker: FlaskClient, table: str, wish: dict[str, object]) -> None:
    assert banker.post(f"{table}/hammer", json=wish).status_code == 400


def test_a_form_with_another_time_is_refused(banker: FlaskClient, table: str) -> None:
    assert banker.post(f"{table}/hammer", data={"seconds": "7"}).status_code == 400


def test_players_do_not_hurry_each_other(as_caller: Callable[[Caller], FlaskClient], table: str) -> None:
    player = as_caller(Caller("player", "blue", table.rsplit("/", 1)[1]))
    assert player.post(f"{table}/hammer", json={"seconds": 15}).status_code == 403
    assert player.get(f"{table}/hammer").json == {"seconds": 0}
