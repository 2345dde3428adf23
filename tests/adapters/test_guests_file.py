"""The guests of an installation in a file: what was kept comes back, what is torn is told in one line."""

import errno
from pathlib import Path

import pytest

from companion.adapters.stores import MAX_GUESTS_BYTES, MAX_TEXT_BYTES, SettingsError, guests_store
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


def test_a_list_of_many_years_is_read_at_the_next_start(tmp_path: Path) -> None:
    # given as many phones as thousands of games bring together, and invitations that ended
    many = tuple(
        Guest(f"device-{number}", f"t{number // 4}", "blue", "Bartholomew", listed=True) for number in range(8_000)
    )
    left = {f"t{number}/blue": 1 for number in range(8_000)}
    store = guests_store(tmp_path / "guests.json")
    store.write(GuestList(guests=many, links=left))
    assert (tmp_path / "guests.json").stat().st_size > MAX_TEXT_BYTES

    # when one more comes, then the next start knows all of them, and who was logged out stays out
    Guests(store).came(Guest("one more", "t9999", "red", "Ada", listed=True))
    again = Guests(guests_store(tmp_path / "guests.json"))
    assert again.at("t9999")[0].device == "one more"
    assert again.at("t0")[0].device == "device-0"
    assert not again.honours(Caller("player", "blue", "t1", generation=1))


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    # given a stored list, and one that is too long
    path = tmp_path / "guests.json"
    store = guests_store(path)
    store.write(GuestList(out=("a",)))
    before = path.read_bytes()
    too_long = GuestList(out=("a" * (MAX_GUESTS_BYTES // 2), "b" * (MAX_GUESTS_BYTES // 2)))

    # when it is to be stored, then it is refused as by a full disk, and the list is as it was
    with pytest.raises(OSError, match="large") as refused:
        store.write(too_long)
    assert refused.value.errno == errno.EFBIG
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


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
