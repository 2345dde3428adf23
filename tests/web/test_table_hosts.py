"""The host of a table: the organiser's invitation to run it, and no other; how that ends, and moves on."""

import re
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.service.access.guests import MOST_IN_SEAT, MOST_WATCHERS
from companion.service.access.logins import Caller
from companion.web.http.auth import reach_of
from companion.web.http.capacity import LOGIN_SHARE, Streams
from companion.web.http.problems import Problem
from tests.web.conftest import HIRE, START
from tests.web.fake_scanner import FakeScanner


def begun(organiser: FlaskClient, follows: str | None = None) -> str:
    """Start a table; return its id."""
    where = "/api/v1/tables" if follows is None else f"/api/v1/tables?follows={follows}"
    answer = organiser.post(where, json=START)
    assert answer.status_code == 201, answer.text
    return str(answer.get_json()["id"])


def invited(organiser: FlaskClient, table: str) -> str:
    """Return the token of an invitation to host a table."""
    answer = organiser.post(f"/api/v1/tables/{table}/hosts")
    assert answer.status_code == 201, answer.text
    return str(answer.get_json()["token"])


def hosting(app: Flask, organiser: FlaskClient, table: str) -> FlaskClient:
    """Return the tablet of somebody who scanned the code for a table's host."""
    tablet = app.test_client()
    answer = tablet.get(f"/join/{invited(organiser, table)}")
    assert answer.location == f"/tables/{table}"
    return tablet


def devices(organiser: FlaskClient, table: str) -> list[str]:
    """Return the devices that host a table."""
    return [host["device"] for host in organiser.get(f"/api/v1/tables/{table}/hosts").get_json()["hosts"]]


def give(client: FlaskClient, table: str, command: object, version: int) -> int:
    """Return the status of the answer to a command."""
    answer = client.post(f"/api/v1/tables/{table}/commands", json=command, headers={"If-Match": str(version)})
    return answer.status_code


def test_a_host_runs_one_table_as_its_banker(app: Flask, banker: FlaskClient) -> None:
    # given two tables, and a host of one of them
    table, other = begun(banker), begun(banker)
    tablet = hosting(app, banker, table)

    # when the host acts for a player, undoes it, and takes the game home
    done = give(tablet, table, HIRE, 1), give(tablet, table, {"do": "undo"}, 2)
    saved = tablet.get(f"/api/v1/tables/{table}/journal?format=jsonl")

    # then it is done in the banker's name, and the tablet is the banker's
    assert (*done, saved.status_code) == (200, 200, 200)
    entries = tablet.get(f"/api/v1/tables/{table}/journal").get_json()["entries"]
    assert [entry["actor"] for entry in entries[-2:]] == ["banker", "banker"]
    assert tablet.get("/", follow_redirects=True).request.path == f"/tables/{table}"

    # and of the other table there is nothing to see or to do
    assert [kept["id"] for kept in tablet.get("/api/v1/tables").get_json()["tables"]] == [table]
    assert give(tablet, other, HIRE, 1) == 403
    assert tablet.get(f"/tables/{other}").location == "/login?error=seat"


def test_a_host_sees_what_the_banker_sees(app: Flask, banker: FlaskClient) -> None:
    table = begun(banker)
    tablet = hosting(app, banker, table)

    for part in ("", "/journal", "/notes", "/worth", "/preparation"):
        mine = tablet.get(f"/api/v1/tables/{table}{part}")
        assert (mine.status_code, mine.text) == (200, banker.get(f"/api/v1/tables/{table}{part}").text)


def test_a_host_is_told_so_by_a_login(app: Flask, banker: FlaskClient) -> None:
    table = begun(banker)
    login = app.test_client().post("/api/v1/logins", json={"join": invited(banker, table)}).get_json()

    assert (login["role"], login["player"], login["table"]) == ("host", None, table)


def test_a_host_stays_out_once_the_organiser_has_removed_them(app: Flask, banker: FlaskClient) -> None:
    # given a host, with the link in the history of the browser
    table = begun(banker)
    link = invited(banker, table)
    tablet = app.test_client()
    tablet.get(f"/join/{link}")
    (device,) = devices(banker, table)

    # when the organiser removes them
    assert banker.delete(f"/api/v1/tables/{table}/hosts/{device}").get_json() == {"out": device}

    # then neither the login nor the link opens anything, and a new invitation does
    assert devices(banker, table) == []
    assert tablet.get(f"/api/v1/tables/{table}").status_code == 401
    assert "/login" in tablet.get(f"/join/{link}").location
    assert hosting(app, banker, table).get(f"/api/v1/tables/{table}").status_code == 200


def test_a_host_stays_out_though_their_link_is_of_a_game_before(app: Flask, banker: FlaskClient) -> None:
    # given a host who has gone on through three games at a table, and one of another table
    first = begun(banker)
    link, tablet = invited(banker, first), app.test_client()
    tablet.get(f"/join/{link}")
    second = begun(banker, first)
    between = invited(banker, second)
    third = begun(banker, second)
    assert tablet.get(f"/tables/{first}/next").location == f"/tables/{third}"
    elsewhere = invited(banker, begun(banker))

    # when the organiser removes them there
    (device,) = devices(banker, third)
    banker.delete(f"/api/v1/tables/{third}/hosts/{device}")

    # then no link of any of these games lets them in, and that of the other table does
    for old in (link, between):
        assert "/login" in tablet.get(f"/join/{old}").location
        assert app.test_client().post("/api/v1/logins", json={"join": old}).status_code == 401
    assert devices(banker, third) == []
    assert app.test_client().post("/api/v1/logins", json={"join": elsewhere}).status_code == 201


def test_a_hosts_login_and_link_end_with_everybodys(app: Flask, banker: FlaskClient) -> None:
    table = begun(banker)
    link = invited(banker, table)
    tablet = app.test_client()
    tablet.get(f"/join/{link}")

    assert banker.delete("/api/v1/guests").status_code == 200

    assert tablet.get(f"/api/v1/tables/{table}").status_code == 401
    assert "/login" in app.test_client().get(f"/join/{link}").location


def test_hosts_are_not_among_guests_and_no_host_logs_another_out(app: Flask, banker: FlaskClient) -> None:
    # given two hosts of one table
    table = begun(banker)
    tablet, _ = hosting(app, banker, table), hosting(app, banker, table)
    both = devices(banker, table)
    assert len(both) == 2

    # when one of them tries to log the other out, or everybody
    answers = [
        tablet.delete(f"/api/v1/tables/{table}/guests/{both[1]}"),
        tablet.delete(f"/api/v1/tables/{table}/hosts/{both[1]}"),
        tablet.delete("/api/v1/guests"),
        tablet.post(f"/tables/{table}/log-out", data={"everybody": "1"}),
    ]
    tablet.post(f"/tables/{table}/log-out", data={"device": both[1]})

    # then nothing has changed
    assert [answer.status_code for answer in answers] == [404, 403, 403, 403]
    assert tablet.get(f"/api/v1/tables/{table}/guests").get_json()["guests"] == []
    assert devices(banker, table) == both

    # and the organiser does so from their page
    banker.post(f"/tables/{table}/log-out", data={"device": both[1]})
    assert devices(banker, table) == both[:1]


def test_no_number_of_watchers_pushes_a_host_out_and_hosts_are_few(app: Flask, banker: FlaskClient) -> None:
    table = begun(banker)
    tablets = [hosting(app, banker, table) for _ in range(MOST_IN_SEAT)]
    led = app.test_client().get(f"/join/{invited(banker, table)}")
    assert led.location == "/login?next=%2F&error=hosts"
    refusal = app.test_client().get(led.location).text
    assert "Other devices already host this table. Ask the organiser to log one of them out." in refusal
    watching = banker.post(f"/api/v1/tables/{table}/invitations", json={"spectator": True}).get_json()["token"]

    for _ in range(MOST_WATCHERS + 1):
        assert app.test_client().post("/api/v1/logins", json={"join": watching}).status_code == 201

    assert {tablet.get(f"/api/v1/tables/{table}").status_code for tablet in tablets} == {200}


def test_every_host_goes_on_to_the_next_game_at_the_table(app: Flask, banker: FlaskClient) -> None:
    # given two devices that host a table
    first = begun(banker)
    tablets = [hosting(app, banker, first), hosting(app, banker, first)]

    # when the organiser begins the next game there
    then = begun(banker, first)

    # then both are led there, run it, and have left the first one
    for tablet in tablets:
        assert tablet.get(f"/tables/{first}/next").location == f"/tables/{then}"
        assert give(tablet, then, {"do": "rename_player", "player": "blue", "name": "Eve"}, 1) in {200, 409}
        assert tablet.get(f"/api/v1/tables/{first}").status_code == 403
    assert len(devices(banker, then)) == 2
    assert devices(banker, first) == []


def test_a_host_who_takes_a_seat_on_the_same_device_is_a_player_there_and_nothing_else(
    app: Flask, banker: FlaskClient
) -> None:
    table = begun(banker)
    tablet = hosting(app, banker, table)
    token = tablet.get_cookie("companion_login")
    assert token is not None
    seat = banker.post(f"/api/v1/tables/{table}/invitations", json={"player": "blue"}).get_json()["token"]

    tablet.get(f"/join/{seat}")

    assert tablet.get(f"/api/v1/tables/{table}/guests").status_code == 403
    kept = app.test_client()
    kept.set_cookie("companion_login", token.value)
    assert kept.get(f"/api/v1/tables/{table}").status_code == 401
    assert devices(banker, table) == []


def test_where_the_organiser_is_does_not_depend_on_hosts(app: Flask, banker: FlaskClient) -> None:
    first, second = begun(banker), begun(banker)
    tablet = hosting(app, banker, first)

    tablet.get(f"/tables/{first}")

    assert banker.get("/tv").location == f"/tables/{second}/display"
    assert tablet.get("/tv").location == f"/tables/{first}/display"


def test_a_host_lets_a_television_look_on_at_the_own_table_only(app: Flask, banker: FlaskClient) -> None:
    first, second = begun(banker), begun(banker)
    tablet, television = hosting(app, banker, first), app.test_client()
    letters = television.post("/api/v1/screens").get_json()["letters"]

    asked = tablet.get(f"/tv/{letters}")
    assert f'action="/tables/{first}/screens"' in asked.text
    assert tablet.post("/screens", data={"letters": letters}).status_code == 403
    assert tablet.post(f"/tables/{second}/screens", data={"letters": letters}).status_code == 403

    assert tablet.post(f"/tables/{first}/screens", data={"letters": letters}).status_code == 303


def test_the_one_camera_is_the_organisers_to_give(as_caller: Callable[[Caller], FlaskClient], table: str) -> None:
    host = as_caller(Caller("host", None, table.rsplit("/", 1)[-1]))

    assert host.post(f"{table}/camera").status_code == 403
    assert host.post(f"{table}/simulated", json={"lay": "W07"}).status_code == 404


def test_the_code_for_a_host_is_shown_to_the_organiser_with_who_hosts(app: Flask, banker: FlaskClient) -> None:
    # given two tables under way
    table, other = begun(banker), begun(banker)
    assert f'href="/tables/{table}/host"' in banker.get("/").text

    # when a host scans what the page shows
    shown = banker.get(f"/tables/{table}/host").text
    address = re.search(r"http://[^<]+/join/([^<\s]+)", shown)
    assert address is not None
    tablet = app.test_client()
    assert tablet.get(f"/join/{address[1]}").location == f"/tables/{table}"

    # then the page says so, logs the host out, and is for the organiser alone
    (device,) = devices(banker, table)
    assert f'value="{device}"' in banker.get(f"/tables/{table}/host").text
    assert tablet.get(f"/tables/{table}/host").location == "/login?error=seat"
    assert tablet.get(f"/tables/{other}/host").location == "/login?error=seat"
    out = banker.post(f"/tables/{table}/log-out", data={"device": device})
    assert out.location == f"/tables/{table}/host"
    assert devices(banker, table) == []


def test_a_lobby_with_one_game_under_way_says_nothing_of_hosts(banker: FlaskClient) -> None:
    table = begun(banker)

    assert f'href="/tables/{table}/host"' not in banker.get("/").text


def test_the_pages_of_a_host_lead_nowhere_that_is_the_organisers(app: Flask, banker: FlaskClient) -> None:
    table = begun(banker)
    tablet = hosting(app, banker, table)
    sheets = ("menu", "phones", "camera", "journal", "device")

    pages = {part: tablet.get(f"/tables/{table}/live?part={part}").text for part in ("tablet", *sheets)}
    pages[""] = tablet.get(f"/tables/{table}").text

    for part, page in pages.items():
        for path in re.findall(r'(?:href|action)="(/[^"]*)"', page):
            endpoint, _ = app.url_map.bind("localhost").match(path.partition("?")[0], method=method_of(page, path))
            assert reach_of(endpoint) != "organiser", (part, path)
        assert 'href="/"' not in page, part
    assert 'name="everybody"' in banker.get(f"/tables/{table}/live?part=phones").text
    assert 'name="everybody"' not in pages["phones"]
    assert re.search(r'id="page"[^>]* data-stays', banker.get(f"/tables/{table}").text)
    assert not re.search(r'id="page"[^>]* data-stays', pages[""])


def method_of(page: str, path: str) -> str:
    """Return the method with which a page follows a path of its own."""
    return "POST" if f'action="{path}"' in page else "GET"


def test_a_host_is_not_told_that_the_camera_is_at_another_table(
    banker: FlaskClient, as_caller: Callable[[Caller], FlaskClient], scanner: FakeScanner
) -> None:
    # given a camera at the first of two tables
    table, other = begun(banker), begun(banker)
    scanner.propose(table, HIRE)
    near, there = as_caller(Caller("host", None, table)), as_caller(Caller("host", None, other))

    answers = [host.get(f"/api/v1/tables/{at}/proposals").get_json() for host, at in ((near, table), (there, other))]

    assert [answer["sight"]["state"] for answer in answers] == ["seeing", "none"]
    assert [len(answer["proposals"]) for answer in answers] == [1, 0]
    assert there.get(f"/api/v1/tables/{table}/proposals").status_code == 403
    assert "another table" not in there.get(f"/tables/{other}/live?part=camera").text


def test_a_host_who_is_elsewhere_or_out_is_told_so(app: Flask, banker: FlaskClient) -> None:
    table, other = begun(banker), begun(banker)
    tablet = hosting(app, banker, table)

    elsewhere = tablet.get(f"/tables/{other}", follow_redirects=True).text
    (device,) = devices(banker, table)
    banker.delete(f"/api/v1/tables/{table}/hosts/{device}")
    out = tablet.get(f"/tables/{table}", follow_redirects=True).text

    assert "This device hosts another table." in elsewhere
    assert "Back to my table" in elsewhere
    assert "Ask the organiser for a new code." in out


def test_no_host_holds_every_place_for_live_screens() -> None:
    # given a host who has opened as many live screens as one login may
    places, host = Streams(10), Caller("host", None, "t1", device="tablet")
    for _ in range(int(10 * LOGIN_SHARE)):
        places.open(host)

    # when they open one more
    with pytest.raises(Problem, match="taken"):
        places.open(host)

    # then the organiser finds a place all the same
    places.open(Caller("banker"))
