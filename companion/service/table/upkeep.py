"""Tables are kept up to date beside requests: idle ones let go, and what other processes have stored read."""

import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from functools import partial

from companion.service.ports import News, NotStored, TornJournal
from companion.service.runtime import BackgroundTask
from companion.service.table.registry import Tables

RETRY_S = 1.0
"""After how long the bin is read again where it could not be."""

log = logging.getLogger(__name__)


class IdleRelease(BackgroundTask):
    """Lets the histories of idle tables go for as long as the program serves, and summarises those not read yet."""

    def __init__(self, tables: Tables, pause_s: float = 60.0) -> None:
        """Store the tables; ``pause_s``: seconds from one check to the next."""
        super().__init__("idle tables")
        self._tables = tables
        self._pause_s = pause_s

    def _run(self) -> None:
        while not self._stopping.wait(self._pause_s):
            try:
                self._tables.let_go_idle()
                self._tables.summarise_some()
            except NotStored as fault:
                log.warning("idle tables wait: %s", fault)
            except Exception:
                log.exception("idle tables could not be looked after; trying on")


class CatchUp(BackgroundTask):
    """Brings the tables that are held here up to date with what other processes tell, and wakes who follows them.

    A version that cannot be read now, because the database is away, is told again by whoever looks at the versions.
    That tables were moved is told once, so the bin is read again until it could be.
    """

    def __init__(self, tables: Tables) -> None:
        """Store the tables."""
        super().__init__("catching up")
        self._tables = tables
        self._lock = threading.Lock()
        self._heard = threading.Event()
        self._versions: dict[str, int] = {}
        self._stirred: set[str] = set()
        self._topics: set[str] = set()
        self.count = 0

    def versions(self) -> Mapping[str, int]:
        """Return the version of every table that is held."""
        histories = ((table.id, table.history_if_held) for table in self._tables.held_tables())
        return {table_id: history.version for table_id, history in histories if history is not None}

    def hear(self, news: News) -> None:
        """Remember what others tell; the task carries it out at once."""
        with self._lock:
            for table_id, version in news.versions.items():
                self._versions[table_id] = max(version, self._versions.get(table_id, 0))
            self._stirred |= news.stirred
            self._topics |= news.topics
        self._heard.set()

    def stop(self) -> None:
        """Ask the thread to end and wait for it."""
        self._stopping.set()
        self._heard.set()
        super().stop()

    def _run(self) -> None:
        while True:
            self._heard.wait(RETRY_S if self._topics else None)  # topics are left where they could not be followed
            if self._stopping.is_set():
                return
            self._heard.clear()
            with self._lock:
                versions, self._versions = self._versions, {}
                stirred, self._stirred = self._stirred, set()
                topics, self._topics = self._topics, set()
            self._wake(stirred)
            if "bin" in topics and not self._attempt(self._tables.read_bin_again):
                with self._lock:
                    self._topics.add("bin")
            self._attempt(partial(self._catch_up, versions))

    def _attempt(self, act: Callable[[], object]) -> bool:
        """Return whether something could be carried out; a failure is logged."""
        try:
            act()
        except NotStored as fault:
            log.warning("what other processes have stored is read later: %s", fault)
        except Exception:
            log.exception("what other processes have stored could not be read; trying on")
        else:
            return True
        return False

    def _wake(self, table_ids: Iterable[str]) -> None:
        for table_id in table_ids:
            if (table := self._tables.table_if_held(table_id)) is not None:
                table.signal.wake()

    def _catch_up(self, versions: Mapping[str, int]) -> None:
        for table_id, version in versions.items():
            table = self._tables.table_if_held(table_id)
            history = None if table is None else table.history_if_held
            if table is None or history is None or history.version >= version:
                continue
            try:
                table.catch_up(version)
            except TornJournal:  # as whoever opens the table is told
                continue
            self.count += 1
