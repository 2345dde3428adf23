"""Pages of Monopoly Builder over HTTP: money is counted on the tablet, and advice stands where somebody wishes it."""

import re
from html import unescape
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


class Pages:
    """A table of two, and what each of its devices is shown."""

    def __init__(self, app: Flask, services: Services, rules: Json, begin: Json | None = None) -> None:
        self._app, self._services = app, services
        seats = [{"id": "red", "name": "Ada"}, {"id": "green", "name": "Ben"}]
        start = begin or {
            "do": "start_game",
            "game": "monopoly_builder",
            "first": "red",
            "players": seats,
            "rules": rules,
        }
        begun = self._client(Caller("banker")).post("/api/v1/tables", json=start)
        assert begun.status_code == 201, begun.text
        self.table = str(begun.headers["Location"]).rsplit("/", 1)[1]

    def _client(self, caller: Caller) -> Any:
        return client_of(self._app, self._services, caller)

    def part(self, name: str, of: str | None = None, **more: str) -> str:
        caller = Caller("banker") if of is None else Caller("player", of, self.table)
        shown = self._client(caller).get(f"/tables/{self.table}/live", query_string={"part": name, **more})
        assert shown.status_code == 200, shown.text
        return str(shown.text)

    def give(self, command: Json) -> Json:
        answer = self._post(command)
        assert answer.status_code == 200, answer.text
        body: Json = answer.get_json()
        return body

    def refused(self, command: Json) -> str:
        answer = self._post(command)
        assert answer.status_code == 422, answer.text
        return str(answer.get_json()["rule"])

    def _post(self, command: Json) -> Any:
        banker = self._client(Caller("banker"))
        version = banker.get(f"/api/v1/tables/{self.table}").get_json()["version"]
        return banker.post(f"/api/v1/tables/{self.table}/commands", json=command, headers={"If-Match": str(version)})

    def journal(self, player: str) -> str:
        caller = Caller("player", player, self.table)
        return str(self._client(caller).get(f"/api/v1/tables/{self.table}/journal").text)


def test_money_is_counted_on_the_tablet_by_fives_from_what_is_booked(app: Flask, services: Services) -> None:
    pages = Pages(app, services, {})

    assert 'data-sheet="count"' in pages.part("menu")
    sheet = pages.part("count", player="green")

    assert 'data-step="5"' in sheet
    assert 'data-booked="900"' in sheet
    assert "We hold 900\u00a0M" in sheet


def test_a_count_of_hidden_money_is_told_to_its_player_alone(app: Flask, services: Services) -> None:
    # given a table with hidden money
    pages = Pages(app, services, {"money": "hidden"})

    # when green counts less than is booked
    pages.give({"do": "count_cash", "player": "green", "amount": 885})

    # then green is told how much, and red that it was counted
    assert "885" in pages.journal("green")
    assert "885" not in pages.journal("red")
    assert "885" not in pages.part("seat", "red")
    assert "885\u00a0M" in pages.part("seat", "green")


def test_advice_is_on_every_page_that_may_show_it_and_is_switched_on_by_device(app: Flask, services: Services) -> None:
    # given red with three floors, and a yellow chip too few for the fourth
    pages = Pages(app, services, {})
    building = {"do": "correct_block", "cell": "A1", "owner": "red", "height": 3, "reason": "a test"}
    pages.give(building)
    for kind, count, heap in (("purple", 1, "bank"), ("yellow", 1, "bank")):
        pages.give({"do": "correct_chips", "kind": kind, "count": count, "from": heap, "to": "red", "reason": "a test"})

    # then it is on the tablet and on red's phone, hidden until the device's switch is on
    for shown in (pages.part("tablet"), pages.part("seat", "red")):
        assert "1 yellow short of floor 4 on A1." in shown
        assert 'class="advice"' in shown
    assert "short of floor 4" not in pages.part("seat", "green")
    assert 'data-switch="advice"' in pages.part("menu")
    assert 'data-switch="advice"' in pages.part("seat_menu", "red")
    style = Path("companion/web/static/table/plain_transfers.css").read_text(encoding="utf-8")
    assert 'html:not([data-advice="on"]) .advice' in style


def test_a_rent_is_a_strap_from_seat_to_seat_on_the_big_screen_and_a_line_elsewhere(
    app: Flask, services: Services
) -> None:
    # given red on green's deed, after the code for phones has gone
    pages = Pages(app, services, {})
    for _ in range(6):
        pages.give({"do": "count_cash", "player": "red", "amount": 900})
    pages.give({"do": "correct_card", "card": "D03", "to": "green", "reason": "a test"})
    pages.give({"do": "roll", "player": "red", "dice": [1, 3]})
    assert 'class="straps"' not in pages.part("display")

    # when green claims the rent
    pages.give({"do": "claim_rent", "player": "green", "deed": "D03"})

    # then it goes from the first seat to the second, and stays until something else happens
    assert "strap from-1 to-2 over-2 onward" in " ".join(pages.part("display").split())
    assert 'class="stage-legend"' in pages.part("display"), "what floors cost, while red may build"
    assert 'class="transfer"' in pages.part("seat", "red")
    pages.give({"do": "end_turn", "player": "red"})
    assert 'class="straps"' not in pages.part("display")


def test_hidden_money_is_asked_for_on_the_own_phone(app: Flask, services: Services) -> None:
    # given a table with hidden money
    pages = Pages(app, services, {"money": "hidden"})

    # when red opens a trade on their phone
    like = unescape(re.findall(r'data-sheet="offer"[^>]*data-like="([^"]*trade[^"]*)"', pages.part("seat", "red"))[0])
    sheet = pages.part("offer", "red", like=like)

    # then money may be given up to what red has, and asked for up to all that there is
    assert re.findall(r'data-stepper[^>]*data-most="(\d+)"[^>]*data-step="5"', sheet) == ["900", "13700"]


AT_AN_AUCTION: list[Json] = [
    {"do": "roll", "player": "red", "dice": [1, 3]},
    {"do": "decline", "player": "red"},
    {"do": "bid", "player": "red", "amount": 100},
]


@pytest.mark.parametrize(
    ("own", "more", "commands"),
    [
        ({}, {}, AT_AN_AUCTION),
        ({}, {"turn": "green"}, [{"do": "roll", "player": "green", "dice": [1, 3]}]),
        ({"deeds": ["D01", "D02"], "mortgaged": ["D01", "D02"]}, {}, []),
        ({"in_jail": True, "space": 7}, {"turn": "green"}, []),
    ],
    ids=["bid", "buy", "unmortgage", "leave_jail"],
)
def test_a_covered_tablet_is_the_same_however_much_hidden_money_anybody_holds(
    app: Flask, services: Services, own: Json, more: Json, commands: list[Json]
) -> None:
    # given tables with hidden money that differ in what green holds
    shown: set[str] = set()
    for purse in (0, 45, 800):
        players = {"red": {"cash": 900, "name": "Ada"}, "green": {"name": "Ben", "cash": purse, **own}}
        position = {"game": "monopoly_builder", "turn": "red", "phase": "roll", "rules": {"money": "hidden"}, **more}
        pages = Pages(app, services, {}, begin={"do": "take_over", "position": {**position, "players": players}})
        for command in commands:
            pages.give(command)

        # when the tablet lies in the middle
        shown.add(pages.part("tablet").replace(pages.table, ""))

    # then it shows the same at each
    assert len(shown) == 1


def test_what_hidden_money_cannot_pay_is_refused_to_whoever_tries_and_not_offered_on_their_phone(
    app: Flask, services: Services
) -> None:
    # given green, who has 45 M and may bid
    players = {"red": {"cash": 900, "name": "Ada"}, "green": {"name": "Ben", "cash": 45}}
    position = {"game": "monopoly_builder", "turn": "red", "phase": "roll", "rules": {"money": "hidden"}}
    pages = Pages(app, services, {}, begin={"do": "take_over", "position": {**position, "players": players}})
    for command in AT_AN_AUCTION:
        pages.give(command)

    # then the tablet asks green for a bid, green's own phone does not, and a bid is refused
    assert '"do":"bid"' in unescape(pages.part("tablet"))
    assert '"do":"bid"' not in unescape(pages.part("seat", "green"))
    assert pages.refused({"do": "bid", "player": "green", "amount": 105}) == "cannot_pay"


@pytest.mark.parametrize("fewer", [False, True], ids=["all kinds", "one kind"])
@pytest.mark.parametrize(("part", "of"), [("tablet", None), ("seat", "red")])
def test_a_chip_is_stolen_from_any_other_player_and_each_button_says_from_whom(
    app: Flask, services: Services, part: str, of: str | None, fewer: bool
) -> None:
    # given red, who steals from green, who has all kinds, or from yellow
    four = {"red": 1, "purple": 1, "green": 1, "yellow": 1}
    players = {
        "red": {"cash": 900, "name": "Ada", "space": 16},
        "green": {"cash": 900, "name": "Ben", "chips": four},
        "yellow": {"cash": 900, "name": "Cleo", "chips": {"purple": 1} if fewer else four},
    }
    position = {"game": "monopoly_builder", "turn": "red", "phase": "roll", "players": players}
    pages = Pages(app, services, {}, begin={"do": "take_over", "position": position})
    pages.give({"do": "roll", "player": "red", "dice": [1, 2]})

    # then there is a button for each chip of each, which says whose it is
    page = unescape(pages.part(part, of))
    buttons = [button for button in re.findall(r"<button.*?</button>", page, re.DOTALL) if '"steal"' in button]
    said = {
        (victim, kind): button
        for button in buttons
        for victim, kind in re.findall(r'"from":"(\w+)","kind":"(\w+)"', button.replace(": ", ":").replace(", ", ","))
    }
    assert len(said) == (5 if fewer else 8)
    for (victim, _), button in said.items():
        assert ("Ben:" if victim == "green" else "Cleo:") in button
        assert f"badge {victim}" in button


def test_a_trade_in_the_making_is_the_same_form_while_others_go_on(app: Flask, services: Services) -> None:
    # given a sheet on which somebody who is not up puts a trade together
    pages = Pages(app, services, {})
    like = re.search(r'data-like="([^"]*trade[^"]*)"', pages.part("seat", of="green"))
    assert like is not None

    def form() -> str:
        tag = re.search(r"<form[^>]*>", pages.part("offer", of="green", like=unescape(like[1])))
        assert tag is not None
        return tag[0]

    begun = form()

    # when the player who is up rolls and buys, then it is still that form, and keeps what was set
    for act in ({"do": "roll", "dice": [1, 3]}, {"do": "buy"}):
        pages.give({**act, "player": "red"})
        assert form() == begun
