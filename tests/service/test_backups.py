"""Backups make themselves: after a game, once a day, only of what has changed; old ones go by a rule."""

import logging
import threading
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import BinaryIO

import pytest

from companion.service.backups import Backup, BackupFault, Backups, BackupScheduler, UnknownBackup, select_expired
from tests.own_log import own_lines

NOON = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


class FakeBackupStore:
    """A shelf in memory, and the data beside it."""

    location = "a shelf"

    def __init__(self) -> None:
        self.kept: list[Backup] = []
        self.data: datetime | None = NOON
        self.fault: str | None = None
        self.gone = False

    def all(self) -> Sequence[Backup]:
        if self.gone:
            raise BackupFault("it is not there")
        return sorted(self.kept, key=lambda backup: backup.made, reverse=True)

    def make(self, at: datetime) -> Backup:
        if self.fault:
            raise BackupFault(self.fault)
        self.kept.append(Backup(f"companion-{at:%Y%m%dT%H%M%SZ}.backup", at, 1_000))
        return self.kept[-1]

    def remove(self, name: str) -> None:
        self.kept = [backup for backup in self.kept if backup.name != name]

    def open(self, name: str) -> BinaryIO:
        raise NotImplementedError(name)

    def check(self, name: str) -> None:
        if name not in {backup.name for backup in self.kept}:
            raise UnknownBackup(name)

    def last_changed(self) -> datetime | None:
        return self.data


class Session:
    """A clock, games that end, and the backups of it all."""

    def __init__(self) -> None:
        self.now, self.over, self.store = NOON, set[str](), FakeBackupStore()
        self.backups = Backups(self.store, lambda: frozenset(self.over), lambda: self.now)

    def plays(self, after: timedelta) -> None:
        """Something is entered so much later."""
        self.now += after
        self.store.data = self.now


def test_the_first_backup_is_made_as_soon_as_there_is_anything() -> None:
    session = Session()
    session.store.data = None
    assert session.backups.make_if_due() is None

    session.plays(HOUR)

    assert session.backups.make_if_due() is not None
    assert session.backups.make_if_due() is None


def test_a_game_that_ends_is_backed_up_at_once_and_only_once() -> None:
    # given a game under way, backed up an hour ago
    session = Session()
    session.backups.make()
    session.plays(HOUR)
    assert session.backups.make_if_due() is None

    # when it ends
    session.plays(timedelta(minutes=1))
    session.over.add("table")
    session.now += timedelta(seconds=30)

    # then it is backed up, and no more while nothing changes
    assert session.backups.make_if_due() is not None
    session.now += timedelta(days=3)
    assert session.backups.make_if_due() is None
    assert len(session.store.kept) == 2


def test_once_a_day_at_night_what_has_changed_is_backed_up() -> None:
    session = Session()
    session.backups.make()
    session.plays(timedelta(hours=2))
    session.now = NOON.replace(hour=22)
    assert session.backups.make_if_due() is None

    session.now = NOON.replace(hour=3) + timedelta(days=1)

    assert session.backups.make_if_due() is not None
    session.plays(timedelta(minutes=30))
    assert session.backups.make_if_due() is None


def test_where_the_machine_sleeps_at_night_a_day_is_enough() -> None:
    session = Session()
    session.backups.make()
    session.plays(timedelta(hours=25))

    assert session.backups.make_if_due() is not None


def test_trouble_is_told_once_and_tried_again_in_an_hour(caplog: pytest.LogCaptureFixture) -> None:
    session = Session()
    session.store.fault = "the stick is full"
    caplog.set_level(logging.WARNING)

    for _ in range(3):
        assert session.backups.make_if_due() is None
        session.now += timedelta(minutes=1)
    assert session.backups.fault == "the stick is full"
    session.now += HOUR
    assert session.backups.make_if_due() is None
    assert own_lines(caplog) == ["no backup: the stick is full"]

    session.store.fault = None
    session.now += HOUR
    assert session.backups.make_if_due() is not None
    assert session.backups.fault is None


def test_a_stick_that_is_not_there_is_told_once_and_backed_up_on_when_it_comes(
    caplog: pytest.LogCaptureFixture,
) -> None:
    session = Session()
    session.store.gone, session.store.fault = True, "it is not there"
    caplog.set_level(logging.WARNING)
    assert session.backups.all() == []
    assert session.backups.fault == "it is not there"

    for _ in range(3):
        assert session.backups.make_if_due() is None
        session.now += HOUR
    assert own_lines(caplog) == ["no backup: it is not there"]

    session.store.gone, session.store.fault = False, None
    assert session.backups.make_if_due() is not None
    assert session.backups.fault is None


def test_a_game_whose_end_could_not_be_backed_up_is_tried_again() -> None:
    session = Session()
    session.backups.make()
    session.plays(HOUR)
    session.over.add("table")
    session.store.fault = "the stick is full"
    assert session.backups.make_if_due() is None

    session.store.fault = None
    session.now += timedelta(minutes=30)
    assert session.backups.make_if_due() is None
    session.now += timedelta(minutes=30)

    assert session.backups.make_if_due() is not None


def test_whoever_wishes_one_now_is_told_why_there_is_none() -> None:
    session = Session()
    session.store.fault = "the stick is full"

    with pytest.raises(BackupFault, match="full"):
        session.backups.make()


def test_kept_are_the_newest_five_a_week_of_days_and_a_month_of_weeks() -> None:
    # given one every six hours for sixty days
    made = [NOON - timedelta(hours=6 * step) for step in range(240)]
    all_of_them = [Backup(f"{number}", at, 1) for number, at in enumerate(made)]

    gone = {backup.name for backup in select_expired(all_of_them, NOON)}

    kept = [backup.made for backup in all_of_them if backup.name not in gone]
    assert kept[:5] == made[:5]
    assert [at.date() for at in kept if at in made[:28]][-1] == (NOON - timedelta(days=6)).date()
    assert len({at.isocalendar()[:2] for at in kept}) == 4
    assert len(kept) <= 5 + 7 + 4
    assert select_expired(all_of_them[:5], NOON) == []


def test_making_one_lets_old_ones_go() -> None:
    session = Session()
    for _ in range(9):
        session.plays(timedelta(minutes=10))
        session.backups.make()

    assert len(session.backups.all()) == 5


def test_the_thread_outlives_trouble_and_stops() -> None:
    session = Session()
    looked = threading.Event()
    calls: list[None] = []

    def fail_once() -> Backup | None:
        calls.append(None)
        if len(calls) == 1:
            raise ValueError
        looked.set()
        return None

    session.backups.make_if_due = fail_once  # type: ignore[method-assign]
    keeper = BackupScheduler(session.backups, pause_s=0.01)
    keeper.start()

    assert looked.wait(5)
    keeper.stop()


def test_a_clock_that_went_ahead_keeps_no_evening_from_being_backed_up() -> None:
    # given a backup that was made while the clock said another year
    session = Session()
    session.now += timedelta(days=400)
    session.backups.make()

    # when the clock is put right, and a day is played
    session.now = NOON
    session.plays(timedelta(hours=1))

    # then one is made today, and one when a game ends
    assert session.backups.make_if_due() is not None
    session.plays(timedelta(minutes=10))
    session.over.add("t1")
    assert session.backups.make_if_due() is not None


def test_a_clock_that_was_set_back_keeps_no_evening_from_being_backed_up() -> None:
    # given backups of forty evenings
    session = Session()
    for _ in range(40):
        session.plays(timedelta(days=1))
        session.backups.make()
    before = session.backups.all()

    # when a game ends while the clock is two months behind
    session.now -= timedelta(days=60)
    session.plays(HOUR)
    session.over.add("t1")
    made = session.backups.make_if_due()

    # then its backup stays, once, and no other one goes for it
    session.now += timedelta(minutes=1)
    assert session.backups.make_if_due() is None
    assert session.backups.all() == [*before, made]
    for _ in range(60):
        session.plays(HOUR)
        session.backups.make()
    assert len(session.backups.all()) <= 2 * (5 + 7 + 4)


def test_what_went_wrong_before_the_clock_was_put_back_is_tried_again() -> None:
    session = Session()
    session.store.fault = "no room"
    session.now += timedelta(days=30)
    assert session.backups.make_if_due() is None

    session.store.fault = None
    session.now = NOON

    assert session.backups.make_if_due() is not None


def test_going_back_is_asked_of_whoever_serves_and_only_for_a_backup_that_is_there() -> None:
    session, asked = Session(), list[str]()
    made = session.backups.make()
    with pytest.raises(BackupFault, match="only where the companion serves"):
        session.backups.request_restore(made.name)

    session.backups.on_restore_request(lambda: asked.append("leave"))
    with pytest.raises(UnknownBackup):
        session.backups.request_restore("companion-other.backup")
    assert (asked, session.backups.requested) == ([], None)

    session.backups.request_restore(made.name)
    assert (asked, session.backups.requested) == (["leave"], made.name)
