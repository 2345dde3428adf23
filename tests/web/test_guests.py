"""One code for everybody: each taps their name, goes on to the next game, and can be logged out alone."""

import json
import re
from collections.abc import Callable
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.service.access.guests import Guest
from companion.service.access.logins import LOGIN_COOKIE, Caller
from companion.service.services import Services
from companion.web.http.guests import JOINING_COOKIE

PLAYERS = [{"id": "blue", "name": "Bartholomew"}, {"id": "yellow", "name": "Anne-Sophie"}]
BEGUN = {"do": "start_game", "game": "master_builder", "catalog": "house", "first": "blue", "players": PLAYERS}


def begun(banker: FlaskClient, follows: str | None = None, **other: object) -> str:
    """Start a table; give its id."""
    where = "/api/v1/tables" if follows is None else f"/api/v1/tables?follows={follows}"
    answer = banker.post(where, json={**BEGUN, **other})
    assert answer.status_code == 201, answer.text
    return str(answer.get_json()["id"])


def code(banker: FlaskClient, table: str) -> str:
    """Return the path to which the one code of a table leads."""
    address = banker.get(f"/api/v1/tables/{table}/guests").get_json()["address"]
    return str(address[address.index("/join/") :])


def joined(app: Flask, path: str, player: str) -> FlaskClient:
    """A phone that scanned the code and tapped a name."""
    phone = app.test_client()
    asked = phone.get(path)
    assert asked.status_code == 303
    answer = phone.post(asked.headers["Location"], data={"player": player})
    assert answer.status_code == 303, answer.text
    return phone


def test_a_phone_whose_answer_was_lost_gets_its_seat_when_it_taps_again(app: Flask, banker: FlaskClient) -> None:
    # given a phone that tapped a name, whose answer never came
    table = begun(banker)
    phone, other = app.test_client(), app.test_client()
    seats = phone.get(code(banker, table)).headers["Location"]
    shown = phone.get(seats)
    other.get(seats)
    lost = phone.post(seats, data={"player": "blue"})
    phone.delete_cookie(LOGIN_COOKIE)
    for cookie in shown.headers.getlist("Set-Cookie"):  # those that it had before
        name, _, value = cookie.partition(";")[0].partition("=")
        phone.set_cookie(name, value)

    # when it taps the name again, then the seat is its own, and no other phone's
    assert lost.status_code == 303
    assert other.post(seats, data={"player": "blue"}).status_code == 409
    assert phone.post(seats, data={"player": "blue"}).status_code == 303
    assert phone.get(f"/tables/{table}/seats/blue").status_code == 200
    assert len(banker.get(f"/api/v1/tables/{table}/guests").get_json()["guests"]) == 1

    # and what named it while it chose is gone
    assert phone.get_cookie(JOINING_COOKIE) is None


def test_a_new_table_takes_nobody_away_from_one_of_several_running_tables(app: Flask, banker: FlaskClient) -> None:
    # given the only table, with a phone at it, whose organiser opens the lobby: its phones may go on to the next game
    first = begun(banker)
    joined(app, code(banker, first), "blue")
    assert banker.get(f"/tables/{first}").status_code == 200
    lobby = banker.get("/").text
    assert f'data-follows="{first}"' in lobby
    assert "The phones of the last game come along (Bartholomew and Anne-Sophie)" in lobby

    # when another table is begun, and the organiser looks at the first on the way to a third one
    second = begun(banker)
    assert banker.get(f"/tables/{first}").status_code == 200
    lobby = banker.get("/").text

    # then nobody at the first is led away
    assert 'data-follows=""' in lobby
    assert "come-along" not in lobby

    # but whoever plays again there takes its phones along
    assert f'data-follows="{first}"' in banker.get(f"/?again={first}").text

    # and with the other table in the bin there is one table again
    banker.post(f"/api/v1/tables/{second}/bin", json={"in": True})
    assert f'data-follows="{first}"' in banker.get("/").text


def test_whoever_scans_the_one_code_taps_his_name_and_has_his_seat(app: Flask, banker: FlaskClient) -> None:
    # given a table and its code
    table = begun(banker)

    # when a phone scans it, then it is asked who it is
    phone = app.test_client()
    asked = phone.get(code(banker, table), follow_redirects=True)
    assert re.findall(r"<b>([^<]+)</b>", asked.text) == ["Bartholomew", "Anne-Sophie"]

    # when a name is tapped, then it is that player's, at that table
    seat = phone.post(asked.request.path, data={"player": "yellow"})
    assert seat.headers["Location"] == f"/tables/{table}/seats/yellow"
    assert phone.get(f"/tables/{table}/seats/yellow").status_code == 200
    assert phone.get(f"/tables/{table}/seats/blue").status_code == 302


def test_a_name_that_is_taken_says_so_and_is_not_given_twice(app: Flask, banker: FlaskClient) -> None:
    # given a phone that has joined
    table = begun(banker)
    path = code(banker, table)
    joined(app, path, "blue")

    # when another one scans, then the name is no button any more, and is refused
    other = app.test_client()
    asked = other.get(path, follow_redirects=True)
    assert re.findall(r'<button class="who-name" name="player" value="(\w+)"', asked.text) == ["yellow"]
    assert "joined by phone" in asked.text
    refused = other.post(asked.request.path, data={"player": "blue"})
    assert refused.status_code == 409
    assert "Somebody else has just taken that name." in refused.text
    assert other.get(f"/tables/{table}/seats/blue").status_code == 303  # to the door


def open_names(app: Flask, path: str) -> list[str]:
    """The seats that a new phone may still tap."""
    asked = app.test_client().get(path, follow_redirects=True)
    return re.findall(r'<button class="who-name" name="player" value="(\w+)"', asked.text)


def test_whoever_leaves_his_seat_frees_his_name(app: Flask, banker: FlaskClient) -> None:
    # given a phone that has joined, and a screen that shows the code
    table = begun(banker)
    path = code(banker, table)
    phone = joined(app, path, "blue")
    assert open_names(app, path) == ["yellow"]

    # when they leave the seat
    phone.post("/logout")

    # then their name can be tapped again, with the same phone too
    assert open_names(app, path) == ["blue", "yellow"]
    assert banker.get(f"/api/v1/tables/{table}/guests").get_json()["guests"] == []
    assert joined(app, path, "blue").get(f"/tables/{table}/seats/blue").status_code == 200


def test_a_seat_that_somebody_else_took_over_frees_its_name(app: Flask, banker: FlaskClient) -> None:
    # given a phone that has joined
    table = begun(banker)
    path = code(banker, table)
    joined(app, path, "blue")

    # when somebody else sits down in their place
    command = {"do": "replace_player", "player": "blue", "name": "Wilhelmina"}
    done = banker.post(f"/api/v1/tables/{table}/commands", json=command, headers={"If-Match": '"1"'})
    assert done.status_code == 200, done.text

    # then her name waits for her phone
    assert open_names(app, path) == ["blue", "yellow"]
    assert banker.get(f"/api/v1/tables/{table}/guests").get_json()["guests"] == []


def test_whoever_only_watches_has_the_big_screen(app: Flask, banker: FlaskClient) -> None:
    table = begun(banker)
    watcher = app.test_client()
    asked = watcher.get(code(banker, table), follow_redirects=True)
    answer = watcher.post(asked.request.path, data={"player": "watch"})
    assert answer.headers["Location"] == f"/tables/{table}/display"
    assert watcher.get(f"/tables/{table}/display").status_code == 200


@pytest.mark.parametrize("wish", ["", "red", "no such", "banker"])
def test_no_other_name_is_taken(app: Flask, banker: FlaskClient, wish: str) -> None:
    table = begun(banker)
    phone = app.test_client()
    asked = phone.get(code(banker, table), follow_redirects=True)
    assert phone.post(asked.request.path, data={"player": wish}).status_code == 409
    assert phone.get(f"/api/v1/tables/{table}").status_code == 401


def test_the_same_phone_goes_on_to_the_next_game_by_its_name(app: Flask, banker: FlaskClient) -> None:
    # given a phone, and somebody who watches, at a first game
    first = begun(banker)
    phone = joined(app, code(banker, first), "yellow")
    watcher = joined(app, code(banker, first), "watch")

    # when the next game has begun, in which she sits elsewhere
    others = [{"id": "red", "name": "Anne-Sophie"}, {"id": "blue", "name": "Maximilian"}]
    then = begun(banker, first, players=others, first="red")

    # then both are told so, and led there
    assert phone.get(f"/tables/{first}/next").headers["Location"] == f"/tables/{then}/seats/red"
    assert phone.get(f"/tables/{then}/seats/red").status_code == 200
    assert watcher.get(f"/tables/{first}/next").headers["Location"] == f"/tables/{then}/display"
    assert watcher.get(f"/tables/{then}/display").status_code == 200

    # and the banker's own big screen too
    assert banker.get(f"/tables/{first}/next").headers["Location"] == f"/tables/{then}/display"


def test_a_phone_whose_name_is_not_there_is_asked_again(app: Flask, banker: FlaskClient) -> None:
    first = begun(banker)
    phone = joined(app, code(banker, first), "blue")
    others = [{"id": "red", "name": "Anne-Sophie"}, {"id": "blue", "name": "Maximilian"}]
    begun(banker, first, players=others, first="red")

    asked = phone.get(f"/tables/{first}/next", follow_redirects=True)

    assert "Who are you?" in asked.text
    assert re.findall(r"<b>([^<]+)</b>", asked.text) == ["Anne-Sophie", "Maximilian"]


def test_a_game_in_the_bin_does_not_hold_its_phones(app: Flask, banker: FlaskClient) -> None:
    # given a first game that was put into the bin after the next had begun
    first = begun(banker)
    phone = joined(app, code(banker, first), "blue")
    then = begun(banker, first)
    assert banker.post(f"/api/v1/tables/{first}/bin", json={"in": True}).status_code == 200

    # then its phone, which was asleep, still goes on
    led = phone.get(f"/tables/{first}/seats/blue")
    assert led.headers["Location"] == f"/tables/{first}/next"
    assert phone.get(led.headers["Location"]).headers["Location"] == f"/tables/{then}/seats/blue"


def _hears_next(device: FlaskClient, table: str) -> str | None:
    """Return to which table the stream of a table leads a device."""
    stream = device.get(f"/api/v1/tables/{table}/stream?data=version&once=1").text
    (sighting,) = re.findall(r"event: sight\ndata: (.*)", stream)
    then = json.loads(sighting).get("next")
    return None if then is None else str(then)


def _names_to_choose(device: FlaskClient, path: str) -> list[str]:
    return re.findall(r"<b>([^<]+)</b>", device.get(path, follow_redirects=True).text)


def test_a_next_game_in_the_bin_leads_nobody_away_until_it_is_taken_out(
    app: Flask, banker: FlaskClient, services: Services
) -> None:
    # given a game with a phone, a television and a host, and a next game that was begun by mistake
    first = begun(banker)
    path = code(banker, first)
    phone, television = joined(app, path, "blue"), joined(app, path, "watch")
    host = app.test_client()
    link = services.guests.link(Caller("host", None, first))
    assert host.get(f"/join/{services.logins.join_token(link)}").status_code == 303
    then = begun(banker, first)

    # when that is put into the bin
    count = services.tables.get(first).signal.count
    assert banker.post(f"/api/v1/tables/{then}/bin", json={"in": True}).status_code == 200

    # then everybody stays at the first one, is told so at once, and new phones find its seats
    assert services.tables.get(first).signal.count > count
    for device in (phone, television, host):
        assert _hears_next(device, first) is None
        assert device.get(f"/tables/{first}/next").headers["Location"] == f"/tables/{first}/display"
    assert phone.get(f"/tables/{first}/seats/blue").status_code == 200
    assert _names_to_choose(app.test_client(), path) == ["Bartholomew", "Anne-Sophie"]

    # and out of the bin it leads them on again
    count = services.tables.get(first).signal.count
    assert banker.post(f"/api/v1/tables/{then}/bin", json={"in": False}).status_code == 200
    assert services.tables.get(first).signal.count > count
    for device in (phone, television, host):
        assert _hears_next(device, first) == then
    assert phone.get(f"/tables/{first}/next").headers["Location"] == f"/tables/{then}/seats/blue"


def test_a_next_game_that_an_older_backup_does_not_have_leads_nobody_away(
    app: Flask, banker: FlaskClient, services: Services
) -> None:
    # given a game whose next one is in no journal any more, because a backup from before it was put in place
    first = begun(banker)
    path = code(banker, first)
    television = joined(app, path, "watch")
    services.guests.go_on(first, "lost")
    services.guests.organiser_is_at("lost")

    # then its screen stays, and new phones find its seats
    assert _hears_next(television, first) is None
    assert television.get(f"/tables/{first}/next").headers["Location"] == f"/tables/{first}/display"
    assert _names_to_choose(app.test_client(), path) == ["Bartholomew", "Anne-Sophie"]


def test_who_went_along_to_a_game_in_the_bin_comes_along_to_the_next_one(
    app: Flask, banker: FlaskClient, services: Services
) -> None:
    # given a phone that went along to a next game, which was then put into the bin; another stayed at the first
    first = begun(banker)
    phone, other = joined(app, code(banker, first), "blue"), joined(app, code(banker, first), "yellow")
    then = begun(banker, first)
    phone.get(f"/tables/{first}/next")
    assert banker.get(f"/tables/{then}").status_code == 200
    banker.post(f"/api/v1/tables/{then}/bin", json={"in": True})
    assert phone.get("/").status_code == 410

    # when the next one is begun from the lobby
    assert f'data-follows="{then}"' in banker.get("/").text
    count = services.tables.get(first).signal.count
    third = begun(banker, then)

    # then both are told, and led to their seats there
    assert phone.get("/").headers["Location"] == f"/tables/{then}/next"
    assert phone.get(f"/tables/{then}/next").headers["Location"] == f"/tables/{third}/seats/blue"
    assert services.tables.get(first).signal.count > count
    assert _hears_next(other, first) == third
    assert other.get(f"/tables/{first}/next").headers["Location"] == f"/tables/{third}/seats/yellow"


def test_without_a_next_game_nobody_is_led_anywhere(app: Flask, banker: FlaskClient) -> None:
    table = begun(banker)
    phone = joined(app, code(banker, table), "blue")
    assert phone.get(f"/tables/{table}/next").headers["Location"] == f"/tables/{table}/display"


def test_only_those_of_the_table_may_follow(app: Flask, banker: FlaskClient) -> None:
    first, elsewhere = begun(banker), begun(banker)
    stranger = joined(app, code(banker, elsewhere), "blue")
    begun(banker, first)
    assert stranger.get(f"/tables/{first}/next").headers["Location"] == "/login?error=seat"


def test_one_phone_is_logged_out_alone(app: Flask, banker: FlaskClient) -> None:
    # given two phones
    table = begun(banker)
    path = code(banker, table)
    first, other = joined(app, path, "blue"), joined(app, path, "yellow")
    there = banker.get(f"/api/v1/tables/{table}/guests").get_json()["guests"]
    assert [guest["player"] for guest in there] == ["blue", "yellow"]

    # when the banker logs one out
    assert banker.delete(f"/api/v1/tables/{table}/guests/{there[0]['device']}").status_code == 200

    # then that one is nobody any more, the other plays on, and the name is free again
    assert first.get(f"/api/v1/tables/{table}").status_code == 401
    assert other.get(f"/api/v1/tables/{table}").status_code == 200
    again = joined(app, path, "blue")
    assert again.get(f"/api/v1/tables/{table}").status_code == 200


def test_the_sheet_on_the_tablet_logs_a_phone_out(app: Flask, banker: FlaskClient) -> None:
    table = begun(banker)
    phone = joined(app, code(banker, table), "yellow")
    sheet = banker.get(f"/tables/{table}/live?part=phones").text
    (device,) = re.findall(r'name="device"\s+value="([^"]+)"', sheet)

    assert banker.post(f"/tables/{table}/log-out", data={"device": device}).status_code == 303

    assert phone.get(f"/api/v1/tables/{table}").status_code == 401
    assert banker.delete(f"/api/v1/tables/{table}/guests/{device}").status_code == 404


def test_all_phones_are_logged_out_at_once_and_old_codes_with_them(app: Flask, banker: FlaskClient) -> None:
    table = begun(banker)
    path = code(banker, table)
    phone = joined(app, path, "blue")

    assert banker.delete("/api/v1/guests").status_code == 200

    assert phone.get(f"/api/v1/tables/{table}").status_code == 401
    late = app.test_client().get(path, follow_redirects=True)
    assert "That invitation has expired." in late.text
    assert joined(app, code(banker, table), "blue").get(f"/api/v1/tables/{table}").status_code == 200


def test_guests_neither_log_out_others_nor_see_who_is_there(
    app: Flask, banker: FlaskClient, as_caller: Callable[[Caller], FlaskClient]
) -> None:
    table = begun(banker)
    player = as_caller(Caller("player", "blue", table))
    assert player.get(f"/api/v1/tables/{table}/guests").status_code == 403
    assert player.delete(f"/api/v1/tables/{table}/guests/x").status_code == 403
    assert player.delete("/api/v1/guests").status_code == 403
    assert player.post(f"/tables/{table}/log-out", data={"device": "x"}).status_code == 403
    assert app.test_client().get(f"/tables/{table}/next").status_code == 303


def test_the_code_of_the_lobby_waits_for_the_game_and_then_shows_its_names(
    app: Flask, banker: FlaskClient, services: Services
) -> None:
    # given a code that was scanned in the lobby, after a game that is over for these people
    token = services.logins.open_invitation_token(services.guests.invitation_epoch, None)
    services.guests.organiser_is_at("no such table")
    phone = app.test_client()
    asked = phone.get(f"/join/{token}", follow_redirects=True)
    assert "The game has not started yet." in asked.text

    # when the game begins, then its names are there
    table = begun(banker)
    names = phone.get(f"/who/{token}?part=names")
    assert re.findall(r"<b>([^<]+)</b>", names.text) == ["Bartholomew", "Anne-Sophie"]
    assert phone.post(f"/who/{token}", data={"player": "blue"}).headers["Location"] == f"/tables/{table}/seats/blue"


def test_what_is_no_code_leads_to_the_door(app: Flask) -> None:
    phone = app.test_client()
    for path in ("/who/nonsense", "/join/nonsense"):
        assert "/login" in phone.get(path).headers["Location"]
    assert "/login" in phone.post("/who/nonsense", data={"player": "blue"}).headers["Location"]


def test_a_table_that_does_not_exist_is_not_followed(banker: FlaskClient) -> None:
    assert banker.post("/api/v1/tables?follows=nowhere", json=BEGUN).status_code == 404


def test_a_renamed_player_is_found_by_the_name_he_has_now(app: Flask, banker: FlaskClient) -> None:
    first = begun(banker)
    phone = joined(app, code(banker, first), "blue")
    banker.post(
        f"/api/v1/tables/{first}/commands",
        json={"do": "rename_player", "player": "blue", "name": "Maximilian"},
        headers={"If-Match": "1"},
    )
    then = begun(
        banker, first, players=[{"id": "red", "name": "Maximilian"}, {"id": "blue", "name": "Cleo"}], first="red"
    )
    assert phone.get(f"/tables/{first}/next").headers["Location"] == f"/tables/{then}/seats/red"


def test_a_seat_that_somebody_else_has_taken_meanwhile_is_not_given_twice(
    app: Flask, banker: FlaskClient, services: Services
) -> None:
    first = begun(banker)
    phone = joined(app, code(banker, first), "blue")
    then = begun(banker, first)
    services.guests.came(Guest("another", then, "blue", "Bartholomew"))
    assert phone.get(f"/tables/{first}/next").headers["Location"].startswith("/who/")


def test_whoever_plays_again_begins_as_the_beginning_was_put_right(banker: FlaskClient) -> None:
    # given a game whose beginning was corrected: another player more, who starts, and another rule
    table = begun(banker)
    players = [{"id": "red", "name": "Maximilian"}, *PLAYERS]
    start = {**BEGUN, "first": "red", "players": players, "rules": {"money": "hidden"}}
    amend = {"do": "amend", "seq": 1, "with": start, "confirm": True}
    answer = banker.post(f"/api/v1/tables/{table}/commands", json=amend, headers={"If-Match": "1"})
    assert answer.status_code == 200, answer.text

    # then the lobby has all of that
    (kept,) = re.findall(r'data-again="([^"]*)"', banker.get(f"/?again={table}").text)
    again = json.loads(unescape(kept))
    assert [seat["name"] for seat in again["players"]] == ["Maximilian", "Bartholomew", "Anne-Sophie"]
    assert (again["first"], again["rules"]) == ("red", {"money": "hidden"})
