"""The notes on the table, over HTTP."""

from collections.abc import Callable

from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from tests.web.conftest import START


def test_notes_are_told_to_all_who_may_see_the_money(
    banker: FlaskClient, table: str, as_caller: Callable[[Caller], FlaskClient]
) -> None:
    notes = banker.get(f"{table}/notes").json
    assert notes is not None
    assert notes["version"] == 1
    assert notes["hands"]["player:blue"] == {"takes": {"10000": 4}}
    assert sum(holder["worth"] for holder in notes["holders"].values()) == 695_000
    watcher = as_caller(Caller("spectator", table=table.rsplit("/", 1)[-1]))
    assert watcher.get(f"{table}/notes").json == notes


def test_hidden_money_keeps_its_notes_hidden(banker: FlaskClient, as_caller: Callable[[Caller], FlaskClient]) -> None:
    table = str(banker.post("/api/v1/tables", json={**START, "rules": {"money": "hidden"}}).headers["Location"])
    blue = as_caller(Caller("player", "blue", table.rsplit("/", 1)[-1]))
    notes = blue.get(f"{table}/notes").json
    assert notes is not None
    assert set(notes["holders"]) == {"player:blue"}
