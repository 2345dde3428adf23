"""A player's own phone: their seat, their decisions, and nobody else's secrets."""

import json
import re
from collections.abc import Callable

import pytest
from flask.testing import FlaskClient

from companion.games.master_builder.advice import best_plan
from companion.service.access.logins import Caller
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from companion.words import LANGUAGES
from tests.web_pages.conftest import At
from tests.web_pages.whole_games import house_moments, moments

NAMES = [moment.name for moment in (*moments(), *house_moments())]
CLOSED = ("tablet", "proposal", "count", "money", "card", "rename", "menu", "camera", "phones")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_seat_is_shown_at_every_moment(
    as_caller: Callable[[Caller], FlaskClient], seen: At, name: str, language: str
) -> None:
    table, shown = seen(name)
    for player, at in shown["position"]["players"].items():
        answer = as_caller(Caller("player", player, table)).get(f"/tables/{table}/seats/{player}?lang={language}")

        assert answer.status_code == 200
        html = answer.get_data(as_text=True)
        assert at["name"] in html
        assert 'data-part="seat"' in html
        others = set(shown["position"]["players"]) - {player}
        commands = re.findall(r"data-command='([^']*)'", html)
        assert not any(f'"player":"{other}"' in command for command in commands for other in others)


def test_a_seat_asks_only_of_whom_the_table_waits_for(as_caller: Callable[[Caller], FlaskClient], seen: At) -> None:
    table, shown = seen("auction")
    (bidder,) = shown["position"]["waiting_for"]
    other = next(player for player in shown["position"]["players"] if player != bidder)

    up = as_caller(Caller("player", bidder, table)).get(f"/tables/{table}/seats/{bidder}").text
    not_up = as_caller(Caller("player", other, table)).get(f"/tables/{table}/seats/{other}").text

    assert "Your turn: bid or pass" in up
    assert 'id="pad"' in up
    assert "Your turn" not in not_up
    assert 'id="pad"' not in not_up


def test_a_player_is_led_from_the_tablet_and_from_other_seats_to_his_own(
    as_caller: Callable[[Caller], FlaskClient], seen: At
) -> None:
    table, _ = seen("auction")
    phone = as_caller(Caller("player", "red", table))

    for path in (f"/tables/{table}", f"/tables/{table}/seats/blue"):
        led = phone.get(path, follow_redirects=True)
        assert led.request.path == f"/tables/{table}/seats/red"


def test_who_has_no_seat_is_led_away_from_it(
    as_caller: Callable[[Caller], FlaskClient], banker: FlaskClient, seen: At
) -> None:
    table, _ = seen("auction")

    assert banker.get(f"/tables/{table}/seats/red", follow_redirects=True).request.path == f"/tables/{table}"
    onlooker = as_caller(Caller("spectator", None, table))
    assert onlooker.get(f"/tables/{table}/seats/red", follow_redirects=True).request.path == f"/tables/{table}/display"


@pytest.mark.parametrize("part", CLOSED)
def test_what_is_the_bankers_is_not_given_to_a_phone(
    as_caller: Callable[[Caller], FlaskClient], seen: At, part: str
) -> None:
    table, _ = seen("auction")

    given = as_caller(Caller("player", "red", table)).get(f"/tables/{table}/live?part={part}")

    assert given.status_code == 404


def test_an_onlooker_is_given_no_part_but_the_display(as_caller: Callable[[Caller], FlaskClient], seen: At) -> None:
    table, _ = seen("auction")
    onlooker = as_caller(Caller("spectator", None, table))

    assert onlooker.get(f"/tables/{table}/live?part=display").status_code == 200
    assert onlooker.get(f"/tables/{table}/live?part=seat").status_code == 403


def test_no_byte_of_a_secret_plan_reaches_another_phone(
    as_caller: Callable[[Caller], FlaskClient], tables: Tables, moment: At
) -> None:
    # given a plan that one player has locked, with a worker who stands nowhere else on the page
    table, shown = moment("build")
    planner, other = shown["position"]["waiting_for"][:2]
    work = planned(tables, table, planner)
    marks = [json.dumps(sections, separators=(",", ":")) for sections in work.values()]

    # when everything that another phone can ask for is asked for
    bodies = everything(as_caller(Caller("player", other, table)), table, planner)

    # then the plan is in none of it, and the planner still has it
    plain = [body.replace("&#34;", '"').replace(" ", "") for body in bodies]
    assert not [mark for mark in marks for body in plain if mark in body]
    own = as_caller(Caller("player", planner, table)).get(f"/api/v1/tables/{table}/journal").get_json()["entries"][-1]
    assert own["command"]["work"] == work
    entry = as_caller(Caller("player", other, table)).get(f"/api/v1/tables/{table}/journal").get_json()["entries"][-1]
    assert "work" not in entry["command"]


def test_hidden_money_is_on_no_other_phone(as_caller: Callable[[Caller], FlaskClient], seen: At) -> None:
    # given hidden money, each player holding another sum than they show
    table, _ = seen("covered")
    players = list(
        as_caller(Caller("player", "red", table)).get(f"/api/v1/tables/{table}").get_json()["position"]["players"]
    )
    for player in players:
        phone = as_caller(Caller("player", player, table))
        position = phone.get(f"/api/v1/tables/{table}").get_json()["position"]

        # then each phone knows its own cash and no other
        assert [seat for seat, at in position["players"].items() if at["cash"] is not None] == [player]
        assert phone.get(f"/tables/{table}/live?part=seat").text.count("covered") == len(players) - 1


def planned(tables: Tables, table: str, player: str) -> dict[str, dict[str, list[str]]]:
    """Lock the best plan that a player has; give it."""
    running = tables.get(table)
    assert running.position is not None
    work: dict[str, dict[str, list[str]]] = {}
    for job in best_plan(running.position, player):
        work.setdefault(job.contract, {})[job.section] = list(job.workers)
    assert work
    running.submit(Request({"do": "plan", "player": player, "work": work}, player, "test"))
    return work


def everything(phone: FlaskClient, table: str, planner: str) -> list[str]:
    """Ask for every page, part and answer that a phone may have."""
    api = f"/api/v1/tables/{table}"
    parts = ("seat", "display", "plan", "journal", "hire", "seat_menu")
    paths = [api, f"{api}/journal", f"{api}/journal?format=jsonl", f"{api}/journal?format=csv"]
    paths += [f"/tables/{table}/live?part={part}&player={planner}" for part in parts]
    return [phone.get(path).text for path in paths]


def test_who_left_the_seat_is_led_to_the_door_and_told_why(
    as_caller: Callable[[Caller], FlaskClient], tables: Tables, moment: At
) -> None:
    # given somebody else who plays on in a seat
    table, _ = moment("later_hire")
    gone = as_caller(Caller("player", "blue", table))
    tables.get(table).submit(Request({"do": "replace_player", "player": "blue", "name": "Eve"}, "banker", "test"))

    # then the pages of who left lead to the door; what their page fetches is refused without words
    for path in (f"/tables/{table}/seats/blue", f"/tables/{table}/display"):
        answer = gone.get(path)
        assert (answer.status_code, answer.location) == (302, "/login?error=seat")
    assert gone.get(f"/tables/{table}/live?part=seat").status_code == 403
    assert "can no longer see this table" in gone.get("/login?error=seat").text


def test_a_guest_of_a_table_that_is_gone_is_led_to_the_door_and_the_banker_to_the_lobby(
    as_caller: Callable[[Caller], FlaskClient], banker: FlaskClient
) -> None:
    guest = as_caller(Caller("spectator", None, "gone"))
    assert guest.get("/tables/gone/display").location == "/login?error=seat"
    assert banker.get("/tables/gone").location == "/"
    assert guest.get("/tables/gone/live?part=display").status_code == 404
