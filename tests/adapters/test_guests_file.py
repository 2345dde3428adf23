"""The guests of an installation in a file: what was kept comes back, what is torn is told in one line."""

from pathlib import Path

import pytest

from companion.adapters.stores import SettingsError, guests_store
from companion.service.access.guests import MOST_NEXT, MOST_WATCHERS, Guest, GuestList, Guests
from companion.service.access.logins import Caller


def test_guests_survive_a_restart(tmp_path: Path) -> None:
    # given guests of an evening
    path = tmp_path / "guests.json"
    guests = Guests(guests_store(path))
    guests.came(Guest("a", "t1", "blue", "Béatrice"))
    guests.came(Guest("b", "t1"))
    guests.came(Guest("a", "t1", "red", "Béatrice", seat_generation=2, listed=True))
    guests.came(Guest("c", "t1", listed=True, hosts=True))
    guests.log_out("b")
    link = guests.link(Caller("spectator", table="t1"))
    guests.go_on("t1", "t2")
    guests.organiser_is_at("t2")

    # when the program is started anew
    again = Guests(guests_store(path))

    # then all is as it was, and a device sits in one place
    host = Guest("c", "t1", listed=True, hosts=True)
    assert again.at("t1") == (Guest("a", "t1", "red", "Béatrice", 2, listed=True), host)
    assert again.admits(Caller("host", None, "t1", device="c", generation=1))
    assert not again.admits(Caller("spectator", None, "t1", device="c", generation=1))
    assert not again.admits(Caller("spectator", None, "t1", device="b"))
    assert again.admits(Caller("player", "red", "t1", 2, "a", generation=1))
    assert link.links == 1
    assert again.honours(link)
    assert again.after("t1") == "t2"
    assert again.current == "t2"


def test_the_last_of_several_games_is_where_guests_go(tmp_path: Path) -> None:
    guests = Guests(guests_store(tmp_path / "guests.json"))
    guests.go_on("t1", "t2")
    guests.go_on("t2", "t3")
    assert guests.after("t1") == "t3"
    assert guests.after("t3") is None

    # and a circle, which a file may hold, ends
    guests.go_on("t3", "t1")
    assert guests.after("t1") == "t3"


def test_a_new_evening_begins_without_guests(tmp_path: Path) -> None:
    guests = Guests(guests_store(tmp_path / "guests.json"))
    guests.came(Guest("a", "t1", "blue", "Ada"))
    epoch = guests.invitation_epoch
    guests.new_evening("tablet")
    assert guests.invitation_epoch == epoch + 1
    assert not guests.admits(Caller("player", "blue", "t1", device="a"))
    again = Guests(guests_store(tmp_path / "guests.json"))
    assert [again.admits(Caller("banker", device=device)) for device in ("tablet", "other")] == [True, False]
    assert guests.at("t1") == ()


def test_the_oldest_are_forgotten(tmp_path: Path) -> None:
    store = guests_store(tmp_path / "guests.json")
    store.write(GuestList(next={f"t{number}": "z" for number in range(MOST_NEXT)}))
    guests = Guests(store)
    for number in range(MOST_WATCHERS + 1):
        guests.came(Guest(f"d{number}", "t1"))
    guests.go_on(f"t{MOST_NEXT}", "z")
    assert guests.at("t1")[0].device == "d1"
    assert guests.after("t0") is None
    assert guests.after("t1") == "z"


@pytest.mark.parametrize(
    "torn",
    [
        "",
        "[]",
        "{}",
        '{"evening": true, "current": null, "guests": [], "out": [], "next": {}}',
        '{"evening": 1, "current": 3, "guests": [], "out": [], "next": {}}',
        '{"evening": 1, "current": null, "guests": [{"device": 1}], "out": [], "next": {}}',
        '{"evening": 1, "current": null, "guests": [[]], "out": [], "next": {}}',
        '{"evening": 1, "current": null, "guests": [{"device": 1, "table": "", "player": "", "name": ""}], "out": []}',
        (
            '{"evening": 1, "current": null, "guests": [{"device": "a", "table": "t", "player": null, "name": "", '
            '"sitter": true}], "out": [], "next": {}}'
        ),
        '{"evening": 1, "current": null, "guests": [], "out": [3], "next": {}}',
        '{"evening": 1, "current": null, "guests": [], "out": [], "next": {}, "generation": "2"}',
        '{"evening": 1, "current": null, "guests": [], "out": [], "next": {}, "links": {"t1/blue": true}}',
        '{"evening": 1, "current": null, "guests": [], "out": [], "next": {}, "kept": 1}',
        (
            '{"evening": 1, "current": null, "guests": [{"device": "a", "table": "t", "player": null, "name": "", '
            '"listed": 1}], "out": [], "next": {}}'
        ),
        '{"evening": 1, "current": null, "guests": [], "out": [], "next": {"t1": 2}}',
    ],
)
def test_a_torn_file_is_told_in_one_line(tmp_path: Path, torn: str) -> None:
    path = tmp_path / "guests.json"
    path.write_text(torn, encoding="utf-8")
    with pytest.raises(SettingsError, match=r"guests\.json: no readable list of guests"):
        Guests(guests_store(path))
