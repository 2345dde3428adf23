"""Events that happen by themselves are shown where everybody looks: the event and the settlement of a round."""

import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from tests.every_game import AsCaller
from tests.guide.stage import game_of_bots
from tests.web.fake_scanner import FakeScanner
from tests.web_pages.conftest import At
from tests.web_pages.parts import give, part
from tests.web_pages.whole_games import NAMES

PARTS = ("tablet", "display")
SETTLED = "Round 1: income"
MINUS = "\N{MINUS SIGN}\N{WORD JOINER}"


def settled(page: str) -> dict[str, list[str]]:
    """The figures of each row of the settled round, by name."""
    table = re.search(rf"<h2>{SETTLED}</h2><table>.*?<tbody>(.*?)</tbody>", page, re.DOTALL)
    rows = re.findall(r"<b>(\w+)</b></span></th>(.*?)</tr>", table[1], re.DOTALL) if table else []
    return {name: re.findall(rf"(?:\+|{MINUS})\$[\d,]+", row) for name, row in rows}


def paid(tables: Tables, table: str) -> dict[str, int]:
    """Return the wages that each player paid, by name, as the journal has them."""
    entries = tables.get(table).journal("banker")
    names: dict[str, Any] = {player["id"]: player["name"] for player in entries[0]["command"]["players"]}
    events = [event for entry in entries for event in entry["events"] if event["event"] == "WagesPaid"]
    return {names[event["player"]]: event["amount"] for event in events}


def test_how_the_round_before_was_settled_is_told_during_the_first_lap(
    banker: FlaskClient, tables: Tables, moment: At
) -> None:
    # given a second round that has just begun
    table, shown = moment("later_hire")
    wages = paid(tables, table)

    # then each one's wages stand there, and the display tells them too
    rows = settled(part(banker, table, "tablet"))
    assert {name: row[-1] for name, row in rows.items()} == {name: f"{MINUS}${due:,}" for name, due in wages.items()}
    assert part(banker, table, "display").count(SETTLED) == 1
    assert all(f"{MINUS}${due:,}" in part(banker, table, "display") for due in wages.values())

    # when everybody has had the first chance, then the table has moved on
    for _ in shown["position"]["players"]:
        (player,) = tables.get(table).show("banker")["position"]["waiting_for"]
        give(tables, table, do="pass", player=player)
    assert all(SETTLED not in part(banker, table, name) for name in PARTS)

    # when the last of these chances is taken back, then it is told again
    give(tables, table, do="undo")
    assert settled(part(banker, table, "tablet")) == rows


def test_loans_stand_in_the_settled_round(banker: FlaskClient, tables: Tables, moment: At) -> None:
    # given a round at whose end somebody is short of money
    table, shown = moment("loan")
    for _ in range(20):
        at = tables.get(table).show("banker")["position"]
        if at["phase"] != "income":
            break
        give(tables, table, do="borrow", player=at["waiting_for"][0], loan="large")

    # then their row tells what the bank lent them, also if it was in an entry of its own
    last = f"Round {shown['position']['round']}: income"
    page = part(banker, table, "tablet").replace(last, SETTLED)
    borrowers = {entry.command["player"] for entry in tables.get(table).entries if entry.command["do"] == "borrow"}
    lent = re.findall(r"<b>(\w+)</b></span></th>(?:(?!</tr>).)*borrows \$30,000", page, re.DOTALL)
    assert set(lent) == {NAMES[borrower] for borrower in borrowers}


def before_of(page: str, row: str) -> list[int]:
    """Return each *Before* of a table or of columns, in their order."""
    return [int(amount.replace(",", "")) for amount in re.findall(row, page, re.DOTALL)]


def test_while_a_loan_is_pending_the_sums_of_tablet_and_big_screen_add_up(
    banker: FlaskClient, tables: Tables, moment: At
) -> None:
    # given somebody who is short of wages by more than a small loan brings
    table, shown = moment("loan")
    (player,) = shown["position"]["waiting_for"]
    cash, due = (shown["position"]["players"][player][key] for key in ("cash", "wages"))
    if cash:
        give(tables, table, do="correct_money", from_=player, to="bank", amount=cash, reason="as the story needs")
    assert due > 10_000

    # when the small loan is taken, and is not enough
    give(tables, table, do="borrow", player=player, loan="small")
    at = tables.get(table).show("banker")["position"]
    assert at["phase"] == "income"
    assert at["waiting_for"] == [player]

    # then the rows are those of the seats, as on the big screen
    tablet, display = part(banker, table, "tablet"), part(banker, table, "display")
    assert '<th scope="col">Player</th>' in tablet

    # and both say that nothing was there before, and the loan and what is missing stand beside it
    before = before_of(tablet, r'data-label="Before">\$([\d,]+)<')
    assert before == before_of(display, r"<dt>before</dt>\s*<dd>\s*\$([\d,]+)")
    seats = list(at["seats"])
    assert before[seats.index(player)] == 0
    row = re.search(rf"<b>{NAMES[player]}</b>.*?</tr>", tablet, re.DOTALL)
    assert row is not None
    assert re.search(r'data-label="Loans">\s*\+\$10,000', row[0])
    assert f"${due - 10_000:,} missing" in row[0]


def test_income_that_the_banker_begins_counts_nothing_of_the_round_before(
    banker: FlaskClient, tables: Tables, moment: At
) -> None:
    # given a round in which everybody has paid wages, and whoever is last in the next without money
    table, shown = moment("later_hire")
    player = list(shown["position"]["players"])[-1]
    cash = shown["position"]["players"][player]["cash"]
    if cash:
        give(tables, table, do="correct_money", from_=player, to="bank", amount=cash, reason="as the story needs")

    # when the banker begins income, and they are short of their wages
    give(tables, table, do="correct_turn", phase="income", reason="the table is there")
    at = tables.get(table).show("banker")["position"]
    assert (at["phase"], at["waiting_for"]) == ("income", [player])

    # then each of them had before what they have now and what this round alone took
    settled_now = at["settlement"]["paid"]
    expected = [at["players"][seat]["cash"] + settled_now.get(seat, 0) for seat in at["seats"]]
    tablet, display = part(banker, table, "tablet"), part(banker, table, "display")
    assert before_of(tablet, r'data-label="Before">\$([\d,]+)<') == expected
    assert before_of(display, r"<dt>before</dt>\s*<dd>\s*\$([\d,]+)") == expected


def test_what_a_finished_building_paid_stands_in_the_settled_round(banker: FlaskClient, tables: Tables) -> None:
    # given bots that build, and the first price that is paid
    game = game_of_bots(tables, 2, 7)
    at = game.until(lambda at: at["phase"] == "hire" and any(player["completed"] for player in at["players"].values()))
    prices = [event for entry in tables.get(game.table.id).journal("banker") for event in entry["events"]]

    page = part(banker, game.table.id, "tablet").replace(f"Round {at['round'] - 1}: income", SETTLED)

    for paid_out in (event for event in prices if event["event"] == "PricePaid"):
        name = at["players"][paid_out["player"]]["name"]
        assert settled(page)[name][0] == f"+${paid_out['price']:,}"


def test_an_event_without_a_choice_is_told_until_the_first_plan_is_locked(
    banker: FlaskClient, tables: Tables, moment: At
) -> None:
    # given an event that left nobody a choice
    table, shown = moment("build")
    card = next(entry for entry in reversed(tables.get(table).entries) if entry.command["do"] == "turn_event").command[
        "card"
    ]
    html = part(banker, table, "tablet")
    assert "Event of this round" in html
    assert f"<span>{card}</span>" in html
    assert "Event of this round" in part(banker, table, "display")

    # when somebody locks a plan, then it is over
    give(tables, table, do="plan", player=shown["position"]["waiting_for"][0], work={})
    assert all("Event of this round" not in part(banker, table, name) for name in PARTS)


@pytest.mark.parametrize("name", ["first_hire", "auction", "event_choice", "loan", "end"])
def test_elsewhere_nothing_is_told(banker: FlaskClient, seen: At, name: str) -> None:
    for part_name in PARTS:
        page = part(banker, seen(name)[0], part_name)
        assert "Event of this round" not in page
        assert SETTLED not in page


def test_questions_are_answered_on_the_tablet_also_while_somebody_chooses_a_loan(
    banker: FlaskClient, as_caller: AsCaller, moment: At, scanner: FakeScanner
) -> None:
    # given somebody who has to borrow, and nothing that is asked
    table, shown = moment("loan")
    (player, *_) = shown["position"]["waiting_for"]
    page = part(banker, table, "tablet")
    assert 'data-layout="income"' in page
    assert 'class="sheet proposal' not in page
    assert 'class="sheet agreement' not in page
    give(scanner.tables, table, do="count_cash", player=player, amount=0)

    # when somebody else asks to undo it on their phone, and the camera sees a card
    other = next(seat for seat in shown["position"]["seats"] if seat != player)
    version = {"If-Match": str(scanner.tables.get(table).version)}
    asked = as_caller(Caller("player", other, table)).post(
        f"/api/v1/tables/{table}/agreements", json={"do": "undo"}, headers=version
    )
    assert asked.status_code == 202
    scanner.propose(table, {"do": "hire_worker", "player": player, "worker": "W07"})

    # then both can be answered on the tablet
    page = part(banker, table, "tablet")
    assert 'data-layout="income"' in page
    assert 'class="sheet proposal' in page
    assert 'class="sheet agreement' in page


@pytest.mark.parametrize("command", [{"do": "borrow", "loan": "large"}, {"do": "repay", "loan": "small"}])
def test_a_loan_of_the_next_round_is_no_part_of_the_round_before(
    banker: FlaskClient, tables: Tables, command: dict[str, str]
) -> None:
    # given a second round that has just been settled, and somebody who owes a loan
    ada = {"name": "Ada", "cash": 60_000, "workers": ["W01"], "contracts": {"C01": []}, "loans": {"small": 1}}
    about = {"game": "master_builder", "round": 2, "phase": "build", "start_player": "blue"}
    rules = {"loans": "voluntary_anytime_but_phase2"}
    players = {"blue": ada, "yellow": {"name": "Ben", "cash": 40_000}}
    position = {**about, "players": players, "rules": rules}
    table = tables.start(Request({"do": "take_over", "position": position}, "banker", "test")).id
    give(tables, table, do="plan", player="blue", work={})
    boards = settled_boards(banker, table)

    # when a loan is taken or paid back while everybody has the first chance to hire
    give(tables, table, player="blue", **command)

    # then tablet and big screen tell the round before as it was
    assert settled_boards(banker, table) == boards


def settled_boards(banker: FlaskClient, table: str) -> list[str]:
    """How the second round was settled, as the tablet and the big screen show it."""
    (tablet,) = re.findall(r"Round 2: income.*?</table>", part(banker, table, "tablet"), re.DOTALL)
    (display,) = re.findall(r'<section class="settled">.*?</section>', part(banker, table, "display"), re.DOTALL)
    return [tablet, display]


@pytest.mark.parametrize(("cash", "said"), [(0, "must borrow"), (60_000, "may borrow")])
def test_covered_money_is_not_said_to_be_short_where_wages_can_be_paid(
    banker: FlaskClient, tables: Tables, cash: int, said: str
) -> None:
    # given covered money, and somebody who is asked before the wages
    ada = {"name": "Ada", "cash": cash, "workers": ["W01"], "contracts": {"C01": []}}
    about = {"game": "master_builder", "round": 2, "phase": "build", "start_player": "blue"}
    rules = {"money": "hidden", "loans": "voluntary_phase5"}
    players = {"blue": ada, "yellow": {"name": "Ben", "cash": 40_000}}
    position = {**about, "players": players, "rules": rules}
    table = tables.start(Request({"do": "take_over", "position": position}, "banker", "test")).id
    give(tables, table, do="plan", player="blue", work={})

    # then the table says of them what the box beside it says
    page = part(banker, table, "tablet")
    assert "Money is covered on this tablet" in page
    assert f"Ada {said}" in page
    assert ("must borrow</b>" in page) == (said == "must borrow")
    assert ("Pay the wages" in page) == (said == "may borrow")
