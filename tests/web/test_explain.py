"""Why a figure is what it is, over HTTP."""

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.web.http.problems import KINDS
from tests.web.conftest import START

As = Callable[[Caller], FlaskClient]


def explain(client: FlaskClient, table: str, account: str, lang: str = "en") -> Any:
    answer = client.get(f"{table}/explain", query_string={"account": account, "lang": lang})
    assert answer.status_code == 200, answer.json
    return answer.json


def give(client: FlaskClient, table: str, **command: Any) -> Any:
    version = client.get(table).json or {}
    return client.post(f"{table}/commands", json=command, headers={"If-Match": str(version["version"])})


def test_a_balance_is_told_with_the_rule_behind_each_change(banker: FlaskClient, table: str) -> None:
    give(banker, table, do="correct_money", **{"from": "bank"}, to="blue", amount=5_000, reason="paid twice")

    explanation = explain(banker, table, "player:blue")

    assert (explanation["account"], explanation["balance"], explanation["parts"]) == ("player:blue", 45_000, [])
    assert [(line["seq"], line["amount"], line["balance"], line["rule"]) for line in explanation["lines"]] == [
        (1, 40_000, 40_000, "start_money"),
        (2, 5_000, 45_000, "corrections"),
    ]
    first, second = explanation["lines"]
    assert (first["event"], first["title"], first["texts"], first["rulings"]) == (
        "GameStarted",
        "Starting money",
        ["004:67-71", "004:142-143"],
        ["D39"],
    )
    assert "(paid twice)" in second["detail"]
    assert explain(banker, table, "player:blue", "de")["lines"][0]["title"] == "Startgeld"


def test_what_was_undone_does_not_count(banker: FlaskClient, table: str) -> None:
    give(banker, table, do="correct_money", **{"from": "bank"}, to="blue", amount=5_000, reason="paid twice")
    give(banker, table, do="undo")
    assert [line["seq"] for line in explain(banker, table, "player:blue")["lines"]] == [1]

    give(banker, table, do="redo")
    assert [line["seq"] for line in explain(banker, table, "player:blue")["lines"]] == [1, 2]


def test_wages_are_told_by_worker(banker: FlaskClient, table: str) -> None:
    offer = (banker.get(table).json or {})["offers"][0]
    worker = offer["fields"]["worker"]["values"][0]
    give(banker, table, do="hire_worker", player=offer["player"], worker=worker)

    explanation = explain(banker, table, f"wages:{offer['player']}")

    assert [part["card"] for part in explanation["parts"]] == [worker]
    assert [line["rule"] for line in explanation["lines"]] == ["wage_track"]


@pytest.mark.parametrize("account", ["player:nobody", "box", "contract:C99", "nonsense"])
def test_an_account_that_there_is_not_is_not_found(banker: FlaskClient, table: str, account: str) -> None:
    assert banker.get(f"{table}/explain", query_string={"account": account}).status_code == 404


def test_an_account_must_be_named(banker: FlaskClient, table: str) -> None:
    assert banker.get(f"{table}/explain").status_code == 400


def test_hidden_money_is_kept_from_the_others(banker: FlaskClient, as_caller: As) -> None:
    table = str(banker.post("/api/v1/tables", json={**START, "rules": {"money": "hidden"}}).headers["Location"])
    table_id = table.rsplit("/", 1)[-1]
    blue = as_caller(Caller("player", "blue", table_id))
    assert explain(blue, table, "player:blue")["balance"] == 40_000
    for account in ("player:yellow", "worth:yellow", "bank"):
        answer = blue.get(f"{table}/explain", query_string={"account": account})
        assert answer.status_code == 403, account
    assert explain(blue, table, "wages:yellow")["balance"] == 0


def test_a_refusal_leads_to_its_rule(banker: FlaskClient, stranger: FlaskClient, table: str) -> None:
    problem = give(banker, table, do="bid", player="blue", amount=5_000).json

    page = stranger.get(problem["type"])

    assert problem["type"] == f"/rules#{problem['rule']}"
    assert page.status_code == 200
    assert f'id="{problem["rule"]}"' in page.text
    assert problem["title"] == KINDS["refused"].title


@pytest.mark.parametrize(("language", "said"), [("en", "The wage track"), ("fr", "La piste"), ("de", "Die Lohnleiste")])
def test_one_rule_is_told_in_the_language_of_the_reader(stranger: FlaskClient, language: str, said: str) -> None:
    page = stranger.get("/rules/wage_limit", query_string={"lang": language})
    assert page.status_code == 200
    assert said in page.text
    assert stranger.get("/rules/no_such_rule").status_code == 404


def test_the_rules_lead_back_to_the_table_that_they_were_opened_from(stranger: FlaskClient) -> None:
    assert 'href="/tables/ab12"' in stranger.get("/rules", query_string={"table": "ab12"}).text
    assert 'href="/"' in stranger.get("/rules", query_string={"table": "//evil.example"}).text
