"""Setting the table over HTTP."""

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.web.server.server import Server
from tests.web.fake_scanner import FakeScanner
from tests.web.live_client import reading


def steps(answer: Any) -> dict[str, dict[str, Any]]:
    return {step["step"]: step for step in answer.json["steps"]}


def test_steps_are_ticked_and_the_other_screens_hear_of_it(banker: FlaskClient, table: str, services: Services) -> None:
    before = steps(banker.get(f"{table}/preparation"))
    assert before["contracts"] == {"step": "contracts", "count": 4, "shown": 0, "of": 1, "done": False}
    assert not any(step["done"] for step in before.values())
    count = services.tables.get("t1").signal.count

    after = steps(banker.post(f"{table}/preparation", json={"step": "mallet", "done": True}))

    assert [name for name, step in after.items() if step["done"]] == ["mallet"]
    assert services.tables.get("t1").signal.count > count
    assert steps(banker.post(f"{table}/preparation", json={"step": "mallet", "done": False})) == before


def test_cards_in_view_tick_their_pile_and_a_hand_counts_before_them(
    banker: FlaskClient, table: str, scanner: FakeScanner, services: Services
) -> None:
    services.preferences.choose(layout="mat")
    scanner.attached_to = "t1"
    seen = steps(banker.get(f"{table}/preparation"))
    assert (seen["workers"]["shown"], seen["workers"]["of"], seen["workers"]["done"]) == (1, 4, False)
    assert (seen["camera"]["done"], seen["mat"]["done"]) == (True, False)
    unticked = steps(banker.post(f"{table}/preparation", json={"step": "camera", "done": False}))
    assert unticked["camera"]["done"] is False


@pytest.mark.parametrize(
    "tick",
    [
        {},
        {"step": "mallet"},
        {"step": "camera", "done": True},
        {"step": 1, "done": True},
        {"step": "mallet", "done": 1},
    ],
)
def test_a_wild_tick_is_refused(banker: FlaskClient, table: str, tick: dict[str, Any]) -> None:
    assert banker.post(f"{table}/preparation", json=tick).status_code == 400


def test_the_table_is_set_by_the_banker(table: str, as_caller: Callable[[Caller], FlaskClient]) -> None:
    guest = as_caller(Caller("player", "blue", "t1"))
    assert guest.get(f"{table}/preparation").status_code == 403
    assert guest.post(f"{table}/preparation", json={"step": "mallet", "done": True}).status_code == 403


def test_a_second_tablet_hears_of_a_tick(server: Server, banker: FlaskClient, table: str, services: Services) -> None:
    with reading(server, f"{table}/stream", services.logins.token(Caller("banker"))) as reader:
        assert "ticks" not in reader.next_named("sight").data
        banker.post(f"{table}/preparation", json={"step": "mallet", "done": True})
        assert reader.next_named("sight").data["ticks"] == 1
