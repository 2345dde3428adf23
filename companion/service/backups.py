"""Backups that are made by themselves: when a game has ended, and once a day; old ones go by a rule."""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import BinaryIO, Protocol

from companion.service.runtime import BackgroundTask

log = logging.getLogger(__name__)

NIGHT = range(3, 6)
"""Hours, by the clock on the wall, at which nobody plays."""
A_DAY = timedelta(days=1)
AGAIN = timedelta(hours=1)
"""When what went wrong is tried again."""
AHEAD = timedelta(minutes=5)
"""A backup from further ahead was made while the clock went wrong, and does not count as one of today."""
NEWEST, DAYS, WEEKS = 5, 7, 4
"""Kept are the newest five, the newest of each of seven days, and of each of four weeks; as many from ahead."""


class BackupFault(Exception):  # noqa: N818 - an answer: no backup could be made, and why, in one line
    """No backup could be made; the message says why in one line."""


class UnknownBackup(Exception):  # noqa: N818 - an answer, not an error of the program
    """There is no backup of that name."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that is kept: its file's name, when it was made, its size in bytes."""

    name: str
    made: datetime
    size: int


class BackupStore(Protocol):
    """Where backups are kept."""

    @property
    def location(self) -> str:
        """Where that is, as people know it."""
        ...

    def all(self) -> Sequence[Backup]:
        """Return the backups that are there, the newest first; ``BackupFault`` where nobody can look."""
        ...

    def make(self, at: datetime) -> Backup:
        """Make one; ``BackupFault``."""
        ...

    def remove(self, name: str) -> None:
        """Delete a backup; a missing one is no error."""
        ...

    def open(self, name: str) -> BinaryIO:
        """Open one for reading; ``UnknownBackup``."""
        ...

    def check(self, name: str) -> None:
        """Look whether one could be put in place of all that is here; ``UnknownBackup`` or ``BackupFault``."""
        ...

    def last_changed(self) -> datetime | None:
        """Return when what would go into a backup has last changed; ``None``: there is nothing yet."""
        ...


class Backups:
    """The backups of this installation.  Every call may come from any thread.

    ``over`` names the games that have ended, as far as they are known.
    """

    def __init__(self, store: BackupStore, over: Callable[[], frozenset[str]], now: Callable[[], datetime]) -> None:
        """Store where they are kept; ``now`` returns local, time-zone-aware datetimes."""
        self._store = store
        self._over = over
        self._now = now
        self._known_over = over()
        self._making = threading.Lock()
        self._wanted = False
        self._tried: datetime | None = None
        self._fault: str | None = None
        self._leave: Callable[[], None] | None = None
        self.requested: str | None = None
        """The backup to which somebody wants to go back, once nobody serves any more."""

    @property
    def fault(self) -> str | None:
        """Why the latest one could not be made, or nobody can look where they are kept; ``None``: all is well."""
        try:
            self._store.all()
        except BackupFault as fault:
            return str(fault)
        return self._fault

    @property
    def location(self) -> str:
        """Where they are kept."""
        return self._store.location

    def all(self) -> list[Backup]:
        """Return the backups, the newest first; none where nobody can look."""
        try:
            return list(self._store.all())
        except BackupFault:
            return []

    def open(self, name: str) -> BinaryIO:
        """Open one for reading; ``UnknownBackup``."""
        return self._store.open(name)

    def on_restore_request(self, leave: Callable[[], None]) -> None:
        """Register how to stop the server so that a backup can be restored."""
        self._leave = leave

    def request_restore(self, name: str) -> None:
        """Ask for a backup in place of all that is here; ``UnknownBackup``, or ``BackupFault`` where it does not do."""
        if self._leave is None:
            raise BackupFault("it can be put in place only where the companion serves")
        self._store.check(name)
        self.requested = name
        self._leave()

    def make(self) -> Backup:
        """Make one now, and let those go that the rule does not keep; ``BackupFault``."""
        with self._making:
            self._tried = self._now()
            try:
                made = self._store.make(self._tried)
                for old in select_expired(self._store.all(), self._tried):
                    if old.name != made.name:
                        self._store.remove(old.name)
            except BackupFault as fault:
                self._fault = str(fault)
                raise
            self._fault, self._wanted = None, False
            return made

    def make_if_due(self) -> Backup | None:
        """Make one if it is time; trouble is told once, and tried again in the next hour."""
        if not self._due():
            return None
        fault_before = self._fault
        try:
            return self.make()
        except BackupFault as fault:
            if str(fault) != fault_before:
                log.warning("no backup: %s", fault)
            return None

    def _due(self) -> bool:
        over = self._over()
        self._wanted |= bool(over - self._known_over)
        self._known_over = over
        now, changed = self._now(), self._store.last_changed()
        if changed is None or (self._fault and self._tried is not None and abs(now - self._tried) < AGAIN):
            return False
        newest = next((backup for backup in self.all() if backup.made <= now + AHEAD), None)
        if newest is not None and newest.made >= changed:
            self._wanted = False
            return False
        if self._wanted:
            return True
        age = A_DAY if newest is None else now - newest.made
        return age >= A_DAY or (now.hour in NIGHT and age >= timedelta(hours=len(NIGHT)))


def select_expired(backups: Sequence[Backup], now: datetime) -> list[Backup]:
    """Name those that the rule does not keep, of all that are there, the newest first.

    Those from further ahead than the clock can be wrong push out none that is made now: the rule is for them apart.
    """
    ahead = [backup for backup in backups if backup.made > now + AHEAD]
    kept = _select_kept(ahead) | _select_kept(backups[len(ahead) :])
    return [backup for backup in backups if backup.name not in kept]


def _select_kept(backups: Sequence[Backup]) -> set[str]:
    kept = {backup.name for backup in backups[:NEWEST]}
    for most, of in ((DAYS, _day), (WEEKS, _week)):
        first: dict[tuple[int, ...], str] = {}
        for backup in backups:
            first.setdefault(of(backup), backup.name)
        kept |= set(list(first.values())[:most])
    return kept


def _day(backup: Backup) -> tuple[int, ...]:
    return (backup.made.toordinal(),)


def _week(backup: Backup) -> tuple[int, ...]:
    return backup.made.isocalendar()[:2]


class BackupScheduler(BackgroundTask):
    """Makes backups that are due for as long as the program serves; one that is being made is made to its end."""

    def __init__(self, backups: Backups, pause_s: float = 60.0) -> None:
        """Store the backups; ``pause_s``: seconds from one check to the next."""
        super().__init__("backups", stop_timeout_s=30.0)
        self._backups = backups
        self._pause_s = pause_s

    def _run(self) -> None:
        while not self._stopping.wait(self._pause_s):
            try:
                self._backups.make_if_due()
            except Exception:
                log.exception("backups could not be looked after; trying on")
