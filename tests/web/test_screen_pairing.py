"""A television shows letters, the banker's tablet confirms them, and the television shows the table."""

import re
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.service.access.screens import (
    MOST_OF_ADDRESS,
    MOST_WAITING,
    MOST_WAITING_IN_HALL,
    VALID_S,
    ScreenPairings,
    TooManyScreens,
)
from companion.service.services import Services
from tests.web.conftest import ManualClock
from tests.web.test_guests import begun

PLAYED = re.compile("Bartholomew|Anne-Sophie|Master Builder")
WRONG = "No television shows these letters now"


def letters_on(television: FlaskClient) -> str:
    """The letters that a television shows."""
    shown = television.get("/tv")
    assert (shown.status_code, 'data-every="3"' in shown.text) == (200, True)
    (letters,) = re.findall(r'class="joining-letters">(\w{4})<', shown.text)
    return str(letters)


def let_in(banker: FlaskClient, table: str, letters: str) -> int:
    """Type letters on the tablet; return the status of the answer."""
    return banker.post(f"/tables/{table}/screens", data={"letters": letters}).status_code


def test_a_television_shows_the_table_once_the_tablet_has_taken_its_letters(app: Flask, banker: FlaskClient) -> None:
    # given a television that opened the page of a table without a login
    table = begun(banker)
    television = app.test_client()
    assert television.get(f"/tables/{table}/display").headers["Location"] == "/tv"
    letters = letters_on(television)

    # when its letters are typed on the tablet, in any case
    assert let_in(banker, table, letters.lower()) == 303

    # then it shows the table by itself, and may do nothing
    assert television.get("/tv").headers["Location"] == f"/tables/{table}/display"
    assert "Bartholomew" in television.get(f"/tables/{table}/display").text
    given = television.post(f"/api/v1/tables/{table}/commands", json={"do": "undo"}, headers={"If-Match": "1"})
    assert given.status_code == 403
    assert television.get("/tv").headers["Location"] == f"/tables/{table}/display"


def test_before_the_confirmation_a_stranger_learns_nothing(app: Flask, banker: FlaskClient) -> None:
    # given a game, and a stranger's television
    table = begun(banker)
    stranger = app.test_client()

    # then its page is the same whether there is a game or not, and names none
    shown = stranger.get("/tv").text
    assert not PLAYED.search(re.sub(r"<symbol.*?</symbol>", "", shown, flags=re.DOTALL))
    for path in (f"/tables/{table}/display", "/tables/none/display"):
        assert stranger.get(path).headers["Location"] == "/tv"
    letters = letters_on(stranger)

    # and it cannot confirm itself
    assert stranger.get(f"/tv/{letters}").headers["Location"].startswith("/login?")
    assert let_in(stranger, table, letters) == 303
    assert stranger.post(f"/api/v1/tables/{table}/screens", json={"letters": letters}).status_code == 401
    assert letters_on(stranger) == letters


def test_letters_are_used_once_and_by_the_television_that_shows_them(app: Flask, banker: FlaskClient) -> None:
    table = begun(banker)
    television, other = app.test_client(), app.test_client()
    letters = letters_on(television)
    other_letters = letters_on(other)
    assert let_in(banker, table, letters) == 303
    assert let_in(banker, table, letters) == 404
    assert letters_on(other) == other_letters


def test_letters_expire(app: Flask, banker: FlaskClient, clock: ManualClock) -> None:
    table = begun(banker)
    television = app.test_client()
    letters = letters_on(television)
    clock.now += VALID_S
    assert let_in(banker, table, letters) == 404
    assert letters_on(television) != letters


def test_wrong_letters_are_answered_by_a_sentence_and_a_field(banker: FlaskClient) -> None:
    table = begun(banker)
    answer = banker.post(f"/tables/{table}/screens", data={"letters": "BBBB"})
    assert answer.status_code == 404
    assert WRONG in answer.text
    assert 'name="letters"' in answer.text


@pytest.mark.parametrize("letters", ["", "HKTI", "<b>", "B" * 5_000])
def test_what_are_no_letters_is_refused_likewise(banker: FlaskClient, letters: str) -> None:
    assert let_in(banker, begun(banker), letters) == 404


def test_the_code_on_the_television_leads_the_banker_to_one_button(app: Flask, banker: FlaskClient) -> None:
    # given a television whose square the banker scanned
    table = begun(banker)
    banker.get(f"/tables/{table}")
    television = app.test_client()
    letters = letters_on(television)
    asked = banker.get(f"/tv/{letters}")

    # then it asks, for the game that goes on, with the letters filled in, and nothing is confirmed yet
    assert "Bartholomew and Anne-Sophie" in asked.text
    assert f'action="/tables/{table}/screens"' in asked.text
    assert f'value="{letters}"' in asked.text
    assert letters_on(television) == letters


def test_before_a_game_a_television_shows_the_lobby_and_then_the_table(app: Flask, banker: FlaskClient) -> None:
    # given a television that was let in before a game
    television = app.test_client()
    letters = letters_on(television)
    assert 'action="/screens"' in banker.get("/screens").text
    assert banker.post("/screens", data={"letters": letters}).headers["Location"] == "/"

    # then it shows how to join, again and again
    for _ in range(2):
        assert "Point your phone at the square" in television.get("/tv").text

    # when the game begins, then it shows the table
    table = begun(banker)
    assert television.get("/tv?part=lobby").headers["Location"] == f"/tables/{table}/display"
    assert television.get(f"/tables/{table}/display").status_code == 200


def test_a_lobby_screen_waits_again_when_everybody_is_logged_out(app: Flask, banker: FlaskClient) -> None:
    television = app.test_client()
    assert banker.post("/screens", data={"letters": letters_on(television)}).status_code == 303
    assert television.get("/tv?part=lobby").status_code == 200
    banker.delete("/api/v1/guests")
    assert television.get("/tv?part=lobby").status_code == 409
    assert letters_on(television)


@pytest.mark.parametrize("path", ["/screens", "/tables/t1/screens"])
def test_strangers_let_nobody_in(app: Flask, banker: FlaskClient, path: str) -> None:
    begun(banker)
    letters = letters_on(app.test_client())
    assert app.test_client().post(path, data={"letters": letters}).headers["Location"].startswith("/login")
    assert banker.post("/screens", data={"letters": letters}).status_code == 303  # they are still good


def test_only_the_banker_lets_screens_in(
    app: Flask, banker: FlaskClient, as_caller: Callable[[Caller], FlaskClient]
) -> None:
    table = begun(banker)
    letters = letters_on(app.test_client())
    player = as_caller(Caller("player", "blue", table))
    assert let_in(player, table, letters) == 403
    assert player.post(f"/api/v1/tables/{table}/screens", json={"letters": letters}).status_code == 403
    shown = player.get(f"/tv/{letters}", follow_redirects=True)
    assert shown.request.path == f"/tables/{table}/seats/blue"


def test_whoever_was_let_in_is_logged_out_with_everybody_and_waits_again(app: Flask, banker: FlaskClient) -> None:
    # given a television that was confirmed, and one that shows the table
    table = begun(banker)
    late, shown = app.test_client(), app.test_client()
    for television in (late, shown):
        assert let_in(banker, table, letters_on(television)) == 303
    assert shown.get("/tv").status_code == 302 or shown.get("/tv").status_code == 303

    # when everybody is logged out
    banker.delete("/api/v1/guests")

    # then neither sees the table
    letters_on(late)
    assert shown.get(f"/api/v1/tables/{table}").status_code == 401


def test_the_tablet_has_a_field_for_the_letters_of_a_television(banker: FlaskClient) -> None:
    table = begun(banker)
    sheet = banker.get(f"/tables/{table}/live?part=phones").text
    assert f'action="/tables/{table}/screens"' in sheet
    assert "Open localhost/tv on it" in sheet


def test_a_program_waits_as_a_screen(app: Flask, banker: FlaskClient) -> None:
    # given a program that shows letters
    table = begun(banker)
    program = app.test_client()
    waiting = program.post("/api/v1/screens").get_json()
    assert waiting["address"] == f"http://localhost/tv/{waiting['letters']}"
    too_early = program.post("/api/v1/logins", json={"screen": waiting["token"]})
    assert (too_early.status_code, too_early.get_json()["detail"]) == (
        401,
        "The banker has not let this screen in yet.",
    )

    # when the banker lets it in
    assert banker.post(f"/api/v1/tables/{table}/screens", json={"letters": waiting["letters"]}).status_code == 201
    assert banker.post(f"/api/v1/tables/{table}/screens", json={"letters": waiting["letters"]}).status_code == 404

    # then its token is a login, once
    login = program.post("/api/v1/logins", json={"screen": waiting["token"]}).get_json()
    assert (login["role"], login["table"]) == ("spectator", table)
    again = app.test_client().post("/api/v1/logins", json={"screen": waiting["token"]})
    assert again.status_code == 401


def test_no_number_of_screens_fills_the_memory_or_pushes_out_those_of_others(clock: ManualClock) -> None:
    # given a television, and a device elsewhere that begins again and again
    pairings = ScreenPairings(clock)
    television = pairings.begin("192.168.1.5")
    begun_there = [pairings.begin("192.168.1.66") for _ in range(100)]

    # then the television still waits, and of the others a few
    assert pairings.waiting_screen(television.token) == television
    assert sum(pairings.waiting_screen(screen.token) is not None for screen in begun_there) == MOST_OF_ADDRESS


def test_too_many_screens_are_asked_to_wait(app: Flask, services: Services, clock: ManualClock) -> None:
    # given screens at many addresses
    for number in range(MOST_WAITING):
        services.pairings.begin(f"192.168.2.{number}")

    # then one more is asked to wait, in words, and goes on by itself
    full = app.test_client().get("/tv")
    assert (full.status_code, 'data-every="30"' in full.text) == (503, True)
    assert "Too many screens are waiting." in full.text
    refused = app.test_client().post("/api/v1/screens")
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, str(VALID_S))
    clock.now += VALID_S
    assert letters_on(app.test_client())


def test_a_screen_that_was_switched_off_makes_room_for_another_and_those_that_ask_on_stay(
    app: Flask, services: Services, clock: ManualClock
) -> None:
    # given as many screens as may wait, of which all but one ask on as their pages do
    screens = [services.pairings.begin(f"192.168.2.{number}") for number in range(MOST_WAITING)]
    off, *others = screens
    assert app.test_client().get("/tv").status_code == 503
    for _ in range(5):
        clock.now += 3
        for screen in others:
            assert services.pairings.collect(screen.token) is None

    # when another one comes, then it has the place of the one that asks no more, and the next one waits
    assert letters_on(app.test_client())
    assert services.pairings.waiting_screen(off.token) is None
    assert all(services.pairings.waiting_screen(screen.token) for screen in others)
    assert app.test_client().get("/tv").status_code == 503


def test_in_a_hall_more_screens_may_wait_than_at_home(clock: ManualClock) -> None:
    pairings = ScreenPairings(clock, most=MOST_WAITING_IN_HALL)
    for number in range(MOST_WAITING_IN_HALL):
        pairings.begin(f"192.168.{number % 7}.{number // 7}")
    with pytest.raises(TooManyScreens):
        pairings.begin("192.168.9.9")


def test_letting_a_screen_in_by_the_api_again_with_the_same_key_is_the_same_answer(
    app: Flask, banker: FlaskClient, table: str
) -> None:
    # given a screen that was let in, where the answer was lost
    waiting = app.test_client().post("/api/v1/screens").get_json()
    answers = [
        banker.post(f"{table}/screens", json={"letters": waiting["letters"]}, headers={"Idempotency-Key": key})
        for key in ("k", "k", "another")
    ]

    # then the same request again is answered as the first, and the letters are void for any other
    assert [answer.status_code for answer in answers] == [201, 201, 404]
    assert answers[0].json == answers[1].json
