"""A seat is one phone's until it is left or logged out; what was logged out comes in again by nothing old."""

import http.client
import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from flask.testing import FlaskClient

from companion.service.access.guests import MOST_IN_SEAT, MOST_OUT, MOST_WATCHERS
from companion.service.access.logins import LOGIN_COOKIE, Caller
from companion.service.services import Services
from companion.web.server.server import Server
from tests.waiting import PATIENCE_S, until
from tests.web.conftest import PIN, START
from tests.web.live_client import reading
from tests.web.phones import Phone, Reply

LOGINS = "/api/v1/logins"


def code(banker: FlaskClient, table: str) -> str:
    """The path of the one code that everybody scans."""
    address = banker.get(f"{table}/guests").get_json()["address"]
    return str(address[address.index("/join/") :])


def players_in(banker: FlaskClient, table: str) -> list[str | None]:
    """Whose phones the table knows, without those who watch."""
    guests = banker.get(f"{table}/guests").get_json()["guests"]
    return [guest["player"] for guest in guests if guest["player"]]


def device_of(banker: FlaskClient, table: str, player: str | None) -> str:
    guests = banker.get(f"{table}/guests").get_json()["guests"]
    (device,) = [guest["device"] for guest in guests if guest["player"] == player]
    return str(device)


def invited(banker: FlaskClient, table: str, **guest: object) -> str:
    """The token of a personal invitation."""
    answer = banker.post(f"{table}/invitations", json=guest)
    assert answer.status_code == 201, answer.text
    return str(answer.get_json()["token"])


def bankers_link(services: Services) -> str:
    """The token of the banker's own invitation, as the terminal shows it when the program starts."""
    link = services.guests.link(Caller("banker"))
    return services.logins.banker_join_token(link.generation, link.links)


def page_of(table: str, player: str) -> str:
    return f"/tables/{table.rsplit('/', 1)[-1]}/seats/{player}"


# ------------------------------------------------------------------------------------------- who has a seat


def test_no_number_of_watchers_pushes_a_player_out_of_his_seat(server: Server, banker: FlaskClient, table: str) -> None:
    # given a phone that sits at the table
    path, phone = code(banker, table), Phone(server)
    assert phone.tap(path, "blue").status == 303

    # when more devices watch than are kept
    for _ in range(MOST_WATCHERS + 3):
        assert Phone(server).tap(path, "watch").status == 303

    # then the seat is still that phone's, and nobody else's
    assert players_in(banker, table) == ["blue"]
    assert phone.get(page_of(table, "blue")).status == 200
    assert Phone(server).tap(path, "blue").status == 409
    assert len(banker.get(f"{table}/guests").get_json()["guests"]) == 1 + MOST_WATCHERS


def test_a_screen_that_was_let_in_is_not_pushed_out_by_whoever_has_the_code(
    server: Server, banker: FlaskClient, table: str
) -> None:
    # given a television that the banker let in, and that follows nothing here: in a hall the gateway streams
    path, television = code(banker, table), Phone(server)
    assert television.get(f"/join/{invited(banker, table, spectator=True)}").status == 303

    # when somebody taps *Just watch* as often as they like
    first = Phone(server)
    first.tap(path, "watch")
    for _ in range(MOST_WATCHERS + 1):
        assert Phone(server).tap(path, "watch").status == 303

    # then they have made room for each other, and the television watches on
    assert first.get(table).status == 401
    assert television.get(table).status == 200


def test_a_screen_that_follows_live_is_not_pushed_out_by_other_watchers(
    server: Server, banker: FlaskClient, table: str
) -> None:
    # given two big screens, one of which follows the game live
    path, live, quiet = code(banker, table), Phone(server), Phone(server)
    live.tap(path, "watch")
    quiet.tap(path, "watch")
    with reading(server, f"{table}/stream", live.cookies[LOGIN_COOKIE]) as reader:
        reader.next_named("sight")

        # when as many others watch as are kept
        for _ in range(MOST_WATCHERS - 1):
            assert Phone(server).tap(path, "watch").status == 303

        # then the one that was looked at least has made room, not the live one
        assert live.get(table).status == 200
        assert quiet.get(table).status == 401


class CountingLock:
    """A lock that says how many want it or have it."""

    def __init__(self) -> None:
        self.wanted = 0
        self._lock = threading.Lock()
        self._counting = threading.Lock()

    def acquire(self, *, blocking: bool) -> bool:
        return self._lock.acquire(blocking=blocking)

    def release(self) -> None:
        self._lock.release()

    def __enter__(self) -> None:
        with self._counting:
            self.wanted += 1
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()
        with self._counting:
            self.wanted -= 1


def at_one_moment(services: Services, *calls: Callable[[], Reply]) -> list[Reply]:
    """Let all requests come as far as the list of guests before any of them may change it."""
    lock = CountingLock()
    services.guests._stored._changing = lock  # type: ignore[assignment]
    with ThreadPoolExecutor(len(calls)) as pool:
        with lock:
            replies = [pool.submit(call) for call in calls]
            until(lambda: lock.wanted == 1 + len(calls))
        return [reply.result(PATIENCE_S) for reply in replies]


def test_of_many_phones_that_tap_one_name_at_one_moment_one_has_the_seat(
    server: Server, services: Services, banker: FlaskClient, table: str
) -> None:
    path, phones = code(banker, table), [Phone(server) for _ in range(8)]

    replies = at_one_moment(services, *(partial(phone.tap, path, "blue") for phone in phones))

    assert sorted(reply.status for reply in replies) == [303, *[409] * 7]
    assert players_in(banker, table) == ["blue"]
    inside = [phone.get(page_of(table, "blue")).status == 200 for phone in phones]
    assert inside == [reply.status == 303 for reply in replies]


def test_a_phone_that_taps_its_own_name_again_keeps_its_seat(server: Server, banker: FlaskClient, table: str) -> None:
    path, phone = code(banker, table), Phone(server)
    assert [phone.tap(path, "blue").status for _ in range(2)] == [303, 303]
    assert players_in(banker, table) == ["blue"]


def test_a_seat_of_the_next_game_is_not_given_twice_at_one_moment(
    server: Server, services: Services, banker: FlaskClient, table: str
) -> None:
    # given a phone at a game that another one follows, with the same names
    path, phone, others = code(banker, table), Phone(server), [Phone(server) for _ in range(4)]
    phone.tap(path, "blue")
    first = table.rsplit("/", 1)[-1]
    then = str(banker.post(f"/api/v1/tables?follows={first}", json=START).headers["Location"])
    new_code = code(banker, then)

    # when it goes on while strangers tap that name there
    go_on = partial(phone.get, f"/tables/{first}/next")
    at_one_moment(services, go_on, *(partial(other.tap, new_code, "blue") for other in others))

    # then one of them has the seat
    assert players_in(banker, then) == ["blue"]
    inside = [device.get(page_of(then, "blue")).status == 200 for device in (phone, *others)]
    assert sum(inside) == 1


def test_one_seat_has_room_for_some_devices_of_one_person_and_no_more(
    server: Server, banker: FlaskClient, table: str
) -> None:
    # given a personal invitation that was opened on as many devices as a seat has room for
    token, path = invited(banker, table, player="blue"), ""
    devices = [Phone(server) for _ in range(MOST_IN_SEAT)]
    for device in devices:
        assert device.post_json(LOGINS, {"join": token}).status == 201

    # when one more brings it, as a program or as a browser
    refused, path = Phone(server).post_json(LOGINS, {"join": token}), f"/join/{token}"
    led = Phone(server).get(path)

    # then it is told so, and those that are in stay in
    assert (refused.status, refused.json["type"].rsplit("/", 1)[-1]) == (409, "seat_taken")
    assert led.location.startswith("/login?")
    assert "error=taken" in led.location
    assert "already" in Phone(server).follow(path).text
    assert all(device.get(table).status == 200 for device in devices)


# ----------------------------------------------------------------------------- what was logged out stays out


def test_a_personal_invitation_does_not_bring_back_whoever_was_logged_out(
    server: Server, banker: FlaskClient, table: str
) -> None:
    # given a player who came by a personal invitation, and one that was never used
    used, unused = invited(banker, table, player="blue"), invited(banker, table, player="blue")
    neighbour = invited(banker, table, player="yellow")
    phone = Phone(server)
    assert phone.post_json(LOGINS, {"join": used}).status == 201

    # when the banker logs that phone out
    assert banker.delete(f"{table}/guests/{device_of(banker, table, 'blue')}").status_code == 200

    # then none of that seat's old invitations lets anybody in
    for token in (used, unused):
        assert phone.post_json(LOGINS, {"join": token}).status == 401
        assert Phone(server).get(f"/join/{token}").location.startswith("/login?")
    assert phone.get(table).status == 401

    # and the neighbour's does, and a new one
    assert Phone(server).post_json(LOGINS, {"join": neighbour}).status == 201
    assert phone.post_json(LOGINS, {"join": invited(banker, table, player="blue")}).status == 201


def test_whoever_left_a_seat_does_not_come_back_by_the_link_in_his_history(
    server: Server, banker: FlaskClient, table: str
) -> None:
    token, phone = invited(banker, table, player="blue"), Phone(server)
    phone.get(f"/join/{token}")
    assert phone.get(page_of(table, "blue")).status == 200

    phone.post("/logout")

    assert phone.get(f"/join/{token}").location.startswith("/login?")
    assert phone.get(table).status == 401


def test_whoever_took_another_seat_does_not_come_back_by_the_link_in_their_history(
    server: Server, banker: FlaskClient, table: str
) -> None:
    # given a phone that came by a personal invitation, and takes another seat by the code of the evening
    token, path, phone = invited(banker, table, player="blue"), code(banker, table), Phone(server)
    phone.get(f"/join/{token}")
    assert phone.tap(path, "yellow").status == 303

    # when somebody else takes the seat that it left
    neighbour = Phone(server)
    assert neighbour.tap(path, "blue").status == 303

    # then the link leads nowhere, and everybody sits where they sat
    assert phone.get(f"/join/{token}").location.startswith("/login?")
    assert phone.get(page_of(table, "yellow")).status == 200
    assert phone.get(page_of(table, "blue")).status != 200
    assert neighbour.get(page_of(table, "blue")).status == 200


def test_a_link_stays_good_while_another_device_of_that_person_sits_there(
    server: Server, banker: FlaskClient, table: str
) -> None:
    # given one person with two devices on one seat
    token, path = invited(banker, table, player="blue"), code(banker, table)
    phone, tablet = Phone(server), Phone(server)
    for device in (phone, tablet):
        device.get(f"/join/{token}")

    # when one of them looks on elsewhere, then its link leads back, and the other one has stayed
    assert phone.tap(path, "watch").status == 303
    assert phone.get(f"/join/{token}").location == page_of(table, "blue")
    assert tablet.get(page_of(table, "blue")).status == 200

    # when the last one has left, it leads nowhere; a new one does
    for device in (phone, tablet):
        assert device.tap(path, "watch").status == 303
    assert phone.get(f"/join/{token}").location.startswith("/login?")
    assert phone.get(f"/join/{invited(banker, table, player='blue')}").location == page_of(table, "blue")


@pytest.mark.parametrize("guest", [{"player": "blue"}, {"spectator": True}])
def test_logging_everybody_out_ends_invitations_that_were_given_before(
    server: Server, banker: FlaskClient, table: str, guest: dict[str, object]
) -> None:
    token, phone = invited(banker, table, **guest), Phone(server)
    assert phone.post_json(LOGINS, {"join": token}).status == 201

    assert banker.delete("/api/v1/guests").status_code == 200

    assert phone.get(table).status == 401
    assert phone.post_json(LOGINS, {"join": token}).status == 401
    assert Phone(server).post_json(LOGINS, {"join": token}).status == 401


def test_the_bankers_own_link_ends_with_a_logout_and_with_everybodys(server: Server, services: Services) -> None:
    # given a tablet that came in by the link that the terminal shows
    link = bankers_link(services)
    tablet = Phone(server)
    tablet.get(f"/join/{link}")
    assert tablet.get("/api/v1/backups").status == 200
    copy = tablet.copy()

    # when its banker logs out
    tablet.post("/logout")

    # then neither a copy of its cookie nor the link lets anybody in; the PIN does
    assert copy.get("/api/v1/backups").status == 401
    for brought in (tablet, copy, Phone(server)):
        assert brought.post_json(LOGINS, {"join": link}).status == 401
    assert tablet.post_json(LOGINS, {"pin": PIN}).status == 201

    # when everybody is logged out from there, then a link that was shown since ends too
    link = bankers_link(services)
    other = Phone(server)
    assert other.post_json(LOGINS, {"join": link}).status == 201
    assert tablet.send("DELETE", "/api/v1/guests").status == 200
    assert Phone(server).post_json(LOGINS, {"join": link}).status == 401

    # and whoever came in by it, but not the tablet on which that was done
    assert other.get("/api/v1/backups").status == 401
    assert tablet.get("/api/v1/backups").status == 200


def test_logging_everybody_out_forgets_nobody_however_many_there_were(
    server: Server, banker: FlaskClient, table: str
) -> None:
    # given more watchers than are kept, and a player
    path = code(banker, table)
    phones = [Phone(server) for _ in range(MOST_WATCHERS + 2)]
    for phone in phones:
        phone.tap(path, "watch")
    player = Phone(server)
    player.tap(path, "blue")

    banker.delete("/api/v1/guests")

    assert {phone.get(table).status for phone in (*phones, player)} == {401}
    assert Phone(server).get(f"{path}").location.startswith("/who/")
    assert Phone(server).follow(path).status == 200
    assert not re.search('name="player"', Phone(server).follow(path).text)


def test_no_number_of_logouts_lets_one_in_again_who_was_logged_out(
    services: Services, server: Server, banker: FlaskClient, table: str
) -> None:
    # given a phone that was logged out, and a banker's device too
    phone, tablet = Phone(server), Phone(server)
    phone.tap(code(banker, table), "blue")
    tablet.post_json(LOGINS, {"pin": PIN})
    phone_copy, tablet_copy = phone.copy(), tablet.copy()
    banker.delete(f"{table}/guests/{device_of(banker, table, 'blue')}")
    tablet.post("/logout")

    # when more others are logged out than any list has room for
    for number in range(MOST_OUT + 2):
        services.guests.log_out(f"d{number}", Caller("banker", device=f"d{number}"))

    # then both stay out
    assert phone_copy.get(table).status == 401
    assert tablet_copy.get("/api/v1/backups").status == 401
    assert len(services.guests.out) <= MOST_OUT


def test_an_open_stream_ends_when_its_seat_is_logged_out(server: Server, banker: FlaskClient, table: str) -> None:
    phone = Phone(server)
    phone.tap(code(banker, table), "blue")
    with reading(server, f"{table}/stream", phone.cookies[LOGIN_COOKIE]) as reader:
        reader.next_named("sight")
        banker.delete("/api/v1/guests")
        with pytest.raises((EOFError, http.client.HTTPException, ConnectionError)):
            reader.next_named("version")


# ------------------------------------------------------------------------------------- one device, two roles


def test_a_banker_who_logs_in_on_a_guests_device_is_not_logged_out_with_that_guest(
    server: Server, banker: FlaskClient, table: str
) -> None:
    # given a player's phone, on which the banker types the PIN
    phone = Phone(server)
    phone.tap(code(banker, table), "blue")
    before = phone.copy()
    assert phone.post("/login", pin=PIN).status == 303
    assert phone.get("/api/v1/backups").status == 200

    # when the player's device is logged out
    banker.delete(f"{table}/guests/{device_of(banker, table, 'blue')}")

    # then the player's login has ended, and the banker's has not
    assert before.get(table).status == 401
    assert phone.get("/api/v1/backups").status == 200


def test_a_banker_who_takes_a_seat_on_the_tablet_is_a_guest_there_and_nothing_else(
    server: Server, banker: FlaskClient, table: str
) -> None:
    tablet = Phone(server)
    tablet.post("/login", pin=PIN)
    as_banker = tablet.copy()
    tablet.tap(code(banker, table), "blue")

    banker.delete(f"{table}/guests/{device_of(banker, table, 'blue')}")

    assert tablet.get(table).status == 401
    assert as_banker.get("/api/v1/backups").status == 200


# --------------------------------------------------------------------------------- logins of earlier versions


def test_logins_and_invitations_of_earlier_versions_are_good_until_everybody_is_logged_out(
    server: Server, services: Services, banker: FlaskClient, table: str
) -> None:
    # given what an earlier version sealed: no number, with and without a device
    logins = services.logins
    seals = (["player", "blue", "t1", 0], ["player", "blue", "t1", 0, "old"], ["spectator", None, "t1", 0, "s"])
    phones = [Phone(server, {LOGIN_COOKIE: str(logins._logins.dumps(seal))}) for seal in seals]
    link = str(logins._invitations.dumps(["player", "yellow", "t1", 0]))
    assert [phone.get(table).status for phone in phones] == [200, 200, 200]
    assert Phone(server).post_json(LOGINS, {"join": link}).status == 201

    # when everybody is logged out, then they are, too
    banker.delete("/api/v1/guests")
    assert [phone.get(table).status for phone in phones] == [401, 401, 401]
    assert Phone(server).post_json(LOGINS, {"join": link}).status == 401


# ------------------------------------------------------------------------------- what a phone outside is told


@pytest.mark.parametrize(
    ("language", "said"), [("en", "It was logged out."), ("de", "Es wurde abgemeldet."), ("fr", "Il a été déconnecté.")]
)
def test_a_phone_that_was_logged_out_is_told_so_instead_of_being_asked_for_the_pin(
    server: Server, banker: FlaskClient, table: str, language: str, said: str
) -> None:
    # given a phone that was logged out, whose page sends it to the door
    phone = Phone(server)
    phone.tap(code(banker, table), "blue")
    banker.delete(f"{table}/guests/{device_of(banker, table, 'blue')}")
    phone.cookies["lang"] = language

    # when its page is opened anew, or asks for the table
    page = phone.follow(page_of(table, "blue"))

    # then it is told how it comes in again, and that is no PIN
    assert said in page.text
    assert 'name="pin"' not in page.text
    assert said in phone.get(f"/login?next={page_of(table, 'blue')}").text
    assert "ended" in phone.get(table).json["detail"]

    # and the banker's way stays open there, and a new code works
    (form,) = re.findall(r'href="(/login\?pin=1[^"]*)"', page.text)
    assert 'name="pin"' in phone.get(form.replace("&amp;", "&")).text
    assert phone.tap(code(banker, table), "blue").status == 303


def test_a_banker_who_was_logged_out_and_a_stranger_are_asked_for_the_pin(
    server: Server, services: Services, table: str
) -> None:
    tablet = Phone(server)
    tablet.post("/login", pin=PIN)
    services.guests.new_evening()
    for device in (tablet, Phone(server)):
        assert 'name="pin"' in device.follow(f"/tables/{table.rsplit('/', 1)[-1]}").text


def test_the_tablet_logs_everybody_else_out_by_one_button(server: Server, banker: FlaskClient, table: str) -> None:
    # given a tablet, a second one, and a phone
    tablet, second, phone = Phone(server), Phone(server), Phone(server)
    for device in (tablet, second):
        device.post("/login", pin=PIN)
    phone.tap(code(banker, table), "blue")
    at = f"/tables/{table.rsplit('/', 1)[-1]}"
    assert 'name="everybody"' in tablet.get(f"{at}/live?part=phones").text

    # when the banker taps it
    assert tablet.post(f"{at}/log-out", everybody="1").location == at

    # then nobody is left but that tablet
    assert [device.get(table).status for device in (tablet, second, phone)] == [200, 401, 401]
