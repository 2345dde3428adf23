"""Where money is hidden nobody learns by asking how much another player holds."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.service.table.registry import Tables
from companion.web import create_app
from tests.every_game import services_over, tables_of_every_game
from tests.web.shared_app import client_of

Json = dict[str, Any]
pytestmark = pytest.mark.own_app


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    return tables_of_every_game(tmp_path)


@pytest.fixture
def services(tables: Tables) -> Services:
    return services_over(tables)


@pytest.fixture
def app(services: Services) -> Flask:
    return create_app(services)


class TableOfTwo:
    """A table at which one player asks another, over HTTP; the other one holds as much as the banker gave them."""

    def __init__(self, app: Flask, services: Services, start: Json, purse: int) -> None:
        self._app, self._services = app, services
        begun = client_of(app, services, Caller("banker")).post("/api/v1/tables", json=start)
        assert begun.status_code == 201, begun.text
        self.address = str(begun.headers["Location"])
        self.asker, self.other = (seat["id"] for seat in start["players"])
        purse_now = self.position()["players"][self.other]["cash"]
        source, to = ("bank", self.other) if purse > purse_now else (self.other, "bank")
        if purse != purse_now:
            self.give(do="correct_money", reason="a test", amount=abs(purse - purse_now), **{"from": source, "to": to})

    def client(self, actor: str) -> Any:
        table = self.address.rsplit("/", 1)[1]
        caller = Caller("banker") if actor == "banker" else Caller("player", actor, table)
        return client_of(self._app, self._services, caller)

    def position(self) -> Json:
        shown: Json = self.client("banker").get(self.address).get_json()["position"]
        return shown

    def post(self, actor: str, where: str, body: Json) -> Any:
        version = self.client(actor).get(self.address).get_json()["version"]
        return self.client(actor).post(f"{self.address}/{where}", json=body, headers={"If-Match": str(version)})

    def give(self, **command: Any) -> None:
        answer = self.post("banker", "commands", command)
        assert answer.status_code == 200, answer.text

    def asked(self, **command: Any) -> tuple[int, str, Json]:
        """Return the answer to the asker, without the number of the question."""
        answer = self.post(self.asker, "commands", command)
        body = answer.get_json()
        details = body.get("details") or {}
        return answer.status_code, str(body.get("rule", "")), details


def monopoly(rules: Json) -> Json:
    seats = [{"id": "red"}, {"id": "green"}]
    return {"do": "start_game", "game": "monopoly_builder", "first": "red", "players": seats, "rules": rules}


TRADES: list[Json] = [
    {"give": {}, "get": {"money": 500}},
    {"give": {"money": 5}, "get": {"money": 905}},
    {"give": {"money": 905}, "get": {"money": 500}},
    {"give": {}, "get": {"money": 500, "deeds": ["D01"]}},
    {"give": {}, "get": {"money": 500, "chips": {"red": 3}}},
    {"give": {}, "get": {"money": 13_700}},
    {"give": {}, "get": {"money": 13_705}},
    {"give": {}, "get": {"money": 12}},
    {"give": {"deeds": ["D01"]}, "get": {"money": 500}},
]


def test_a_trade_is_asked_for_alike_however_much_the_other_one_holds(app: Flask, services: Services) -> None:
    # given three tables that differ only in what green holds, which red does not see
    tables = [TableOfTwo(app, services, monopoly({"money": "hidden"}), purse) for purse in (0, 500, 13_000)]

    # when red asks for trades, then the answers are the same at each, and none is refused for green's money
    for trade in TRADES:
        answers = {repr(table.asked(do="trade", player="red", **{"with": "green"}, **trade)) for table in tables}
        assert len(answers) == 1, (trade, answers)
    assert tables[0].asked(do="trade", player="red", **{"with": "green"}, **TRADES[0])[0] == 202


def test_an_open_purse_refuses_a_trade_before_anybody_is_asked(app: Flask, services: Services) -> None:
    open_table = TableOfTwo(app, services, monopoly({"money": "open"}), 495)

    answer = open_table.asked(do="trade", player="red", **{"with": "green"}, **TRADES[0])

    assert answer == (422, "cannot_pay", {"player": "green", "amount": 500, "free": 495})


def test_who_asked_cannot_tell_a_yes_that_was_refused_from_no_answer_yet(app: Flask, services: Services) -> None:
    # given a trade that green cannot pay
    table = TableOfTwo(app, services, monopoly({"money": "hidden"}), 495)
    trade = {"do": "trade", "player": "red", "with": "green", **TRADES[0]}
    asked = table.post("red", "commands", trade).get_json()["asked"]

    def seen_by_red() -> Iterator[str]:
        for where in ("", "/agreements", "/journal", "/proposals"):
            yield table.client("red").get(table.address + where).text
        figures = table.client("red").get("/metrics").text.splitlines()
        yield "\n".join(line for line in figures if '"2xx"' not in line)  # red's own looks are counted there

    before = list(seen_by_red())

    # when green agrees, then green is told why it cannot be, and red sees what was there before
    refused = table.post("green", f"agreements/{asked['id']}", {"answer": "yes"})
    assert (refused.status_code, refused.get_json()["rule"]) == (422, "cannot_pay")
    assert list(seen_by_red()) == before

    # and a no is told
    assert table.post("green", f"agreements/{asked['id']}", {"answer": "no"}).status_code == 200
    (question,) = table.client("red").get(f"{table.address}/agreements").get_json()["agreements"]
    assert question["refused"] is True


def lending(purse: int, rules: Json) -> tuple[Json, int]:
    seats = [{"id": "blue"}, {"id": "yellow"}]
    command = {"do": "start_game", "game": "master_builder", "first": "blue", "players": seats}
    return {**command, "rules": rules, "variants": ["loaning_workers"]}, purse


def test_a_worker_is_offered_alike_however_much_the_borrower_holds(app: Flask, services: Services) -> None:
    # given tables in phase 4 that differ only in what yellow holds, which blue does not see
    tables = []
    for purse in (0, 4_000, 600_000):
        start, amount = lending(purse, {"money": "hidden"})
        table = TableOfTwo(app, services, start, amount)
        table.give(do="hire_worker", player="blue", worker="W07")
        table.give(do="correct_turn", phase="build", reason="a test")
        tables.append(table)

    # when blue names a price, then the answer is the same at each
    for price in (0, 5_000, 500, 600_000, 695_000, 696_000):
        lend = {"do": "hire_out", "owner": "blue", "worker": "W07", "borrower": "yellow", "price": price}
        answers = {repr(table.asked(**lend)) for table in tables}
        assert len(answers) == 1, (price, answers)
    lend = {"do": "hire_out", "owner": "blue", "worker": "W07", "borrower": "yellow", "price": 5_000}
    assert tables[0].asked(**lend)[0] == 202

    # and no price is in what blue may choose that the purse of yellow sets
    offers = [table.client("blue").get(table.address).get_json()["offers"] for table in tables]
    assert offers[0] == offers[1] == offers[2]


@pytest.mark.parametrize("caller", [Caller("spectator", table="t"), Caller("player", "red", "t")])
def test_a_forecast_of_hidden_money_is_refused_alike_whatever_amount_is_asked_about(
    app: Flask, services: Services, caller: Caller
) -> None:
    # given green's money, which nobody else sees
    table = TableOfTwo(app, services, monopoly({"money": "hidden"}), 500)
    client = client_of(app, services, replace(caller, table=table.address.rsplit("/", 1)[1]))

    # when others ask what is left of it after less, and after more than there is
    answers = [
        client.get(f"{table.address}/forecast?player=green&card={card}&amount={amount}")
        for card, amount in (("D02", 5), ("D02", 505), ("D02", 100_000), ("D99", 5))
    ]

    # then each answer is the same refusal
    assert {answer.status_code for answer in answers} == {403}
    assert len({answer.text for answer in answers}) == 1
