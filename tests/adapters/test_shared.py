"""Processes over one database: each sees what another has stored, and nothing is lost or carried out twice."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest

from companion.adapters import shared
from companion.adapters.journal.database import Database
from companion.adapters.shared import (
    GUESTS,
    LOBBY,
    PIN_GUESSES,
    PREFERENCES,
    WAITING_SCREENS,
    SharedAnswers,
    SharedStore,
)
from companion.adapters.stores import Settings
from companion.bootstrap.access import open_shared_access
from companion.service.access.guests import Guest, GuestList, Guests, SeatTaken
from companion.service.access.logins import Caller, Guesses, LockedOut, PinGuard, Tries
from companion.service.access.preferences import Preferences, PreferenceValues
from companion.service.access.screens import MOST_OF_ADDRESS, Lobby, LobbySeat, ScreenPairings
from companion.service.ports import Conflict, KeyReused, NotStored, StoredAnswer
from tests.postgres import break_after_commit, new_database
from tests.waiting import until
from tests.web.conftest import ManualClock

Parts = shared.ValueParts[Any]


@pytest.fixture(scope="module")
def connected(postgres_server: str) -> Iterator[tuple[Database, Database]]:
    """Connections of two processes."""
    with new_database(postgres_server) as address:
        databases = (Database(address), Database(address))
        yield databases
        for each in databases:
            each.close()


@pytest.fixture
def opened(connected: tuple[Database, Database]) -> tuple[Database, Database]:
    """Connections of two processes to a database in which nothing is shared yet."""
    connected[0].run(lambda connection: connection.execute("TRUNCATE shared_values, shared_parts, answers"))
    return connected


Two = tuple[Database, Database]


def player(device: str, name: str = "blue", table: str = "t1") -> Caller:
    return Caller("player", name, table, 0, device, 1)


def guest(device: str, name: str | None = "blue", table: str = "t1") -> Guest:
    return Guest(device, table, name, "Ada", listed=True)


FILLED: list[tuple[Parts, Any]] = [
    (
        GUESTS,
        GuestList(
            3,
            "t2",
            (guest("b"), guest("a", None), Guest("c", "t1", listed=True, hosts=True)),
            ("x", "w"),
            {"t1": "t2"},
            2,
            "tablet",
            {"": 1, "t1/blue": 2, "t1//host": 1},
        ),
    ),
    (
        PREFERENCES,
        PreferenceValues(welcomed=True, deck='"\n\0', layout="mat", notes=frozenset({"t1"}), hammers={"t2": 20}),
    ),
    (PIN_GUESSES, Guesses({"10.0.0.9": Tries(3, 1.5, 3.5)}, Tries(21, 1.5, 2.5), ("10.0.0.2", "10.0.0.1"))),
]


@pytest.mark.parametrize(("parts", "value"), FILLED, ids=lambda value: getattr(value, "kind", ""))
def test_a_value_is_read_by_another_process_as_it_was_stored(opened: Two, parts: Parts, value: Any) -> None:
    first, second = (SharedStore[Any](database, parts) for database in opened)
    default = second.read()
    first.write(value)
    assert second.stored_elsewhere(at_once=True) == value
    assert SharedStore[Any](opened[1], parts).read() == value

    # and what is taken away again is gone there too
    first.write(default)
    assert second.stored_elsewhere(at_once=True) == default
    assert second.stored_elsewhere(at_once=True) is None


def test_whoever_has_not_seen_the_latest_value_may_not_replace_it(opened: Two) -> None:
    first, second = (SharedStore(database, PREFERENCES) for database in opened)
    assert (first.read(), second.read()) == (PreferenceValues(), PreferenceValues())
    first.write(PreferenceValues(deck="attic"))
    with pytest.raises(Conflict):
        second.write(PreferenceValues(welcomed=True))
    assert second.stored_elsewhere(at_once=True) == PreferenceValues(deck="attic")


@pytest.mark.parametrize("earlier", [True, False], ids=["an earlier one", "an empty one"])
def test_a_process_goes_on_from_what_the_database_says_after_it_was_put_back(opened: Two, *, earlier: bool) -> None:
    # given a process that knows what was stored after a backup
    keeper, preferences = SharedStore(opened[1], PREFERENCES), Preferences(SharedStore(opened[0], PREFERENCES))
    keeper.write(PreferenceValues(deck="attic"))
    kept = opened[1].query("SELECT kind, part, version, place, value::text FROM shared_parts WHERE value IS NOT NULL")
    preferences.hand_notes("t1", wanted=True)
    preferences.choose(deck="cellar")

    # when the backup, or an empty database, takes its place
    def put_back(connection: psycopg.Connection[Any]) -> None:
        connection.execute("TRUNCATE shared_values, shared_parts")
        if earlier:
            connection.execute("INSERT INTO shared_values (kind, version) VALUES ('preferences', 1)")
            insert = "INSERT INTO shared_parts VALUES (%s, %s, %s, %s, %s::json)"
            connection.cursor().executemany(insert, kept)

    opened[1].run(put_back)

    # then what is not there any more is forgotten, and changes are stored
    preferences.set_hammer("t2", 20)
    deck = "attic" if earlier else PreferenceValues().deck
    assert preferences.chosen == PreferenceValues(deck=deck, hammers={"t2": 20})
    assert SharedStore(opened[1], PREFERENCES).read() == preferences.chosen


def test_whoever_is_overtaken_each_time_is_told_so(opened: Two) -> None:
    # given a database that takes no new version, as if another process were always quicker
    preferences = Preferences(SharedStore(opened[0], PREFERENCES))
    preferences.choose(deck="attic")
    opened[1].run(
        lambda connection: connection.execute(
            "CREATE FUNCTION overtaken() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';"
            "CREATE TRIGGER overtaken BEFORE UPDATE ON shared_values FOR EACH ROW EXECUTE FUNCTION overtaken()"
        )
    )
    try:
        with pytest.raises(NotStored, match="locked"):
            preferences.choose(deck="cellar")
    finally:
        opened[1].run(lambda connection: connection.execute("DROP FUNCTION overtaken CASCADE"))
    assert preferences.chosen == PreferenceValues(deck="attic")


def test_changes_of_many_threads_in_two_processes_all_count(opened: Two) -> None:
    both = [Preferences(SharedStore(database, PREFERENCES)) for database in opened]
    with ThreadPoolExecutor(8) as pool:
        for number in range(40):
            pool.submit(both[number % 2].hand_notes, f"t{number}", wanted=True)
    until(lambda: all(preferences.chosen.notes == {f"t{number}" for number in range(40)} for preferences in both))


def test_a_store_looks_twice_a_second_and_at_once_when_it_is_told(opened: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[bool] = []
    first = SharedStore(opened[0], PREFERENCES, calls.append)
    second = SharedStore(opened[1], PREFERENCES)
    monkeypatch.setattr(shared, "LOOK_S", 3_600)
    second.read()
    first.write(PreferenceValues(deck="attic"))
    assert calls == [False]
    assert second.stored_elsewhere(at_once=False) is None
    second.hear()
    assert second.stored_elsewhere(at_once=False) == PreferenceValues(deck="attic")


def test_after_a_restore_the_same_version_is_another_value_and_none_of_it_is_lost(opened: Two) -> None:
    # given a process that has read the fourth version of a value
    database, elsewhere = opened
    first = Guests(SharedStore(database, GUESTS))
    for device in "abcd":
        first.came(guest(device, device))
    store = SharedStore(elsewhere, GUESTS)
    second = Guests(store)
    assert {each.device for each in second.at("t1")} == set("abcd")

    # when the database is put back to the second one, and others store two more
    gone = "DELETE FROM shared_parts WHERE part IN ('guest/c', 'guest/d')"
    database.run(lambda connection: connection.execute(gone.encode()))
    database.run(lambda connection: connection.execute(b"UPDATE shared_values SET version = 2 WHERE kind = 'guests'"))
    third = Guests(SharedStore(database, GUESTS))
    third.came(guest("x", "x"))
    third.came(guest("y", "y"))

    # then the process, whose connection was lost meanwhile, believes in no version, and stores nothing over them
    store.hear(is_complete=False)
    with pytest.raises(Conflict):
        store.write(GuestList())
    second.came(guest("e", "e"))
    for guests in (second, Guests(SharedStore(database, GUESTS))):
        assert {each.device for each in guests.at("t1")} == set("abxye")


def test_removed_parts_do_not_pile_up_and_whoever_was_away_for_long_learns_of_them(
    opened: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a process that knows of a guest
    monkeypatch.setattr(shared, "CLEAR_EVERY", 4)
    monkeypatch.setattr(shared, "CLEAR_BEHIND", 2)
    first, second = Guests(SharedStore(opened[0], GUESTS)), SharedStore(opened[1], GUESTS)
    first.came(guest("a"))
    second.read()

    # when that one is logged out, and many come and go
    first.log_out("a")
    for number in range(12):
        first.came(guest(f"d{number}"))
        first.log_out(f"d{number}")

    # then few rows remain of them, and none of the guests
    rows = opened[0].query("SELECT count(*) FROM shared_parts WHERE value IS NULL")
    assert rows[0][0] <= 8
    now = second.stored_elsewhere(at_once=True)
    assert now is not None
    assert now.guests == ()
    assert now.links == {"t1/blue": 13}


def test_parts_of_a_newer_version_of_the_program_are_left_alone(opened: Two) -> None:
    store = SharedStore(opened[0], PREFERENCES)
    store.write(PreferenceValues(deck="attic"))
    add = "INSERT INTO shared_parts VALUES ('preferences', 'lamps/t1', 2, 1, '[1]') RETURNING 1"
    opened[1].query(add)
    opened[1].query("UPDATE shared_values SET version = 2 RETURNING 1")
    assert store.stored_elsewhere(at_once=True) == PreferenceValues(deck="attic")
    store.write(PreferenceValues(welcomed=True, deck="attic"))
    assert opened[1].query("SELECT value::text FROM shared_parts WHERE part = 'lamps/t1'") == [("[1]",)]


# ------------------------------------------------------------------------------------------------ guests


def test_a_join_writes_its_own_part_alone_and_only_a_logout_concerns_the_logins_of_others(opened: Two) -> None:
    # given two hundred guests
    calls: list[bool] = []
    guests = Guests(SharedStore(opened[0], GUESTS, calls.append))
    for number in range(200):
        guests.came(guest(f"d{number}", table=f"t{number}"))
    latest = "SELECT part FROM shared_parts WHERE version = (SELECT max(version) FROM shared_parts)"

    # when one more joins, then a row is written, and nobody has to be asked for their login again
    guests.came(guest("another"))
    assert opened[1].query(latest) == [("guest/another",)]
    assert not any(calls[1:])

    # and when one is logged out, everybody is
    guests.log_out("d7")
    assert sorted(opened[1].query(latest)) == [("guest/d7",), ("link/t7/blue",)]
    assert calls[-1]


@pytest.mark.parametrize("device", ["tablet", "phone"])
def test_the_first_logout_of_all_is_told_as_one_though_it_only_adds_to_what_is_stored(opened: Two, device: str) -> None:
    # given a hall in which a phone has joined, and nobody was logged out yet; the organiser's tablet is no guest
    said: list[str] = []
    access, _ = open_shared_access(Settings("135790", "0123456789abcdef" * 3), opened[0], said.append)
    access.guests.came(guest("phone"))
    access.guests.came(guest("another phone"))
    assert said[1:] == ["shared"]

    # when one of them is logged out, then whoever holds streams looks at all rights again
    access.guests.log_out(device, Caller("banker", device=device) if device == "tablet" else None)
    assert said[2:] == ["people"]


@pytest.fixture
def guests(opened: Two) -> tuple[Guests, Guests]:
    first, second = (Guests(SharedStore(database, GUESTS)) for database in opened)
    return first, second


def test_a_guest_who_joined_by_one_process_is_admitted_by_the_other_at_once(guests: tuple[Guests, Guests]) -> None:
    first, second = guests
    assert not second.admits(player("a"))
    first.came(guest("a"))
    assert second.admits(player("a"))
    assert second.at("t1") == (guest("a"),)


def test_a_guest_who_was_logged_out_by_one_process_is_out_in_the_other_within_a_second(
    guests: tuple[Guests, Guests],
) -> None:
    first, second = guests
    first.came(guest("a"))
    assert second.admits(player("a"))
    first.log_out("a")
    assert shared.LOOK_S < 1
    until(lambda: not second.admits(player("a")))


def test_a_seat_is_given_once_though_two_processes_are_asked_at_one_moment(guests: tuple[Guests, Guests]) -> None:
    begin, taken = threading.Barrier(8), list[str]()

    def join(number: int) -> None:
        begin.wait()
        try:
            guests[number % 2].came(guest(f"d{number}"), alone=True)
        except SeatTaken:
            return
        taken.append(f"d{number}")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(join, range(8)))
    assert len(taken) == 1
    until(lambda: all([sitting.device for sitting in each.at("t1")] == taken for each in guests))


def test_a_new_evening_ends_what_another_process_has_let_in(guests: tuple[Guests, Guests]) -> None:
    first, second = guests
    first.came(guest("a"))
    link = second.link(Caller("spectator", table="t1"))
    first.new_evening("tablet")
    assert not second.honours(link)
    until(lambda: not second.admits(player("a")))
    assert second.admits(Caller("banker", device="tablet"))


# --------------------------------------------------------------------------- wrong PINs, screens, the lobby


def test_two_processes_do_not_give_twice_the_guesses(opened: Two) -> None:
    # given ten guesses at each of two processes, all at one moment
    clock = ManualClock()
    guards = [PinGuard("2468", clock, SharedStore(database, PIN_GUESSES)) for database in opened]
    begin = threading.Barrier(20)

    def guess(number: int) -> bool | None:
        begin.wait()
        try:
            return guards[number % 2].right("0000", "10.0.0.9")
        except LockedOut:
            return None

    with ThreadPoolExecutor(20) as pool:
        verdicts = list(pool.map(guess, range(20)))

    # then three were looked at, and the right one has to wait in both
    assert sorted(verdicts, key=str) == [False] * 3 + [None] * 17
    for guard in guards:
        with pytest.raises(LockedOut):
            guard.right("2468", "10.0.0.9")
    clock.now += 2
    assert guards[1].right("2468", "10.0.0.9")


def test_a_screen_that_shows_letters_is_let_in_by_whichever_process_is_asked(opened: Two) -> None:
    clock = ManualClock()
    first, second = (ScreenPairings(clock, SharedStore(database, WAITING_SCREENS)) for database in opened)
    screen = first.begin("10.0.0.5")
    assert second.waiting_screen(screen.token) == screen
    assert second.confirm(screen.letters, "invitation")
    assert first.collect(screen.token) == "invitation"
    assert second.collect(screen.token) is None

    # and the limit for an address counts over both
    oldest = first.begin("10.0.0.5")
    for number in range(MOST_OF_ADDRESS):
        (first, second)[number % 2].begin("10.0.0.5")
    assert second.waiting_screen(oldest.token) is None


def test_the_lobby_shows_what_was_typed_at_another_process(opened: Two) -> None:
    first, second = (Lobby(SharedStore(database, LOBBY)) for database in opened)
    first.seat("nuts", (LobbySeat("blue", "Zoë"), LobbySeat("red", "")))
    until(lambda: second.now == first.now)
    second.seat("nuts", (LobbySeat("blue", "Zoë"), LobbySeat("red", "Ben")))
    until(lambda: first.now.arrived == "red")


# ----------------------------------------------------------------------------------------------- answers

ANSWER = StoredAnswer(b"\0{}", 202, "application/json")


@pytest.fixture
def answers(opened: Two) -> tuple[SharedAnswers, SharedAnswers]:
    first, second = (SharedAnswers(database) for database in opened)
    return first, second


def claim(answers: SharedAnswers, sender: str = "blue", request: str = "r") -> str:
    """Claim a request that nobody else has claimed or answered; return the owner."""
    claimed = answers.claim(sender, request, "d")
    assert isinstance(claimed, str)
    return claimed


def test_a_request_that_went_to_two_processes_is_carried_out_by_one(
    answers: tuple[SharedAnswers, SharedAnswers],
) -> None:
    # given eight that send it at one moment
    begin, carried_out = threading.Barrier(8), list[int]()

    def send(number: int) -> StoredAnswer:
        begin.wait()
        claimed = answers[number % 2].claim("blue", "r", "d")
        if isinstance(claimed, StoredAnswer):
            return claimed
        carried_out.append(number)
        answers[number % 2].keep("r", claimed, ANSWER)
        return ANSWER

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(send, range(8))) == [ANSWER] * 8
    assert len(carried_out) == 1


def test_the_same_request_with_another_body_is_refused(answers: tuple[SharedAnswers, SharedAnswers]) -> None:
    first, second = answers
    claim(first)
    with pytest.raises(KeyReused):
        second.claim("blue", "r", "other")


def test_a_request_that_failed_may_be_sent_again(answers: tuple[SharedAnswers, SharedAnswers]) -> None:
    first, second = answers
    first.keep("r", claim(first), None)
    assert claim(second)


@pytest.mark.parametrize("late", [None, StoredAnswer(b"late", 200, "text/plain")], ids=["failure", "answer"])
def test_whoever_was_taken_for_dead_neither_ends_nor_answers_the_claim_of_another(
    answers: tuple[SharedAnswers, SharedAnswers], monkeypatch: pytest.MonkeyPatch, late: StoredAnswer | None
) -> None:
    # given a request that another process carries out, because the first was silent for long
    first, second = answers
    slow = claim(first)
    monkeypatch.setattr(shared, "CLAIM_S", 0)
    owner = claim(second)
    monkeypatch.undo()
    monkeypatch.setattr(shared, "WAIT_S", 0)

    # when the first comes to its end after all, then the claim of the other stands, and its answer counts
    first.keep("r", slow, late)
    with pytest.raises(NotStored):
        first.claim("blue", "r", "d")
    second.keep("r", owner, ANSWER)
    assert first.claim("blue", "r", "d") == ANSWER


def test_whoever_waits_for_too_long_is_told_so_and_a_claim_of_the_dead_ends(
    answers: tuple[SharedAnswers, SharedAnswers], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = answers
    claim(first)
    monkeypatch.setattr(shared, "WAIT_S", 0.1)
    with pytest.raises(NotStored, match="locked"):
        second.claim("blue", "r", "d")
    monkeypatch.setattr(shared, "CLAIM_S", 0)
    assert claim(second)


def test_answers_are_kept_for_an_hour_and_only_so_many_of_one_sender(
    answers: tuple[SharedAnswers, SharedAnswers], opened: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = answers
    monkeypatch.setattr(shared, "MOST_ANSWERS", 2)
    for sender in ("blue", "red"):
        for name in ("1", "2", "3"):
            first.keep(sender + name, claim(first, sender, sender + name), ANSWER)
    kept = "SELECT request FROM answers ORDER BY n"
    assert [request for (request,) in opened[1].query(kept)] == ["blue2", "blue3", "red2", "red3"]

    opened[1].query("UPDATE answers SET at = at - interval '61 minutes' RETURNING 1")
    second.keep("red3", claim(second, "red", "red3"), ANSWER)
    assert [request for (request,) in opened[1].query(kept)] == ["red3"]


def test_answers_outlive_a_crash_of_the_server(opened: Two) -> None:
    logged = "SELECT relname FROM pg_class WHERE relname IN ('answers', 'shared_parts') AND relpersistence = 'p'"
    assert sorted(opened[0].query(logged)) == [("answers",), ("shared_parts",)]


def test_a_claim_whose_acknowledgement_was_lost_is_the_same_claim(
    answers: tuple[SharedAnswers, SharedAnswers], opened: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_after_commit(opened[0], monkeypatch)
    assert claim(answers[0])


def test_a_join_whose_acknowledgement_was_lost_counts_once(
    guests: tuple[Guests, Guests], opened: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = guests
    first.came(guest("a"))
    break_after_commit(opened[0], monkeypatch)
    first.came(guest("b", "red"), alone=True)
    assert second.admits(player("b", "red"))
    assert [each.device for each in second.at("t1")] == ["a", "b"]
