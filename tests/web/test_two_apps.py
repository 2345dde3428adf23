"""Requests that are no commands, sent to two processes over one database: each counts once, and all see the same."""

from collections.abc import Iterator

import psycopg
import pytest

from tests.postgres import new_database
from tests.two_apps import PIN, HallApp, json_of, two_apps
from tests.waiting import until
from tests.web.conftest import HIRE, START

Two = tuple[HallApp, HallApp]


@pytest.fixture(scope="module")
def apps(postgres_server: str) -> Iterator[Two]:
    with new_database(postgres_server) as address, two_apps(address) as both:
        yield both


@pytest.fixture
def table(apps: Two) -> str:
    """The address of a table that was begun in the first of both."""
    return str(apps[0].post("/api/v1/tables", START).headers["Location"])


def invited(app: HallApp, table: str, guest: dict[str, object]) -> str:
    return str(json_of(lambda: app.post(f"{table}/invitations", guest))["token"])


def joined(app: HallApp, invitation: str) -> str:
    return str(json_of(lambda: app.client().post("/api/v1/logins", json={"join": invitation}))["token"])


def test_a_request_that_is_repeated_at_another_process_counts_once(apps: Two, table: str) -> None:
    # given a table that was put into the bin by one process, and taken out by the other
    first, second = apps
    answer = first.post(f"{table}/bin", {"in": True}, "k")
    assert json_of(lambda: second.post(f"{table}/bin", {"in": False}, "l")) != answer.get_json()

    # when the first request is sent again, to the other
    again = second.post(f"{table}/bin", {"in": True}, "k")

    # then it is answered as it was, and the table stays where it is
    assert (again.status_code, again.get_json()) == (answer.status_code, answer.get_json())
    assert second.banker.get(table).status_code == 200
    until(lambda: first.banker.get(table).status_code == 200)

    # and so it is in a process that was started meanwhile
    second.restart()
    assert second.post(f"{table}/bin", {"in": True}, "k").get_json() == answer.get_json()
    assert second.banker.get(table).status_code == 200


def test_the_same_key_for_something_else_is_refused_by_the_other_process_too(apps: Two, table: str) -> None:
    first, second = apps
    assert first.post(f"{table}/hammer", {"seconds": 30}, "k").status_code == 200
    other = second.post(f"{table}/hammer", {"seconds": 15}, "k")
    assert (other.status_code, other.get_json()["type"].rpartition("/")[2]) == (422, "key_reused")


def test_two_senders_do_not_get_each_others_answers(apps: Two, table: str) -> None:
    first, second = apps
    player = joined(first, invited(first, table, {"player": "blue"}))
    json_of(lambda: first.post(f"{table}/hammer", {"seconds": 30}, "k"))
    headers = {"Idempotency-Key": "k"}
    assert second.client(player).post(f"{table}/hammer", json={"seconds": 30}, headers=headers).status_code == 403


def test_a_refusal_is_repeated_too(apps: Two, table: str) -> None:
    first, second = apps
    refused = first.post(f"{table}/hammer", {"seconds": 7}, "k")
    again = second.post(f"{table}/hammer", {"seconds": 7}, "k")
    assert (again.status_code, again.get_json()) == (400, refused.get_json())
    assert again.content_type == refused.content_type == "application/problem+json"


def test_a_phone_that_joined_by_one_process_is_let_in_by_the_other_until_it_is_logged_out(
    apps: Two, table: str
) -> None:
    # given a phone that joined by one, and goes to the other at once
    first, second = apps
    phone = joined(first, invited(second, table, {"player": "blue"}))
    assert second.client(phone).get(table).status_code == 200
    listed = json_of(lambda: second.banker.get(f"{table}/guests"))["guests"]
    assert [guest["player"] for guest in listed] == ["blue"]

    # when it is logged out by the other
    assert second.banker.delete(f"{table}/guests/{listed[0]['device']}").status_code == 200

    # then the first lets it in no more
    until(lambda: first.client(phone).get(table).status_code == 401)
    assert second.client(phone).get(table).status_code == 401


def test_an_invitation_ends_in_both_when_its_guest_is_logged_out(apps: Two, table: str) -> None:
    first, second = apps
    invitation = invited(first, table, {"player": "blue"})
    joined(first, invitation)
    device = json_of(lambda: first.banker.get(f"{table}/guests"))["guests"][0]["device"]
    first.banker.delete(f"{table}/guests/{device}")
    assert second.client().post("/api/v1/logins", json={"join": invitation}).status_code == 401


def test_wrong_pins_are_counted_together(apps: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    for app in apps:  # otherwise all of it would have to come within the two seconds of the first wait
        monkeypatch.setattr(app.access.logins._guard, "_clock", lambda: 1e9)
    statuses = [
        apps[number % 2].client().post("/api/v1/logins", json={"pin": "000000"}).status_code for number in range(6)
    ]
    assert statuses == [401, 401, 401, 429, 429, 429]
    assert [app.client().post("/api/v1/logins", json={"pin": PIN}).status_code for app in apps] == [429, 429]


def test_a_screen_is_let_in_whichever_process_it_asks(apps: Two, table: str) -> None:
    # given a screen that shows letters of one process
    first, second = apps
    waiting = json_of(lambda: first.client().post("/api/v1/screens"))

    # when the other lets it in, then it gets its login from either
    json_of(lambda: second.post(f"{table}/screens", {"letters": waiting["letters"]}))
    login = json_of(lambda: first.client().post("/api/v1/logins", json={"screen": waiting["token"]}))
    assert login["role"] == "spectator"
    assert second.client(login["token"]).get(table).status_code == 200


def test_what_is_chosen_in_one_process_is_chosen_in_the_other(apps: Two, table: str) -> None:
    first, second = apps
    json_of(lambda: first.post(f"{table}/hammer", {"seconds": 30}))
    until(lambda: json_of(lambda: second.banker.get(f"{table}/hammer")) == {"seconds": 30})


@pytest.mark.parametrize("ask", ["a page that heard of a version", "a command"])
def test_a_table_with_an_entry_that_one_process_cannot_read_is_not_found_there(
    apps: Two, table: str, ask: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a table that both have open, and an entry of one that the other one cannot read
    first, second = apps
    table_id = table.rpartition("/")[2]
    assert second.banker.get(table).status_code == 200
    second.mute()
    monkeypatch.setattr(second.bell, "_read_changes", lambda _: None)  # it would read the entry while it is sound
    json_of(lambda: first.post(f"{table}/commands", HIRE, seen=1))
    with psycopg.connect(first.address) as connection:
        connection.execute("GRANT UPDATE ON entries TO CURRENT_USER")
        connection.execute("ALTER TABLE entries DISABLE TRIGGER entries_append_only")
        connection.execute("UPDATE entries SET source = 'torn' WHERE seq = 2 AND table_id = %s", (table_id,))
        connection.execute("ALTER TABLE entries ENABLE TRIGGER entries_append_only")

    # when the other one is asked, then it has no such table, as where it had not been open there
    if ask == "a command":
        assert second.post(f"{table}/commands", HIRE, seen=2).status_code == 404
    else:
        assert second.banker.get(f"{table}?at=2").status_code == 404
    for _ in range(2):
        assert second.banker.get(table).status_code == 404
    (listed,) = [
        each for each in json_of(lambda: second.banker.get("/api/v1/tables"))["unplayable"] if each["id"] == table_id
    ]
    assert (listed["version"], listed["sound"]) == (2, 1)
    assert first.banker.get(table).status_code == 200
    second.restart()
