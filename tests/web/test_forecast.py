"""Looking ahead through the HTTP interface: figures, who may see them, what is wrong with a question."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from tests.strategies import command_of
from tests.web.conftest import START

As = Callable[[Caller], FlaskClient]


def begun(tables: Tables) -> str:
    """Ada and Ben have played round 1, buying as little as they had to."""
    table = tables.start(Request(START, "banker", "test"))
    while (table.position_json("banker") or {})["round"] < 2:
        step(tables, table.id)
    return table.id


def step(tables: Tables, table_id: str) -> None:
    """Submit the last command that is due, with the first of what its fields may hold: passing, where one may."""
    table = tables.get(table_id)
    shown = table.show("banker")
    waiting, expects = shown["position"]["waiting_for"], shown["position"]["expects"]
    offer = [
        offer for offer in shown["offers"] if offer["do"] in expects and offer.get("player", offer.get("by")) in waiting
    ][-1]
    command = command_of(offer)
    for name, field in offer["fields"].items():
        values = field.get("values", [field.get("least")])
        some = values[: field["most"]] if field["kind"] == "some_of" else values[0]
        command[name] = {} if offer["do"] == "plan" else some
    table.submit(Request(command, "banker", "test"))


@pytest.fixture
def at_hire(tables: Tables) -> str:
    return begun(tables)


def test_the_forecast_says_what_is_to_come(banker: FlaskClient, at_hire: str) -> None:
    answer = banker.get(f"/api/v1/tables/{at_hire}/forecast?player=blue")

    assert answer.status_code == 200
    assert answer.json is not None
    assert answer.json["player"] == "blue"
    assert [movement["round"] for movement in answer.json["movements"] if movement["why"] == "wages"] == [2, 3, 4, 5, 6]
    assert answer.json["version"] == banker.get(f"/api/v1/tables/{at_hire}").json["version"]  # type: ignore[index]


def test_a_contract_on_display_can_be_asked_about_with_and_without_a_bid(
    banker: FlaskClient, tables: Tables, at_hire: str
) -> None:
    card = next(iter(tables.get(at_hire).show("banker")["position"]["display"]))
    address = f"/api/v1/tables/{at_hire}/forecast?player=blue&contract={card}"

    without, with_bid = banker.get(address).json, banker.get(f"{address}&bid=5000").json

    assert without is not None
    assert with_bid is not None
    assert (without["bid"]["amount"], with_bid["bid"]["amount"]) == (None, 5_000)
    assert with_bid["movements"][0] == {
        "round": 2,
        "phase": "contracts",
        "why": "contract",
        "amount": -5_000,
        "cash": with_bid["cash"] - 5_000,
        "card": card,
    }


@pytest.mark.parametrize(
    ("query", "status", "kind"),
    [
        ("", 400, "malformed"),
        ("player=blue&bid=5000", 400, "malformed"),
        ("player=blue&contract=C03&bid=much", 400, "malformed"),
        ("player=red", 422, "unknown_player"),
        ("player=blue&contract=C99", 422, "unknown_contract"),
    ],
)
def test_questions_that_make_no_sense_are_told_so(
    banker: FlaskClient, table: str, query: str, status: int, kind: str
) -> None:
    answer = banker.get(f"{table}/forecast?{query}")

    assert answer.status_code == status
    assert answer.json is not None
    assert answer.json["type"].endswith(kind)


def test_hidden_money_is_looked_ahead_at_by_its_owner_and_the_banker_only(
    tables: Tables, as_caller: As, banker: FlaskClient
) -> None:
    table = tables.start(Request({**START, "rules": {"money": "hidden"}}, "banker", "test")).id
    address = f"/api/v1/tables/{table}/forecast?player=blue"

    def status(caller: Caller) -> int:
        return as_caller(caller).get(address).status_code

    assert banker.get(address).status_code == 200
    assert status(Caller("player", "blue", table)) == 200
    assert status(Caller("player", "yellow", table)) == 403
    assert status(Caller("spectator", None, table)) == 403


def test_open_money_is_looked_ahead_at_by_everybody(as_caller: As, table: str) -> None:
    onlooker = as_caller(Caller("spectator", None, table.rpartition("/")[2]))

    assert onlooker.get(f"{table}/forecast?player=blue").status_code == 200


def test_a_suggestion_is_a_command_that_can_be_given_as_it_is(
    tables: Tables, as_caller: As, banker: FlaskClient, at_hire: str
) -> None:
    # given Ada in the building phase with something to build
    table = tables.get(at_hire)
    while table.show("banker")["position"]["phase"] != "build":
        step(tables, at_hire)
    address = f"/api/v1/tables/{at_hire}/suggestion?player=blue"

    # when she asks what to build
    ada = as_caller(Caller("player", "blue", at_hire))
    suggestion = ada.get(address).json

    # then it is legal, and nobody else is told
    assert suggestion is not None
    assert {reason["contract"] for reason in suggestion["reasons"]} == set(
        table.show("banker")["position"]["players"]["blue"]["contracts"]
    )
    given = ada.post(
        f"/api/v1/tables/{at_hire}/commands",
        json=suggestion["command"],
        headers={"If-Match": str(suggestion["version"])},
    )
    assert given.status_code == 200
    assert as_caller(Caller("player", "yellow", at_hire)).get(address).status_code == 403
    assert as_caller(Caller("spectator", None, at_hire)).get(address).status_code == 403
    assert banker.get(address).status_code in (200, 422)  # with this plan the phase may be over


def test_outside_the_building_phase_there_is_nothing_to_suggest(banker: FlaskClient, table: str) -> None:
    answer = banker.get(f"{table}/suggestion?player=blue")

    assert answer.status_code == 422
    assert answer.json is not None
    assert answer.json["rule"] == "not_in_this_phase"
    assert banker.get(f"{table}/suggestion").status_code == 400


def test_what_somebody_needs_is_told_to_everybody(as_caller: As, at_hire: str) -> None:
    onlooker = as_caller(Caller("spectator", None, at_hire))

    needs = onlooker.get(f"/api/v1/tables/{at_hire}/needs?player=blue").json

    assert needs is not None
    assert set(needs) == {"version", "player", "contracts", "now", "then"}
    assert set(needs["then"]) == {"MC", "F", "T", "A"}
    assert onlooker.get(f"/api/v1/tables/{at_hire}/needs?player=nobody").status_code == 422
    assert onlooker.get(f"/api/v1/tables/{at_hire}/needs?player=blue&contract=C99").status_code == 422
    assert onlooker.get(f"/api/v1/tables/{at_hire}/needs").status_code == 400


def test_a_game_that_names_no_parameters_is_asked_for_a_card_and_an_amount(
    banker: FlaskClient, tables: Tables, at_hire: str
) -> None:
    # given a game that does not say what the parameters of its forecast are called
    table = tables.get(at_hire)
    card, amount = next((card, cost_of(tables, at_hire, card)) for card in table.show("banker")["position"]["display"])
    table.game = replace(table.game, can=replace(table.game.can, descriptions={}))
    address = f"/api/v1/tables/{at_hire}/forecast?player=blue"

    # when it is asked in general words
    asked = banker.get(f"{address}&card={card}&amount={amount}")
    without_card = banker.get(f"{address}&amount={amount}")
    needs = banker.get(f"/api/v1/tables/{at_hire}/needs?player=blue&card={card}")

    # then it answers, and says in them what is missing
    assert asked.json["bid"]["amount"] == amount  # type: ignore[index]
    assert without_card.json["detail"].startswith("Say for which card the amount is")  # type: ignore[index]
    assert card in [contract["contract"] for contract in needs.json["contracts"]]  # type: ignore[index]


def cost_of(tables: Tables, table_id: str, card: str) -> int:
    contracts: dict[str, Any] = tables.get(table_id).catalog_json()["contracts"]
    return int(contracts[card]["cost"])
