"""Short addresses: four letters on the big screen lead a phone to where it joins, and to nothing else."""

import re
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.service.access.logins import LETTERS, Caller, Logins, read_letters, spell_letters
from companion.service.services import Services
from tests.web.conftest import PIN, SECRET, ManualClock
from tests.web.test_guests import begun

NOWHERE = "No table has these letters"


def letters_of(banker: FlaskClient, table: str) -> str:
    """The letters that lead to a table."""
    return str(banker.get(f"/api/v1/tables/{table}/guests").get_json()["letters"])


def other_letters(*right: str) -> list[str]:
    """Letters that lead nowhere, as many as somebody tries."""
    wrong = (spell_letters(number) for number in range(1_000))
    return [letters for letters in wrong if letters not in right][:20]


def seats_offered(answer_text: str) -> list[str]:
    return re.findall(r'<button class="who-name" name="player" value="(\w+)"', answer_text)


@pytest.mark.parametrize("typed", [str.upper, str.lower, str.title])
def test_the_letters_lead_to_the_free_seats_in_any_case(
    app: Flask, banker: FlaskClient, typed: Callable[[str], str]
) -> None:
    # given a table, and a phone of a stranger
    table = begun(banker)
    phone = app.test_client()

    # when it opens the short address
    asked = phone.get(f"/{typed(letters_of(banker, table))}", follow_redirects=True)

    # then it is asked who it is, and has the seat that it taps, as by the code
    assert seats_offered(asked.text) == ["blue", "yellow"]
    seat = phone.post(asked.request.path, data={"player": "yellow"})
    assert seat.headers["Location"] == f"/tables/{table}/seats/yellow"


def test_the_letters_alone_show_nothing_of_the_game(app: Flask, banker: FlaskClient) -> None:
    table = begun(banker)
    phone = app.test_client()
    led = phone.get(f"/{letters_of(banker, table)}")
    assert (led.status_code, "Set-Cookie" in led.headers) == (303, False)
    assert led.headers["Location"].startswith("/who/")
    assert phone.get(f"/api/v1/tables/{table}").status_code == 401


def test_every_table_has_letters_of_its_own(app: Flask, banker: FlaskClient) -> None:
    first, other = begun(banker), begun(banker)
    for table in (first, other):
        asked = app.test_client().get(f"/{letters_of(banker, table)}", follow_redirects=True)
        seat = app.test_client().post(asked.request.path, data={"player": "blue"})
        assert seat.headers["Location"] == f"/tables/{table}/seats/blue"


def test_the_field_takes_the_letters_with_spaces(app: Flask, banker: FlaskClient) -> None:
    letters = letters_of(banker, begun(banker)).lower()
    led = app.test_client().get("/join", query_string={"letters": f" {letters[:2]} {letters[2:]}"})
    assert led.headers["Location"].startswith("/who/")


def test_wrong_letters_are_answered_by_a_sentence_and_a_field(app: Flask, banker: FlaskClient) -> None:
    table = begun(banker)
    phone = app.test_client()
    wrong = phone.get(f"/{other_letters(letters_of(banker, table))[0]}")
    assert wrong.status_code == 404
    assert NOWHERE in wrong.text
    assert 'name="letters"' in wrong.text


@pytest.mark.parametrize("path", ["/wiki", "/join?letters=", "/join?letters=ABCDE", "/join?letters=%C3%84%C3%84BC"])
def test_what_no_address_has_is_no_guess(app: Flask, banker: FlaskClient, path: str) -> None:
    table = begun(banker)
    phone = app.test_client()
    for _ in range(12):
        assert phone.get(path).status_code == 404
    assert phone.get(f"/{letters_of(banker, table)}").status_code == 303


def test_guessing_letters_is_slowed_down_and_locked_out_and_keeps_no_banker_waiting(
    app: Flask, banker: FlaskClient, clock: ManualClock
) -> None:
    # given somebody who tries letters
    table = begun(banker)
    right = letters_of(banker, table)
    phone = app.test_client()
    wrong = other_letters(right)
    assert [phone.get(f"/{letters}").status_code for letters in wrong[:3]] == [404] * 3

    # then after three they wait, with the right ones too
    locked = phone.get(f"/{right}")
    assert (locked.status_code, locked.headers["Retry-After"]) == (429, "2")
    assert "Please wait 2 seconds." in locked.text

    # and after ten for a quarter of an hour
    for letters in wrong[3:10]:
        clock.now += 128
        assert phone.get(f"/{letters}").status_code == 404
    assert phone.get(f"/{right}").headers["Retry-After"] == "900"

    # while the PIN is still taken from there, and the code too
    assert app.test_client().post("/api/v1/logins", json={"pin": PIN}).status_code == 201
    clock.now += 900
    assert phone.get(f"/{right}").status_code == 303


def test_right_letters_between_wrong_ones_undo_no_wait(app: Flask, banker: FlaskClient, clock: ManualClock) -> None:
    # given somebody who knows the letters of their own table, and types them after two wrong ones
    right = letters_of(banker, begun(banker))
    phone = app.test_client()
    wrong = iter(other_letters(right))
    assert [phone.get(f"/{next(wrong)}").status_code for _ in range(2)] == [404, 404]
    assert phone.get(f"/{right}").status_code == 303

    # when they go on so, then the third wrong ones make them wait as if there had been no right ones between
    assert phone.get(f"/{next(wrong)}").status_code == 404
    assert phone.get(f"/{right}").headers["Retry-After"] == "2"

    # and after ten wrong ones a quarter of an hour
    for _ in range(7):
        clock.now += 128
        assert phone.get(f"/{right}").status_code == 303
        assert phone.get(f"/{next(wrong)}").status_code == 404
    assert phone.get(f"/{right}").headers["Retry-After"] == "900"


def test_whoever_once_typed_right_letters_waits_like_others_for_the_guesses_of_all(
    app: Flask, banker: FlaskClient
) -> None:
    # given twenty wrong letters from other addresses, after right ones from this one
    right = letters_of(banker, begun(banker))
    phone = app.test_client()
    assert phone.get(f"/{right}").status_code == 303
    for number, letters in enumerate(other_letters(right)):
        elsewhere = {"REMOTE_ADDR": f"192.0.2.{number}"}
        assert phone.get(f"/{letters}", environ_base=elsewhere).status_code == 404

    # then their guesses wait as well
    assert phone.get(f"/{right}").status_code == 429


def test_the_letters_end_with_the_code(app: Flask, banker: FlaskClient) -> None:
    table = begun(banker)
    before = letters_of(banker, table)
    assert banker.delete("/api/v1/guests").status_code == 200
    assert letters_of(banker, table) != before
    assert app.test_client().get(f"/{before}").status_code == 404


def test_letters_of_a_table_in_the_bin_show_no_seats(app: Flask, banker: FlaskClient) -> None:
    # given two tables, and the letters of the one where the banker is not
    first, other = begun(banker), begun(banker)
    letters = {table: letters_of(banker, table) for table in (first, other)}

    # when both are put into the bin
    for table in (first, other):
        assert banker.post(f"/api/v1/tables/{table}/bin", json={"in": True}).status_code == 200

    # then neither shows seats
    for table in (first, other):
        asked = app.test_client().get(f"/{letters[table]}", follow_redirects=True)
        assert seats_offered(asked.text) == []


def test_the_letters_of_the_lobby_wait_for_the_game(app: Flask, banker: FlaskClient, services: Services) -> None:
    letters = services.logins.open_invitation_letters(services.guests.invitation_epoch, 0)
    asked = app.test_client().get(f"/{letters}", follow_redirects=True)
    assert "The game has not started yet." in asked.text
    begun(banker)
    assert seats_offered(app.test_client().get(asked.request.path).text) == ["blue", "yellow"]


def test_big_screen_and_tablet_show_the_address_with_the_name_on_the_network(
    banker: FlaskClient, services: Services
) -> None:
    # given a machine that announces its name
    table = begun(banker)
    object.__setattr__(services, "network_name", lambda: "companion.local")
    letters = letters_of(banker, table)

    # then both show it, with the letters
    shown = banker.get(f"/tables/{table}/display").text
    assert f"companion.local/<wbr><b>{letters}</b>" in shown
    sheet = banker.get(f"/tables/{table}/live?part=phones").text
    assert f"companion.local/{letters}" in sheet
    answer = banker.get(f"/api/v1/tables/{table}/guests").get_json()
    assert answer["short_address"] == f"companion.local/{letters}"


def test_letters_stay_with_a_restart_and_change_with_the_pin() -> None:
    def letters(pin: str) -> str:
        return Logins(pin, SECRET, ManualClock()).open_invitation_letters(1, 1)

    assert letters(PIN) == letters(PIN)
    assert letters(PIN) != letters("246810")


def test_no_two_tables_of_a_hall_have_the_same_letters() -> None:
    # given three thousand tables, of which by chance some fifty would have the letters of another
    logins = Logins(PIN, SECRET, ManualClock())
    letters = {table: logins.open_invitation_letters(7, table) for table in range(3_000)}

    # then each has its own, in an order that nobody can guess, and they lead back to it
    assert len(set(letters.values())) == len(letters)
    assert [logins.tables_of_letters(7, letters[table])[0] for table in range(3_000)] == list(range(3_000))
    assert len({spelt[2:] for spelt in letters.values()}) > 280

    # and so have those that are begun when all letters were given once, but never the lobby's
    late = len(LETTERS) ** 4 + 5
    assert late in logins.tables_of_letters(7, logins.open_invitation_letters(7, late))
    assert {logins.open_invitation_letters(7, late - 6 + more) for more in range(3)}.isdisjoint({letters[0]})

    # and with another evening they lead elsewhere
    moved = [table for table in range(100) if logins.tables_of_letters(8, letters[table])[0] != table]
    assert len(moved) > 95


def test_letters_cannot_be_taken_for_others() -> None:
    assert len(set(LETTERS)) == len(LETTERS)
    assert not set(LETTERS) & set("AEIOULQVG")
    assert read_letters("h-k t w") == "HKTW"
    assert read_letters("HKTI") is None
    assert spell_letters(0) == spell_letters(len(LETTERS) ** 4) == "BBBB"


def test_a_guests_phone_may_open_another_tables_address(
    banker: FlaskClient, as_caller: Callable[[Caller], FlaskClient]
) -> None:
    first, other = begun(banker), begun(banker)
    phone = as_caller(Caller("player", "blue", first))
    assert phone.get(f"/{letters_of(banker, other)}").status_code == 303


def test_in_a_hall_wrong_letters_of_one_at_each_table_keep_nobody_waiting_and_time_forgives_them(
    app: Flask, banker: FlaskClient, clock: ManualClock
) -> None:
    # given a hall of 25 tables, and as many people who mistype letters, each on a phone of their own
    right = [letters_of(banker, begun(banker)) for _ in range(25)]
    wrong = [letters for letters in map(spell_letters, range(1_000)) if letters not in right]
    phones = iter(range(100))

    def type_wrong(times: int) -> list[int]:
        return [
            app.test_client()
            .get(f"/{wrong.pop()}", environ_base={"REMOTE_ADDR": f"192.0.2.{next(phones)}"})
            .status_code
            for _ in range(times)
        ]

    # then nobody waits who types the right ones, until the next one is wrong
    assert type_wrong(24) == [404] * 24
    assert app.test_client().get(f"/{right[0]}").status_code == 303
    assert type_wrong(1) == [404]
    assert app.test_client().get(f"/{right[0]}").status_code == 429

    # and of all of them one is forgiven a minute
    clock.now += 5 * 60
    assert type_wrong(5) == [404] * 5
    assert app.test_client().get(f"/{right[0]}").status_code == 429
    clock.now += 61
    assert app.test_client().get(f"/{right[0]}").status_code == 303
